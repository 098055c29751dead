"""A box for any number."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from explorer.core.rounding import typeset_minus
from explorer.errors import ExplorerError
from explorer.gui.grid import full_text, read_number


class NumberBox(QLineEdit):
    """A line for a number as cells take them; ``entered`` carries the value, ``refused`` the error.

    ``check`` raises the error of a number that cannot stand here.
    """

    entered = Signal(float)
    refused = Signal(object)

    def __init__(
        self, name: str, title: str, *, has_infinite: bool = False, width: int = 6,
        check: Callable[[float], object] = lambda value: None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._has_infinite = has_infinite
        self._check = check
        self._title = title
        self._shown = ""
        self._width = width
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.editingFinished.connect(self.commit)

    def show_value(self, value: float) -> None:
        """Show a number, unless somebody is typing."""
        self._shown = typeset_minus(full_text(value))
        self.setFixedWidth(self.fontMetrics().horizontalAdvance("0" * self._width) + 18)
        is_typing = self.hasFocus() and self.isModified()
        if not is_typing and (self.text() != self._shown or self.is_bad or self.hasFocus()):
            self._restore()

    def _restore(self) -> None:
        self.setText(self._shown)
        self._mark(is_bad=False)
        if self.hasFocus():
            self.selectAll()  # what is typed next replaces the number
        else:
            self.setCursorPosition(0)

    def _mark(self, *, is_bad: bool) -> None:
        if self.is_bad != is_bad:
            self.setProperty("bad", is_bad)
            self.style().polish(self)

    @property
    def is_bad(self) -> bool:
        """Whether what stands here could not be taken."""
        return bool(self.property("bad"))

    def commit(self) -> None:
        """Take what was typed, as Enter does."""
        if not self.isModified():
            return
        self.setModified(False)
        try:
            value, _ = read_number(self.text(), self._title, allow_infinite=self._has_infinite)
            self._check(value)
        except ExplorerError as error:
            self._mark(is_bad=True)
            self.refused.emit(error)
            return
        self._mark(is_bad=False)
        self.entered.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._restore()
            self.refused.emit(None)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() == Qt.FocusReason.MouseFocusReason:
            QTimer.singleShot(0, self, self.selectAll)  # the press itself still sets the cursor
        elif event.reason() not in (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason):
            self.selectAll()  # what is typed replaces the number


def connect_refusals(boxes: Sequence[NumberBox], slot: Callable[[object], None]) -> None:
    """Send what boxes refuse to one place."""
    for box in boxes:
        box.refused.connect(slot)
