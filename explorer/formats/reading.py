"""What any file or pasted text holds: the one way in, for the window and the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath

from explorer.errors import ExplorerError
from explorer.formats.arrays.json_arrays import is_json_object, read_json
from explorer.formats.arrays.numpy_files import is_npy, is_npz, read_npy, read_npz
from explorer.formats.arrays.refused_files import refuse
from explorer.formats.arrays.safetensors_files import is_safetensors, read_safetensors
from explorer.formats.arrays.spreadsheets import is_spreadsheet, read_spreadsheet
from explorer.formats.decoding import clean, text_of
from explorer.formats.imported import Imported
from explorer.formats.literals.literals import read_literal
from explorer.formats.markup.html_reading import read_html
from explorer.formats.markup.latex_reading import read_latex
from explorer.formats.markup.markup_reading import read_markup
from explorer.formats.tables.delimited import read_delimited

# Whether a file's bytes are of this kind, and what reads them; the first that knows its own does.
IMPORTERS: tuple[tuple[Callable[[bytes], bool], Callable[[bytes, str], Imported]], ...] = (
    (is_npy, read_npy),
    (is_npz, read_npz),
    (is_spreadsheet, read_spreadsheet),
    (is_safetensors, read_safetensors),
)

_CALL = re.compile(r":\s?(?:[a-z]{1,8}\.)?(?:[Aa]rray|tensor)\(")

# None = not theirs; the last takes what is left.
TextReader = Callable[[str, str], Imported | None]
TEXT_READERS: tuple[TextReader, ...] = (
    lambda text, name: _json_object(text, name) if is_json_object(text) else None,
    lambda text, name: read_html(text, name=name),
    lambda text, name: read_latex(text, name=name),
    lambda text, name: read_markup(text, name=name),
    lambda text, name: read_literal(text, name=name),
    lambda text, name: read_delimited(text, name=name),
)


def read_file(data: bytes, file: str) -> Imported:
    """What the bytes of a file hold; its name tells which files are refused, and every error begins with it."""
    try:
        return _read_bytes(data, file)
    except ExplorerError as error:
        raise ExplorerError(f"{file}: {error.message}", error.hint) from None


def _read_bytes(data: bytes, file: str) -> Imported:
    for is_theirs, read in IMPORTERS:
        if is_theirs(data):
            return read(data, PurePath(file).stem if is_npy(data) else "")
    refuse(data, file)
    text, notes = text_of(data)
    if PurePath(file).suffix.lower() in (".json", ".jsonl", ".ndjson"):
        return _noted(read_json(text), notes)
    return _noted(_read_clean(text, ""), notes)


def read_text(text: str, name: str = "") -> Imported:
    """What a pasted text holds."""
    return _read_clean(clean(text), name)


def _read_clean(text: str, name: str) -> Imported:
    for read in TEXT_READERS:
        made = read(text, name)
        if made is not None:
            return made
    raise ExplorerError("no numbers found", "give rows of numbers")


def _json_object(text: str, name: str) -> Imported:
    """A JSON object, or what looks like one and is Python's dictionary of arrays."""
    try:
        return read_json(text, name)
    except ExplorerError:
        made = read_literal(text, name=name) if _CALL.search(text) else None
        if made is None:
            raise
        return made


def _noted(made: Imported, notes: tuple[str, ...]) -> Imported:
    return replace(made, notes=(*notes, *made.notes)) if notes else made
