"""Where tables drawn with bars begin and end, their cells, and which of their rows are a header."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from explorer.errors import ExplorerError
from explorer.formats.markup.markup_cells import plain_cell
from explorer.formats.tables.several import MOST_TABLES

_SEEN_ABOVE = 20

_BOX = str.maketrans({
    **dict.fromkeys(map(chr, range(0x2500, 0x2580)), "+"),
    **dict.fromkeys("─━┄┅┈┉╌╍╴╶╸╺╼╾", "-"),
    **dict.fromkeys("│┃┆┇┊┋╎╏║╵╷╹╻╽╿", "|"),
    "═": "=",
})  # fmt: skip
_RULE = re.compile(r"[-+=:| \t]+")
_RULE_MARKS = re.compile(r"--|==|\+[-=]|[-=]\+|:-|-:")
_BAR = re.compile(r"\\.|\|")
# What databases and data frames print below the names of their columns.
_TYPE = re.compile(
    r"[iuf](?:8|16|32|64|128)|u?(?:tiny|small|big|huge)?int(?:eger)?[0-9]{0,3}|float[0-9]{0,2}|double(?: precision)?"
    r"|str(?:ing)?|varchar|utf8|text|bool(?:ean)?|numeric|object|real|decimal(?:[\[(][0-9, ]{1,9}[\])])?|<[a-z]{3}>"
)
_FOOTER = re.compile(r"\(?\s*[0-9][0-9,.]{0,20} rows?\b.*")
_HEADING = re.compile(r"\s{0,3}(?:#{1,6}|\*{1,6}(?=\s)|h[1-6]\.|#\+(?i:name|caption):)\s*(\S.*?)[\s#]*")
_CAPTION = re.compile(r"[*_`$\s]{0,4}([^\W\d]\w{0,20}(?:\^\w)?)[*_`$\s]{0,4}(?:[:=][*_`$\s]{0,4})?")


@dataclass(eq=False)
class BarTable:
    """Its lines, the rules among them by how many lines stand above, and its title."""

    title: str = ""
    lines: list[str] = field(default_factory=list)
    rules: list[tuple[int, str]] = field(default_factory=list)
    has_head: bool = False  # as Jira and DokuWiki mark it

    @property
    def is_drawn(self) -> bool:
        """Whether it has rules, or bars around every line: else it may be text with a bar in it."""
        return bool(self.rules) or all(line.strip()[0] == line.strip()[-1] == "|" for line in self.lines)

    @property
    def is_open(self) -> bool:
        """Whether the first cell has no bar on its left."""
        return bool(self.rules) and self.rules[0][1][0] not in "|+"

    def add(self, line: str) -> bool:
        """Take one more line; False where it does not belong to a table."""
        line = line if line.isascii() else _with_bars(line)
        if not any(mark in line for mark in "|+^"):
            return False
        stripped = line.strip()
        if _RULE.fullmatch(stripped) and ("|" in stripped or "+" in stripped) and self.is_rule(stripped):
            self.rules.append((len(self.lines), stripped))
            return True
        if stripped.startswith("^") and stripped.endswith(("^", "|")):  # DokuWiki's header
            self.has_head = self.has_head or (not self.lines and stripped[-1] == "^")
            line = stripped.replace("^", "|")
        elif stripped.startswith("||") and stripped.endswith("||"):  # Jira's
            self.has_head = self.has_head or not self.lines
            line = stripped.replace("||", "|")
        if "|" not in line:
            return False
        self.lines.append(line)
        return True

    def is_rule(self, line: str) -> bool:
        """Whether a line of dashes is a rule: of the kind that Markdown has, only the first."""
        has_marks = bool(_RULE_MARKS.search(line))
        if "+" in line:
            return has_marks
        is_first = not any(above and "+" not in rule for above, rule in self.rules)
        return is_first and (len(self.lines) == 1 or (not self.lines and has_marks))

    def rows(self) -> tuple[list[list[str]], bool, bool]:
        """The cells, whether the first row is a header, and whether that is certain."""
        rows = [[cell.strip() for cell in _cells(line, self.is_open)] for line in self.lines]
        width = max(map(len, rows))
        rows = [row for row in rows if not (len(row) == 1 < width and _FOOTER.fullmatch(row[0][:100]))]
        rules = [(above, rule) for above, rule in self.rules if 0 < above < len(rows)]
        double = [above for above, rule in rules if "=" in rule]
        head = double[0] if double else rules[0][0] if rules else int(self.has_head)
        types = [i for i in range(1, head) if all(_TYPE.fullmatch(cell[:30].lower()) for cell in rows[i])]
        rows = [row for i, row in enumerate(rows) if i not in types]
        is_one_rule = len({above for above, _ in rules}) == 1
        has_head = head - len(types) == 1 and (self.has_head or bool(double or types) or is_one_rule)
        is_plain = bool(rules) and "+" not in rules[0][1]  # as in Markdown, which has no table without a header
        is_certain = self.has_head or bool(double or types) or (self.is_open and not is_plain)
        shown = [
            [plain_cell(cell, f"row {i}, column {j}") for j, cell in enumerate(row, start=1)]
            for i, row in enumerate(rows, start=1)
        ]
        return shown, has_head, is_certain


def _with_bars(line: str) -> str:
    """A line of a box with bars for its sides; a label may hold such a character too."""
    is_box = "\u2500" <= line.lstrip()[:1] < "\u2580" or "|" not in line
    return line.translate(_BOX) if is_box else line


def _cells(line: str, is_open: bool) -> list[str]:
    r"""A line cut at its bars, but not at \|."""
    stripped = line.strip()
    if "\\" in line:
        cuts = [mark.start() for mark in _BAR.finditer(line) if mark[0] == "|"]
        edges = zip([-1, *cuts], [*cuts, len(line)], strict=True)
        cells = [line[start + 1 : end] for start, end in edges]
    else:
        cells = line.split("|")
    if is_open:
        return cells
    cells = cells[1:] if stripped[0] == "|" else cells
    return cells[:-1] if len(cells) > 1 and not cells[-1].strip() else cells


def bar_tables(text: str) -> tuple[list[BarTable], int]:
    """Every run of lines with bars, with the name that stands above it; and how many lines are not in one."""
    found: list[BarTable] = []
    others = 0
    above: deque[str] = deque(maxlen=_SEEN_ABOVE)
    table = BarTable()
    for line in [*text.splitlines(), ""]:
        if table.add(line):
            continue
        if table.lines:
            table.title = _title(above)
            found.append(table)
            above.clear()
            if len(found) > MOST_TABLES:
                raise ExplorerError(f"more than {MOST_TABLES} tables", "give fewer")
        if table.lines or table.rules:
            table = BarTable()
        if line and not line.isspace():
            others += 1
            above.append(line)
    return found, others


def _title(above: Iterable[str]) -> str:
    """The last heading, or line of one word, of those above a table."""
    found = [_HEADING.fullmatch(line[:200]) or _CAPTION.fullmatch(line[:80]) for line in above]
    return next((match[1] for match in reversed(found) if match), "")
