"""A grid under its name and shape."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from explorer.core.matrices import NAMES
from explorer.gui.grid.grid import Grid
from explorer.gui.grid.model import Axes
from explorer.gui.grid.pasted import Waiting
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.answer_strip import AnswerStrip, Choice
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.state.document import Snapshot

AXES = {
    "x": Axes("query", "", "query"), "memory": Axes("key", "", "key"),
    "w_q": Axes("", "", "query"), "w_k": Axes("", "", "key"), "w_v": Axes("", "", "value"),
    "q": Axes("query", "", "query"), "k": Axes("key", "", "key"),
    "scores": Axes("query", "key", "query"), "weights": Axes("query", "key", "query"),
    "v": Axes("value", "", "value"), "bias": Axes("query", "key", "query"),
}  # fmt: skip
_TITLES = {"bias": "bias B"}
_WORDS = {
    "x": "tokens", "memory": "other tokens", "w_q": "to queries", "w_k": "to keys", "w_v": "to values",
    "q": "queries", "k": "keys", "v": "values", "scores": "queries × keys", "weights": "queries × keys",
    "bias": "queries × keys",
}  # fmt: skip


class Block(QWidget):
    """Shows one matrix with what it is; hidden where the document has none."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.grid = Grid(name, AXES[name], has_infinite=name in ("scores", "bias"))
        self.strip = AnswerStrip()
        self.strip.answered.connect(self.grid.pasting.answer)
        self.strip.dropped.connect(self.grid.pasting.drop)
        self.grid.pasting.changed.connect(self._show_waiting)
        self.grid.pasting.entered.connect(self.strip.enter)
        self._bar = QFrame()
        self._bar.setFixedWidth(4)
        self._title, self._words = QLabel(), ElidedLabel()
        self._words.setProperty("quiet", True)
        self.head = QHBoxLayout()
        self.head.setContentsMargins(2, 0, 0, 0)
        self.head.addWidget(self._bar)
        self.head.setSpacing(8)
        self.head.addWidget(self._title)
        self.head.addWidget(self._words, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3, 0, 3, 6)
        layout.setSpacing(4)
        layout.addLayout(self.head)
        layout.addWidget(self.strip)
        layout.addWidget(self.grid)
        self._style: Style | None = None
        self._has_focus = False
        QApplication.instance().focusChanged.connect(self._follow_focus)

    def _follow_focus(self, _old: QWidget | None, now: QWidget | None) -> None:
        """Frame the grid while it, or an editor in it, has the focus."""
        has_focus = now is not None and (now is self.grid or self.grid.isAncestorOf(now))
        if has_focus != self._has_focus:
            self._has_focus = has_focus
            self.update()

    def _show_waiting(self, waiting: Waiting | None) -> None:
        """Ask for what a paste needs, beside the grid it was made for; the keyboard goes back into the grid."""
        if self.strip.isAncestorOf(QApplication.focusWidget()):
            self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
        if waiting is None:
            self.strip.clear()
        elif waiting.proposal is not None:
            answer = waiting.answers[0]
            self.strip.ask("", [Choice("btn_repair", answer.text, answer.words)])
        else:
            choices = [Choice(f"btn_answer_{at}", a.text, a.words) for at, a in enumerate(waiting.answers, start=1)]
            self.strip.ask(waiting.message, choices)
        self._show_shape()

    def _show_shape(self) -> None:
        matrix = self.grid.matrix
        if matrix is None:
            return
        size = f"{matrix.shape[0]} × {matrix.shape[1]}"
        is_waiting = self.grid.pasting.waiting is not None and self.grid.pasting.waiting.proposal is not None
        words = "pasted, not taken yet" if is_waiting else _WORDS[self.name]
        self._words.show_text(f"{size} {words}", size)
        self.grid.setAccessibleName(f"{NAMES[self.name]} ({size.replace('×', 'x')}), {words}")

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._has_focus and self._style is not None:
            painter = QPainter(self)
            painter.setPen(self._style.pen("ink", 2))
            painter.drawRect(self.grid.geometry().adjusted(-2, -2, 1, 1))

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Show this matrix, or nothing where the source has none."""
        matrix = snapshot.document.matrix(self.name)
        self.setVisible(matrix is not None)
        if matrix is None:
            self.grid.pasting.follow(snapshot)
            self.grid.marks.clear()  # the matrix is not shown any more
            return
        self._style = style
        role = AXES[self.name].role
        name, _, index = _TITLES.get(self.name, NAMES[self.name]).partition("_")
        sheet = f"background: {style.colour(role).name()}; border-radius: 2px;"
        if self._bar.styleSheet() != sheet:
            self._bar.setStyleSheet(sheet)
        self._title.setText(f"<b>{name}<sub>{index}</sub></b>")
        self.grid.display(snapshot, style)
        self._show_shape()
