"""Groups in brackets turned into nested lists of the texts of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from explorer.errors import ExplorerError
from explorer.formats.literals import calls
from explorer.formats.literals.groups import Cell, Entry, Group, Quoted
from explorer.formats.literals.nesting import Item, Items, is_flat, transposed
from explorer.formats.tables.number_text import ELISIONS, elided, quoted

# A print of an array is broken where the next number would go beyond this column; NumPy's own limit is 75.
_FULL_LINE = 70
_EDGE = 3  # numbers that NumPy prints on each side of "..."
_TYPE = re.compile(
    r"&?(?:u?int|float|f|complex)[0-9]{0,3}|double|long|bool(?:ean)?|decimal|real|new|auto|[\w:]*<[\w:<>*&]*|>+"
)
_NAME = re.compile(r"[A-Za-z_$][\w.:$]*!?|[&@]")
_FACTOR = re.compile(r"\s*([-+]?[0-9]{1,40}\.?[0-9]{0,40}(?:[eE][-+]?[0-9]{1,4})?)\s*\*\s*")
_TRANSPOSED = re.compile(r"\.?'|\.m?T|\.t\(\)|\.transpose\(\)")
_SAME = re.compile(
    r"(?:\.(?:numpy|tolist|detach|cpu|cuda|clone|copy|contiguous|requires_grad_|double|float|eval|block_until_ready)"
    r"\(\)|\.(?:to|cuda|astype|type|requires_grad_)\([^()]*(?:float|double|cuda|cpu|device|True)[^()]*\))+"
)
_LISTS = frozenset(
    ["List", "list", "listOf", "mutableListOf", "arrayOf", "arrayListOf", "doubleArrayOf", "floatArrayOf", "intArrayOf",
     "longArrayOf", "booleanArrayOf", "asList", "of", "tuple", "Seq", "Vector", "vstack", "row_stack"]
)  # fmt: skip
_BRACKETED = frozenset(["vec!", "array!", "matrix!", "dmatrix!", "arr!", "&", "new", "@"])


@dataclass(eq=False)
class Data:
    """What the groups of one text hold: notes and the numbers' type come to light on the way."""

    text: str
    notes: dict[str, None] = field(default_factory=dict)
    torch_type: str = ""
    rows_instead: list[Item] | None = None  # the lines of a flat list, where they may be meant as rows
    is_assigned: bool = False
    language: str = ""

    def of(self, cell: Cell) -> Item:
        """Nested lists, or the text of something that is no list."""
        pieces, first = cell.pieces, cell.pieces[0]
        source = self.text[cell.starts[0] : cell.end]
        if first == "new" and len(pieces) > 1 and not _is_type(pieces):
            return self.of_rest(cell.behind(1))
        if isinstance(first, Group):
            if all(isinstance(piece, Group) for piece in pieces) or not _is_type(pieces):
                return source if self.is_expression(first) else self.behind(self.group(first), pieces[1:], cell)
        elif len(pieces) > 1 and isinstance(pieces[1], Group):
            found = self.named(first, pieces[1], cell) if not _is_type(pieces) else None
            if found is not None:
                return found if isinstance(found, str) else self.behind(found, pieces[2:], cell)
        last = pieces[-1]
        return self.group(last) if isinstance(last, Group) and _is_type(pieces) else source

    def named(self, name: str, group: Group, cell: Cell) -> Item | None:
        """What a word before a bracket makes of it; None where it is no list."""
        last = re.split(r"[.:]", name)[-1] if "." in name or ":" in name else name
        if isinstance(name, Quoted) or not _NAME.fullmatch(name):
            return None
        if name in _BRACKETED or (
            group.opening == "[" and re.fullmatch(r"(?:Float|Int|Bool|Complex|Rational)\w*|Any", name)
        ):
            if name == "vec!" and ";" in group.breaks:
                raise ExplorerError("vec![value; count] repeats a value", "write all numbers")
            return self.group(group)
        if last in _LISTS:
            return [self.item(entry) for entry in group.entries]
        if name not in calls.CALLS and last not in calls.CALLS:
            return None
        call = calls.Call(name, last, self.arguments(group), self.text[cell.starts[0] : cell.end])
        made = calls.result(call)
        if call.torch_type:
            self.torch_type = call.torch_type
        self.notes |= dict.fromkeys(call.notes)
        return made

    def arguments(self, group: Group) -> list[tuple[str, Item]]:
        """The keyword, or nothing, and the content of every argument."""
        made: list[tuple[str, Item]] = []
        for entry in group.entries:
            if isinstance(entry, Cell) and len(entry.pieces) > 2 and entry.pieces[1] == "=":
                made.append((str(entry.pieces[0]), self.of_rest(entry.behind(2))))
            elif isinstance(entry, Cell) and (factor := self.factor(entry)):
                made += factor
            else:
                made.append(("", self.item(entry)))
        return made

    def factor(self, cell: Cell) -> list[tuple[str, Item]]:
        """A print's common factor and its list: tensor(1.0000e-05 * [[...]])."""
        last = cell.pieces[-1]
        if not isinstance(last, Group):
            return []
        found = _FACTOR.fullmatch(self.text, cell.starts[0], last.start)
        return [("factor", found[1]), ("", self.group(last))] if found else []

    def item(self, entry: Entry) -> Item:
        """The content of one entry."""
        return self.of(entry) if isinstance(entry, Cell) else entry

    def of_rest(self, cell: Cell) -> Item:
        """The content of what is left of a cell."""
        first = cell.pieces[0]
        return first if len(cell.pieces) == 1 and isinstance(first, str) else self.of(cell)

    def is_expression(self, group: Group) -> bool:
        """Whether parentheses stand around a calculation: (1 + 2), not around a list of one: (1,)."""
        entries = group.entries
        if group.opening != "(" or group.commas or len(entries) != 1:
            return False
        return isinstance(entries[0], str) or isinstance(self.of(entries[0]), str)

    def behind(self, made: Item, rest: Sequence[str | Group], cell: Cell) -> Item:
        """Apply what stands behind a list: a transposition, or a conversion that keeps the numbers."""
        if not rest or isinstance(made, str):
            return made
        end = self.text[_end_of(cell.pieces[len(cell.pieces) - len(rest) - 1]) : cell.end].strip()
        if _TRANSPOSED.fullmatch(end):
            self.notes[f"transposed, as {end} says"] = None
            return transposed(made)
        if not _SAME.fullmatch(end) and end not in (">", ":", "."):
            raise ExplorerError(f"{quoted(end)} after a list is not read", "print the result, and paste that")
        return made

    def group(self, group: Group) -> Items:
        """The items of a list, or the rows of a matrix."""
        if group.opening == "(" and len(group.entries) == 1 and not group.commas:
            inner = self.item(group.entries[0])
            return inner if isinstance(inner, list) else [inner]
        if group.opening == "{" and is_dictionary(group):
            raise calls.NotLiteral
        if not any(isinstance(entry, Cell) for row in group.rows for entry in row):
            return self.broken(group)
        rows = [[self.item(entry) for entry in row] for row in group.rows]
        if any(entry in ELISIONS for row in rows for entry in row if isinstance(entry, str)):
            raise elided("...")
        if not any(isinstance(entry, list) for row in rows for entry in row):
            return self.broken(group)
        if _has_blocks(group) or (";" in group.breaks and not all(len(row) == 1 and is_flat(row[0]) for row in rows)):
            raise ExplorerError("matrices put together from blocks are not read", "print the result, and paste that")
        return [entry for row in rows for entry in row]

    def broken(self, group: Group) -> Items:
        """Numbers alone: one list, or one for every row."""
        rows = self.continued(group)
        self.check_marks(group, rows)
        if ";;" in group.breaks:
            raise ExplorerError("';;' is not read", "write one ; between rows")
        if ";" in group.breaks:
            if self.language == "rust":
                raise ExplorerError("[value; count] repeats a value", "write all numbers")
            if any(by == ",\n" for by in group.breaks):
                raise _doubtful_lines()
            return [*rows] if len(rows) > 1 else rows[0]
        if len(rows) == 1:
            return rows[0]
        flat: Items = [entry for row in rows for entry in row]
        by_comma = {by == ",\n" for by in group.breaks}
        if by_comma == {True, False}:
            raise _doubtful_lines()
        are_even = len({len(row) for row in rows}) == 1
        if group.is_nested or True in by_comma:
            if are_even and len(rows[0]) > 1 and not group.is_nested and group.opening == "[":
                self.rows_instead = [*rows]
            return flat
        if group.commas or self.is_assigned or not self.is_wrapped(group):
            return [*rows]
        if are_even:
            self.rows_instead = [*rows]
        return flat

    def continued(self, group: Group) -> list[Items]:
        """The rows, those joined that MATLAB's "..." continues on the next line."""
        rows: list[Items] = [[self.item(entry) for entry in row] for row in group.rows]
        has_marks = bool(group.commas or ";" in group.breaks)
        made: list[Items] = [[]]
        for i, row in enumerate(rows):
            made[-1] += row
            is_last = i + 1 == len(rows)
            if row and row[-1] == "..." and not is_last and "\n" in group.breaks[i]:
                is_summary = not has_marks and (len(row) - 1, len(rows[i + 1])) == (_EDGE, _EDGE)
                if group.is_nested or is_summary or not (has_marks or self.is_assigned):
                    raise elided("...")
                made[-1].pop()
            elif not is_last:
                made.append([])
        if any(not ELISIONS.isdisjoint(row) for row in made):
            raise elided("...")
        return made

    def check_marks(self, group: Group, rows: Sequence[Items]) -> None:
        """Refuse lists in which both commas and spaces separate: [1 -2, 3] is two numbers or three."""
        if group.is_mixed:
            shown = quoted(self.text[group.start : min(group.end, group.start + 100)].replace("\n", " "))
            raise ExplorerError(
                f"{shown}: commas and spaces both stand between numbers", "use only one of them, and dots for decimals"
            )

    def is_wrapped(self, group: Group) -> bool:
        """Whether every line is full, so that the breaks may be those of a print."""
        begin = self.text.rfind("\n", 0, group.start) + 1
        lines = self.text[begin : group.end].split("\n")
        return all(len(line) + len((after.split() or [""])[0]) >= _FULL_LINE for line, after in pairwise(lines))


def is_type_word(word: str) -> bool:
    """Whether a word is, or is part of, the name of a type of C, Java, Go or Rust."""
    return _TYPE.fullmatch(word) is not None


def _is_type(pieces: Sequence[str | Group]) -> bool:
    """Whether braces follow a type: new double[][]{...}, []float64{...}, vector<double>{...}."""
    *before, last = pieces
    if not before or not isinstance(last, Group) or last.opening != "{":
        return False
    words = [piece for piece in before if isinstance(piece, str)]
    return bool(words) and all(map(is_type_word, words))


def _has_blocks(group: Group) -> bool:
    """Whether lists in a list have rows of their own: [[1; 2], [3; 4]] differs from language to language."""
    inner = [entry.pieces[0] for entry in group.entries if isinstance(entry, Cell)]
    return any(isinstance(piece, Group) and ";" in piece.breaks for piece in inner)


def is_dictionary(group: Group) -> bool:
    """Whether braces hold names with values."""
    entries = group.entries
    first = entries[0] if entries else ""
    if isinstance(first, Quoted):
        return len(entries) > 1 and str(entries[1]).startswith(":")
    return isinstance(first, Cell) and isinstance(first.pieces[0], Quoted) and str(first.pieces[1])[:1] == ":"


def _end_of(piece: str | Group) -> int:
    assert isinstance(piece, Group)
    return piece.end


def _doubtful_lines() -> ExplorerError:
    return ExplorerError("some lines end with a comma, others do not", "end all rows the same way")
