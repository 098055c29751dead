"""Safetensors files, read with NumPy alone."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats import json_text
from explorer.formats.arrays.arrays import MOST_NUMBERS, Array, check_shape, named_of
from explorer.formats.imported import Imported
from explorer.formats.json_values import as_list, as_object, as_text, as_whole
from explorer.formats.named_parts import MOST_PARTS, quoted
from explorer.formats.printable import printable

LONGEST_HEADER = 2**24
_TYPES: Mapping[str, str] = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2",
    "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|u1",
}  # fmt: skip
_AGAIN = "fetch or save it again"


def is_safetensors(data: bytes) -> bool:
    """Whether it begins with the length of a header and the header's bracket."""
    return data[8:9] == b"{" and 2 <= int.from_bytes(data[:8], "little") <= LONGEST_HEADER


def read_safetensors(data: bytes, name: str = "") -> Imported:
    """The tensors by name; a single one is called so itself, ``name`` where it has none."""
    if len(data) < 8:
        raise ExplorerError("truncated: the length of the header is not complete", _AGAIN)
    length = int.from_bytes(data[:8], "little")
    if length > LONGEST_HEADER:
        raise ExplorerError(f"its header of {length} bytes is too long", _AGAIN)
    if length > len(data) - 8:
        raise ExplorerError(f"truncated: expected a header of {length} bytes, {len(data) - 8} are there", _AGAIN)
    header = as_object(json_text.parsed(data[8 : 8 + length], "the header of a safetensors file", _AGAIN), "the header")
    body = memoryview(data)[8 + length :]
    entries = {key: as_object(item, quoted(key)) for key, item in header.items() if key != "__metadata__"}
    if len(entries) > MOST_PARTS:
        raise ExplorerError(f"{len(entries)} tensors are in it", f"save at most {MOST_PARTS}")
    _check_overlap({key: _place(entry, quoted(key), len(body)) for key, entry in entries.items()})
    sizes = [math.prod(_shape(entry, quoted(key))) for key, entry in entries.items()]
    if sum(sizes) > MOST_NUMBERS:
        raise ExplorerError(f"{sum(sizes)} numbers are too many", f"save at most {MOST_NUMBERS}")
    return named_of({key or name: _tensor(entry, quoted(key), body) for key, entry in entries.items()})


def _tensor(entry: Mapping[str, object], where: str, body: memoryview) -> Array:
    kind, shape = as_text(entry.get("dtype"), f"{where}.dtype"), _shape(entry, where)
    begin, end = _place(entry, where, len(body))
    if kind.startswith("C"):
        raise ExplorerError(f"{where} holds complex numbers ({printable(kind)})", "save the real part")
    if kind not in _TYPES:
        raise ExplorerError(f"{where} holds numbers of the type {printable(kind)[:20]}", "save it .to(torch.float32)")
    stored = np.dtype(_TYPES[kind])
    if end - begin != math.prod(shape) * stored.itemsize:
        raise ExplorerError(
            f"{where}: expected {math.prod(shape) * stored.itemsize} bytes of numbers, {end - begin} are named", _AGAIN
        )
    values: Array = np.frombuffer(body[begin:end], stored)
    if kind == "BF16":  # the upper half of a float32
        values = (values.astype(np.uint32) << 16).view(np.float32)
    return (values != 0 if kind == "BOOL" else values).reshape(shape)


def _shape(entry: Mapping[str, object], where: str) -> tuple[int, ...]:
    lengths = as_list(entry.get("shape"), f"{where}.shape")
    if len(lengths) > 64:
        raise ExplorerError(f"{where}: {len(lengths)} dimensions", "save a part of at most 5")
    shape = tuple(as_whole(length, f"{where}.shape", least=0) for length in lengths)
    if shape:  # a single number is no matrix, but may stand beside one
        try:
            check_shape(shape)
        except ExplorerError as error:
            raise ExplorerError(f"{where}: {error.message}", error.hint) from None
    return shape


def _place(entry: Mapping[str, object], where: str, there: int) -> tuple[int, int]:
    """Where the numbers begin and end among the bytes after the header."""
    offsets = as_list(entry.get("data_offsets"), f"{where}.data_offsets")
    if len(offsets) != 2:
        raise ExplorerError(f"{where}.data_offsets has {len(offsets)} entries, not 2", _AGAIN)
    begin, end = (as_whole(offset, f"{where}.data_offsets", least=0) for offset in offsets)
    if begin > end:
        raise ExplorerError(f"{where}.data_offsets run backwards", _AGAIN)
    if end > there:
        raise ExplorerError(f"truncated: expected {end} bytes of numbers, {there} are there", _AGAIN)
    return begin, end


def _check_overlap(places: Mapping[str, tuple[int, int]]) -> None:
    """Refuse tensors that share bytes: a file made so says something else than it seems to."""
    last, owner = 0, ""
    for key, (begin, end) in sorted(places.items(), key=lambda item: item[1]):
        if begin < last and end > begin:
            raise ExplorerError(f"{quoted(key)} and {quoted(owner)} share bytes", _AGAIN)
        if end > last:
            last, owner = end, key
