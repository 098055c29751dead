"""A slider over chosen values, and dials that the wheel leaves alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QLineEdit, QSlider, QWidget

from explorer.gui.widgets.undo_keys import belongs_to_window

_gestures = count(1)

# 0, then 0.01 to 100 in even steps of the logarithm at two significant digits, then infinity.
_BETAS = sorted({float(f"{10 ** (step / 50):.1e}") for step in range(-100, 101)})
BETA_STOPS: tuple[float, ...] = (0.0, *_BETAS, math.inf)
SHIFT_STOPS: tuple[float, ...] = tuple(float(step) for step in range(-20, 21))


class CalmDials(QObject):
    """Keeps the wheel from changing a dial that has no focus, and leaves undo to the window."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        line = watched.lineEdit() if isinstance(watched, QAbstractSpinBox) else watched
        if isinstance(line, QLineEdit) and belongs_to_window(line, event):
            event.ignore()
            return True
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False

    def calm(self, widget: QWidget) -> None:
        """Watch a dial."""
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(self)
        widget.setAcceptDrops(False)
        if isinstance(widget, QAbstractSpinBox):
            widget.lineEdit().installEventFilter(self)
            widget.lineEdit().setAcceptDrops(False)


class StopSlider(QSlider):
    """A slider over a list of values; ``moved`` carries the value and the name of the gesture."""

    moved = Signal(float, str)

    def __init__(self, name: str, title: str, stops: Sequence[float]) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._name = name
        self._stops = stops
        self._gesture = ""
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setRange(0, len(stops) - 1)
        self.setPageStep(max(1, len(stops) // 20))
        self.setMinimumWidth(60)
        self.sliderPressed.connect(self._begin)
        self.sliderReleased.connect(self._end)
        self.valueChanged.connect(self._tell)

    def sizeHint(self) -> QSize:
        return QSize(64, super().sizeHint().height())

    def show_value(self, value: float) -> None:
        """Put the knob at the nearest stop without asking for anything."""
        if value == self._stops[self.value()]:
            return
        with QSignalBlocker(self):
            self.setValue(nearest(self._stops, value))
        self.update()

    def _begin(self) -> None:
        self._gesture = f"{self._name}-{next(_gestures)}"

    def _end(self) -> None:
        self._gesture = ""

    def _tell(self, at: int) -> None:
        self.moved.emit(self._stops[at], self._gesture or f"{self._name}-{next(_gestures)}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # PgUp and PgDn are a presenter's keys, not the slider's.
        if event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            event.ignore()
        else:
            super().keyPressEvent(event)


def nearest(stops: Sequence[float], value: float) -> int:
    """Where the stop lies that is closest to a value; below the first stop, the first."""
    if math.isinf(value):
        return len(stops) - 1 if value > 0 else 0
    finite = [at for at, stop in enumerate(stops) if math.isfinite(stop)]
    return min(finite, key=lambda at: abs(stops[at] - value))
