"""How a picture looks: colours, size of type, width of lines, what is pointed at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from explorer.gui.theme import Theme

Align = Qt.AlignmentFlag
CENTRE = Align.AlignCenter
LEFT = Align.AlignLeft | Align.AlignVCenter
RIGHT = Align.AlignRight | Align.AlignVCenter


@dataclass(frozen=True)
class Style:
    """What paint functions are told beside the snapshot; ``size`` is the height of ordinary type in pixels.

    ``hover`` is the cell (query, key) under the pointer; ``is_screen`` is False in files, where nothing is chosen.
    """

    theme: Theme
    size: float = 13.0
    families: tuple[str, ...] = field(default=("DejaVu Sans",))
    hover: tuple[int, int] | None = None
    is_screen: bool = True

    def colour(self, role: str) -> QColor:
        """The theme's colour of a role."""
        return self.theme.colour(role)

    def font(self, factor: float = 1.0, *, bold: bool = False) -> Face:
        """The type at a factor of the ordinary size."""
        return _face(self.families, max(1, round(self.size * factor)), bold)

    def pen(self, role: str, width: float = 1.0, line: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """A pen in a role's colour, as thick as the theme draws a line of this width."""
        pen = QPen(self.colour(role), width * self.theme.line)
        pen.setStyle(line)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        return pen

    @cached_property
    def line_height(self) -> float:
        """Height of a line of ordinary type."""
        return self.size * 1.35


class Face(QFont):
    """A font that remembers how wide texts are in it: a picture asks for the same ones at every painting."""

    _MOST = 20_000

    def __init__(self, families: tuple[str, ...], pixels: int, bold: bool) -> None:
        super().__init__()
        self.setFamilies(list(families))
        self.setPixelSize(pixels)
        self.setBold(bold)
        self.metrics = QFontMetricsF(self)
        self._widths: dict[str, float] = {}

    def width(self, text: str) -> float:
        """How wide a text is, in pixels."""
        width = self._widths.get(text)
        if width is None:
            if len(self._widths) > self._MOST:
                self._widths.clear()
            width = self._widths[text] = self.metrics.horizontalAdvance(text)
        return width


@lru_cache(maxsize=512)
def _face(families: tuple[str, ...], pixels: int, bold: bool) -> Face:
    return Face(families, pixels, bold)


def text_width(font: Face, text: str) -> float:
    """How wide a text is, in pixels."""
    return font.width(text)


def draw_text(painter: QPainter, rect: QRectF, text: str, font: Face, colour: QColor, align: Align = CENTRE) -> None:
    """Draw one line of text inside a rectangle, shortened with an ellipsis where it does not fit."""
    if font.width(text) > rect.width() + 0.5:
        text = font.metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(rect.width(), 0))
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(rect, align, text)


def first_fitting(font: Face, width: float, *texts: str) -> str:
    """The first of some ways to say a thing that fits into a width, or else the last."""
    return next((text for text in texts if text_width(font, text) <= width), texts[-1])


def draw_rotated(painter: QPainter, rect: QRectF, text: str, font: Face, colour: QColor) -> None:
    """Draw one line of text upwards, starting at the rectangle's bottom."""
    painter.save()
    painter.translate(QPointF(rect.left(), rect.bottom()))
    painter.rotate(-90)
    draw_text(painter, QRectF(0, 0, rect.height(), rect.width()), text, font, colour, LEFT)
    painter.restore()
