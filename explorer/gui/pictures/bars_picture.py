"""The softmax of the chosen query, key by key: score, exponential, share."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter

from explorer.core.measures import effective_keys, entropy_share
from explorer.core.rounding import rounded_sum_note, shown, shown_weight, typeset_minus
from explorer.gui.pictures.changes import faulty_rows
from explorer.gui.pictures.picture import Picture
from explorer.gui.pictures.style import CENTRE, LEFT, RIGHT, Style, draw_text, first_fitting, text_width
from explorer.state.document import Snapshot


@dataclass(frozen=True)
class Frame:
    """Where the bars stand: ``area`` in pixels, the share at its top, bars and the slots they stand in."""

    area: QRectF
    top: float
    count: int

    @property
    def slot(self) -> float:
        """Width of a bar with its gap."""
        return self.area.width() / max(self.count, 1)

    def bar(self, key: int, share: float) -> QRectF:
        """The rectangle of a bar."""
        width = self.slot * (0.8 if self.slot >= 6 else 1.0)
        height = self.area.height() * min(max(share, 0.0), self.top) / self.top
        left = self.area.left() + key * self.slot + (self.slot - width) / 2
        return QRectF(left, self.area.bottom() - height, width, height)

    def y(self, share: float) -> float:
        """The height at which a share is drawn."""
        return self.area.bottom() - self.area.height() * share / self.top

    def share_at(self, y: float) -> float:
        """The share that a height stands for."""
        return min(max((self.area.bottom() - y) / self.area.height(), 0.0), 1.0) * self.top


def _row(snapshot: Snapshot) -> NDArray[np.float64]:
    weights = snapshot.attention.weights
    return weights[snapshot.view.query] if len(weights) else np.zeros(0)


def frame(size: QSizeF, snapshot: Snapshot, style: Style) -> Frame:
    """The frame of the bars for a picture of this size."""
    row = _row(snapshot)
    finite = row[np.isfinite(row)]
    most = float(finite.max()) if finite.size else 1.0
    top = next((step for step in (0.25, 0.5, 1.0) if most <= step * 0.98), max(1.0, most))
    line = style.line_height
    left = text_width(style.font(0.85), "0.125") + style.size
    below = line * (2.3 if _has_terms(size, snapshot, style, left) else 1.3)
    top_margin = line * 3.3
    wide, high = size.width() - left - style.size * 2.6, size.height() - top_margin - below
    area = QRectF(left, top_margin, max(wide, 1), max(high, 1))
    slots = area.width() / max(len(row), 1)
    widest = style.size * 13
    if slots > widest:
        area.setWidth(widest * len(row))
    return Frame(area, top, len(row))


def _has_terms(size: QSizeF, snapshot: Snapshot, style: Style, left: float) -> bool:
    slot = (size.width() - left) / max(len(_row(snapshot)), 1)
    return snapshot.attention.logits is not None and slot > style.size * 6.2


def summary(snapshot: Snapshot) -> str:
    """Entropy of the chosen row, its share of the most there can be, and the effective number of keys."""
    attention, i = snapshot.attention, snapshot.view.query
    if not len(attention.entropy) or math.isnan(attention.entropy[i]):
        return "entropy not defined"
    entropy = attention.entropy[i : i + 1]
    keys = int(attention.allowed[i].sum())
    share = float(entropy_share(entropy, np.array([keys]))[0])
    said = f"H = {shown(float(entropy[0]), snapshot.view.decimals)} nats"
    if not math.isnan(share):
        percent = f"{100 * share:.0f}"
        percent = {"100": "100" if share >= 1 - 1e-12 else ">99", "0": "0" if share == 0 else "<1"}.get(
            percent, percent
        )
        said += f"  ·  {percent} % of ln {keys}"
    return f"{said}  ·  ≈ {shown(float(effective_keys(entropy)[0]), 2)} keys"


def terms(snapshot: Snapshot) -> tuple[NDArray[np.float64], str, str] | None:
    """The exponentials of the chosen row, their sum in words, and what was subtracted; None where there are none."""
    attention, i, decimals = snapshot.attention, snapshot.view.query, snapshot.view.decimals
    if attention.logits is None or attention.exponentials is None or attention.row_sums is None:
        return None
    e, total = attention.exponentials[i], float(attention.row_sums[i])
    if np.isinf(e).any() or math.isinf(total) or (total == 0 and attention.status[i] == "ok"):
        weights = attention.weights[i]  # exp(logit - m), without the rounding of a large shift
        e = weights / (weights.max() or 1.0)
        said = "overflow" if math.isinf(total) else "underflow"
        return e, f"Z = Σ eˢ⁻ᵐ = {shown(float(e.sum()), decimals)}  (m subtracted: eˢ would {said})", "eˢ⁻ᵐ"
    return e, f"Z = Σ eˢ = {shown(total, decimals)}", "eˢ"


def paint(painter: QPainter, size: QSizeF, snapshot: Snapshot, style: Style) -> None:
    """Draw the bars of the chosen query."""
    row = _row(snapshot)
    if not row.size:
        draw_text(painter, QRectF(QPointF(), size), "no keys", style.font(), style.colour("faint"))
        return
    status = snapshot.attention.status[snapshot.view.query]
    there = frame(size, snapshot, style)
    _draw_header(painter, size, snapshot, style)
    _draw_axis(painter, there, snapshot, style)
    if status != "ok":
        said = dict(faulty_rows(snapshot))[snapshot.view.query]
        draw_text(painter, there.area, said, style.font(1.1), style.colour("bad"))
    if there.slot >= 3:
        _draw_bars(painter, there, row, snapshot, style)
    else:
        _draw_outline(painter, there, row, style)
    _draw_names(painter, size, there, snapshot, style)


def _draw_header(painter: QPainter, size: QSizeF, snapshot: Snapshot, style: Style) -> None:
    line, decimals = style.line_height, snapshot.view.decimals
    attention, i = snapshot.attention, snapshot.view.query
    found = terms(snapshot)
    said = ""
    if found is not None and attention.logits is not None and attention.status[i] == "ok":
        top = shown(float(attention.logits[i].max()), decimals)
        said = f"row maximum m = {typeset_minus(top)}     {typeset_minus(found[1])}"
    elif math.isinf(snapshot.problem.beta):
        winner = "largest" if snapshot.problem.beta > 0 else "smallest"
        said = f"limit β = {typeset_minus(str(snapshot.problem.beta))}: all to the {winner}"
    elif attention.logits is None:
        said = "weights as typed"
    note = ""
    if attention.status[i] == "ok" and snapshot.problem.source.kind != "weights" and len(_row(snapshot)) <= 64:
        note = rounded_sum_note(_row(snapshot).tolist(), decimals)
    faint, font = style.colour("faint"), style.font(0.95)
    draw_text(painter, QRectF(style.size * 0.4, line, size.width() * 0.3, line), "share", font, faint, LEFT)
    room = size.width() - style.size
    full = "     ".join(part for part in (note, said) if part)
    first = first_fitting(font, room, full, said, said.partition("     ")[2] or said)
    draw_text(painter, QRectF(style.size * 0.5, 0, room, line), first, font, faint, RIGHT)
    whole = summary(snapshot)
    second = first_fitting(font, room - text_width(font, "share   "), whole, whole.rpartition("  ·  ")[0], whole)
    draw_text(painter, QRectF(style.size * 0.5, line, room, line), second, font, style.colour("ink"), RIGHT)


def _draw_axis(painter: QPainter, there: Frame, snapshot: Snapshot, style: Style) -> None:
    area = there.area
    for share in (0.0, there.top / 2, there.top):
        y = there.y(share)
        painter.setPen(style.pen("hatch" if share == 0 else "grid", 1.5 if share == 0 else 1))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        rect = QRectF(0, y - style.size * 0.7, area.left() - style.size * 0.5, style.size * 1.4)
        draw_text(painter, rect, f"{share:g}", style.font(0.85), style.colour("faint"), RIGHT)
    keys = int(snapshot.attention.allowed[snapshot.view.query].sum())
    if keys > 1 and 1 / keys <= there.top:
        y = there.y(1 / keys)
        painter.setPen(style.pen("uniform", 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right() + style.size * 0.2, y))


def _draw_uniform_name(painter: QPainter, there: Frame, snapshot: Snapshot, style: Style) -> None:
    keys = int(snapshot.attention.allowed[snapshot.view.query].sum())
    if keys > 1 and 1 / keys <= there.top:
        text = f"1/{keys}"
        width = text_width(style.font(0.85), text) + 4
        rect = QRectF(
            there.area.right() + 4, there.y(1 / keys) - style.size * 0.7, max(width, style.size * 2), style.size * 1.4
        )
        draw_text(painter, rect, text, style.font(0.85), style.colour("uniform"), LEFT)


def _draw_bars(painter: QPainter, there: Frame, row: NDArray[np.float64], snapshot: Snapshot, style: Style) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    font, decimals = style.font(1.15, bold=True), snapshot.view.decimals
    for j, share in enumerate(row.tolist()):
        if not math.isfinite(share):
            continue
        bar = there.bar(j, share)
        is_chosen = j == snapshot.view.key and style.is_screen
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.colour("weights"))
        painter.drawRoundedRect(bar, 2, 2)
        if is_chosen:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(style.pen("key", 2.5))
            painter.drawRect(
                there.bar(j, there.top).adjusted(-2, -2, 2, 2) if share <= 0 else bar.adjusted(-2, -2, 2, 0)
            )
        if not snapshot.attention.allowed[snapshot.view.query, j]:
            _draw_hidden(painter, there, j, style)
        text = shown_weight(share, decimals)
        if snapshot.attention.status[snapshot.view.query] == "ok" and text_width(font, text) <= there.slot - 2:
            above = QRectF(
                bar.center().x() - there.slot / 2, bar.top() - style.size * 1.7, there.slot, style.size * 1.6
            )
            plate = QRectF(0, 0, text_width(font, text) + 4, style.size * 1.2)
            plate.moveCenter(above.center())
            painter.fillRect(plate, style.colour("paper"))
            draw_text(painter, above, typeset_minus(text), font, style.colour("ink"))
    _draw_uniform_name(painter, there, snapshot, style)


def _draw_hidden(painter: QPainter, there: Frame, key: int, style: Style) -> None:
    slot = there.bar(key, there.top)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(style.colour("hatch"))
    brush = painter.brush()
    brush.setStyle(Qt.BrushStyle.BDiagPattern)
    painter.setBrush(brush)
    painter.drawRect(QRectF(slot.left(), there.area.bottom() - style.size, slot.width(), style.size))


def _draw_outline(painter: QPainter, there: Frame, row: NDArray[np.float64], style: Style) -> None:
    """Bars too thin to tell apart: one filled column a pixel, the largest share of its keys."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    clean = np.nan_to_num(row, nan=0.0)
    columns = min(int(there.area.width()), len(row))
    starts = (np.arange(columns) * len(row)) // columns
    tops = np.maximum.reduceat(clean, starts)
    width = there.area.width() / columns
    for at, share in enumerate(tops.tolist()):
        if share > 0:
            left = there.area.left() + at * width
            painter.fillRect(QRectF(left, there.y(share), max(width, 1), there.area.bottom() - there.y(share)),
                             style.colour("weights"))  # fmt: skip


def _draw_names(painter: QPainter, size: QSizeF, there: Frame, snapshot: Snapshot, style: Style) -> None:
    document, line = snapshot.document, style.line_height
    longest = max(
        text_width(style.font(), document.key_name(j)) for j in {*range(min(there.count, 60)), there.count - 1}
    )
    step = 1 if there.slot > style.size * 3 else max(1, math.ceil((longest + style.size) / max(there.slot, 0.01)))
    for j in sorted({*range(0, there.count, step), snapshot.view.key}):
        if step > 1 and j != snapshot.view.key and abs(j - snapshot.view.key) < step:
            continue
        centre = there.area.left() + (j + 0.5) * there.slot
        width = max(there.slot - 2, longest if step > 1 else 0)
        rect = QRectF(centre - width / 2, there.area.bottom() + 3, width, line)
        bold = style.is_screen and j == snapshot.view.key
        draw_text(painter, rect, document.key_name(j), style.font(bold=bold), style.colour("key_text"), CENTRE)
        if _has_terms(size, snapshot, style, there.area.left()):
            _draw_terms(painter, rect.translated(0, line), j, snapshot, style)


def _draw_terms(painter: QPainter, rect: QRectF, key: int, snapshot: Snapshot, style: Style) -> None:
    attention, i, decimals = snapshot.attention, snapshot.view.query, snapshot.view.decimals
    found = terms(snapshot)
    if found is None or attention.logits is None:
        return
    e, _, name = found
    text = f"s {shown(float(attention.logits[i, key]), decimals)} → {name} {shown(float(e[key]), decimals)}"
    draw_text(painter, rect, typeset_minus(text), style.font(0.8), style.colour("faint"))


def cell_at(point: QPointF, size: QSizeF, snapshot: Snapshot, style: Style) -> tuple[int | None, int | None] | None:
    """The key whose slot is at a point."""
    there = frame(size, snapshot, style)
    if not there.count or not there.area.left() <= point.x() < there.area.right():
        return None
    return None, min(int((point.x() - there.area.left()) / there.slot), there.count - 1)


def describe(snapshot: Snapshot) -> str:
    """The bars in words: every share, the sum, the entropy."""
    row, document, view = _row(snapshot), snapshot.document, snapshot.view
    if not row.size:
        return "no keys"
    said = ", ".join(
        f"{document.key_name(j)} {shown_weight(float(row[j]), view.decimals)}" for j in range(min(len(row), 12))
    )
    found = terms(snapshot)
    total = f"; {found[1]}" if found else ""
    return f"softmax of query {document.query_name(view.query)}: {said}{total}; {summary(snapshot)}"


BARS = Picture("bars", "Softmax", paint, cell_at, describe)
