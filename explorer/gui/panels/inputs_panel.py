"""Where the numbers are typed in."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget

from explorer.gui.grid.bias_block import BiasBlock
from explorer.gui.grid.block import AXES, Block
from explorer.gui.panels.panel import Panel
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.segmented import Segmented
from explorer.state import bias, edits, resizing, sources
from explorer.state.document import Snapshot

_SOURCES = (("projection", "X·W"), ("qkv", "Q K V"), ("scores", "Scores"), ("weights", "Weights"))


class InputsPanel(Panel):
    """Grids for the source's matrices, and the choice of the source."""

    ID = "inputs"
    TITLE = "Inputs"

    def __init__(self) -> None:
        super().__init__()
        self._source = Segmented("source", "source", _SOURCES)
        self._source.chosen.connect(lambda kind: self.requested.emit(sources.change_source(kind)))
        self._bias = BiasBlock()
        self._bias.requested.connect(self.requested)
        self._bias.refused.connect(self.refused)
        self._blocks = [*(Block(name) for name in AXES if name != "bias"), self._bias]
        self._add_values = QPushButton("Add values V")
        self._add_values.setObjectName("btn_add_values")
        self._add_values.setAccessibleName("add values V")
        self._add_values.clicked.connect(lambda: self.requested.emit(resizing.add_values()))
        self._add_bias = QPushButton("Add bias B")
        self._add_bias.setObjectName("btn_add_bias")
        self._add_bias.setAccessibleName("add bias B")
        self._add_bias.setToolTip("Add a matrix B to the scaled scores: softmax(QKᵀ / scale + B)")
        self._add_bias.clicked.connect(self._give_bias)
        self._lay_out()
        self._snapshot: Snapshot | None = None
        for block in self._blocks:
            block.grid.requested.connect(self.requested)
            block.grid.refused.connect(self.refused)
            block.grid.pasting.told.connect(self.told)
            block.grid.pasting.changed.connect(lambda waiting, block=block: self._keep_one(block, waiting))
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
        self._adding = QWidget()
        line = FlowLayout(self._adding, gap=6)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self._add_values)
        line.addWidget(self._add_bias)
        column.addWidget(self._adding)
        column.addStretch(1)
        self._scroll = scroll = QScrollArea()
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
        is_new = snapshot.before is not None and self._bias.isHidden() and snapshot.problem.bias is not None
        is_asked_here = self._add_bias.hasFocus()
        self._show_buttons(snapshot)
        for block in self._blocks:
            block.display(snapshot, style)
        if is_new:
            self._go_to_bias(snapshot, is_asked_here)
        self._snapshot = snapshot

    def _keep_one(self, block: Block, waiting: object) -> None:
        """One paste waits at a time, where it can be seen."""
        if waiting is None:
            return
        for other in self._blocks:
            if other is not block:
                other.grid.pasting.drop()
        # How high the block is now is known only after the layout.
        QTimer.singleShot(0, block, lambda: self._bring_into_sight(block))

    def _bring_into_sight(self, block: Block) -> None:
        """Scroll to as much of a block as there is room for, its question first."""
        for widget in (block, block.strip):
            self._scroll.ensureWidgetVisible(widget, 0, 0)

    def _go_to_bias(self, snapshot: Snapshot, takes_focus: bool) -> None:
        """Bring a new bias into sight, its cursor on the chosen cell, with the keyboard if its button had it."""
        grid = self._bias.grid
        grid.setCurrentIndex(grid.model().index(snapshot.view.query, snapshot.view.key))
        if takes_focus:
            grid.setFocus(Qt.FocusReason.TabFocusReason)
        # Where the new block lies is known only after the layout.
        QTimer.singleShot(0, self, lambda: self._scroll.ensureWidgetVisible(self._bias))

    def _show_buttons(self, snapshot: Snapshot) -> None:
        """Offer what the document lacks; before a block hides, so that the keyboard goes from its cross to a button."""
        problem = snapshot.problem
        lacks_values = all(snapshot.document.matrix(name) is None for name in ("v", "w_v"))
        lacks_bias = problem.bias is None and problem.source.kind != "weights"
        self._add_values.setVisible(lacks_values)
        self._add_bias.setVisible(lacks_bias)
        self._adding.setVisible(lacks_values or lacks_bias)

    def _give_bias(self) -> None:
        self.requested.emit(bias.add_bias())
        self.requested.emit(bias.SHOW_IT)

    def _choose(self, block: Block, row: int, column: int) -> None:
        """The row of a grid that was entered is the chosen query or key."""
        snapshot, axes = self._snapshot, AXES[block.name]
        if snapshot is None or row < 0 or not block.grid.hasFocus():
            return
        wanted = {}
        if axes.row in ("query", "key", "value"):
            wanted["query" if axes.row == "query" else "key"] = row
        if axes.column == "key":
            wanted["key"] = column
        if wanted and any(getattr(snapshot.view, name) != at for name, at in wanted.items()):
            self.requested.emit(edits.look(**wanted))
