"""Typed values out of parsed JSON, with errors that name the place by its path."""

from __future__ import annotations

import json

import numpy as np

from explorer.core.matrices import Matrix
from explorer.errors import ExplorerError
from explorer.formats.cells import read_cell
from explorer.state.document import Texts

_LONGEST = 40
_DEEPEST = 50
_MOST = 2**53


def shown(item: object) -> str:
    """A JSON value as an error message shows it: short, on one line."""
    if isinstance(item, dict):
        return "an object"
    if isinstance(item, list):
        return "a list"
    text = f"'{item}'" if isinstance(item, str) and item.isprintable() else json.dumps(item)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def wrong(item: object, where: str, expected: str) -> ExplorerError:
    """The error for a value of another type than expected."""
    if item is None:
        return ExplorerError(f"{where}: missing", f"give {expected}")
    return ExplorerError(f"{where}: {shown(item)} is not {expected}", f"put {expected} there")


def as_text(item: object, where: str) -> str:
    """A text; half of a surrogate pair, which no file can hold, becomes a question mark."""
    if not isinstance(item, str):
        raise wrong(item, where, "a text")
    return item.encode("utf-8", "replace").decode("utf-8")


def as_object(item: object, where: str) -> dict[str, object]:
    """An object with names and values."""
    if not isinstance(item, dict):
        raise wrong(item, where, "an object { }")
    return item


def as_list(item: object, where: str) -> list[object]:
    """A list."""
    if not isinstance(item, list):
        raise wrong(item, where, "a list [ ]")
    return item


def as_whole(item: object, where: str, least: int = -_MOST) -> int:
    """A whole number that is not below ``least``."""
    if isinstance(item, float) and item.is_integer():
        item = int(item)
    if isinstance(item, bool) or not isinstance(item, int):
        raise wrong(item, where, "a whole number")
    if not least <= item <= _MOST:
        bound = f"{least} or more" if item < least else f"at most {_MOST}"
        raise ExplorerError(f"{where}: {shown(item)} is out of range", f"give {bound}")
    return item


def as_number(item: object, where: str) -> float:
    """A number, or the text of one ("inf", "1/3")."""
    return read_cell(item, where)[0]


def as_booleans(item: object, where: str) -> list[bool]:
    """A list of true and false."""
    items = as_list(item, where)
    for position, entry in enumerate(items):
        if not isinstance(entry, bool):
            raise wrong(entry, f"{where}[{position}]", "true or false")
    return [entry is True for entry in items]


def as_rows(item: object, where: str, cells: str) -> list[list[object]]:
    """A list of lists of one length; ``cells`` says what is in them."""
    rows = [as_list(row, f"{where}[{i}]") for i, row in enumerate(as_list(item, where))]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ExplorerError(
                f"{where}: row {i + 1} has {len(row)} {cells}, row 1 has {len(rows[0])}", "give all rows one length"
            )
    return rows


def as_matrix(item: object, where: str) -> tuple[Matrix, Texts | None]:
    """A matrix, and what was typed where it says more than the number; ``[]`` is 0 x 0."""
    rows = as_rows(item, where, "numbers")
    shape = (len(rows), len(rows[0]) if rows else 0)
    values = np.zeros(shape)
    texts = np.full(shape, None, dtype=object)
    for i, row in enumerate(rows):
        if {type(cell) for cell in row} == {float}:
            values[i] = np.array(row, dtype=np.float64)  # most of a large file: no path for each cell
            continue
        for j, cell in enumerate(row):
            values[i, j], texts[i, j] = read_cell(cell, f"{where}[{i}][{j}]")
    values.setflags(write=False)
    texts.setflags(write=False)
    return values, texts if any(text is not None for text in texts.flat) else None


def check_nesting(item: object, where: str) -> None:
    """Refuse what is nested too deep to be written back."""
    level = [item]
    for _ in range(_DEEPEST):
        level = [
            child
            for value in level
            if isinstance(value, (dict, list))
            for child in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return
    raise ExplorerError(f"{where}: nested more than {_DEEPEST} deep", "take it out of the file")
