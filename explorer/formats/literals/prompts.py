"""What was typed at prompts and printed by interpreters, without the prompts."""

from __future__ import annotations

import re
from collections.abc import Iterator

_INPUT = re.compile(r">>> ?|In ?\[[0-9]{1,6}\]:=? ?|julia> ?|>> |octave:[0-9]{1,6}> ?")
_CONTINUED = re.compile(r"\.\.\. ?|\s*\.\.\.: ?")
_OUTPUT = re.compile(r"Out ?\[[0-9]{1,6}\](?:[:=] ?|//[A-Za-z]{1,20}= ?)")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w+-]*\s*")
_SHOWN = re.compile(r"\s*(?:(?:print|display|disp)\s*\(\s*([A-Za-z_]\w*)\s*\)|([A-Za-z_]\w*))\s*;?\s*")
_BRACKET = re.compile(r"[\[(]|\{\s*[{0-9.+-]")


def without_prompts(text: str) -> str:
    """The assignments, and what was printed, under the name that was asked for: ">>> Q" and a list are "Q = [...]"."""
    lines = [
        line for line in text.split("\n") if not (line[:8].lstrip()[:3] in ("```", "~~~") and _FENCE.fullmatch(line))
    ]
    if any(_INPUT.match(line) or _OUTPUT.match(line) for line in lines):
        return "\n".join(part for code, shown in _blocks(lines) for part in _kept(code, shown))
    filled = [line for line in lines if line.strip()]
    if filled and all(line.startswith(("> ", "+ ")) for line in filled) and filled[0][0] == ">":
        lines = [line[2:] for line in lines]
    return "\n".join(lines)


def _blocks(lines: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """What was typed, and what was printed thereupon."""
    code: list[str] = []
    shown: list[str] = []
    for line in lines:
        typed, printed = _INPUT.match(line), _OUTPUT.match(line)
        continued = _CONTINUED.match(line) if code and not shown else None
        if typed:
            if code or shown:
                yield code, shown
            code, shown = [line[typed.end() :]], []
        elif continued:
            code.append(line[continued.end() :])
        else:
            # Spaces instead of the prompt: the lines of a print stay under each other.
            shown.append(" " * printed.end() + line[printed.end() :] if printed else line)
    yield code, shown


def _kept(code: list[str], shown: list[str]) -> Iterator[str]:
    typed, printed = "\n".join(code), "\n".join(shown)
    has_print = _BRACKET.search(printed) is not None
    name = _SHOWN.fullmatch(typed)
    if has_print and name:
        yield f"{name[1] or name[2]} ="
    elif "=" in typed or "<-" in typed or (not has_print and not name):
        yield typed
    if has_print or (not name and printed.strip() and not code):
        yield printed
