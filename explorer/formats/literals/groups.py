"""The pieces that source text is cut into: groups in brackets, their rows, and the cells of these."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.errors import ExplorerError

NUMBER = r"[-+]?(?:[0-9]++\.?[0-9]*+|\.[0-9]++)(?:[eE][-+]?[0-9]++)?"


class Quoted(str):
    """What stood between quotes."""

    __slots__ = ()


class Broken(Exception):
    """Brackets that do not fit together; why, and what to do, where the text is a literal at all."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.error = ExplorerError(message, hint)


@dataclass(slots=True, eq=False)
class Cell:
    """What is more than one run: pieces that belong together, and where each begins."""

    pieces: list[str | Group]
    starts: list[int]
    end: int

    def behind(self, count: int) -> Cell:
        """The cell without its first pieces."""
        return Cell(self.pieces[count:], self.starts[count:], self.end)


Entry = str | Cell


@dataclass(slots=True, eq=False)
class Group:
    """A pair of brackets: rows of entries, ``breaks`` (";", "\\n", ",\\n") between them, its separators counted.

    ``is_mixed``: within a row both commas and spaces separate entries. ``before``: the counts at the last row's start.
    """

    opening: str
    start: int
    is_nested: bool = False
    end: int = 0
    rows: list[list[Entry]] = field(default_factory=lambda: [[]])
    breaks: list[str] = field(default_factory=list)
    commas: int = 0
    gaps: int = 0
    before: tuple[int, int] = (0, 0)
    is_mixed: bool = False

    @property
    def entries(self) -> list[Entry]:
        """All entries, row after row."""
        return self.rows[0] if len(self.rows) == 1 else [entry for row in self.rows for entry in row]

    def end_row(self, by: str) -> None:
        """Begin the next row."""
        self.tally()
        self.rows.append([])
        self.breaks.append(by)

    def tally(self) -> None:
        """Judge the separators of the row that ends."""
        self.is_mixed |= self.commas > self.before[0] and self.gaps > self.before[1]
        self.before = self.commas, self.gaps

    def rejoin(self) -> None:
        """Take back the row begun last."""
        self.rows.pop()
        self.breaks.pop()
