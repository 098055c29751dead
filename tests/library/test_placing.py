"""What an imported reading may be used as."""

import numpy as np
import pytest

from explorer.core.problem import QKV, Problem, Scores, Weights
from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.library.placing import placements, sliced
from explorer.state.document import Document
from explorer.state.edits import Edit

PRESENT = Document(Problem(QKV([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]], [[1.0], [2.0]])))


def matrix(*rows, **more):
    return Imported("matrix", np.array(rows, dtype=float), **more)


def ids(imported, present=PRESENT):
    return [placement.id for placement in placements(imported, present)]


def made(imported, id_, present=PRESENT, title=""):
    """The document that a placement leads to."""
    placement = next(placement for placement in placements(imported, present, title) if placement.id == id_)
    result = placement.make(present)
    return result.change(present) if isinstance(result, Edit) else result


def test_rows_that_sum_to_1_are_likelier_weights():
    assert ids(matrix([0.7, 0.2, 0.1]))[:2] == ["weights", "scores"]
    assert ids(matrix([0.0478, 0.4771, 0.4317, 0.0433]))[0] == "weights"
    assert ids(matrix([1, 2, 3]))[:2] == ["scores", "weights"]
    assert ids(matrix([1, -np.inf]))[:1] == ["scores"]
    assert "weights" not in ids(matrix([1, -np.inf]))


def test_a_new_document_has_the_numbers_texts_and_tokens():
    texts = np.array([["1/3", None]], dtype=object)
    given = matrix([1 / 3, 2 / 3], texts=texts, row_labels=("cat",), column_labels=("a", "b"))
    document = made(given, "weights", title="mine")
    assert isinstance(document.problem.source, Weights)
    assert document.problem.source.weights.tolist() == [[1 / 3, 2 / 3]]
    assert document.typed_text("weights", 0, 0) == "1/3"
    assert (document.query_labels, document.key_labels, document.title) == (("cat",), ("a", "b"), "mine")


def test_a_matrix_takes_the_place_of_one_that_is_open():
    document = made(matrix([5, 6], [7, 8], [9, 10]), "k")
    assert document.problem.source.k.tolist() == [[5, 6], [7, 8], [9, 10]]
    assert document.problem.source.v.tolist() == [[1], [2], [0]]
    wider = made(matrix([5, 6, 7], [8, 9, 10]), "k")
    assert wider.problem.source.q.shape == (2, 3)
    assert "k" not in ids(matrix([5, 6])), "a row of the old K would be left"
    assert ids(matrix([5, 6], [7, 8], name="K"))[0] == "k"


def test_named_matrices_go_where_they_belong():
    parts = {"Q": matrix([1, 0], [0, 1]), "K": matrix([1, 0], [0, 2]), "V": matrix([1, 0], [0, 1])}
    document = made(Imported("named", matrices=parts, tokens=("I", "am")), "qkv", title="file")
    assert document.problem.source.k.tolist() == [[1, 0], [0, 2]]
    assert document.problem.scale == "sqrt_dk"
    assert document.query_labels == document.key_labels == ("I", "am")
    projection = {"X": matrix([1, 0]), "W_Q": matrix([1], [2]), "W_K": matrix([3], [4])}
    assert made(Imported("named", matrices=projection), "projection").problem.source.kind == "projection"
    scores = {"scores": matrix([1, 2], row_labels=("q",)), "values": matrix([1], [2])}
    document = made(Imported("named", matrices=scores), "scores")
    assert isinstance(document.problem.source, Scores)
    assert (document.problem.scale, document.query_labels) == (1.0, ("q",))


def test_a_mask_among_them_is_asked_about():
    parts = {
        "scores": matrix([1, 2], [3, 4]),
        "mask": Imported("mask", np.array([[True, False], [True, True]])),
    }
    given = Imported("named", matrices=parts)
    assert ids(given) == ["attend", "hide"]
    assert made(given, "attend").problem.masked_in.tolist() == [[True, False], [True, True]]
    assert made(given, "hide").problem.masked_in.tolist() == [[False, True], [False, False]]


@pytest.mark.parametrize("names", [("Q",), ("Q", "K", "foo"), ("V",)])
def test_what_has_no_place_is_named(names):
    parts = {name: matrix([1, 0], [0, 1]) for name in names}
    with pytest.raises(ExplorerError, match=names[-1]):
        placements(Imported("named", matrices=parts), PRESENT)


def test_a_mask_fits_the_open_document_or_is_refused():
    mask = Imported("mask", np.array([[True, False], [True, True]]))
    assert ids(mask) == ["attend", "hide"]
    assert made(mask, "attend").problem.masked_in.tolist() == [[True, False], [True, True]]
    hiding = Imported("mask", ~np.array([[True, False], [True, True]]))
    assert ids(hiding) == ["hide", "attend"], "a reading that hides a whole row comes second"
    with pytest.raises(ExplorerError, match="the mask is 1 x 2, the scores are 2 x 2"):
        placements(Imported("mask", np.array([[True, False]])), PRESENT)


def test_a_slice_of_a_tensor_is_a_matrix():
    values = np.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5)
    tensor = Imported("tensor", values, axes=("batch", "head", "query", "key"), row_labels=tuple("abcd"), name="attn")
    one = sliced(tensor, (2, 3), (1, 2))
    assert one.kind == "matrix"
    assert np.array_equal(one.values, values[1, 2])
    assert one.name == "attn batch 2, head 3"
    assert one.row_labels == tuple("abcd")
    turned = sliced(tensor, (3, 2), (1, 2))
    assert np.array_equal(turned.values, values[1, 2].T)
    assert turned.row_labels == ()
    assert np.array_equal(sliced(tensor, (0, 1), (3, 4)).values, values[:, :, 3, 4])
    assert ids(tensor) == ["scores", "weights"]


def test_zeros_and_ones_of_the_right_size_may_be_a_mask():
    assert ids(matrix([1, 0], [1, 1]))[-2:] == ["attend", "hide"]
    assert made(matrix([1, 0], [1, 1]), "attend").problem.masked_in.tolist() == [[True, False], [True, True]]
    assert not {"attend", "hide"} & {*ids(matrix([1, 0, 1])), *ids(matrix([1, 0.5], [1, 1]))}
