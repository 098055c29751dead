"""Lines of a text split into cells by whatever separates them."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence

from explorer.errors import ExplorerError
from explorer.formats.tables.number_text import GROUP_SPACES
from explorer.formats.tables.table_cells import MOST_CELLS

Rows = list[list[str]]
# Only the lines that decide are looked at: a file does not change its separator.
_SOME = 1000
_BLANKS = re.compile(r"[ \t]+")
_PERCENT = re.compile(r"(?<=[0-9])[ \t]{1,2}%(?=[ \t]|$)")
_WIDE_BLANKS = re.compile(r"\t| {2,}")
_RULE = frozenset("|+:=- \t")
_TWO_NUMBERS = re.compile(r"[0-9.] +[-+.]?[0-9]")
_GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?: [0-9]{3})+")
_LISTED = re.compile(r",[ \t]+")
_BETWEEN_DIGITS = re.compile(r"(?<=[0-9]),(?=[0-9])")


def delimiter_of(lines: Sequence[str]) -> str:
    """Tab, semicolon, pipe or comma, the first of these that separates; a space where none does."""
    some = [_unquoted(line) for line in lines[:_SOME]]
    if any("\t" in line.strip() for line in some):
        return "\t"
    for mark in ";|,":
        if any(mark in line for line in some):
            return mark
    return " "


def by_delimiter(lines: Sequence[str], mark: str) -> Rows:
    """Cells between the marks; quoted ones may hold marks, doubled quotes and line ends."""
    text = "\n".join(lines)
    _check_size(text.count(mark) + len(lines))
    if '"' not in text:
        return [line.split(mark) for line in lines]
    source = (f"{line}\n" for line in lines)
    reader = csv.reader(source, delimiter=mark, strict=True, skipinitialspace=mark != "\t")
    try:
        return [row for row in reader if row]
    except csv.Error as error:
        what = "a cell is too long" if "limit" in str(error) else "a quotation mark is in a cell, or not closed"
        hint = "double a quotation mark that belongs to a cell"
        raise ExplorerError(f"line {reader.line_num}: {what}", hint) from None


def by_blanks(lines: Sequence[str]) -> Rows:
    """Cells between blanks; where that is ragged and two blanks are not, those: labels may hold single ones."""
    if any('"' in line for line in lines) and all(line.count('"') % 2 == 0 for line in lines):
        return by_delimiter([_BLANKS.sub(" ", line.strip()) for line in lines], " ")
    if any("%" in line for line in lines):
        lines = [_PERCENT.sub("%", line) for line in lines]  # 50 % is one cell
    rows = _split(lines, _BLANKS.split)
    if len({len(row) for row in rows}) > 1:
        wide = _split(lines, _WIDE_BLANKS.split)
        if len({len(row) for row in wide}) == 1 and len(wide[0]) > 1:
            return wide
    return rows


def by_pipes(lines: Sequence[str]) -> Rows:
    """Cells between pipes, outer ones and lines of dashes left out."""
    kept = [line.strip() for line in lines if not ("--" in line and set(line) <= _RULE)]
    if all(line.startswith("|") and line.endswith("|") and len(line) > 1 for line in kept):
        kept = [line[1:-1] for line in kept]
    if not any("|" in line for line in kept):
        return by_blanks(kept)
    return by_delimiter(kept, "|")


def rows_of_semicolons(lines: Sequence[str]) -> list[str] | None:
    """The lines where semicolons end rows ("1 2; 3 4"); None where they separate cells."""
    text = "\n".join(lines)
    pieces = [piece.strip() for piece in re.split("[;\n]", text)]
    if "," in text or '"' in text or not any(map(_TWO_NUMBERS.search, pieces)):
        return None
    filled = [piece for piece in pieces if piece]
    # 1 234;5 678 may be thousands: as cells they are refused.
    return None if all(map(_GROUPED.fullmatch, filled)) else filled


def by_decimal_commas(lines: Sequence[str]) -> tuple[Rows, bool] | None:
    """Cells between blanks, or between commas with a blank (True then: 0,7, 0,3), if all other commas can be within
    numbers, else None.
    """
    inner = [len(_BETWEEN_DIGITS.findall(line)) for line in lines]
    others = [line.count(",") - count for line, count in zip(lines, inner, strict=True)]
    if not any(others):
        return _split(lines, _BLANKS.split), False
    is_listed = any(inner) and others == [len(_LISTED.findall(line)) for line in lines]
    return (_split(lines, _LISTED.split), True) if is_listed else None


def without_group_spaces(lines: Sequence[str]) -> list[str]:
    """The lines with ordinary spaces for those that may stand between thousands."""
    table = dict.fromkeys(map(ord, GROUP_SPACES), " ")
    return [line.translate(table) for line in lines]


def are_tabs_blanks(lines: Sequence[str]) -> bool:
    """Whether tabs may only align: then no line begins or ends with one, and no two stand together."""
    return not any("\t\t" in line or line[:1] == "\t" or line[-1:] == "\t" for line in lines)


def _split(lines: Iterable[str], split: Callable[[str], list[str]]) -> Rows:
    rows, count = [], 0
    for line in lines:
        row = split(line.strip(" \t"))
        count += len(row)
        _check_size(count)
        rows.append(row)
    return rows


def _check_size(cells: int) -> None:
    if cells > MOST_CELLS:
        raise ExplorerError(f"more than {MOST_CELLS} numbers", "take a part of it, or save it as .npy")


def _unquoted(line: str) -> str:
    """The line without what stands in quotation marks."""
    return line if '"' not in line else "".join(line.split('"')[::2])
