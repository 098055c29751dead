"""One window for all tests of the interface: building it takes longer than most of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.app import build_window
from explorer.gui.docks import DockGround
from explorer.gui.main_window import MainWindow
from tests.person import Person, open_window, process_events

__all__ = ["app", "built", "curtain", "open_window", "person"]

SIZE = (1280, 800)


@pytest.fixture(scope="session")
def app(qapp: QApplication) -> QApplication:
    """The application in the style that it runs in."""
    qapp.setStyle("Fusion")
    return qapp


@pytest.fixture(scope="package")  # while it lives, a change of theme in any window polishes its widgets too
def built(app: QApplication, homes: Path) -> Iterator[MainWindow]:
    """The window, hidden; its settings are in a folder of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTENTION_EXPLORER_HOME", str(homes / "window"))
        window = build_window(["cat-sat-mat"])
    assert isinstance(window, MainWindow)
    yield window
    window.store.mark_saved()
    window.close()
    window.deleteLater()
    process_events()


@pytest.fixture(scope="session")
def curtain(app: QApplication) -> QWidget:
    """A window that is shown between two tests: offscreen, one that comes back is active only after another was."""
    return QWidget()


def is_ordinary(ground: DockGround) -> bool:
    """Whether every panel is where it is at the start, as far as that matters: arranging them again takes long."""
    docks = ground.docks.values()
    left = [ground.dockWidgetArea(dock) == Qt.DockWidgetArea.LeftDockWidgetArea for dock in docks]
    return all(left) and not any(dock.isFloating() or dock.isHidden() for dock in docks)


@pytest.fixture
def person(built: MainWindow, curtain: QWidget, qtbot: QtBot) -> Iterator[Person]:
    """Somebody at the window, which shows the first example in its ordinary layout."""
    curtain.show()
    built.setGeometry(0, 0, *SIZE)
    built.show()
    curtain.hide()
    built.activateWindow()
    someone = Person(built, qtbot)
    try:
        qtbot.waitUntil(lambda: QApplication.activeWindow() is built, timeout=3000)
        if not is_ordinary(built.ground):
            built.ground.arrange()
        someone.begin()
        yield someone
        paint = someone.find("btn_paint")
        assert isinstance(paint, QToolButton)
        paint.setChecked(False)
    finally:
        built.store.mark_saved()
        built.hide()
        process_events()
