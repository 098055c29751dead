"""Small pictures of matrices and masks, one image of few cells each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QBrush, QPainter

from explorer.formats.imported import Booleans, Imported, Numbers
from explorer.gui.pictures.colours import Lut, colours_of, image_of, lut_of
from explorer.gui.pictures.style import Style

MOST_CELLS = 96  # along a side, a pixel each at most
_HATCHED = 24
_ALLOWED = 0.45  # where on the colours of the weights a visible cell of a mask lies
_THINNEST = 6  # pixels

Kind = Literal["weights", "signed", "mask"]


@dataclass(frozen=True, eq=False)
class Tile:
    """A matrix of few cells: where there were more, the largest of those that share one; True = may attend."""

    kind: Kind
    values: Numbers

    @property
    def largest(self) -> float:
        """The largest finite magnitude."""
        return float(np.max(np.abs(self.values), where=np.isfinite(self.values), initial=0.0))


def kind_of(values: Numbers | Booleans) -> Kind:
    """Which colours suit an array."""
    if values.dtype == np.bool_:
        return "mask"
    known = values[np.isfinite(values)]
    return "weights" if ((known >= 0) & (known <= 1)).all() else "signed"


def tile_of(values: Numbers | Booleans, kind: Kind | None = None) -> Tile:
    """The tile of a matrix or mask (rows, columns)."""
    return Tile(kind or kind_of(values), pooled(np.asarray(values, dtype=np.float64)))


def tile_of_reading(read: Imported) -> Tile | None:
    """The tile of what was read: the first slice of a tensor, the first of several matrices."""
    if read.values is None:
        return next((tile_of_reading(part) for part in read.matrices.values()), None)
    first = read.values
    while first.ndim > 2:
        first = first[0]
    return tile_of(first)


def pooled(values: Numbers) -> Numbers:
    """At most MOST_CELLS along each side, of the cells that fall together the one farthest from 0; nan counts as 0."""
    if max(values.shape) <= MOST_CELLS:
        return values
    top = bottom = np.nan_to_num(values, nan=0.0, posinf=np.inf, neginf=-np.inf)
    for axis, length in enumerate(values.shape):
        if length > MOST_CELLS:
            starts = np.arange(MOST_CELLS) * length // MOST_CELLS
            top = np.maximum.reduceat(top, starts, axis=axis)
            bottom = np.minimum.reduceat(bottom, starts, axis=axis)
    return np.where(-bottom > top, bottom, top)


def place_in(box: QRect, tile: Tile) -> QRect:
    """Where a tile lies in a box: square cells while neither side gets too thin, in the middle."""
    rows, columns = tile.values.shape
    side = min(box.width() / max(columns, 1), box.height() / max(rows, 1))
    width = min(max(round(columns * side), _THINNEST), box.width())
    height = min(max(round(rows * side), _THINNEST), box.height())
    return QRect(box.left() + (box.width() - width) // 2, box.top() + (box.height() - height) // 2, width, height)


def paint_tile(
    painter: QPainter, box: QRect, tile: Tile, style: Style, colormap: str, span: float | None = None
) -> None:
    """Draw a tile into a box; ``span`` is the magnitude of the full colour, of weights 1 when it is not given."""
    place = place_in(box, tile)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(place, image_of(_colours(tile, style, colormap, span)))
    if tile.kind == "mask" and max(tile.values.shape) <= _HATCHED:
        _hatch(painter, place, tile, style)
    painter.setPen(style.pen("grid"))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(place.adjusted(0, 0, -1, -1))


def _colours(tile: Tile, style: Style, colormap: str, span: float | None) -> Lut:
    values = tile.values
    if tile.kind == "mask":
        rgb = colours_of(values * _ALLOWED, 0.0, 1.0, lut_of(style.theme, colormap))
        is_blank = values == 0
    elif tile.kind == "weights":
        rgb = colours_of(values, 0.0, span or 1.0, lut_of(style.theme, colormap))
        is_blank = ~np.isfinite(values)
    else:
        most = span or tile.largest
        rgb = colours_of(values, -most, most, lut_of(style.theme, None))
        is_blank = ~np.isfinite(values)
    ground = style.colour("hatch_ground")
    rgb[is_blank] = ground.red(), ground.green(), ground.blue()
    return rgb


def _hatch(painter: QPainter, place: QRect, tile: Tile, style: Style) -> None:
    """Hatch hidden cells, as the heatmaps do."""
    rows, columns = tile.values.shape
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(style.colour("hatch"), Qt.BrushStyle.BDiagPattern))
    for i, j in np.argwhere(tile.values == 0).tolist():
        left, right = (place.left() + place.width() * at // columns for at in (j, j + 1))
        top, bottom = (place.top() + place.height() * at // rows for at in (i, i + 1))
        painter.drawRect(QRect(left, top, right - left, bottom - top))
