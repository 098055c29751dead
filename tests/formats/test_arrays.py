"""Arrays as readings: what they become, and what is said about it."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explorer.errors import ExplorerError
from explorer.formats.arrays.arrays import MOST_NUMBERS, array_of, check_shape, named_of
from explorer.formats.named_parts import ROLES, role_of


def test_two_dimensions_are_a_matrix_of_its_own():
    given_ = np.array([[1, 2], [3, 4]])
    made = array_of(given_, name="Q", notes=["read"])
    given_[0, 0] = 9
    assert (made.kind, made.name, made.notes, made.axes) == ("matrix", "Q", ("read",), ())
    assert made.values.tolist() == [[1, 2], [3, 4]]
    assert made.values.dtype == np.float64
    assert not made.values.flags.writeable


def test_one_dimension_is_one_row_and_said():
    made = array_of(np.arange(3))
    assert made.values.shape == (1, 3)
    assert made.notes == ("one row",)


def test_booleans_are_a_mask_as_written():
    made = array_of(np.tri(3, dtype=bool))
    assert (made.kind, made.values.dtype) == ("mask", np.bool_)
    assert made.values.tolist() == np.tri(3, dtype=bool).tolist()


def test_a_mask_loses_axes_of_length_one():
    made = array_of(np.ones((1, 1, 2, 3), dtype=bool))
    assert (made.kind, made.values.shape) == ("mask", (2, 3))
    assert made.notes == ("axes of length 1 left out of 1 x 1 x 2 x 3",)
    assert array_of(np.ones((2, 1, 2, 3), dtype=bool)).kind == "tensor"


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((2, 3, 4), ("head", "query", "key")),
        ((1, 2, 3, 4), ("batch", "head", "query", "key")),
        ((2, 1, 2, 3, 4), ("layer", "batch", "head", "query", "key")),
    ],
)
def test_more_dimensions_are_a_tensor_with_named_axes(shape, axes):
    made = array_of(np.arange(math.prod(shape)).reshape(shape))
    assert (made.kind, made.axes, made.values.shape) == ("tensor", axes, shape)
    assert made.values.ravel().tolist() == list(range(math.prod(shape)))


@settings(max_examples=200)
@given(
    st.data(),
    st.sampled_from(["<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "|i1", "|u1", "<i2", ">i4", "<u4", "<i8", ">u8"]),
)
def test_values_widen_exactly(data, dtype):
    elements = {"allow_nan": False} if dtype[1] == "f" else {}
    shapes = arrays.array_shapes(min_dims=2, max_dims=2, max_side=4)
    values = data.draw(arrays.arrays(dtype, shapes, elements=arrays.from_dtype(np.dtype(dtype), **elements)))
    made = array_of(np.asfortranarray(values))
    assert made.values.tolist() == [[float(cell) for cell in row] for row in values.tolist()]
    is_rounded = any(float(cell) != cell for cell in values.ravel().tolist()) if dtype[1] != "f" else False
    assert not is_rounded or "2^53" in made.notes[0]


def test_nan_stays_and_is_said():
    made = array_of(np.array([[np.nan, -np.inf], [1, np.nan]], dtype=np.float32))
    assert np.array_equal(made.values, [[np.nan, -np.inf], [1, np.nan]], equal_nan=True)
    assert made.notes == ("2 cells are nan",)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.array(1.0), "single number"),
        (np.zeros((0, 3)), "empty: 0 x 3"),
        (np.zeros((1,) * 6), "6 dimensions"),
        (np.array([[1j]]), "complex"),
        (np.array([[None]]), "object"),
        (np.array([["a"]]), "texts"),
        (np.array([["2024-01-02"]], dtype="M8[D]"), "dates"),
        (np.zeros((1, 1), dtype="V2"), "bfloat16"),
        (np.zeros((1, 1), dtype=[("a", "f8")]), "records"),
        (np.broadcast_to(np.float64(0), (4097, 4097)), "too many"),
    ],
)
def test_refuses_what_is_no_matrix(values, words):
    with pytest.raises(ExplorerError, match=words):
        array_of(values)


@pytest.mark.skipif(np.finfo(np.longdouble).max == np.finfo(float).max, reason="long double is float64 here")
def test_numbers_beyond_float64_are_refused_not_infinite():
    with pytest.raises(ExplorerError, match=r"beyond 1\.8e308"):
        array_of(np.array([[np.longdouble("1e4000")]]))
    assert array_of(np.array([[np.longdouble("0.1")]])).notes == ("rounded to 64 bits",)


def test_a_shape_is_refused_before_memory_is_taken():
    with pytest.raises(ExplorerError, match="too many"):
        check_shape((10**6, 10**6))
    check_shape((MOST_NUMBERS, 1))


def test_names_mean_ours_in_any_spelling():
    assert [role_of(name) for name in ("Q", "Queries", "W_Q", "wq", "w^{q}", "attn-weights", "left_text")] == [
        "q", "q", "w_q", "w_q", "w_q", "weights", "query_labels",
    ]  # fmt: skip
    assert role_of("encoder.layer.0.query.weight") == ""  # torch keeps that one transposed
    aliases = [alias for names in ROLES.values() for alias in names]
    assert len(aliases) == len(set(aliases))
    assert all(role_of(alias) == role for role, names in ROLES.items() for alias in names)


def test_several_arrays_are_named_with_their_tokens():
    made = named_of({"Q": np.eye(2), "K": np.eye(2), "tokens": np.array(["I", "am"]), "d_k": np.array(64)})
    assert made.kind == "named"
    assert list(made.matrices) == ["Q", "K"]
    assert made.matrices["K"].name == "K"
    assert made.tokens == ("I", "am")
    assert made.notes == ("'d_k' is a single number: left out",)


def test_one_array_is_itself_with_labels_that_fit():
    made = named_of({"attn": np.ones((2, 2)), "tokens": ["I", "am"]})
    assert (made.kind, made.name) == ("matrix", "attn")
    assert made.row_labels == made.column_labels == made.tokens == ("I", "am")
    wide = named_of({"Q": np.ones((2, 3)), "tokens": ["I", "am"]})
    assert (wide.row_labels, wide.column_labels) == (("I", "am"), ())
    odd = named_of({"attn": np.ones((2, 2)), "tokens": ["I"]})
    assert (odd.row_labels, odd.notes) == ((), ("1 tokens do not fit 2 x 2 numbers: left out",))


def test_query_and_key_labels_have_their_sides():
    made = named_of({"attn": np.ones((2, 3)), "left_text": ["a", "b"], "right_text": ["x", "y", "z"]})
    assert (made.row_labels, made.column_labels) == (("a", "b"), ("x", "y", "z"))
    odd = named_of({"attn": np.ones((2, 3)), "left_text": ["a"], "right_text": ["x"]})
    assert odd.notes == ("1 labels do not fit 2 rows: left out", "1 labels do not fit 3 columns: left out")


def test_zeros_and_ones_under_the_name_of_a_mask_are_one():
    made = named_of({"attn_mask": np.array([[1, 0], [1, 1]])})
    assert (made.kind, made.values.tolist()) == ("mask", [[True, False], [True, True]])
    assert named_of({"attn_mask": np.array([[0, -1e9], [0, 0]])}).kind == "matrix"
    assert named_of({"Q": np.array([[1, 0], [1, 1]])}).kind == "matrix"


def test_texts_of_unknown_meaning_are_left_out_and_named():
    assert named_of({"Q": np.eye(2), "comment": ["x"]}).notes == ("'comment' holds texts: left out",)
    with pytest.raises(ExplorerError, match="no matrix"):
        named_of({"tokens": ["a"]})


def test_errors_name_the_array():
    with pytest.raises(ExplorerError, match="'Q': holds complex"):
        named_of({"Q": np.array([[1j]]), "K": np.eye(2)})
