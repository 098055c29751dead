"""Keeps unsaved work in a recovery file, a few seconds behind."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.errors import ExplorerError
from explorer.formats import recovery
from explorer.gui.files import Files
from explorer.gui.reporting import Reporter
from explorer.state.document import Document
from explorer.state.store import Store

DELAY = 2500  # milliseconds; with the writing of a large problem no more than 5 s


class Keeper(QObject):
    """Writes in a thread, because a large problem takes a second and a document never changes."""

    _written = Signal()

    def __init__(self, parent: QObject, folder: Path, store: Store, files: Files, reporter: Reporter) -> None:
        super().__init__(parent)
        self._store, self._files, self._reporter = store, files, reporter
        self._file = recovery.RecoveryFile(folder)
        self._tried: Document | None = None  # what was written last, or could not be
        self._writer: Thread | None = None
        self._error: Exception | None = None
        self._has_complained = False
        self._written.connect(self._take_note)
        self.timer = QTimer(self, singleShot=True, interval=DELAY)
        self.timer.timeout.connect(self._start)
        store.subscribe(self.follow)

    def follow(self) -> None:
        """Write soon when there is something new that no file holds; when all is saved, leave nothing."""
        if not self._files.is_changed:
            self._drop()
        elif self._store.document is not self._tried and not self.timer.isActive():
            self.timer.start()

    def keep_now(self) -> bool:
        """Write at once what waits to be written; whether what was written last is safe."""
        self.wait()
        if self.timer.isActive():
            self.timer.stop()
            self._start()
            self.wait()
        return self._error is None

    def wait(self) -> None:
        """Wait until nothing is being written."""
        if self._writer is not None:
            self._writer.join()

    def end(self) -> None:
        """All is saved or was given up, and the window goes: leave nothing."""
        self._drop()
        self._file.close()

    def _drop(self) -> None:
        self.timer.stop()
        if self._tried is not None:
            self.wait()
            self._file.drop()
            self._tried = self._error = None
            self._has_complained = False

    def _start(self) -> None:
        if self._writer is not None and self._writer.is_alive():
            self.timer.start()
            return
        self._tried = self._store.document
        work = recovery.Work(self._tried, self._store.view, datetime.now(), self._files.path, self._files.digest)
        self._writer = Thread(target=self._write, args=(work,), name="recovery")
        self._writer.start()

    def _write(self, work: recovery.Work) -> None:
        try:
            self._file.keep(recovery.write(work))
            self._error = None
        except Exception as error:  # whatever it is, it is told where the window lives
            self._error = error
        with suppress(RuntimeError):  # the window has gone meanwhile
            self._written.emit()

    def _take_note(self) -> None:
        """Say once that it does not work; the next edit tries again."""
        error = self._error
        if error is None:
            self._has_complained = False
        elif not self._has_complained:
            self._has_complained = True
            if isinstance(error, ExplorerError):
                self._reporter.complain(error)
            else:
                self._reporter.report(error)
