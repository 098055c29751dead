"""The grid of the bias with what fills it and takes it away."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from explorer.core.matrices import Matrix
from explorer.gui.grid.block import Block
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.flow_layout import FlowLayout
from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.stop_slider import CalmDials
from explorer.state import bias
from explorer.state.document import Snapshot

_FIRST_SLOPE = 0.5  # of eight heads, which have 2^-1 to 2^-8
_UNUSED = "kept, not used: the weights are given"


class BiasBlock(Block):
    """Shows the bias while there is one.

    ``requested`` carries edits, ``refused`` the error of a slope that cannot be, None when that is settled.
    """

    requested = Signal(object)
    refused = Signal(object)

    def __init__(self) -> None:
        super().__init__("bias")
        self._slope = _FIRST_SLOPE
        self._bias: Matrix | None = None
        self.slope_box = NumberBox("alibi_slope", "ALiBi slope", width=4, check=bias.check_slope)
        self._calm = CalmDials(self)
        self._calm.calm(self.slope_box)
        self.slope_box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.slope_box.entered.connect(self._keep)
        self.slope_box.refused.connect(self.refused)
        self.slope_box.returnPressed.connect(self.write_alibi)
        self._set = QPushButton("Set")
        self._set.setObjectName("btn_alibi")
        self._set.setAccessibleName("set the bias from ALiBi")
        self._set.clicked.connect(self.write_alibi)
        self._remove = QToolButton()
        self._remove.setObjectName("btn_remove_bias")
        self._remove.setText("×")
        self._remove.setProperty("flat", True)
        self._remove.setAccessibleName("remove bias B")
        self._remove.setToolTip("Remove the bias B")
        self._remove.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._remove.clicked.connect(lambda: self.requested.emit(bias.remove_bias()))
        # As high as the title beside it, so that the head is no higher than that of other grids.
        self._remove.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        self._unused = QLabel(_UNUSED)
        self._unused.setObjectName("bias_unused")
        self._unused.setProperty("quiet", True)
        self._unused.setWordWrap(True)
        self._unused.setContentsMargins(2, 0, 0, 0)
        self._lay_out()

    def _lay_out(self) -> None:
        self.head.addWidget(self._remove)
        self._tools = QWidget()
        self._tools.setToolTip("ALiBi: B = −slope × |i − j|, less for keys farther away")
        line = FlowLayout(self._tools, gap=4, line_gap=4)
        line.setContentsMargins(2, 2, 0, 0)
        words = QLabel("ALiBi slope")
        words.setProperty("quiet", True)
        for widget in (words, self.slope_box, self._set):
            line.addWidget(widget)
        self.layout().addWidget(self._tools)
        self.layout().addWidget(self._unused)
        for before, after in ((self.grid, self.slope_box), (self.slope_box, self._set), (self._set, self._remove)):
            self.setTabOrder(before, after)

    def _keep(self, slope: float) -> None:
        self._slope = slope
        self.slope_box.show_value(slope)
        self.refused.emit(None)

    def write_alibi(self) -> None:
        """Fill the bias with -slope * |i - j|."""
        self.slope_box.commit()
        if not self.slope_box.is_bad:
            self.requested.emit(bias.set_alibi(self._slope))
            self.requested.emit(bias.SHOW_IT)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        super().display(snapshot, style)
        is_used = snapshot.problem.source.kind != "weights"
        for widget in (self.grid, self._tools, self._remove):
            widget.setVisible(is_used)
        self._unused.setVisible(not is_used)
        self._follow_slope(snapshot)

    def _follow_slope(self, snapshot: Snapshot) -> None:
        """Show the slope of the bias that is there, else what was typed last into this document."""
        if snapshot.problem.bias is not self._bias:
            self._bias = snapshot.problem.bias
            is_opened = snapshot.before is None
            self._slope = bias.slope_of(snapshot.document) or (_FIRST_SLOPE if is_opened else self._slope)
        self.slope_box.show_value(self._slope)
