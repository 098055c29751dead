"""Where the numbers are typed in."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from explorer.core.problem import NAMES
from explorer.gui.grid import Axes, Grid
from explorer.gui.panels.panel import Panel
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.segmented import Segmented
from explorer.state import edits, resizing, sources
from explorer.state.document import Snapshot

_SOURCES = (("projection", "X·W"), ("qkv", "Q K V"), ("scores", "Scores"), ("weights", "Weights"))
_AXES = {
    "x": Axes("query", "", "query"), "memory": Axes("key", "", "key"),
    "w_q": Axes("", "", "query"), "w_k": Axes("", "", "key"), "w_v": Axes("", "", "value"),
    "q": Axes("query", "", "query"), "k": Axes("key", "", "key"),
    "scores": Axes("query", "key", "query"), "weights": Axes("query", "key", "query"),
    "v": Axes("value", "", "value"),
}  # fmt: skip
_WORDS = {
    "x": "tokens", "memory": "other tokens", "w_q": "to queries", "w_k": "to keys", "w_v": "to values",
    "q": "queries", "k": "keys", "v": "values", "scores": "queries × keys", "weights": "queries × keys",
}  # fmt: skip


class _Block(QWidget):
    """A grid under its name and shape."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.grid = Grid(name, _AXES[name], has_infinite=name == "scores")
        self._bar = QFrame()
        self._bar.setFixedWidth(4)
        self._title, self._words = QLabel(), ElidedLabel()
        self._words.setProperty("quiet", True)
        head = QHBoxLayout()
        head.setContentsMargins(2, 0, 0, 0)
        head.addWidget(self._bar)
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self._words, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(3, 0, 3, 6)
        layout.setSpacing(4)
        layout.addLayout(head)
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
        role = _AXES[self.name].role
        name, _, index = NAMES[self.name].partition("_")
        sheet = f"background: {style.colour(role).name()}; border-radius: 2px;"
        if self._bar.styleSheet() != sheet:
            self._bar.setStyleSheet(sheet)
        self._title.setText(f"<b>{name}<sub>{index}</sub></b>")
        size = f"{matrix.shape[0]} × {matrix.shape[1]}"
        self._words.show_text(f"{size} {_WORDS[self.name]}", size)
        shape = f"{NAMES[self.name]} ({matrix.shape[0]} x {matrix.shape[1]})"
        self.grid.setAccessibleName(f"{shape}, {_WORDS[self.name]}")
        self.grid.display(snapshot, style)


class InputsPanel(Panel):
    """Grids for the source's matrices, and the choice of the source."""

    ID = "inputs"
    TITLE = "Inputs"

    def __init__(self) -> None:
        super().__init__()
        self._source = Segmented("source", "source", _SOURCES)
        self._source.chosen.connect(lambda kind: self.requested.emit(sources.change_source(kind)))
        self._blocks = [_Block(name) for name in _AXES]
        self._add_values = QPushButton("Add values V")
        self._add_values.setObjectName("btn_add_values")
        self._add_values.clicked.connect(lambda: self.requested.emit(resizing.add_values()))
        self._lay_out()
        self._snapshot: Snapshot | None = None
        for block in self._blocks:
            block.grid.requested.connect(self.requested)
            block.grid.refused.connect(self.refused)
            block.grid.pressed.connect(lambda now, block=block: self._choose(block, now.row(), now.column()))
            block.grid.selectionModel().currentChanged.connect(
                lambda now, _old, block=block: self._choose(block, now.row(), now.column())
            )

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(8, 4, 8, 4)
        column.setSpacing(8)
        for block in self._blocks:
            column.addWidget(block)
        column.addWidget(self._add_values, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setMinimumHeight(60)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 2, 2, 6)
        layout.addWidget(self._source)
        layout.addWidget(scroll, 1)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        self._snapshot = None  # choosing a cell below is the snapshot's doing, not a person's
        self._source.show_value(snapshot.problem.source.kind)
        for block in self._blocks:
            block.display(snapshot, style)
        has_values = any(snapshot.document.matrix(name) is not None for name in ("v", "w_v"))
        self._add_values.setVisible(not has_values)
        self._snapshot = snapshot

    def _choose(self, block: _Block, row: int, column: int) -> None:
        """The row of a grid that was entered is the chosen query or key."""
        snapshot, axes = self._snapshot, _AXES[block.name]
        if snapshot is None or row < 0 or not block.grid.hasFocus():
            return
        wanted = {}
        if axes.row in ("query", "key", "value"):
            wanted["query" if axes.row == "query" else "key"] = row
        if axes.column == "key":
            wanted["key"] = column
        if wanted and any(getattr(snapshot.view, name) != at for name, at in wanted.items()):
            self.requested.emit(edits.look(**wanted))
