"""The session file, version 1: a document and a view as JSON."""

from __future__ import annotations

import json
import math
from typing import NoReturn

from explorer.errors import ExplorerError
from explorer.formats.json_values import shown
from explorer.formats.session_reading import document_of, view_of
from explorer.formats.session_writing import FORMAT, VERSION, laid_out, session_object
from explorer.state.document import Document, View

LARGEST = 64 * 2**20  # bytes


def read(data: bytes, name: str = "the file") -> tuple[Document, View]:
    """The document and view of a session file; every error starts with ``name``."""
    try:
        top = _parsed(data)
        _check_header(top)
        document = document_of(top)
        return document, view_of(top, document.problem)
    except ExplorerError as error:
        raise ExplorerError(f"{name}: {error.message}", error.hint) from None
    except MemoryError:
        raise ExplorerError(f"{name}: too large for the memory of this machine", "use a smaller problem") from None


def write(document: Document, view: View) -> bytes:
    """The bytes of a session file; reading them gives the same document and view."""
    return (laid_out(session_object(document, view)) + "\n").encode("utf-8")


def _parsed(data: bytes) -> dict[str, object]:
    if len(data) > LARGEST:
        raise ExplorerError("larger than 64 MiB", "a session file is far smaller; import it as numbers")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ExplorerError(f"line {line}: not UTF-8 text", "save it as UTF-8, or open another file") from None
    try:
        top = json.loads(text, parse_constant=_constant, parse_float=_finite, parse_int=_whole, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        _refuse_text(text, error)
    except RecursionError:
        raise ExplorerError("nested too deep for a session file", "open another file") from None
    if not isinstance(top, dict):
        raise ExplorerError("not a session of Attention Explorer", "import it as numbers")
    return top


def _refuse_text(text: str, error: json.JSONDecodeError) -> NoReturn:
    if not text.strip():
        raise ExplorerError("empty", "open another file, or a saved copy") from None
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        raise ExplorerError(f"line {error.lineno}: cut off in the middle", "open a saved copy") from None
    what = error.msg[:1].lower() + error.msg[1:]
    raise ExplorerError(f"line {error.lineno}, column {error.colno}: not JSON ({what})", "correct that line") from None


def _constant(literal: str) -> str:
    """NaN and Infinity as the texts that the file format has for them."""
    return {"NaN": "nan", "Infinity": "inf"}.get(literal, "-inf")


def _finite(literal: str) -> float | str:
    """A number; one too large stays a text, so that its cell, not the file, refuses it by name."""
    value = float(literal)
    return literal if math.isinf(value) else value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object whose names are all different: of two, one would be lost unseen."""
    made: dict[str, object] = {}
    for name, value in pairs:
        if name in made:
            raise ExplorerError(f"the name {shown(name)} stands twice in one object", "take one of them out")
        made[name] = value
    return made


def _whole(literal: str) -> int:
    if len(literal) > 310:
        raise ExplorerError(f"the number {literal[:20]}... is too large", 'give a smaller one, or "inf"')
    return int(literal)


def _check_header(top: dict[str, object]) -> None:
    if top.get("format") != FORMAT:
        raise ExplorerError("not a session of Attention Explorer", "import it as numbers")
    version = top.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ExplorerError("the version of the file is missing or wrong", f'put "version": {VERSION} there')
    if version > VERSION:
        raise ExplorerError(
            f"made by a newer version of Attention Explorer (file version {version}, this one reads {VERSION})",
            "update Attention Explorer",
        )
