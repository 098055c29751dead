"""Tables whose columns are told by lines below their heads (=== ===), redrawn with bars."""

from __future__ import annotations

import re
from collections.abc import Sequence

_RULE = re.compile(r"\s*(?:-{3,}|={2,})(?:\s+(?:-{3,}|={2,}))+\s*")
_PART = re.compile(r"[-=]+")


def with_bars(text: str) -> str:
    """The same text with bars between the cells of such tables; nothing where there is none."""
    if "---" not in text and "==" not in text:
        return ""
    blocks: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            blocks[-1].append(line)
        elif blocks[-1]:
            blocks.append([])
    drawn = [_drawn(block) for block in blocks]
    if not any(drawn):
        return ""
    return "\n\n".join("\n".join(bars or block) for bars, block in zip(drawn, blocks, strict=True))


def _drawn(block: Sequence[str]) -> list[str]:
    """A block with bars; nothing where no rule cuts all of its lines between words."""
    rule = next((line for line in block if _RULE.fullmatch(line)), "")
    if not rule:
        return []
    parts = [part.span() for part in _PART.finditer(rule)]
    edges = [0, *(start for start, _ in parts[1:])]
    gaps = list(zip([end for _, end in parts], edges[1:], strict=False))
    lines = []
    for line in block:
        if _RULE.fullmatch(line):
            lines.append("+" + line.strip().replace(" ", "+") + "+")
        elif any(line[start:end].strip() for start, end in gaps):
            return []
        else:
            cells = [line[start:end] for start, end in zip(edges, [*edges[1:], None], strict=True)]
            lines.append(f"|{'|'.join(cells)}|")
    return lines
