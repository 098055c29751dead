"""Nested JSON lists as matrices, masks and tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats.arrays.arrays import DEEPEST, array_of, check_shape
from explorer.formats.imported import Imported, Numbers
from explorer.formats.json_values import shown
from explorer.formats.tables.mixed_cells import matrix_of_mixed
from explorer.formats.tables.number_text import visible
from explorer.formats.tables.table_cells import number

# What json_text makes of NaN, Infinity and -Infinity, and what people write for them.
_SPECIAL = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_LARGEST = int(np.finfo(np.float64).max)
_EXACT = 2**53
_EVEN = "give all rows one length"

Shape = tuple[int, ...]


def array_in(item: list[object], *, name: str = "", axes: tuple[str, ...] = ()) -> Imported:
    """Lists of one to five levels; errors name part, row and column, counted from 1."""
    shape = _shape_of_first(item)
    check_shape(shape)
    cells = _cells(item, shape)
    is_row = len(shape) == 1
    found = _made(cells, (1, *shape) if is_row else shape, name, axes)
    return replace(found, notes=(*found.notes, "one row")) if is_row else found


def _made(cells: Sequence[object], shape: Shape, name: str, axes: tuple[str, ...]) -> Imported:
    kinds = set(map(type, cells))
    if kinds == {bool}:
        return array_of(np.array(cells, dtype=bool).reshape(shape), name=name, axes=axes)
    if not kinds <= {int, float, str}:
        raise _strange_cell(cells, shape)
    if str in kinds:
        if not {cell for cell in cells if isinstance(cell, str)} <= set(_SPECIAL):
            return _with_texts(cells, shape, name, axes)
        cells = [_SPECIAL[cell] if isinstance(cell, str) else cell for cell in cells]
    try:
        values: Numbers = np.array(cells, dtype=np.float64)
    except OverflowError:
        raise _too_large(cells, shape) from None
    notes = []
    if int in kinds and any(type(cell) is int and abs(cell) > _EXACT and float(cell) != cell for cell in cells):
        notes.append("whole numbers beyond 2^53 are rounded to about 16 digits")
    return array_of(values.reshape(shape), name=name, notes=notes, axes=axes)


def _shape_of_first(item: object) -> Shape:
    """How many entries the first list of every level has."""
    shape: list[int] = []
    while isinstance(item, list):
        shape.append(len(item))
        if len(shape) > DEEPEST:
            raise ExplorerError(f"nested more than {DEEPEST} deep", "choose a part of it")
        item = item[0] if item else None
    return tuple(shape)


def _cells(item: list[object], shape: Shape) -> list[object]:
    """All cells in order, when all lists of a level are as long as the first one."""
    level: list[Any] = item
    for depth, length in enumerate(shape[1:], start=1):
        if set(map(type, level)) != {list} or set(map(len, level)) != {length}:
            raise _uneven(level, shape, depth)
        level = [*chain.from_iterable(level)]
    return level


def _uneven(level: Sequence[object], shape: Shape, depth: int) -> ExplorerError:
    """The error for the first thing at this depth that is no list, or one of another length."""
    at, entry = next(
        (i, entry) for i, entry in enumerate(level) if not isinstance(entry, list) or len(entry) != shape[depth]
    )
    place = [int(index) + 1 for index in np.unravel_index(at, shape[:depth])]
    ones = [1] * len(place)
    if depth == len(shape) - 1:
        where, first = _row(place), _row(ones)
        unit = "number"
    else:
        where, first = _part(place), _part(ones)
        unit = "row" if depth == len(shape) - 2 else "part"
    if not isinstance(entry, list):
        return ExplorerError(f"{where} is {shown(entry)}, not a list", _EVEN)
    counted = f"{len(entry)} {unit}{'s' * (len(entry) != 1)}"
    return ExplorerError(f"{where} has {counted}, {first} has {shape[depth]}", _EVEN)


def _part(place: Sequence[int]) -> str:
    return "part " + ".".join(map(str, place)) if place else ""


def _row(place: Sequence[int]) -> str:
    return ", ".join(filter(None, (_part(place[:-1]), f"row {place[-1]}")))


def _cell(at: int, shape: Shape) -> str:
    """Where a cell is, in words."""
    *place, column = (int(index) + 1 for index in np.unravel_index(at, shape))
    return f"{_row(place)}, column {column}"


def _with_texts(cells: Sequence[object], shape: Shape, name: str, axes: tuple[str, ...]) -> Imported:
    """Texts of numbers among the cells; of a matrix also labels."""
    known = [cell for cell in cells if isinstance(cell, int | float | str)]
    if len(shape) > 2:
        values = [
            _number(cell, _part([int(index) + 1 for index in np.unravel_index(at, shape)[:-2]]), at, shape)
            if isinstance(cell, str)
            else cell
            for at, cell in enumerate(known)
        ]
        return _made(values, shape, name, axes)
    rows = [known[start : start + shape[1]] for start in range(0, len(known), shape[1])]
    found = matrix_of_mixed(rows, name=name)
    inner = (shape[0] - bool(found.column_labels), shape[1] - bool(found.row_labels))
    if found.values is not None and found.values.shape != inner:  # an empty margin, which tables drop
        at = next((at for at, cell in enumerate(known) if at and isinstance(cell, str) and not visible(cell)), 0)
        raise ExplorerError(f"{_cell(at, shape)} is empty", "give a number")
    return found


def _number(text: str, part: str, at: int, shape: Shape) -> float:
    row, column = (int(index) + 1 for index in np.unravel_index(at, shape)[-2:])
    try:
        return number(text, row, column)
    except ExplorerError as error:
        raise ExplorerError(f"{part}, {error.message}", error.hint) from None


def _strange_cell(cells: Sequence[object], shape: Shape) -> ExplorerError:
    """The error for the first cell that is neither number nor text."""
    at, cell = next((at, cell) for at, cell in enumerate(cells) if type(cell) not in (int, float, str))
    if cell is None:
        return ExplorerError(f"{_cell(at, shape)} is null", "give a number")
    among = " among numbers" if isinstance(cell, bool) else ""
    return ExplorerError(f"{_cell(at, shape)}: {shown(cell)}{among} is not a number", "give a number")


def _too_large(cells: Sequence[object], shape: Shape) -> ExplorerError:
    """The error for the first whole number beyond the largest number."""
    large = (at for at, cell in enumerate(cells) if isinstance(cell, int) and abs(cell) > _LARGEST)
    at = next(large, 0)
    return ExplorerError(f"{_cell(at, shape)}: {str(cells[at])[:20]}... is too large", "numbers end at 1.8e308")
