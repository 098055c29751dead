"""One cell of a Markdown table, or a heading, as plain text: **0.7** as 0.7."""

from __future__ import annotations

import html
import re

from explorer.errors import ExplorerError
from explorer.formats.markup.latex_cells import cell_text

LONGEST = 1000
_MARKS = ("***", "**", "*", "___", "__", "_", "```", "``", "`", "==", "=")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_LOOKS = re.compile(r"</?(?:b|i|u|em|strong|code|mark|br)\s?/?>", re.IGNORECASE)


def plain_cell(cell: str, place: str) -> str:
    """What a cell says without what makes it bold, slanted, code or mathematics; ``place`` is named in errors."""
    text = cell.strip()
    if len(text) > LONGEST:
        raise ExplorerError(f"{place} holds {len(text)} characters", f"use at most {LONGEST}")
    if text.isalnum():
        return text
    text = _LOOKS.sub("", text).strip() if "<" in text else text
    while marks := [mark for mark in _MARKS if _is_marked(text, mark)]:
        text = text[len(marks[0]) : -len(marks[0])]
        if marks[0][0] == "`":
            return text.strip()  # code is what it says
    if len(text) > 2 and text[0] == text[-1] == "$" and "$" not in text[1:-1]:
        return _mathematics(text[1:-1], place)
    if link := _LINK.fullmatch(text):
        text = link[1]
    text = html.unescape(text) if "&" in text else text
    text = _ESCAPE.sub(r"\1", text) if "\\" in text else text
    return "\u2026" if text == "\u00b7" else text  # DuckDB prints a dot for each column of the rows left out


def _is_marked(text: str, mark: str) -> bool:
    """Whether a mark stands on both sides of all of it, and nowhere else."""
    inner = text[len(mark) : -len(mark)]
    is_outside = text.startswith(mark) and text.endswith(mark) and mark not in inner
    return is_outside and bool(inner.strip()) and inner[-1] != "\\" and len(text) > 2 * len(mark)


def _mathematics(text: str, place: str) -> str:
    try:
        return cell_text(text)
    except ExplorerError as error:
        raise ExplorerError(f"{place}: {error.message}", error.hint) from None
