"""What the window remembers: place, panels, theme and size survive a restart, and nonsense does no harm."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QApplication

from explorer.gui.main_window import MainWindow
from explorer.gui.panels import PANELS
from explorer.gui.settings import on_screen
from tests.person import OpenWindow, Person


def leave(window: MainWindow) -> None:
    """Close a window without being asked."""
    window.store.mark_saved()
    window.close()


def themes(person: Person) -> list[QAction]:
    """The entries of View > Theme."""
    group = next(action for action in person.window.findChildren(QAction) if action.data() == "dark").actionGroup()
    return list(group.actions())


def test_place_panels_theme_and_zoom_survive_a_restart(open_window: OpenWindow) -> None:
    first = open_window(size=None)
    first.window.setGeometry(40, 50, 720, 640)
    first.window.ground.docks["bars"].close()
    next(theme for theme in themes(first) if theme.data() == "dark").trigger()
    first.press("Ctrl++")
    size, place = QApplication.font().pixelSize(), first.window.geometry()
    leave(first.window)
    again = open_window(size=None)
    assert again.window.geometry() == place
    assert again.panels_shown == [panel.ID for panel in PANELS if panel.ID != "bars"]
    assert again.window.appearance.choice == "dark"
    assert QApplication.font().pixelSize() == size
    assert again.window.palette().window().color().lightness() < 64
    assert [theme.data() for theme in themes(again) if theme.isChecked()] == ["dark"]


def test_a_maximised_panel_comes_back_among_the_others(open_window: OpenWindow) -> None:
    first = open_window(size=None)
    first.press("Ctrl+M")
    assert first.panels_shown == ["inputs"]
    leave(first.window)
    assert open_window(size=None).panels_shown == [panel.ID for panel in PANELS]


@pytest.mark.parametrize("place", [(-3000, 40), (700, 99999)])
def test_a_place_off_the_screen_is_corrected(open_window: OpenWindow, home: Path, place: tuple[int, int]) -> None:
    home.mkdir()
    text = f"[window]\nx={place[0]}\ny={place[1]}\nwidth=720\nheight=600\n"
    (home / "settings.ini").write_text(text, encoding="utf-8")
    person = open_window(size=None)
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.contains(person.window.geometry())


SCREENS = [QRect(0, 0, 1920, 1080), QRect(1920, 0, 1024, 768)]


@pytest.mark.parametrize(("wanted", "put"), [
    (QRect(100, 100, 1280, 800), QRect(100, 100, 1280, 800)),
    (QRect(2000, 50, 900, 600), QRect(2000, 50, 900, 600)),
    (QRect(1800, 50, 1280, 800), QRect(1920, 0, 1024, 768)),
    (QRect(5000, 0, 1280, 800), QRect(640, 0, 1280, 800)),
    (QRect(-500, -500, 0, 0), QRect(0, 0, 640, 480)),
])  # fmt: skip
def test_where_a_window_is_put(wanted: QRect, put: QRect) -> None:
    assert on_screen(wanted, SCREENS) == put


GARBAGE = {
    "not text": b"\x00\xff\xfe garbage \x80",
    "wrong values": b"[window]\nx=abc\nwidth=\nheight=-5\nmaximized=yes\nstate=nonsense\n"
                    b"[view]\nzoom=7000\ntheme=../../etc\n[recent]\nfiles=1, , @Invalid()\n",
    "too large": b"[window]\nx=99999999999999999999\ny=1e99\nstate=@ByteArray(\\0\\0)\n",
}  # fmt: skip


@pytest.mark.parametrize("content", GARBAGE.values(), ids=GARBAGE)
def test_garbage_in_the_settings_is_as_nothing(open_window: OpenWindow, home: Path, content: bytes) -> None:
    home.mkdir()
    (home / "settings.ini").write_bytes(content)
    person = open_window(size=None)
    assert QGuiApplication.primaryScreen().availableGeometry().intersects(person.window.geometry())
    assert person.window.appearance.zoom == 100
    assert person.panels_shown == [panel.ID for panel in PANELS]
    assert not person.sees_error
