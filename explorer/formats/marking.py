"""What a person's working is worth, as JSON or as text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby

from explorer.core.checking import Verdict, first_wrong
from explorer.formats.printable import printable
from explorer.state.document import Document

_MANY = {"key": "keys", "query": "queries"}
_WORDS = {"carried": "carried forward"}


def write_json(verdicts: Sequence[Verdict]) -> str:
    """One object: whether nothing is wrong, the first wrong stage, a verdict for each row given."""
    wrong = first_wrong(verdicts)
    marks = {"ok": wrong is None, "first_wrong": wrong, "stages": [asdict(verdict) for verdict in verdicts]}
    return json.dumps(marks, allow_nan=False)


def write_text(document: Document, verdicts: Sequence[Verdict]) -> str:
    """A line for rows that got the same verdict, what is missing in one line, and the first wrong stage."""
    given = [verdict for verdict in verdicts if verdict.verdict != "missing"]
    lines = [_line(document, list(alike)) for _, alike in groupby(given, key=lambda v: (v.name, v.verdict, v.message))]
    missing = [verdict.name for verdict in verdicts if verdict.verdict == "missing" and verdict.row is None]
    if missing:
        lines.append(f"not given: {', '.join(missing)}")
    wrong = first_wrong(verdicts)
    lines.append("nothing is wrong" if wrong is None else f"first wrong: {wrong}")
    return "\n".join(lines) + "\n"


def _line(document: Document, alike: Sequence[Verdict]) -> str:
    first = alike[0]
    word = _WORDS.get(first.verdict, first.verdict)
    said = first.message if first.message.startswith(word) else f"{word}: {first.message}"
    return printable(f"{first.name}{_rows(document, alike)}: {said}")


def _rows(document: Document, alike: Sequence[Verdict]) -> str:
    first, last = alike[0].row, alike[-1].row
    if first is None or last is None:
        return ""
    is_key = alike[0].name in ("k", "v")
    what, labels = ("key", document.key_labels) if is_key else ("query", document.query_labels)
    if len(alike) == 1:
        return f", {what} {first + 1}" + (f" ({labels[first]})" if labels[first] else "")
    numbers = f"{first + 1} to {last + 1}"
    if last - first + 1 != len(alike):  # some rows between were left out
        numbers = ", ".join(str((verdict.row or 0) + 1) for verdict in alike)
    return f", {_MANY[what]} {numbers}"
