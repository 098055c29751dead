"""The attention weights."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QSizeF
from PySide6.QtGui import QPainter

from explorer.core.rounding import rounded_sum_note, shown, shown_weight
from explorer.gui.pictures import heatmap
from explorer.gui.pictures.changes import changed_cells, faulty_rows
from explorer.gui.pictures.colours import lut_of
from explorer.gui.pictures.heatmap import Heatmap
from explorer.gui.pictures.picture import Picture
from explorer.gui.pictures.style import Style
from explorer.state.document import Snapshot


def build(snapshot: Snapshot, style: Style) -> Heatmap:
    """The heatmap of the weights, coloured 0..1."""
    document, attention, view = snapshot.document, snapshot.attention, snapshot.view
    weights = attention.weights
    hidden = ~attention.allowed
    return Heatmap(
        weights, hidden, changed_cells(snapshot, "weights"),
        tuple(document.query_name(i) for i in range(snapshot.problem.n_q)),
        tuple(document.key_name(j) for j in range(snapshot.problem.n_k)),
        (view.query, view.key), lut_of(style.theme, view.colormap), 0.0, 1.0,
        partial(shown_weight, decimals=view.decimals),
        hidden_text="0", rims=_row_sums(snapshot), bands=faulty_rows(snapshot) if len(weights) <= 40 else (),
        caption=caption(snapshot), legend=("1", "0.5", "0"),
    )  # fmt: skip


def _row_sums(snapshot: Snapshot) -> tuple[str, ...]:
    decimals, totals = snapshot.view.decimals, snapshot.attention.weights.sum(axis=1).tolist()
    return tuple("" if math.isnan(total) else f"Σ {shown(total, decimals)}" for total in totals)


def caption(snapshot: Snapshot) -> str:
    """What has to be said of the chosen row's printed numbers."""
    attention, view = snapshot.attention, snapshot.view
    if not attention.weights.size:
        return ""
    tied = "tied within rounding" if view.query in attention.tied_by_rounding else ""
    if attention.status[view.query] != "ok" or snapshot.problem.source.kind == "weights":
        return tied
    row = attention.weights[view.query]
    note = rounded_sum_note(row.tolist(), view.decimals) if len(row) <= 64 else ""
    limit = "limit: all to the largest" if snapshot.problem.beta == np.inf else ""
    if snapshot.problem.beta == -np.inf:
        limit = "limit: all to the smallest"
    return "; ".join(part for part in (limit, tied, note) if part)


def paint(painter: QPainter, size: QSizeF, snapshot: Snapshot, style: Style) -> None:
    """Draw the weights."""
    heatmap.paint(painter, size, build(snapshot, style), style)


def cell_at(point: QPointF, size: QSizeF, snapshot: Snapshot, style: Style) -> tuple[int | None, int | None] | None:
    """The query and key at a point."""
    return heatmap.place(build(snapshot, style), size, style).at(point)


def describe(snapshot: Snapshot) -> str:
    """The weights in words: shape, range, the chosen row."""
    attention, document, view = snapshot.attention, snapshot.document, snapshot.view
    weights = attention.weights
    if not weights.size:
        return "weights, empty"
    head = f"weights, {weights.shape[0]} queries by {weights.shape[1]} keys"
    status = attention.status[view.query]
    row = weights[view.query]
    said = ", ".join(
        f"{document.key_name(j)} {shown_weight(float(row[j]), view.decimals)}" for j in range(min(len(row), 12))
    )
    more = f" and {len(row) - 12} more" if len(row) > 12 else ""
    fault = "" if status == "ok" else f" ({dict(faulty_rows(snapshot))[view.query]})"
    return f"{head}; query {document.query_name(view.query)}: {said}{more}{fault}"


WEIGHTS = Picture("weights", "Weights", paint, cell_at, describe)
