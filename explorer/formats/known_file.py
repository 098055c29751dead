"""Whether a file still is what it was."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Literal

from explorer.errors import ExplorerError
from explorer.formats import disk

State = Literal["same", "changed", "gone"]


Stamp = tuple[int, ...]


class KnownFile:
    """A file as it was when it was last read or written here."""

    def __init__(self, path: Path, data: bytes | None = None, digest: str | None = None) -> None:
        """``data`` is what it holds, ``digest`` what it held in an earlier run; without both it is read."""
        self.path = path
        self._stamp: Stamp | None = None
        if digest is None:
            with suppress(OSError, ValueError):
                self._stamp = _stamp(path)
        self._is_sure = False  # this stamp may already be that of a writing just after ours
        self.digest = digest or (_digest_of(path) if data is None else _digest(data))

    @property
    def state(self) -> State:
        """Whether it holds something else now; written anew with the same content it is the same."""
        try:
            stamp = _stamp(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return "gone"
        except (OSError, ValueError):
            return "same"  # out of reach is not changed; saving will say what is wrong
        if stamp == self._stamp and self._is_sure:
            return "same"
        digest = _digest_of(self.path)
        if digest is None:  # unreadable: the stamp is all there is to go by
            return "same" if stamp == self._stamp else "changed"
        if digest != self.digest:
            return "changed"
        self._stamp, self._is_sure = stamp, True
        return "same"


def _stamp(path: Path) -> Stamp:
    """What changes with every writing."""
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _digest_of(path: Path) -> str | None:
    try:
        return _digest(disk.read_bytes(path))
    except ExplorerError:
        return None
