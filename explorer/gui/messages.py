"""The message bar: what happened, in one line, without taking the focus, and above it what is offered."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout

from explorer.gui.offers import OfferLine
from explorer.gui.widgets.elided_label import ElidedLabel


class MessageBar(QFrame):
    """A line of text at the left, a hint at the right; ``details_asked`` when the person wants to know more."""

    details_asked = Signal()
    save_as_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("message_bar")
        self.setAccessibleName("message")
        self.offers = OfferLine()
        self._text, self._hint = ElidedLabel(), QLabel()
        self._text.setObjectName("message_text")
        self._hint.setProperty("quiet", True)
        self._hint.setTextFormat(Qt.TextFormat.PlainText)
        self._save_as = _button("btn_save_as", "Save as…")
        self._save_as.clicked.connect(self.save_as_asked)
        self._details = _button("btn_details", "Details…")
        self._details.clicked.connect(self.details_asked)
        column, line = QVBoxLayout(self), QHBoxLayout()
        column.setContentsMargins(12, 3, 12, 3)
        column.setSpacing(0)
        column.addWidget(self.offers)
        column.addLayout(line)
        line.addWidget(self._text, 1)
        line.addWidget(self._save_as)
        line.addWidget(self._details)
        line.addWidget(self._hint)

    @property
    def text(self) -> str:
        """What the line says, whole."""
        return self._text.whole

    @property
    def is_error(self) -> bool:
        """Whether the line tells of something that did not work."""
        return self.property("kind") == "error"

    def say(self, text: str, hint: str = "") -> None:
        """Tell what was done."""
        self._put(text, hint, "", has_details=False)

    def complain(self, text: str, *, has_details: bool = False) -> None:
        """Tell what did not work."""
        self._put(text, "", "error", has_details=has_details)

    def offer_save_as(self) -> None:
        """Add the way out of a saving that did not work to what was just told of it."""
        self._save_as.show()

    def _put(self, text: str, hint: str, kind: str, *, has_details: bool) -> None:
        self._hint.setText(hint)
        self._details.setVisible(has_details)
        self._save_as.hide()
        self.setAccessibleDescription(text)
        if self.property("kind") != kind:
            self.setProperty("kind", kind)
            for widget in (self, self._text):
                widget.style().polish(widget)
        self._text.show_text(text)
        if kind:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def minimumSizeHint(self) -> QSize:
        return QSize(100, self.sizeHint().height())


def _button(name: str, text: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.hide()
    return button
