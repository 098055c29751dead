"""Lines of a text table without the comments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.formats.tables.labels import is_number

_FIRST = re.compile(r"\s*(?:#|%|//)")
# A word must follow: "0.5 # 2" may be anything.
_LATER = re.compile(r"(?:#|%|//)[ \t]{0,4}[a-zA-Z]{2}")
_SEPARATORS = re.compile(r"[\t;,|]|\s+")
_SOME = 20


def without_comments(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines that are left, with comments at their ends cut off, and notes that say so.

    A line that begins with #, % or // is a comment, except a row with a label like those of the other rows (##ing).
    """
    found = [i for i, line in enumerate(lines) if _FIRST.match(line)]
    if found and _are_labelled([line for line in lines if not _FIRST.match(line)]):
        found = [i for i in found if not _is_labelled(lines[i])]
    comments = set(found)
    kept = [_cut(line) for i, line in enumerate(lines) if i not in comments]
    notes = [f"{len(comments)} comment line{'s' if len(comments) > 1 else ''} left out"] if comments else []
    cut = sum(map(len, kept)) < sum(len(line) for i, line in enumerate(lines) if i not in comments)
    return kept, [*notes, *(["comments at line ends left out"] if cut else [])]


def _cut(line: str) -> str:
    """The line up to a comment that follows a number; % must stand apart: "50 % masked" is half."""
    for found in _LATER.finditer(line) if '"' not in line else ():
        before = line[max(0, found.start() - 40) : found.start()]
        gap = len(before) - len(before.rstrip(" \t"))
        if before.rstrip(" \t")[-1:] in tuple("0123456789.,;") and gap >= (2 if found[0][0] == "%" else 1):
            return line[: found.start()].rstrip(" ")
    return line


def _are_labelled(lines: Sequence[str]) -> bool:
    """Whether the rows below the first begin with labels."""
    rows = [line for line in lines[:_SOME] if line.strip()]
    return bool(rows) and all(map(_is_labelled, rows[1:] or rows))


def _is_labelled(line: str) -> bool:
    first, *others = [cell for cell in _SEPARATORS.split(line.strip()) if cell] or [""]
    return len(others) > 0 and not is_number(first.lstrip("#%/")) and all(map(is_number, others))
