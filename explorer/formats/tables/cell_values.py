"""The cells of a table without its labels as numbers or truth values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats.imported import Booleans, Imported, Numbers, Option
from explorer.formats.tables.notation import DECIMAL_COMMA, notations
from explorer.formats.tables.number_text import LONGEST, TRUTH, Notation, Reading, reading, spelled, visible
from explorer.state.document import Texts

# Beyond it not every whole number has a float64 of its own.
_EXACT = 2.0**53
_INFINITIES = {"-inf": -np.inf, "inf": np.inf}


class Place(NamedTuple):
    """Where a cell stands, counted from 1."""

    row: int
    column: int

    def __str__(self) -> str:
        return f"row {self.row}, column {self.column}"


Where = Callable[[int, int], Place]
Read = Callable[[str], float]


def named_error(place: Place, text: str, error: ExplorerError) -> ExplorerError:
    """What is wrong with a cell, with the place it stands at."""
    if not visible(text):
        return ExplorerError(f"{place} is empty", "put a number there, 0 if that is meant")
    return ExplorerError(f"{place}: {error.message}", error.hint)


@dataclass(frozen=True, eq=False)
class Body:
    """The values, the texts worth keeping, what was done; two of them where the notation is ambiguous."""

    values: Numbers | Booleans
    texts: Texts | None = None
    notes: tuple[str, ...] = ()
    how: str = ""
    other: Body | None = None

    def imported(self, rest: Imported) -> Imported:
        """This put into the rest of what was read: a matrix, a mask, or a choice of two matrices."""
        kind = "mask" if self.values.dtype == np.bool_ else "matrix"
        made = replace(rest, kind=kind, values=self.values, texts=self.texts, notes=(*rest.notes, *self.notes))
        if self.other is None:
            return made
        other = self.other.imported(rest)
        options = (Option(option_label(made, self.how), made), Option(option_label(other, self.other.how), other))
        return Imported("choice", options=options, name=rest.name, notes=rest.notes)


def option_label(made: Imported, how: str) -> str:
    """What a choice says of one reading: its shape, its first numbers, and how they were read."""
    assert made.values is not None
    shape = "x".join(map(str, made.values.shape))
    rows = [_bracketed([f"{float(x):.15g}" for x in row[:5]]) for row in made.values[:5]]
    return f"{shape} {_bracketed(rows)} ({how})"


def _bracketed(items: Sequence[str]) -> str:
    """At most four of them, and dots for the rest."""
    return "[" + ",".join([*items[:4], *["..."] * (len(items) > 4)]) + "]"


def body_of(rows: Sequence[Sequence[str]], where: Where) -> Body:
    """Rows of one length; ``where`` says where the cell at row and column of them stands."""
    if spelled(rows[0][0]) in TRUTH and all(spelled(cell) in TRUTH for row in rows for cell in row):
        return Body(np.array([[TRUTH[spelled(cell)] for cell in row] for row in rows], dtype=np.bool_))
    values = np.zeros((len(rows), len(rows[0])))
    left = _plain(rows, values, range(len(rows)), _ordinary)
    known = notations(cell for row in rows for cell in row) if left else (Notation(),)
    if any(notation.dot != "decimal" for notation in known):
        left = list(range(len(rows)))
    bodies = [_rest(rows, values, left, where, notation) for notation in known]
    if len(bodies) == 1:
        return bodies[0]
    hows = ["decimal comma" if notation == DECIMAL_COMMA else "thousands" for notation in known]
    return replace(bodies[0], how=hows[0], other=replace(bodies[1], how=hows[1]))


def _plain(rows: Sequence[Sequence[str]], values: Numbers, which: Iterable[int], read: Read) -> list[int]:
    """Put in the rows that are plain numbers of ordinary size, most of any file; the positions of the others."""
    left = []
    for i in which:
        try:
            values[i] = [read(cell) for cell in rows[i]]
        except ValueError:
            left.append(i)
    return left


def _ordinary(cell: str) -> float:
    """A plain number about which nothing is to be said."""
    value = float(cell) if len(cell) <= LONGEST else _EXACT
    if value == 0:
        if "e" in cell or "E" in cell:
            raise ValueError  # 1e-400 is to be mentioned
        return 0.0
    if -_EXACT < value < _EXACT:
        return value
    return _INFINITIES[cell.strip()] if cell.strip() in _INFINITIES else float("refuse")


def _with_comma(cell: str) -> float:
    """The same with a decimal comma, where there is neither a dot nor a second comma."""
    return _ordinary("." if "." in cell else cell.replace(",", "."))


def _rest(
    rows: Sequence[Sequence[str]], values: Numbers, left: Sequence[int], where: Where, notation: Notation
) -> Body:
    """The rows that are left read cell by cell in a notation."""
    values = values.copy() if left else values
    texts: Texts | None = None
    remarks: dict[str, None] = {}
    if notation.comma == "decimal":
        others = _plain(rows, values, left, _with_comma)
        remarks |= {"decimal commas": None} if len(others) < len(left) else {}
        left = others
    for i in left:
        for j, cell in enumerate(rows[i]):
            found = _read(cell, notation, where(i, j))
            values[i, j] = found.value
            if found.kept is not None:
                texts = np.full(values.shape, None, dtype=object) if texts is None else texts
                texts[i, j] = found.kept
            remarks |= dict.fromkeys(found.remarks)
    if texts is not None:
        texts.setflags(write=False)
    nans = int(np.isnan(values).sum())
    said = [f"{nans} cell{'s are' if nans > 1 else ' is'} nan"] if nans else []
    return Body(values, texts, (*remarks, *said))


def _read(cell: str, notation: Notation, place: Place) -> Reading:
    try:
        return reading(cell, notation)
    except ExplorerError as error:
        raise named_error(place, cell, error) from None
