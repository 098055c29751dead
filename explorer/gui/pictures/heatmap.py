"""A labelled matrix of coloured cells with its numbers, hidden cells, marks and legend."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter

from explorer.core.rounding import typeset_minus
from explorer.gui.pictures.changes import draw_outline
from explorer.gui.pictures.colours import Lut, colours_of, image_of, is_light
from explorer.gui.pictures.labels import draw_labels
from explorer.gui.pictures.style import CENTRE, LEFT, Face, Style, draw_centred, draw_text, first_fitting, text_width
from explorer.gui.pictures.table import Table, lay_out, number_factor

Matrix = NDArray[np.float64]
_MOST_DRAWN = 64 * 64


@dataclass(frozen=True, eq=False)
class Heatmap:
    """What a heatmap shows; ``values`` and the booleans are (n_q, n_k), ``chosen`` a cell (query, key).

    ``low``..``high`` is what the colours of ``lut`` span; ``number`` prints a value, ``hidden_text`` stands in hidden
    cells instead; ``rims`` stand right of the rows, ``bands`` are sentences over whole rows, by row; ``legend`` names
    the top, the middle and the bottom of the colours.
    """

    values: Matrix
    hidden: NDArray[np.bool_]
    changed: NDArray[np.bool_] | None
    row_labels: tuple[str, ...]
    column_labels: tuple[str, ...]
    chosen: tuple[int, int]
    lut: Lut
    low: float
    high: float
    number: Callable[[float], str]
    hidden_text: str | None = None
    rims: tuple[str, ...] = ()
    bands: tuple[tuple[int, str], ...] = ()
    caption: str = ""
    legend: tuple[str, str, str] = ("", "", "")

    @cached_property
    def seen(self) -> tuple[float, float] | None:
        """The least and the greatest value that is not hidden."""
        shown = ~self.hidden & np.isfinite(self.values)
        if not shown.any():
            return None
        least = float(np.min(self.values, where=shown, initial=np.inf))
        return least, float(np.max(self.values, where=shown, initial=-np.inf))


def place(heatmap: Heatmap, size: QSizeF, style: Style) -> Table:
    """Where the cells lie; sums and then the legend's numbers are given up where only that makes cells readable."""
    legend = max(text_width(style.font(0.85), text) for text in heatmap.legend) + style.size * 0.6
    rims = rims_width(heatmap, style)
    whole = _placed(heatmap, size, style, rims + legend)
    if whole.cell_width >= style.size * 2.9:
        return whole
    others = (_placed(heatmap, size, style, right) for right in (legend, 0.0))
    return next((table for table in others if table.cell_width >= style.size * 2.9), whole)


def _placed(heatmap: Heatmap, size: QSizeF, style: Style, right: float) -> Table:
    bottom = style.line_height + 6
    room = right + style.size * 2.0
    return lay_out(size, style, heatmap.row_labels, heatmap.column_labels, right=room, bottom=bottom)


def rims_width(heatmap: Heatmap, style: Style) -> float:
    """How wide the sums at the right edge are, with the gap before them."""
    widest = max((text_width(style.font(0.9), rim) for rim in heatmap.rims[:50]), default=0.0)
    return widest + style.size * 0.8 if widest else 0.0


def paint(painter: QPainter, size: QSizeF, heatmap: Heatmap, style: Style) -> None:
    """Draw a heatmap into a picture of this size."""
    table = place(heatmap, size, style)
    if not heatmap.values.size:
        draw_text(painter, QRectF(QPointF(), size), "nothing to show: no queries or no keys", style.font(),
                  style.colour("faint"))  # fmt: skip
        return
    draw_labels(painter, table, heatmap.row_labels, heatmap.column_labels, heatmap.chosen, style)
    pooled = False
    if heatmap.values.size <= _MOST_DRAWN and min(table.cell_width, table.cell_height) >= 3:
        _draw_cells(painter, table, heatmap, style)
    else:
        pooled = _draw_image(painter, table, heatmap, style)
    _draw_marks(painter, table, heatmap, style)
    _draw_rims(painter, table, heatmap, style, size)
    _draw_legend(painter, table, heatmap, style, size)
    said = ("several cells a pixel: the largest is shown" if pooled else "", _range_text(heatmap), heatmap.caption)
    whole = ";  ".join(part for part in said if part)
    below = QRectF(table.rect.left() - table.row_band, table.rect.bottom() + 4, size.width(), style.line_height)
    below.setRight(size.width())
    font = style.font(0.9)
    draw_text(painter, below, first_fitting(font, below.width(), whole, said[0] or said[1]), font,
              style.colour("faint"), LEFT)  # fmt: skip


def _range_text(heatmap: Heatmap) -> str:
    """From the least to the greatest value that is not hidden."""
    if heatmap.seen is None:
        return ""
    least, most = (typeset_minus(heatmap.number(value)) for value in heatmap.seen)
    return f"from {least} to {most}"


def _draw_cells(painter: QPainter, table: Table, heatmap: Heatmap, style: Style) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    rgb = colours_of(heatmap.values, heatmap.low, heatmap.high, heatmap.lut)
    ground = style.colour("hatch_ground")
    rgb[heatmap.hidden | ~np.isfinite(heatmap.values)] = ground.red(), ground.green(), ground.blue()
    cells = [[table.cell(i, j) for j in range(table.columns)] for i in range(table.rows)]
    if style.is_screen:
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        painter.drawImage(table.rect, image_of(rgb))
    else:
        for rects, row in zip(cells, rgb.tolist(), strict=True):
            for rect, levels in zip(rects, row, strict=True):
                painter.fillRect(rect, QColor(*levels))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(style.colour("hatch"), Qt.BrushStyle.BDiagPattern))
    for i, j in np.argwhere(heatmap.hidden).tolist():
        painter.drawRect(cells[i][j])
    painter.setPen(style.pen("grid"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(table.rect)
    font = number_font(table, heatmap, style)
    if font is not None:
        _draw_numbers(painter, cells, heatmap, style, is_light(rgb), font)


def number_font(table: Table, heatmap: Heatmap, style: Style) -> Face | None:
    """The type of the numbers in the cells; None where they could not be read."""
    if table.cell_height < style.size * 1.15:
        return None
    longest = max(text_width(style.font(), typeset_minus(heatmap.number(value))) for value in _ends(heatmap.values))
    factor = number_factor(table, longest, style)
    return style.font(factor) if factor * style.size >= 8.0 else None


def _ends(values: Matrix) -> list[float]:
    """The values whose numbers may be the longest: the largest, the least, and the one closest to 0."""
    flat = values[np.isfinite(values)]
    if not flat.size:
        return [0.0]
    return [float(flat.max()), float(flat.min()), float(flat[np.argmin(np.where(flat == 0, np.inf, np.abs(flat)))])]


def _draw_numbers(
    painter: QPainter, cells: list[list[QRectF]], heatmap: Heatmap, style: Style, light: NDArray[np.bool_], font: Face
) -> None:
    """The number of every cell in black or white ink, whichever its own ground asks for."""
    banded = {row for row, _ in heatmap.bands}
    black: list[tuple[QRectF, str]] = []
    white: list[tuple[QRectF, str]] = []
    plates: list[tuple[QRectF, str]] = []
    values, hidden, is_black = heatmap.values.tolist(), heatmap.hidden.tolist(), light.tolist()
    for i, row in enumerate(values):
        for j, value in enumerate(row if i not in banded else ()):
            if hidden[i][j] and heatmap.hidden_text is not None:
                plates.append((cells[i][j], heatmap.hidden_text))
            else:
                inked = plates if hidden[i][j] else black if is_black[i][j] else white
                inked.append((cells[i][j], typeset_minus(heatmap.number(value))))
    for cell, text in plates:
        plate = QRectF(0, 0, min(font.width(text) + 10, cell.width() - 2), font.height)
        plate.moveCenter(cell.center())
        painter.fillRect(plate, style.colour("hatch_ground"))
    draw_centred(painter, black, font, QColor("#000000"))
    draw_centred(painter, white, font, QColor("#FFFFFF"))
    draw_centred(painter, plates, font, style.colour("ink"))


def _draw_image(painter: QPainter, table: Table, heatmap: Heatmap, style: Style) -> bool:
    """Draw many cells as one image; where cells are smaller than pixels the largest of them is kept."""
    values = np.where(heatmap.hidden, 0.0, heatmap.values)
    down = max(1, -int(-1 // table.cell_height)), max(1, -int(-1 // table.cell_width))
    values = _largest(_largest(values, down[0], 0), down[1], 1)
    rgb = colours_of(values, heatmap.low, heatmap.high, heatmap.lut)
    ground = style.colour("hatch_ground")
    rgb[_all_of(heatmap.hidden, down)] = ground.red(), ground.green(), ground.blue()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(table.rect, image_of(rgb))
    return max(down) > 1


def _largest(values: Matrix, step: int, axis: int) -> Matrix:
    """Of every ``step`` cells along an axis the one farthest from 0; a last part that is short counts as with zeros."""
    if step == 1:
        return values
    short = -values.shape[axis] % step
    padded = np.pad(np.nan_to_num(values, nan=0.0), [(0, short if side == axis else 0) for side in (0, 1)])
    parts = [padded[at::step] if axis == 0 else padded[:, at::step] for at in range(step)]
    top, bottom = parts[0].copy(), parts[0].copy()
    for part in parts[1:]:
        np.maximum(top, part, out=top)
        np.minimum(bottom, part, out=bottom)
    return np.where(-bottom > top, bottom, top)


def _all_of(hidden: NDArray[np.bool_], steps: tuple[int, int]) -> NDArray[np.bool_]:
    """Where every cell of a pixel is hidden."""
    for axis, step in enumerate(steps):
        if step > 1:
            hidden = np.logical_and.reduceat(hidden, np.arange(0, hidden.shape[axis], step), axis=axis)
    return hidden


def _draw_marks(painter: QPainter, table: Table, heatmap: Heatmap, style: Style) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for row, text in heatmap.bands:
        rect = table.row(row)
        plate = QRectF(rect.left() + 2, rect.center().y() - style.size * 0.8, rect.width() - 4, style.size * 1.6)
        painter.fillRect(plate, style.colour("bad_soft"))
        font = style.font(0.9)
        said = first_fitting(font, plate.width(), text, text.partition(":")[0])
        draw_text(painter, plate, said, font, style.colour("bad"), CENTRE)
    if heatmap.changed is not None and style.is_screen:
        draw_outline(painter, table, heatmap.changed, style)
    if not style.is_screen:
        return
    if style.hover is not None:
        painter.setPen(style.pen("faint", 1, Qt.PenStyle.DashLine))
        painter.drawRect(table.row(style.hover[0]))
        painter.drawRect(table.column(style.hover[1]))
    painter.setPen(style.pen("key", 2))
    painter.drawRect(table.column(heatmap.chosen[1]))
    painter.setPen(style.pen("query", 3))
    painter.drawRect(table.row(heatmap.chosen[0]).adjusted(-1, -1, 1, 1))


def _has_rims(table: Table, heatmap: Heatmap, style: Style, size: QSizeF) -> bool:
    return table.rect.right() + rims_width(heatmap, style) + style.size * 2 <= size.width()


def _draw_rims(painter: QPainter, table: Table, heatmap: Heatmap, style: Style, size: QSizeF) -> None:
    width = rims_width(heatmap, style)
    if not heatmap.rims or table.cell_height < style.size or not _has_rims(table, heatmap, style, size):
        return
    for i, rim in enumerate(heatmap.rims):
        row = table.row(i)
        rect = QRectF(row.right() + style.size * 0.7, row.top(), width, row.height())
        draw_text(painter, rect, rim, style.font(0.9), style.colour("faint"), LEFT)


def _draw_legend(painter: QPainter, table: Table, heatmap: Heatmap, style: Style, size: QSizeF) -> None:
    """The colours with the numbers at their ends, and a mark beside them from the least value to the greatest."""
    widest = max(text_width(style.font(0.85), text) for text in heatmap.legend)
    rims = rims_width(heatmap, style) if _has_rims(table, heatmap, style, size) else 0.0
    left = table.rect.right() + rims + style.size * 0.8
    height = max(table.rect.height(), style.size * 5)
    bar = QRectF(round(left), table.rect.top(), round(style.size * 0.85), height)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(bar, image_of(np.ascontiguousarray(heatmap.lut[::-4, None, :])))
    painter.setPen(style.pen("grid"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(bar)
    _draw_range(painter, bar, heatmap, style)
    half = style.size * 0.6
    if bar.right() + style.size * 0.5 + widest > size.width():
        return
    for text, y in zip(heatmap.legend, (bar.top() + half, bar.center().y(), bar.bottom() - half), strict=True):
        rect = QRectF(bar.right() + style.size * 0.5, y - half, widest + 2, 2 * half)
        draw_text(painter, rect, text, style.font(0.85), style.colour("faint"), LEFT)


def _draw_range(painter: QPainter, bar: QRectF, heatmap: Heatmap, style: Style) -> None:
    span = heatmap.high / 2 - heatmap.low / 2
    if span <= 0 or heatmap.seen is None:
        return
    bottom, top = (
        bar.bottom() - (min(max(value, heatmap.low), heatmap.high) / 2 - heatmap.low / 2) / span * bar.height()
        for value in heatmap.seen
    )
    painter.setPen(style.pen("ink", 1.5))
    x = bar.right() + style.size * 0.22
    painter.drawLine(QPointF(x, top), QPointF(x, bottom))
    for y in (top, bottom):
        painter.drawLine(QPointF(bar.right() - 3, y), QPointF(x, y))
