"""NumPy's .npy and .npz files, read without pickle."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats.arrays import zip_members
from explorer.formats.arrays.arrays import (
    MOST_NUMBERS,
    Array,
    array_of,
    check_kind,
    check_shape,
    named_of,
    texts_of,
)
from explorer.formats.imported import Imported
from explorer.formats.named_parts import quoted
from explorer.formats.printable import printable
from explorer.formats.tables.table_cells import matrix_of

MAGIC = b"\x93NUMPY"
LONGEST_HEADER = 10_000
_LAST_LETTER = 0x10FFFF
_SIZES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8)}
_ENTRY = re.compile(
    r"\s*(?:'(descr)'\s*:\s*'([^']{1,40})'|'(fortran_order)'\s*:\s*(True|False)"
    r"|'(shape)'\s*:\s*\(((?:[0-9]{1,18}L?,\s?)*(?:[0-9]{1,18}L?)?)\))\s*(?:,\s*|$)"
)
_TYPE = re.compile(r"([<>|=]?)([A-Za-z?])([0-9]{0,6})(?:\[\w{1,8}\])?")
_AGAIN = "fetch it again, or save it again with np.save"


@dataclass(frozen=True)
class _Header:
    dtype: np.dtype[np.generic]
    is_fortran: bool
    shape: tuple[int, ...]
    start: int


def is_npy(data: bytes) -> bool:
    """Whether the bytes begin as a .npy file does."""
    return data.startswith(MAGIC)


def is_npz(data: bytes) -> bool:
    """Whether it is a zip file that holds .npy files."""
    return data.startswith(zip_members.MAGIC) and any(name.endswith(".npy") for name in zip_members.names_in(data))


def read_npy(data: bytes, name: str = "") -> Imported:
    """The array of a .npy file; texts are read as a table."""
    values, notes = _array(data)
    if values.dtype.kind not in "US":
        return array_of(values, name=name, notes=notes)
    if values.ndim != 2:
        raise ExplorerError(
            "holds texts, not numbers", "save tokens beside a matrix: np.savez('a.npz', Q=Q, tokens=tokens)"
        )
    return matrix_of([texts_of(row) for row in values], name=name, notes=notes)


def read_npz(data: bytes, name: str = "") -> Imported:
    """The arrays of a .npz file; ``name`` is what a single array without a name of its own is called."""
    arrays: dict[str, Array | Sequence[str]] = {}
    notes: list[str] = []
    room = MOST_NUMBERS
    for entry, content in zip_members.unpacked(data, lambda member: member.endswith(".npy")).items():
        called = entry.removesuffix(".npy")
        try:
            arrays[called], said = _array(content, room)
        except ExplorerError as error:
            raise ExplorerError(f"{quoted(called)}: {error.message}", error.hint) from None
        room -= np.size(arrays[called])
        notes += [f"{quoted(called)}: {note}" for note in said]
    other = [entry for entry in zip_members.names_in(data) if not entry.endswith((".npy", "/"))]
    notes += [f"{quoted(entry)} is no .npy file: left out" for entry in other[:8]]
    found = named_of(arrays, notes=notes)
    return replace(found, name=name or found.name) if found.name == "arr_0" else found


def _array(data: bytes, room: int = MOST_NUMBERS) -> tuple[Array, list[str]]:
    """The array as stored, over the memory of the file, with a note on bytes left over."""
    header = _header(data)
    count = math.prod(header.shape)
    if count > room:
        raise ExplorerError(f"more than {MOST_NUMBERS} numbers", "choose a part")
    size, there = count * header.dtype.itemsize, len(data) - header.start
    if there < size:
        raise ExplorerError(f"truncated: expected {size} bytes of numbers, {there} are there", _AGAIN)
    stored = np.dtype(np.uint8) if header.dtype.kind == "b" else header.dtype
    values: Array = np.frombuffer(data, stored, count, header.start)
    if header.dtype.kind == "b":
        values = values != 0  # a byte above 1 would be a third boolean
    elif header.dtype.kind == "U" and values.view(header.dtype.str[0] + "u4").max() > _LAST_LETTER:
        raise ExplorerError("its texts are damaged", _AGAIN)
    notes = [f"{there - size} bytes after the array left out"] if there > size else []
    return values.reshape(header.shape, order="F" if header.is_fortran else "C"), notes


def _header(data: bytes) -> _Header:
    """The header, whose text is a small Python dictionary; version 1 has a shorter length field."""
    if not is_npy(data) or data[6:7] not in (b"\1", b"\2", b"\3"):
        raise ExplorerError("not a .npy file of version 1, 2 or 3", _AGAIN)
    start = 10 if data[6] == 1 else 12
    length = int.from_bytes(data[8:start], "little")
    if length > LONGEST_HEADER:
        raise ExplorerError(f"its header of {length} bytes is too long", _AGAIN)
    if len(data) < start + length or length == 0:
        raise ExplorerError(f"truncated: the header is not complete, {len(data)} bytes are there", _AGAIN)
    found = _entries(data[start : start + length].decode("utf-8" if data[6] == 3 else "latin-1", "replace").strip())
    shape = tuple(int(part) for part in re.findall("[0-9]+", found["shape"]))
    if shape:  # a single number is no matrix, but may stand beside one
        check_shape(shape)
    return _Header(_dtype(found["descr"]), found["fortran_order"] == "True", shape, start + length)


def _entries(text: str) -> dict[str, str]:
    """The three entries of the header; anything else in it is refused."""
    if re.search(r"'descr'\s*:\s*\[", text):
        raise ExplorerError("holds records with named fields", "save one field: np.save('a.npy', a['weights'])")
    inside = text.removeprefix("{").removesuffix("}").strip()
    found: dict[str, str] = {}
    at = 0
    while at < len(inside) and (entry := _ENTRY.match(inside, at)):
        key, value = (part for part in entry.groups() if part is not None)
        found[key] = value
        at = entry.end()
    if at < len(inside) or len(found) != 3:
        raise ExplorerError("its header is damaged", _AGAIN)
    return found


def _dtype(text: str) -> np.dtype[np.generic]:
    """The type of the numbers or texts; every other one is refused by name."""
    parts = _TYPE.fullmatch(text)
    if parts is None:
        raise ExplorerError(f"holds the unknown type {printable(text)}", "save numbers, with .astype(float)")
    order, kind, size = parts[1], parts[2], int(parts[3] or 0)
    if kind == "?":
        kind, size = "b", 1
    if size in _SIZES.get(kind, ()) or (kind in "US" and size > 0):
        return np.dtype(f"{order}{kind}{size}")
    if kind in "OMmcV":
        check_kind(np.dtype({"c": "c16", "V": f"V{size or 1}"}.get(kind, kind)))
    raise ExplorerError(f"holds numbers of the type {printable(text)}", "save them with .astype(float)")
