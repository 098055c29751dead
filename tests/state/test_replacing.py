"""Whole matrices take the place of those that are there."""

import math

import numpy as np
import pytest

from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores
from explorer.errors import ExplorerError
from explorer.state.document import Document
from explorer.state.edits import set_custom_mask
from explorer.state.pasting import Block
from explorer.state.replacing import replace_matrices
from explorer.state.store import Store

TYPED = {"q": np.array([["1/1", None]], dtype=object), "bias": np.array([["0/1", None]], dtype=object)}
SMALL = Document(
    Problem(QKV([[1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]]), bias=[[0.0, 1.0]], beta=2.0),
    typed=TYPED, query_labels=("here",), key_labels=("a", "b"),
)  # fmt: skip


def block(*rows, texts=None, **labels):
    return Block(np.array(rows, dtype=float), None if texts is None else np.array(texts, dtype=object), **labels)


def replaced(document, *args, **blocks):
    store = Store(document)
    store.apply(replace_matrices(blocks, *args))
    return store


def test_matrices_of_the_same_size_leave_the_rest_alone():
    store = replaced(SMALL, q=block([5, 6]))
    after = store.document
    assert after.matrix("q").tolist() == [[5, 6]]
    assert after.matrix("k") is SMALL.matrix("k")
    assert after.problem.bias is SMALL.problem.bias
    assert (after.query_labels, after.key_labels, after.problem.beta) == (("here",), ("a", "b"), 2.0)
    assert set(after.typed) == {"bias"}
    assert store.snapshot.notice == "Q 1 x 2 pasted"
    store.undo()
    assert store.document is SMALL


def test_other_sizes_take_bias_and_labels_of_the_old_size_away():
    store = replaced(SMALL, k=block([1, 2], [3, 4], [5, 6]), v=block([1], [2], [3]))
    after = store.document
    assert after.problem.bias is None
    assert after.typed.keys() == {"q"}
    assert (after.query_labels, after.key_labels) == (("here",), (None,) * 3)
    assert store.snapshot.notice == "K 3 x 2, V 3 x 1 pasted; bias of the old size gone"


@pytest.mark.parametrize(
    ("mask", "kind"),
    [(Mask("causal"), "causal"), (Mask("window", left=1), "window"), (Mask("padding", keys=[True, False]), "none"),
     (Mask("causal", keys=[True, False]), "causal"), (Mask("custom", allowed=[[True, False]]), "none")],
)  # fmt: skip
def test_a_rule_fits_any_size_and_a_list_only_its_own(mask, kind):
    document = Document(Problem(Scores([[1.0, 2.0]]), scale=1.0, mask=mask))
    after = replaced(document, scores=block([1, 2, 3])).document
    assert after.problem.mask.kind == kind
    assert after.problem.mask.keys is None
    same = replaced(document, scores=block([3, 4])).document
    assert same.problem.mask is mask


def test_a_bias_and_a_mask_may_come_along():
    allowed = np.array([[True, False, True]])
    store = replaced(
        SMALL, allowed, k=block([1, 2], [3, 4], [5, 6]), v=block([1], [2], [3]), bias=block([0, 1, -math.inf])
    )  # fmt: skip
    assert store.document.problem.bias.tolist() == [[0, 1, -math.inf]]
    assert store.snapshot.attention.allowed.tolist() == [[True, False, False]]
    assert store.snapshot.notice == "K 3 x 2, V 3 x 1, bias 1 x 3, mask 1 x 3 pasted"


def test_the_first_labels_that_fit_are_taken():
    labelled = block([1, 2], [3, 4], row_labels=("x", "y"))
    after = replaced(SMALL, k=labelled).document
    assert (after.query_labels, after.key_labels) == (("here",), ("x", "y"))
    edit = replace_matrices({"k": labelled}, query_labels=("one", "two"), key_labels=("one", "two"))
    after = edit.change(SMALL)
    assert (after.query_labels, after.key_labels) == (("here",), ("one", "two"))


def test_texts_that_say_more_are_kept():
    after = replaced(SMALL, v=block([1 / 3], [2], texts=[["1/3"], [None]])).document
    assert after.typed_text("v", 0, 0) == "1/3"
    assert after.typed_text("v", 1, 0) is None


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ExplorerError, match="Q is 1 x 3, K is 2 x 2"):
        replace_matrices({"q": block([1, 2, 3])}).change(SMALL)
    projection = Document(Problem(Projection(np.eye(2), np.eye(2), np.eye(2))))
    with pytest.raises(ExplorerError, match=r"X is 2 x 3, W_Q is 2 x 2"):
        replace_matrices({"x": block([1, 2, 3], [4, 5, 6])}).change(projection)
    with pytest.raises(ExplorerError, match="the mask is 2 x 2, the scores are 1 x 2"):
        replace_matrices({"q": block([1, 2])}, np.eye(2, dtype=bool)).change(SMALL)


@pytest.mark.parametrize(("name", "value"), [("q", -math.inf), ("v", math.inf), ("q", math.nan), ("bias", math.nan)])
def test_what_cannot_stand_there_is_named(name, value):
    with pytest.raises(ExplorerError, match=r"row 1, column 2: .* cannot stand here"):
        replace_matrices({name: block([1, value])})


def test_a_whole_mask_is_used_as_it_is():
    store = Store(SMALL)
    store.apply(set_custom_mask(np.array([[True, False]])))
    assert store.snapshot.attention.allowed.tolist() == [[True, False]]
    assert (store.undo_label, store.snapshot.notice) == ("Paste mask", "Custom mask: 1 of 2 cells hidden")
    same = store.document
    store.apply(set_custom_mask(np.array([[True, False]])))
    assert store.document is same
    with pytest.raises(ExplorerError, match="the mask is 1 x 3, the scores are 1 x 2"):
        store.apply(set_custom_mask(np.array([[True, False, True]])))
