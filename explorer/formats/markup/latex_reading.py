"""Matrices and tables out of LaTeX, which is read as text and never executed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats.cells import parse_cell
from explorer.formats.imported import Imported, Numbers
from explorer.formats.markup import latex_cells, latex_grids
from explorer.formats.markup.latex_context import Context, context
from explorer.formats.markup.latex_grids import TABLES, Grid
from explorer.formats.markup.typst_reading import read_typst
from explorer.formats.tables.several import Candidate, one_of, share_of_numbers
from explorer.formats.tables.table_cells import matrix_of

LARGEST = 32 * 2**20
_LEFT = re.compile(r"\\left\s{0,9}(?:\\?[\[({|]|\.)")
_RIGHT = re.compile(r"\\right\s{0,9}(?:\\?[\])}|]|\.)")
_AROUND_ROWS = re.compile(r"\\[\[\]()]|\$|\\(?:begin|end)\{[A-Za-z]{1,20}\*?\}")
_IS_SET = re.compile(r"[\\{}^_$~%]")
_USUAL = re.compile(r"\s*(?:([-+]?[0-9.]+) \\times 10\^\{([-+]?[0-9]{1,5})\}|([-+]?)\\infty)\s*")
_GIVEN_NAME = re.compile(r"[^=]{0,100}(?:=|\\approx(?![A-Za-z]))")


def read_latex(text: str, *, name: str = "") -> Imported | None:
    """The matrix, the named matrices, or the choice between several; None where there is none."""
    found = _grids(text) if "\\" in text else []
    if not found:
        return read_typst(text, name=name)  # mathematics too, and as often pasted
    candidates = [_candidate(text, found, place, name) for place in range(len(found))]
    return one_of(candidates, "matrix" if found[0].environment not in TABLES else "table")


def _grids(text: str) -> list[Grid]:
    has_rows = "&" in text and r"\\" in text
    if not has_rows and not latex_grids.START.search(text):
        return []
    if len(text) > LARGEST:
        raise ExplorerError("a LaTeX text of more than 32 million characters", "save the numbers as .npy")
    return latex_grids.grids(text) or ([_rows_alone(text)] if has_rows else [])


def _rows_alone(text: str) -> Grid:
    r"""Rows without an environment around them, as in \left[ 1 & 2 \\ 3 & 4 \right]."""
    opening = _LEFT.search(text)
    closings = list(_RIGHT.finditer(text))
    if opening and closings:
        start, end = opening.start(), closings[-1].end()
        inner = text[opening.end() : closings[-1].start()]
    else:
        given = _GIVEN_NAME.match(text)
        start, end = given.end() if given else 0, len(text)
        inner = text[start:]
    return latex_grids.bare_grid(_AROUND_ROWS.sub(" ", inner), start, end)


def _candidate(text: str, found: Sequence[Grid], place: int, name: str) -> Candidate:
    """One of the matrices found, with what stands between its neighbours and it."""
    grid = found[place]
    is_last = place + 1 == len(found)
    before = text[found[place - 1].end if place else 0 : grid.start]
    behind = text[grid.end : len(text) if is_last else found[place + 1].start]
    around = Context() if grid.environment in TABLES else context(before, behind, is_followed=not is_last)
    called = around.name or (name if len(found) == 1 else "")
    raw = [["".join(cell) for cell in row] for row in grid.rows]
    read = partial(_read, grid, around, called, is_alone=len(found) == 1)
    return Candidate(called, share_of_numbers(raw), read)


def _read(grid: Grid, around: Context, name: str, *, is_alone: bool) -> Imported:
    if is_alone and around.operator:
        raise ExplorerError(
            f"the matrix is part of a calculation: '{around.operator}' stands next to it",
            "paste the resulting matrix alone",
        )
    rows = [[_written(cell, i, j) for j, cell in enumerate(row, start=1)] for i, row in enumerate(grid.rows, start=1)]
    if not any(text for row in rows for text in row):
        raise ExplorerError("the matrix is empty", "give it at least one number")
    return _completed(matrix_of(rows, name=name, notes=around.notes), around)


def _written(tokens: Sequence[str], row: int, column: int) -> str:
    text = "".join(tokens)
    if not _IS_SET.search(text):
        return text.strip()
    if usual := _USUAL.fullmatch(text):  # what our own copies hold, and most others
        return f"{usual[1]}e{usual[2]}" if usual[2] else f"{usual[3]}inf"
    try:
        return latex_cells.written(tokens)
    except ExplorerError as error:
        raise ExplorerError(f"row {row}, column {column}: {error.message}", error.hint) from None


def _completed(made: Imported, around: Context) -> Imported:
    """The matrix, or every reading of an ambiguous one, with the number before it and the ^T behind it."""
    if made.kind == "choice":
        options = tuple(replace(option, reading=_completed(option.reading, around)) for option in made.options)
        return replace(made, options=options)
    made = _multiplied(made, around) if around.factor else made
    return _transposed(made) if around.is_transposed else made


def _multiplied(made: Imported, around: Context) -> Imported:
    if made.kind != "matrix" or made.values is None:
        raise ExplorerError(f"true and false cannot be multiplied by {around.factor}", "take the factor away")
    with np.errstate(all="ignore"):
        values: Numbers = np.multiply(made.values, parse_cell(around.factor), dtype=np.float64)
    if not np.array_equal(np.isfinite(values), np.isfinite(made.values)):
        raise ExplorerError(f"times {around.factor}, numbers are too large", "numbers end at 1.8e308")
    return replace(made, values=values, texts=None, notes=(*made.notes, f"multiplied by {around.factor}"))


def _transposed(made: Imported) -> Imported:
    assert made.values is not None
    texts = None if made.texts is None else made.texts.T.copy()
    if texts is not None:
        texts.setflags(write=False)
    return replace(
        made, values=made.values.T.copy(), texts=texts, row_labels=made.column_labels, column_labels=made.row_labels,
        notes=(*made.notes, "transposed, as ^T says"),
    )  # fmt: skip
