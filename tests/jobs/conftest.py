"""Somebody at the window: hands on keyboard and mouse, eyes on what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QImage, QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QSlider, QStyle, QStyleOptionSlider, QWidget
from pytestqt.qtbot import QtBot

from explorer.app import build_window

ROOT = Path(__file__).resolve().parent.parent.parent


class Person:
    """Drives one window by events alone, and reads it as a screen reader does."""

    def __init__(self, window: Any, qtbot: QtBot) -> None:
        self.window = window
        self.qtbot = qtbot

    @property
    def store(self) -> Any:
        """What the window holds."""
        return self.window.store

    @property
    def problem(self) -> Any:
        """The problem as it is now."""
        return self.store.snapshot.problem

    @property
    def message(self) -> str:
        """The message line."""
        return self.window.message_bar.text

    @property
    def focus(self) -> Any:
        """Where the keyboard is."""
        focused = QApplication.focusWidget()
        assert focused is not None, "nothing has the focus"
        return focused

    def find(self, name: str) -> Any:
        """A widget of the window by its object name."""
        found = self.window.findChild(QObject, name)
        assert found is not None, f"there is no {name}"
        return found

    def settle(self) -> None:
        """Wait until every picture on the screen shows the newest snapshot."""
        pictures = [dock.panel.picture for dock in self.window.ground.docks.values() if hasattr(dock.panel, "picture")]

        def is_shown() -> bool:
            seen = [picture for picture in pictures if picture.isVisible()]
            return all(picture.painted_snapshot is self.store.snapshot for picture in seen)

        if QApplication.activeWindow() is None:  # no window manager gives the focus back after a dialog
            self.window.activateWindow()
        QApplication.processEvents()
        self.qtbot.waitUntil(is_shown, timeout=5000)
        QApplication.processEvents()

    def press(self, *keys: str) -> None:
        """Press keys by their names ("Ctrl+Z", "Return") wherever the keyboard is, looking after each."""
        for name in keys:
            self.press_only(name)
            self.settle()

    def press_only(self, name: str) -> None:
        """Press a key without waiting for what it does, as before a dialog."""
        combination = QKeySequence(name)[0]
        QTest.keyClick(QApplication.activePopupWidget() or self.focus, combination.key(),
                       combination.keyboardModifiers())  # fmt: skip

    def type(self, text: str, then: str = "Return") -> None:
        """Type a text and end it with a key."""
        for sign in text:
            QTest.keyClick(self.focus, sign)
        self.press(then)

    def click(self, name: str) -> None:
        """Press a button with the mouse."""
        QTest.mouseClick(self.find(name), Qt.MouseButton.LeftButton)
        self.settle()

    def drag(self, name: str, way: list[int]) -> None:
        """Take the knob of a slider with the mouse and carry it over some of its stops, in one gesture."""
        slider = self.find(name)
        left = Qt.MouseButton.LeftButton
        QTest.mousePress(slider, left, Qt.KeyboardModifier.NoModifier, knob(slider, slider.value()))
        for stop in way:
            QTest.mouseMove(slider, knob(slider, stop))
            self.settle()
        QTest.mouseRelease(slider, left, Qt.KeyboardModifier.NoModifier, knob(slider, way[-1]))
        self.settle()

    def turn_wheel(self, widget: QWidget) -> None:
        """Turn the wheel over a widget."""
        middle = QPointF(widget.rect().center())
        event = QWheelEvent(middle, QPointF(widget.mapToGlobal(middle.toPoint())), QPoint(), QPoint(0, 120),
                            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
                            False)  # fmt: skip
        QApplication.sendEvent(widget, event)
        self.settle()

    def go_to(self, name: str) -> None:
        """Reach a widget with F6 and Tab alone."""
        target = self.find(name)
        place = self.place_of(target)
        for _ in range(8):
            self.press("F6")
            if self.place_of(self.focus) is place:
                break
        while self.place_of(self.focus) is place and not self.is_on(target):
            self.press("Shift+Tab")
        for _ in range(60):
            if self.is_on(target):
                return
            self.press("Tab")
        pytest.fail(f"the keyboard does not reach {name}")

    def is_on(self, target: QWidget) -> bool:
        """Whether the keyboard is on a widget or inside it."""
        return self.focus is target or target.isAncestorOf(self.focus)

    def place_of(self, widget: QWidget) -> QWidget:
        """The panel, strip or bar around a widget."""
        places = [*self.window.ground.docks.values(), self.window.dials, self.window.top_bar, self.window]
        return next(place for place in places if place is widget or place.isAncestorOf(widget))

    def described(self, panel: str) -> str:
        """What a picture tells assistive tools."""
        return str(self.window.ground.docks[panel].panel.picture.accessibleDescription())

    def read_weights(self) -> list[str]:
        """The chosen row of weights as it stands in the description of the heatmap."""
        row = self.described("weights").partition("; query ")[2].partition(": ")[2]
        row = re.sub(r" \(.*\)$", "", row)
        return [part.split(" ")[-1] for part in row.split(", ")]

    def screenshot(self) -> QImage:
        """The window as it looks."""
        return self.window.grab().toImage()


def knob(slider: QSlider, stop: int) -> QPoint:
    """The middle of a slider's knob, were it at a stop."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    option.sliderPosition = stop
    control = QStyle.SubControl.SC_SliderHandle
    return slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, control, slider).center()


def pixels(image: QImage) -> np.ndarray:
    """An image as numbers (height, width, 4)."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


def in_dialog(drive: Callable[[QDialog], object]) -> None:
    """Have the next modal dialog driven; whatever happens, it does not stay open."""

    def act(tries: int = 200) -> None:
        dialog = QApplication.activeModalWidget()
        is_ready = dialog is not None and dialog.isActiveWindow() and dialog.focusWidget() is not None
        if not is_ready and tries:
            QTimer.singleShot(5, lambda: act(tries - 1))
        if dialog is None or (not is_ready and tries):
            return
        try:
            drive(dialog)
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, act)


def start_in_child(*tests: str, **environment: str) -> subprocess.Popen[str]:
    """Start some tests of these jobs in a process of its own, under another environment."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.Popen(
        command, cwd=ROOT, env=os.environ | environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def assert_passed(*children: subprocess.Popen[str]) -> None:
    """The tests that were started have run and passed, in every process."""
    ended = [(child.communicate(timeout=120)[0], child.returncode) for child in children]
    for said, status in ended:
        assert status == 0, said
        assert " passed" in said
        assert "skipped" not in said


OpenWindow = Callable[..., Person]


@contextmanager
def people(qtbot: QtBot) -> Iterator[OpenWindow]:
    """Opens windows with a file or example each, and closes them in the end whatever state they are in."""
    opened: list[Any] = []
    if QApplication.style().name().lower() != "fusion":
        QApplication.setStyle("Fusion")

    def opens(*words: str, size: tuple[int, int] | None = (1280, 800)) -> Person:
        window = build_window(words)
        opened.append(window)
        if size is not None:
            window.setGeometry(0, 0, *size)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        person = Person(window, qtbot)
        person.settle()
        return person

    try:
        yield opens
    finally:
        for window in opened:
            window.store.mark_saved()
            window.close()
            window.deleteLater()
            QApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


@pytest.fixture
def open_window(qapp: QApplication, qtbot: QtBot) -> Iterator[OpenWindow]:
    """Opens the window with a file or example."""
    with people(qtbot) as opens:
        yield opens
