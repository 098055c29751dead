"""A line to type a token label or a number in place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget


class _Line(QLineEdit):
    """Enter commits, Esc and leaving give up."""

    def __init__(self, parent: QWidget, owner: QWidget, text: str, done: Callable[[str], None]) -> None:
        super().__init__(text, parent)
        self.setObjectName("label_editor")
        self.setAccessibleName("token label")
        self._owner = owner
        self._done = done
        self.setAcceptDrops(False)
        self.selectAll()

    def _close(self) -> None:
        # The owner gets the focus first: hiding a focused line would send it on to whatever comes next.
        if self.hasFocus():
            self._owner.setFocus()
        self.hide()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._close()
            self._done(self.text())
        else:
            super().keyPressEvent(event)
            return
        event.accept()

    def focusOutEvent(self, event: object) -> None:
        super().focusOutEvent(event)
        self.hide()
        self.deleteLater()


class LabelEditor(QObject):
    """Opens a line over a label and hands back what was typed."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner

    def open(
        self, place: QWidget, rect: QRect, text: str, done: Callable[[str], None],
        *, keeps_text: bool = False, name: str = "label_editor",
    ) -> None:  # fmt: skip
        """Edit ``text`` over ``rect`` of ``place``; the owner has the focus again afterwards.

        ``keeps_text`` leaves the text unselected, as when it is the first key that was typed.
        """

        line = _Line(place, self._owner, text, done)
        line.setObjectName(name)
        if keeps_text:
            line.deselect()
        line.setGeometry(rect.adjusted(0, 0, max(0, 60 - rect.width()), 0))
        line.show()
        line.setFocus()
