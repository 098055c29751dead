"""Questions that can wait: a line above the message line with two answers, never in the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleEvent, QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from explorer.gui.widgets.elided_label import ElidedLabel


class Choice(NamedTuple):
    """An answer: the object name of its button, what stands on it, and what it does."""

    name: str
    text: str
    act: Callable[[], object]


class Offer(NamedTuple):
    """Something to be answered when the person likes; ``id`` tells it from the others that wait."""

    id: str
    text: str
    choices: tuple[Choice, Choice]


class OfferLine(QFrame):
    """Shows the first of the offers that wait, and is hidden when there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("offer_line")
        self.setAccessibleName("offer")
        self._waiting: dict[str, Offer] = {}
        self._text = ElidedLabel()
        self._text.setObjectName("offer_text")
        font = QFont(self._text.font())
        font.setBold(True)
        self._text.setFont(font)
        self._buttons = (_button(), _button())
        for at, button in enumerate(self._buttons):
            button.clicked.connect(lambda _on, at=at: self._answer(at))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 3)
        layout.addWidget(self._text, 1)
        for button in self._buttons:
            layout.addWidget(button)
        self.hide()

    @property
    def shown(self) -> Offer | None:
        """The offer that is shown."""
        return next(iter(self._waiting.values()), None)

    def put(self, offer: Offer) -> None:
        """Show an offer, after those that wait already; one of the same id takes the old one's place."""
        self._waiting[offer.id] = offer
        self._show()

    def withdraw(self, offer_id: str) -> None:
        """Take an offer back that is settled in another way."""
        if self._waiting.pop(offer_id, None) is not None:
            self._show()

    def _answer(self, at: int) -> None:
        offer = self.shown
        if offer is not None:
            self.withdraw(offer.id)
            offer.choices[at].act()

    def _show(self) -> None:
        offer = self.shown
        if offer is None:
            self.hide()
            return
        self._text.show_text(offer.text)
        self.setAccessibleDescription(offer.text)
        for button, choice in zip(self._buttons, offer.choices, strict=True):
            button.setObjectName(choice.name)
            button.setText(choice.text)
            button.setAccessibleName(choice.text.replace("&", ""))
            button.setAccessibleDescription(offer.text)
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))


def _button() -> QPushButton:
    button = QPushButton()
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoDefault(False)
    return button
