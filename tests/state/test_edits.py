"""Each edit does its one thing, says what it did, and does nothing when nothing changes."""

import math
from typing import Any

import numpy as np
import pytest

from explorer.core.attention import attend
from explorer.core.masks import MASKS, Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.errors import ExplorerError
from explorer.state import edits
from explorer.state.document import Document, Variant, View
from explorer.state.edits import Edit, look


def qkv(n_q: int = 2, n_k: int = 3, **dials: Any) -> Document:
    return Document(Problem(QKV(np.ones((n_q, 2)), np.ones((n_k, 2)), np.ones((n_k, 1))), **dials))


def scores(rows: list[list[float]], **dials: Any) -> Document:
    return Document(Problem(Scores(rows), scale=1.0, **dials))


def test_a_typed_cell_changes_its_number_and_keeps_its_text() -> None:
    before = qkv()
    after = edits.set_cells("k", {(2, 1): (1 / 3, "1/3")}).change(before)
    assert np.array_equal(after.matrix("k"), [[1, 1], [1, 1], [1, 1 / 3]])
    assert after.typed_text("k", 2, 1) == "1/3"
    assert np.array_equal(before.matrix("k"), np.ones((3, 2)))
    assert before.typed_text("k", 2, 1) is None
    assert after.matrix("q") is before.matrix("q")
    assert after.matrix("v") is before.matrix("v")


def test_a_number_that_says_it_all_drops_the_text() -> None:
    typed = edits.set_cells("q", {(0, 0): (0.5, "1/2"), (1, 0): (0.25, "1/4")}).change(qkv())
    after = edits.set_cells("q", {(0, 0): (0.5, None)}).change(typed)
    assert after is not typed
    assert [after.typed_text("q", row, 0) for row in (0, 1)] == [None, "1/4"]
    bare = edits.set_cells("q", {(1, 0): (1.0, None)}).change(after)
    assert dict(bare.typed) == {}


@pytest.mark.parametrize("value", [1.0, math.nan, -math.inf])
def test_typing_the_same_again_changes_nothing(value: float) -> None:
    edit = edits.set_cells("scores", {(0, 0): (value, None)})
    before = scores([[value, 2.0]])
    assert edit.change(before) is before


def test_the_bias_is_typed_like_a_matrix() -> None:
    before = scores([[1.0, 2.0]], bias=[[0.0, 0.0]])
    after = edits.set_cells("bias", {(0, 1): (-math.inf, None)}).change(before)
    assert np.array_equal(after.problem.bias, [[0.0, -math.inf]])
    assert edits.is_hidden_by_typing(after, 0, 1)
    assert not edits.is_hidden_by_typing(after, 0, 0)


def test_a_matrix_that_is_not_there_is_named() -> None:
    for name, said in (("x", "X is not given"), ("bias", "bias is not given"), ("memory", "memory is not given")):
        with pytest.raises(ExplorerError, match=said):
            edits.set_cells(name, {(0, 0): (1.0, None)}).change(qkv())


def test_labels_count_from_one() -> None:
    assert edits.set_cells("k", {(2, 1): (1.0, None)}).label == "K row 3, column 2"
    assert edits.set_cells("k", {(2, 1): (1.0, None)}, label="Paste").label == "Paste"
    assert edits.set_label("key", 2, "cat").label == "Name key 3"
    assert edits.paint(0, 1, False).label == "Hide row 1, column 2"
    assert edits.paint(0, 1, True).label == "Show row 1, column 2"


@pytest.mark.parametrize(
    ("edit", "label"),
    [
        (edits.set_beta(7.0), "Beta 7"), (edits.set_beta(5), "Beta 5"), (edits.set_beta(math.inf), "Beta inf"),
        (edits.set_scale("sqrt_dk"), "Scale sqrt(d_k)"), (edits.set_scale(2.5), "Scale 2.5"),
        (edits.set_scale(1), "Scale 1"), (edits.set_shift(-3.0), "Shift -3"),
    ],
)  # fmt: skip
def test_dials_say_what_they_are_set_to(edit: Edit, label: str) -> None:
    assert edit.label == label


def test_dials_set_one_thing_each() -> None:
    before = qkv()
    for edit, name, value in (
        (edits.set_beta(5.0), "beta", 5.0),
        (edits.set_scale(2.0), "scale", 2.0),
        (edits.set_shift(3.0), "shift", 3.0),
    ):
        after = edit.change(before)
        assert getattr(after.problem, name) == value
        assert after.problem.source is before.problem.source
        assert edit.change(after) is after
    back = edits.set_scale("sqrt_dk").change(edits.set_scale(2.0).change(before))
    assert back.problem.scale == "sqrt_dk"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (edits.set_beta(math.nan), "beta is nan"), (edits.set_scale(0.0), "scale is 0.0"),
        (edits.set_scale(math.inf), "scale is inf"), (edits.set_scale("sqrt_dk"), "needs d_k"),
        (edits.set_shift(math.inf), "shift is inf"), (edits.set_mask("diagonal"), "mask kind 'diagonal'"),
    ],
)  # fmt: skip
def test_what_a_dial_cannot_be_is_refused(edit: Edit, message: str) -> None:
    with pytest.raises(ExplorerError, match=message):
        edit.change(scores([[1.0, 2.0]]))


def test_a_variant_sets_its_own_dials_only() -> None:
    before = qkv(beta=2.0, shift=1.0)
    variant = Variant("sharp", beta=5.0, scale=1.0)
    after = edits.use_variant(variant).change(before)
    assert (after.problem.beta, after.problem.scale, after.problem.shift) == (5.0, 1.0, 1.0)
    assert variant.is_shown_by(after.problem)
    assert not variant.is_shown_by(before.problem)
    assert edits.use_variant(variant).change(after) is after
    assert edits.use_variant(variant).label == "sharp"


def test_a_token_is_named_and_an_empty_name_is_its_position() -> None:
    before = qkv()
    after = edits.set_label("key", 1, "  cat ").change(before)
    assert after.key_labels == (None, "cat", None)
    assert after.query_labels == (None, None)
    assert (after.key_name(1), after.key_name(2)) == ("cat", "3")
    assert edits.set_label("key", 1, "cat").change(after) is after
    assert edits.set_label("key", 1, " ").change(after).key_labels == (None, None, None)


def test_shared_tokens_have_one_name() -> None:
    before = Document(Problem(Projection(np.eye(2), np.eye(2), np.eye(2))))
    for axis in ("query", "key"):
        after = edits.set_label(axis, 0, "sat").change(before)
        assert after.query_labels == after.key_labels == ("sat", None)


@pytest.mark.parametrize("kind", [kind for kind, _ in MASKS])
@pytest.mark.parametrize("before", [kind for kind, _ in MASKS])
def test_every_mask_follows_every_other(before: str, kind: str) -> None:
    document = edits.set_mask(before).change(qkv())
    after = edits.set_mask(kind).change(document)
    assert after.problem.mask.kind == kind
    assert edits.set_mask(kind).change(after) is after
    if kind == "custom":
        assert np.array_equal(after.problem.masked_in, document.problem.masked_in)


def test_padding_starts_visible_and_is_carried_along() -> None:
    padded = edits.set_mask("padding").change(qkv())
    assert padded.problem.masked_in.all()
    hidden = edits.toggle_key(0).change(padded)
    assert np.array_equal(hidden.problem.masked_in, [[False, True, True]] * 2)
    causal = edits.set_mask("causal").change(hidden)
    assert np.array_equal(causal.problem.masked_in, [[False, False, False], [False, True, False]])
    window = edits.set_mask("window").change(causal)
    assert np.array_equal(window.problem.mask.keys, [False, True, True])
    assert np.array_equal(edits.set_mask("padding").change(window).problem.masked_in, hidden.problem.masked_in)
    custom = edits.set_mask("custom").change(causal)
    assert np.array_equal(custom.problem.masked_in, causal.problem.masked_in)


def test_toggling_a_key_chooses_padding_and_toggles_back() -> None:
    hidden = edits.toggle_key(2).change(qkv())
    assert hidden.problem.mask.kind == "padding"
    assert np.array_equal(hidden.problem.masked_in, [[True, True, False]] * 2)
    assert edits.toggle_key(2).change(hidden).problem.masked_in.all()


def test_toggling_a_key_of_a_custom_mask_is_a_whole_column() -> None:
    before = qkv(mask=Mask("custom", allowed=[[True, True, False], [True, False, False]]))
    shown = edits.toggle_key(1).change(before)
    assert np.array_equal(shown.problem.masked_in[:, 1], [True, True])
    assert np.array_equal(edits.toggle_key(1).change(shown).problem.masked_in[:, 1], [False, False])


def test_a_mask_of_another_shape_than_square_says_how_it_is_aligned() -> None:
    before = qkv(2, 3)
    edit = edits.set_mask("causal")
    after = edit.change(before)
    assert edit.notice is not None
    said = edit.notice(before, after)
    assert said.startswith('2 queries, 3 keys: query 1 stands at key 1; "end" puts')
    aligning = edits.set_alignment("end")
    aligned = aligning.change(after)
    assert aligning.notice is not None
    assert 'the last query stands at the last key; "start"' in aligning.notice(after, aligned)
    assert np.array_equal(aligned.problem.masked_in, [[True, True, False], [True, True, True]])
    square = qkv(3, 3)
    assert edit.notice(square, edit.change(square)) == ""
    assert aligning.change(aligned) is aligned


def test_a_window_is_set_once() -> None:
    before = edits.set_mask("window").change(qkv(3, 3))
    after = edits.set_window(0, None).change(before)
    assert np.array_equal(after.problem.masked_in, np.triu(np.ones((3, 3), dtype=bool)))
    assert edits.set_window(0, None).change(after) is after
    with pytest.raises(ExplorerError, match="window left is -1"):
        edits.set_window(-1, None).change(before)


def test_alignment_and_window_belong_to_their_masks() -> None:
    """Elsewhere they would change nothing that shows, and nothing that a file holds."""
    for edit in (edits.set_alignment("end"), edits.set_window(2, 2)):
        with pytest.raises(ExplorerError, match="choose"):
            edit.change(qkv())


def test_painting_makes_a_custom_mask_of_what_is_shown() -> None:
    before = qkv(3, 3, mask=Mask("causal", keys=[True, True, False]))
    after = edits.paint(0, 2, True).change(before)
    shown = before.problem.masked_in.copy()
    shown[0, 2] = True
    assert after.problem.mask.kind == "custom"
    assert np.array_equal(after.problem.masked_in, shown)
    assert edits.paint(0, 2, True).change(after) is after
    assert np.array_equal(edits.paint(0, 2, False).change(after).problem.masked_in, before.problem.masked_in)


@pytest.mark.parametrize("hidden_by", ["scores", "bias"])
def test_a_typed_minus_infinity_is_not_painted_over(hidden_by: str) -> None:
    cells = [[1.0, -math.inf]]
    before = scores(cells) if hidden_by == "scores" else scores([[1.0, 2.0]], bias=cells)
    with pytest.raises(ExplorerError, match="a typed -inf hides row 1, column 2: type a number here"):
        edits.paint(0, 1, True).change(before)
    assert not edits.paint(0, 1, False).change(before).problem.masked_in[0, 1]


def test_given_weights_have_no_mask_to_change() -> None:
    before = Document(Problem(Weights([[0.5, 0.5]]), scale=1.0))
    for edit in (edits.paint(0, 0, False), edits.toggle_key(0)):
        with pytest.raises(ExplorerError, match="given weights are used as typed"):
            edit.change(before)


def test_hiding_everything_empties_the_row_and_showing_brings_it_back() -> None:
    before = scores([[2.0, 3.0, 1.0]])
    after = before
    for column in range(3):
        after = edits.paint(0, column, False).change(after)
    assert attend(after.problem).status == ("empty",)
    for column in range(3):
        after = edits.paint(0, column, True).change(after)
    assert np.array_equal(attend(after.problem).weights, attend(before.problem).weights)


def test_looking_changes_the_view_alone() -> None:
    assert look(query=2, decimals=5).change(View(key=1)) == View(query=2, key=1, decimals=5)
