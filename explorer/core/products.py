"""Products of matrices whose digits can be relied on."""

from __future__ import annotations

import numpy as np

from explorer.core.matrices import Matrix

# Products of at most this many multiplications use a sum whose digits do not depend on the other rows.
SMALL = 2_000_000


def product(a: Matrix, b: Matrix) -> Matrix:
    """Matrix product, silent on overflow; for small sizes each row's digits do not depend on the other rows.

    ``c_ij = sum_d a_id b_dj``

    Parameters
    ----------
    a : (n, d) array
    b : (d, m) array

    Returns
    -------
    (n, m) array
        inf or NaN where a sum overflowed.

    Examples
    --------
    >>> product(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]))
    array([[11.]])
    """
    with np.errstate(all="ignore"):
        if a.shape[0] * a.shape[1] * b.shape[1] <= SMALL:
            return np.asarray(np.einsum("id,dj->ij", a, b, optimize=False))
        return np.asarray(a @ b)


def blend(weights: Matrix, v: Matrix | None) -> Matrix | None:
    """The output: value rows blended by weights, where one of weight 0 counts 0 whatever it holds (0 * NaN is NaN).

    ``o_ic = sum_j w_ij v_jc``

    Parameters
    ----------
    weights : (n_q, n_k) array
    v : (n_k, d_v) array or None

    Returns
    -------
    (n_q, d_v) array or None
        Read-only; None without values.

    Examples
    --------
    >>> blend(np.array([[0.25, 0.75, 0.0]]), np.array([[4.0], [8.0], [np.nan]]))
    array([[7.]])
    """
    if v is None:
        return None
    finite = np.isfinite(v).all(axis=1)  # (n_k,)
    if finite.all():
        output = _blend_finite(weights, v)
        output.setflags(write=False)
        return output
    output = _blend_finite(np.compress(finite, weights, axis=1), v[finite])  # in C order, as the digits depend on it
    with np.errstate(all="ignore"):
        for j in np.flatnonzero(~finite):
            used = weights[:, j] != 0
            output[used] += weights[used, j, None] * v[j]
    output.setflags(write=False)
    return output


def _blend_finite(weights: Matrix, v: Matrix) -> Matrix:
    """The product; a blend of values near the largest number stays among them, where its partial sums overflow."""
    output = product(weights, v)
    if np.isfinite(output).all():
        return output
    down = 2.0 ** -np.ceil(np.log2(len(v) + 1))
    with np.errstate(all="ignore"):
        is_blend = (weights >= 0).all(axis=1) & (weights.sum(axis=1) <= 1 + 1e-9)
        safe = np.clip(product(weights, down * v), down * min(v.min(), 0.0), down * max(v.max(), 0.0)) / down
    return np.where(is_blend[:, None] & ~np.isfinite(output), safe, output)


def rounding_of_products(q: Matrix, k: Matrix) -> Matrix:
    """How far two equal dot products may come out apart in float64.

    ``(d_k + 2) 2^-52 sum_d |q_id| |k_jd|``: twice the bound of a dot product's rounding (Higham, Accuracy and
    Stability of Numerical Algorithms, section 3.1).

    Parameters
    ----------
    q : (n_q, d_k) array
    k : (n_k, d_k) array

    Returns
    -------
    (n_q, n_k) array

    Examples
    --------
    >>> rounding_of_products(np.array([[3.0]]), np.array([[2.0]])) == 18 * 2.0**-52
    array([[ True]])
    """
    # Half of 2^-52 goes into each factor: the sum alone may overflow where its rounding does not.
    return np.asarray((q.shape[1] + 2) * product(2.0**-26 * np.abs(q), 2.0**-26 * np.abs(k).T))
