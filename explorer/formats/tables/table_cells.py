"""The texts of a table's cells turned into a matrix with labels, or into an error that names the cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.tables.cell_values import Place, body_of, named_error
from explorer.formats.tables.dates import is_date
from explorer.formats.tables.labels import are_labels, counted, find_labels, is_number, is_word
from explorer.formats.tables.number_text import ELISIONS, date_error, elided, quoted, reading, spelled, visible
from explorer.state.document import Labels

MOST_CELLS = 2**24


@dataclass(frozen=True, eq=False)
class _Table:
    """The rows that are left, and the place, counted from 1, where each and its first cell stood."""

    rows: list[list[str]]
    numbers: list[int]
    first_column: int = 1

    def place(self, row: int, column: int) -> Place:
        """Where a cell stands, as people count."""
        return Place(self.numbers[row], self.first_column + column)


def number(text: str, row: int, column: int) -> float:
    """The number in a cell that stands at row and column, counted from 1."""
    try:
        return reading(text).value
    except ExplorerError as error:
        raise named_error(Place(row, column), text, error) from None


def matrix_of(
    rows: Sequence[Sequence[str]], *, name: str = "", notes: Sequence[str] = (), is_corner_known: bool = False
) -> Imported:
    """A matrix, or a mask where all cells are true or false, from the texts of all cells, those of labels included.

    Where nothing tells decimal commas from commas between thousands (1,234 alone), a "choice". Rows and columns that
    are empty throughout are left out at the margins. ``is_corner_known``: the first row and column are labels for sure.
    """
    table = _with_corner(_trimmed(rows), is_corner_known)
    _check_lengths(table)
    top, side = find_labels(table.rows, is_corner_known=is_corner_known)
    column_labels = _labels(table, [(0, j) for j in range(side, len(table.rows[0]))] if top else [])
    row_labels = _labels(table, [(i, 0) for i in range(top, len(table.rows))] if side else [])
    said = {(1, 1): "first row and column are labels", (1, 0): "first row is labels", (0, 1): "first column is labels"}
    notes = [*notes, *([said[top, side]] if top or side else counted(table.rows))]
    cells = [row[side:] for row in table.rows[top:]] if top or side else table.rows
    try:
        body = body_of(cells, lambda i, j: table.place(i + top, j + side))
    except ExplorerError:
        _check_elisions(table, top, side)
        raise
    return body.imported(
        Imported("matrix", name=name, row_labels=row_labels, column_labels=column_labels, notes=tuple(notes))
    )


def _trimmed(rows: Sequence[Sequence[str]]) -> _Table:
    """Without empty rows, and without the columns at the margins that are empty in every row."""
    if sum(map(len, rows)) > MOST_CELLS:
        raise ExplorerError(f"more than {MOST_CELLS} numbers", "take a part of it")
    if rows and all(row and row[0].strip() and row[-1].strip() for row in rows):
        return _Table([[*row] for row in rows], list(range(1, len(rows) + 1)))
    full = [i for i, row in enumerate(rows) if any(map(visible, row))]
    if not full:
        raise ExplorerError("empty: there is no number", "give at least one")
    kept = [[*rows[i]] for i in full]
    first = min(_margin(row) for row in kept)
    last = {len(row) - _margin(row[::-1]) for row in kept}
    if len(last) == 1:  # else a cell at the end of some row is missing, not a column empty
        kept = [row[: max(last)] for row in kept]
    return _Table([row[first:] for row in kept] if first else kept, [i + 1 for i in full], 1 + first)


def _margin(row: Sequence[str]) -> int:
    return next(j for j, cell in enumerate(row) if visible(cell))


def _with_corner(table: _Table, is_corner_known: bool) -> _Table:
    """The first row, where it is one cell short because nobody wrote the corner, with an empty one."""
    first, *others = table.rows
    if not others or any(len(row) != len(first) + 1 for row in others):
        return table
    is_table = all(map(is_word, first)) and are_labels([row[0] for row in others])
    return replace(table, rows=[["", *first], *others]) if is_table or is_corner_known else table


def _check_lengths(table: _Table) -> None:
    width = len(table.rows[0])
    wrong = next((i for i, row in enumerate(table.rows) if len(row) != width), None)
    if wrong is None:
        return
    _check_elisions(table)
    unit = "number" if all(map(is_number, chain(table.rows[0], table.rows[wrong]))) else "cell"
    found = len(table.rows[wrong])
    raise ExplorerError(
        f"row {table.numbers[wrong]} has {found} {unit}{'s' * (found != 1)}, row {table.numbers[0]} has {width}",
        "give all rows one length",
    )


def _check_elisions(table: _Table, top: int = 0, side: int = 0) -> None:
    """Of all that is wrong with a shortened print, say that it is one."""
    for i, row in enumerate(table.rows[top:], start=top):
        for j, cell in enumerate(row[side:], start=side):
            if spelled(cell) in ELISIONS:
                raise named_error(table.place(i, j), cell, elided(cell))


def _labels(table: _Table, places: Sequence[tuple[int, int]]) -> Labels:
    """The labels that stand in these cells, None where one is empty."""
    labels: list[str | None] = []
    for i, j in places:
        text = table.rows[i][j].strip().strip("\u200b\ufeff")
        if is_date(spelled(text)):
            raise named_error(table.place(i, j), text, date_error(text))
        if len(text) > 200:
            raise ExplorerError(f"{table.place(i, j)}: {quoted(text)} is too long", "give a shorter label")
        text = text[1:-1] if len(text) > 2 and text[0] == text[-1] == '"' else text
        text = " ".join(text.split()) if "\n" in text else text
        labels.append(text.encode("utf-8", "replace").decode("utf-8") or None)
    return tuple(labels)
