"""Locks that end with the process that holds them, however it ends."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def hold(descriptor: int) -> bool:
        """Lock an open file; False when somebody else has it, an OSError where the disk knows no locks."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def hold(descriptor: int) -> bool:
        """Lock an open file; False when somebody else has it, an OSError where the disk knows no locks."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class Lock:
    """A file that is locked as long as this object is not released and this process lives."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    @classmethod
    def take(cls, path: Path) -> Lock | None:
        """Lock the file of that name, made when there is none; None while somebody else has it."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        # One who removed the file between opening and locking has left us a lock that nobody else would see.
        if _is_held(descriptor) and _is_at(path, descriptor):
            return cls(path, descriptor)
        os.close(descriptor)
        return None

    def release(self) -> None:
        """Give it up and leave the file."""
        os.close(self._descriptor)

    def remove(self) -> None:
        """Give it up and take the file away."""
        if sys.platform == "win32":  # an open file cannot be removed there
            os.close(self._descriptor)
            with suppress(OSError):
                self._path.unlink()
        else:
            with suppress(OSError):
                self._path.unlink()
            os.close(self._descriptor)


def _is_held(descriptor: int) -> bool:
    try:
        return hold(descriptor)
    except OSError:
        return True  # a disk without locks: work offered to two windows is better than work never offered


def _is_at(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except OSError:
        return False
