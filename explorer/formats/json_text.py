"""JSON parsed so that nothing in it is lost or guessed, with one-line errors."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any, NoReturn

from explorer.errors import ExplorerError
from explorer.formats.json_values import shown

LARGEST = 64 * 2**20  # bytes


def parsed(
    data: bytes, what: str, hint: str,
    number: Callable[[str], Any] | None = None, whole: Callable[[str], Any] | None = None,
) -> Any:  # fmt: skip
    """The value in ``data``; ``what`` it should be ("a session file") and a ``hint`` go into errors."""
    if len(data) > LARGEST:
        raise ExplorerError("larger than 64 MiB", f"{what} is far smaller; {hint}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ExplorerError(f"line {line}: not UTF-8 text", "save it as UTF-8, or open another file") from None
    try:
        return json.loads(
            text, parse_constant=_constant, parse_float=number or _finite, parse_int=whole or _whole,
            object_pairs_hook=_once,
        )  # fmt: skip
    except json.JSONDecodeError as error:
        _refuse_text(text, error)
    except RecursionError:
        raise ExplorerError(f"nested too deep for {what}", "open another file") from None


def _refuse_text(text: str, error: json.JSONDecodeError) -> NoReturn:
    if not text.strip():
        raise ExplorerError("empty", "open another file, or a saved copy") from None
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        raise ExplorerError(f"line {error.lineno}: truncated, cut off in the middle", "open a saved copy") from None
    what = error.msg[:1].lower() + error.msg[1:]
    raise ExplorerError(f"line {error.lineno}, column {error.colno}: not JSON ({what})", "correct that line") from None


def _constant(literal: str) -> str:
    """NaN and Infinity as the texts that our files have for them."""
    return {"NaN": "nan", "Infinity": "inf"}.get(literal, "-inf")


def _finite(literal: str) -> float | str:
    """A number; one too large stays a text, so that its cell, not the file, refuses it by name."""
    value = float(literal)
    return literal if math.isinf(value) else value


def _whole(literal: str) -> int:
    if len(literal) > 310:
        raise ExplorerError(f"the number {literal[:20]}... is too large", 'give a smaller one, or "inf"')
    return int(literal)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose names are all different: of two, one would be lost unseen."""
    made: dict[str, object] = {}
    for name, value in pairs:
        if name in made:
            raise ExplorerError(f"the name {shown(name)} stands twice in one object", "take one of them out")
        made[name] = value
    return made
