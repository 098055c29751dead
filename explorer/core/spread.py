"""How far scores of random queries and keys spread as d_k grows, with what that does to the softmax."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.gradients import jacobian_norm
from explorer.core.products import product
from explorer.core.softmax import softmax
from explorer.errors import ExplorerError

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
MOST_NUMBERS = 4_000_000  # random numbers, and scores over all widths: about a second


@dataclass(frozen=True, eq=False)
class Spread:
    """What random queries and keys give for each d_k, all (number of d_k,) and read-only.

    Variances of the scores (about d_k), of scores / sqrt(d_k) (about 1) and of the logits (about beta^2); the mean
    over the queries of the largest weight, and of the Jacobian's norm, with the division by sqrt(d_k) and without.
    """

    d_k: NDArray[np.int64]
    scores: Vector
    scaled: Vector
    logits: Vector
    largest_weight: Vector
    jacobian_norm: Vector
    largest_weight_unscaled: Vector
    jacobian_norm_unscaled: Vector


def spread_of_scores(
    widths: Sequence[int] = WIDTHS, *, seed: int = 0, beta: float = 1.0, n_q: int = 100, n_k: int = 32
) -> Spread:
    """Draw queries and keys with independent standard normal entries, and measure their scores for several d_k.

    ``Var(q . k) = d_k``, hence ``Var(q . k / sqrt(d_k)) = 1`` (Vaswani et al. 2017, footnote 4).

    Parameters
    ----------
    widths : sequence of int
        The d_k to measure, from 1, in any order.
    seed : int
        From 0. The same seed gives the same numbers; a larger d_k adds coordinates to the queries and keys of a
        smaller one, so that a curve over d_k is smooth and does not depend on which others are asked for.
    beta : float
        Finite.
    n_q, n_k : int
        Number of queries and keys, from 1.

    Returns
    -------
    Spread
        With m = n_q and n = n_k a variance over d_k has a standard deviation of about
        ``sqrt((2 + 2 (m + n + 1) / d_k) / (m n))`` about 1.

    Raises
    ------
    ExplorerError
        For a width, size or seed out of range, or more than `MOST_NUMBERS` numbers.

    Examples
    --------
    >>> spread = spread_of_scores([4, 512])
    >>> spread.scores.round(), spread.scaled.round(1)
    (array([  4., 505.]), array([1., 1.]))
    >>> spread.largest_weight.round(1), spread.largest_weight_unscaled.round(1)
    (array([0.2, 0.2]), array([0.4, 0.9]))
    """
    _check(widths, seed, beta, n_q, n_k)
    draws = np.random.default_rng(seed).standard_normal((max(widths, default=0), n_q + n_k))
    columns = [_measures(draws[:width, :n_q].T, draws[:width, n_q:], beta) for width in widths]
    measured = np.array(columns, dtype=np.float64).reshape(-1, 7).T.copy()
    measured.setflags(write=False)
    d_k = np.array(widths, dtype=np.int64)
    d_k.setflags(write=False)
    return Spread(d_k, *measured)


def _measures(q: Matrix, k: Matrix, beta: float) -> tuple[float, ...]:
    """The fields of `Spread` after d_k; q (n_q, d_k), k (d_k, n_k)."""
    scores = product(q, k)  # (n_q, n_k)
    scaled = scores / math.sqrt(len(k))
    variances = [float(np.var(stage)) for stage in (scores, scaled, beta * scaled)]
    return (*variances, *_saturation(scaled, beta), *_saturation(scores, beta))


def _saturation(x: Matrix, beta: float) -> tuple[float, float]:
    """Means over the rows of the largest weight and of the norm of the Jacobian."""
    weights = softmax(x, np.ones(x.shape, dtype=bool), beta=beta).weights
    return float(weights.max(axis=1).mean()), float(jacobian_norm(weights).mean())


def _check(widths: Sequence[int], seed: int, beta: float, n_q: int, n_k: int) -> None:
    named = [*(("d_k", width, 1) for width in widths), ("n_q", n_q, 1), ("n_k", n_k, 1), ("seed", seed, 0)]
    for name, value, least in named:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise ExplorerError(f"{name} is {value!r}", f"give a whole number from {least}")
    if not math.isfinite(beta):
        raise ExplorerError(f"beta is {beta!r}", "give a finite number")
    numbers = max(max(widths, default=0) * (n_q + n_k), len(widths) * n_q * n_k)
    if numbers > MOST_NUMBERS:
        raise ExplorerError(f"this takes {numbers} numbers", f"at most {MOST_NUMBERS}: fewer or smaller d_k, n_q, n_k")
