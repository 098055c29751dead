"""Somebody who uses a window with mouse and keyboard, and looks after each move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from explorer.app import build_window
from explorer.gui.grid import Grid
from explorer.gui.main_window import MainWindow
from explorer.library import examples
from explorer.state.document import Document, View
from tests.onlooker import Onlooker

LEFT = Qt.MouseButton.LeftButton
NO_BUTTON = Qt.MouseButton.NoButton
NO_MODIFIER = Qt.KeyboardModifier.NoModifier


def process_events() -> None:
    """Let the events through, with what they start: the refresh of the window, then the painting."""
    for _ in range(4):
        QApplication.processEvents()
        # Outside of a running loop nothing else deletes the editors that were closed.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class Person(Onlooker):
    """Uses a window by events alone."""

    waits_for_pictures = True
    """Whether a move is over only when the pictures show it; a panel with a planted fault never does."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        super().__init__(window)
        self.qtbot = qtbot

    def settle(self) -> None:
        """Wait until every picture on the screen shows the newest snapshot."""
        if QApplication.activeWindow() is None and self.window.isVisible():
            self.window.activateWindow()  # no window manager gives the focus back after a dialog
        process_events()
        if self.waits_for_pictures and not self.are_pictures_shown:
            self.qtbot.waitUntil(lambda: self.are_pictures_shown, timeout=5000)
            process_events()

    def open(self, what: str | Document, view: View | None = None) -> None:
        """Start over with an example, by its id, or a document, as from the menu."""
        self.store.mark_saved()
        document, own = examples.load(what) if isinstance(what, str) else (what, View())
        self.window.files.open_document(self.window, document, view or own)
        self.settle()

    def begin(self) -> None:
        """Open the first example, the focus where it is after the start and every grid's cursor in its first cell."""
        self.open("cat-sat-mat")
        for name in ("v", "k", "q"):
            grid = self.grid(name)
            grid.setCurrentIndex(grid.model().index(0, 0))
        self.focus("grid_q")

    def press(self, *keys: str, times: int = 1) -> None:
        """Press keys by their names ("Ctrl+Z", "Return") wherever the keyboard is, looking after each."""
        for name in keys * times:
            self.press_fast(name)
            self.settle()

    def press_fast(self, *keys: str) -> None:
        """Press keys faster than the screen shows what they do, or one that opens a dialog."""
        for name in keys:
            combination = QKeySequence(name)[0]
            key, modifiers = combination.key(), combination.keyboardModifiers()
            assert key != Qt.Key.Key_unknown, f"no key is called {name}"
            if name == "Shift+Tab":
                key = Qt.Key.Key_Backtab  # what a keyboard sends
            QTest.keyClick(QApplication.activePopupWidget() or self.focused, key, modifiers)

    def type(self, text: str, then: str | None = "Return") -> None:
        """Type a text wherever the keyboard is and end it with a key, or leave it open."""
        for sign in text:
            QTest.keyClick(self.focused, sign)
        if then is None:
            self.settle()
        else:
            self.press(then)

    def go_to(self, name: str) -> None:
        """Reach a widget with F6 and Tab alone."""
        target = self.find(name)
        place = self.place_of(target)
        for _ in range(8):
            self.press("F6")
            if self.place_of(self.focused) is place:
                break
        while self.place_of(self.focused) is place and not self.is_on(target):
            self.press("Shift+Tab")
        for _ in range(60):
            if self.is_on(target):
                return
            self.press("Tab")
        pytest.fail(f"the keyboard does not reach {name}")

    def focus(self, name: str) -> Any:
        """Be at a widget at once, where the way there is not what is tested and should choose nothing."""
        widget = self.find(name)
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        self.settle()
        assert widget.hasFocus(), f"{name} does not take the focus"
        return widget

    def paste(self, text: str) -> None:
        """Bring a text along on the clipboard, and press Ctrl+V wherever the keyboard is."""
        QGuiApplication.clipboard().setText(text)
        self.press("Ctrl+V")

    def copy(self, *keys: str) -> str:
        """Press keys, then Ctrl+C, over a clipboard that held something else; what it holds then."""
        QGuiApplication.clipboard().setText("something else")
        self.press(*keys, "Ctrl+C")
        return self.clipboard

    def copy_as(self, title: str) -> str:
        """Choose an entry of Copy as, over a clipboard that held something else; what it holds then."""
        QGuiApplication.clipboard().setText("something else")
        self.choose("Edit", "Copy as", title)
        return self.clipboard

    def enter(self, name: str, text: str) -> None:
        """Be at a box, type into it and press Enter."""
        self.focus(name)
        self.type(text)

    def pick(self, name: str, data: str) -> QComboBox:
        """Pick an entry of a list with the arrow keys."""
        box: QComboBox = self.focus(name)
        way = box.findData(data) - box.currentIndex()
        self.press("Down" if way > 0 else "Up", times=abs(way))
        return box

    def choose(self, *words: str) -> None:
        """Choose the entry of the menus that the beginnings of titles lead to."""
        entry = self.entry(*words)
        assert entry.isEnabled(), f"{words[-1]} is greyed out"
        entry.trigger()
        self.settle()

    def undo_all(self) -> list[str]:
        """Click undo until nothing is left; the labels of what was taken back."""
        labels = []
        while (label := self.store.undo_label) is not None and len(labels) < 30:
            labels.append(label)
            self.click("btn_undo")
        return labels

    def click(self, name: str) -> None:
        """Click the middle of a widget."""
        widget = self.find(name)
        assert widget.isVisible(), f"{name} is hidden"
        self.click_at(widget, widget.rect().center())

    def click_at(self, widget: QWidget, point: QPoint) -> None:
        """Click a point of a widget."""
        QTest.mouseClick(widget, LEFT, NO_MODIFIER, point)
        self.settle()

    def double_click_at(self, widget: QWidget, point: QPoint) -> None:
        """Click a point of a widget so soon after a click that it is a double one."""
        QTest.mouseDClick(widget, LEFT, NO_MODIFIER, point)
        self.settle()

    def click_cell(self, name: str, row: int = 0, column: int = 0) -> Grid:
        """Click into a cell of a grid."""
        grid = self.grid(name)
        self.click_at(grid.viewport(), self.cell_point(name, row, column))
        assert grid.place == (row, column), f"the click went to {grid.place}"
        return grid

    def click_picture(self, name: str, row: int | None, column: int | None) -> None:
        """Click the cell of a picture."""
        self.click_at(self.picture(name).viewport(), self.picture_point(name, row, column))

    def double_click_picture(self, name: str, row: int, column: int) -> None:
        """Click the cell of a picture twice."""
        viewport, point = self.picture(name).viewport(), self.picture_point(name, row, column)
        self.click_at(viewport, point)
        self.double_click_at(viewport, point)

    def move(
        self, widget: QWidget, point: QPoint, modifiers: Qt.KeyboardModifier = NO_MODIFIER, *, is_held: bool = True
    ) -> None:
        """Move the mouse to a point of a widget; QTest itself cannot hold a key meanwhile."""
        place, screen = QPointF(point), QPointF(widget.mapToGlobal(point))
        held = LEFT if is_held else NO_BUTTON
        QApplication.sendEvent(
            widget, QMouseEvent(QEvent.Type.MouseMove, place, screen, NO_BUTTON, held, modifiers)
        )  # fmt: skip
        self.settle()

    def drag(self, widget: QWidget, *points: QPoint, modifiers: Qt.KeyboardModifier = NO_MODIFIER) -> None:
        """Press at the first point, move over the others with a key held, release at the last, in one gesture."""
        QTest.mousePress(widget, LEFT, NO_MODIFIER, points[0])
        for point in points[1:]:
            self.move(widget, point, modifiers)
        QTest.mouseRelease(widget, LEFT, NO_MODIFIER, points[-1])
        self.settle()

    def drag_picture(self, name: str, *cells: tuple[int, int]) -> None:
        """Drag from cell to cell of a picture."""
        self.drag(self.picture(name).viewport(), *(self.picture_point(name, *cell) for cell in cells))

    def drag_knob(self, name: str, *stops: int) -> None:
        """Take the knob of a slider where it is and carry it over some of its stops, in one gesture."""
        points = [self.knob_point(name, stop) for stop in (None, *stops)]
        self.drag(self.find(name), *points)

    def turn_wheel(self, widget: QWidget, notches: int = 1) -> None:
        """Turn the wheel over the middle of a widget."""
        middle = widget.rect().center()
        event = QWheelEvent(
            QPointF(middle), QPointF(widget.mapToGlobal(middle)), QPoint(), QPoint(0, 120 * notches), NO_BUTTON,
            NO_MODIFIER, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(widget, event)
        self.settle()


OpenWindow = Callable[..., Person]


@pytest.fixture
def open_window(qapp: QApplication, qtbot: QtBot) -> Iterator[OpenWindow]:
    """Opens windows with a file or example each, and closes them in the end whatever state they are in."""
    opened: list[MainWindow] = []
    if qapp.style().name().lower() != "fusion":
        qapp.setStyle("Fusion")

    def opens(*words: str, size: tuple[int, int] | None = (1280, 800)) -> Person:
        window = build_window(words)
        assert isinstance(window, MainWindow)
        opened.append(window)
        if size is not None:
            window.setGeometry(0, 0, *size)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        person = Person(window, qtbot)
        person.settle()
        return person

    yield opens
    for window in opened:
        window.store.mark_saved()
        window.close()
        window.deleteLater()
        QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)
