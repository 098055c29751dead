"""The choice of a slice out of an array of three to five dimensions."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QSpinBox, QVBoxLayout, QWidget

from explorer.formats.arrays.arrays import DEEPEST
from explorer.gui.mask_dials import quiet_label
from explorer.gui.pictures.style import Style
from explorer.gui.preview.shelf import Shelf
from explorer.gui.preview.slice_choice import SliceChoice
from explorer.gui.preview.slices import SliceGrid
from explorer.gui.widgets.flow_layout import FlowLayout, group
from explorer.gui.widgets.stop_slider import CalmDials


class AxisPicker(QWidget):
    """A box for every axis beyond those of queries and keys, and pictures of the slices along the last of them.

    ``changed`` says that another slice is chosen, ``entered`` that the chosen one is to be taken.
    """

    changed = Signal()
    entered = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("axis_picker")
        self.setAccessibleName("choose a slice")
        self.choice: SliceChoice | None = None
        self._style: tuple[Style, str] | None = None
        self._calm = CalmDials(self)
        self._boxes = [self._place_box(axis) for axis in range(DEEPEST)]
        self._axes = self._axis_box("axes_query", "axis of the queries"), self._axis_box("axes_key", "axis of the keys")
        self._groups = [
            group(quiet_label(title), box) for title, box in zip(("queries", "keys"), self._axes, strict=True)
        ]
        dials, self._grid, self._caption = QWidget(), SliceGrid(), quiet_label("")
        self._flow = FlowLayout(dials, gap=10)
        self._flow.setContentsMargins(0, 0, 0, 0)
        self._grid.chosen.connect(self._go)
        self._grid.entered.connect(self.entered)
        self._caption.setObjectName("slices_caption")
        content = QWidget()
        self._shelf = Shelf(content, least=60)
        for layout in (outer := QVBoxLayout(self), column := QVBoxLayout(content)):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(4)
        for widget in (*self._boxes, *self._groups, self._caption):
            self._flow.addWidget(widget)
        outer.addWidget(self._shelf)
        column.addWidget(dials)
        column.addWidget(self._grid)
        column.addStretch(1)

    def _axis_box(self, name: str, title: str) -> QComboBox:
        box = QComboBox()
        box.setObjectName(name)
        box.setAccessibleName(title)
        box.currentIndexChanged.connect(self._turn)
        self._calm.calm(box)
        return box

    def show_choice(self, choice: SliceChoice) -> None:
        """Choose from the tensor of a choice, beginning with that."""
        self.choice = choice
        sizes = zip(choice.tensor.axes, choice.values.shape, strict=True)
        titles = [f"{name} ({size})" for name, size in sizes]
        for combo in self._axes:
            with QSignalBlocker(combo):
                combo.clear()
                combo.addItems(titles)
        for axis, (name, length) in enumerate(zip(choice.tensor.axes, choice.values.shape, strict=True)):
            self._name_box(self._boxes[axis], name, length, choice.places[axis])
        self._show_axes()

    def show_style(self, style: Style, colormap: str) -> None:
        """Paint in a style."""
        self._style = style, colormap
        self._show_slices()

    @property
    def stops(self) -> list[QWidget]:
        """What Tab reaches after the boxes of the places, in order."""
        return [*self._axes, *self._grid.tiles]

    def enter(self) -> None:
        """Bring the keyboard to the chosen slice."""
        self._grid.enter()

    def _place_box(self, axis: int) -> QSpinBox:
        box = QSpinBox()
        box.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        box.valueChanged.connect(lambda value: self._place(axis, value - 1))
        self._calm.calm(box)
        return box

    def _name_box(self, box: QSpinBox, name: str, length: int, place: int) -> None:
        with QSignalBlocker(box):
            box.setObjectName(f"axis_{name}")
            box.setAccessibleName(f"{name}, of {length}")
            box.setPrefix(f"{name} ")
            box.setSuffix(f" of {length}")
            box.setRange(1, length)
            box.setValue(place + 1)

    def _place(self, axis: int, place: int) -> None:
        assert self.choice is not None
        before, self.choice = self.choice, self.choice.placed(axis, place)
        if axis == before.shown and place in before.page:
            self._grid.choose(place)
            self._reveal()
        else:
            self._show_slices()
        self.changed.emit()

    def _go(self, at: int) -> None:
        assert self.choice is not None
        self._boxes[self.choice.shown].setValue(at + 1)

    def _turn(self) -> None:
        assert self.choice is not None
        self.choice = self.choice.turned(*(box.currentIndex() for box in self._axes))
        self._show_axes()
        self.changed.emit()

    def _show_axes(self) -> None:
        """Show which axes are which, and a box for each of the others that has several places."""
        assert self.choice is not None
        for combo, axis in zip(self._axes, self.choice.axes, strict=True):
            with QSignalBlocker(combo):
                combo.setCurrentIndex(axis)
        several = [axis for axis in self.choice.others if self.choice.values.shape[axis] > 1]
        for axis, box in enumerate(self._boxes):
            box.setVisible(axis in several)
        self._show_slices()

    def _show_slices(self) -> None:
        if self.choice is None or self._style is None:
            return
        slices = self.choice.slices()
        self._grid.show_slices(slices, self.choice.places[self.choice.shown], *self._style)
        self._caption.setText(slices.caption)
        self._shelf.updateGeometry()
        self._reveal()

    def _reveal(self) -> None:
        """Scroll to the chosen slice."""
        tile = self._grid.chosen_tile
        if tile is not None:
            self._shelf.reveal(tile)
