"""The labels beside and above the cells of a grid."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHeaderView

from explorer.gui.grid.model import GridModel
from explorer.gui.pictures.style import CENTRE, RIGHT, draw_text


class Header(QHeaderView):
    """Draws token labels in the colour of their role, the chosen row's in bold."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(8)
        self.setHighlightSections(False)
        self.setSectionsClickable(True)
        self.viewport().setAutoFillBackground(True)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self.model()
        if not isinstance(model, GridModel) or model.style is None:
            return
        is_row = self.orientation() == Qt.Orientation.Vertical
        text, role, is_bold = model.heading(section, self.orientation())
        room = QRectF(rect).adjusted(2, 0, -6 if is_row else -2, 0)
        font = model.style.font(bold=is_bold)
        draw_text(painter, room, text, font, model.style.colour(role), RIGHT if is_row else CENTRE)
