"""NumPy arrays as imported matrices, masks and tensors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.matrices import shape_text
from explorer.errors import ExplorerError
from explorer.formats.imported import Booleans, Imported, Numbers
from explorer.formats.named_parts import joined, quoted
from explorer.state.document import Labels

Array = NDArray[Any]

MOST_NUMBERS = 2**24
DEEPEST = 5
AXES: Mapping[int, tuple[str, ...]] = {
    3: ("head", "query", "key"),
    4: ("batch", "head", "query", "key"),
    5: ("layer", "batch", "head", "query", "key"),
}
# Whole numbers up to here are all float64 numbers.
_EXACT = 2**53
_REFUSED: Mapping[str, tuple[str, str]] = {
    "O": ("an object array: Python objects are not read", "save numbers, with .astype(float)"),
    "c": ("complex numbers", "save the real part, or the absolute value"),
    "U": ("texts, not numbers", "save numbers, with .astype(float)"),
    "S": ("texts, not numbers", "save numbers, with .astype(float)"),
    "T": ("texts, not numbers", "save numbers, with .astype(float)"),
    "M": ("dates, not numbers", "save numbers"),
    "m": ("times, not numbers", "save numbers"),
    "V": ("records or an unknown type of number", "save numbers, with .astype(np.float32)"),
}


def array_of(
    values: Array, *, name: str = "", notes: Sequence[str] = (), axes: tuple[str, ...] = (),
    row_labels: Labels = (), column_labels: Labels = (),
) -> Imported:  # fmt: skip
    """A matrix, mask or tensor; one dimension is one row, ``axes`` names the axes where they are not the usual ones."""
    check_shape(values.shape)
    check_kind(values.dtype)
    numbers, said = _widened(values)
    said = [*notes, *said]
    if numbers.ndim == 1:
        numbers = numbers[np.newaxis]
        said.append("one row")
    if numbers.dtype == np.bool_ and numbers.ndim > 2 and math.prod(numbers.shape[:-2]) == 1:
        said.append(f"axes of length 1 left out of {shape_text(numbers.shape)}")
        numbers = numbers.reshape(numbers.shape[-2:])
    kind = "tensor" if numbers.ndim > 2 else "mask" if numbers.dtype == np.bool_ else "matrix"
    return Imported(
        kind, numbers, name=name, notes=tuple(said), row_labels=row_labels, column_labels=column_labels,
        axes=(axes or AXES[numbers.ndim]) if kind == "tensor" else (),
    )  # fmt: skip


def named_of(arrays: Mapping[str, Array | Sequence[str]], *, notes: Sequence[str] = ()) -> Imported:
    """What arrays and lists of texts by name hold together: one array, or "named"; single numbers are left out."""
    parts: dict[str, Imported] = {}
    labels: dict[str, list[str]] = {}
    said = list(notes)
    for name, values in arrays.items():
        if not isinstance(values, np.ndarray):
            labels[name] = [str(text) for text in values]
        elif values.dtype.kind in "US" and values.ndim == 1:
            labels[name] = texts_of(values)
        elif values.ndim == 0 and len(arrays) > 1:
            said.append(f"{quoted(name)} is a single {'number' if values.dtype.kind in 'biuf' else 'value'}: left out")
        else:
            try:
                parts[name] = array_of(values)
            except ExplorerError as error:
                raise ExplorerError(f"{quoted(name)}: {error.message}", error.hint) from None
    return joined(parts, labels, notes=said)


def check_shape(shape: Sequence[int]) -> None:
    """Refuse a shape that is no matrix or tensor of at most 16 million numbers, before memory is taken for it."""
    if not shape:
        raise ExplorerError("a single number, not a matrix", "give rows and columns")
    if len(shape) > DEEPEST:
        raise ExplorerError(f"{len(shape)} dimensions", f"choose a part of at most {DEEPEST}")
    size = math.prod(shape)
    if size == 0:
        raise ExplorerError(f"empty: {shape_text([*shape])} numbers", "give at least one row and column")
    if size > MOST_NUMBERS:
        raise ExplorerError(f"{shape_text([*shape])} numbers are too many", f"choose a part of at most {MOST_NUMBERS}")


def check_kind(dtype: np.dtype[Any]) -> None:
    """Refuse what is neither real numbers nor booleans."""
    if dtype.kind == "V" and dtype.itemsize == 2 and dtype.names is None:
        raise ExplorerError("2-byte numbers of an unnamed type, perhaps bfloat16", "save .astype(np.float32)")
    if dtype.kind not in "biuf":
        what, hint = _REFUSED.get(dtype.kind, ("no numbers", "save numbers"))
        raise ExplorerError(f"holds {what}", hint)


def texts_of(values: Array) -> list[str]:
    """The texts of a one-dimensional array; bytes are UTF-8."""
    return [
        text.decode("utf-8", "replace") if isinstance(text, bytes) else text.encode("utf-8", "replace").decode()
        for text in values.tolist()
    ]


def _widened(values: Array) -> tuple[Numbers | Booleans, list[str]]:
    """A copy in rows, as float64 or bool, with notes on what is not as it was."""
    if values.dtype.kind == "b":
        return np.array(values, dtype=np.bool_, order="C"), []
    with np.errstate(all="ignore"):
        numbers: Numbers = np.array(values, dtype=np.float64, order="C")
    said = []
    if values.dtype.kind in "iu" and (int(values.max()) > _EXACT or int(values.min()) < -_EXACT):
        said.append("whole numbers beyond 2^53 are rounded to about 16 digits")
    if values.dtype.itemsize > 8:
        if not np.array_equal(np.isinf(numbers), np.isinf(values)):
            raise ExplorerError("holds numbers beyond 1.8e308", "save them smaller, as float64")
        said.append("rounded to 64 bits")
    if missing := int(np.isnan(numbers).sum()):
        said.append(f"{missing} cell{'s are' if missing > 1 else ' is'} nan")
    return numbers, said
