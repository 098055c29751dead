"""Whole files, read with care and written so that a failure leaves the old one as it was."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from explorer.errors import ExplorerError
from explorer.formats import leftovers
from explorer.formats.locking import hold

LARGEST = 64 * 2**20  # bytes
_CAN_RENAME_OPEN = sys.platform != "win32"

REASONS = {
    errno.ENOENT: "there is no such file or folder",
    errno.ENOTDIR: "there is no such folder",
    errno.EISDIR: "it is a folder",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.EROFS: "the disk is read-only",
    errno.ENOSPC: "no space left",
    errno.EDQUOT: "the disk quota is used up",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "its links lead in a circle",
}


def read_bytes(path: str | Path, limit: int = LARGEST) -> bytes:
    """The content of a regular file of at most ``limit`` bytes."""
    name = _name(path)
    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            raise ExplorerError(f"cannot read {name}: it is a folder", "choose a file in it")
        if not stat.S_ISREG(found.st_mode):
            raise ExplorerError(f"cannot read {name}: it is not a regular file", "choose another file")
        data = None if found.st_size > limit else _content(path, limit + 1)
    except (OSError, ValueError) as error:
        raise ExplorerError(f"cannot read {name}: {reason(error)}", "choose another file") from None
    if data is None or len(data) > limit:
        raise ExplorerError(f"cannot read {name}: larger than {_size(limit)}", "choose a smaller file")
    return data


def _content(path: str | Path, most: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(most)


def write_atomically(path: str | Path, data: bytes) -> None:
    """Put ``data`` where ``path`` (or the link there) leads, all of it or nothing."""
    try:
        replace_content(path, data)
    except (OSError, ValueError) as error:
        raise ExplorerError(f"cannot write {_name(path)}: {reason(error)}", "save it elsewhere with Save as") from None


def replace_content(path: str | Path, data: bytes) -> None:
    """The same, with the system's own error when it fails."""
    target = Path(os.path.realpath(path))
    mode = _mode_of_existing(target)
    leftovers.sweep(target.parent)  # first: what is left may be what fills the disk
    temporary = target.parent / leftovers.fresh_name()
    try:
        _write_through(temporary, data, mode, target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    _flush_folder(target.parent)


def _mode_of_existing(target: Path) -> int | None:
    """The permissions of the file to be replaced; None when there is none."""
    try:
        found = os.stat(target)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise ValueError("it is not a regular file")
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "no permission")
    return stat.S_IMODE(found.st_mode)


def _write_through(temporary: Path, data: bytes, mode: int | None, target: Path) -> None:
    with open(temporary, "xb") as file:
        with suppress(OSError):  # some file systems have no locks
            hold(file.fileno())
        if mode is not None:
            with suppress(OSError):  # some file systems have no permissions
                os.chmod(temporary, mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
        if _CAN_RENAME_OPEN:
            os.replace(temporary, target)  # still locked, so that no other process sweeps it away
    if not _CAN_RENAME_OPEN:
        os.replace(temporary, target)


def _flush_folder(folder: Path) -> None:
    """Make the renaming itself last through a power cut, where the system allows it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _name(path: str | Path) -> str:
    name = Path(path).name or str(path)
    return name if name.isprintable() else ascii(name)


def reason(error: OSError | ValueError) -> str:
    """Why the system could not do it, in a few words."""
    if isinstance(error, OSError):
        return REASONS.get(error.errno or 0, (error.strerror or str(error)).lower())
    return str(error)


def _size(limit: int) -> str:
    return f"{limit // 2**20} MiB" if limit >= 2**20 else f"{limit} bytes"
