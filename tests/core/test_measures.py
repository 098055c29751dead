"""Entropy, its share of the most possible, and the effective number of keys."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.measures import effective_keys, entropy_of_weights, entropy_share

pytestmark = pytest.mark.filterwarnings("error")


def exact_entropy(weights):
    with mpmath.workdps(50):
        return float(-sum(mpmath.mpf(w) * mpmath.log(w) for w in weights if w > 0))


@settings(max_examples=100, deadline=None, database=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_entropy_of_given_weights_against_exact_arithmetic(weights):
    assert entropy_of_weights(np.array([weights]))[0] == pytest.approx(exact_entropy(weights), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [([1, 0, 0], 0), ([0, 1], 0), ([0.5, 0.5], math.log(2)), ([0.25] * 4, math.log(4)), ([-0.0, 1], 0)],
)
def test_entropy_of_known_rows(weights, expected):
    entropy = entropy_of_weights(np.array([weights], dtype=float))[0]
    assert entropy == pytest.approx(expected, rel=1e-15)
    assert not np.signbit(entropy)


@pytest.mark.parametrize("cell", [-0.1, math.nan, math.inf, -math.inf])
def test_entropy_is_undefined_beside_a_negative_or_non_finite_weight(cell):
    entropy = entropy_of_weights(np.array([[0.5, cell], [0.5, 0.5]]))
    assert np.isnan(entropy[0])
    assert entropy[1] == pytest.approx(math.log(2))


@pytest.mark.parametrize("weights", [[5e-324, 1.0], [1e308, 1e308], [1e-300, 1e300]])
def test_entropy_of_extreme_weights_never_warns(weights):
    assert not np.isnan(entropy_of_weights(np.array([weights]))[0])


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
def test_entropy_of_empty_grids(shape):
    entropy = entropy_of_weights(np.zeros(shape))
    assert entropy.shape == (shape[0],)
    assert np.isnan(entropy).all()


def test_share_is_1_for_equal_weights_and_undefined_for_fewer_than_two_keys():
    share = entropy_share(np.log([5.0, 2.0, 1.0, 1.0]), np.array([5, 4, 1, 0]))
    np.testing.assert_allclose(share, [1, 0.5, np.nan, np.nan], rtol=1e-15)


def test_share_of_an_undefined_entropy_is_undefined():
    assert np.isnan(entropy_share(np.array([np.nan]), np.array([3])))[0]


def test_effective_keys_counts_equal_keys_and_passes_the_undefined_on():
    np.testing.assert_allclose(effective_keys(np.log([1.0, 3.0, np.nan])), [1, 3, np.nan], rtol=1e-15)
