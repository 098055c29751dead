"""Opening and saving session files, with nothing lost by the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from explorer.errors import ExplorerError
from explorer.formats import disk, session
from explorer.gui.reporting import Reporter
from explorer.gui.settings import Settings
from explorer.library import examples
from explorer.state.document import Document, View
from explorer.state.store import Store

_FILTER = "Attention Explorer sessions (*.json);;All files (*)"
Answer = QMessageBox.StandardButton


def _may_replace(parent: QWidget, path: Path) -> bool:
    box = QMessageBox(QMessageBox.Icon.Question, "Replace file", f"{path.name} exists. Replace it?",
                      Answer.Yes | Answer.Cancel, parent)  # fmt: skip
    box.setObjectName("replace_box")
    return box.exec() == Answer.Yes


class Files:
    """The file that the document belongs to, if any; errors are told and leave everything as it was."""

    def __init__(
        self, store: Store, settings: Settings, path: Path | None, reporter: Reporter, settle: Callable[[], None]
    ) -> None:
        """``settle`` finishes what is being typed, so that it lands in the document it was typed into."""
        self._reporter, self._settle = reporter, settle
        self._store = store
        self._settings = settings
        self.path = path
        if path is not None:
            settings.add_recent(path)

    def may_leave(self, parent: QWidget) -> bool:
        """Ask once about unsaved work; False when the person wants to stay."""
        if not self._store.is_changed:
            return True
        name = self._store.document.title or "the document"
        box = QMessageBox(QMessageBox.Icon.Question, "Unsaved changes", f"Save the changes to “{name}”?",
                          Answer.Save | Answer.Discard | Answer.Cancel, parent)  # fmt: skip
        box.setObjectName("unsaved_box")
        box.setDefaultButton(Answer.Save)
        answer = box.exec()
        return answer == Answer.Discard or (answer == Answer.Save and self.save(parent))

    def open_document(self, parent: QWidget, document: Document, view: View, path: Path | None = None) -> bool:
        """Show another document, once unsaved work is settled."""
        self._settle()
        if not self.may_leave(parent):
            return False
        self.path = path
        self._store.open(document, view)
        if path is not None:
            self._settings.add_recent(path)
        return True

    def open_example(self, parent: QWidget, example_id: str) -> bool:
        """Show one of the examples."""
        return self.open_document(parent, *examples.load(example_id))

    def open_path(self, parent: QWidget, path: Path) -> bool:
        """Show a session file."""
        try:
            document, view = session.read(disk.read_bytes(path), path.name)
        except ExplorerError as error:
            if not path.exists():
                self._settings.forget_recent(path)
            self._reporter.complain(error)
            return False
        return self.open_document(parent, document, view, path)

    def ask_and_open(self, parent: QWidget) -> bool:
        """Let the person pick a file."""
        name, _ = QFileDialog.getOpenFileName(parent, "Open session", str(self._folder()), _FILTER)
        return bool(name) and self.open_path(parent, Path(name))

    def save(self, parent: QWidget) -> bool:
        """Write to the document's own file, or ask for one."""
        return self.ask_and_save(parent) if self.path is None else self._write(self.path)

    def ask_and_save(self, parent: QWidget) -> bool:
        """Let the person name the file to write."""
        stem = "".join(sign if sign.isalnum() or sign in " -_" else "-" for sign in self._store.document.title).strip()
        proposed = self.path or self._folder() / f"{stem or 'attention'}.json"
        name, _ = QFileDialog.getSaveFileName(parent, "Save session", str(proposed), _FILTER)
        if not name:
            return False
        path = Path(name)
        if not path.suffix:  # the dialog asked about the name without it
            path = path.with_suffix(".json")
            if path.exists() and not _may_replace(parent, path):
                return False
        return self._write(path)

    def _write(self, path: Path) -> bool:
        try:
            disk.write_atomically(path, session.write(self._store.document, self._store.view))
        except ExplorerError as error:
            self._reporter.complain(error)
            return False
        self.path = path
        self._settings.add_recent(path)
        self._store.mark_saved()
        self._reporter.say(f"Saved {path.name}")
        return True

    def _folder(self) -> Path:
        recent = self._settings.recent
        return self.path.parent if self.path else recent[0].parent if recent else Path.home()
