"""Opening and saving session files, with nothing lost by the way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from explorer.errors import ExplorerError
from explorer.formats import disk, session
from explorer.formats.known_file import KnownFile
from explorer.formats.recovery import Work
from explorer.gui.messages import MessageBar
from explorer.gui.reporting import Reporter
from explorer.gui.settings import Settings
from explorer.library import examples
from explorer.state.document import Document, View
from explorer.state.edits import Edit
from explorer.state.store import Store

ON_DISK = "on disk"  # the offer about a file that another program has changed
_FILTER = "Attention Explorer sessions (*.json);;All files (*)"
Answer = QMessageBox.StandardButton


def _may_replace(parent: QWidget, question: str) -> bool:
    box = QMessageBox(
        QMessageBox.Icon.Question, "Replace file", question, Answer.Yes | Answer.Cancel, parent
    )  # fmt: skip
    box.setObjectName("replace_box")
    return box.exec() == Answer.Yes


class Files:
    """The file that the document belongs to, if any; errors are told and leave everything as it was."""

    def __init__(
        self, store: Store, settings: Settings, path: Path | None, reporter: Reporter, bar: MessageBar,
        settle: Callable[[], None],
    ) -> None:  # fmt: skip
        """``settle`` finishes what is being typed, so that it lands in the document it was typed into."""
        self._store, self._settings, self._settle = store, settings, settle
        self._reporter, self._bar = reporter, bar
        self._is_adrift = False
        self.known: KnownFile | None = None
        self._belong(None if path is None else KnownFile(path))

    @property
    def path(self) -> Path | None:
        """Where Save writes."""
        return None if self.known is None else self.known.path

    @property
    def digest(self) -> str | None:
        """What was last known to be in the file, if any."""
        return None if self.known is None else self.known.digest

    @property
    def is_changed(self) -> bool:
        """Whether no file holds the document as it is."""
        return self._store.is_changed or self._is_adrift

    def cast_adrift(self) -> None:
        """The document is in no file any more, though nobody has changed it."""
        self._is_adrift = True

    def _belong(self, known: KnownFile | None, *, is_adrift: bool = False) -> None:
        self.known, self._is_adrift = known, is_adrift
        self._bar.offers.withdraw(ON_DISK)
        if known is not None:
            self._settings.add_recent(known.path)

    def may_leave(self, parent: QWidget) -> bool:
        """Ask once about unsaved work; False when the person wants to stay."""
        if not self.is_changed:
            return True
        name = self._store.document.title or "the document"
        box = QMessageBox(QMessageBox.Icon.Question, "Unsaved changes", f"Save the changes to “{name}”?",
                          Answer.Save | Answer.Discard | Answer.Cancel, parent)  # fmt: skip
        box.setObjectName("unsaved_box")
        box.setDefaultButton(Answer.Save)
        answer = box.exec()
        return answer == Answer.Discard or (answer == Answer.Save and self.save(parent))

    def open_document(
        self, parent: QWidget, document: Document, view: View, known: KnownFile | None = None, *, is_saved: bool = True
    ) -> bool:
        """Show another document, once unsaved work is settled; ``is_saved`` when it can be had again."""
        self._settle()
        if not self.may_leave(parent):
            return False
        self._belong(known, is_adrift=not is_saved)
        self._store.open(document, view)
        return True

    def restore(self, parent: QWidget, work: Work) -> bool:
        """Show work that was never saved: Save puts it where it belongs, nothing else does."""
        known = None if work.path is None else KnownFile(work.path, digest=work.digest)
        return self.open_document(parent, work.document, work.view, known, is_saved=False)

    def open_example(self, parent: QWidget, example_id: str) -> bool:
        """Show one of the examples."""
        return self.open_document(parent, *examples.load(example_id))

    def reload(self) -> None:
        """Show what another program has put into the file, as a step that undo takes back."""
        assert self.path is not None
        name = self.path.name
        self._settle()
        try:
            data = disk.read_bytes(self.path)
            document, _ = session.read(data, name)
        except ExplorerError as error:
            self._reporter.complain(error)
            return
        self._belong(KnownFile(self.path, data))
        self._store.apply(Edit(f"Reloaded {name}", lambda _: document))
        self._store.mark_saved()

    def save(self, parent: QWidget) -> bool:
        """Write to the document's own file, or ask for one."""
        self._settle()
        if self.known is None:
            return self.ask_and_save(parent)
        path = self.known.path
        if self.known.state == "changed" and not _may_replace(parent, f"{path.name} was changed on disk. Replace it?"):
            return False
        return self._write(path)

    def ask_and_save(self, parent: QWidget) -> bool:
        """Let the person name the file to write."""
        self._settle()
        stem = "".join(sign if sign.isalnum() or sign in " -_" else "-" for sign in self._store.document.title).strip()
        proposed = self.path or self.folder() / f"{stem or 'attention'}.json"
        name, _ = QFileDialog.getSaveFileName(parent, "Save session", str(proposed), _FILTER)
        if not name:
            return False
        path = Path(name)
        if not path.suffix:  # the dialog asked about the name without it
            path = path.with_suffix(".json")
            if path.exists() and not _may_replace(parent, f"{path.name} exists. Replace it?"):
                return False
        return self._write(path)

    def _write(self, path: Path) -> bool:
        data = session.write(self._store.document, self._store.view)
        try:
            disk.write_atomically(path, data)
        except ExplorerError as error:
            self._reporter.complain(error)
            self._bar.offer_save_as()
            return False
        self._belong(KnownFile(path, data))
        self._store.mark_saved()
        self._reporter.say(f"Saved {path.name}")
        return True

    def folder(self) -> Path:
        """Where a dialog for files begins."""
        recent = self._settings.recent
        return self.path.parent if self.path else recent[0].parent if recent else Path.home()
