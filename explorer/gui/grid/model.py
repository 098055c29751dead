"""The cells of one matrix as Qt sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QFont

from explorer.core.rounding import shown, typeset_minus
from explorer.formats.cells import cell_text
from explorer.gui.pictures.style import Style
from explorer.state.document import Snapshot

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole


@dataclass(frozen=True)
class Axes:
    """What names the rows and columns of a matrix: "query", "key", "value", "token" or "" for plain positions."""

    row: str = ""
    column: str = ""
    role: str = "query"


class GridModel(QAbstractTableModel):
    """Reads a matrix of the snapshot; what is typed goes out as ``typed`` (row, column, text)."""

    typed = Signal(int, int, str)

    def __init__(self, name: str, axes: Axes) -> None:
        super().__init__()
        self.name = name
        self.axes = axes
        self.snapshot: Snapshot | None = None
        self.style: Style | None = None
        self.refused: dict[tuple[int, int], tuple[str, str]] = {}
        self._shape = (0, 0)
        self._changed: np.ndarray | None = None

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Show the matrix of a snapshot."""
        before = self.snapshot
        matrix = snapshot.document.matrix(self.name)
        shape = (0, 0) if matrix is None else matrix.shape
        old = None if before is None else before.document.matrix(self.name)
        if before is None or before.document is not snapshot.document:
            self._changed = None
        if old is not matrix:
            self.refused.clear()
            if old is not None and matrix is not None and old.shape == shape and snapshot.before is not None:
                self._changed = ~((old == matrix) | (np.isnan(old) & np.isnan(matrix)))
        if shape != self._shape:
            self.beginResetModel()
            self.snapshot, self.style, self._shape = snapshot, style, shape
            self.endResetModel()
            return
        self.snapshot, self.style = snapshot, style
        if shape[0] and shape[1]:
            self.dataChanged.emit(self.index(0, 0), self.index(shape[0] - 1, shape[1] - 1))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, shape[0] - 1)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, shape[1] - 1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._shape[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def value(self, row: int, column: int) -> float:
        """The number in a cell."""
        assert self.snapshot is not None
        matrix = self.snapshot.document.matrix(self.name)
        assert matrix is not None
        return float(matrix[row, column])

    def text(self, row: int, column: int) -> str:
        """What editing starts from: what was refused, what was typed, or the number in full."""
        if (row, column) in self.refused:
            return self.refused[row, column][0]
        assert self.snapshot is not None
        return self.snapshot.document.typed_text(self.name, row, column) or cell_text(self.value(row, column))

    def refuse(self, row: int, column: int, text: str, reason: str) -> None:
        """Mark a cell whose text could not be read."""
        self.refused[row, column] = (text, reason)
        self._tell(row, column)

    def forgive(self, row: int, column: int) -> None:
        """Take the mark off."""
        if self.refused.pop((row, column), None) is not None:
            self._tell(row, column)

    def _tell(self, row: int, column: int) -> None:
        index = self.index(row, column)
        self.dataChanged.emit(index, index)

    def is_changed(self, row: int, column: int) -> bool:
        """Whether the last edit changed this cell."""
        return self._changed is not None and self._changed.shape == self._shape and bool(self._changed[row, column])

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or self.snapshot is None or self.style is None:
            return None
        row, column = index.row(), index.column()
        if role == Role.DisplayRole:
            return typeset_minus(_compact(self.value(row, column), self.snapshot.view.decimals))
        if role == Role.EditRole:
            return self.text(row, column)
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Role.BackgroundRole and (row, column) in self.refused:
            return QBrush(self.style.colour("bad_soft"))
        if role == Role.BackgroundRole and row == _chosen_row(self):
            return QBrush(self.style.colour("accent_soft"))
        if role == Role.ToolTipRole:
            return self.refused[row, column][1] if (row, column) in self.refused else self.text(row, column)
        if role == Role.AccessibleTextRole:
            return f"{self._label(Qt.Orientation.Vertical, row)}, column {column + 1}: {self.text(row, column)}"
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role == Role.EditRole and index.isValid():
            self.typed.emit(index.row(), index.column(), str(value))
        return False  # the cell changes when the next snapshot says so

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if self.snapshot is None or self.style is None:
            return None
        is_row = orientation == Qt.Orientation.Vertical
        if role == Role.DisplayRole:
            return self._label(orientation, section)
        if role == Role.ForegroundRole:
            axis = self.axes.row if is_row else self.axes.column
            own = self.axes.role if is_row and axis else axis
            return QBrush(self.style.colour(f"{own}_text" if own in ("query", "key", "value") else "faint"))
        if role == Role.FontRole:
            font = QFont(self.style.font(1.0))
            font.setBold(is_row and bool(self.axes.row) and section == _chosen_row(self))
            return font
        if role == Role.TextAlignmentRole:
            return (
                Qt.AlignmentFlag.AlignRight if is_row else Qt.AlignmentFlag.AlignHCenter
            ) | Qt.AlignmentFlag.AlignVCenter
        if role == Role.ToolTipRole and (self.axes.row if is_row else self.axes.column):
            return "double-click to rename"
        return None

    def _label(self, orientation: Qt.Orientation, section: int) -> str:
        assert self.snapshot is not None
        axis = self.axes.row if orientation == Qt.Orientation.Vertical else self.axes.column
        document = self.snapshot.document
        if axis == "query" and section < len(document.query_labels):
            return document.query_name(section)
        if axis in ("key", "value") and section < len(document.key_labels):
            return document.key_name(section)
        return str(section + 1)


def _chosen_row(model: GridModel) -> int:
    assert model.snapshot is not None
    view = model.snapshot.view
    return {"query": view.query, "key": view.key, "value": view.key}.get(model.axes.row, -1)


def _compact(value: float, decimals: int) -> str:
    """An input as it was meant: 1 and 0.5 as they are, 1/3 with the decimals of the screen."""
    exact = cell_text(value)
    fraction = exact.partition(".")[2]
    return exact if len(fraction) <= decimals and len(exact) <= 8 and "e" not in exact else shown(value, decimals)
