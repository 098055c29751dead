"""Themes: roles of colour and sizes of type, read from small files, put onto the application."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from explorer import paths

THEMES = ("light", "dark", "projector")
ZOOMS = (80, 90, 100, 110, 125, 150)
_FALLBACK = "DejaVu Sans"


@dataclass(frozen=True)
class Theme:
    """Colours by role, colour maps as stops, and factors for the size of type and the width of lines."""

    id: str
    title: str
    is_dark: bool
    type: float
    line: float
    colours: Mapping[str, str]
    maps: Mapping[str, tuple[str, ...]]

    def colour(self, role: str) -> QColor:
        """The colour of a role."""
        return _colour(self.colours[role])


@lru_cache(maxsize=256)
def _colour(name: str) -> QColor:
    return QColor(name)


@cache
def load(theme_id: str) -> Theme:
    """Read a theme by its id."""
    file = paths.resources() / "themes" / f"{theme_id}.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    maps = {name: tuple(stops) for name, stops in data["maps"].items()}
    return Theme(theme_id, data["title"], data["is_dark"], data["type"], data["line"], data["colours"], maps)


def system_theme() -> str:
    """What the platform prefers: "light" or "dark"."""
    is_dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return "dark" if is_dark else "light"


@cache
def add_fallback_font() -> str:
    """Make sure that every sign we draw has a glyph, and give the family that has them."""
    if _FALLBACK not in QFontDatabase.families():
        import ziafont

        QFontDatabase.addApplicationFont(str(Path(ziafont.__file__).parent / "fonts" / "DejaVuSans.ttf"))
    return _FALLBACK


def base_size(theme: Theme, zoom: int) -> float:
    """Height of the type in pixels that everything else is measured by."""
    return 13.0 * theme.type * zoom / 100


def apply(app: QApplication, theme: Theme, zoom: int) -> None:
    """Put font, palette and style sheet of a theme onto the whole application."""
    font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont))
    font.setFamilies([*font.families(), add_fallback_font()])
    font.setPixelSize(round(base_size(theme, zoom)))
    app.setFont(font)
    app.setPalette(_palette(theme))
    sheet = _style_sheet(theme, base_size(theme, zoom))
    if app.styleSheet() != sheet:
        app.setStyleSheet(sheet)


def _palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for name, colour in (
        (role.Window, "paper"), (role.Base, "paper"), (role.AlternateBase, "ground"), (role.Button, "paper"),
        (role.ToolTipBase, "paper"), (role.WindowText, "ink"), (role.Text, "ink"), (role.ButtonText, "ink"),
        (role.ToolTipText, "ink"), (role.BrightText, "bad"), (role.Highlight, "accent"), (role.Accent, "accent"),
        (role.HighlightedText, "accent_ink"), (role.PlaceholderText, "faint"), (role.Link, "accent"),
        (role.Mid, "line"), (role.Dark, "line"), (role.Midlight, "line"), (role.Light, "paper"), (role.Shadow, "line"),
    ):  # fmt: skip
        palette.setColor(name, theme.colour(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, theme.colour("hatch"))
    return palette


def _style_sheet(theme: Theme, size: float) -> str:
    sheet = (paths.resources() / "themes" / "style.qss").read_text(encoding="utf-8")
    for role, colour in theme.colours.items():
        sheet = sheet.replace(f"@{role};", f"{colour};")
    for name, factor in (("radius", 0.38), ("pad", 0.34), ("wide", 0.55), ("knob", 1.1), ("groove", 0.3)):
        sheet = sheet.replace(f"@{name};", f"{max(1, round(size * factor))}px;")
    return sheet.replace("@icons", (paths.resources() / "icons").as_posix())
