"""The session file, version 1: a document and a view as JSON."""

from __future__ import annotations

from explorer.errors import ExplorerError
from explorer.formats import json_text
from explorer.formats.session_reading import document_of, view_of
from explorer.formats.session_writing import FORMAT, VERSION, laid_out, session_object
from explorer.state.document import Document, View


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
    top = json_text.parsed(data, "a session file", "import it as numbers")
    if not isinstance(top, dict):
        raise ExplorerError("not a session of Attention Explorer", "import it as numbers")
    return top


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
