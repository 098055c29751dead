"""Members of a zip file, with their sizes checked before they are unpacked."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

from explorer.errors import ExplorerError
from explorer.formats.named_parts import quoted

MAGIC = b"PK\x03\x04"
MOST_MEMBERS = 4096
# What a matrix of 16 million float64 numbers takes, and its header.
MOST_BYTES = 2**27 + 2**16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def names_in(data: bytes) -> tuple[str, ...]:
    """The names of the members; none when it is no zip file that can be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return tuple(archive.namelist())
    except Exception:  # zipfile has no list of what damaged files make it raise
        return ()


def unpacked(data: bytes, is_wanted: Callable[[str], bool], most: int = MOST_BYTES) -> Mapping[str, bytes]:
    """The members whose names are wanted, in their order; at most ``most`` bytes of them together."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            chosen = [info for info in archive.infolist() if is_wanted(info.filename)]
            _check(chosen, most)
            return {info.filename: _content(archive, info) for info in chosen}
    except ExplorerError:
        raise
    except Exception:  # as above
        raise ExplorerError("the zip file is truncated or damaged", "fetch or save it again") from None


def _check(chosen: list[zipfile.ZipInfo], most: int) -> None:
    if len(chosen) > MOST_MEMBERS:
        raise ExplorerError(f"{len(chosen)} entries in it", f"use at most {MOST_MEMBERS}")
    seen: set[str] = set()
    for info in chosen:
        if info.filename in seen:
            raise ExplorerError(f"the entry {quoted(info.filename)} stands twice in it", "save it again")
        if info.flag_bits & 1:
            raise ExplorerError("protected with a password", "save it without one")
        if info.compress_type not in _METHODS:
            raise ExplorerError("compressed in an unusual way", "save it again")
        seen.add(info.filename)
    total = sum(info.file_size for info in chosen)
    if total > most:
        raise ExplorerError(f"unpacked it takes {total} bytes", f"use at most {most}")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The bytes of a member, never more than it declared."""
    with archive.open(info) as member:
        content = member.read(info.file_size + 1)
    if len(content) != info.file_size:
        raise ExplorerError(
            f"{quoted(info.filename)} is truncated: expected {info.file_size} bytes, {len(content)} are there",
            "fetch or save it again",
        )
    return content
