"""One reading out of several tables that stand in one text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from explorer.core.matrices import shape_text
from explorer.errors import ExplorerError
from explorer.formats.imported import Imported, Option
from explorer.formats.named_parts import joined, quoted

MOST_TABLES = 64
# Tables with fewer numbers than this share lay out a page or explain something.
_NUMERIC = 0.5
_NUMBER = re.compile(r"\s*\$?[-+\u2212]?\s*(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+|\\infty|inf)(?:[eE][-+]?[0-9]+)?%?\$?\s*")


@dataclass(frozen=True)
class Candidate:
    """A table that may hold numbers: what it is called, the share of its cells that do, and how to read it."""

    name: str
    share: float
    read: Callable[[], Imported]


def share_of_numbers(rows: Sequence[Sequence[str]]) -> float:
    """Which part of all cells that are not empty looks like a number."""
    cells = [cell for row in rows for cell in row if cell and not cell.isspace()]
    return sum(len(cell) < 100 and bool(_NUMBER.fullmatch(cell)) for cell in cells) / max(len(cells), 1)


def one_of(candidates: Sequence[Candidate], what: str = "table") -> Imported:
    """The only table of numbers; all of them by name where each has its own; else the choice between them."""
    if len(candidates) > MOST_TABLES:
        raise ExplorerError(f"more than {MOST_TABLES} in one text", "give fewer")
    if len(candidates) == 1:
        return candidates[0].read()
    made = list(_readable(candidates, what))
    others = len(candidates) - len(made)
    notes = [f"left out because not of numbers: {others} of {len(candidates)}"] if others else []
    if not made:
        raise ExplorerError(f"of {len(candidates)} tables none holds only numbers", "copy one of numbers alone")
    if len(made) == 1:
        return replace(made[0][2], notes=(*made[0][2].notes, *notes))
    names = [name for _, name, _ in made]
    if all(names) and len(set(names)) == len(names) and all(part.kind != "choice" for _, _, part in made):
        return joined({name: part for _, name, part in made}, notes=notes)
    options = [
        option
        for place, name, part in made
        for option in _options(f"{what} {place}" + f" ({quoted(name)})" * bool(name), part)
    ]
    return Imported("choice", options=tuple(options), notes=tuple(notes))


def _readable(candidates: Sequence[Candidate], what: str) -> Iterator[tuple[int, str, Imported]]:
    """Position, name and reading of those that can be read; one that is mostly numbers must not be lost unseen."""
    for place, candidate in enumerate(candidates, start=1):
        try:
            yield place, candidate.name, candidate.read()
        except ExplorerError as error:
            if candidate.share >= _NUMERIC:
                where = f"{what} {place}" + (f" ({quoted(candidate.name)})" if candidate.name else "")
                raise ExplorerError(f"{where}: {error.message}", error.hint) from None


def _options(label: str, part: Imported) -> list[Option]:
    if part.kind == "choice":
        return [Option(f"{label}: {option.label}", option.reading) for option in part.options]
    shape = "" if part.values is None else shape_text(part.values.shape)
    return [Option(f"{label}: {shape}", part)]
