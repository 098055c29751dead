"""Numbers to colours: look-up tables whose lightness changes evenly, and ink that can be read on them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from explorer.gui.theme import Theme

Lut = NDArray[np.uint8]  # (levels, 3)
LEVELS = 1024
# Black and white ink both reach 4.58:1 where the ground's luminance is this.
_SWITCH = 0.179
_LUMINANCE = np.array([0.2126, 0.7152, 0.0722])


@lru_cache(maxsize=16)
def weight_colours(theme_id: str, stops: tuple[str, ...], colormap: str) -> Lut:
    """Colours of 0..1: the theme's own ink, or cividis, viridis, grey (dark at 1 on light grounds)."""
    if colormap in ("cividis", "viridis"):
        import pyqtgraph

        table = pyqtgraph.colormap.get(colormap).getLookupTable(nPts=LEVELS)[:, :3]
        is_light = _luminance(QColor(stops[0])) > 0.5
        return np.ascontiguousarray(table[::-1] if is_light else table, dtype=np.uint8)
    if colormap == "grey":
        stops = (stops[0], "#111111") if _luminance(QColor(stops[0])) > 0.5 else (stops[0], "#F5F5F5")
    return _even_lightness(stops)


@lru_cache(maxsize=16)
def signed_colours(stops: tuple[str, ...]) -> Lut:
    """Colours of -1..1 centred at 0."""
    return _interpolated(_lab(stops), np.linspace(0, 1, len(stops)))


def colours_of(values: NDArray[np.float64], low: float, high: float, lut: Lut) -> Lut:
    """RGB of each value (..., 3), clipped to low..high; what is not finite gets the colour of its nearest end."""
    half = high / 2 - low / 2  # the span itself may overflow
    with np.errstate(invalid="ignore", over="ignore"):
        at = np.nan_to_num((values / 2 - low / 2) / half if half > 0 else np.zeros_like(values), nan=0.0)
    index = np.clip(np.rint(np.clip(at, 0, 1) * (len(lut) - 1)), 0, len(lut) - 1).astype(np.intp)
    return lut[index]


def is_light(rgb: Lut) -> NDArray[np.bool_]:
    """Where black ink reads better than white on these colours (..., 3)."""
    return np.asarray(_linear(rgb / 255.0) @ _LUMINANCE > _SWITCH)


def image_of(rgb: Lut) -> QImage:
    """A picture of one pixel a cell."""
    height, width = rgb.shape[:2]
    wide = rgb.astype(np.uint32)
    data = np.ascontiguousarray(0xFF000000 | wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2])
    return QImage(data.data, width, height, 4 * width, QImage.Format.Format_RGB32).copy()


def lut_of(theme: Theme, colormap: str | None) -> Lut:
    """The table of a colour map of the weights, or of signed numbers for None."""
    if colormap is None:
        return signed_colours(theme.maps["signed"])
    return weight_colours(theme.id, theme.maps["weights"], colormap)


def _linear(channel: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def _luminance(colour: QColor) -> float:
    rgb = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    return float(_linear(rgb) @ _LUMINANCE)


# Björn Ottosson's OKLab: equal steps of its first coordinate look equally lighter.
_TO_LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929],
                    [0.2119034982, 0.6806995451, 0.1073969566],
                    [0.0883024619, 0.2817188376, 0.6299787005]])  # fmt: skip
_TO_LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468],
                    [1.9779984951, -2.4285922050, 0.4505937099],
                    [0.0259040371, 0.7827717662, -0.8086757660]])  # fmt: skip


def _lab(stops: tuple[str, ...]) -> NDArray[np.float64]:
    rgb = np.array([[c.redF(), c.greenF(), c.blueF()] for c in map(QColor, stops)])
    return np.cbrt(_linear(rgb) @ _TO_LMS.T) @ _TO_LAB.T  # (stops, 3)


def _even_lightness(stops: tuple[str, ...]) -> Lut:
    lab = _lab(stops)
    first, last = lab[0, 0], lab[-1, 0]
    return _interpolated(lab, (lab[:, 0] - first) / (last - first))


def _interpolated(lab: NDArray[np.float64], places: NDArray[np.float64]) -> Lut:
    at = np.linspace(0, 1, LEVELS)
    between = np.stack([np.interp(at, places, lab[:, channel]) for channel in range(3)], axis=1)
    lms = (between @ np.linalg.inv(_TO_LAB).T) ** 3
    linear = np.clip(lms @ np.linalg.inv(_TO_LMS).T, 0, 1)
    rgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.rint(rgb * 255).astype(np.uint8)
