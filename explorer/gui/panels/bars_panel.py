"""The softmax of the chosen query as bars."""

from __future__ import annotations

import math
from itertools import count

from PySide6.QtCore import QPointF

from explorer.gui.panels.panel import PicturePanel
from explorer.gui.pictures.bars_picture import BARS, frame
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.picture_view import Cell
from explorer.state import edits
from explorer.state.document import Snapshot

_drags = count(1)


class BarsPanel(PicturePanel):
    """Shares key by key; with typed scores a bar can be dragged, and its score follows."""

    ID = "bars"
    TITLE = "Softmax"
    PICTURE = BARS

    def __init__(self) -> None:
        super().__init__()
        self._style: Style | None = None
        self._held: tuple[int, float, str] | None = None

    def display(self, snapshot: Snapshot, style: Style) -> None:
        super().display(snapshot, style)
        self._style = style

    def title(self, snapshot: Snapshot) -> str:
        if not snapshot.problem.n_q:
            return self.TITLE
        return f"Softmax of query “{snapshot.document.query_name(snapshot.view.query)}”"

    def subtitle(self, snapshot: Snapshot) -> tuple[str, str]:
        return "", f"{snapshot.problem.n_k} key{'' if snapshot.problem.n_k == 1 else 's'}"

    def _press(self, cell: Cell, point: QPointF) -> None:
        if cell[1] is not None:
            self._held = (cell[1], point.y(), f"bar-{next(_drags)}")

    def _drag(self, cell: Cell | None, point: QPointF) -> None:
        snapshot, style = self._snapshot, self._style
        if self._held is None or snapshot is None or style is None or abs(point.y() - self._held[1]) < 4:
            return
        key, _, drag = self._held
        share = frame(self.picture.size_of_picture(), snapshot, style).share_at(point.y())
        score = score_for_share(snapshot, key, share)
        if score is not None:
            cells = {(snapshot.view.query, key): (score, None)}
            self.requested.emit(edits.set_cells("scores", cells, merge=drag))

    def _release(self) -> None:
        self._held = None


def score_for_share(snapshot: Snapshot, key: int, share: float) -> float | None:
    """The typed score, to three decimals, that gives a key this share while the others stay; None where none can.

    From w = e / (e + rest) follows logit = ln(w rest / (1 - w)), with the rest as it is now.
    """
    problem, attention, query = snapshot.problem, snapshot.attention, snapshot.view.query
    is_fixed = problem.source.kind != "scores" or problem.softcap or not problem.beta or math.isinf(problem.beta)
    if is_fixed or attention.masked is None or not attention.allowed[query, key]:
        return None
    now = float(attention.weights[query, key])
    if not 0 < now < 1:
        return None
    share = min(max(share, 0.001), 0.999)
    moved = math.log(share / (1 - share)) - math.log(now / (1 - now))  # the change of this key's logit
    bias = 0.0 if problem.bias is None else float(problem.bias[query, key])
    score = (float(attention.masked[query, key]) - bias + moved / problem.beta) * problem.divisor
    return float(round(score, 3)) if math.isfinite(score) else None
