"""Which keys each query may attend to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.errors import ExplorerError

Allowed = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Mask:
    """A rule for the boolean matrix ``allowed`` (n_q, n_k), True = may attend.

    ``align`` is "start" or "end" (causal, window); ``left`` and ``right`` count keys, None = open (window);
    ``keys`` (n_k,) hides whole keys (padding; causal and window may carry it too); ``allowed`` (n_q, n_k) is
    the matrix itself (custom).
    """

    kind: str = "none"
    align: str = "start"
    left: int | None = None
    right: int | None = None
    keys: Allowed | None = None
    allowed: Allowed | None = None

    def __post_init__(self) -> None:
        if self.kind not in dict(MASKS):
            known = ", ".join(kind for kind, _ in MASKS)
            raise ExplorerError(f"mask kind {self.kind!r} is not known", f"use one of {known}")
        if self.align not in ("start", "end"):
            raise ExplorerError(f"mask align {self.align!r} is not known", 'use "start" or "end"')
        for name in ("left", "right"):
            width = getattr(self, name)
            if width is not None and not (_is_count(width) and width >= 0):
                raise ExplorerError(f"window {name} is {width!r}", "give a whole number from 0, or leave it open")
        for name, ndim in (("keys", 1), ("allowed", 2)):
            array = getattr(self, name)
            if array is not None:
                try:
                    array = np.array(array, dtype=bool)
                except ValueError:
                    raise ExplorerError(
                        f"mask {name} is not rows of true and false", "give rows of one length"
                    ) from None
                if array.ndim != ndim:
                    raise ExplorerError(f"mask {name} has {array.ndim} dimensions", f"give {ndim}")
                array.setflags(write=False)
                object.__setattr__(self, name, array)
        if self.kind == "custom" and self.allowed is None:
            raise ExplorerError("a custom mask has no matrix", "give allowed as rows of true and false")


def _is_count(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _everything(mask: Mask, n_q: int, n_k: int) -> Allowed:
    return np.ones((n_q, n_k), dtype=bool)


def _positions(mask: Mask, n_q: int, n_k: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The key position that query i stands at, and the key positions, ready to broadcast."""
    offset = n_k - n_q if mask.align == "end" else 0
    return np.arange(n_q)[:, None] + offset, np.arange(n_k)[None, :]


def _causal(mask: Mask, n_q: int, n_k: int) -> Allowed:
    i, j = _positions(mask, n_q, n_k)
    return j <= i


def _window(mask: Mask, n_q: int, n_k: int) -> Allowed:
    i, j = _positions(mask, n_q, n_k)
    allowed = np.ones((n_q, n_k), dtype=bool)
    if mask.left is not None:
        allowed &= j >= i - mask.left
    if mask.right is not None:
        allowed &= j <= i + mask.right
    return allowed


def _custom(mask: Mask, n_q: int, n_k: int) -> Allowed:
    assert mask.allowed is not None
    return mask.allowed.copy()


MASKS: tuple[tuple[str, Callable[[Mask, int, int], Allowed]], ...] = (
    ("none", _everything),
    ("causal", _causal),
    ("padding", _everything),
    ("window", _window),
    ("custom", _custom),
)


NO_MASK = Mask()


def allowed_cells(mask: Mask, n_q: int, n_k: int) -> Allowed:
    """The boolean matrix of a mask, True = query i may attend to key j.

    Parameters
    ----------
    mask : Mask
    n_q, n_k : int
        Number of queries and keys.

    Returns
    -------
    numpy.ndarray
        Read-only booleans, shape (n_q, n_k).

    Raises
    ------
    ExplorerError
        When ``keys`` or ``allowed`` have another size.

    Notes
    -----
    Causal: ``j <= i + offset``, offset 0 when aligned to the start (torch scaled_dot_product_attention, JAX, Keras,
    ONNX without a cache) and ``n_k - n_q`` when aligned to the end (FlashAttention, MLX, a KV cache).

    Examples
    --------
    >>> allowed_cells(Mask("causal"), 2, 3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0]])
    >>> allowed_cells(Mask("causal", align="end"), 2, 3).astype(int)
    array([[1, 1, 0],
           [1, 1, 1]])
    """
    if mask.allowed is not None and mask.kind == "custom" and mask.allowed.shape != (n_q, n_k):
        rows, columns = mask.allowed.shape
        raise ExplorerError(f"the mask is {rows} x {columns}, the scores are {n_q} x {n_k}", f"make it {n_q} x {n_k}")
    allowed = dict(MASKS)[mask.kind](mask, n_q, n_k)
    if mask.keys is not None and mask.kind not in ("none", "custom"):
        if len(mask.keys) != n_k:
            raise ExplorerError(f"the padding list has {len(mask.keys)} keys, there are {n_k}", f"give {n_k}")
        allowed = allowed & mask.keys  # (n_q, n_k) & (n_k,)
    allowed.setflags(write=False)
    return allowed
