"""The output: weights v, the terms that make the chosen row, and the box that the values span."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from explorer.core.rounding import shown, shown_weight, typeset_minus
from explorer.gui.pictures.changes import changed_cells, draw_outline
from explorer.gui.pictures.colours import colours_of, image_of, lut_of
from explorer.gui.pictures.labels import draw_labels
from explorer.gui.pictures.picture import Picture
from explorer.gui.pictures.style import CENTRE, LEFT, RIGHT, Style, draw_centred, draw_text, first_fitting, text_width
from explorer.gui.pictures.table import Table, lay_out, number_factor
from explorer.state.document import Snapshot

_MOST_TERMS = 12


@dataclass(frozen=True)
class Parts:
    """Where the parts lie: the output's table, the terms below it (columns as above), the box at the bottom."""

    table: Table
    terms: tuple[int, ...]
    terms_top: float
    box_top: float
    row_height: float


def _terms_shown(snapshot: Snapshot, room: int) -> tuple[int, ...]:
    """The keys with the largest weights for the chosen query, in their order."""
    row = np.nan_to_num(snapshot.attention.weights[snapshot.view.query], nan=0.0)
    most = min(room, _MOST_TERMS, len(row))
    return tuple(sorted(np.argsort(-np.abs(row), kind="stable")[:most].tolist())) if most > 0 else ()


def parts(size: QSizeF, snapshot: Snapshot, style: Style) -> Parts | None:
    """The places of a picture of this size; None without an output to show."""
    output = snapshot.attention.output
    if output is None or not output.size:
        return None
    line = style.line_height
    n_k = snapshot.problem.n_k
    rows = [snapshot.document.query_name(i) for i in range(len(output))]
    columns = [str(column + 1) for column in range(output.shape[1])]
    box = line * 2.4
    least = line * (2 + min(len(rows), 3) * 1.5)
    room = size.height() - box - least - line * 1.6
    count = max(0, min(int(room // (line * 1.1)), _MOST_TERMS, n_k))
    is_wide = output.shape[1] * style.size * 2 > size.width() * 0.7
    count = 0 if is_wide else count
    bottom = box + ((count + 1.6) * line * 1.1 if count else line * 4 if len(columns) > 4 else 0) + 6
    if size.height() < line * 7:
        bottom = box = 0.0
    labels = [*rows, *(snapshot.document.key_name(j) for j in range(min(n_k, 100)))]
    table = lay_out(
        size,
        style,
        rows,
        columns,
        right=style.size * 0.6,
        bottom=bottom,
        has_axis_names=False,
        widest=74,
        is_loose=True,
    )
    wide = (
        max(text_width(style.font(bold=True), f"{label} · 0.000 ×") + 4 for label in labels[:60]) + style.size * 0.6
        if count
        else 0
    )
    if count:
        table = _with_band(table, size, min(max(wide, table.row_band), size.width() * 0.55), style)
    terms_top = table.rect.bottom() + line * 0.5
    box_top = terms_top + ((count + 1.3) * line * 1.1 if count else 0)
    return Parts(table, _terms_shown(snapshot, count), terms_top, box_top if box else size.height(), line * 1.1)


def _with_band(table: Table, size: QSizeF, band: float, style: Style) -> Table:
    """The same table with a wider band for labels, its cells narrower where they must be."""
    room = max(size.width() - band - style.size * 0.5, 1.0)
    width = min(table.cell_width, room / max(table.columns, 1))
    left = band + max((room - width * table.columns) / 2, 0) * 0.4
    rect = QRectF(round(left), table.rect.top(), width * table.columns, table.rect.height())
    return Table(rect, table.rows, table.columns, band, table.column_band, is_rotated=False)


def paint(painter: QPainter, size: QSizeF, snapshot: Snapshot, style: Style) -> None:
    """Draw the output, or say why there is none."""
    places = parts(size, snapshot, style)
    if places is None:
        draw_text(painter, QRectF(QPointF(), size), absence(snapshot), style.font(), style.colour("faint"))
        return
    document = snapshot.document
    rows = [document.query_name(i) for i in range(places.table.rows)]
    columns = [str(column + 1) for column in range(places.table.columns)]
    draw_labels(painter, places.table, rows, columns, (snapshot.view.query, None), style,
                column_role="output", axis_names=False)  # fmt: skip
    _draw_numbers(painter, places.table, snapshot, style)
    _draw_marks(painter, places.table, snapshot, style)
    if places.terms:
        _draw_terms(painter, places, snapshot, style)
    elif places.table.columns > 4:
        _draw_reading(painter, places, snapshot, style)
    if places.box_top < size.height():
        _draw_box(painter, places, snapshot, style)


def absence(snapshot: Snapshot) -> str:
    """Why there is no output."""
    return "no output: no queries" if snapshot.attention.output is not None else "no values, so no output"


def _draw_numbers(painter: QPainter, table: Table, snapshot: Snapshot, style: Style) -> None:
    """The numbers of the output, or their colours where the numbers could not be read."""
    output, decimals = snapshot.attention.output, snapshot.view.decimals
    assert output is not None
    factor = _number_factor(table, output, decimals, style)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if factor * style.size < 8:
        _draw_colours(painter, table, output, style)
        return
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(style.pen("grid"))
    for line in range(table.rows + 1):
        y = table.rect.top() + line * table.cell_height
        painter.drawLine(QPointF(table.rect.left(), y), QPointF(table.rect.right(), y))
    for line in range(table.columns + 1):
        x = table.rect.left() + line * table.cell_width
        painter.drawLine(QPointF(x, table.rect.top()), QPointF(x, table.rect.bottom()))
    for i, row in enumerate(output.tolist()):
        colour = style.colour("bad" if snapshot.attention.status[i] == "invalid" else "ink")
        texts = [(table.cell(i, column), typeset_minus(shown(value, decimals))) for column, value in enumerate(row)]
        draw_centred(painter, texts, style.font(factor), colour)


def _number_factor(table: Table, output: NDArray[np.float64], decimals: int, style: Style) -> float:
    ends = (float(output.max()), float(output.min()))
    longest = max(text_width(style.font(), typeset_minus(shown(value, decimals))) for value in ends)
    return number_factor(table, longest, style)


def _draw_colours(painter: QPainter, table: Table, output: NDArray[np.float64], style: Style) -> None:
    finite = np.abs(output[np.isfinite(output)])
    most = float(finite.max()) if finite.size and finite.max() > 0 else 1.0
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(table.rect, image_of(colours_of(output, -most, most, lut_of(style.theme, None))))


def _draw_marks(painter: QPainter, table: Table, snapshot: Snapshot, style: Style) -> None:
    if not style.is_screen:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    changed = changed_cells(snapshot, "output")
    if changed is not None:
        draw_outline(painter, table, changed, style)
    if style.hover is not None and style.hover[0] < table.rows:
        painter.setPen(style.pen("faint", 1, Qt.PenStyle.DashLine))
        painter.drawRect(table.row(style.hover[0]))
    painter.setPen(style.pen("query", 3))
    painter.drawRect(table.row(snapshot.view.query).adjusted(-1, -1, 1, 1))


def _draw_terms(painter: QPainter, places: Parts, snapshot: Snapshot, style: Style) -> None:
    """The terms w_ij v_j of the chosen query, one row a key, in the columns of the output."""
    attention, document, i = snapshot.attention, snapshot.document, snapshot.view.query
    v, weights, decimals = attention.v, attention.weights[i], snapshot.view.decimals
    assert v is not None
    left_out = snapshot.problem.n_k - len(places.terms)
    title = f"{document.query_name(i)} = Σ weight × v" + (f"   ({left_out} smaller left out)" if left_out else "")
    top = QRectF(2, places.terms_top, places.table.rect.right() - 2, places.row_height)
    top.setWidth(max(top.width(), style.size * 18))
    draw_text(painter, top, title, style.font(0.9), style.colour("output_text"), LEFT)
    shares = weights[list(places.terms)]
    products = np.where(shares[:, None] == 0, 0.0, shares[:, None] * v[list(places.terms)])
    texts = [[typeset_minus(shown(term, decimals)) for term in row] for row in products.tolist()]
    longest = max(text_width(style.font(bold=True), text) for row in texts for text in row)
    factor = min(0.95, (places.table.cell_width - 4) / longest)
    for at, j in enumerate(places.terms):
        y = places.terms_top + (at + 1) * places.row_height
        weight = shown_weight(float(weights[j]), decimals)
        head = QRectF(2, y, places.table.rect.left() - style.size * 0.45, places.row_height)
        bold = j == snapshot.view.key and style.is_screen
        font, name, weight = style.font(0.95, bold=bold), document.key_name(j), typeset_minus(weight)
        said = first_fitting(font, head.width(), f"{name} · {weight} ×", f"{name} {weight}", f"{weight} ×", weight)
        draw_text(painter, head, said, font, style.colour("value_text"), RIGHT)
        if factor * style.size < 7.5:
            continue
        for column, text in enumerate(texts[at]):
            cell = QRectF(places.table.cell(0, column).left(), y, places.table.cell_width, places.row_height)
            draw_text(painter, cell, text, style.font(factor, bold=bold), style.colour("ink"))


def _draw_reading(painter: QPainter, places: Parts, snapshot: Snapshot, style: Style) -> None:
    """The first numbers of the chosen row, where the table itself is too wide to print them."""
    output, i = snapshot.attention.output, snapshot.view.query
    assert output is not None
    numbers = ", ".join(typeset_minus(shown(float(value), snapshot.view.decimals)) for value in output[i][:16])
    more = f", … ({output.shape[1]} columns)" if output.shape[1] > 16 else ""
    rect = QRectF(4, places.terms_top, places.table.rect.right() - 4, places.row_height * 6)
    painter.setFont(style.font(0.95))
    painter.setPen(style.colour("ink"))
    text = f"{snapshot.document.query_name(i)} = {numbers}{more}"
    painter.drawText(rect, int(Qt.TextFlag.TextWordWrap), text)


def _draw_box(painter: QPainter, places: Parts, snapshot: Snapshot, style: Style) -> None:
    """Under each column, the span of its values over the keys in sight, and the output inside it."""
    attention, i = snapshot.attention, snapshot.view.query
    output, v = attention.output, attention.v
    assert output is not None
    assert v is not None
    seen = v[attention.allowed[i] & np.isfinite(v).all(axis=1)]
    if not len(seen) or attention.status[i] != "ok" or places.table.cell_width < 24:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    y = places.box_top + style.line_height * 0.75
    head = QRectF(2, y - style.size * 0.7, places.table.rect.left() - style.size * 0.45, style.size * 1.4)
    draw_text(painter, head, "min – max of V", style.font(0.85), style.colour("faint"), RIGHT)
    for column in range(places.table.columns):
        cell = places.table.cell(0, column)
        low, high = float(seen[:, column].min()), float(seen[:, column].max())
        left, right = cell.left() + cell.width() * 0.16, cell.right() - cell.width() * 0.16
        painter.setPen(style.pen("value", 2))
        painter.drawLine(QPointF(left, y), QPointF(right, y))
        for x in (left, right):
            painter.drawLine(QPointF(x, y - 4), QPointF(x, y + 4))
        at = (float(output[i, column]) - low) / (high - low) if high > low else 0.5
        if math.isfinite(at):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(style.colour("output"))
            painter.drawEllipse(
                QPointF(left + min(max(at, 0), 1) * (right - left), y), style.size * 0.32, style.size * 0.32
            )
        ends = QRectF(cell.left(), y + style.size * 0.5, cell.width(), style.line_height)
        text = typeset_minus(f"{low:.4g} – {high:.4g}".replace("-", "−"))
        if text_width(style.font(0.8), text) <= cell.width():
            draw_text(painter, ends, text, style.font(0.8), style.colour("faint"), CENTRE)


def cell_at(point: QPointF, size: QSizeF, snapshot: Snapshot, style: Style) -> tuple[int | None, int | None] | None:
    """The query of the output row at a point, or the key of a term."""
    places = parts(size, snapshot, style)
    if places is None:
        return None
    found = places.table.at(point)
    if found is not None:
        return found[0], None
    at = int((point.y() - places.terms_top) // places.row_height) - 1
    return (None, places.terms[at]) if 0 <= at < len(places.terms) else None


def describe(snapshot: Snapshot) -> str:
    """The output in words: shape and the chosen row."""
    output, view = snapshot.attention.output, snapshot.view
    if output is None or not output.size:
        return absence(snapshot)
    row = ", ".join(shown(float(value), view.decimals) for value in output[view.query][:12])
    more = f" and {output.shape[1] - 12} more" if output.shape[1] > 12 else ""
    name = snapshot.document.query_name(view.query)
    return f"output, {output.shape[0]} queries by {output.shape[1]} columns; query {name}: {row}{more}"


OUTPUT = Picture("output", "Output", paint, cell_at, describe)
