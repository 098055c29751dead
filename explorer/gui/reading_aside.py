"""Reading a file, beside the window where that takes long."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, Signal

from explorer.formats import disk
from explorer.formats.imported import Imported
from explorer.formats.printable import printable

LONG = 2 * 2**20  # bytes that may take a good part of a second


@dataclass(frozen=True, eq=False)
class Job:
    """A file, its bytes, and what they hold or why they cannot be read."""

    path: Path
    data: bytes
    result: Imported | Exception

    @property
    def name(self) -> str:
        """What the file is called on the screen."""
        return printable(self.path.name)


class FileReader(QObject):
    """``waiting`` carries the name of a file that takes a while; ``done`` the job, of the file asked for last only."""

    waiting = Signal(str)
    done = Signal(object)
    _arrived = Signal(int, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._last = 0
        self._arrived.connect(self._arrive)

    def read(self, path: Path) -> None:
        """Read a file; what its bytes hold arrives later where there are many.

        Raises ExplorerError when the bytes cannot be had.
        """
        data = disk.read_bytes(path)
        self._last += 1
        if len(data) <= LONG:
            self.done.emit(_read(path, data))
            return
        self.waiting.emit(printable(path.name))
        Thread(target=self._work, args=(self._last, path, data), name="reading", daemon=True).start()

    def _work(self, number: int, path: Path, data: bytes) -> None:
        job = _read(path, data)
        with suppress(RuntimeError):  # the window has gone meanwhile
            self._arrived.emit(number, job)

    def _arrive(self, number: int, job: Job) -> None:
        if number == self._last:
            self.done.emit(job)


def _read(path: Path, data: bytes) -> Job:
    # The readers are many, and a start needs none of them.
    from explorer.formats.reading import read_file

    try:
        return Job(path, data, read_file(data, printable(path.name)))
    except Exception as error:  # whatever it is, it is told where the window lives
        return Job(path, data, error)
