"""Theme and size of the interface: chosen, remembered, put onto the application."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from explorer.gui import theme
from explorer.gui.pictures.style import Style
from explorer.gui.settings import Settings

CHOICES = ("system", *theme.THEMES)


class Appearance:
    """What is chosen, and the style of pictures that follows from it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.choice = settings.text("view/theme", "system", CHOICES)
        self.zoom = settings.number("view/zoom", 100, theme.ZOOMS)
        self._before_projector = self.choice if self.choice != "projector" else "system"

    def apply(self) -> Style:
        """Put fonts, palette and style sheet onto the application, and give the style of pictures."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        chosen = theme.load(theme.system_theme() if self.choice == "system" else self.choice)
        theme.apply(app, chosen, self.zoom)
        return Style(chosen, theme.base_size(chosen, self.zoom), tuple(app.font().families()))

    def choose(self, choice: str) -> None:
        """Choose a theme, or "system" to follow the platform."""
        if choice != "projector":
            self._before_projector = choice
        self.choice = choice
        self._settings.put("view/theme", choice)

    def toggle_projector(self) -> None:
        """Go to the projector theme, or back to what was there."""
        self.choose(self._before_projector if self.choice == "projector" else "projector")

    def step_zoom(self, step: int) -> None:
        """One size larger or smaller; 0 is the ordinary one."""
        at = theme.ZOOMS.index(self.zoom) + step if step else theme.ZOOMS.index(100)
        self.zoom = theme.ZOOMS[min(max(at, 0), len(theme.ZOOMS) - 1)]
        self._settings.put("view/zoom", self.zoom)
