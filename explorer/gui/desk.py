"""What commands may use of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QMainWindow, QWidget

from explorer.gui.appearance import Appearance
from explorer.gui.dials import Dials
from explorer.gui.docks import DockGround
from explorer.gui.files import Files
from explorer.gui.messages import MessageBar
from explorer.gui.opening import Opening
from explorer.gui.reporting import Reporter
from explorer.gui.settings import Settings
from explorer.state.edits import Edit, Look
from explorer.state.store import Store


class Desk(QMainWindow):
    """A window with a store, files, panels and dials."""

    store: Store
    settings: Settings
    appearance: Appearance
    ground: DockGround
    dials: Dials
    files: Files
    opening: Opening
    reporter: Reporter
    message_bar: MessageBar
    top_bar: QWidget

    def request(self, wanted: Edit | Look) -> None:
        """Carry out what is asked for."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Show what has changed at once."""
        raise NotImplementedError

    def restyle(self) -> None:
        """Put theme and size on again."""
        raise NotImplementedError

    def choose_theme(self, choice: str) -> None:
        """Choose a theme."""
        raise NotImplementedError
