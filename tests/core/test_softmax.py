"""The softmax is right to the last digits, for any finite scores and any beta."""

import math

import mpmath
import numpy as np
import pytest
import scipy.special
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.core.softmax import softmax

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=80, deadline=None, database=None)
NORMAL = 2.2250738585072014e-308  # the smallest number that carries all its digits
JUNK = st.sampled_from([np.nan, np.inf, -np.inf, 1e300, -1e300, 1.7e308, 0.0])
BETAS = st.sampled_from([0, 1, -1, 0.3, -50, 1e-300, 1e300, np.inf, -np.inf])


def row(x, beta=1.0, scale=1.0):
    x = np.array([x], dtype=float)
    return softmax(x, np.ones(x.shape, dtype=bool), beta=beta, scale=scale)


def exact(x, beta, scale):
    """Weights and entropy of one row in 60 digits."""
    with mpmath.workdps(60):
        logits = [mpmath.mpf(cell) * mpmath.mpf(beta) / mpmath.mpf(scale) for cell in x]
        gaps = sorted(logit - max(logits) for logit in logits)[:-1]
        rest = mpmath.log1p(sum(mpmath.exp(gap) for gap in gaps))  # ln of the sum, the largest term being 1
        weights = [mpmath.exp(logit - max(logits) - rest) for logit in logits]
        return weights, rest - sum(gap * mpmath.exp(gap - rest) for gap in gaps)


def assert_exact(x, beta, scale):
    """The promised bounds on weights; entropy to 1e-12."""
    ours = row(x, beta, scale)
    weights, entropy = exact(x, beta, scale)
    for got, want in zip(ours.weights[0], weights, strict=True):
        if want < NORMAL:
            assert got < 1.01 * NORMAL
        else:
            error = float(abs(mpmath.mpf(float(got)) - want) / want)
            assert error < (1e-14 if want >= 1e-3 else 4e-13), (x, beta, scale, got, want)
    # Where the true entropy is below what a weight may be, ours can only be as small.
    assert ours.entropy[0] == pytest.approx(float(entropy), rel=1e-12, abs=1e-305)


@settings(max_examples=250, deadline=None, database=None)
@given(
    unit=st.lists(st.floats(-1, 1), min_size=1, max_size=5),
    size=st.floats(-300, 308),
    scale=st.floats(-307, 307),
    reach=st.floats(-3, 2.8),
    sign=st.sampled_from([1, -1]),
)
def test_weights_and_entropy_against_exact_arithmetic_at_every_magnitude(unit, size, scale, reach, sign):
    # Scores up to 10^size, divided by 10^scale; beta such that the logits reach 10^reach.
    assume(size - scale < 307.9)
    exponent = reach + scale - size
    assume(-320 < exponent < 308)
    beta = sign * 10**exponent
    assume(beta != 0)
    assert_exact([cell * 10**size for cell in unit], beta, 10**scale)


@QUICK
@given(center=st.sampled_from([0, 1e3, 1e6, -1e9, 1e15]), offsets=st.lists(st.floats(-5, 5), min_size=2, max_size=5))
def test_large_scores_close_to_each_other_keep_their_differences(center, offsets):
    assert_exact([center + offset for offset in offsets], 1.0, 1 / 3)


@pytest.mark.parametrize(
    ("x", "beta", "scale"),
    [
        ([1e308, -1e308], 1e-308, 1),
        ([1.7e308, -1.7e308], 3e-308, 1.0),
        ([0.8e308, -0.8e308], 1e-308, 0.5),
        ([1.7e308, -1.7e308, 0], -1e-310, 1),
        ([5e-324, 0], 1e308, 1e-16),
        ([1e-300, 3e-300, -2e-300], 1e150, 1e-150),
        ([927, 397, 148, 929], 1, 1),
        ([1, 1 + 2**-52], 1e15, 1),
        ([0, -40], 1, 1),
        ([0, -700, -708, -745, -1000], 1, 1),
        ([3, 1e-5, -7], -2.5, 0.1),
        ([1e-10, 0], 5e-324, 5e-324),
    ],
)
def test_named_extremes_against_exact_arithmetic(x, beta, scale):
    assert_exact(x, beta, scale)


@QUICK
@given(hnp.arrays(float, (3, 4), elements=st.floats(-30, 30)), st.floats(-4, 4), st.floats(0.1, 9))
def test_usual_rows_agree_with_scipy(x, beta, scale):
    ours = softmax(x, np.ones(x.shape, dtype=bool), beta=beta, scale=scale).weights
    np.testing.assert_allclose(ours, scipy.special.softmax(beta * x / scale, axis=1), rtol=1e-12, atol=1e-15)


@QUICK
@given(data=st.data(), beta=BETAS, scale=st.sampled_from([1, 1e-3, 8, 1e300]))
def test_rows_sum_to_1_and_hidden_cells_never_leak(data, beta, scale):
    shape = data.draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=5))
    x = data.draw(hnp.arrays(float, shape, elements=st.floats(-1e308, 1e308)))
    allowed = data.draw(hnp.arrays(bool, shape))
    clean = softmax(np.where(allowed, x, 0), allowed, beta=beta, scale=scale)
    junk = data.draw(hnp.arrays(float, shape, elements=JUNK))
    soiled = softmax(np.where(allowed, x, junk), allowed, beta=beta, scale=scale)
    assert np.array_equal(clean.weights, soiled.weights)
    assert np.array_equal(clean.entropy, soiled.entropy, equal_nan=True)
    assert (clean.weights[~allowed] == 0).all()
    assert (clean.weights >= 0).all()
    has_key = allowed.any(axis=1)
    np.testing.assert_allclose(clean.weights.sum(axis=1), has_key.astype(float), rtol=1e-15)
    assert np.array_equal(np.isnan(clean.entropy), ~has_key)
    keys = np.maximum(allowed.sum(axis=1), 1)[has_key]
    assert (clean.entropy[has_key] >= 0).all()
    assert (clean.entropy[has_key] <= np.log(keys) * (1 + 1e-14)).all()


@QUICK
@given(x=hnp.arrays(float, (4, 5), elements=st.floats(-50, 50)), beta=BETAS, order=st.permutations(range(5)))
def test_keys_and_queries_may_come_in_any_order(x, beta, order):
    allowed = np.arange(20).reshape(4, 5) % 7 != 3
    weights = softmax(x, allowed, beta=beta).weights
    by_key = softmax(x[:, order], allowed[:, order], beta=beta).weights
    np.testing.assert_allclose(by_key, weights[:, order], rtol=1e-14)
    rows = [2, 0, 3, 1]
    assert np.array_equal(softmax(x[rows], allowed[rows], beta=beta).weights, weights[rows])


@QUICK
@given(
    x=hnp.arrays(float, (2, 4), elements=st.integers(-1000, 1000)),
    constant=st.integers(-(2**50), 2**50),
    beta=st.sampled_from([0, 1, -1, 0.01, np.inf, -np.inf]),
)
def test_adding_a_constant_to_a_row_changes_nothing_at_all(x, constant, beta):
    allowed = np.ones(x.shape, dtype=bool)
    assert np.array_equal(softmax(x, allowed, beta=beta).weights, softmax(x + constant, allowed, beta=beta).weights)


@QUICK
@given(x=st.lists(st.floats(-20, 20), min_size=1, max_size=5), beta=st.floats(0.01, 30))
def test_negative_beta_is_positive_beta_on_negated_scores(x, beta):
    assert np.array_equal(row(x, -beta).weights, row([-cell for cell in x], beta).weights)


@pytest.mark.parametrize(
    ("x", "beta", "expected"),
    [
        ([2, 3, 1], math.inf, [0, 1, 0]),
        ([2, 3, 3], math.inf, [0, 0.5, 0.5]),
        ([2, 3, 1], -math.inf, [0, 0, 1]),
        ([1, 3, 1], -math.inf, [0.5, 0, 0.5]),
        ([1, np.inf, np.inf], math.inf, [0, 0.5, 0.5]),
        ([1, np.inf, 2], -math.inf, [1, 0, 0]),
        ([np.inf, np.inf], -math.inf, [0.5, 0.5]),
        ([1, 1 + 2**-52], math.inf, [0, 1]),
        ([1e300, -1e300, 7, 0], 0, [0.25, 0.25, 0.25, 0.25]),
        ([-1e308], 1, [1]),
        ([4, 4, 4], 3.7, [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_limits_and_ties_are_exact(x, beta, expected):
    result = row(x, beta)
    assert result.weights[0].tolist() == expected
    assert result.entropy[0] == pytest.approx(math.log(sum(weight > 0 for weight in expected)), rel=1e-15)
    assert not result.tied_by_rounding.any()


def test_a_tolerance_ties_what_rounding_parts_and_says_so():
    x = np.array([[1, 1 + 2**-52, 0], [1, 2, 0], [3, 3, 0]], dtype=float)
    result = softmax(x, np.ones((3, 3), dtype=bool), beta=math.inf, tolerance=np.full((3, 3), 2.0**-51))
    assert result.weights.tolist() == [[0.5, 0.5, 0], [0, 1, 0], [0.5, 0.5, 0]]
    assert result.tied_by_rounding.tolist() == [True, False, False]


def test_large_beta_approaches_the_limit():
    x = [0.3, 0.1, 0.2]
    np.testing.assert_allclose(row(x, 1e6).weights, row(x, math.inf).weights, atol=1e-300)
    np.testing.assert_allclose(row(x, -1e6).weights, row(x, -math.inf).weights, atol=1e-300)


def test_entropy_of_a_sharp_row_keeps_its_digits():
    # -sum w ln w is 2.4 % off here.
    assert row([0, -40]).entropy[0] == pytest.approx(float(exact([0, -40], 1, 1)[1]), rel=1e-14)


@pytest.mark.parametrize("beta", [0, 1, -1, math.inf, -math.inf])
@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
def test_empty_grids_give_empty_weights(shape, beta):
    result = softmax(np.zeros(shape), np.ones(shape, dtype=bool), beta=beta)
    assert result.weights.shape == shape
    assert np.array_equal(result.entropy, np.full(shape[0], np.nan), equal_nan=True)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("beta", [0, 1, -1, math.inf, -math.inf])
def test_a_bad_row_leaves_its_neighbours_alone(bad, beta):
    x = np.array([[1.0, 2, 4], [1, bad, 3], [5, 5, 2]])
    everywhere = np.ones((3, 3), dtype=bool)
    weights = softmax(x, everywhere, beta=beta).weights
    alone = softmax(x[[0, 2]], everywhere[[0, 2]], beta=beta).weights
    assert np.array_equal(weights[[0, 2]], alone)
