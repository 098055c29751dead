"""Matrices out of HTML: a page, a piece of one, or a spreadsheet's clipboard."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.markup.html_tables import HtmlTable, html_tables
from explorer.formats.printable import printable
from explorer.formats.tables.headed import headed
from explorer.formats.tables.number_text import visible
from explorer.formats.tables.several import Candidate, one_of, share_of_numbers

LARGEST = 64 * 2**20
MOST_TAGS = 2**22
_IS_HTML = re.compile(r"<t(?:able|r|d|h)[\s>]", re.IGNORECASE)
_SHORT_NAME = re.compile(r"[^\W\d]\w{0,20}")


def read_html(text: str, *, name: str = "") -> Imported | None:
    """The only table of numbers, several by their captions, or a choice; None where there is no table."""
    if "<" not in text or not _IS_HTML.search(text):
        return None
    if len(text) > LARGEST or text.count("<") > MOST_TAGS:
        raise ExplorerError("a page of more than 4 million tags", "copy the table alone")
    tables = [table for table in html_tables(text) if any(table.rows) and not table.is_layout]
    found = [_candidate(table) for table in tables]
    found = [candidate for candidate in found if candidate.share] or found
    if len(found) == 1:
        called = printable(tables[0].title) if len(tables) == 1 else found[0].name
        return replace(found[0].read(), name=called if _SHORT_NAME.fullmatch(called) else name)
    return one_of(found, "table") if found else None


def _candidate(table: HtmlTable) -> Candidate:
    texts = [[cell.text for cell in row] for row in table.rows]
    return Candidate(printable(table.title), share_of_numbers(texts), partial(_read, table, texts))


def _read(table: HtmlTable, texts: list[list[str]]) -> Imported:
    if table.spanning:
        row, column = table.spanning
        raise ExplorerError(f"row {row}, column {column} spans several cells", "give each its own")
    heads = [[cell.is_head for cell in row] for row in table.rows]
    has_head = bool(heads[0]) and all(heads[0]) and not all(map(all, heads))
    while has_head and len(heads) > 2 and all(heads[1]) and not any(map(visible, texts[1][1:])):
        del heads[1], texts[1]  # where pandas names its index
    has_side = not all(map(all, heads)) and all(row and row[0] and len(row) > 1 for row in heads[has_head:])
    return headed(texts, has_head=has_head, has_side=has_side)
