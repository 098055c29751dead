"""What the weights of a row say about it: entropy, its share of the most there can be, effective keys."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]


def entropy_of_weights(weights: Matrix) -> Vector:
    """Entropy of given weights in nats, row by row, with 0 ln 0 = 0.

    ``H_i = -sum_j w_ij ln w_ij`` (Shannon 1948).

    For weights made here the softmax gives entropy without this sum's cancellation.

    Parameters
    ----------
    weights : (n_q, n_k) array

    Returns
    -------
    (n_q,) array
        NaN where a row is empty, has a negative cell, or one that is not finite.

    Examples
    --------
    >>> import numpy as np
    >>> entropy_of_weights(np.array([[0.1, 0.7, 0.2], [1.0, 0.0, 0.0]])).round(4)
    array([0.8018, 0.    ])
    """
    defined = (np.isfinite(weights) & (weights >= 0)).all(axis=1) & (weights.shape[1] > 0)
    safe = np.where((weights > 0) & np.isfinite(weights), weights, 1.0)
    with np.errstate(over="ignore"):  # given weights may be of any size
        return np.where(defined, 0.0 - np.sum(safe * np.log(safe), axis=1), np.nan)


def entropy_share(entropy: Vector, keys: NDArray[np.int64]) -> Vector:
    """H / ln n: entropy over the most that n allowed keys can have; NaN with one key or none.

    Parameters
    ----------
    entropy : (n_q,) array, nats
    keys : (n_q,) array
        Number of allowed keys.

    Returns
    -------
    (n_q,) array
        Between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> entropy_share(np.array([np.log(2), 0.0]), np.array([4, 1]))
    array([0.5, nan])
    """
    return np.where(keys > 1, entropy / np.log(np.maximum(keys, 2)), np.nan)


def effective_keys(entropy: Vector) -> Vector:
    """e^H, the perplexity: how many equally weighted keys would spread as much.

    Parameters
    ----------
    entropy : (n_q,) array, nats

    Returns
    -------
    (n_q,) array
        Between 1 and the number of keys; NaN where entropy is.

    Examples
    --------
    >>> import numpy as np
    >>> effective_keys(np.array([0.0, np.log(3)])).round(12)
    array([1., 3.])
    """
    return np.asarray(np.exp(entropy))
