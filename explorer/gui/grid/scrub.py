"""Dragging a number to change it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTableView

_FROM = 4  # pixels before a press on a number becomes a drag
_PIXELS = 3  # a step
STEP, FINE = 0.1, 0.01
_gestures = count(1)


class Scrub(QObject):
    """Watches a table's viewport; ``scrubbed`` carries row, column, the new value and the gesture's name."""

    scrubbed = Signal(int, int, float, str)

    def __init__(self, table: QTableView, value: Callable[[int, int], float]) -> None:
        super().__init__(table)
        self._table = table
        self._value = value
        self._from = 0.0
        self._start: tuple[QPoint, int, int] | None = None
        self._gesture = ""
        table.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent):
            if event.type() == QEvent.Type.MouseButtonPress:
                self._press(event)
            elif event.type() == QEvent.Type.MouseMove and self._start is not None:
                return self._move(event)
            elif event.type() == QEvent.Type.MouseButtonRelease:
                self._start = None
        return False

    def _press(self, event: QMouseEvent) -> None:
        index = self._table.indexAt(event.position().toPoint())
        special = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        is_plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers() & special
        self._start = (
            (event.position().toPoint(), index.row(), index.column()) if is_plain and index.isValid() else None
        )
        self._gesture = ""

    def _move(self, event: QMouseEvent) -> bool:
        assert self._start is not None
        start, row, column = self._start
        way = event.position().toPoint() - start
        if not self._gesture and max(abs(way.x()), abs(way.y())) < _FROM:
            return True
        if not self._gesture:
            self._gesture = f"scrub-{next(_gestures)}"
            self._from = self._value(row, column)
        step = FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else STEP
        self.scrubbed.emit(row, column, self._from + step * int((way.x() - way.y()) / _PIXELS), self._gesture)
        return True
