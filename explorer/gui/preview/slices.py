"""Small pictures of the slices along one axis, of which one is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.gui.pictures.style import Style, draw_text
from explorer.gui.preview.card import side_of
from explorer.gui.preview.tiles import Tile, paint_tile
from explorer.gui.widgets.flow_layout import FlowLayout

MOST = 64  # pictures at a time
_GAP = 4


@dataclass(frozen=True, eq=False)
class Slices:
    """The slices along an axis: how many, what makes one's tile, and the magnitude of the full colour in all."""

    axis: str
    length: int
    tile_of: Callable[[int], Tile]
    span: float
    caption: str = ""


def page_of(at: int, length: int) -> range:
    """The slices that are shown together with one."""
    first = at // MOST * MOST
    return range(first, min(first + MOST, length))


class SliceTile(QAbstractButton):
    """One slice with its number; its picture is made when it is first seen. ``doubled`` tells of a double click."""

    doubled = Signal()

    def __init__(self, slices: Slices, at: int, style: Style, colormap: str) -> None:
        super().__init__()
        self.at = at
        self.tile: Tile | None = None
        self._slices, self._style, self._colormap = slices, style, colormap
        self.setObjectName(f"slice_{at}")
        self.setCheckable(True)
        self.setAccessibleName(f"{slices.axis} {at + 1} of {slices.length}")
        self.setToolTip(f"{slices.axis} {at + 1}")

    def sizeHint(self) -> QSize:
        side = side_of(self._style) + 2 * _GAP
        return QSize(side, side + round(self._style.line_height) - _GAP)

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.tile is None:
            self.tile = self._slices.tile_of(self.at)
        painter, style, side = QPainter(self), self._style, side_of(self._style)
        box = QRect(_GAP, _GAP, side, side)
        paint_tile(painter, box, self.tile, style, self._colormap, self._slices.span)
        line = QRectF(0, box.bottom(), self.width(), self.height() - box.bottom() - 1)
        role = "ink" if self.isChecked() else "faint"
        draw_text(painter, line, str(self.at + 1), style.font(0.9, bold=self.isChecked()), style.colour(role))
        if self.isChecked() or self.underMouse():
            painter.setPen(style.pen("ink" if self.hasFocus() else "accent" if self.isChecked() else "line", 2))
            painter.drawRect(self.rect().adjusted(1, 1, -2, -2))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()  # a button would take arrow keys for Tab

    def mouseDoubleClickEvent(self, _event: QEvent) -> None:
        self.doubled.emit()


class SliceGrid(QWidget):
    """``chosen`` carries the slice that a click or an arrow key chose; ``entered`` says that Enter or a double click
    takes it.
    """

    chosen = Signal(int)
    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("slices")
        self.tiles: list[SliceTile] = []
        self._slices: Slices | None = None
        self._layout = FlowLayout(self, gap=0, line_gap=0)
        self._layout.setContentsMargins(0, 0, 0, 0)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_slices(self, slices: Slices, at: int, style: Style, colormap: str) -> None:
        """Show the page of a slice, anew when it shows something else."""
        old, self._slices = self.tiles, slices
        has_focus = any(tile.hasFocus() for tile in old)
        for tile in old:
            self._layout.removeWidget(tile)
        self.tiles = [SliceTile(slices, place, style, colormap) for place in page_of(at, slices.length)]
        for tile in self.tiles:
            tile.clicked.connect(lambda _on, at=tile.at: self._go(at))
            tile.doubled.connect(self.entered)
            self._layout.addWidget(tile)
            tile.show()
        self.choose(at)
        if has_focus:
            self.enter()
        for tile in old:  # last, or the keyboard would leave the strip
            tile.setParent(None)
            tile.deleteLater()

    def choose(self, at: int) -> None:
        """Mark a slice of the page as the chosen one, the one that Tab reaches."""
        for tile in self.tiles:
            tile.setChecked(tile.at == at)
            policy = Qt.FocusPolicy.StrongFocus if tile.at == at else Qt.FocusPolicy.ClickFocus
            tile.setFocusPolicy(policy)

    @property
    def made(self) -> int:
        """How many pictures were made."""
        return sum(tile.tile is not None for tile in self.tiles)

    @property
    def chosen_tile(self) -> SliceTile | None:
        """The tile of the chosen slice."""
        return next((tile for tile in self.tiles if tile.isChecked()), None)

    def enter(self) -> None:
        """Bring the keyboard to the chosen slice."""
        if self.chosen_tile is not None:
            self.chosen_tile.setFocus(Qt.FocusReason.TabFocusReason)

    def _go(self, at: int) -> None:
        if self._slices is None or not 0 <= at < self._slices.length:
            return
        self.choose(at)
        self.chosen.emit(at)
        self.enter()

    def _columns(self) -> int:
        """How many stand in the first line."""
        top = self.tiles[0].y()
        return sum(tile.y() == top for tile in self.tiles)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.chosen_tile is None or self._slices is None:
            return super().keyPressEvent(event)
        now, columns, last = self.chosen_tile.at, self._columns(), self._slices.length - 1
        moves = {
            Qt.Key.Key_Left: now - 1, Qt.Key.Key_Right: now + 1, Qt.Key.Key_Up: now - columns,
            Qt.Key.Key_Down: now + columns, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last,
        }  # fmt: skip
        if event.key() in moves:
            return self._go(moves[Qt.Key(event.key())])
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self.entered.emit()
        return super().keyPressEvent(event)
