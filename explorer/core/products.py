"""Products of matrices whose digits can be relied on."""

from __future__ import annotations

import numpy as np

from explorer.core.problem import Matrix

# Products of at most this many multiplications use a sum whose digits do not depend on the other rows.
SMALL = 2_000_000


def product(a: Matrix, b: Matrix) -> Matrix:
    """a @ b, silent on overflow; for small sizes each row's digits do not depend on the other rows."""
    with np.errstate(all="ignore"):
        if a.shape[0] * a.shape[1] * b.shape[1] <= SMALL:
            return np.asarray(np.einsum("id,dj->ij", a, b, optimize=False))
        return np.asarray(a @ b)


def blend(weights: Matrix, v: Matrix | None) -> Matrix | None:
    """weights v (n_q, d_v), where a value row of weight 0 counts 0 even if it holds NaN or inf (0 * NaN is NaN)."""
    if v is None:
        return None
    finite = np.isfinite(v).all(axis=1)  # (n_k,)
    if finite.all():
        output = product(weights, v)
        output.setflags(write=False)
        return output
    output = product(np.compress(finite, weights, axis=1), v[finite])  # in C order, as the digits depend on it
    with np.errstate(all="ignore"):
        for j in np.flatnonzero(~finite):
            used = weights[:, j] != 0
            output[used] += weights[used, j, None] * v[j]
    output.setflags(write=False)
    return output


def rounding_of_products(q: Matrix, k: Matrix) -> Matrix:
    """How far two equal dot products may come out apart: (d_k + 2) 2^-52 sum |q| |k|."""
    # Half of 2^-52 goes into each factor: the sum alone may overflow where its rounding does not.
    return np.asarray((q.shape[1] + 2) * product(2.0**-26 * np.abs(q), 2.0**-26 * np.abs(k).T))
