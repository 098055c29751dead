"""Somebody who looks at a window, and knows where things are in it."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QAction, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QStyle, QStyleOptionSlider, QWidget

from explorer.core.problem import Problem
from explorer.gui.grid import Grid
from explorer.gui.main_window import MainWindow
from explorer.gui.panels.panel import Panel, PicturePanel
from explorer.gui.widgets.answer_strip import AnswerButton, AnswerStrip
from explorer.gui.widgets.picture_view import PictureView


class Onlooker:
    """Reads what a window shows, tells to a screen reader, and holds."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.store = window.store

    @property
    def problem(self) -> Problem:
        """The problem as it is now."""
        return self.store.document.problem

    def find(self, name: str) -> Any:
        """The widget of that object name."""
        found = self.window.findChild(QWidget, name)
        assert found is not None, f"no widget is called {name}"
        return found

    def grid(self, name: str) -> Grid:
        """The grid of a matrix."""
        return self.find(f"grid_{name}")

    def panel(self, name: str) -> Panel:
        """The panel of that id."""
        return self.window.ground.docks[name].panel

    def picture(self, name: str) -> PictureView:
        """The picture of a panel."""
        panel = self.panel(name)
        assert isinstance(panel, PicturePanel)
        return panel.picture

    @property
    def panels_shown(self) -> list[str]:
        """The ids of the panels that are not closed."""
        return [name for name, dock in self.window.ground.docks.items() if dock.isVisible()]

    @property
    def are_pictures_shown(self) -> bool:
        """Whether every picture on the screen shows the newest snapshot."""
        panels = [dock.panel for dock in self.window.ground.docks.values()]
        pictures = [panel.picture for panel in panels if isinstance(panel, PicturePanel) and panel.picture.isVisible()]
        return all(picture.painted_snapshot is self.store.snapshot for picture in pictures)

    @property
    def focused(self) -> Any:
        """The widget where the keyboard is."""
        widget = QApplication.focusWidget()
        assert widget is not None, "nothing has the focus"
        return widget

    def is_on(self, target: QWidget) -> bool:
        """Whether the keyboard is on a widget or inside it."""
        return self.focused is target or target.isAncestorOf(self.focused)

    def place_of(self, widget: QWidget) -> QWidget:
        """The panel, strip or bar around a widget."""
        places = [*self.window.ground.docks.values(), self.window.dials, self.window.top_bar, self.window]
        return next(place for place in places if place is widget or place.isAncestorOf(widget))

    @property
    def editor(self) -> QLineEdit | None:
        """The line that is open in a cell or on a label."""
        focused = QApplication.focusWidget()
        is_open = focused is not None and focused.objectName() in ("cell_editor", "label_editor")
        return focused if isinstance(focused, QLineEdit) and is_open else None

    @property
    def message(self) -> str:
        """What the message line says."""
        return self.window.message_bar.text

    @property
    def clipboard(self) -> str:
        """The text on the clipboard."""
        return QGuiApplication.clipboard().text()

    @property
    def answers(self) -> list[str]:
        """What the buttons say that wait for an answer to a paste."""
        strips = [strip for strip in self.window.findChildren(AnswerStrip) if strip.isVisible()]
        return [button.whole for strip in strips for button in strip.findChildren(AnswerButton)]

    @property
    def sees_error(self) -> bool:
        """Whether the message line tells of something that did not work."""
        return self.window.message_bar.is_error

    def value(self, name: str, row: int, column: int) -> float:
        """The number in a cell of the document."""
        matrix = self.store.document.matrix(name)
        assert matrix is not None
        return float(matrix[row, column])

    def printed(self, name: str, row: int, column: int) -> str:
        """What stands in a cell of a grid."""
        return str(self.grid(name).model().index(row, column).data())

    def described(self, panel: str) -> str:
        """What a picture tells assistive tools."""
        return str(self.picture(panel).accessibleDescription())

    @property
    def weights(self) -> list[float]:
        """The chosen row of weights, as exact as it is held."""
        return [float(weight) for weight in self.store.snapshot.attention.weights[self.store.view.query]]

    def read_weights(self) -> list[str]:
        """The chosen row of weights as it stands in the description of the heatmap."""
        row = self.described("weights").partition("; query ")[2].partition(": ")[2]
        row = re.sub(r" \(.*\)$", "", row)
        return [part.split(" ")[-1] for part in row.split(", ")]

    def screenshot(self) -> QImage:
        """The window as it looks."""
        return self.window.grab().toImage()

    def entries(self, *words: str) -> list[QAction]:
        """The entries of the menu that the beginnings of its titles lead to; without any, of the menu bar."""
        if not words:
            return self.window.menuBar().actions()
        menu = self.entry(*words).menu()
        assert isinstance(menu, QMenu), f"{words[-1]} is no menu"
        menu.aboutToShow.emit()
        return menu.actions()

    def entry(self, *words: str) -> QAction:
        """The entry that the beginnings of titles lead to."""
        *way, last = words
        return next(entry for entry in self.entries(*way) if entry.text().replace("&", "").startswith(last))

    def cell_point(self, name: str, row: int, column: int) -> QPoint:
        """The middle of a cell of a grid, in its viewport."""
        grid = self.grid(name)
        index = grid.model().index(row, column)
        grid.scrollTo(index)
        return grid.visualRect(index).center()

    def picture_point(self, name: str, row: int | None, column: int | None) -> QPoint:
        """A point of a picture at which its cell is, well inside it."""
        picture = self.picture(name)
        width, height = (int(length) for length in picture.size_of_picture().toTuple())
        for step in (22, 8, 3):
            points = [QPoint(x, y) for y in range(step, height, step) for x in range(step, width, step)]
            found = [point for point in points if picture.cell_at(QPointF(point)) == (row, column)]
            if found:
                xs, ys = sorted(point.x() for point in found), sorted(point.y() for point in found)
                middle = QPoint(xs[len(xs) // 2], ys[len(ys) // 2])
                return min(found, key=lambda point: (point - middle).manhattanLength())
        raise AssertionError(f"{name} shows no cell {row, column}")

    def knob_point(self, name: str, stop: int | None = None) -> QPoint:
        """The middle of a slider's knob, or where it would be at a stop."""
        slider = self.find(name)
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        if stop is not None:
            option.sliderPosition = stop
        part = QStyle.SubControl.SC_SliderHandle
        return slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()
