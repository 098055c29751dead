"""A picture on the screen: a pyqtgraph view that paints it, chooses cells and tells assistive tools what it shows."""

from __future__ import annotations

from dataclasses import replace

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from explorer.gui.pictures.picture import Picture
from explorer.gui.pictures.style import Style
from explorer.state.document import Snapshot

Cell = tuple[int | None, int | None]


class _Item(pg.GraphicsWidget):
    """The picture as an item of the scene; keeps count of how often it was painted."""

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self._picture = picture
        self.snapshot: Snapshot | None = None
        self.style: Style | None = None
        self.paint_count = 0
        self.painted: Snapshot | None = None

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        if self.snapshot is None or self.style is None:
            return
        self.paint_count += 1
        self.painted = self.snapshot
        painter.save()
        self._picture.paint(painter, self.size(), self.snapshot, self.style.fitted(self.size()))
        painter.restore()


class PictureView(pg.GraphicsView):
    """Shows one picture of the snapshot.

    ``chosen`` carries the (query, key) that was clicked, ``stepped`` the way of an arrow key (down, right);
    ``pressed_at`` and ``dragged_to`` the cell and point a press began in or moved over; ``acted`` says that Space was
    pressed, ``typed`` carries the first sign typed, empty for F2 or a double click.
    """

    chosen = Signal(object)
    stepped = Signal(int, int)
    pressed_at = Signal(object, QPointF)
    dragged_to = Signal(object, QPointF)
    released = Signal()
    acted = Signal()
    typed = Signal(str)

    def __init__(self, picture: Picture) -> None:
        super().__init__(background=None, useOpenGL=False)
        self._picture = picture
        self._item = _Item(picture)
        self._hover: tuple[int, int] | None = None
        self._style: Style | None = None
        self.setCentralItem(self._item)
        self.setObjectName(picture.id)
        self.setAccessibleName(picture.title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(60, 60)

    @property
    def paint_count(self) -> int:
        """How often the picture was painted."""
        return self._item.paint_count

    @property
    def painted_snapshot(self) -> Snapshot | None:
        """The snapshot that was painted last."""
        return self._item.painted

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Show a snapshot."""
        if self._style is None or self._style.theme is not style.theme:
            self.setBackground(style.colour("paper"))
        self._style = style
        self._item.snapshot = snapshot
        self._restyle()
        self.setAccessibleDescription(self._picture.describe(snapshot))

    def _restyle(self) -> None:
        if self._style is not None:
            self._item.style = replace(self._style, hover=self._hover)
            self.viewport().update()  # the scene would first queue each picture on its own

    @property
    def style_here(self) -> Style:
        """The style that the picture is painted in."""
        assert self._style is not None
        return self._style.fitted(self._item.size())

    def size_of_picture(self) -> QSizeF:
        """The size that the picture is painted in."""
        return self._item.size()

    def cell_at(self, point: QPointF) -> Cell | None:
        """The cell at a point of this widget."""
        if self._item.snapshot is None or self._style is None:
            return None
        return self._picture.cell_at(point, self._item.size(), self._item.snapshot, self.style_here)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and cell is not None:
            self.chosen.emit(cell)
            self.pressed_at.emit(cell, event.position())
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position())
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged_to.emit(cell, event.position())
        self._point_at(cell)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.released.emit()
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.cell_at(event.position()) is not None:
            self.typed.emit("")
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QEvent) -> None:
        event.ignore()  # the panel around may scroll; a picture never zooms by accident

    def _point_at(self, cell: Cell | None) -> None:
        snapshot = self._item.snapshot
        hover = None
        if cell is not None and snapshot is not None:
            query, key = cell
            hover = (snapshot.view.query if query is None else query, snapshot.view.key if key is None else key)
        if hover != self._hover:
            self._hover = hover
            self._restyle()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {
            Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0), Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1),
        }  # fmt: skip
        snapshot = self._item.snapshot
        if event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier):
            event.ignore()
        elif event.key() in moves and snapshot is not None:
            self.stepped.emit(*moves[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Space:
            self.acted.emit()
        elif event.key() == Qt.Key.Key_F2 or (event.text() and event.text() in "0123456789-.,+(−"):
            self.typed.emit("" if event.key() == Qt.Key.Key_F2 else event.text())
        else:
            event.ignore()
