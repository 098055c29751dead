"""The softcap's part of the dial strip."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from explorer.gui.mask_dials import quiet_label
from explorer.gui.widgets.number_box import NumberBox
from explorer.state import bias
from explorer.state.document import Snapshot


class SoftcapDial(QWidget):
    """A box for the softcap, 0 for none."""

    requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.box = NumberBox("softcap_box", "softcap, 0 for none", width=3, check=bias.check_softcap)
        self.box.entered.connect(self._enter)
        self.setToolTip("Softcap: x becomes c tanh(x / c), after the scale and before the bias; 0 switches it off")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(quiet_label("Cap"))
        layout.addWidget(self.box)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def _enter(self, value: float) -> None:
        self.requested.emit(bias.set_softcap(value))
        if value:
            self.requested.emit(bias.SHOW_IT)

    def display(self, snapshot: Snapshot) -> None:
        """Show the softcap of a snapshot."""
        self.box.show_value(snapshot.problem.softcap)
