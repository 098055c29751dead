"""Softmax by rows over the allowed keys, stable for any finite scores and any beta."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Booleans = NDArray[np.bool_]

# Outside this range beta / scale loses digits as one number, so the two are applied by mantissa and exponent.
_SAFE = (1e-290, 1e290)


@dataclass(frozen=True, eq=False)
class SoftmaxRows:
    """Weights (n_q, n_k), their entropy (n_q,) in nats, and the rows whose ties rounding decided (n_q,)."""

    weights: Matrix
    entropy: Matrix
    tied_by_rounding: Booleans


def softmax(
    x: Matrix, allowed: Booleans, *, beta: float = 1.0, scale: float = 1.0, tolerance: Matrix | None = None
) -> SoftmaxRows:
    """Weights ``exp(beta x / scale)`` over the allowed keys of each row, divided by their sum.

    Parameters
    ----------
    x : (n_q, n_k) array
        Scores; what hidden cells hold does not matter. Allowed cells must not be NaN.
    allowed : (n_q, n_k) boolean array
        True = may attend.
    beta : float
        Inverse temperature: any real; inf shares the row among its largest scores, -inf among its smallest.
    scale : float
        Divisor, above 0.
    tolerance : (n_q, n_k) array, optional
        How far apart two scores may be and still count as tied at beta = +-inf.

    Returns
    -------
    SoftmaxRows
        A row without an allowed key has weights 0 and entropy NaN.

    Notes
    -----
    The row's maximum is subtracted first, on the raw scores: scaling first, as is usual, rounds large scores before
    their difference is taken (380 000 units in the last place off for 1e6 +- 5; this order 3).
    Vaswani et al., Attention Is All You Need (2017), equation 1, with the inverse temperature beta.
    Entropy, after Shannon (1948), is computed as
    ``log1p(sum of exp(z) without one maximum) + sum(w * -z)``, never ``-sum w ln w``, which cancels.

    Examples
    --------
    >>> import numpy as np
    >>> softmax(np.array([[2.0, 3.0, -np.inf]]), np.array([[True, True, False]])).weights.round(3)
    array([[0.269, 0.731, 0.   ]])
    """
    with np.errstate(all="ignore"):
        if math.isinf(beta):
            return _shared_extremes(x, allowed, largest=beta > 0, tolerance=tolerance)
        if beta == 0:
            return _equal_shares(allowed)
        return _soft(x, allowed, beta, scale)


def _soft(x: Matrix, allowed: Booleans, beta: float, scale: float) -> SoftmaxRows:
    # A -inf among the allowed cells cannot win for beta > 0 and has weight 0; callers hide typed ones anyway.
    lowest = -np.inf if beta > 0 else np.inf
    seen = np.where(allowed, x, lowest)  # (n_q, n_k)
    top = np.max(seen, axis=1, keepdims=True, initial=lowest) if beta > 0 else _row_minimum(seen)  # (n_q, 1)
    z = np.where(allowed, _exponents(seen, top, beta, scale), -np.inf)
    e = np.exp(z)
    rest = _without_one_maximum(e)  # (n_q,)
    has_key = allowed.any(axis=1)
    total = np.where(has_key, 1.0 + rest, 1.0)
    weights = e / total[:, None]
    spread = np.sum(weights * -np.where(e > 0, z, 0.0), axis=1)
    entropy = np.where(has_key, np.log1p(rest) + spread, np.nan)
    return SoftmaxRows(weights, entropy, np.zeros(len(x), dtype=bool))


def _row_minimum(seen: Matrix) -> Matrix:
    return np.asarray(np.min(seen, axis=1, keepdims=True, initial=np.inf))


def _exponents(seen: Matrix, top: Matrix, beta: float, scale: float) -> Matrix:
    """beta (x - top) / scale, where top is the score that wins: 0 there and negative elsewhere."""
    gap = seen - top
    factor = beta / scale
    if _SAFE[0] <= abs(factor) <= _SAFE[1]:
        return gap * factor  # a gap that overflowed is far enough for a weight of 0
    half = np.where(np.isinf(gap) & np.isfinite(seen), seen / 2 - top / 2, np.nan)  # x - top overflowed
    return np.where(np.isnan(half), _times_factor(gap, beta, scale), _times_factor(half, beta, scale) * 2)


def _times_factor(gap: Matrix, beta: float, scale: float) -> Matrix:
    """beta gap / scale by mantissas and exponents apart, so that no step between leaves the range."""
    mantissa, exponent = np.frexp(gap)
    over, over_exponent = math.frexp(beta)
    under, under_exponent = math.frexp(scale)
    return np.asarray(np.ldexp(mantissa * (over / under), exponent + (over_exponent - under_exponent)))


def _without_one_maximum(e: Matrix) -> Matrix:
    """Sum of each row without one of its largest entries, so that 1 + rest keeps the digits of a small rest."""
    if e.shape[1] == 0:
        return np.zeros(len(e))
    rest = e.copy()
    rest[np.arange(len(e)), np.argmax(e, axis=1)] = 0.0
    return np.asarray(rest.sum(axis=1))


def _shares(chosen: Booleans) -> tuple[Matrix, Matrix]:
    """Equal weights of the chosen cells of each row, and their entropy ln(count); rows with none: 0 and NaN."""
    count = chosen.sum(axis=1)  # (n_q,)
    weights = chosen / np.maximum(count, 1)[:, None]
    entropy = np.where(count > 0, np.log(np.maximum(count, 1)), np.nan)
    return weights, entropy


def _equal_shares(allowed: Booleans) -> SoftmaxRows:
    weights, entropy = _shares(allowed)
    return SoftmaxRows(weights, entropy, np.zeros(len(allowed), dtype=bool))


def _shared_extremes(x: Matrix, allowed: Booleans, *, largest: bool, tolerance: Matrix | None) -> SoftmaxRows:
    signed = np.where(allowed, x if largest else -x, -np.inf)
    top = np.max(signed, axis=1, keepdims=True, initial=-np.inf)
    exact = allowed & (signed == top)
    chosen = exact
    if tolerance is not None and x.shape[1]:
        at_top = np.take_along_axis(tolerance, np.argmax(signed, axis=1)[:, None], axis=1)
        gap = np.abs(signed - top)
        near = (gap <= np.maximum(tolerance, at_top)) & np.isfinite(gap)
        chosen = allowed & (near | exact)
    weights, entropy = _shares(chosen)
    return SoftmaxRows(weights, entropy, (chosen != exact).any(axis=1))
