"""The editor inside a cell, and what its keys do."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.gui.grid.model import GridModel, Index

Hint = QStyledItemDelegate.EndEditHint


class CellDelegate(QStyledItemDelegate):
    """Edits a cell in a line; ``finished`` says where to go: (down, right)."""

    finished = Signal(int, int)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("cell_editor")
        editor.setFrame(False)
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        editor.setAccessibleName(f"row {index.row() + 1}, column {index.column() + 1}")
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
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and isinstance(editor, QLineEdit):
            step = _step_of(event)
            if step is not None:
                self.commitData.emit(editor)
                self.closeEditor.emit(editor, Hint.NoHint)
                self.finished.emit(*step)
                return True
        return super().eventFilter(editor, event)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.text = ""  # drawn below: with a style sheet Qt sets it off the middle

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        model = index.model()
        if not isinstance(model, GridModel) or model.style is None:
            return
        painter.setPen(model.style.colour("ink"))
        painter.setFont(model.style.font())
        painter.drawText(option.rect.adjusted(4, 0, -6, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight,
                         str(index.data()))  # fmt: skip
        is_refused = (index.row(), index.column()) in model.refused
        if is_refused or model.is_changed(index.row(), index.column()):
            line = Qt.PenStyle.SolidLine if is_refused else Qt.PenStyle.DotLine
            pen = QPen(model.style.pen("bad" if is_refused else "accent", 1.5, line))
            painter.save()
            painter.setPen(pen)
            painter.drawRect(option.rect.adjusted(2, 2, -3, -3))
            painter.restore()


def _step_of(event: QKeyEvent) -> tuple[int, int] | None:
    """Where a key of the editor leads, as (down, right); None for keys that stay in the text."""
    key = Qt.Key(event.key())
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return 0, 0
        return (-1, 0) if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else (1, 0)
    steps = {Qt.Key.Key_Tab: (0, 1), Qt.Key.Key_Backtab: (0, -1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
    return steps.get(key)
