"""How a picture looks: colours, size of type, width of lines, what is pointed at."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

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

    def font(self, factor: float = 1.0, *, bold: bool = False) -> QFont:
        """The type at a factor of the ordinary size."""
        font = QFont()
        font.setFamilies(list(self.families))
        font.setPixelSize(max(1, round(self.size * factor)))
        font.setBold(bold)
        return font

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


def text_width(font: QFont, text: str) -> float:
    """How wide a text is, in pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


def draw_text(
    painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor, align: Align | Qt.Alignment = CENTRE
) -> None:
    """Draw one line of text inside a rectangle, shortened with an ellipsis where it does not fit."""
    metrics = QFontMetricsF(font)
    if metrics.horizontalAdvance(text) > rect.width() + 0.5:
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(rect.width(), 0))
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(rect, int(align) if isinstance(align, int) else align, text)


def draw_rotated(painter: QPainter, rect: QRectF, text: str, font: QFont, colour: QColor) -> None:
    """Draw one line of text upwards, starting at the rectangle's bottom."""
    painter.save()
    painter.translate(QPointF(rect.left(), rect.bottom()))
    painter.rotate(-90)
    draw_text(painter, QRectF(0, 0, rect.height(), rect.width()), text, font, colour, LEFT)
    painter.restore()
