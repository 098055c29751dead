"""Somebody who sits at the window: looks at it, clicks and types."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QStyle, QStyleOptionSlider, QWidget

from explorer.gui.grid import Grid
from explorer.gui.main_window import MainWindow
from explorer.gui.panels.panel import Panel, PicturePanel
from explorer.gui.widgets.picture_view import PictureView
from explorer.library import examples
from explorer.state.document import Document, View

Key = Qt.Key
Modifier = Qt.KeyboardModifier
NONE, SHIFT, CONTROL, ALT = (
    Modifier.NoModifier, Modifier.ShiftModifier, Modifier.ControlModifier, Modifier.AltModifier,
)  # fmt: skip
LEFT = Qt.MouseButton.LeftButton


def settle() -> None:
    """Let the events through, with what they start: the timer of the window, then the painting."""
    for _ in range(4):
        QApplication.processEvents()
        # Outside of a running loop nothing else deletes the editors that were closed.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def move(widget: QWidget, point: QPoint, modifiers: Qt.KeyboardModifier = NONE, *, is_held: bool = True) -> None:
    """Move the mouse to a point of a widget; QTest itself cannot hold a key meanwhile."""
    held = LEFT if is_held else Qt.MouseButton.NoButton
    place, screen = QPointF(point), QPointF(widget.mapToGlobal(point))
    QApplication.sendEvent(
        widget, QMouseEvent(QEvent.Type.MouseMove, place, screen, Qt.MouseButton.NoButton, held, modifiers)
    )


def turn_wheel(widget: QWidget, notches: int = 1) -> None:
    """Turn the wheel over the middle of a widget."""
    place = QPointF(widget.rect().center())
    screen = QPointF(widget.mapToGlobal(widget.rect().center()))
    event = QWheelEvent(
        place, screen, QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    settle()


class Person:
    """Uses a window with mouse and keyboard."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.store = window.store

    def open(self, what: str | Document, view: View | None = None) -> None:
        """Start over with an example, by its id, or a document, as from the menu."""
        self.store.mark_saved()
        document, own = examples.load(what) if isinstance(what, str) else (what, View())
        self.window.files.open_document(self.window, document, view or own)
        settle()

    def begin(self) -> None:
        """Open the first example, the focus where it is after the start and every grid's cursor in its first cell."""
        self.open("cat-sat-mat")
        for name in ("v", "k", "q"):
            grid = self.grid(name)
            grid.setCurrentIndex(grid.model().index(0, 0))
        self.grid("q").setFocus()
        settle()

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
    def focused(self) -> QWidget:
        """What has the focus."""
        widget = QApplication.focusWidget()
        assert widget is not None, "nothing has the focus"
        return widget

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

    def complains(self) -> bool:
        """Whether the message line tells of something that did not work."""
        return self.window.message_bar.is_error

    def value(self, name: str, row: int, column: int) -> float:
        """The number in a cell of the document."""
        matrix = self.store.document.matrix(name)
        assert matrix is not None
        return float(matrix[row, column])

    def printed(self, name: str, row: int, column: int) -> str:
        """What stands in a cell of a grid."""
        model = self.grid(name).model()
        return str(model.index(row, column).data())

    def undo_all(self) -> list[str]:
        """Click undo until nothing is left; the labels of what was taken back."""
        labels = []
        while (label := self.store.undo_label) is not None and len(labels) < 30:
            labels.append(label)
            self.click("btn_undo")
        return labels

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, times: int = 1) -> None:
        """Press a key on whatever has the focus."""
        for _ in range(times):
            QTest.keyClick(self.focused, key, modifiers)
            settle()

    def write(self, text: str, end: Qt.Key | None = Key.Key_Return, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Type a text on whatever has the focus, then a key."""
        for sign in text:
            QTest.keyClicks(self.focused, sign)
        if end is not None:
            QTest.keyClick(self.focused, end, modifiers)
        settle()

    def go(self, name: str, row: int = 0, column: int = 0) -> Grid:
        """Click into a cell."""
        grid = self.grid(name)
        QTest.mouseClick(grid.viewport(), LEFT, NONE, self.place(name, row, column))
        settle()
        assert grid.place == (row, column)
        return grid

    def place(self, name: str, row: int, column: int) -> QPoint:
        """The middle of a cell of a grid, in its viewport."""
        grid = self.grid(name)
        index = grid.model().index(row, column)
        grid.scrollTo(index)
        return grid.visualRect(index).center()

    def focus(self, name: str) -> Any:
        """Move the focus to a widget, as Tab does."""
        widget = self.find(name)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        settle()
        assert widget.hasFocus(), f"{name} does not take the focus"
        return widget

    def enter(self, name: str, text: str) -> None:
        """Go to a box, type into it and press Enter."""
        self.focus(name)
        self.write(text)

    def choose(self, name: str, data: str) -> QComboBox:
        """Pick an entry of a list with the arrow keys."""
        box: QComboBox = self.focus(name)
        way = box.findData(data) - box.currentIndex()
        self.press(Key.Key_Down if way > 0 else Key.Key_Up, times=abs(way))
        return box

    def click(self, name: str) -> None:
        """Click a button."""
        button = self.find(name)
        assert button.isVisible(), f"{name} is hidden"
        QTest.mouseClick(button, LEFT, NONE, button.rect().center())
        settle()

    def spot(self, name: str, row: int | None, column: int | None) -> QPoint:
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

    def click_picture(self, name: str, row: int | None, column: int | None) -> None:
        """Click the cell of a picture."""
        QTest.mouseClick(self.picture(name).viewport(), LEFT, NONE, self.spot(name, row, column))
        settle()

    def double_click_picture(self, name: str, row: int, column: int) -> None:
        """Click the cell of a picture twice."""
        spot = self.spot(name, row, column)
        QTest.mouseClick(self.picture(name).viewport(), LEFT, NONE, spot)
        settle()
        QTest.mouseDClick(self.picture(name).viewport(), LEFT, NONE, spot)
        settle()

    def drag(self, widget: QWidget, *points: QPoint, modifiers: Qt.KeyboardModifier = NONE) -> None:
        """Press at the first point, move over the others, release at the last."""
        QTest.mousePress(widget, LEFT, modifiers, points[0])
        for point in points[1:]:
            move(widget, point, modifiers)
            settle()
        QTest.mouseRelease(widget, LEFT, modifiers, points[-1])
        settle()

    def knob(self, name: str) -> QPoint:
        """The middle of a slider's knob."""
        slider = self.find(name)
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        return slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, slider).center()
