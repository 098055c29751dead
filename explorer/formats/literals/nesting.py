"""Nested lists of the texts of cells: their shape, and other arrangements of the same cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from explorer.errors import ExplorerError
from explorer.formats.arrays.arrays import DEEPEST

Item: TypeAlias = "str | list[Item]"
Items: TypeAlias = "list[Item]"

_EVEN = "give all rows one length"


def shape_of(items: Items) -> tuple[int, ...]:
    """The lengths of the lists on every level; an error where they differ, or lists and numbers are mixed."""
    shape = [len(items)]
    level: Sequence[Item] = items
    while any(isinstance(item, list) for item in level):
        if len(shape) == DEEPEST:
            raise ExplorerError(f"nested more than {DEEPEST} deep", "choose a part of it")
        lists = [item for item in level if isinstance(item, list)]
        what = "row" if not any(isinstance(item, list) for item in lists[0]) else "part"
        odd = next((i for i, item in enumerate(level) if not isinstance(item, list)), None)
        if odd is not None:
            raise ExplorerError(f"{_place(odd, shape, what)} is one number, another is a list", _EVEN)
        odd = next((i for i, item in enumerate(lists) if len(item) != len(lists[0])), None)
        if odd is not None:
            count = len(lists[odd])
            unit = ("number" if what == "row" else "row") + "s" * (count != 1)
            first = f"{_place(0, shape, what)} has {len(lists[0])}"
            raise ExplorerError(f"{_place(odd, shape, what)} has {count} {unit}, {first}", _EVEN)
        shape.append(len(lists[0]))
        level = [inner for item in lists for inner in item]
    return tuple(shape)


def _place(index: int, shape: Sequence[int], what: str) -> str:
    """Where an entry of the innermost level of this shape stands: "row 2", or "part 1.2, row 3"."""
    indices: list[int] = []
    for size in reversed(shape):
        indices.append(index % size + 1)
        index //= size
    *outer, last = reversed(indices)
    if what == "part":
        return "part " + ".".join(map(str, [*outer, last]))
    return (f"part {'.'.join(map(str, outer))}, " if outer else "") + f"row {last}"


def is_flat(item: Item) -> bool:
    """Whether this is a list of cells alone."""
    return isinstance(item, list) and not any(isinstance(inner, list) for inner in item)


def transposed(items: Items) -> Items:
    """Rows as columns; one list becomes a column."""
    shape = shape_of(items)
    if len(shape) == 1:
        return [[item] for item in items]
    if len(shape) != 2:
        raise ExplorerError(f"{len(shape)} dimensions cannot be transposed", "print the result, and paste that")
    return [[*row] for row in zip(*(item for item in items if isinstance(item, list)), strict=True)]


def flat(items: Items) -> list[str]:
    """The cells of nested lists, one after the other."""
    level: Sequence[Item] = items
    while any(isinstance(item, list) for item in level):
        level = [inner for item in level for inner in (item if isinstance(item, list) else [item])]
    return [item for item in level if isinstance(item, str)]


def arranged(cells: Sequence[str], shape: Sequence[int], *, by_column: bool = False) -> Items:
    """A flat list as nested ones of this shape; ``by_column`` for a matrix that was written column by column."""
    if not shape or math.prod(shape) != len(cells):
        shown = " x ".join(map(str, shape))
        raise ExplorerError(f"{len(cells)} numbers do not fill {shown}", "give as many as that has")
    if by_column and len(shape) == 2:
        return [[*cells[i :: shape[0]]] for i in range(shape[0])]
    made: Items = [*cells]
    for size in reversed(shape[1:]):
        made = [made[i : i + size] for i in range(0, len(made), size)]
    return made
