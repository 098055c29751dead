"""The tables of a web page or of what spreadsheets put on the clipboard, read in one pass."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from explorer.errors import ExplorerError

MOST_CELLS = 2**20
_DEEPEST = 50
_LONGEST_CELL = 4000
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)([^>=]*)(>?)")
_MARK = re.compile(r"<[A-Za-z/!?]")
_TAG_END = re.compile(r"=\s*([\"'])|>")
_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "title", "textarea")}
_SPAN = re.compile(r"(?<![\w-])(?:col|row)span\s{0,5}=\s{0,5}[\"']?\s{0,5}0{0,5}([2-9]|1[0-9])", re.IGNORECASE)
_SPACE = re.compile(r"[ \t\r\n\f]+")
_APART = frozenset(["br", "p", "div", "li", "hr"])
_TITLES = frozenset(["h1", "h2", "h3", "h4", "h5", "h6", "caption"])
_PARTS = frozenset(["table", "thead", "tbody", "tfoot", "tr", "td", "th"])
_WRITTEN = {("", "sup"): "^(", ("/", "sup"): ")", ("", "sub"): "_"}

_KNOWN = _APART | _TITLES | _PARTS | {"sup", "sub"}


@dataclass(eq=False, slots=True)
class Cell:
    """What it says as the page writes it, and whether the page calls it a heading."""

    is_head: bool = False
    written: str = ""

    def add(self, text: str) -> None:
        """Take more text, but not beyond what any number needs."""
        if len(self.written) <= _LONGEST_CELL:
            self.written += text[:_LONGEST_CELL]

    @property
    def text(self) -> str:
        """The text as it is seen; no-break spaces stay, for they group digits."""
        return _SPACE.sub(" ", html.unescape(self.written[:_LONGEST_CELL])).strip(" ")


@dataclass(eq=False)
class HtmlTable:
    """Its rows, its title, the first place at which a cell spans several; layout is a table around tables."""

    title: str = ""
    rows: list[list[Cell]] = field(default_factory=list)
    cell: Cell | None = None
    spanning: tuple[int, int] | None = None
    is_layout: bool = False
    is_in_head: bool = False


def html_tables(text: str) -> list[HtmlTable]:
    """Every table in the order of their ends."""
    page = _Page()
    for slash, name, rest in _pieces(text):
        if not name:
            page.text(rest)
        elif slash:
            page.end(name)
        else:
            page.start(name, rest)
    return [*page.found, *page.open[::-1]]


def _pieces(text: str) -> Iterator[tuple[str, str, str]]:
    """Text as ("", "", text), tags as (slash, name, attributes); what never closes ends the page, as in a browser."""
    at, end = 0, len(text)
    while at < end:
        mark = _MARK.search(text, at)
        start = mark.start() if mark else end
        if start > at:
            yield "", "", text[at:start]
        if start == end:
            return
        tag = _TAG.match(text, start)
        if text.startswith("<!--", start):
            closing = text.find("-->", start + 2)
            at = closing + 3 if closing >= 0 else 0
        elif not tag:
            at = text.find(">", start) + 1
        else:
            at = tag.end() if tag[4] else _tag_end(text, tag.end())
            name = tag[2].lower()
            if at and name in _KNOWN:
                yield tag[1], name, text[tag.start(3) : at - 1]
            if at and not tag[1] and name in _RAW:
                raw = _RAW[name].search(text, at)
                at = raw.start() if raw else 0
        if not at:
            return


def _tag_end(text: str, at: int) -> int:
    """Behind the > that ends a tag, which may stand in quotes before; 0 where there is none."""
    while mark := _TAG_END.search(text, at):
        if not mark[1]:
            return mark.end()
        at = text.find(mark[1], mark.end()) + 1
        if not at:
            break
    return 0


class _Page:
    """What is open while a page is read from its beginning to its end."""

    def __init__(self) -> None:
        self.open: list[HtmlTable] = []
        self.found: list[HtmlTable] = []
        self.title: Cell | None = None
        self.heading = ""
        self.parts = 0

    @property
    def table(self) -> HtmlTable:
        """The innermost table; one is opened for rows that stand without."""
        if not self.open:
            self.open.append(HtmlTable(self.heading))
        return self.open[-1]

    def text(self, text: str) -> None:
        if self.title is not None:
            self.title.add(text)
        elif self.open and self.open[-1].cell is not None:
            self.open[-1].cell.add(text)

    def start(self, name: str, attributes: str) -> None:
        if name in ("table", "tr", "td", "th"):
            self.title = None  # a heading that nobody closed must not swallow cells
        if name == "table":
            self.start_table()
        elif name in _TITLES:
            self.title = Cell()
        elif name in ("thead", "tbody", "tfoot"):
            self.table.is_in_head = name == "thead"
        elif name == "tr":
            self.count()
            self.table.cell = None
            self.table.rows.append([])
        elif name in ("td", "th"):
            self.start_cell(name == "th", attributes)
        elif name in _APART:
            self.text(" ")
        elif ("", name) in _WRITTEN:
            self.text(_WRITTEN["", name])

    def count(self) -> None:
        """One more row, cell or table: all take memory."""
        self.parts += 1
        if self.parts > MOST_CELLS:
            raise ExplorerError("tables of more than a million cells", "save the numbers as .npy")

    def start_table(self) -> None:
        self.count()
        if self.open and self.open[-1].cell is not None:
            self.open[-1].is_layout = True
        if len(self.open) >= _DEEPEST:
            raise ExplorerError("tables nested too deep", f"use at most {_DEEPEST} within each other")
        self.open.append(HtmlTable(self.heading))

    def start_cell(self, is_head: bool, attributes: str) -> None:
        self.count()
        table = self.table
        if not table.rows:
            table.rows.append([])
        table.cell = Cell(is_head or table.is_in_head)
        table.rows[-1].append(table.cell)
        if table.spanning is None and _SPAN.search(attributes):
            table.spanning = (len(table.rows), len(table.rows[-1]))

    def end(self, name: str) -> None:
        if name == "table" and self.open:
            table = self.open.pop()
            self.found += [table] if table.rows else []
        elif name in ("td", "th", "tr") and self.open:
            self.open[-1].cell = None
        elif name == "thead" and self.open:
            self.open[-1].is_in_head = False
        elif name in _TITLES and self.title is not None:
            self.heading, self.title = self.title.text, None
            if name == "caption" and self.open:
                self.open[-1].title = self.heading
        elif ("/", name) in _WRITTEN:
            self.text(_WRITTEN["/", name])
