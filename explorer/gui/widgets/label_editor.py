"""A line to type a token label or a number in place."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from explorer.gui.widgets.undo_keys import belongs_to_window

_CLOSING = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class _Line(QLineEdit):
    """Enter, Tab and leaving keep what was typed; Esc gives it up."""

    def __init__(self, parent: QWidget, owner: QWidget, text: str, done: Callable[[str], None]) -> None:
        super().__init__(text, parent)
        self._owner = owner
        self._done: Callable[[str], None] | None = done
        self.setAcceptDrops(False)
        self.selectAll()

    def finish(self, *, is_kept: bool) -> None:
        """Close once, and hand back what was typed if it is kept and differs from what was there."""
        done, self._done = self._done, None
        if done is None:
            return
        # The owner gets the focus first: hiding a focused line would send it on to whatever comes next.
        if self.hasFocus():
            self._owner.setFocus()
        self.hide()
        self.deleteLater()
        if is_kept and self.isModified():
            done(self.text())

    def event(self, event: QEvent) -> bool:
        if belongs_to_window(self, event):
            event.ignore()
            return True
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in _CLOSING:
            event.accept()
            self.finish(is_kept=event.key() != Qt.Key.Key_Escape)
            return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.finish(is_kept=True)


class LabelEditor(QObject):
    """Opens a line over a label and hands back what was typed."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner

    def commit(self) -> None:
        """Finish an open line as Enter would."""
        for line in self._owner.findChildren(_Line):
            line.finish(is_kept=True)

    def open(
        self, place: QWidget, rect: QRect, text: str, done: Callable[[str], None],
        *, keeps_text: bool = False, name: str = "label_editor",
    ) -> None:  # fmt: skip
        """Edit ``text`` over ``rect`` of ``place``; the owner has the focus again afterwards.

        ``keeps_text`` leaves the text unselected, as when it is the first key that was typed.
        """
        line = _Line(place, self._owner, text, done)
        line.setObjectName(name)
        line.setAccessibleName("token label" if name == "label_editor" else "score")
        if keeps_text:
            line.deselect()
            line.setModified(True)
        line.setGeometry(rect.adjusted(0, 0, max(0, 60 - rect.width()), 0))
        line.show()
        line.setFocus()
