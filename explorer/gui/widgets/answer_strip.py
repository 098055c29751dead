"""A question asked in place, with a button for each answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

MOST = 8


@dataclass(frozen=True)
class Choice:
    """A button by its name, its text, and the words below it."""

    name: str
    text: str
    words: str = ""


class AnswerButton(QPushButton):
    """A button that shortens its text rather than widens what it is in; ``whole`` is all of it."""

    def __init__(self, choice: Choice, question: str) -> None:
        self.whole = choice.text
        self._whole = choice.text.replace("&", "&&")
        super().__init__(self._whole)
        self.setObjectName(choice.name)
        self.setAccessibleName(": ".join(filter(None, (question, choice.text, choice.words))))
        self.setToolTip(f"{choice.text}: {choice.words}" if choice.words else choice.text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def _room_for(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text)

    def sizeHint(self) -> QSize:
        """As wide as the whole text needs, whatever is shown of it."""
        hint = super().sizeHint()
        return hint + QSize(self._room_for(self._whole) - self._room_for(self.text()), 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A text is wider than its whole pixels, and must not be cut for that.
        room = self.width() - self.sizeHint().width() + self._room_for(self._whole) + 2
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room))


def _words() -> QLabel:
    """A quiet label that wraps and takes the width it is given."""
    label = QLabel()
    label.setProperty("quiet", True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    label.setSizePolicy(policy)
    return label


class AnswerStrip(QFrame):
    """Hidden until something is asked; ``answered`` carries the position of the answer, ``dropped`` that there is none.

    Tab goes from answer to answer, Enter or Space gives one, Esc drops the question.
    """

    answered = Signal(int)
    dropped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("answer_strip")
        self._message = _words()
        self._cross = QToolButton()
        self._cross.setObjectName("btn_drop")
        self._cross.setText("×")
        self._cross.setProperty("flat", True)
        self._cross.setAccessibleName("drop the paste")
        self._cross.setToolTip("Drop the paste (Esc)")
        self._cross.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._cross.clicked.connect(self.dropped)
        self._layout = QGridLayout(self)
        self._layout.setContentsMargins(2, 0, 0, 2)
        self._layout.setHorizontalSpacing(6)
        self._layout.setVerticalSpacing(2)
        self._layout.setColumnStretch(0, 1)
        self._buttons: list[QPushButton] = []
        self._widgets: list[QWidget] = []
        self.hide()

    def ask(self, message: str, choices: Sequence[Choice]) -> None:
        """Ask in place of what was asked before; without a message the answers speak for themselves."""
        self.clear()
        more = f" (the first {MOST} of {len(choices)} ways)" if len(choices) > MOST else ""
        self._message.setText(message + more)
        self._message.setVisible(bool(message))
        if message:
            self._layout.addWidget(self._message, 0, 0)
        self._layout.addWidget(self._cross, 0, 1, Qt.AlignmentFlag.AlignTop)
        for at, choice in enumerate(choices[:MOST]):
            self._add(at, choice, 2 * at + bool(message))
        self.setAccessibleName(message or "paste")
        for before, after in pairwise([*self._buttons, self._cross]):
            self.setTabOrder(before, after)
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _add(self, at: int, choice: Choice, line: int) -> None:
        button, words = AnswerButton(choice, self._message.text()), _words()
        button.clicked.connect(lambda: self.answered.emit(at))
        words.setText(choice.words)
        beside_cross = 1 if line == 0 else 2
        self._layout.addWidget(button, line, 0, 1, beside_cross, Qt.AlignmentFlag.AlignLeft)
        self._layout.addWidget(words, line + 1, 0, 1, 2)
        self._buttons.append(button)
        self._widgets += [button, words]

    def clear(self) -> None:
        """Ask nothing any more."""
        self.hide()
        for widget in self._widgets:
            self._layout.removeWidget(widget)
            widget.setParent(None)
            widget.deleteLater()
        self._widgets.clear()
        self._buttons.clear()

    def enter(self) -> None:
        """Bring the keyboard to the first answer."""
        if self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape:
            self.dropped.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QPushButton | QToolButton):
            focused.click()
        else:
            super().keyPressEvent(event)
