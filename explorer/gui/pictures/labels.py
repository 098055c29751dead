"""Token labels and axis names around a matrix."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.gui.pictures.style import CENTRE, LEFT, RIGHT, Style, draw_rotated, draw_text, text_width
from explorer.gui.pictures.table import Table


def draw_labels(
    painter: QPainter, table: Table, rows: Sequence[str], columns: Sequence[str], chosen: tuple[int, int | None] | None,
    style: Style, *, column_role: str = "key", axis_names: bool = True,
) -> None:  # fmt: skip
    """Name the axes and every row and column that has room for it, the chosen ones in bold."""
    bold = chosen if style.is_screen else None
    _draw_rows(painter, table, rows, None if bold is None else bold[0], style)
    _draw_columns(painter, table, columns, None if bold is None else bold[1], style, column_role)
    if axis_names:
        line = style.line_height
        font, left = style.font(0.9), table.rect.left()
        name = text_width(font, "query ↓")
        if name + style.size * 0.5 <= table.row_band:
            corner = QRectF(0, table.rect.top() - line, left - style.size * 0.45, line)
            draw_text(painter, corner, "query ↓", font, style.colour("query_text"), RIGHT)
        else:
            start = max(left - table.row_band, 0) + 2
            draw_text(painter, QRectF(start, 0, name + 2, line), "query ↓", font, style.colour("query_text"), LEFT)
            left = max(left, start + name + style.size)
        draw_text(painter, QRectF(left, 0, style.size * 6, line), "key →", font, style.colour("key_text"), LEFT)


def _draw_rows(painter: QPainter, table: Table, labels: Sequence[str], chosen: int | None, style: Style) -> None:
    step = table.label_step(table.cell_height, style)
    for i in sorted({*range(0, len(labels), step), *([] if chosen is None else [chosen])}):
        if step > 1 and chosen is not None and i != chosen and abs(i - chosen) < step:
            continue
        row = table.row(i)
        rect = QRectF(row.left() - table.row_band, row.center().y() - style.line_height / 2,
                      table.row_band - style.size * 0.45, style.line_height)  # fmt: skip
        needed = text_width(style.font(bold=True), labels[i])
        font = style.font(min(1.0, max(rect.width() / max(needed, 1), 0.75)), bold=i == chosen)
        draw_text(painter, rect, labels[i], font, style.colour("query_text"), RIGHT)


def _draw_columns(
    painter: QPainter, table: Table, labels: Sequence[str], chosen: int | None, style: Style, role: str
) -> None:
    line = style.line_height
    widest = 0.0
    if not table.is_rotated and table.cell_width < line:
        widest = style.size * (0.65 * max((len(label) for label in labels[-20:]), default=1) + 0.6)
    step = max(1, -int(-max(widest, 0.0) // max(table.cell_width, 0.01))) if widest else 1
    step = max(step, table.label_step(table.cell_width, style) if table.is_rotated else 1)
    for j in sorted({*range(0, len(labels), step), *([] if chosen is None else [chosen])}):
        if step > 1 and chosen is not None and j != chosen and abs(j - chosen) < step:
            continue
        column = table.column(j)
        needed = text_width(style.font(bold=True), labels[j])
        font = style.font(min(1.0, max((table.cell_width - 2) / max(needed, 1), 0.75)), bold=j == chosen)
        if table.is_rotated and needed > table.cell_width - 2:
            font = style.font(bold=j == chosen)
            height = table.column_band - line - 2
            rect = QRectF(column.center().x() - line / 2, table.rect.top() - height - 3, line, height)
            draw_rotated(painter, rect, labels[j], font, style.colour(f"{role}_text"))
        else:
            width = max(column.width(), widest)
            rect = QRectF(column.center().x() - width / 2, table.rect.top() - line - 1, width, line)
            if rect.right() > table.rect.right() + style.size and j != chosen:
                continue
            draw_text(painter, rect, labels[j], font, style.colour(f"{role}_text"), CENTRE)
