"""The mask's part of the dial strip."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QSizePolicy, QSpinBox, QToolButton, QWidget

from explorer.core.masks import MASKS
from explorer.gui.widgets.flow_layout import group
from explorer.gui.widgets.segmented import Segmented
from explorer.gui.widgets.stop_slider import CalmDials
from explorer.state import edits
from explorer.state.document import Snapshot

_OPEN = "all"


class MaskDials(QWidget):
    """Kind, alignment, window and padded keys of the mask, and the brush for single cells."""

    requested = Signal(object)
    painting = Signal(bool)

    def __init__(self, calm: CalmDials) -> None:
        super().__init__()
        self._kind = Segmented("mask", "mask", [(kind, kind) for kind, _ in MASKS])
        self._kind.chosen.connect(lambda kind: self.requested.emit(edits.set_mask(kind)))
        self._align = QComboBox()
        self._align.setObjectName("align")
        self._align.setAccessibleName("mask alignment")
        self._align.addItem("from start", "start")
        self._align.addItem("to the end", "end")
        self._align.activated.connect(lambda _at: self.requested.emit(edits.set_alignment(self._align.currentData())))
        self._left, self._right = (
            _width("window_left", "window: keys before"),
            _width("window_right", "window: keys after"),
        )
        for box in (self._left, self._right):
            box.valueChanged.connect(self._set_window)
        for widget in (self._align, self._left, self._right):
            calm.calm(widget)
        self._keys = QToolButton()
        self._keys.setObjectName("padding_keys")
        self._keys.setText("Keys ▾")
        self._keys.setAccessibleName("keys hidden as padding")
        self._keys.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._keys.setMenu(QMenu(self._keys))
        self._keys.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._paint = QToolButton()
        self._paint.setObjectName("btn_paint")
        self._paint.setText("Paint")
        self._paint.setAccessibleName("paint the mask with the mouse")
        self._paint.setToolTip(
            "Paint the mask: click or drag over cells of scores or weights (Space does it by keyboard)"
        )
        self._paint.setCheckable(True)
        self._paint.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._paint.toggled.connect(self.painting)
        self._is_showing = False
        self.parts = self._groups()

    def _groups(self) -> tuple[QWidget, ...]:
        self._before, self._after = quiet_label("before"), quiet_label("after")
        main = group(quiet_label("Mask"), self._kind, self._paint)
        self._more = group(self._align, self._before, self._left, self._after, self._right, self._keys)
        return main, self._more

    def display(self, snapshot: Snapshot) -> None:
        """Show the mask of a snapshot."""
        self._is_showing = True
        mask, problem = snapshot.problem.mask, snapshot.problem
        self._kind.show_value(mask.kind)
        is_placed, is_window = mask.kind in ("causal", "window"), mask.kind == "window"
        self._align.setVisible(is_placed and problem.n_q != problem.n_k)
        self._align.setCurrentIndex(self._align.findData(mask.align))
        for widget in (self._before, self._left, self._after, self._right):
            widget.setVisible(is_window)
        for box, value in ((self._left, mask.left), (self._right, mask.right)):
            box.setMaximum(max(problem.n_q, problem.n_k))
            box.setValue(-1 if value is None else value)
        has_keys = mask.kind == "padding" or mask.keys is not None
        self._keys.setVisible(has_keys)
        self._more.setVisible(is_window or has_keys or not self._align.isHidden())
        if has_keys:
            self._fill_keys(snapshot)
        is_used = problem.source.kind != "weights"
        for part in self.parts:
            part.setEnabled(is_used)
        self._is_showing = False

    def _fill_keys(self, snapshot: Snapshot) -> None:
        menu, keys = self._keys.menu(), snapshot.problem.mask.keys
        menu.clear()
        for j in range(min(snapshot.problem.n_k, 60)):
            action = menu.addAction(f"{j + 1}  {snapshot.document.key_name(j)}")
            action.setCheckable(True)
            action.setChecked(keys is None or bool(keys[j]))
            action.triggered.connect(lambda _on, j=j: self.requested.emit(edits.toggle_key(j)))

    def _set_window(self) -> None:
        if not self._is_showing:
            left, right = (None if box.value() < 0 else box.value() for box in (self._left, self._right))
            self.requested.emit(edits.set_window(left, right))


def _width(name: str, title: str) -> QSpinBox:
    box = QSpinBox()
    box.setObjectName(name)
    box.setAccessibleName(title)
    box.setRange(-1, 512)
    box.setSpecialValueText(_OPEN)
    return box


def quiet_label(text: str) -> QLabel:
    """The name of a dial, in quiet type."""
    label = QLabel(text)
    label.setProperty("quiet", True)
    label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
    return label
