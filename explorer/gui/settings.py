"""What is remembered between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QMargins, QRect, QSettings
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from explorer import paths

_VERSION = 1
_MOST_RECENT = 8
_FARTHEST = 1_000_000
_FRAME = QMargins(8, 36, 8, 8)  # what a window manager may put around a window


class Settings:
    """Reads and writes the settings file, with plain keys; a wrong value in it counts as absent."""

    def __init__(self) -> None:
        self._file = QSettings(str(paths.settings_file()), QSettings.Format.IniFormat)
        self._file.setValue("settings/version", _VERSION)

    def text(self, key: str, default: str, among: tuple[str, ...]) -> str:
        """A remembered choice."""
        value = self._file.value(key, default)
        return value if isinstance(value, str) and value in among else default

    def number(self, key: str, default: int, among: tuple[int, ...] = ()) -> int:
        """A remembered whole number."""
        try:
            value = int(self._file.value(key, default))
        except (TypeError, ValueError):
            return default
        is_sound = value in among if among else abs(value) <= _FARTHEST
        return value if is_sound else default

    def put(self, key: str, value: Any) -> None:
        """Remember something."""
        self._file.setValue(key, value)

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved lately, the last first."""
        value = self._file.value("recent/files", [])
        listed = [value] if isinstance(value, str) else value
        return [Path(item) for item in listed or [] if isinstance(item, str) and item][:_MOST_RECENT]

    def add_recent(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        path = path.resolve()
        rest = [other for other in self.recent if other != path]
        self.put("recent/files", [str(item) for item in (path, *rest)][:_MOST_RECENT])

    def forget_recent(self, path: Path) -> None:
        """Take a file that is gone off the list."""
        self.put("recent/files", [str(item) for item in self.recent if item != path])

    def save_window(self, window: QMainWindow, state: QByteArray) -> None:
        """Remember where the window is and how its panels lie."""
        place = window.normalGeometry() if window.isMaximized() else window.geometry()
        for key, value in zip(("x", "y", "width", "height"), place.getRect(), strict=True):
            self.put(f"window/{key}", value)
        self.put("window/maximized", int(window.isMaximized()))
        self.put("window/state", state)
        self._file.sync()

    def window_place(self) -> QRect:
        """Where the window goes: as remembered, but whole on a screen there is."""
        wanted = QRect(
            self.number("window/x", 80), self.number("window/y", 60),
            self.number("window/width", 1280), self.number("window/height", 800),
        )  # fmt: skip
        return on_screen(
            wanted, [screen.availableGeometry().marginsRemoved(_FRAME) for screen in QGuiApplication.screens()]
        )

    def window_state(self) -> QByteArray | None:
        """How the panels lay."""
        value = self._file.value("window/state")
        return value if isinstance(value, QByteArray) else None

    @property
    def was_maximized(self) -> bool:
        """Whether the window filled the screen."""
        return self.number("window/maximized", 0) == 1


def on_screen(wanted: QRect, screens: list[QRect]) -> QRect:
    """The wanted place if it is whole on one screen, else moved and shrunk onto the one it shares most with."""
    if not screens or any(screen.contains(wanted) for screen in screens):
        return wanted

    def shared(screen: QRect) -> int:
        both = screen.intersected(wanted)
        return both.width() * both.height()

    screen = max(screens, key=shared)
    width = min(max(wanted.width(), 640), screen.width())
    height = min(max(wanted.height(), 480), screen.height())
    x = min(max(wanted.x(), screen.left()), screen.right() + 1 - width)
    y = min(max(wanted.y(), screen.top()), screen.bottom() + 1 - height)
    return QRect(x, y, width, height)
