"""Matrices out of Typst: mat(1, 2; 3, 4)."""

from __future__ import annotations

import re
from functools import partial

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.tables.several import MOST_TABLES, Candidate, one_of, share_of_numbers
from explorer.formats.tables.table_cells import matrix_of

LARGEST = 32 * 2**20
MOST_CELLS = 2**20
_DEEPEST = 50
_MAT = re.compile(r"(?:([A-Za-z][A-Za-z0-9_]{0,20})\s{0,9}=\s{0,9})?(?<![\w.])mat\(\s{0,99}(?![\s\[{'\"])")
_PART = re.compile(r'"[^"]*"|[(),;]|[^"(),;]+|"')
_SETTING = re.compile(r"\s*(?:delim|augment|gap|row-gap|column-gap|align)\s*:")
_DOTS = re.compile(r"dots(?:\.[a-z.]+)?")


def read_typst(text: str, *, name: str = "") -> Imported | None:
    """The matrices that a text holds between mat( and its closing bracket; None where there is none."""
    found: list[tuple[str, list[list[str]]]] = []
    match = _MAT.search(text) if "mat(" in text else None
    if match and len(text) > LARGEST:
        raise ExplorerError("a Typst text of more than 32 million characters", "save the numbers as .npy")
    while match and len(found) <= MOST_TABLES:
        rows, at = _rows(text, match.end())
        found.append((match[1] or "", rows))
        match = _MAT.search(text, at)
    if len(found) == 1:
        return matrix_of(found[0][1], name=found[0][0] or name)
    candidates = [
        Candidate(called, share_of_numbers(rows), partial(matrix_of, rows, name=called)) for called, rows in found
    ]
    return one_of(candidates, "matrix") if candidates else None


def _rows(text: str, at: int) -> tuple[list[list[str]], int]:
    """The cells up to the bracket that closes, and where that is."""
    rows: list[list[list[str]]] = [[[]]]
    depth = 0
    for count, part in enumerate(_PART.finditer(text, at)):
        if part[0] == ")" and depth == 0:
            cells = [["".join(cell).strip() for cell in row] for row in rows]
            return _tidy(cells), part.end()
        depth += (part[0] == "(") - (part[0] == ")")
        if depth > _DEEPEST:
            raise ExplorerError(f"row {len(rows)}, column {len(rows[-1])}: nested too deep", "use fewer brackets")
        if count > 2 * MOST_CELLS:
            raise ExplorerError("a matrix of more than a million cells", "save the numbers as .npy")
        if depth == 0 and part[0] == ",":
            rows[-1].append([])
        elif depth == 0 and part[0] == ";":
            rows.append([[]])
        else:
            rows[-1][-1].append(part[0])
    raise ExplorerError("truncated: the bracket of mat( is not closed", "copy all of it")


def _tidy(rows: list[list[str]]) -> list[list[str]]:
    """Without settings and without what a last comma or semicolon would begin; dots as everybody writes them."""
    kept = [["..." if _DOTS.fullmatch(cell) else cell for cell in row if not _SETTING.match(cell)] for row in rows]
    return [row[:-1] if len(row) > 1 and not row[-1] else row for row in kept if any(row)]
