"""Asks what is needed until one use of what was read is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.printable import printable
from explorer.gui.preview import questions
from explorer.gui.preview.preview import ImportPreview, Question
from explorer.gui.preview.slice_choice import SliceChoice, first_of
from explorer.library.placing import Placement, placements
from explorer.state.document import Document

_AT_ONCE = ("named", "matrix")


@dataclass(frozen=True, eq=False)
class Decision:
    """The use of what was read from a file; ``choice`` is the slice that it is, out of a tensor."""

    file: Path
    placement: Placement
    reading: Imported
    choice: SliceChoice | None = None


class Inquiry(QObject):
    """``decided`` carries a Decision, ``asked`` says that the strip shows a question, ``dropped`` that it does no more.

    ``refused`` carries why an answer cannot be taken. ``present`` gives the document that is open, ``go_home`` brings
    the keyboard to the panels.
    """

    decided = Signal(object)
    asked = Signal()
    dropped = Signal()
    refused = Signal(object)

    def __init__(self, present: Callable[[], Document], go_home: Callable[[], object]) -> None:
        super().__init__()
        self._present, self._go_home = present, go_home
        self.preview = ImportPreview()
        self.preview.answered.connect(self._answer)
        self.preview.dropped.connect(self._drop)
        self.preview.went_back.connect(self._go_back)
        self.preview.turned.connect(self._ask)
        self.file = Path()
        self._read: Imported | None = None
        self._before: tuple[Imported, ...] = ()
        self._found: tuple[Placement, ...] = ()
        self._document: Document | None = None
        self._came_from: QWidget | None = None
        QApplication.instance().focusChanged.connect(self._follow_focus)

    @property
    def name(self) -> str:
        """What the file is called on the screen."""
        return printable(self.file.name)

    def begin(self, file: Path, read: Imported) -> None:
        """Ask about what was read, or decide at once where there is nothing to ask.

        Raises ExplorerError where it cannot be used; then what was asked before stands.
        """
        if read.kind == "matrix" and not read.name:
            read = replace(read, name=printable(file.stem))  # Q.csv is likely to hold Q
        self._go_on(file, read, ())

    def pick_again(self, file: Path, choice: SliceChoice) -> None:
        """Ask for another slice of a tensor, beginning with the one that was chosen."""
        self.file, self._read, self._before = file, choice.tensor, ()
        self._start(choice)

    def _go_on(self, file: Path, read: Imported, before: tuple[Imported, ...]) -> None:
        is_open = read.kind in ("choice", "tensor")
        found = () if is_open else placements(read, self._present(), printable(file.stem))
        if read.kind in _AT_ONCE and len(found) == 1:
            self.decided.emit(Decision(file, found[0], read))
            return
        self.file, self._read, self._before = file, read, before
        self._start(first_of(read) if read.kind == "tensor" else None)

    def _start(self, choice: SliceChoice | None) -> None:
        had_focus, came_from = self.preview.has_keyboard, self._came_from
        if choice is not None:
            self.preview.picker.show_choice(choice)
        self._ask()
        self.preview.enter()
        if had_focus:
            self._came_from = came_from  # the keyboard may have been outside meanwhile
        self.asked.emit()

    def follow(self) -> None:
        """Ask anew when the document is another one, in which other places may be free."""
        if self._read is not None and self._document is not self._present():
            self._ask()

    def _ask(self) -> None:
        """Show the question as it stands, for the document that is open."""
        read = self._read
        if read is None:
            return
        self._document = self._present()
        if read.kind == "choice":
            self.preview.ask(questions.about_readings(self.name, read))
        elif read.kind == "tensor":
            self.preview.ask(self._about_slice(read), has_slices=True)
        else:
            self.preview.ask(self._about_use(read))

    def _about_use(self, read: Imported) -> Question:
        self._found, complaint = self._places_of(read)
        return questions.about_use(self.name, read, self._found, complaint=complaint, is_second=bool(self._before))

    def _about_slice(self, read: Imported) -> Question:
        choice = self.preview.picker.choice
        assert choice is not None
        self._found, complaint = self._places_of(choice.chosen, choice.words)
        if self._found and self._found[0].id == "weights":  # rows that sum to 1 are hardly queries, keys or values
            self._found = tuple(placement for placement in self._found if placement.id in ("weights", "scores"))
        return questions.about_slice(
            self.name, read, choice.words, self._found, complaint=complaint, is_second=bool(self._before)
        )

    def _places_of(self, read: Imported, words: str = "") -> tuple[tuple[Placement, ...], str]:
        title = ", ".join(filter(None, (printable(self.file.stem), words)))
        try:
            return placements(read, self._present(), title), ""
        except ExplorerError as error:
            return (), str(error)

    def _answer(self, at: int) -> None:
        read = self._read
        if read is not None and read.kind == "choice":
            option = read.options[at]
            reading = replace(option.reading, notes=(*read.notes, *option.reading.notes))
            try:
                self._go_on(self.file, reading, (*self._before, read))
            except ExplorerError as error:
                self.refused.emit(error)
        elif read is not None and at < len(self._found):
            choice = self.preview.picker.choice if read.kind == "tensor" else None
            reading = read if choice is None else choice.chosen
            self.decided.emit(Decision(self.file, self._found[at], reading, choice))

    def _go_back(self) -> None:
        if self._before:
            *before, read = self._before
            self._go_on(self.file, read, tuple(before))

    def _drop(self) -> None:
        self.close()
        self.dropped.emit()

    def close(self) -> None:
        """Ask nothing any more; the keyboard goes back to where it was."""
        has_focus = self.preview.has_keyboard
        self._read, self._found = None, ()
        came_from = self._came_from
        self.preview.close_question()
        if not has_focus:
            return
        if came_from is not None and isValid(came_from) and came_from.isVisible() and came_from.isEnabled():
            came_from.setFocus()
        else:
            self._go_home()

    def _follow_focus(self, old: QWidget | None, now: QWidget | None) -> None:
        preview = self.preview
        if (
            isValid(preview)
            and now is not None
            and preview.isAncestorOf(now)
            and old is not None
            and not preview.isAncestorOf(old)
        ):
            self._came_from = old
