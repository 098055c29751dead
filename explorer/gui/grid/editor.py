"""The editor inside a cell, and what its keys do."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.gui.grid.clipboard import paste_line
from explorer.gui.grid.model import GridModel, Index
from explorer.gui.pictures.style import RIGHT, draw_text
from explorer.gui.widgets.undo_keys import belongs_to_window

Hint = QStyledItemDelegate.EndEditHint
_SELECTED = QStyle.StateFlag.State_Selected.value
_FOCUSED = QStyle.StateFlag.State_HasFocus.value


class CellDelegate(QStyledItemDelegate):
    """Edits a cell in a line; ``finished`` says where to go: (down, right)."""

    finished = Signal(int, int)
    editor: QLineEdit | None = None

    def destroyEditor(self, editor: QWidget, index: Index) -> None:
        if editor is self.editor:
            self.editor = None
        super().destroyEditor(editor, index)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("cell_editor")
        editor.setFrame(False)
        editor.setAcceptDrops(False)
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        editor.setAccessibleName(f"row {index.row() + 1}, column {index.column() + 1}")
        self.editor = editor
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        if not editor.isModified():
            editor.setText(index.data(Qt.ItemDataRole.EditRole))
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        if editor.isModified():
            model.setData(index, editor.text())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: Index) -> None:
        assert isinstance(editor, QLineEdit)
        rect = QRect(option.rect)
        needed = editor.fontMetrics().horizontalAdvance(editor.text() + "00") + 12
        rect.setWidth(max(rect.width(), min(needed, 160)))
        editor.setGeometry(rect)

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if isinstance(editor, QLineEdit) and belongs_to_window(editor, event):
            event.ignore()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(editor, QLineEdit):
            if event.matches(QKeySequence.StandardKey.Paste):
                paste_line(editor)
                return True
            step = _step_of(event)
            if step is not None:
                self.commitData.emit(editor)
                self.closeEditor.emit(editor, Hint.NoHint)
                self.finished.emit(*step)
                return True
        return super().eventFilter(editor, event)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw ground, number and marks; through the style sheet Qt would take ten times as long."""
        model = index.model()
        assert isinstance(model, GridModel)
        style, rect, row, column = model.style, option.rect, index.row(), index.column()
        if style is None:
            return
        state = option.state.value
        ground = model.data(index, Qt.ItemDataRole.BackgroundRole)
        if ground is None and state & _SELECTED:
            ground = style.colour("accent_soft")
        if ground is not None:
            painter.fillRect(rect, ground)
        painter.setPen(style.pen("grid"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.drawLine(rect.topRight(), rect.bottomRight())
        if row == 0:
            painter.drawLine(rect.topLeft(), rect.topRight())
        if column == 0:
            painter.drawLine(rect.topLeft(), rect.bottomLeft())
        draw_text(
            painter, QRectF(rect.adjusted(2, 0, -7, 0)), model.data(index), style.font(), style.colour("ink"), RIGHT
        )
        if (row, column) in model.marks.refused:
            self._frame(painter, option, style.pen("bad", 1.5))
        elif model.marks.is_waiting(row, column):
            self._frame(painter, option, style.pen("uniform", 1.3, Qt.PenStyle.DashLine))
        elif model.marks.is_changed(row, column):
            self._frame(painter, option, style.pen("accent", 1.3, Qt.PenStyle.DashLine))
        if state & _FOCUSED:
            painter.setPen(style.pen("accent", 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))

    def _frame(self, painter: QPainter, option: QStyleOptionViewItem, pen: QPen) -> None:
        painter.setPen(pen)
        painter.drawRect(option.rect.adjusted(3, 3, -4, -4))


def _step_of(event: QKeyEvent) -> tuple[int, int] | None:
    """Where a key of the editor leads, as (down, right); None for keys that stay in the text."""
    key = Qt.Key(event.key())
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return 0, 0
        return (-1, 0) if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else (1, 0)
    steps = {Qt.Key.Key_Tab: (0, 1), Qt.Key.Key_Backtab: (0, -1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
    return steps.get(key)
