"""How a row of weights, or its output, answers to a change of one score."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from explorer.core.attention import Attention

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Booleans = NDArray[np.bool_]

# Below this spectral norm of the softmax Jacobian a change of the scores hardly reaches the weights.
NEARLY_NO_GRADIENT = 0.01

_MOST_STEPS = 50  # Newton needs about 6


def softmax_jacobian(weights: Vector) -> Matrix:
    """Derivative of softmax weights by the logits of their row.

    ``J_ab = -w_a w_b``, ``J_aa = w_a sum_{c != a} w_c`` (Bridle 1990, with 1 - w_a as the sum of the others).

    Parameters
    ----------
    weights : (n_k,) array
        One row, >= 0 and summing to 1, or all 0.

    Returns
    -------
    (n_k, n_k) array
        Symmetric, positive semidefinite, rows summing to 0, per unit of logit; NaN where a weight is negative or not
        finite.

    Examples
    --------
    >>> softmax_jacobian(np.array([1.0, 4e-18]))
    array([[ 4.e-18, -4.e-18],
           [-4.e-18,  4.e-18]])
    """
    with np.errstate(all="ignore"):
        jacobian = 0.0 - np.outer(weights, weights)  # 0.0 - 0.0 is no -0.0
        # w (1 - w) would be 0 for a weight that rounds to 1.
        np.fill_diagonal(jacobian, weights * _others(weights))
    return jacobian if _is_defined(weights) else np.full_like(jacobian, np.nan)


def jacobian_norm(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spectral norm of the softmax Jacobian: the most that weights can answer to a change of the logits of length 1.

    The largest root of ``sum_a w_a / (w_a - t) = 0``, times (sum_a w_a)^2 where that is not 1: the secular equation of
    a diagonal matrix less one of rank 1 (Golub and Van Loan, Matrix Computations, 4th edition, section 8.4).

    Parameters
    ----------
    weights : (..., n_k) array
        Rows >= 0 that sum to 1, or are all 0.

    Returns
    -------
    (...) array
        0 (one key) to 1/2 (two equal ones), right to about n_k 2^-52 of itself; 1/n for n equal weights; NaN where a
        weight is negative or not finite.

    Notes
    -----
    About 6 passes over the weights, no matrix. At beta = +-inf the derivative is 0 whatever the weights: see
    `score_jacobian`.

    Examples
    --------
    >>> jacobian_norm(np.array([[0.5, 0.5, 0.0], [0.25, 0.5, 0.25], [1.0, 0.0, 0.0]])).round(4)
    array([0.5  , 0.375, 0.   ])
    """
    rows = weights.reshape(math.prod(weights.shape[:-1]), weights.shape[-1])
    norm = np.zeros(len(rows))
    with np.errstate(all="ignore"):
        total = rows.sum(axis=1)
        several = np.count_nonzero(rows, axis=1) > 1
        if several.any():
            norm[several] = total[several] ** 2 * _largest_root(rows[several] / total[several, None])
    norm[~_is_defined(rows)] = np.nan
    return norm.reshape(weights.shape[:-1])


def is_nearly_without_gradient(norm: float) -> bool:
    """Whether a change of the scores hardly reaches the weights: ``norm < 0.01``.

    Parameters
    ----------
    norm : float
        From `jacobian_norm`.

    Returns
    -------
    bool
        False where the norm is NaN; True also for more than 100 equal weights, whose norm is 1/n.

    Examples
    --------
    >>> is_nearly_without_gradient(0.002), is_nearly_without_gradient(0.25)
    (True, False)
    """
    return bool(norm < NEARLY_NO_GRADIENT)


def score_jacobian(attention: Attention, query: int) -> Matrix | None:
    """Derivative of the weights of a query by its scores.

    ``dw_b / ds_a = (beta / scale) sech^2(s_a / (scale c)) J_ab`` with J from `softmax_jacobian`; the softcap's factor
    ``sech^2 = 1 - tanh^2`` only where there is a softcap c.

    Parameters
    ----------
    attention : Attention
    query : int
        From 0.

    Returns
    -------
    (n_k, n_k) array or None
        Row a: what one unit more of score a does to every weight. Hidden keys and empty rows 0, invalid rows NaN; None
        where weights were given. At beta = +-inf 0, the limit: at a tie, where the weights jump, there is none.

    Examples
    --------
    >>> from explorer.core.attention import attend
    >>> from explorer.core.problem import Problem, Scores
    >>> score_jacobian(attend(Problem(Scores([[5, 5]]), scale=2)), 0)
    array([[ 0.125, -0.125],
           [-0.125,  0.125]])
    """
    if attention.scores is None:
        return None
    return _by_score(attention, query, softmax_jacobian(attention.weights[query]))


def output_gradient(attention: Attention, query: int) -> Matrix | None:
    """Derivative of the output of a query by its scores.

    ``do_c / ds_a = (beta / scale) sech^2(s_a / (scale c)) w_a sum_b w_b (v_ac - v_bc)``, as `score_jacobian`.

    Parameters
    ----------
    attention : Attention
    query : int
        From 0.

    Returns
    -------
    (n_k, d_v) array or None
        Row a: what one unit more of score a adds to the output, in units of the values. Hidden keys and empty rows 0,
        invalid rows NaN, as is a column with a value of non-zero weight that is not finite; None where weights were
        given, or no values. At beta = +-inf 0.

    Examples
    --------
    >>> from explorer.core.attention import attend
    >>> from explorer.core.problem import Problem, Scores
    >>> output_gradient(attend(Problem(Scores([[5, 5]], v=[[0, 7], [4, 7]]), scale=1)), 0)
    array([[-1.,  0.],
           [ 1.,  0.]])
    """
    if attention.scores is None or attention.v is None:
        return None
    weights, v = attention.weights[query], attention.v
    used = weights != 0  # NaN in an invalid row
    gradient = np.zeros(v.shape)
    with np.errstate(all="ignore"):
        finite = np.isfinite(v[used]).all(axis=0)  # (d_v,)
        gradient[used] = np.where(finite, _weighted_leads(weights[used], v[used]), np.nan)
    return _by_score(attention, query, gradient)


def _by_score(attention: Attention, query: int, by_logit: Matrix) -> Matrix:
    """What was differentiated by the logits (rows), by the scores instead."""
    problem = attention.problem
    assert attention.scaled is not None
    if attention.status[query] == "invalid":
        return np.full(by_logit.shape, np.nan)
    if attention.status[query] == "empty" or math.isinf(problem.beta):
        return np.zeros(by_logit.shape)
    over, up = math.frexp(problem.beta)
    under, down = math.frexp(problem.divisor)
    with np.errstate(all="ignore"):
        # beta / scale alone may overflow where its product with a small derivative does not.
        by_score = np.ldexp(by_logit * (over / under), up - down)
        if problem.softcap:
            # 1 - tanh^2 would be 0 from 19 on.
            slope = np.cosh(attention.scaled[query] / problem.softcap) ** -2.0
            by_score *= np.where(attention.allowed[query], slope, 0.0)[:, None]
    return np.asarray(by_score + 0.0)  # no -0.0


def _is_defined(weights: NDArray[np.float64]) -> Booleans:
    return np.asarray((np.isfinite(weights) & (weights >= 0)).all(axis=-1))


def _others(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of all other weights of the row, added up from both ends so that nothing is ever subtracted."""
    others = np.zeros(weights.shape)
    others[..., 1:] += np.cumsum(weights[..., :-1], axis=-1)
    others[..., :-1] += np.cumsum(weights[..., :0:-1], axis=-1)[..., ::-1]
    return others


def _largest_root(weights: Matrix) -> Vector:
    """The largest t with sum_a w_a / (w_a - t) = 0, for rows of sum 1 with two weights above 0 at least.

    It lies between the second largest weight and the largest. With psi = sum of w / (t - w) without the largest
    weight W, ``g(t) = 1 / psi + t / W - 1`` is 0 there, increasing and concave: Newton from the left never passes it.
    """
    at = np.arange(len(weights)), np.argmax(weights, axis=1)
    top = weights[at]
    rest = weights.copy()
    rest[at] = 0.0
    second, without_top = rest.max(axis=1), rest.sum(axis=1)
    # From the left: what Rayleigh's quotient gives for the two largest against each other.
    without_second = top + (without_top - second)
    root = (top * without_top + second * without_second) / 2 + top * second
    for _ in range(_MOST_STEPS):
        q = rest / (root[:, None] - rest)
        psi = q.sum(axis=1)
        slope = (q * (1 + q)).sum(axis=1) / psi**2 + root / top
        step = (1 / psi + root / top - 1) / slope
        step[~np.isfinite(step)] = 0.0  # the root is the second weight itself, within rounding
        root *= 1 - step
        if (np.abs(step) <= 2.0**-51).all():
            break
    return np.asarray(root)


def _weighted_leads(weights: Vector, v: Matrix) -> Matrix:
    """w_a sum_b w_b (v_ac - v_bc), with the accuracy of these differences but without all n_k^2 of them.

    Each column is sorted; then the terms of both signs are sums over the gaps to the left and to the right. The usual
    v_a - output would lose the digits of an output close to v_a.
    """
    order = np.argsort(v, axis=0)
    ordered = np.take_along_axis(v, order, axis=0)
    share = weights[order]  # (n_k, d_v)
    half = 0.5 if np.abs(v).max(initial=0.0) > 2.0**1022 else 1.0  # where a gap may overflow
    gaps = half * ordered[1:] - half * ordered[:-1]
    lead = np.zeros(v.shape)
    lead[1:] += np.cumsum(np.cumsum(share[:-1], axis=0) * gaps, axis=0)
    lead[:-1] -= np.cumsum(np.cumsum(share[:0:-1], axis=0) * gaps[::-1], axis=0)[::-1]
    unordered = np.empty(v.shape)
    np.put_along_axis(unordered, order, lead, axis=0)
    return np.asarray(weights[:, None] * unordered / half)
