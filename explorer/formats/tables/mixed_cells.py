"""Tables whose numbers are certain and whose texts are yet to be read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from explorer.formats.arrays.arrays import array_of
from explorer.formats.imported import Imported
from explorer.formats.tables.table_cells import matrix_of
from explorer.state.document import Labels

Cell = float | str


def matrix_of_mixed(rows: Sequence[Sequence[Cell]], *, name: str = "", notes: Sequence[str] = ()) -> Imported:
    """A matrix with labels out of rows of one length; the commas in the texts say nothing about the numbers."""
    if not any(isinstance(cell, str) for row in rows for cell in row):
        return array_of(np.array(rows, dtype=np.float64), name=name, notes=notes)
    found = matrix_of([[*map(_certain, row)] for row in rows], name=name, notes=notes)
    if not found.row_labels and not found.column_labels:
        return found
    return replace(
        found,
        column_labels=_as_written(found.column_labels, rows[0]) if len(rows) else (),
        row_labels=_as_written(found.row_labels, [row[0] for row in rows if len(row)]),
    )


def _certain(cell: Cell) -> str:
    """A text as it is, a number without the dot that could be taken for one between thousands: 1.234 as 1234e-3."""
    if isinstance(cell, str):
        return cell
    text = repr(cell)
    whole, dot, rest = text.partition(".")
    if not dot:
        return text
    decimals, _, exponent = rest.partition("e")
    return f"{whole}{decimals}e{int(exponent or 0) - len(decimals)}" if cell else "0"


def _as_written(labels: Labels, cells: Sequence[Cell]) -> Labels:
    """Numbers that turned out to be labels as they were; the cells may begin with the corner."""
    first = len(cells) - len(labels)
    return tuple(
        label if isinstance(cell, str) else repr(cell) for label, cell in zip(labels, cells[first:], strict=True)
    )
