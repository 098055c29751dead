"""A block is put into a matrix, and what shares its sizes follows."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.errors import ExplorerError
from explorer.state.document import Document
from explorer.state.edits import Edit, set_cells
from explorer.state.pasting import LONGEST, Block, Proposal, paste
from explorer.state.store import Store

SMALL = Document(Problem(QKV([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]])))


def block(*rows, texts=None, row_labels=(), column_labels=()):
    kept = None if texts is None else np.array(texts, dtype=object)
    return Block(np.array(rows, dtype=float), kept, row_labels, column_labels)


def pasted(document, name, row, column, what):
    """The store after the paste, which must be an edit."""
    store = Store(document)
    edit = paste(document, name, row, column, what)
    assert isinstance(edit, Edit)
    store.apply(edit)
    return store


def test_a_block_inside_changes_its_cells_alone():
    store = pasted(SMALL, "q", 0, 1, block([5], [6]))
    assert store.document.matrix("q").tolist() == [[1, 5], [0, 6]]
    assert store.undo_label == "Paste 2 x 1 into Q"
    assert store.snapshot.notice == "Q: 2 x 1 pasted"
    store.undo()
    assert store.document is SMALL


def test_rows_of_keys_bring_rows_of_values():
    store = pasted(SMALL, "k", 1, 0, block([5, 6], [7, 8], [9, 10]))
    assert store.document.matrix("k").tolist() == [[1, 0], [5, 6], [7, 8], [9, 10]]
    assert store.document.matrix("v").tolist() == [[1], [2], [0], [0]]
    assert store.document.key_labels == (None,) * 4
    assert store.snapshot.notice == "K: 3 x 2 pasted, K rows 3 to 4 added: V rows 3 to 4 added, zeros"
    store.undo()
    assert store.document is SMALL


def test_a_new_d_k_is_proposed_with_its_repair():
    what = block([1.5, 0, -2], [0.5, 1, 0], [2, 0, 1], [0, 0, 1])
    proposal = paste(SMALL, "k", 0, 0, what)
    assert isinstance(proposal, Proposal)
    assert proposal.message == "Q is 2 x 2, K is 4 x 3: make Q 2 x 3 or K 4 x 2"
    assert proposal.values.tolist() == what.values.tolist()
    store = Store(SMALL)
    store.apply(proposal.repair)
    assert store.document.matrix("q").tolist() == [[1, 0, 0], [0, 1, 0]]
    assert store.document.matrix("k").tolist() == what.values.tolist()
    assert store.document.matrix("v").tolist() == [[1], [2], [0], [0]]
    store.undo()
    assert store.document is SMALL


def test_projections_propose_a_new_d_k_too():
    document = Document(Problem(Projection(np.eye(2), np.eye(2), np.eye(2), np.eye(2))))
    proposal = paste(document, "w_k", 0, 2, block([1], [2]))
    assert isinstance(proposal, Proposal)
    assert proposal.message == "W_Q is 2 x 2, W_K is 2 x 3: make W_Q 2 x 3 or W_K 2 x 2"
    wider = pasted(document, "x", 0, 2, block([1], [2]))
    assert {name: wider.document.matrix(name).shape for name in ("x", "w_q", "w_k", "w_v")} == {
        "x": (2, 3), "w_q": (3, 2), "w_k": (3, 2), "w_v": (3, 2),
    }  # fmt: skip
    assert "W_Q row 3 added" in wider.snapshot.notice


def test_masks_bias_and_labels_grow_along():
    problem = replace(SMALL.problem, mask=Mask("custom", allowed=[[True, False], [True, True]]), bias=[[1, 2], [3, 4]])
    document = replace(SMALL, problem=problem, key_labels=("a", "b"))
    after = pasted(document, "v", 2, 0, block([9])).document
    assert after.problem.mask.allowed.tolist() == [[True, False, True], [True, True, True]]
    assert after.problem.bias.tolist() == [[1, 2, 0], [3, 4, 0]]
    assert after.key_labels == ("a", "b", None)


def test_texts_come_along_and_old_ones_go():
    store = Store(SMALL)
    store.apply(set_cells("q", {(0, 0): (0.5, "1/2"), (1, 1): (0.25, "1/4")}))
    after = pasted(store.document, "q", 0, 0, block([1 / 3, 2], texts=[["1/3", None]])).document
    assert [after.typed_text("q", 0, 0), after.typed_text("q", 0, 1), after.typed_text("q", 1, 1)] == [
        "1/3",
        None,
        "1/4",
    ]
    assert "q" not in pasted(after, "q", 0, 0, block([1, 2], [3, 4])).document.typed


def test_labels_beside_the_block_name_the_tokens():
    document = Document(Problem(Weights([[0.5, 0.5]])))
    what = block([0.7, 0.2, 0.1], [0.1, 0.8, 0.1], row_labels=("I", "am"), column_labels=("Je", "suis", "étudiant"))
    after = pasted(document, "weights", 0, 0, what).document
    assert after.query_labels == ("I", "am")
    assert after.key_labels == ("Je", "suis", "étudiant")
    shared = Document(Problem(Projection(np.eye(2), np.eye(2), np.eye(2))))
    after = pasted(shared, "x", 1, 0, block([1, 2], row_labels=("sat",))).document
    assert after.query_labels == after.key_labels == (None, "sat")


def test_a_typed_minus_infinity_hides_where_it_may_stand():
    document = Document(Problem(Scores([[1.0, 2.0]]), scale=1.0))
    store = pasted(document, "scores", 0, 0, block([3, -math.inf]))
    assert store.snapshot.attention.weights.tolist() == [[1, 0]]
    with pytest.raises(ExplorerError, match="Q row 1, column 2: inf cannot stand there"):
        paste(SMALL, "q", 0, 0, block([1, math.inf]))
    with pytest.raises(ExplorerError, match="scores row 1, column 1: nan cannot stand there"):
        paste(document, "scores", 0, 0, block([math.nan]))


def test_a_number_that_cannot_stand_is_named_where_it_would():
    with pytest.raises(ExplorerError, match="K row 2, column 2: -inf cannot stand there"):
        paste(SMALL, "k", 1, 1, block([-math.inf]))


def test_what_cannot_be_pasted_is_refused():
    with pytest.raises(ExplorerError, match="nothing to paste"):
        paste(SMALL, "q", 0, 0, Block(np.zeros((0, 2))))
    with pytest.raises(ExplorerError, match="scores is not given"):
        paste(SMALL, "scores", 0, 0, block([1]))
    with pytest.raises(ExplorerError, match=f"K would get {LONGEST + 1} rows"):
        paste(SMALL, "k", 1, 0, Block(np.zeros((LONGEST, 2))))


def test_the_same_numbers_again_are_no_edit():
    assert pasted(SMALL, "q", 0, 0, block([1, 0], [0, 1])).undo_label is None


@given(st.data())
def test_a_block_lands_where_it_was_put_and_nothing_else_changes(data):
    name = data.draw(st.sampled_from(["q", "k", "v"]))
    old = SMALL.matrix(name)
    row, column = data.draw(st.integers(0, old.shape[0] - 1)), data.draw(st.integers(0, old.shape[1] - 1))
    shape = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3))
    what = Block(np.arange(1.0, 1 + shape[0] * shape[1]).reshape(shape) + 100)
    made = paste(SMALL, name, row, column, what)
    edit = made.repair if isinstance(made, Proposal) else made
    after = edit.change(SMALL)
    new = after.matrix(name)
    assert np.array_equal(new[row : row + shape[0], column : column + shape[1]], what.values)
    assert new.shape == (max(old.shape[0], row + shape[0]), max(old.shape[1], column + shape[1]))
    outside = np.ones(new.shape, dtype=bool)
    outside[row : row + shape[0], column : column + shape[1]] = False
    padded = np.zeros(new.shape)
    padded[: old.shape[0], : old.shape[1]] = old
    assert np.array_equal(new[outside], padded[outside])
    for other in {"q", "k", "v"} - {name}:
        theirs = SMALL.matrix(other)
        assert np.array_equal(after.matrix(other)[: theirs.shape[0], : theirs.shape[1]], theirs)
        assert not after.matrix(other)[theirs.shape[0] :].any()
