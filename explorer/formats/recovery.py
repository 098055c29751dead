"""Recovery files: work that no file of the person's holds yet, kept until one does."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from explorer.errors import ExplorerError
from explorer.formats import disk, session
from explorer.formats.locking import Lock
from explorer.state.document import Document, View

KEY = "recovery"  # a recovery file is a session file with this one name more, so that any version can open it


@dataclass(frozen=True, eq=False)
class Work:
    """A document as it was at some time; ``path`` is where it belongs, ``digest`` what was known to be there."""

    document: Document
    view: View
    time: datetime
    path: Path | None = None
    digest: str | None = None


def write(work: Work) -> bytes:
    """The bytes of a recovery file."""
    about = {
        "time": work.time.astimezone().isoformat(timespec="seconds"),
        "path": None if work.path is None else os.path.abspath(work.path),
        "digest": work.digest,
    }
    extra = {**work.document.extra, KEY: about}
    return session.write(replace(work.document, extra=extra), work.view)


def read(data: bytes, name: str = "the file") -> Work:
    """The work in a recovery file; every error starts with ``name``."""
    document, view = session.read(data, name)
    extra = dict(document.extra)
    about = extra.pop(KEY, None)
    try:
        if not isinstance(about, dict):
            raise TypeError
        time = datetime.fromisoformat(about["time"]).astimezone()
        path, digest = _path(about.get("path")), about.get("digest")
    except (TypeError, ValueError, KeyError, OverflowError, OSError):
        raise ExplorerError(f"{name}: does not say when and where it was made", "open it as a session") from None
    known = digest if isinstance(digest, str) else None
    return Work(replace(document, extra=extra), view, time, path, known)


def _path(text: Any) -> Path | None:
    if text is None:
        return None
    if not isinstance(text, str) or "\0" in text or not os.path.isabs(text):
        raise ValueError(text)
    return Path(text)


class RecoveryFile:
    """The file of one window, in a folder that windows share; its lock tells the others that the window lives."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock: Lock | None = None
        self._name()

    def _name(self) -> None:
        self.path = self._folder / f"{secrets.token_hex(8)}.json"

    def keep(self, data: bytes) -> None:
        """Put ``data`` there in place of what was there."""
        try:
            if self._lock is None:
                self._lock = self._locked()
            disk.replace_content(self.path, data)
        except (OSError, ValueError) as error:
            raise ExplorerError(
                f"unsaved work cannot be kept safe from a crash: {disk.reason(error)}", "save it soon"
            ) from None

    def _locked(self) -> Lock:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for _ in range(3):  # a window that looks for what others left may touch a new lock at the wrong moment
            lock = Lock.take(self.path.with_suffix(".lock"))
            if lock is not None:
                return lock
            self._name()
        raise OSError("its lock is taken")

    def drop(self) -> None:
        """Take the file away: nothing is unsaved."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Leave nothing behind."""
        self.drop()
        if self._lock is not None:
            self._lock.remove()
            self._lock = None


class Orphan:
    """What a window that died has left, claimed, so that no other window offers it at the same time."""

    def __init__(self, path: Path, lock: Lock) -> None:
        self.path, self._lock = path, lock

    def read(self) -> Work:
        """The work in it."""
        return read(disk.read_bytes(self.path), self.path.name)

    def discard(self) -> None:
        """Take it away for good."""
        with suppress(OSError):
            self.path.unlink()
        self._lock.remove()

    def set_aside(self) -> Path:
        """Rename what cannot be read, so that it is kept but not offered again; where it is now."""
        aside = self.path.with_suffix(".unreadable")
        with suppress(OSError):
            os.replace(self.path, aside)
        self._lock.remove()
        return aside

    def release(self) -> None:
        """Leave it to the next start."""
        self._lock.release()


def newest_orphan(folder: Path, seen: Collection[Path] = ()) -> Orphan | None:
    """Claim the newest file in the folder that no living window has, other than those ``seen``."""
    left = [path for path in folder.glob("*.json") if path not in seen]
    for path in sorted(left, key=_changed_at, reverse=True):
        lock = _claim(path.with_suffix(".lock"))
        if lock is None:
            continue
        if path.exists():
            return Orphan(path, lock)
        lock.remove()  # its window has just ended and taken it away
    return None


def sweep_locks(folder: Path) -> None:
    """Take away the locks that dead windows left without any work."""
    for path in folder.glob("*.lock"):
        if not path.with_suffix(".json").exists():
            lock = _claim(path)
            if lock is not None:
                lock.remove()


def _claim(path: Path) -> Lock | None:
    try:
        return Lock.take(path)
    except OSError:
        return None


def _changed_at(path: Path) -> tuple[int, str]:
    try:
        return os.stat(path).st_mtime_ns, path.name
    except OSError:
        return 0, path.name
