"""The cells of one matrix as Qt sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor

from explorer.core.matrices import Matrix
from explorer.core.rounding import shown, typeset_minus
from explorer.formats.cells import cell_text
from explorer.gui.grid.marks import Marks, differing
from explorer.gui.pictures.style import Style
from explorer.state.document import Snapshot
from explorer.state.pasting import Proposal

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_TOP = QModelIndex()
_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable


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
        self.marks = Marks()
        self.chosen_row = -1
        self.matrix: Matrix | None = None
        self.proposal: Proposal | None = None
        self._own_marks = self.marks
        self._shape = (0, 0)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Show the matrix of a snapshot, telling views of no more cells than look different."""
        before, old_style = self.snapshot, self.style
        matrix = _shown_matrix(snapshot, self.name, self.proposal)
        shape = (0, 0) if matrix is None else matrix.shape
        if shape != self._shape or before is None or matrix is None:
            self.beginResetModel()
            self._keep(snapshot, style)
            self.marks.clear()
            if before is not None and matrix is not None and snapshot.before is not None:
                self.marks.compare(before.document.matrix(self.name), matrix)
            self.endResetModel()
            return
        dirty = self.marks.cells(shape)
        chosen = {self.chosen_row}
        if before.document is not snapshot.document:
            self.marks.compare(before.document.matrix(self.name), matrix)
            if snapshot.before is None:  # another document was opened
                self.marks.clear()
        self._keep(snapshot, style)
        if old_style is not style or before.view.decimals != snapshot.view.decimals:
            dirty[:] = True
        chosen ^= {self.chosen_row}
        dirty[[row for row in chosen if 0 <= row < shape[0]]] = True
        dirty |= self.marks.cells(shape)
        rows, columns = np.flatnonzero(dirty.any(axis=1)), np.flatnonzero(dirty.any(axis=0))
        if len(rows):
            first, last = self.index(int(rows[0]), int(columns[0])), self.index(int(rows[-1]), int(columns[-1]))
            self.dataChanged.emit(first, last)
        if old_style is not style or _labels(before) != _labels(snapshot):
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, shape[0] - 1)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, shape[1] - 1)
        elif chosen:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, shape[0] - 1)

    def _keep(self, snapshot: Snapshot, style: Style) -> None:
        """Remember what painting asks for cell by cell."""
        self.snapshot, self.style = snapshot, style
        self.matrix = _shown_matrix(snapshot, self.name, self.proposal)
        self._shape = (0, 0) if self.matrix is None else self.matrix.shape
        view = snapshot.view
        self.chosen_row = {"query": view.query, "key": view.key, "value": view.key}.get(self.axes.row, -1)

    def hold(self, proposal: Proposal | None, block: tuple[slice, slice]) -> None:
        """Show a paste that waits, lying at a block, in place of the matrix, or that again with the marks it had."""
        assert self.snapshot is not None
        assert self.style is not None
        own = self.snapshot.document.matrix(self.name)
        self.beginResetModel()
        self.proposal = proposal
        self.marks = self._own_marks
        if proposal is not None and own is not None:
            waiting = differing(own, proposal.values)
            waiting[block] = True
            self.marks = Marks(waiting)
        self._keep(self.snapshot, self.style)
        self.endResetModel()

    def rowCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else self._shape[0]

    def columnCount(self, parent: Index = _TOP) -> int:
        return 0 if parent.isValid() else self._shape[1]

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if self.proposal is None else _FLAGS & ~Qt.ItemFlag.ItemIsEditable

    def value(self, row: int, column: int) -> float:
        """The number in a cell."""
        assert self.matrix is not None
        return float(self.matrix[row, column])

    def text(self, row: int, column: int) -> str:
        """What editing starts from: what was refused, what was typed, or the number in full."""
        if (row, column) in self.marks.refused:
            return self.marks.refused[row, column][0]
        assert self.snapshot is not None
        typed = self.snapshot.document.typed.get(self.name) if self.proposal is None else self.proposal.texts
        return (None if typed is None else typed[row, column]) or cell_text(self.value(row, column))

    def refuse(self, row: int, column: int, text: str, reason: str) -> None:
        """Mark a cell whose text could not be read."""
        self.marks.refused[row, column] = (text, reason)
        self.dataChanged.emit(self.index(row, column), self.index(row, column))

    def forgive(self, row: int, column: int) -> None:
        """Take the mark off."""
        if self.marks.refused.pop((row, column), None) is not None:
            self.dataChanged.emit(self.index(row, column), self.index(row, column))

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or self.snapshot is None or self.style is None:
            return None
        row, column = index.row(), index.column()
        if role == Role.DisplayRole:
            return typeset_minus(compact(self.value(row, column), self.snapshot.view.decimals))
        if role == Role.EditRole:
            return self.text(row, column)
        if role == Role.BackgroundRole:
            return _ground(self.marks, self.style, (row, column), is_chosen=row == self.chosen_row)
        if role == Role.ToolTipRole:
            return self.marks.refused[row, column][1] if (row, column) in self.marks.refused else self.text(row, column)
        if role == Role.AccessibleTextRole:
            return f"{label_of(self.snapshot, self.axes.row, row)}, column {column + 1}: {self.text(row, column)}"
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role == Role.EditRole and index.isValid():
            self.typed.emit(index.row(), index.column(), str(value))
        return False  # the cell changes when the next snapshot says so

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if self.snapshot is None or self.style is None:
            return None
        axis = self.axes.row if orientation == Qt.Orientation.Vertical else self.axes.column
        if role == Role.DisplayRole:
            return label_of(self.snapshot, axis, section)
        if role == Role.ToolTipRole and axis:
            return "double-click to rename"
        return None

    def heading(self, section: int, orientation: Qt.Orientation) -> tuple[str, str, bool]:
        """The label of a row or column, the role its colour comes from, and whether it is the chosen one."""
        assert self.snapshot is not None
        is_row = orientation == Qt.Orientation.Vertical
        axis = self.axes.row if is_row else self.axes.column
        own = self.axes.role if is_row and axis else axis
        role = f"{own}_text" if own in ("query", "key", "value") else "faint"
        return label_of(self.snapshot, axis, section), role, is_row and bool(axis) and section == self.chosen_row


def _shown_matrix(snapshot: Snapshot, name: str, proposal: Proposal | None) -> Matrix | None:
    return snapshot.document.matrix(name) if proposal is None else proposal.values


def _ground(marks: Marks, style: Style, place: tuple[int, int], *, is_chosen: bool) -> QColor | None:
    """What a cell is painted over; None for the plain ground."""
    if place in marks.refused:
        return style.colour("bad_soft")
    if marks.is_waiting(*place):
        return style.colour("hatch_ground")
    return style.colour("accent_soft") if is_chosen else None


def label_of(snapshot: Snapshot, axis: str, section: int) -> str:
    """What names a row or column: the token of its query or key, or its position counted from 1."""
    document = snapshot.document
    if axis == "query" and section < len(document.query_labels):
        return document.query_name(section)
    if axis in ("key", "value") and section < len(document.key_labels):
        return document.key_name(section)
    return str(section + 1)


def _labels(snapshot: Snapshot) -> tuple[object, ...]:
    return snapshot.document.query_labels, snapshot.document.key_labels


def compact(value: float, decimals: int) -> str:
    """An input as it was meant: 1 and 0.5 as they are, 1/3 with the decimals of the screen."""
    exact = cell_text(value)
    fraction = exact.partition(".")[2]
    return exact if len(fraction) <= decimals and len(exact) <= 8 and "e" not in exact else shown(value, decimals)
