"""Going down to scores or weights changes no result; going up brings back what was given there."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.errors import ExplorerError
from explorer.state.document import Document
from explorer.state.edits import set_beta, set_cells, set_label, set_mask
from explorer.state.resizing import add_row
from explorer.state.sources import change_source
from tests.state.documents import KINDS, assert_same_stages, assert_sound, content, documents

DOWN = list(itertools.combinations(KINDS, 2))


def to(kind: str, document: Document) -> Document:
    return change_source(kind).change(document)


def qkv(q: Any = ((1, 2), (3, 4)), k: Any = ((1, 0), (0, 1), (1, 1)), v: Any = None, **dials: Any) -> Document:
    return Document(Problem(QKV(q, k, v), **dials))


def assert_same_result(before: Document, after: Document) -> None:
    one, other = attend(before.problem), attend(after.problem)
    np.testing.assert_array_equal(other.weights, one.weights)
    assert (one.output is None) == (other.output is None)
    if one.output is not None:
        np.testing.assert_array_equal(other.output, one.output)


@settings(max_examples=200)
@given(document=documents(), kind=st.sampled_from(KINDS))
def test_going_down_never_changes_weights_and_output(document: Document, kind: str) -> None:
    after = to(kind, document)
    assert_sound(after)
    if KINDS.index(kind) >= KINDS.index(document.problem.source.kind):
        assert_same_result(document, after)


@settings(max_examples=100)
@given(document=documents(("projection", "qkv", "scores")), kind=st.sampled_from(KINDS))
def test_down_and_up_again_gives_the_same_document(document: Document, kind: str) -> None:
    if KINDS.index(kind) > KINDS.index(document.problem.source.kind):
        back = to(document.problem.source.kind, to(kind, document))
        assert content(back) == content(document)
        assert_same_stages(attend(back.problem), attend(document.problem))


@pytest.mark.parametrize(
    ("q", "k", "dials"),
    [
        ([[1e200, 0]], [[1e200, 0], [0, 1]], {}),
        ([[1e200, 0]], [[-1e200, 0], [0, 1]], {}),
        ([[1e200, 1e200]], [[1e200, -1e200], [0, 1]], {}),
        ([[1e200, 0], [1, 1]], [[1e200, 0], [0, 1]], {"beta": math.inf}),
        ([[1e200, 0]], [[1e200, 0], [0, 1]], {"softcap": 2.0}),
        ([[1e200, 0]], [[1e108, 0], [0, 1]], {"scale": 1e-3}),
        ([[1e200, 0]], [[1e200, 0], [0, 1]], {"mask": Mask("padding", keys=[False, True])}),
    ],
)
def test_an_overflow_stays_a_fault_and_hides_nothing(q: Any, k: Any, dials: dict[str, Any]) -> None:
    before = qkv(q, k, [[1], [2]], **dials)
    after = to("scores", before)
    assert_same_result(before, after)
    assert attend(after.problem).status == attend(before.problem).status
    assert np.array_equal(attend(after.problem).allowed, attend(before.problem).allowed)
    assert_same_result(before, to("weights", before))


@pytest.mark.parametrize("beta", [math.inf, -math.inf])
@pytest.mark.parametrize("dials", [{}, {"softcap": 2.0}, {"scale": 0.3}, {"bias": [[0.0, 0.0]]}])
def test_a_tie_hidden_by_rounding_stays_a_tie(beta: float, dials: dict[str, Any]) -> None:
    before = qkv([[1, 1]], [[0.1, 0.2], [0.3, 0]], [[1], [2]], beta=beta, **dials)
    attention = attend(before.problem)
    assert attention.tied_by_rounding == (0,)
    assert np.array_equal(attention.weights, [[0.5, 0.5]])
    assert_same_result(before, to("scores", before))


def test_a_tie_stays_above_a_loser_that_one_of_its_scores_is_below() -> None:
    """The first key loses many digits by cancelling: it ties, though the third, sharp to the last digit, does not."""
    before = qkv([[1, 1, 1]], [[1e10, -1e10, 10 - 1e-6], [10, 0, 0], [10 - 1e-9, 0, 0]], beta=math.inf)
    assert np.array_equal(attend(before.problem).weights, [[0.5, 0.5, 0]])
    assert_same_result(before, to("scores", before))


def test_a_tie_made_by_a_bias_stays_a_tie() -> None:
    rng = np.random.default_rng(1)
    seen = 0
    for _ in range(600):
        q, k, bias = (rng.integers(-3, 4, shape) / 10 for shape in ((2, 3), (4, 3), (2, 4)))
        before = qkv(q, k, bias=bias, beta=math.inf, scale=1.0, softcap=float(rng.choice([0, 2, 0.05])))
        seen += bool(attend(before.problem).tied_by_rounding)
        assert_same_result(before, to("scores", before))
    assert seen > 2


def test_an_infinite_bias_wins_alone_at_the_limit() -> None:
    before = qkv([[1.0]], [[1.0], [2.0], [3.0]], bias=[[math.inf, 0, 1]], beta=math.inf)
    assert np.array_equal(attend(before.problem).weights, [[1, 0, 0]])
    assert_same_result(before, to("scores", before))


def test_empty_rows_and_hidden_numbers_stay_so() -> None:
    mask = Mask("custom", allowed=[[False, False, False], [True, False, True]])
    before = qkv([[1, 2], [3, 4]], [[1, 0], [math.nan, 1], [1, 1]], [[1], [math.nan], [3]], mask=mask)
    assert attend(before.problem).status == ("empty", "ok")
    for kind in ("scores", "weights"):
        after = to(kind, before)
        assert_same_result(before, after)
        output = attend(after.problem).output
        assert output is not None
        assert np.isfinite(output).all()


def test_a_hiding_bias_hides_in_every_source_that_has_it() -> None:
    before = qkv(bias=[[-math.inf, 0, 0], [0, -math.inf, -math.inf]])
    after = to("scores", before)
    assert after.problem.bias is before.problem.bias
    assert_same_result(before, after)
    assert to("weights", before).problem.bias is None


@pytest.mark.parametrize(("upper", "lower"), DOWN)
def test_the_dials_come_along_down_to_scores_and_end_at_weights(upper: str, lower: str) -> None:
    mask = Mask("causal", align="end")
    sources = {
        "projection": Projection(np.eye(2), np.eye(2), np.eye(2), np.eye(2)),
        "qkv": QKV(np.eye(2), np.eye(2), np.eye(2)),
        "scores": Scores(np.eye(2), np.eye(2), 2),
    }
    dials: dict[str, Any] = {"scale": "sqrt_dk", "beta": 3.0, "shift": 1.0, "softcap": 2.0, "mask": mask}
    before = Document(Problem(sources[upper], bias=np.ones((2, 2)), **dials), title="T", query_labels=["a", "b"])
    after = to(lower, before)
    problem = after.problem
    assert (after.title, after.query_labels) == (before.title, before.query_labels)
    if lower == "weights":
        dials = {"scale": 1.0, "beta": 1.0, "shift": 0.0, "softcap": 0.0}
        assert problem.mask.kind == "none"
    assert {name: getattr(problem, name) for name in dials} == dials
    assert problem.d_k == (None if lower == "weights" else 2)


def test_scores_keep_the_width_of_the_queries_for_the_scale() -> None:
    after = to("scores", qkv(np.ones((2, 3)), np.ones((2, 3))))
    assert (after.problem.scale, after.problem.d_k, after.problem.divisor) == ("sqrt_dk", 3, math.sqrt(3))
    empty = to("scores", qkv(np.ones((2, 0)), np.ones((2, 0))))
    assert (empty.problem.d_k, empty.problem.divisor) == (0, 1.0)


def test_what_was_given_above_comes_back_with_its_texts() -> None:
    before = set_cells("q", {(0, 0): (1 / 3, "1/3")}).change(qkv(v=[[1], [2], [3]]))
    scores = set_cells("scores", {(0, 0): (9.0, None)}).change(to("scores", before))
    back = to("qkv", scores)
    assert back.matrix("q") is before.matrix("q")
    assert back.typed_text("q", 0, 0) == "1/3"
    assert "scores" not in back.typed


def test_dials_and_values_and_names_changed_below_come_along_up() -> None:
    below = to("scores", qkv(v=[[1], [2], [3]]))
    for edit in (set_beta(5.0), set_mask("causal"), set_cells("v", {(0, 0): (2 / 7, "2/7")}), set_label("key", 0, "a")):
        below = edit.change(below)
    back = to("qkv", below)
    assert (back.problem.beta, back.problem.mask.kind) == (5.0, "causal")
    assert back.matrix("v") is below.matrix("v")
    assert back.typed_text("v", 0, 0) == "2/7"
    assert back.key_labels == ("a", None, None)


@pytest.mark.parametrize(("number", "text"), [(5.0, None), (2 / 7, "2/7")])
def test_a_bias_changed_below_comes_up_with_its_own_text(number: float, text: str | None) -> None:
    """A text left behind would show, save and load a number that is not there any more."""
    before = set_cells("bias", {(0, 0): (1 / 3, "1/3")}).change(qkv(bias=np.zeros((2, 3))))
    below = set_cells("bias", {(0, 0): (number, text)}).change(to("scores", before))
    back = to("qkv", below)
    assert back.problem.bias is below.problem.bias
    assert back.typed_text("bias", 0, 0) == text


def test_a_bias_typed_below_keeps_its_text_where_nothing_was_given_above() -> None:
    before = set_cells("bias", {(0, 1): (1 / 3, "1/3")}).change(
        Document(Problem(Scores(np.ones((2, 3))), scale=1.0, bias=np.zeros((2, 3))))
    )
    assert to("qkv", before).typed_text("bias", 0, 1) == "1/3"


def test_another_shape_below_brings_back_what_was_above_whole() -> None:
    mask = Mask("custom", allowed=np.eye(2, 3, dtype=bool))
    before = qkv(mask=mask, bias=np.ones((2, 3)), v=[[1], [2], [3]])
    below = add_row("v", 0).change(to("scores", before))
    back = to("qkv", set_label("key", 3, "new").change(below))
    assert content(back) == content(before)


@pytest.mark.parametrize(("lower", "upper"), [(lower, upper) for upper, lower in DOWN])
def test_zeros_stand_where_nothing_was_given(lower: str, upper: str) -> None:
    sources = {
        "qkv": QKV(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5))),
        "scores": Scores(np.ones((2, 4)), np.ones((4, 5)), 3),
        "weights": Weights(np.full((2, 4), 0.25), np.ones((4, 5))),
    }
    before = Document(Problem(sources[lower], scale=2.0), title="T", key_labels=("a", "b", "c", "d"))
    edit = change_source(upper)
    after = edit.change(before)
    problem = after.problem
    assert (problem.source.kind, problem.shape, problem.d_v) == (upper, (2, 4), 5)
    assert (after.title, after.key_labels) == (before.title, before.key_labels)
    for name, matrix in problem.source.matrices.items():
        assert name == "v" or not matrix.any()
    assert edit.notice is not None
    assert edit.notice(before, after) == "Never given here: zeros of that shape"
    if upper != "scores" and lower != "weights":
        assert problem.d_k == 3


def test_it_says_what_happened() -> None:
    before = qkv()
    below = to("weights", before)
    for edit, start, said in (
        (change_source("scores"), before, "Weights and output are unchanged"),
        (change_source("qkv"), below, "As last given here"),
        (change_source("projection"), below, "Never given here: zeros of that shape"),
    ):
        assert edit.notice is not None
        assert edit.notice(start, edit.change(start)) == said


@pytest.mark.parametrize("kind", KINDS)
def test_the_source_it_has_is_no_change(kind: str) -> None:
    document = to(kind, Document(Problem(Projection(np.eye(2), np.eye(2), np.eye(2)))))
    assert to(kind, document) is document


def test_titles_changed_below_are_not_undone_by_going_up() -> None:
    below = to("scores", qkv())
    renamed = Document(below.problem, title="Another", note="New.", earlier=below.earlier)
    back = to("qkv", renamed)
    assert (back.title, back.note) == ("Another", "New.")


def test_an_unknown_source_is_refused() -> None:
    with pytest.raises(ExplorerError, match="source 'logits' is not known: use one of projection, qkv"):
        change_source("logits")
