"""Input that comes faster than the screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractScrollArea

_INPUT = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)


class Fresh(QObject):
    """Brings watched views up to date before they handle a key or a press, so that none acts on what was before."""

    def __init__(self, parent: QObject, bring_up_to_date: Callable[[], None]) -> None:
        super().__init__(parent)
        self._bring_up_to_date = bring_up_to_date

    def watch(self, view: QAbstractScrollArea) -> None:
        """Watch a grid or a picture."""
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in _INPUT:
            self._bring_up_to_date()
        return False
