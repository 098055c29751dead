"""How large the sections of a grid are, and how high the grid is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from explorer.gui.grid.model import GridModel
from explorer.gui.grid.widest import Widest
from explorer.gui.pictures.style import text_width

_MOST_ROWS = 8


class Fitting:
    """Fits sections to the size of the type and the longest number, and the height to at most eight rows."""

    def __init__(self, grid: QTableView, model: GridModel) -> None:
        self._grid, self._model = grid, model
        self._widest = Widest()
        self._needed = (0, 0)
        self._sections = (0, 0, 0, 0, 0)

    def fit(self) -> None:
        """Follow the numbers, the type and the width of the grid."""
        if self._model.style is not None and self._model.rowCount():
            self._fit_sections()
        grid = self._grid
        bar = grid.horizontalScrollBar().sizeHint().height() if self._needed[0] > grid.width() - 6 else 0
        grid.setFixedHeight(self._needed[1] + bar + 6)

    def _fit_sections(self) -> None:
        grid, model, style = self._grid, self._model, self._model.style
        assert style is not None
        rows, columns = model.rowCount(), model.columnCount()
        short, roomy = self._widest.section(model, style)
        height = round(style.size * 2.0)
        labels = [str(model.headerData(i, Qt.Orientation.Vertical)) for i in range(min(rows, 200))]
        longest = max((text_width(style.font(bold=True), label) for label in labels), default=0)
        side = round(min(max(longest + style.size * 0.75, style.size * 2.6), style.size * 7))
        width = roomy if columns * roomy + side <= grid.width() - 6 else short
        if (width, height, side, rows, columns) != self._sections:
            self._sections = (width, height, side, rows, columns)
            grid.verticalHeader().setDefaultSectionSize(height)
            grid.verticalHeader().setFixedWidth(side)
            grid.horizontalHeader().setDefaultSectionSize(width)
            grid.horizontalHeader().setFixedHeight(round(style.size * 1.6))
            self._needed = (columns * width + side, grid.horizontalHeader().height() + min(rows, _MOST_ROWS) * height)
