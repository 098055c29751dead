"""What weights and output answer to a change of a score, held against exact arithmetic and differences."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.core.attention import attend
from explorer.core.gradients import (
    NEARLY_NO_GRADIENT,
    is_nearly_without_gradient,
    jacobian_norm,
    output_gradient,
    score_jacobian,
    softmax_jacobian,
)
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Scores, Weights

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=60, deadline=None, database=None)
SCORES = hnp.arrays(float, 4, elements=st.floats(-6, 6))
VALUES = np.array([[2.0, -1], [0.5, 3], [-4, 0], [1, 1]])
SHARP = [[0, -40], [0, -700], [3, -697, -37], [0, -350, -41], [-700, 0, -40, -650]]


def scored(*rows, v=None, **dials):
    return attend(Problem(Scores(rows, v), **{"scale": 1, **dials}))


def exact(scores, values, beta=1.0, scale=1.0, softcap=0.0):
    """Derivatives of the weights (rows: scores) and of the output by the scores, in 400 digits."""
    with mpmath.workdps(400):
        factor = mpmath.mpf(beta) / mpmath.mpf(scale)
        s, slopes = [mpmath.mpf(float(x)) for x in scores], [factor] * len(scores)
        if softcap:
            c = mpmath.mpf(softcap)
            slopes = [factor * (1 - mpmath.tanh(x / scale / c) ** 2) for x in s]
            logits = [beta * c * mpmath.tanh(x / scale / c) for x in s]
        else:
            logits = [factor * x for x in s]
        e = [mpmath.exp(x) for x in logits]
        w = [x / sum(e) for x in e]
        by_weight = [[slopes[a] * w[a] * ((a == b) - w[b]) for b in range(len(w))] for a in range(len(w))]
        v = [[mpmath.mpf(float(x)) for x in row] for row in values]
        by_output = [
            [sum(d * row[c] for d, row in zip(r, v, strict=True)) for c in range(len(v[0]))] for r in by_weight
        ]
        return np.array(by_weight, dtype=float), np.array(by_output, dtype=float)


def exact_norm(weights):
    """The largest root of the secular equation, by bisection in 60 digits."""
    with mpmath.workdps(60):
        w = sorted((mpmath.mpf(float(x)) / mpmath.fsum(map(float, weights)) for x in weights), reverse=True)
        low, high = w[1], w[0]
        while high - low > low * mpmath.mpf(2) ** -60:
            middle = (low + high) / 2
            is_left = sum(x / (middle - x) for x in w[1:]) > w[0] / (w[0] - middle)
            low, high = (middle, high) if is_left else (low, middle)
        return float(low)


@QUICK
@given(SCORES, st.sampled_from([1, -2, 0.3, 5]), st.sampled_from([1, 8, 0.7]), st.sampled_from([0, 0.5, 3]))
def test_both_derivatives_against_exact_arithmetic(scores, beta, scale, softcap):
    attention = scored(scores, v=VALUES, beta=beta, scale=scale, softcap=softcap)
    by_weight, by_output = exact(scores, VALUES, beta, scale, softcap)
    # A softcap's own rounding reaches the weights.
    rtol = 1e-12 if softcap else 1e-13
    np.testing.assert_allclose(score_jacobian(attention, 0), by_weight, rtol=rtol, atol=1e-300)
    bound = np.abs(by_weight) @ np.abs(VALUES)  # what cancels within a column cancels for everybody
    assert (np.abs(output_gradient(attention, 0) - by_output) <= rtol * bound + 1e-300).all()


@QUICK
@given(
    hnp.arrays(float, (2, 3), elements=st.floats(-2, 2)), st.floats(-2, 2), st.sampled_from([0, 1.5]), st.integers(0, 3)
)
def test_both_derivatives_against_differences_of_attention(q, beta, softcap, key):
    k = np.array([[1.0, 0, 2], [0, 1, -1], [1, 1, 0], [0.5, -2, 1]])
    allowed = np.array([[True, True, False, True], [True] * 4])
    bias = np.array([[0.3, -1, 2, 0], [0.0, 0, 1, -1]])
    dials = {"beta": beta, "softcap": softcap, "mask": Mask("custom", allowed=allowed), "bias": bias}
    attention = attend(Problem(QKV(q, k, VALUES), **dials))
    step = np.zeros((2, 4))
    step[:, key] = 1e-5
    after, before = (
        attend(Problem(Scores(attention.scores + sign * step, VALUES, d_k=3), **dials)) for sign in (1, -1)
    )
    for query in (0, 1):
        by_weight = (after.weights[query] - before.weights[query]) / 2e-5
        by_output = (after.output[query] - before.output[query]) / 2e-5
        np.testing.assert_allclose(score_jacobian(attention, query)[key], by_weight, atol=2e-9)
        np.testing.assert_allclose(output_gradient(attention, query)[key], by_output, atol=2e-8)


@pytest.mark.parametrize("scores", SHARP)
def test_nearly_one_hot_rows_keep_all_digits(scores):
    attention = scored(scores, v=VALUES[: len(scores)])
    by_weight, by_output = exact(scores, VALUES[: len(scores)])
    is_normal = np.abs(by_weight) > 1e-306
    assert (attention.weights == 1).any()  # so that w (1 - w) would be 0
    assert is_normal.diagonal().all()
    for ours in (score_jacobian(attention, 0), softmax_jacobian(attention.weights[0])):
        np.testing.assert_allclose(ours[is_normal], by_weight[is_normal], rtol=1e-12)
    np.testing.assert_allclose(output_gradient(attention, 0), by_output, rtol=1e-12)
    assert jacobian_norm(attention.weights[0]) == pytest.approx(exact_norm(attention.weights[0]), rel=1e-14)


def test_the_other_weights_are_summed_without_the_largest_wherever_it_stands():
    tiny = np.array([1e-20, 3e-20, 2e-20, 5e-20, 4e-20])
    for place in range(5):
        weights = tiny.copy()
        weights[place] = 1.0
        assert softmax_jacobian(weights)[place, place] == pytest.approx(tiny.sum() - tiny[place], rel=1e-15)


@QUICK
@given(hnp.arrays(float, st.integers(0, 6), elements=st.floats(-60, 60)))
def test_the_jacobian_is_symmetric_semidefinite_and_its_rows_sum_to_0(scores):
    jacobian = softmax_jacobian(scored(scores).weights[0])
    assert np.array_equal(jacobian, jacobian.T)
    assert (np.abs(jacobian.sum(axis=1)) <= 4e-15 * jacobian.diagonal()).all()
    assert (np.linalg.eigvalsh(jacobian) >= -2e-15).all()
    assert not np.signbit(jacobian[jacobian == 0]).any()


@pytest.mark.parametrize("n", [1, 2, 5, 40, 100])
@pytest.mark.parametrize("sharpness", [0, 1e-9, 0.3, 1, 10, 100])
def test_norm_of_random_rows_against_a_dense_eigenvalue(n, sharpness):
    x = sharpness * np.random.default_rng(n).standard_normal((4, n))
    x[0, : n // 2] = x[0].max()  # a tie at the top
    weights = scored(*x).weights
    dense = [np.linalg.eigvalsh(softmax_jacobian(row))[-1] for row in weights]
    np.testing.assert_allclose(jacobian_norm(weights), dense, rtol=5e-14, atol=1e-16)


@QUICK
@given(
    st.lists(st.floats(-300, 0), min_size=2, max_size=6), st.integers(-3, 3), st.sampled_from([0, 1e-16, 1e-13, 0.5])
)
def test_norm_is_right_to_its_last_digits_at_every_size(exponents, ulps, gap):
    weights = 10.0 ** np.array(exponents)
    weights[-1] = weights[0] * (1 + ulps * 2.0**-52) * (1 - gap)  # nearly tied weights are the hard case
    weights /= weights.sum()
    if exact_norm(weights) > 1e-290:
        assert jacobian_norm(weights) == pytest.approx(exact_norm(weights), rel=2e-15)


def test_norm_of_known_rows():
    assert jacobian_norm(np.array([0.5, 0.5])) == 0.5
    for n in (2, 3, 7, 200, 2048):
        assert jacobian_norm(np.full(n, 1 / n)) == pytest.approx(1 / n, rel=1e-14)
    # Two different weights w and 1 - w: 2 w (1 - w).
    assert jacobian_norm(np.array([0.9, 0.1])) == pytest.approx(0.18, rel=1e-15)
    assert jacobian_norm(np.array([0.25, 0.5, 0.25])) == pytest.approx(0.375, rel=1e-15)
    assert jacobian_norm(np.array([1, 5e-324])) == 1e-323
    assert jacobian_norm(np.array([0.0, 1, 0])) == jacobian_norm(np.array([1.0])) == 0
    assert jacobian_norm(np.zeros(3)) == 0  # an empty row
    assert not np.signbit(softmax_jacobian(np.array([0.0, 1, 0]))).any()


def test_keys_without_weight_do_not_change_the_norm():
    weights = np.array([0.2, 0.0, 0.5, 0.0, 0.3])
    assert jacobian_norm(weights) == pytest.approx(jacobian_norm(weights[weights > 0]), rel=1e-15)


def test_norm_keeps_the_shape_of_the_rows():
    assert jacobian_norm(np.full((2, 3, 4), 0.25)).tolist() == [[0.25] * 3] * 2
    assert [jacobian_norm(np.zeros(shape)).shape for shape in ((2, 0), (0, 4), (0, 0))] == [(2,), (0,), (0,)]


@pytest.mark.parametrize("cell", [np.nan, np.inf, -0.1])
def test_what_is_no_weight_has_no_jacobian(cell):
    weights = np.array([[0.5, cell], [0.5, 0.5]])
    assert np.isnan(softmax_jacobian(weights[0])).all()
    assert np.array_equal(jacobian_norm(weights), [np.nan, 0.5], equal_nan=True)


def test_weights_typed_with_another_sum_have_the_norm_of_their_jacobian():
    for weights in (np.array([0.33, 0.33, 0.33]), np.array([3.0, 1.0, 1.0])):
        dense = np.linalg.eigvalsh(softmax_jacobian(weights))[-1]
        assert jacobian_norm(weights) == pytest.approx(dense, rel=1e-14)


def test_nearly_no_gradient_is_below_its_limit():
    assert is_nearly_without_gradient(np.nextafter(NEARLY_NO_GRADIENT, 0))
    assert not is_nearly_without_gradient(NEARLY_NO_GRADIENT)
    assert not is_nearly_without_gradient(math.nan)
    assert is_nearly_without_gradient(float(jacobian_norm(scored([0, -6]).weights[0])))
    assert not is_nearly_without_gradient(float(jacobian_norm(scored([0, -5]).weights[0])))


def test_beta_and_scale_multiply_the_jacobian():
    jacobian = softmax_jacobian(np.array([0.5, 0.5]))
    assert np.array_equal(score_jacobian(scored([7, 7], beta=3, scale=2), 0), 1.5 * jacobian)
    assert np.array_equal(score_jacobian(scored([7, 7], beta=-3, scale=2), 0), -1.5 * jacobian)
    assert np.array_equal(score_jacobian(scored([7, 2], beta=0, scale=2), 0), np.zeros((2, 2)))
    assert not np.signbit(score_jacobian(scored([7, 2], beta=0), 0)).any()


def test_beta_over_scale_may_leave_the_range_where_the_derivative_does_not():
    scores, dials = [7e-317, 0.0], {"beta": 1e160, "scale": 1e-159}  # beta / scale is inf, the gap 700
    by_weight, _ = exact(scores, VALUES[:2], **dials)
    ours = score_jacobian(scored(scores, **dials), 0)
    np.testing.assert_allclose(ours, by_weight, rtol=2e-12)
    assert 1e14 < ours[0, 0] < 1e16


def test_the_softcap_slows_its_own_score_and_no_other():
    attention = scored([6, 0], scale=2, softcap=2, beta=3)
    jacobian = 3 / 2 * softmax_jacobian(attention.weights[0])
    slope = 1 - math.tanh(1.5) ** 2
    np.testing.assert_allclose(score_jacobian(attention, 0), jacobian * [[slope], [1]], rtol=1e-14)


def test_a_softcap_far_out_leaves_a_small_slope_and_then_none():
    cosh = mpmath.cosh(mpmath.mpf(30))
    far = score_jacobian(scored([30, 30], softcap=1), 0)
    assert far[0, 0] == pytest.approx(float(0.25 / cosh**2), rel=1e-13)  # 1 - tanh^2 is 0 here
    assert not score_jacobian(scored([1e5, 1e5], softcap=1), 0).any()


def test_output_gradient_keeps_differences_of_large_values():
    v = np.array([[1e9 + 1], [1e9], [1e9 + 3]])
    _, by_output = exact([0, -40, -1], v)
    np.testing.assert_allclose(output_gradient(scored([0, -40, -1], v=v), 0), by_output, rtol=1e-13)
    huge = output_gradient(scored([0, 0, 0], v=[[1.7e308], [-1.7e308], [0]]), 0)
    np.testing.assert_allclose(huge[:, 0], [1.7e308 / 3, -1.7e308 / 3, 0], rtol=1e-13, atol=1e293)
    widest = output_gradient(scored([0, 0], v=[[1.7e308], [-1.7e308]]), 0)  # their difference is infinite
    np.testing.assert_allclose(widest, [[0.85e308], [-0.85e308]], rtol=1e-15)


def test_output_gradient_of_many_keys_agrees_with_all_differences():
    rng = np.random.default_rng(5)
    x, v = 3 * rng.standard_normal((1, 150)), rng.standard_normal((150, 3)).round(1)  # with ties
    attention = scored(x[0], v=v)
    w = attention.weights[0]
    pairs = v[:, None, :] - v[None, :, :]  # (n_k, n_k, d_v)
    direct = w[:, None] * np.einsum("b,abc->ac", w, pairs)
    bound = w[:, None] * np.einsum("b,abc->ac", w, np.abs(pairs))
    assert (np.abs(output_gradient(attention, 0) - direct) <= 1e-14 * bound).all()


def test_values_without_weight_never_leak():
    v = np.array([[1.0, 2], [np.nan, np.inf], [3, 7], [np.inf, np.nan]])
    attention = scored([0, 5, 0, -2000], v=v, mask=Mask("padding", keys=[True, False, True, True]))
    assert output_gradient(attention, 0).tolist() == [[-0.5, -1.25], [0, 0], [0.5, 1.25], [0, 0]]


def test_a_value_with_weight_that_is_no_number_spoils_its_column_only():
    gradient = output_gradient(scored([0, 0, -2000], v=[[1, 2], [np.inf, 4], [0, 0]]), 0)
    assert np.array_equal(gradient, [[np.nan, -0.5], [np.nan, 0.5], [0, 0]], equal_nan=True)


def test_hidden_keys_have_no_derivative_whatever_they_hold():
    for junk in (np.nan, np.inf, 1e300, -np.inf):
        attention = scored([1, junk, 1], v=VALUES[:3], softcap=2, mask=Mask("padding", keys=[True, False, True]))
        jacobian = score_jacobian(attention, 0)
        assert not jacobian[1].any()
        assert not jacobian[:, 1].any()
        assert jacobian[0, 2] < 0
        assert not output_gradient(attention, 0)[1].any()


def test_empty_and_invalid_rows_and_their_neighbours():
    allowed = [[False, False], [True, True], [True, True]]
    attention = scored([1, 2], [1, np.nan], [4, 4], v=VALUES[:2], mask=Mask("custom", allowed=allowed))
    for measure in (score_jacobian, output_gradient):
        assert not measure(attention, 0).any()
        assert np.isnan(measure(attention, 1)).all()
        assert measure(attention, 2).all()


@pytest.mark.parametrize("beta", [np.inf, -np.inf])
def test_at_infinite_beta_the_limit_is_0_even_at_a_tie(beta):
    attention = scored([1, 1, np.nan], [1, 2, 0], v=VALUES[:3], beta=beta)
    assert np.isnan(score_jacobian(attention, 0)).all()
    assert not score_jacobian(attention, 1).any()
    assert not score_jacobian(scored([1, 1], beta=beta), 0).any()
    assert not output_gradient(attention, 1).any()


def test_without_scores_or_values_there_is_none():
    given_weights = attend(Problem(Weights([[0.5, 0.5]], [[1], [2]])))
    assert score_jacobian(given_weights, 0) is None
    assert output_gradient(given_weights, 0) is None
    assert output_gradient(scored([1, 2]), 0) is None
