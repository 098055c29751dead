"""Columns that a console printed in several blocks, below headers of its own, put side by side again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from explorer.errors import ExplorerError

Rows = list[list[str]]
_WHOLE = "copy the whole print"
_R_COLUMN = re.compile(r"\[,([0-9]{1,9})\]")
_R_ROW = re.compile(r"\s{0,12}\[([0-9]{1,9}),\]")
_R_ENTRY = re.compile(r"\s{0,12}\[([0-9]{1,9})\](?=\s)")


class Framed(NamedTuple):
    """Rows with the labels of the frame, whether these are labels for sure, and what was done."""

    rows: Rows
    has_corner: bool
    notes: tuple[str, ...] = ()


def side_by_side(blocks: Sequence[tuple[int, list[str]]]) -> list[str]:
    """The lines of blocks that each begin with a column, counted from 1, joined to long lines."""
    if len(blocks) < 2:
        return blocks[0][1] if blocks else []
    joined = [line.split() for line in blocks[0][1]]
    for start, lines in blocks[1:]:
        if len(lines) != len(joined):
            raise ExplorerError(
                f"the block from column {start} on has {len(lines)} rows, the first has {len(joined)}",
                _WHOLE,
            )
        if any(len(row) != start - 1 for row in joined):
            raise ExplorerError(f"truncated: the columns before column {start} are not all there", _WHOLE)
        for row, line in zip(joined, lines, strict=True):
            row += line.split()
    return ["  ".join(row) for row in joined]


def framed_rows(lines: Sequence[str]) -> Framed | None:
    """The rows of a matrix that R or pandas printed; None for anything else."""
    if lines and all(map(_R_ENTRY.match, lines)):
        return _vector(lines)
    heads = [i for i, line in enumerate(lines) if _R_COLUMN.search(line[:100]) and _is_r_header(line)]
    is_r = bool(heads)
    if not heads and lines and lines[0][:1] == " " and not all(line[:1] == " " for line in lines):
        heads = [i for i, line in enumerate(lines) if line[:1] == " "]
    if not heads or heads[0] != 0 or '"' in lines[0] or "\t" in lines[0]:
        return None
    blocks = [
        [line.split() for line in lines[start:end]] for start, end in zip(heads, [*heads[1:], len(lines)], strict=True)
    ]
    for header, *rows in blocks:
        if header[-1:] == ["\\"]:
            header.pop()
        if not rows or any(len(row) != len(header) + 1 for row in rows):
            return None
    return _r_matrix(_joined(blocks)) if is_r else Framed(_joined(blocks), True, _said(blocks))


def _vector(lines: Sequence[str]) -> Framed:
    """R's vector of one or more lines, each with the position of its first entry."""
    row: list[str] = []
    for line in lines:
        found = _R_ENTRY.match(line)
        assert found is not None
        if int(found[1]) != len(row) + 1:
            raise ExplorerError(f"truncated: {len(row)} entries stand before [{found[1]}]", _WHOLE)
        row += line[found.end() :].split()
    return Framed([row], False)


def _is_r_header(line: str) -> bool:
    return all(map(_R_COLUMN.fullmatch, line.split()))


def _joined(blocks: Sequence[Rows]) -> Rows:
    first = blocks[0]
    side = [row[0] for row in first[1:]]
    made = [["", *first[0]], *(list(row) for row in first[1:])]
    for header, *rows in blocks[1:]:
        if [row[0] for row in rows] != side:
            raise ExplorerError(f"the rows below the header '{' '.join(header)[:40]}' are others", _WHOLE)
        made[0] += header
        for row, more in zip(made[1:], rows, strict=True):
            row += more[1:]
    return made


def _said(blocks: Sequence[Rows]) -> tuple[str, ...]:
    return ("blocks of columns put together",) if len(blocks) > 1 else ()


def _r_matrix(rows: Rows) -> Framed:
    """Without the positions that R prints for labels that are not there."""
    numbers = [_R_COLUMN.fullmatch(cell) for cell in rows[0][1:]]
    if [int(found[1]) for found in numbers if found] != list(range(1, len(numbers) + 1)):
        raise ExplorerError("truncated: some columns are not there", _WHOLE)
    note = ("R's row and column numbers left out",)
    body = rows[1:]
    if all(_R_ROW.fullmatch(row[0]) for row in body):
        return Framed([row[1:] for row in body], False, note)
    return Framed(body, False, note)
