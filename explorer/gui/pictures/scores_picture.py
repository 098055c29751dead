"""The scores, at one of their stages."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from explorer.core.rounding import shown, typeset_minus
from explorer.gui.pictures import heatmap
from explorer.gui.pictures.changes import changed_cells, faulty_rows
from explorer.gui.pictures.colours import lut_of
from explorer.gui.pictures.heatmap import Heatmap
from explorer.gui.pictures.picture import Picture
from explorer.gui.pictures.style import Style, draw_text
from explorer.state.document import Snapshot

STAGE_NAMES = {"scores": "raw", "scaled": "scaled", "masked": "masked", "logits": "logits"}


def formula(snapshot: Snapshot) -> str:
    """How the shown stage comes about, in a few signs."""
    problem, stage = snapshot.problem, snapshot.view.stage
    if problem.source.kind == "weights":
        return "not given"
    raw = "scores" if problem.source.kind == "scores" else "QKᵀ"
    divisor = "√dₖ" if problem.scale == "sqrt_dk" else f"{problem.divisor:g}"
    scaled = raw if problem.divisor == 1 and problem.scale != "sqrt_dk" else f"{raw} / {divisor}"
    stages = {"scores": raw, "scaled": scaled, "masked": _masked(snapshot, scaled), "logits": "β × masked + shift"}
    return stages[stage]


def _masked(snapshot: Snapshot, scaled: str) -> str:
    """What softcap, bias and mask make of the scaled scores; only what is there, for the line is short."""
    problem = snapshot.problem
    said = f"softcap({scaled})" if problem.softcap else scaled
    said += " + B" if problem.bias is not None else ""
    return said if said != scaled and snapshot.attention.allowed.all() else f"{said}, masked"


def build(snapshot: Snapshot, style: Style) -> Heatmap | None:
    """The heatmap of the shown stage; None where the problem has no such stage."""
    stage = snapshot.view.stage
    values = getattr(snapshot.attention, stage)
    if values is None:
        return None
    document, attention = snapshot.document, snapshot.attention
    seen = np.abs(values[np.isfinite(values)])
    most = float(seen.max()) if seen.size else 0.0
    most = most or 1.0
    hidden = ~attention.allowed
    is_cut = stage in ("masked", "logits")
    number = partial(shown, decimals=snapshot.view.decimals)
    edge = typeset_minus(number(most))
    return Heatmap(
        values, hidden, changed_cells(snapshot, stage),
        tuple(document.query_name(i) for i in range(snapshot.problem.n_q)),
        tuple(document.key_name(j) for j in range(snapshot.problem.n_k)),
        (snapshot.view.query, snapshot.view.key), lut_of(style.theme, None), -most, most, number,
        hidden_text="−∞" if is_cut else None,
        bands=faulty_rows(snapshot) if is_cut and snapshot.problem.n_q <= 40 else (),
        caption="hatched: hidden" if hidden.any() else "",
        legend=(edge, "0", f"−{edge}"),
    )  # fmt: skip


def paint(painter: QPainter, size: QSizeF, snapshot: Snapshot, style: Style) -> None:
    """Draw the stage, or say that it is not given."""
    drawn = build(snapshot, style)
    if drawn is None:
        draw_text(painter, QRectF(QPointF(), size), absence(snapshot), style.font(), style.colour("faint"))
        return
    heatmap.paint(painter, size, drawn, style)


def absence(snapshot: Snapshot) -> str:
    """Why there is no such stage."""
    if snapshot.problem.source.kind == "weights":
        return "not given: the weights were typed"
    return f"no logits in the limit β = {typeset_minus(str(snapshot.problem.beta))}"


def cell_at(point: QPointF, size: QSizeF, snapshot: Snapshot, style: Style) -> tuple[int | None, int | None] | None:
    """The query and key at a point."""
    drawn = build(snapshot, style)
    return None if drawn is None else heatmap.place(drawn, size, style).at(point)


def describe(snapshot: Snapshot) -> str:
    """The stage in words: shape, range, the chosen cell."""
    stage = snapshot.view.stage
    values = getattr(snapshot.attention, stage)
    if values is None:
        return absence(snapshot)
    query, key, document = snapshot.view.query, snapshot.view.key, snapshot.document
    name = f"{STAGE_NAMES[stage]} scores{_ingredients(snapshot)}"
    if not values.size:
        return f"{name}, empty"
    number = partial(shown, decimals=snapshot.view.decimals)
    seen = values[np.isfinite(values)]
    span = f", from {number(float(seen.min()))} to {number(float(seen.max()))}" if seen.size else ""
    hidden = int((~snapshot.attention.allowed).sum())
    rest = f", {hidden} hidden" if hidden else ""
    chosen = number(float(values[query, key])) + ("" if snapshot.attention.allowed[query, key] else ", hidden")
    return (
        f"{name}, {values.shape[0]} queries by {values.shape[1]} keys{span}{rest}; "
        f"query {document.query_name(query)}, key {document.key_name(key)}: {chosen}"
    )


def _ingredients(snapshot: Snapshot) -> str:
    """Softcap and bias in words, at the stages that hold them."""
    problem = snapshot.problem
    parts = [f"softcap {problem.softcap:.6g}"] if problem.softcap else []
    parts += ["bias B"] if problem.bias is not None else []
    return f" with {' and '.join(parts)}" if parts and snapshot.view.stage in ("masked", "logits") else ""


SCORES = Picture("scores", "Scores", paint, cell_at, describe)
