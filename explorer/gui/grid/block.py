"""A grid under its name and shape."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from explorer.core.matrices import NAMES
from explorer.gui.grid.grid import Grid
from explorer.gui.grid.model import Axes
from explorer.gui.pictures.style import Style
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
            self.grid.marks.clear()  # the matrix is not shown any more
            return
        self._style = style
        role = AXES[self.name].role
        name, _, index = _TITLES.get(self.name, NAMES[self.name]).partition("_")
        sheet = f"background: {style.colour(role).name()}; border-radius: 2px;"
        if self._bar.styleSheet() != sheet:
            self._bar.setStyleSheet(sheet)
        self._title.setText(f"<b>{name}<sub>{index}</sub></b>")
        size = f"{matrix.shape[0]} × {matrix.shape[1]}"
        self._words.show_text(f"{size} {_WORDS[self.name]}", size)
        shape = f"{NAMES[self.name]} ({matrix.shape[0]} x {matrix.shape[1]})"
        self.grid.setAccessibleName(f"{shape}, {_WORDS[self.name]}")
        self.grid.display(snapshot, style)
