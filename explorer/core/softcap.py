"""What is done to scaled scores before the mask: softcap, then bias."""

from __future__ import annotations

import numpy as np

from explorer.core.matrices import Matrix


def capped_and_biased(scaled: Matrix, softcap: float = 0.0, bias: Matrix | None = None) -> Matrix:
    """Softcapped scores plus bias, ``c tanh(x / c) + b``; silent on overflow.

    Parameters
    ----------
    scaled : (n_q, n_k) array
        Scores over the scale.
    softcap : float
        c, 0 = none.
    bias : (n_q, n_k) array or None

    Returns
    -------
    (n_q, n_k) array
        ``scaled`` itself where there is neither.

    Notes
    -----
    Softcap and bias as in the ONNX Attention operator (softcap after Gemma 2, 2024).

    Examples
    --------
    >>> import numpy as np
    >>> capped_and_biased(np.array([[1e9, 1e-9]]), softcap=2.0, bias=np.array([[0.5, 0.0]]))
    array([[2.5e+00, 1.0e-09]])
    """
    with np.errstate(all="ignore"):
        x = scaled
        if softcap:
            ratio = scaled / softcap
            # Where x / c is tiny, c tanh(x / c) would lose digits of x.
            x = np.where(np.abs(ratio) < 1e-9, scaled, softcap * np.tanh(ratio))
        return x if bias is None else x + bias
