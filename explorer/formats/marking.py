"""What a person's working is worth, as JSON or as text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from explorer.core.checking import Verdict, first_wrong
from explorer.formats.printable import printable
from explorer.state.document import Document

_WORDS = {"carried": "carried forward", "missing": "not given"}


def write_json(verdicts: Sequence[Verdict]) -> str:
    """One object: whether nothing is wrong, the first wrong stage, a verdict for each row given."""
    wrong = first_wrong(verdicts)
    marks = {"ok": wrong is None, "first_wrong": wrong, "stages": [asdict(verdict) for verdict in verdicts]}
    return json.dumps(marks, allow_nan=False)


def write_text(document: Document, verdicts: Sequence[Verdict]) -> str:
    """A line for each row given, what is missing in one line, and the first wrong stage."""
    lines = []
    for verdict in verdicts:
        if verdict.verdict == "missing":
            continue
        word = _WORDS.get(verdict.verdict, verdict.verdict)
        reason = "" if verdict.message == verdict.verdict else f": {verdict.message}"
        lines.append(f"{verdict.name}{_row(document, verdict)}: {word}{reason}")
    missing = [verdict.name for verdict in verdicts if verdict.verdict == "missing" and verdict.row is None]
    if missing:
        lines.append(f"not given: {', '.join(missing)}")
    wrong = first_wrong(verdicts)
    lines.append("nothing is wrong" if wrong is None else f"first wrong: {wrong}")
    return "\n".join(lines) + "\n"


def _row(document: Document, verdict: Verdict) -> str:
    if verdict.row is None:
        return ""
    is_key = verdict.name in ("k", "v")
    label = (document.key_labels if is_key else document.query_labels)[verdict.row]
    return printable(f", {'key' if is_key else 'query'} {verdict.row + 1}" + (f" ({label})" if label else ""))
