"""Where the cells of a labelled matrix lie in a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF, QSizeF

from explorer.gui.pictures.style import Style

# Below this many pixels a cell holds no number, and a label would run into the next.
_LEAST = 22.0


@dataclass(frozen=True)
class Table:
    """Rows and columns of equal cells inside margins for labels; all lengths in pixels.

    ``rect`` is the area of the cells, ``row_band`` the width left of it and ``column_band`` the height above it for
    labels, ``step`` how many columns (rows) share one label.
    """

    rect: QRectF
    rows: int
    columns: int
    row_band: float
    column_band: float
    is_rotated: bool

    @cached_property
    def cell_width(self) -> float:
        """Width of a cell."""
        return self.rect.width() / max(self.columns, 1)

    @cached_property
    def cell_height(self) -> float:
        """Height of a cell."""
        return self.rect.height() / max(self.rows, 1)

    def cell(self, row: int, column: int) -> QRectF:
        """The rectangle of a cell."""
        return QRectF(
            self.rect.left() + column * self.cell_width, self.rect.top() + row * self.cell_height,
            self.cell_width, self.cell_height,
        )  # fmt: skip

    def row(self, row: int) -> QRectF:
        """The rectangle of a whole row."""
        return QRectF(self.rect.left(), self.cell(row, 0).top(), self.rect.width(), self.cell_height)

    def column(self, column: int) -> QRectF:
        """The rectangle of a whole column."""
        return QRectF(self.cell(0, column).left(), self.rect.top(), self.cell_width, self.rect.height())

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """The cell (row, column) at a point; a label counts as its row's or column's nearest cell."""
        if not self.rows or not self.columns:
            return None
        around = self.rect.adjusted(-self.row_band, -self.column_band, 0, 0)
        if not around.contains(point) or (point.x() < self.rect.left() and point.y() < self.rect.top()):
            return None
        column = int((point.x() - self.rect.left()) // self.cell_width)
        row = int((point.y() - self.rect.top()) // self.cell_height)
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)

    def label_step(self, length: float, style: Style) -> int:
        """Every how many cells of this length a label is drawn, so that labels do not run together."""
        return max(1, -int(-style.line_height // max(length, 0.01)))


def some_of(labels: Sequence[str]) -> Sequence[str]:
    """Labels from both ends, among which the longest position is."""
    return labels if len(labels) <= 200 else (*labels[:100], *labels[-100:])


def lay_out(
    size: QSizeF, style: Style, row_labels: Sequence[str], column_labels: Sequence[str],
    *, right: float = 0.0, bottom: float = 0.0, has_axis_names: bool = True, widest: float = 96.0,
    is_loose: bool = False,
) -> Table:  # fmt: skip
    """The largest even cells that fit a picture with its labels, ``right`` and ``bottom`` pixels kept free.

    Loose cells may be as wide as there is room, however low they are.
    """
    bold = style.font(bold=True)
    longest_row = max((bold.width(label) for label in some_of(row_labels)), default=0.0)
    row_band = min(longest_row + style.size * 0.8, size.width() * 0.3)
    line = style.line_height
    header = line if has_axis_names else 0.0
    room_x = max(size.width() - row_band - right, 1.0)
    widest = max(widest * style.size / 13, min(size.width(), size.height()) / 4.5)
    columns, rows = max(len(column_labels), 1), max(len(row_labels), 1)
    width = min(room_x / columns, widest)
    longest = max((bold.width(label) for label in some_of(column_labels)), default=0.0)
    is_rotated = longest > (width - 4) * 1.3 and longest > style.size * 1.5 and width >= line
    column_band = header + (min(longest + style.size * 0.5, size.height() * 0.38) if is_rotated else line)
    room_y = max(size.height() - column_band - bottom, 1.0)
    height = min(room_y / rows, widest, max(width * 1.3, style.size * 1.7))
    width = width if is_loose else min(width, max(height * 2.2, style.size * 1.2))
    if width > _LEAST:
        width, height = float(int(width)), float(max(int(height), 1))
    left = row_band + max((room_x - width * columns) / 2, 0)
    rect = QRectF(round(left), round(column_band), width * columns, height * rows)
    return Table(rect, len(row_labels), len(column_labels), row_band, column_band, is_rotated)


def number_factor(table: Table, longest: float, style: Style) -> float:
    """How large the numbers can be, as a factor of the ordinary type, in which the widest is ``longest``."""
    fitting = min(1.0, (table.cell_width - 4) / max(longest, 1.0), table.cell_height * 0.7 / style.size)
    roomy = min(3.0, table.cell_width * 0.66 / max(longest, 1.0), table.cell_height * 0.4 / style.size)
    return max(fitting, roomy)
