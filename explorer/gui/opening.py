"""What becomes of a file that is opened or dropped: a session, numbers that go where they belong, or a question."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from explorer.errors import ExplorerError
from explorer.formats.known_file import KnownFile
from explorer.formats.printable import printable
from explorer.gui.files import Files
from explorer.gui.pictures.style import Style
from explorer.gui.preview.inquiry import Decision, Inquiry
from explorer.gui.preview.slice_choice import SliceChoice
from explorer.gui.reading_aside import FileReader, Job
from explorer.gui.reporting import Reporter
from explorer.gui.settings import Settings
from explorer.state import bias
from explorer.state.document import Snapshot, View
from explorer.state.edits import Edit, Look
from explorer.state.store import Store

FILTER = ";;".join((
    "All readable (*.json *.jsonl *.csv *.tsv *.txt *.md *.tex *.html *.xlsx *.npy *.npz *.safetensors *.py *.m *.typ)",
    "Sessions (*.json)",
    "Tables and text (*.csv *.tsv *.txt *.md *.tex *.html *.xlsx)",
    "Arrays (*.npy *.npz *.safetensors *.json)",
    "All files (*)",
))  # fmt: skip


class Opening(QObject):
    """Reads files, asks what has to be asked, and carries out the answer.

    ``request`` carries out an edit or a look, ``refresh`` shows at once what has changed, ``go_home`` brings the
    keyboard to the panels.
    """

    def __init__(
        self, window: QWidget, store: Store, files: Files, settings: Settings, reporter: Reporter,
        request: Callable[[Edit | Look], None], refresh: Callable[[], None], go_home: Callable[[], object],
    ) -> None:  # fmt: skip
        super().__init__(window)
        self._window, self._store, self._files = window, store, files
        self._settings, self._reporter = settings, reporter
        self._request, self._refresh = request, refresh
        self._inquiry = Inquiry(lambda: store.document, go_home)
        self._inquiry.setParent(self)
        self._inquiry.decided.connect(self._take)
        self._inquiry.asked.connect(self._say_what_waits)
        self._inquiry.dropped.connect(lambda: reporter.say(f"{self._inquiry.name} is not taken"))
        self._inquiry.refused.connect(reporter.complain)
        self.reader = FileReader(self)
        self.reader.waiting.connect(self._wait)
        self.reader.done.connect(self._take_in)
        self._slice: tuple[Path, SliceChoice] | None = None

    @property
    def preview(self) -> QWidget:
        """The strip for what has to be asked."""
        return self._inquiry.preview

    def ask_and_open(self) -> None:
        """Let the person pick a file."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open", str(self._files.folder()), FILTER)
        if name:
            self.open_path(Path(name))

    def open_path(self, path: Path) -> None:
        """Open whatever a file holds; what cannot be used is told in one line and changes nothing."""
        try:
            self.reader.read(path)
        except ExplorerError as error:
            if not path.exists():
                self._settings.forget_recent(path)
            self._reporter.complain(error)

    def _wait(self, name: str) -> None:
        self._window.setCursor(Qt.CursorShape.BusyCursor)
        self._reporter.say(f"Reading {name}…")

    def _take_in(self, job: Job) -> None:
        self._window.unsetCursor()
        if isinstance(job.result, ExplorerError):
            self._reporter.complain(job.result)
        elif isinstance(job.result, Exception):
            self._reporter.report(job.result)
        elif job.result.session is not None:
            self._files.open_document(self._window, *job.result.session, KnownFile(job.path, job.data))
        else:
            try:
                self._inquiry.begin(job.path, job.result)
            except ExplorerError as error:
                self._reporter.complain(ExplorerError(f"{job.name}: {error.message}", error.hint))

    def _say_what_waits(self) -> None:
        self._settings.add_recent(self._inquiry.file)
        self._reporter.say(f"{self._inquiry.name}: choose above what it is meant as, or Esc to drop it")

    def _take(self, decision: Decision) -> None:
        """Carry out a decision; when it cannot be, or the person stays with unsaved work, a question stands."""
        present = self._store.document
        try:
            made = decision.placement.make(present)
            if isinstance(made, Edit):
                made.change(present)
        except ExplorerError as error:
            self._reporter.complain(error)
            return
        if isinstance(made, Edit):
            self._request(made)
            if decision.reading.kind == "mask":
                self._request(bias.SHOW_IT)
        elif not self._files.open_document(self._window, made, View()):
            return
        if decision.choice is not None:
            self._slice = decision.file, decision.choice
        self._settings.add_recent(decision.file)
        self._refresh()
        self._inquiry.close()
        opened = f"opened {printable(decision.file.name)}"
        self._reporter.add("; ".join((opened, *decision.reading.notes)), is_alone=False)

    def choose_slice(self) -> None:
        """Choose another slice of the array that was opened last."""
        if self._slice is None:
            self._reporter.complain(ExplorerError("no array of slices was opened", "open one with File > Open"))
        else:
            self._inquiry.pick_again(*self._slice)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Ask in a style, and about the document that is open."""
        self._inquiry.preview.show_style(style, snapshot.view.colormap)
        self._inquiry.follow()
