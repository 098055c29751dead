"""The strip of dials at the bottom of the window."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QSpinBox, QToolButton, QWidget

from explorer.core.rounding import shown, typeset_minus
from explorer.errors import ExplorerError
from explorer.gui.mask_dials import MaskDials, quiet_label
from explorer.gui.softcap_dial import SoftcapDial
from explorer.gui.widgets.flow_layout import FlowLayout, group
from explorer.gui.widgets.number_box import NumberBox, connect_refusals
from explorer.gui.widgets.stop_slider import BETA_STOPS, SHIFT_STOPS, CalmDials, StopSlider
from explorer.state import edits
from explorer.state.document import MOST_DECIMALS, Snapshot

_WIDEST_TEMPERATURES = ("T = 0: limit", "T = 100.00")


class Dials(QWidget):
    """Mask, beta, scale, softcap, shift, decimals and variant; shows the snapshot's and asks for others."""

    requested = Signal(object)
    refused = Signal(object)
    painting = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("dials")
        self._snapshot: Snapshot | None = None
        self._calm = CalmDials(self)
        self._mask = MaskDials(self._calm)
        self._mask.requested.connect(self.requested)
        self._mask.painting.connect(self.painting)
        self._softcap = SoftcapDial()
        self._softcap.requested.connect(self.requested)
        layout = FlowLayout(self, gap=8)
        layout.setContentsMargins(9, 7, 9, 7)
        self._value_groups = [self._beta_group(), self._scale_group(), self._softcap, self._shift_group()]
        for part in (*self._mask.parts, *self._value_groups, self._decimals_group(), self._variant_group()):
            layout.addWidget(part)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        boxes = (self._beta_box, self._scale_box, self._softcap.box, self._shift_box)
        for box in boxes:
            self._calm.calm(box)
        connect_refusals(boxes, self.refused.emit)

    def _beta_group(self) -> QWidget:
        self._beta = StopSlider("beta", "beta, the inverse temperature", BETA_STOPS)
        self._beta.moved.connect(lambda value, drag: self.requested.emit(edits.set_beta(value, drag)))
        self._beta_box = NumberBox("beta_box", "beta", has_infinite=True, width=4)
        self._beta_box.entered.connect(lambda value: self.requested.emit(edits.set_beta(value)))
        self._temperature = quiet_label("")
        self._beta_buttons = {}
        for name, text, value, title in (
            ("btn_beta_zero", "0", 0.0, "beta 0: uniform"),
            ("btn_beta_one", "1", 1.0, "beta 1"),
            ("btn_limit", "∞", math.inf, "the limit, beta infinite: argmax"),
        ):
            button = QToolButton()
            button.setObjectName(name)
            button.setText(text)
            button.setAccessibleName(title)
            button.setToolTip(title)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _on, value=value: self._set_beta(value))
            self._beta_buttons[value] = button
        self._calm.calm(self._beta)
        return group(
            _bold("β"), *self._beta_buttons.values(), self._beta, self._beta_box, self._temperature, is_elastic=True
        )

    def _set_beta(self, value: float) -> None:
        self.requested.emit(edits.set_beta(value))
        if self._snapshot is not None:
            self._show_beta(self._snapshot)  # a second press must not lift the button

    def _scale_group(self) -> QWidget:
        self._scale = QComboBox()
        self._scale.setObjectName("scale")
        self._scale.setAccessibleName("scale, the divisor of the scores")
        for text, choice in (("√dₖ", "sqrt_dk"), ("none", "none"), ("custom", "custom")):
            self._scale.addItem(text, choice)
        self._scale.activated.connect(self._choose_scale)
        self._scale_box = NumberBox("scale_box", "scale", width=5, check=edits.check_scale)
        self._scale_box.entered.connect(lambda value: self.requested.emit(edits.set_scale(value)))
        self._scale_box.editingFinished.connect(self._settle_scale)
        self._calm.calm(self._scale)
        return group(quiet_label("Scale ÷"), self._scale, self._scale_box)

    def _settle_scale(self) -> None:
        """Put the box away where "custom" was chosen and nothing else typed."""
        if self._snapshot is not None and not self._scale_box.is_bad:
            self._show_scale(self._snapshot)

    def _choose_scale(self, _at: int) -> None:
        choice, snapshot = self._scale.currentData(), self._snapshot
        if snapshot is None:
            return
        if choice == "custom":
            self._scale_box.setVisible(True)
            self._scale_box.setFocus(Qt.FocusReason.TabFocusReason)
            return
        if choice == "sqrt_dk" and snapshot.problem.d_k is None:
            self.refused.emit(ExplorerError("typed scores have no d_k, so no √dₖ", "choose custom and type a number"))
            self._show_scale(snapshot)
            return
        self.requested.emit(edits.set_scale("sqrt_dk" if choice == "sqrt_dk" else 1.0))

    def _shift_group(self) -> QWidget:
        self._shift = StopSlider("shift", "shift, added to all scores", SHIFT_STOPS)
        self._shift.moved.connect(lambda value, drag: self.requested.emit(edits.set_shift(value, drag)))
        self._shift_box = NumberBox("shift_box", "shift", width=3)
        self._shift_box.entered.connect(lambda value: self.requested.emit(edits.set_shift(value)))
        self._calm.calm(self._shift)
        self._shift.setFixedWidth(48)
        return group(quiet_label("Shift"), self._shift, self._shift_box)

    def _decimals_group(self) -> QWidget:
        self._decimals = QSpinBox()
        self._decimals.setObjectName("decimals")
        self._decimals.setAccessibleName("decimals shown")
        self._decimals.setRange(0, MOST_DECIMALS)
        self._decimals.valueChanged.connect(self._set_decimals)
        self._calm.calm(self._decimals)
        self._decimals.setAlignment(Qt.AlignmentFlag.AlignRight)
        return group(quiet_label("Decimals"), self._decimals)

    def _set_decimals(self, value: int) -> None:
        if self._snapshot is not None and value != self._snapshot.view.decimals:
            self.requested.emit(edits.look(decimals=value))

    def _variant_group(self) -> QWidget:
        self._variant = QComboBox()
        self._variant.setObjectName("variant")
        self._variant.setAccessibleName("variant of the example")
        self._variant.setPlaceholderText("own values")
        self._variant.activated.connect(self._choose_variant)
        self._calm.calm(self._variant)
        self._variant_part = group(quiet_label("Variant"), self._variant)
        return self._variant_part

    def _choose_variant(self, at: int) -> None:
        if self._snapshot is not None:
            self.requested.emit(edits.use_variant(self._snapshot.document.variants[at]))

    def display(self, snapshot: Snapshot) -> None:
        """Show the dials of a snapshot."""
        self._snapshot = snapshot
        problem = snapshot.problem
        self._mask.display(snapshot)
        self._show_beta(snapshot)
        self._show_scale(snapshot)
        self._softcap.display(snapshot)
        self._shift.show_value(problem.shift)
        self._shift_box.show_value(problem.shift)
        width = self._decimals.fontMetrics().horizontalAdvance("00") + 34
        if self._decimals.width() != width:
            self._decimals.setFixedWidth(width)
        self._decimals.setValue(snapshot.view.decimals)
        self._show_variants(snapshot)
        for part in self._value_groups:
            part.setEnabled(problem.source.kind != "weights")

    def _show_beta(self, snapshot: Snapshot) -> None:
        beta = snapshot.problem.beta
        for value, button in self._beta_buttons.items():
            button.setChecked(beta == value)
        self._beta.show_value(beta)
        self._beta_box.show_value(beta)
        metrics = self._temperature.fontMetrics()
        said = temperature_text(beta)
        # One width for all usual texts: the slider must not move under the hand that drags it.
        self._temperature.setFixedWidth(max(map(metrics.horizontalAdvance, (*_WIDEST_TEMPERATURES, said))))
        self._temperature.setText(said)

    def _show_scale(self, snapshot: Snapshot) -> None:
        problem = snapshot.problem
        root = "√dₖ" if problem.d_k is None else f"√dₖ = {shown(math.sqrt(problem.d_k), 3)}"
        self._scale.setItemText(0, root)
        choice = "sqrt_dk" if problem.scale == "sqrt_dk" else "none" if problem.divisor == 1 else "custom"
        self._scale.setCurrentIndex(self._scale.findData(choice))
        self._scale_box.setVisible(choice == "custom")
        self._scale_box.show_value(problem.divisor)

    def _show_variants(self, snapshot: Snapshot) -> None:
        variants = snapshot.document.variants
        self._variant_part.setVisible(bool(variants))
        names = [variant.name for variant in variants]
        if names != [self._variant.itemText(at) for at in range(self._variant.count())]:
            self._variant.clear()
            self._variant.addItems(names)
        now = next((at for at, variant in enumerate(variants) if variant.is_shown_by(snapshot.problem)), -1)
        self._variant.setCurrentIndex(now)


def temperature_text(beta: float) -> str:
    """T = 1/beta, with the limits said in words."""
    if math.isinf(beta):
        return "T = 0: limit" if beta > 0 else "limit: least"
    if beta == 0:
        return "T = ∞"
    return f"T = {typeset_minus(shown(1 / beta, 2))}"


def _bold(text: str) -> QLabel:
    return QLabel(f"<b>{text}</b>")
