"""Tables drawn with bars between their cells: Markdown, org, reStructuredText, and the prints of databases."""

from __future__ import annotations

import re
from functools import partial

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.markup.bar_tables import BarTable, bar_tables
from explorer.formats.markup.markup_cells import plain_cell
from explorer.formats.markup.ruled_columns import with_bars
from explorer.formats.printable import printable
from explorer.formats.tables.headed import headed
from explorer.formats.tables.several import Candidate, one_of, share_of_numbers

LARGEST = 64 * 2**20
MOST_CELLS = 2**20
_SHORT_NAME = re.compile(r"[^\W\d]\w{0,20}(?:\^\w)?")


def read_markup(text: str, *, name: str = "") -> Imported | None:
    """The table of numbers, several by the headings above them, or a choice; None where no table is drawn."""
    if len(text) > LARGEST:
        raise ExplorerError("a text of more than 64 million characters", "save the numbers as .npy")
    if not any(bar in text for bar in "|│┃║┆┊"):
        text = with_bars(text)
    if not text:
        return None
    if text.count("|") > MOST_CELLS:
        raise ExplorerError("a drawn table of more than a million cells", "save the numbers as .npy")
    tables, others = bar_tables(text)
    drawn = [table for table in tables if table.is_drawn]
    others += sum(len(table.lines) for table in tables if not table.is_drawn)
    notes = [f"{others} line{'s' if others > 1 else ''} outside the table left out"] if others else []
    found = [_candidate(table, name, notes, is_alone=len(drawn) == 1) for table in drawn]
    is_meant = any(table.rules for table in drawn) or any(candidate.share for candidate in found)
    return one_of(found, "table") if is_meant else None


def _candidate(table: BarTable, name: str, notes: list[str], *, is_alone: bool) -> Candidate:
    title = printable(plain_cell(table.title.partition(" (")[0].strip(" :="), "the heading"))
    called = title if not is_alone or _SHORT_NAME.fullmatch(title) else ""
    rows = [[cell.strip() for cell in line.split("|")] for line in table.lines]
    read = partial(_read, table, (called or name) if is_alone else called, notes if is_alone else [])
    return Candidate(called, share_of_numbers(rows), read)


def _read(table: BarTable, name: str, notes: list[str]) -> Imported:
    rows, has_head, is_certain = table.rows()
    return headed(rows, name=name, notes=notes, has_head=has_head, is_certain=is_certain)
