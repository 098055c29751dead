"""Scores of random queries and keys spread as theory says, and saturate a softmax that is not scaled."""

import math

import numpy as np
import pytest
import scipy.stats

from explorer.core.spread import MOST_NUMBERS, WIDTHS, Spread, spread_of_scores
from explorer.errors import ExplorerError

pytestmark = pytest.mark.filterwarnings("error")
FIELDS = tuple(Spread.__dataclass_fields__)


@pytest.mark.parametrize("seed", range(5))
def test_one_query_gives_a_product_of_two_chi_squares(seed):
    # Given the query, its n scores are normal with variance |q|^2, and |q|^2 is chi^2 with d_k degrees of freedom.
    n = 2000
    spread = spread_of_scores(WIDTHS, seed=seed, n_q=1, n_k=n)
    tail = 1e-4
    for width, variance in zip(WIDTHS, spread.scores, strict=True):
        low, high = (
            scipy.stats.chi2.ppf(p, width) * scipy.stats.chi2.ppf(p, n - 1) / n for p in (tail / 2, 1 - tail / 2)
        )
        assert low < variance < high


@pytest.mark.parametrize("seed", range(5))
def test_many_queries_narrow_the_variance_to_d_k(seed):
    spread = spread_of_scores(seed=seed, n_q=200, n_k=100)
    d_k = spread.d_k
    error = np.sqrt((2 + 2 * (200 + 100 + 1) / d_k) / (200 * 100))
    assert (np.abs(spread.scores / d_k - 1) < 5 * error).all()
    assert error[-1] < 0.02  # so the line above would notice another power of d_k


def test_the_said_standard_deviation_is_the_one_of_many_seeds():
    ratios = [spread_of_scores([3, 48], seed=seed, n_q=10, n_k=20).scores / [3, 48] for seed in range(400)]
    said = np.sqrt((2 + 2 * (10 + 20 + 1) / np.array([3, 48])) / (10 * 20))
    np.testing.assert_allclose(np.std(ratios, axis=0), said, rtol=0.15)
    np.testing.assert_allclose(np.mean(ratios, axis=0), 1, atol=0.06)


def test_scale_and_beta_divide_and_multiply_the_variance():
    spread = spread_of_scores(seed=3, beta=-2.5)
    np.testing.assert_allclose(spread.scaled, spread.scores / spread.d_k, rtol=1e-12)
    np.testing.assert_allclose(spread.logits, 6.25 * spread.scaled, rtol=1e-12)


def test_the_numbers_are_those_of_a_softmax_written_out():
    spread = spread_of_scores([7], seed=11, beta=0.8, n_q=5, n_k=6)
    draws = np.random.default_rng(11).standard_normal((7, 11))
    scores = draws[:, :5].T @ draws[:, 5:]
    assert spread.scores[0] == pytest.approx(np.var(scores), rel=1e-12)
    for divisor, largest, norm in (
        (math.sqrt(7), spread.largest_weight, spread.jacobian_norm),
        (1, spread.largest_weight_unscaled, spread.jacobian_norm_unscaled),
    ):
        weights = np.exp(0.8 * scores / divisor)
        weights /= weights.sum(axis=1, keepdims=True)
        norms = [np.linalg.norm(np.diag(row) - np.outer(row, row), 2) for row in weights]
        assert largest[0] == pytest.approx(weights.max(axis=1).mean(), rel=1e-12)
        assert norm[0] == pytest.approx(np.mean(norms), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_without_scaling_the_softmax_saturates_and_with_it_does_not(seed):
    spread = spread_of_scores([1, 4, 16, 64, 256, 1024], seed=seed, n_q=1000, n_k=16)
    assert (np.diff(spread.largest_weight_unscaled) > 0).all()
    assert spread.largest_weight_unscaled[-1] > 0.95
    # It rises first: the weights of d_k = 1 are nearly equal, which is not a sharp row either.
    assert (np.diff(spread.jacobian_norm_unscaled[2:]) < 0).all()
    assert spread.jacobian_norm_unscaled[-1] < 0.06
    assert np.ptp(spread.largest_weight[2:]) < 0.03
    assert spread.largest_weight.max() < 0.35
    assert np.ptp(spread.jacobian_norm[2:]) < 0.02
    assert spread.jacobian_norm.min() > 0.1


def test_a_seed_gives_the_same_numbers_and_another_seed_others():
    one, again, other = spread_of_scores(seed=5), spread_of_scores(seed=5), spread_of_scores(seed=6)
    for name in FIELDS[1:]:
        assert np.array_equal(getattr(one, name), getattr(again, name))
        assert (getattr(one, name) != getattr(other, name)).all()


def test_a_width_has_its_numbers_whichever_others_are_asked_for():
    many, few = spread_of_scores([2, 8, 64, 300], seed=1), spread_of_scores([64, 2], seed=1)
    for name in FIELDS:
        np.testing.assert_allclose(getattr(few, name), getattr(many, name)[[2, 0]], rtol=1e-12)


def test_every_field_has_one_number_a_width_and_is_read_only():
    for widths in ((), (3,), WIDTHS):
        spread = spread_of_scores(widths)
        for name in FIELDS:
            assert getattr(spread, name).shape == (len(widths),)
            assert not getattr(spread, name).flags.writeable
    assert spread_of_scores().d_k.tolist() == list(WIDTHS)
    assert np.isfinite(spread_of_scores([1], n_q=1, n_k=1).scaled).all()


@pytest.mark.parametrize(
    ("widths", "options", "message"),
    [
        ([4, 0], {}, "d_k is 0: give a whole number from 1"),
        ([2.5], {}, "d_k is 2.5"),
        ([True], {}, "d_k is True"),
        ([4], {"n_q": 0}, "n_q is 0"),
        ([4], {"n_k": -1}, "n_k is -1"),
        ([4], {"seed": -1}, "seed is -1: give a whole number from 0"),
        ([4], {"beta": math.inf}, "beta is inf"),
        ([4], {"beta": math.nan}, "beta is nan"),
        ([MOST_NUMBERS // 20 + 1], {"n_q": 10, "n_k": 10}, f"this takes {MOST_NUMBERS + 20} numbers"),
        ([1], {"n_q": 2001, "n_k": 2000}, "this takes 4002000 numbers"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(widths, options, message):
    with pytest.raises(ExplorerError, match=message):
        spread_of_scores(widths, **options)
