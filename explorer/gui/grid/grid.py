"""A grid to type a matrix into."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView

from explorer.core.matrices import NAMES, Matrix
from explorer.errors import ExplorerError
from explorer.gui.grid.clipboard import Copied, copied_from
from explorer.gui.grid.editor import CellDelegate
from explorer.gui.grid.fitting import Fitting
from explorer.gui.grid.header import Header
from explorer.gui.grid.marks import Marks
from explorer.gui.grid.model import Axes, GridModel
from explorer.gui.grid.pasting import Pasting
from explorer.gui.grid.reading import read_number
from explorer.gui.grid.scrub import FINE, STEP, Scrub
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.label_editor import LabelEditor
from explorer.state import edits
from explorer.state.document import Snapshot

Trigger = QAbstractItemView.EditTrigger
Modifier = Qt.KeyboardModifier


# With Ctrl these go to the first and the last cell.
_JUMPS = (Qt.Key.Key_Home, Qt.Key.Key_End)


class Grid(QTableView):
    """Shows one matrix.

    ``requested`` carries the edits a person asks for, ``refused`` what could not be read, None when that is settled.
    """

    requested = Signal(object)
    refused = Signal(object)

    def __init__(self, name: str, axes: Axes, *, has_infinite: bool = False) -> None:
        super().__init__()
        self.name = name
        self._axes = axes
        self._has_infinite = has_infinite
        self._model = GridModel(name, axes)
        self._model.typed.connect(self._type)
        self._fitting = Fitting(self, self._model)
        self._delegate = CellDelegate(self)
        self._delegate.finished.connect(self._step)
        self.setHorizontalHeader(Header(Qt.Orientation.Horizontal))
        self.setVerticalHeader(Header(Qt.Orientation.Vertical))
        self.setModel(self._model)
        self.setItemDelegate(self._delegate)
        self._label_editor = LabelEditor(self)
        self._scrub = Scrub(self, self._model.value)
        self._scrub.scrubbed.connect(self._put)
        self.pasting = Pasting(self, self._model)
        self.pasting.requested.connect(self.requested)
        self.pasting.refused.connect(self.refused)
        self._set_up()

    def _set_up(self) -> None:
        self.setObjectName(f"grid_{self.name}")
        self.setEditTriggers(Trigger.AnyKeyPressed | Trigger.EditKeyPressed | Trigger.DoubleClicked)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)  # the cells draw their own lines
        self.viewport().setAutoFillBackground(True)
        self.setWordWrap(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.verticalHeader().sectionDoubleClicked.connect(lambda row: self.rename(Qt.Orientation.Vertical, row))
        self.horizontalHeader().sectionDoubleClicked.connect(lambda at: self.rename(Qt.Orientation.Horizontal, at))

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Show the matrix of a snapshot."""
        self.pasting.follow(snapshot)
        before, (row, column) = self._model.chosen_row, self.place
        self._model.display(snapshot, style)
        self._fitting.fit()
        if self._model.chosen_row not in (before, -1) and not self.hasFocus():
            self.scrollTo(self._model.index(self._model.chosen_row, self.place[1]))
        rows, columns = self._model.rowCount(), self._model.columnCount()
        if not self.currentIndex().isValid() and rows and columns:
            index = self._model.index(min(row, rows - 1), min(column, columns - 1))
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fitting.fit()

    @property
    def place(self) -> tuple[int, int]:
        """The current cell (row, column)."""
        index = self.currentIndex()
        return max(index.row(), 0), max(index.column(), 0)

    @property
    def matrix(self) -> Matrix | None:
        """What is shown: the matrix of the document, or what a paste that waits would make of it."""
        return self._model.matrix

    @property
    def block(self) -> Copied:
        """The selected block, or the current cell where nothing is selected."""
        return copied_from(self._model, NAMES[self.name], *self.pasting.corners())

    @property
    def marks(self) -> Marks:
        """The marks on its cells."""
        return self._model.marks

    def commit(self) -> None:
        """Finish an open editor as Enter would, staying on its cell."""
        editor = self._delegate.editor
        if editor is not None:
            self.commitData(editor)
            self.closeEditor(editor, CellDelegate.EndEditHint.NoHint)

    def _type(self, row: int, column: int, text: str) -> None:
        place = f"{NAMES[self.name]} row {row + 1}, column {column + 1}"
        try:
            typed = read_number(text, place, allow_infinite=self._has_infinite)
        except ExplorerError as error:
            self._model.refuse(row, column, text, str(error))
            self.refused.emit(error)
            return
        self._model.forgive(row, column)
        self.requested.emit(edits.set_cells(self.name, {(row, column): typed}))

    def _step(self, down: int, right: int) -> None:
        row, column = self.place
        if (row, column) in self._model.marks.refused:
            return
        target = self._model.index(row + down, column + right)
        if target.isValid():
            self.setCurrentIndex(target)
        elif right and not self._step_over(right):
            super().focusNextPrevChild(right > 0)

    def _step_over(self, right: int) -> bool:
        """Go on in the next row, or say that there is none."""
        row, column = self.place
        at = row * self._model.columnCount() + column + right
        if not 0 <= at < self._model.rowCount() * self._model.columnCount():
            return False
        self.setCurrentIndex(self._model.index(*divmod(at, self._model.columnCount())))
        return True

    def focusNextPrevChild(self, is_next: bool) -> bool:
        if is_next and self.pasting.waiting is not None:
            self.pasting.entered.emit()
            return True
        if self.state() != QAbstractItemView.State.EditingState and self._step_over(1 if is_next else -1):
            return True
        return super().focusNextPrevChild(is_next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.pasting.takes_key(event):
            return
        key, modifiers = event.key(), event.modifiers()
        is_alt = bool(modifiers & Modifier.AltModifier)
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.edit(self.currentIndex())
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._clear()
        elif key == Qt.Key.Key_Escape and self.place in self._model.marks.refused:
            self._model.forgive(*self.place)
            self.refused.emit(None)
        elif is_alt and key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = FINE if modifiers & Modifier.ShiftModifier else STEP
            self.requested.emit(edits.nudge(self.name, *self.place, step if key == Qt.Key.Key_Up else -step))
        elif key in _JUMPS and modifiers & Modifier.ControlModifier and not is_alt:
            super().keyPressEvent(event)
        elif (
            key == Qt.Key.Key_Space
            or modifiers & (Modifier.ControlModifier | Modifier.MetaModifier | Modifier.AltModifier)
            or (event.text() and not event.text().isprintable() and key != Qt.Key.Key_F2)
        ):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _clear(self) -> None:
        places = [(index.row(), index.column()) for index in self.selectedIndexes()] or [self.place]
        for place in places:
            self._model.forgive(*place)
        label = None if len(places) == 1 else "Clear cells"
        self.requested.emit(edits.set_cells(self.name, dict.fromkeys(places, (0.0, None)), label))

    def _put(self, row: int, column: int, value: float, merge: str | None) -> None:
        if self.pasting.is_settled():
            # Ten decimals are more than a step has and fewer than binary fractions show.
            self.requested.emit(edits.set_cells(self.name, {(row, column): (round(value, 10), None)}, merge=merge))

    def rename(self, orientation: Qt.Orientation, section: int) -> None:
        """Open an editor on the token label of a row or column."""
        is_row = orientation == Qt.Orientation.Vertical
        axis = {"value": "key"}.get(axis := self._axes.row if is_row else self._axes.column, axis)
        if not axis or not self.pasting.is_settled():
            return
        header = self.verticalHeader() if is_row else self.horizontalHeader()
        at = header.sectionViewportPosition(section)
        length = header.sectionSize(section)
        rect = QRect(0, at, header.width(), length) if is_row else QRect(at, 0, length, header.height())
        text = str(self._model.headerData(section, orientation))
        self._label_editor.open(header.viewport(), rect, text, lambda new: self.requested.emit(
            edits.set_label(axis, section, "" if new == str(section + 1) else new)))  # fmt: skip
