"""How a picture looks: colours, size of type, width of lines, what is pointed at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QStaticText

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
        return _face(self.families, max(1, round(self.size * factor)), bold, self.is_screen)

    def pen(self, role: str, width: float = 1.0, line: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """A pen in a role's colour, as thick as the theme draws a line of this width."""
        return _pen(self.theme.colours[role], width * self.theme.line, line)

    def fitted(self, size: QSizeF) -> Style:
        """This style with type small enough for a picture of this size."""
        room = max(9.0, min(size.height() / 14, size.width() / 16))
        return self if room >= self.size else replace(self, size=room)

    @cached_property
    def line_height(self) -> float:
        """Height of a line of ordinary type."""
        return self.size * 1.35


class Face(QFont):
    """A font that remembers texts set in it: a picture asks for the same ones at every painting."""

    _MOST = 20_000

    def __init__(self, families: tuple[str, ...], pixels: int, bold: bool, is_screen: bool) -> None:
        super().__init__()
        self.setFamilies(list(families))
        self.setPixelSize(pixels)
        self.setBold(bold)
        self.is_screen = is_screen
        self.metrics = QFontMetricsF(self)
        self.height = self.metrics.height()
        self._widths: dict[str, float] = {}
        self._glyphs: dict[str, QStaticText] = {}

    def width(self, text: str) -> float:
        """How wide a text is, in pixels."""
        width = self._widths.get(text)
        if width is None:
            if len(self._widths) > self._MOST:
                self._widths.clear()
            width = self._widths[text] = self.metrics.horizontalAdvance(text)
        return width

    def glyphs(self, text: str) -> QStaticText:
        """The text laid out once, for a screen."""
        glyphs = self._glyphs.get(text)
        if glyphs is None:
            if len(self._glyphs) > self._MOST:
                self._glyphs.clear()
            glyphs = self._glyphs[text] = QStaticText(text)
            glyphs.setTextFormat(Qt.TextFormat.PlainText)
            glyphs.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            glyphs.prepare(font=self)
        return glyphs


@lru_cache(maxsize=512)
def _pen(colour: str, width: float, line: Qt.PenStyle) -> QPen:
    pen = QPen(QColor(colour), width)
    pen.setStyle(line)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return pen


@lru_cache(maxsize=512)
def _face(families: tuple[str, ...], pixels: int, bold: bool, is_screen: bool) -> Face:
    return Face(families, pixels, bold, is_screen)


def text_width(font: Face, text: str) -> float:
    """How wide a text is, in pixels."""
    return font.width(text)


def draw_text(painter: QPainter, rect: QRectF, text: str, font: Face, colour: QColor, align: Align = CENTRE) -> None:
    """Draw one line of text in the middle of a rectangle's height, with an ellipsis where it does not fit."""
    width, room = font.width(text), rect.width()
    if width > room + 0.5:
        text = font.metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(room, 0))
        width = font.width(text)
    painter.setFont(font)
    painter.setPen(colour)
    if not font.is_screen:
        painter.drawText(rect, align, text)  # in a file a text stays a text
        return
    slack = 0.0 if align == LEFT else room - width if align == RIGHT else (room - width) / 2
    top = rect.top() + (rect.height() - font.height) / 2
    painter.drawStaticText(QPointF(rect.left() + slack, top), font.glyphs(text))


def draw_centred(painter: QPainter, texts: Sequence[tuple[QRectF, str]], font: Face, colour: QColor) -> None:
    """Draw many short texts of one kind, each in the middle of its rectangle."""
    painter.setFont(font)
    painter.setPen(colour)
    half = font.height / 2
    for rect, text in texts:
        centre = rect.center()
        if font.is_screen:
            at = QPointF(centre.x() - font.width(text) / 2, centre.y() - half)
            painter.drawStaticText(at, font.glyphs(text))
        else:
            painter.drawText(rect, CENTRE, text)


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
