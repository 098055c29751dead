"""A line of text that is shortened where it does not fit."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ElidedLabel(QLabel):
    """Takes the width it is given; the whole text is in the tooltip."""

    def __init__(self, least: float = 0.0) -> None:
        """``least`` is the part of the text that must fit for it to be shown at all."""
        super().__init__()
        self._least = least
        self.whole = ""
        self._short = ""
        self._shown = ("", -1, -1)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str, short: str = "") -> None:
        """Show a text, or its short form where it does not fit, or else shortened at its end."""
        self._short = short
        looks = (text, self.width(), self.fontMetrics().height())
        if looks == self._shown:
            return
        self._shown = looks
        self.whole = text
        fits = self.fontMetrics().horizontalAdvance(text) <= self.width()
        wanted = text if fits or not short else short
        shown = self.fontMetrics().elidedText(wanted, Qt.TextElideMode.ElideRight, max(self.width(), 20))
        if len(shown) < self._least * len(wanted):
            shown = ""
        self.setText(shown)
        self.setToolTip(text if shown != text else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.show_text(self.whole, self._short)
