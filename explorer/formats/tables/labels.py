"""Which first row and first column of a table are labels."""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.errors import ExplorerError
from explorer.formats.tables.dates import is_date
from explorer.formats.tables.number_text import ELISIONS, TRUTH, plain_parts, reading, spelled

_MISSING = frozenset(["na", "n/a", "n.a.", "#n/a", "null", "none", "nil", "missing", "-", "--", "?", "."])
_NO_WORDS = _MISSING | ELISIONS | set(TRUTH)
# A number with a unit or a slip in it, and the errors of spreadsheets: #REF!, #NAME?, #WERT!.
_SPOILED = re.compile(r"[-+.,($€£¥ ]*[0-9]|#[a-z0-9/äöü]+[!?]$")
_COUNTERS = frozenset(["index", "idx", "id", "no", "no.", "nr", "nr.", "#", "row", "rownames"])


def find_labels(rows: Sequence[Sequence[str]], *, is_corner_known: bool = False) -> tuple[bool, bool]:
    """Whether the first row, and the first column, are labels.

    A row of labels has more words than whole numbers and other things; a column of labels likewise. Beside an empty
    corner both are labels if one of them is, or if both just count (0, 1, 2), as an exported data frame does.
    Missing values, dates and spoiled numbers are no words: they are errors to be named, not labels.
    """
    if is_corner_known:
        return len(rows) > 1, len(rows[0]) > 1
    if len(rows[0]) < 2 or len(rows) < 2:
        is_first_row = len(rows) > 1 and _are_words(rows[0])
        return is_first_row, len(rows[0]) > 1 and not is_first_row and _are_words([row[0] for row in rows])
    corner, top, side = spelled(rows[0][0]), rows[0][1:], [row[0] for row in rows[1:]]
    if not corner:
        is_table = _are_words(top) or _are_words(side) or (_is_count(top) and _is_count(side))
        return is_table, is_table
    if _are_words(rows[0]):
        return True, _are_words(side) or (corner in _COUNTERS and _is_count(side))
    return False, _are_words([row[0] for row in rows])


def are_labels(cells: Sequence[str]) -> bool:
    """Whether a first column, known to have no header, is labels: words, or a count."""
    return _are_words(cells) or _is_count(cells)


def counted(rows: Sequence[Sequence[str]]) -> list[str]:
    """Notes on a first row or column of numbers that may be an index: three or more that count, unlike the rest."""
    if rows[0][0].strip() not in ("0", "1") or all(cell.strip().isdecimal() for row in rows[:3] for cell in row):
        return []
    lines = (("row", rows[0]), ("column", [row[0] for row in rows]))
    return [f"first {what}, a count, read as numbers" for what, line in lines if len(line) > 2 and _is_count(line)]


def is_word(text: str) -> bool:
    """Whether a cell can be a label: no number, truth value, date, missing value or number with something amiss."""
    cell = spelled(text)
    if not cell or len(text) > 200 or cell in _NO_WORDS or _SPOILED.match(cell) or is_date(cell):
        return False
    return cell == "pi" or not is_number(text)


def is_number(text: str) -> bool:
    """Whether a cell alone is a number, in whatever notation."""
    if plain_parts(spelled(text)):
        return True
    try:
        reading(text)
    except ExplorerError:
        return False
    return True


def _are_words(cells: Sequence[str]) -> bool:
    """More than half are words, and none is a number with decimals: that is data, a token is at most a whole one."""
    words = [is_word(cell) for cell in cells]
    return 2 * sum(words) > len(cells) and all(
        is_one or spelled(cell).isdecimal() or not is_number(cell) for cell, is_one in zip(cells, words, strict=True)
    )


def _is_count(cells: Sequence[str]) -> bool:
    numbers = [int(cell) if cell.isdecimal() and len(cell) < 9 else -1 for cell in map(spelled, cells)]
    return numbers in (list(range(len(cells))), list(range(1, len(cells) + 1)))
