"""A problem takes matrices in, checks that they fit, and refuses what it cannot compute."""

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from explorer.core.masks import Mask
from explorer.core.matrices import frozen_matrix
from explorer.core.problem import QKV, SOURCES, Problem, Projection, Scores, Weights, source_fields
from explorer.errors import ExplorerError

pytestmark = pytest.mark.filterwarnings("error")


HUGE = 10**400  # an integer that no float64 holds


def ones(rows, columns):
    return np.ones((rows, columns))


SELF = {"x": ones(2, 3), "w_q": ones(3, 4), "w_k": ones(3, 4), "w_v": ones(3, 5)}
CROSS = {"x": ones(2, 3), "memory": ones(6, 7), "w_q": ones(3, 4), "w_k": ones(7, 4), "w_v": ones(7, 5)}
QKV_FITTING = {"q": ones(2, 3), "k": ones(4, 3), "v": ones(4, 5)}

# source, matrices that fit, the one made wrong and its wrong shape, then what the error must name
MISFITS = [
    (QKV, QKV_FITTING, "k", (4, 2), "Q is 2 x 3, K is 4 x 2", "make Q 2 x 2 or K 4 x 3"),
    (QKV, QKV_FITTING, "v", (3, 5), "K is 4 x 3, V is 3 x 5", "make K 3 x 3 or V 4 x 5"),
    (Scores, {"scores": ones(2, 4)}, "v", (3, 1), "scores is 2 x 4, V is 3 x 1", "make scores 2 x 3 or V 4 x 1"),
    (Weights, {"weights": ones(2, 4)}, "v", (3, 1), "weights is 2 x 4, V is 3 x 1", "make weights 2 x 3 or V 4 x 1"),
    (Projection, SELF, "w_q", (2, 4), "X is 2 x 3, W_Q is 2 x 4", "make X 2 x 2 or W_Q 3 x 4"),
    (Projection, SELF, "w_k", (2, 4), "X is 2 x 3, W_K is 2 x 4", "make X 2 x 2 or W_K 3 x 4"),
    (Projection, SELF, "w_k", (3, 2), "W_Q is 3 x 4, W_K is 3 x 2", "make W_Q 3 x 2 or W_K 3 x 4"),
    (Projection, SELF, "w_v", (2, 5), "X is 2 x 3, W_V is 2 x 5", "make X 2 x 2 or W_V 3 x 5"),
    (Projection, CROSS, "w_q", (2, 4), "X is 2 x 3, W_Q is 2 x 4", "make X 2 x 2 or W_Q 3 x 4"),
    (Projection, CROSS, "w_k", (3, 4), "memory is 6 x 7, W_K is 3 x 4", "make memory 6 x 3 or W_K 7 x 4"),
    (Projection, CROSS, "w_k", (7, 2), "W_Q is 3 x 4, W_K is 7 x 2", "make W_Q 3 x 2 or W_K 7 x 4"),
    (Projection, CROSS, "w_v", (3, 5), "memory is 6 x 7, W_V is 3 x 5", "make memory 6 x 3 or W_V 7 x 5"),
]


@pytest.mark.parametrize(("source", "fitting", "wrong", "shape", "message", "hint"), MISFITS)
def test_two_matrices_that_do_not_fit_are_both_named_with_the_repair(source, fitting, wrong, shape, message, hint):
    with pytest.raises(ExplorerError) as caught:
        source(**{**fitting, wrong: ones(*shape)})
    assert (caught.value.message, caught.value.hint) == (message, hint)


@pytest.mark.parametrize(("source", "fitting"), [(QKV, QKV_FITTING), (Projection, SELF), (Projection, CROSS)])
def test_matrices_that_fit_are_taken(source, fitting):
    problem = Problem(source(**fitting))
    n_k = 2 if fitting is SELF else fitting.get("memory", fitting.get("k")).shape[0]
    assert (problem.n_q, problem.n_k, problem.d_v) == (2, n_k, 5)


def test_bias_of_another_shape_is_refused_with_both_shapes():
    with pytest.raises(ExplorerError) as caught:
        Problem(QKV(**QKV_FITTING), bias=ones(4, 2))
    assert (caught.value.message, caught.value.hint) == ("bias is 4 x 2, the scores are 2 x 4", "make bias 2 x 4")


def test_mask_of_another_shape_is_refused_with_both_shapes():
    with pytest.raises(ExplorerError, match="the mask is 1 x 2, the scores are 2 x 4: make it 2 x 4"):
        Problem(QKV(**QKV_FITTING), mask=Mask("custom", allowed=[[True, False]]))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[1.0], [1.0, 2.0]], "Q is not a matrix of numbers"),
        ([["a"]], "Q is not a matrix of numbers"),
        ([[None]], "Q is not a matrix of numbers"),
        ([[1j]], "Q is not a matrix of numbers"),
        (np.array([[1j]]), "Q is not a matrix of numbers"),
        ([[HUGE]], "Q is not a matrix of numbers"),
        ([1.0], "Q has 1 dimensions"),
        ([[[1.0]]], "Q has 3 dimensions"),
    ],
)
def test_what_is_no_matrix_of_numbers_is_refused_by_its_name(values, message):
    with pytest.raises(ExplorerError) as caught:
        QKV(values, [[1.0]])
    assert caught.value.message == message
    assert caught.value.hint


def test_arrays_are_copied_in():
    given = np.array([[1.0, 2.0]])
    source = QKV(given, given, given)
    given[0, 0] = 99
    assert [matrix[0, 0] for matrix in source.matrices.values()] == [1, 1, 1]


def test_a_read_only_array_of_the_caller_is_copied_in_too():
    given = np.array([[1.0, 2.0]])
    view = given[:]
    given.setflags(write=False)
    source = QKV(given, given)
    view[0, 0] = 99
    assert source.q[0, 0] == 1


@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_matrices_of_a_source_cannot_be_written(name):
    matrix = getattr(QKV(**QKV_FITTING), name)
    with pytest.raises(ValueError, match="read-only"):
        matrix[0, 0] = 5


def test_bias_mask_and_derived_mask_are_copied_in_and_read_only():
    bias, allowed = np.zeros((2, 4)), np.ones((2, 4), dtype=bool)
    problem = Problem(QKV(**QKV_FITTING), bias=bias, mask=Mask("custom", allowed=allowed))
    bias[0, 0], allowed[0, 0] = 7, False
    assert problem.bias[0, 0] == 0
    assert problem.mask.allowed[0, 0]
    for array in (problem.bias, problem.mask.allowed, problem.masked_in):
        assert not array.flags.writeable


def test_a_problem_and_its_source_cannot_be_rebound():
    problem = Problem(QKV(**QKV_FITTING))
    with pytest.raises(FrozenInstanceError):
        problem.beta = 2
    with pytest.raises(FrozenInstanceError):
        problem.source.q = ones(2, 3)


def test_a_matrix_taken_once_keeps_its_identity():
    source = QKV(**QKV_FITTING)
    again = replace(source, q=ones(2, 3))
    assert again.k is source.k
    assert again.v is source.v
    assert again.q is not source.q
    assert frozen_matrix(source.q, "q") is source.q


def test_memory_order_of_the_input_is_not_kept():
    # Sums run in memory order: the digits of a row must not hang on how the caller laid out the array.
    source = QKV(np.asfortranarray(np.arange(6.0).reshape(2, 3)), ones(4, 3))
    assert source.q.flags.c_contiguous
    assert source.q.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("values", [[[1, 2]], [[True, False]], np.array([[1, 2]], dtype=np.float32), [[10**30, 1.5]]])
def test_every_kind_of_real_number_becomes_float64(values):
    matrix = frozen_matrix(values, "q")
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[float(cell) for cell in values[0]]]


def test_numbers_in_a_buffer_are_taken_like_any_others():
    buffer = np.array([1, 2], dtype=np.float32).tobytes()
    assert frozen_matrix(np.ndarray((1, 2), np.float32, buffer), "q").dtype == np.float64
    with pytest.raises(ExplorerError, match="Q has 1 dimensions"):
        frozen_matrix(np.frombuffer(buffer, np.float32), "q")


@pytest.mark.parametrize(
    ("dial", "value"),
    [
        ("scale", 0), ("scale", -1), ("scale", math.nan), ("scale", math.inf), ("scale", "d_k"), ("scale", True),
        ("scale", None), pytest.param("scale", HUGE, id="scale-huge"), ("beta", math.nan), ("beta", "1"),
        ("beta", None), pytest.param("beta", HUGE, id="beta-huge"),
        ("shift", math.nan), ("shift", math.inf), ("softcap", -1), ("softcap", math.inf), ("softcap", math.nan),
    ],
)  # fmt: skip
def test_a_dial_out_of_range_is_refused_by_its_name(dial, value):
    with pytest.raises(ExplorerError, match=f"^{dial} is ") as caught:
        Problem(QKV(**QKV_FITTING), **{dial: value})
    assert caught.value.hint


@pytest.mark.parametrize("number", [2, 2.0, np.float64(2), np.float32(2), np.int64(2)])
@pytest.mark.parametrize("dial", ["scale", "beta", "shift", "softcap"])
def test_dials_take_any_real_number(dial, number):
    assert getattr(Problem(QKV(**QKV_FITTING), **{dial: number}), dial) == 2


@pytest.mark.parametrize("beta", [0, -3, 1e308, math.inf, -math.inf])
def test_beta_may_be_anything_but_nan(beta):
    assert Problem(QKV(**QKV_FITTING), beta=beta).beta == beta


@pytest.mark.parametrize(
    ("source", "divisor"),
    [
        (QKV(ones(1, 9), ones(2, 9)), 3),
        (QKV(ones(1, 0), ones(2, 0)), 1),
        (Projection(ones(2, 3), ones(3, 4), ones(3, 4)), 2),
        (Scores([[1, 2]], d_k=64), 8),
        (Scores([[1, 2]], d_k=0), 1),
        (Scores([[1, 2]], d_k=np.int64(9)), 3),
        (Weights([[0.5, 0.5]]), 1),
    ],
)
def test_divisor_is_the_root_of_d_k_and_1_where_there_is_none(source, divisor):
    assert Problem(source).divisor == divisor


def test_a_number_as_scale_is_the_divisor_itself():
    assert Problem(QKV(**QKV_FITTING), scale=0.25).divisor == 0.25


def test_root_scale_is_refused_for_typed_scores_without_d_k():
    with pytest.raises(ExplorerError, match="d_k") as caught:
        Problem(Scores([[1.0, 2.0]]))
    assert "d_k" in caught.value.hint
    assert Problem(Scores([[1.0, 2.0]]), scale=1).divisor == 1


@pytest.mark.parametrize("d_k", [-3, 2.5, "4", True, math.nan, math.inf])
def test_d_k_of_typed_scores_must_be_a_count(d_k):
    with pytest.raises(ExplorerError, match="d_k"):
        Problem(Scores([[1.0, 2.0]], d_k=d_k))


def test_shared_tokens_only_in_a_projection_without_memory():
    assert Problem(Projection(**SELF)).has_shared_tokens
    assert not Problem(Projection(**CROSS)).has_shared_tokens
    assert not Problem(QKV(**QKV_FITTING)).has_shared_tokens


@pytest.mark.parametrize("w_v", [None, ones(7, 5)])
def test_dimensions_of_a_projection_with_memory(w_v):
    problem = Problem(Projection(**{**CROSS, "w_v": w_v}))
    assert (problem.shape, problem.d_k, problem.d_v) == ((2, 6), 4, None if w_v is None else 5)


@pytest.mark.parametrize("n_q", [0, 2])
@pytest.mark.parametrize("n_k", [0, 3])
def test_empty_matrices_are_problems_too(n_q, n_k):
    assert Problem(QKV(ones(n_q, 2), ones(n_k, 2), ones(n_k, 1))).shape == (n_q, n_k)


def test_every_source_lists_its_fields_under_its_kind():
    assert {source.kind: source_fields(source.kind) for source in SOURCES} == {
        "projection": ("x", "w_q", "w_k", "w_v", "memory"),
        "qkv": ("q", "k", "v"),
        "scores": ("scores", "v", "d_k"),
        "weights": ("weights", "v"),
    }
