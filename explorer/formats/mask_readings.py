"""The two things that True may mean in a mask somebody brings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.formats.imported import Imported

Booleans = NDArray[np.bool_]

FAMILIES = {
    "attend": "True = may attend, as in torch SDPA, JAX, Keras, ONNX",
    "hide": "True = hidden, as in torch MultiheadAttention",
}


def readings_of_mask(mask: Imported) -> list[tuple[str, Booleans]]:
    """What is allowed when True means "attend" and when it means "hide", the likelier first.

    A reading that hides a whole row, or the whole diagonal, is less likely than one that does not.
    """
    assert mask.values is not None
    as_written = mask.values.astype(bool)
    readings: list[tuple[str, Booleans]] = [("attend", as_written), ("hide", ~as_written)]
    return sorted(readings, key=lambda reading: is_odd(reading[1]))


def is_odd(allowed: Booleans) -> bool:
    """Whether a mask hides a whole row or the whole diagonal."""
    if not allowed.size:
        return False
    return bool((~allowed).all(axis=1).any() or (~np.diagonal(allowed)).all())
