"""Nested lists of cells as matrices, masks and tensors."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats.arrays.arrays import array_of, check_shape
from explorer.formats.imported import Imported, Numbers, Option
from explorer.formats.literals.data import Data
from explorer.formats.literals.groups import Quoted
from explorer.formats.literals.nesting import Items, flat, shape_of
from explorer.formats.literals.numbers import cell_of
from explorer.formats.tables.number_text import TRUTH, quoted
from explorer.formats.tables.table_cells import matrix_of, number

_QUOTIENT = re.compile(r"\s*-?[0-9]+\s*/\s*[0-9]+\s*")


@dataclass(eq=False)
class Part:
    """One matrix: its name, its cells, what was found out on the way."""

    name: str
    items: Items
    data: Data


def made_of_lines(part: Part, name: str) -> Imported:
    """The matrix, or the choice between one row and a row for each line."""
    made = made_of(part, name)
    lines = part.data.rows_instead
    if lines is None or made.values is None:
        return made
    other = made_of(replace(part, items=lines), name)
    options = (_option(made, "one row"), _option(other, "each line is a row"))
    return Imported("choice", name=name, options=options)


def _option(reading: Imported, how: str) -> Option:
    assert reading.values is not None
    return Option(f"{'x'.join(map(str, reading.values.shape))} ({how})", reading)


def made_of(part: Part, name: str) -> Imported:
    """A matrix, a mask or a tensor of the cells."""
    shape = shape_of(part.items)
    check_shape(shape)
    notes = [*part.data.notes, *(["one row"] if len(shape) == 1 else [])]
    cells = flat(part.items)
    rows = [cells[i : i + shape[-1]] for i in range(0, len(cells), shape[-1])]
    if len(shape) > 2:
        return _as_torch_keeps(_tensor(part, rows, shape, name, notes), part.data.torch_type)
    made = matrix_of(
        [_without_marks(part, row, f"row {i}") for i, row in enumerate(rows, start=1)], name=name, notes=notes
    )
    left = (len(rows) - bool(made.column_labels), len(rows[0]) - bool(made.row_labels))
    if made.values is not None and made.values.shape != left:  # tables drop empty margins
        raise ExplorerError("a row or column is empty", "put numbers there, 0 if that is meant")
    return _as_torch_keeps(made, part.data.torch_type)


def _without_marks(part: Part, row: Sequence[str], where: str) -> list[str]:
    """The cells of a row without the marks of their language; errors name the place."""
    try:
        sum(map(float, row))
    except ValueError:
        return [_cell(part, text, f"{where}, column {j}") for j, text in enumerate(row, start=1)]
    return [*row]


def _cell(part: Part, text: str, where: str) -> str:
    if isinstance(text, Quoted):
        return str(text)
    if not text.strip():
        raise ExplorerError(f"{where} is empty", "put a number there, 0 if that is meant")
    if part.data.language == "c" and _QUOTIENT.fullmatch(text):
        raise ExplorerError(f"{where}: {quoted(text)} is divided without rest in C", "write 1.0/3 for 1/3")
    try:
        return cell_of(text)
    except ExplorerError as error:
        raise ExplorerError(f"{where}: {error.message}", error.hint) from None


def _tensor(
    part: Part, rows: Sequence[Sequence[str]], shape: Sequence[int], name: str, notes: Sequence[str]
) -> Imported:
    values: Numbers = np.zeros((len(rows), shape[-1]))
    truths = 0
    for i, row in enumerate(rows):
        block, line = divmod(i, shape[-2])
        outer = ".".join(str(int(k) + 1) for k in np.unravel_index(block, shape[:-2]))
        texts = _without_marks(part, row, f"part {outer}, row {line + 1}")
        if all(text in TRUTH for text in texts):
            truths += 1
            values[i] = [TRUTH[text] for text in texts]
        else:
            values[i] = _numbers(texts, f"part {outer}, ", line + 1)
    if truths not in (0, len(rows)):
        raise ExplorerError("true and false among numbers", "give only one of both")
    whole = values.reshape(shape)
    return array_of(whole != 0 if truths else whole, name=name, notes=notes)


def _numbers(texts: Sequence[str], where: str, row: int) -> list[float]:
    try:
        found = [*map(float, texts)]
    except ValueError:
        found = [math.inf]
    if all(map(math.isfinite, found)):
        return found
    try:
        return [number(text, row, j) for j, text in enumerate(texts, start=1)]  # 1e400 is an error
    except ExplorerError as error:
        raise ExplorerError(f"{where}{error.message}", error.hint) from None


def _as_torch_keeps(made: Imported, torch_type: str) -> Imported:
    """The numbers of a print as torch holds them, in 32 or 16 bits, where torch could read its print back.

    It prints infinities and nan as bare words, which are no Python; such a print keeps its decimals.
    """
    if made.kind not in ("matrix", "tensor") or made.values is None or not np.isfinite(made.values).all():
        return made
    kept = _rounded(made.values.astype(np.float64), torch_type)
    if np.array_equal(kept, made.values) or not np.isfinite(kept).all():
        return made
    return replace(made, values=kept, texts=None, notes=(*made.notes, f"{torch_type} numbers, as torch keeps them"))


def _rounded(values: Numbers, torch_type: str) -> Numbers:
    with np.errstate(all="ignore"):
        if torch_type in ("float32", "float"):
            return values.astype(np.float32).astype(np.float64)
        if torch_type in ("float16", "half"):
            return values.astype(np.float16).astype(np.float64)
    if torch_type == "bfloat16":
        mantissa, exponent = np.frexp(values)
        return np.asarray(np.ldexp(np.round(mantissa * 256) / 256, exponent))
    return values
