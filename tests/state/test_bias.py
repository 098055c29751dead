"""The bias, ALiBi and the softcap as edits: what they write, what they refuse, and that undo takes them back."""

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.problem import QKV, Problem, Scores, Weights
from explorer.errors import ExplorerError
from explorer.formats import session
from explorer.state import bias, edits
from explorer.state.document import Document, View
from explorer.state.edits import Edit
from explorer.state.store import Store
from tests.state.documents import KINDS, assert_sound, content, documents

COMPUTED = tuple(kind for kind in KINDS if kind != "weights")
slopes = st.floats(min_value=1e-300, max_value=1e300)
caps = st.one_of(st.just(0.0), st.floats(min_value=5e-324, allow_infinity=False))
asked = st.one_of(
    st.builds(bias.add_bias), st.builds(bias.remove_bias), slopes.map(bias.set_alibi), caps.map(bias.set_softcap)
)


def qkv(n_q: int = 2, n_k: int = 3, **dials: object) -> Document:
    return Document(Problem(QKV(np.ones((n_q, 2)), np.ones((n_k, 2)), np.ones((n_k, 1))), **dials))  # type: ignore[arg-type]


def test_a_bias_of_zeros_changes_no_weight() -> None:
    before = qkv()
    edit = bias.add_bias()
    after = edit.change(before)
    assert after.problem.bias is not None
    assert after.problem.bias.tolist() == [[0, 0, 0], [0, 0, 0]]
    assert np.array_equal(attend(after.problem).weights, attend(before.problem).weights)
    assert edit.label == "Add bias"
    assert edit.notice is not None
    assert edit.notice(before, after) == "Bias B added, zeros"
    assert edit.change(after) is after, "what is there is not wiped"


def test_removing_takes_numbers_and_texts() -> None:
    typed = edits.set_cells("bias", {(0, 1): (1 / 3, "1/3")}).change(bias.add_bias().change(qkv()))
    assert typed.typed_text("bias", 0, 1) == "1/3"
    edit = bias.remove_bias()
    after = edit.change(typed)
    assert after.problem.bias is None
    assert dict(after.typed) == {}
    assert edit.notice is not None
    assert edit.notice(typed, after) == "Bias B removed"
    assert edit.change(after) is after


def test_removing_leaves_other_texts() -> None:
    typed = edits.set_cells("q", {(0, 1): (1 / 3, "1/3")}).change(bias.add_bias().change(qkv()))
    assert bias.remove_bias().change(typed).typed_text("q", 0, 1) == "1/3"


@pytest.mark.parametrize(("n_q", "n_k"), [(1, 1), (3, 3), (2, 4), (4, 2)])
def test_alibi_is_written_out_exactly(n_q: int, n_k: int) -> None:
    edit = bias.set_alibi(0.5)
    after = edit.change(qkv(n_q, n_k))
    assert after.problem.bias is not None
    rows = after.problem.bias.tolist()
    assert rows == [[-0.5 * abs(i - j) for j in range(n_k)] for i in range(n_q)]
    zeros = [math.copysign(1, cell) for row in rows for cell in row if cell == 0]
    assert zeros == [1] * min(n_q, n_k), "the diagonal reads 0, not -0"
    assert edit.label == "ALiBi bias, slope 0.5"


@given(documents(COMPUTED), slopes)
def test_alibi_depends_on_nothing_but_shape_and_slope(document: Document, slope: float) -> None:
    after = bias.set_alibi(slope).change(document)
    n_q, n_k = document.problem.shape
    assert after.problem.bias is not None
    assert after.problem.bias.tolist() == [[-slope * abs(i - j) for j in range(n_k)] for i in range(n_q)]
    assert "bias" not in after.typed
    assert after.problem.masked_in is document.problem.masked_in or np.array_equal(
        after.problem.masked_in, document.problem.masked_in
    )
    assert bias.set_alibi(slope).change(after) is after
    assert_sound(after)


def test_alibi_says_what_it_replaced() -> None:
    edit = bias.set_alibi(0.25)
    assert edit.notice is not None
    fresh = qkv()
    said = "Bias B is now -0.25 |i - j|, as in ALiBi"
    assert edit.notice(fresh, edit.change(fresh)) == said
    zeros = bias.add_bias().change(fresh)
    assert edit.notice(zeros, edit.change(zeros)) == said
    typed = edits.set_cells("bias", {(0, 0): (3.0, None)}).change(zeros)
    assert edit.notice(typed, edit.change(typed)) == f"{said} in place of what stood there"


def test_alibi_drops_texts_of_the_same_numbers() -> None:
    after = bias.set_alibi(0.5).change(qkv())
    typed = edits.set_cells("bias", {(0, 1): (-0.5, "-1/2")}).change(after)
    again = bias.set_alibi(0.5).change(typed)
    assert again is not typed
    assert again.typed_text("bias", 0, 1) is None


@given(st.integers(1, 4), st.integers(1, 4), slopes)
def test_the_slope_is_read_back(n_q: int, n_k: int, slope: float) -> None:
    document = bias.set_alibi(slope).change(qkv(n_q, n_k))
    assert bias.slope_of(document) == (None if (n_q, n_k) == (1, 1) else slope)
    bent = edits.set_cells("bias", {(n_q - 1, n_k - 1): (1.0, None)}).change(document)
    assert bias.slope_of(bent) is None
    assert bias.slope_of(bias.add_bias().change(qkv(n_q, n_k))) is None
    assert bias.slope_of(qkv(n_q, n_k)) is None


@pytest.mark.parametrize("slope", [0.0, -0.0, -1.0, math.nan, math.inf, -math.inf])
def test_a_slope_is_finite_and_above_0(slope: float) -> None:
    with pytest.raises(ExplorerError, match="ALiBi slope is") as refused:
        bias.set_alibi(slope)
    assert "above 0" in refused.value.hint


def test_a_slope_that_would_hide_cells_is_refused() -> None:
    edit = bias.set_alibi(1e308)
    assert edit.change(qkv(2, 2)).problem.bias is not None
    with pytest.raises(ExplorerError, match="too large for 3 tokens"):
        edit.change(qkv(2, 3))


def test_the_softcap_is_set_and_switched_off() -> None:
    before = Document(Problem(Scores([[30.0, -4.0]]), scale=2.0))
    after = bias.set_softcap(5).change(before)
    assert attend(after.problem).masked == pytest.approx(5 * np.tanh([[15 / 5, -2 / 5]]), rel=1e-15)
    assert bias.set_softcap(5.0).change(after) is after
    off = bias.set_softcap(-0.0).change(after)
    assert math.copysign(1, off.problem.softcap) == 1
    assert [bias.set_softcap(value).label for value in (5, 0.125, 0)] == ["Softcap 5", "Softcap 0.125", "Softcap off"]


@pytest.mark.parametrize("value", [-1.0, -5e-324, math.nan, math.inf, -math.inf])
def test_a_softcap_is_finite_and_not_negative(value: float) -> None:
    with pytest.raises(ExplorerError, match="softcap is") as refused:
        bias.set_softcap(value)
    assert "0 to switch it off" in refused.value.hint


@pytest.mark.parametrize(
    "make", [bias.add_bias, bias.remove_bias, lambda: bias.set_alibi(0.5), lambda: bias.set_softcap(2.0)]
)
def test_given_weights_keep_what_the_file_says(make: Callable[[], Edit]) -> None:
    document = Document(Problem(Weights([[0.5, 0.5]]), scale=1.0, bias=[[1.0, 2.0]], softcap=3.0))
    with pytest.raises(ExplorerError, match="given weights are used as typed"):
        make().change(document)


@settings(max_examples=60)
@given(documents(COMPUTED), st.lists(asked, min_size=1, max_size=5))
def test_undo_gives_back_the_very_document(document: Document, wanted: list[Edit]) -> None:
    store = Store(document)
    seen = [document]
    for edit in wanted:
        store.apply(edit)
        assert_sound(store.document)
        if store.document is not seen[-1]:
            seen.append(store.document)
    for earlier in reversed(seen[:-1]):
        store.undo()
        assert store.document is earlier
    assert store.undo_label is None
    for later in seen[1:]:
        store.redo()
        assert store.document is later


@settings(max_examples=60)
@given(documents(COMPUTED), st.lists(asked, min_size=1, max_size=4))
def test_a_file_holds_it(document: Document, wanted: list[Edit]) -> None:
    for edit in wanted:
        document = edit.change(document)
    again, _ = session.read(session.write(document, View()))
    assert content(again) == content(document)


def test_alibi_stands_in_the_file_as_numbers() -> None:
    document = bias.set_alibi(0.5).change(qkv(2, 3))
    assert json.loads(session.write(document, View()))["bias"] == [[0, -0.5, -1], [-0.5, 0, -0.5]]


@pytest.mark.parametrize(("stage", "shown"), [("scores", "masked"), ("scaled", "masked"), ("logits", "logits")])
def test_what_was_changed_can_be_seen(stage: str, shown: str) -> None:
    assert bias.SHOW_IT.change(View(stage=stage)).stage == shown
