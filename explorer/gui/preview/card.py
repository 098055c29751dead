"""One answer of the strip: a button with a picture, a title and a line of words."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from explorer.gui.pictures.style import Style
from explorer.gui.preview.tiles import Tile, paint_tile

LARGEST = 96  # pixels of a picture's side


def side_of(style: Style) -> int:
    """How large a picture is in a style."""
    return min(round(style.size * 5), LARGEST)


@dataclass(frozen=True, eq=False)
class Answer:
    """What stands on a card, and a hint for those who point at it."""

    title: str
    words: str = ""
    tile: Tile | None = None
    hint: str = ""


class TilePicture(QWidget):
    """A tile on the screen."""

    def __init__(self, tile: Tile, style: Style, colormap: str) -> None:
        super().__init__()
        self._tile, self._style, self._colormap = tile, style, colormap
        self.setFixedSize(side_of(style), side_of(style))
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_tile(painter, QRect(0, 0, self.width(), self.height()), self._tile, self._style, self._colormap)


class Card(QPushButton):
    """A button as large as what stands on it; its name for assistive tools is the whole answer."""

    def __init__(self, at: int, answer: Answer, question: str, style: Style, colormap: str) -> None:
        super().__init__()
        self.setObjectName(f"import_option_{at}")
        self.setAccessibleName(answer.title)
        self.setAccessibleDescription(": ".join(filter(None, (question, answer.words, answer.hint))))
        self.setToolTip(answer.hint)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(9, 5, 9, 5)
        self._row.setSpacing(9)
        if answer.tile is not None:
            self._row.addWidget(TilePicture(answer.tile, style, colormap))
        self._row.addLayout(_lines(answer))

    def sizeHint(self) -> QSize:
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self._row.sizeHint().height())


def _lines(answer: Answer) -> QVBoxLayout:
    lines = QVBoxLayout()
    lines.setSpacing(2)
    lines.addStretch(1)
    for text, is_quiet in ((answer.title, False), (answer.words, True)):
        if not text:
            continue
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("quiet", is_quiet)
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        if not is_quiet and answer.words:
            font = label.font()
            font.setBold(True)
            label.setFont(font)
        lines.addWidget(label)
    lines.addStretch(1)
    return lines
