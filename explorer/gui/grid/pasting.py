"""Pasting into a grid."""

from __future__ import annotations

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTableView

from explorer.core.matrices import NAMES
from explorer.errors import ExplorerError
from explorer.gui.grid import clipboard
from explorer.gui.grid.model import GridModel
from explorer.gui.grid.pasted import Taken, Target, Waiting, take_text
from explorer.state.document import Snapshot

Place = tuple[int, int]
_CHANGING = (Qt.Key.Key_F2, Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
_NUDGING = (Qt.Key.Key_Up, Qt.Key.Key_Down)
_NOWHERE = (slice(0), slice(0))
_Modifier = Qt.KeyboardModifier
_Flag = QItemSelectionModel.SelectionFlag


class Pasting(QObject):
    """Takes texts into one grid; a paste that needs an answer first waits here, outside the document.

    ``requested`` carries edits, ``refused`` what could not be taken, None when that is settled; ``changed`` what waits
    now, or None; ``told`` what became of it; ``entered`` says that the keyboard asks for the answers.
    """

    requested = Signal(object)
    refused = Signal(object)
    changed = Signal(object)
    told = Signal(str, bool)
    entered = Signal()

    def __init__(self, grid: QTableView, model: GridModel) -> None:
        super().__init__(grid)
        self._grid, self._model = grid, model
        self._title = NAMES[model.name]
        self._selected: tuple[Place, Place] | None = None
        self.waiting: Waiting | None = None
        self._meant_for: Snapshot | None = None

    def corners(self) -> tuple[Place, Place]:
        """First and last cell of what is selected, or the current cell twice."""
        chosen = self._grid.selectionModel().selection()
        if chosen.isEmpty():
            index = self._grid.currentIndex()
            place = max(index.row(), 0), max(index.column(), 0)
            return place, place
        block = chosen.first()  # one block at most can be selected
        return (block.top(), block.left()), (block.bottom(), block.right())

    def paste(self) -> None:
        """Take what is on the clipboard, from the first selected cell on; what cannot be taken changes nothing."""
        snapshot, (row, column) = self._model.snapshot, self.corners()[0]
        own = None if snapshot is None else snapshot.document.matrix(self._model.name)
        if snapshot is None or own is None:
            return
        is_beyond = row >= max(own.shape[0], 1) or column >= max(own.shape[1], 1)
        if is_beyond and not self.is_settled():  # the cell is of the paste that waits
            return
        try:
            taken = take_text(clipboard.text(), Target(snapshot.document, self._model.name, row, column))
        except ExplorerError as error:
            self.refused.emit(error)
        else:
            self._go_on(taken)

    def answer(self, at: int) -> None:
        """Take what waits with one of its answers."""
        if self.waiting is None:
            return
        try:
            taken = self.waiting.answers[at].take()
        except ExplorerError as error:
            self.refused.emit(error)
        else:
            self._go_on(taken)

    def _go_on(self, taken: Taken) -> None:
        if isinstance(taken, Waiting):
            self._hold(taken)
            is_proposed = taken.proposal is not None
            self.refused.emit(ExplorerError(taken.message) if is_proposed else None)
            return
        self._hold(None)
        for request in taken:
            self.requested.emit(request)

    def drop(self) -> None:
        """Give up what waits, and say so."""
        if self.waiting is not None:
            self._hold(None)
            self.refused.emit(None)
            self._say_dropped(is_alone=True)

    def follow(self, snapshot: Snapshot) -> None:
        """Give up what waits once the document is another one; said after what that change itself has to say."""
        meant = self._meant_for
        # The same document opened again has been worked out again.
        is_same = meant is None or (meant.document, meant.attention) == (snapshot.document, snapshot.attention)
        if self.waiting is not None and not is_same:
            self._hold(None)
            QTimer.singleShot(0, self, lambda: self._say_dropped(is_alone=False))

    def _say_dropped(self, *, is_alone: bool) -> None:
        self.told.emit(f"Paste into {self._title} dropped", is_alone)

    def is_settled(self) -> bool:
        """Whether nothing waits here; if something does, it is said that it comes first."""
        if self.waiting is not None:
            way = "press Repair" if self.waiting.proposal else "choose one reading"
            self.refused.emit(ExplorerError(f"a paste is waiting in {self._title}", f"{way}, or Esc to drop it"))
        return self.waiting is None

    def takes_key(self, event: QKeyEvent) -> bool:
        """Handle a key that answers, drops or would change what waits."""
        if self.waiting is None:
            return False
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.drop()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._answer_or_enter()
        elif _would_change(event):
            self.is_settled()
        else:
            return False
        return True

    def _answer_or_enter(self) -> None:
        """Enter takes the only answer there is, or goes to the answers."""
        if self.waiting is not None and len(self.waiting.answers) == 1:
            self.answer(0)
        else:
            self.entered.emit()

    def _hold(self, waiting: Waiting | None) -> None:
        """Let a paste wait, or none; the cursor and what was selected stay where they are in the matrix."""
        self.waiting, self._meant_for = waiting, self._model.snapshot
        proposal = None if waiting is None else waiting.proposal
        if proposal is not self._model.proposal:
            if self._model.proposal is None:
                self._selected = None if self._grid.selectionModel().selection().isEmpty() else self.corners()
            index = self._grid.currentIndex()
            current = max(index.row(), 0), max(index.column(), 0)
            self._model.hold(proposal, waiting.block if waiting else _NOWHERE)
            self._put_cursor(current, self._selected if proposal is None else None)
        self.changed.emit(waiting)

    def _put_cursor(self, current: Place, selected: tuple[Place, Place] | None) -> None:
        model, selection = self._model, self._grid.selectionModel()
        rows, columns = model.rowCount(), model.columnCount()
        if not rows or not columns:
            return
        at = model.index(min(current[0], rows - 1), min(current[1], columns - 1))
        selection.setCurrentIndex(at, _Flag.NoUpdate)
        if selected is not None:
            first, last = (model.index(*place) for place in selected)
            selection.select(QItemSelection(first, last), _Flag.ClearAndSelect)


def _would_change(event: QKeyEvent) -> bool:
    """Whether a grid would take a key as a change of its numbers."""
    if event.modifiers() & _Modifier.AltModifier:
        return event.key() in _NUDGING
    is_command = event.modifiers() & (_Modifier.ControlModifier | _Modifier.MetaModifier)
    is_typing = bool(event.text().strip()) and event.text().isprintable()
    return event.key() in _CHANGING or (is_typing and not is_command)
