"""The softmax of the chosen query as bars."""

from __future__ import annotations

import math
from itertools import count

import numpy as np
from PySide6.QtCore import QPointF

from explorer.errors import ExplorerError
from explorer.gui.panels.panel import PicturePanel
from explorer.gui.pictures.bars_picture import BARS, frame
from explorer.gui.widgets.picture_view import Cell
from explorer.state import edits
from explorer.state.document import Snapshot

_drags = count(1)
_LONGEST = 24


class BarsPanel(PicturePanel):
    """Shares key by key; with typed scores a bar can be dragged, and its score follows."""

    ID = "bars"
    TITLE = "Softmax"
    PICTURE = BARS

    def __init__(self) -> None:
        super().__init__()
        self._held: tuple[int, float, str] | None = None

    def title(self, snapshot: Snapshot) -> str:
        if not snapshot.problem.n_q:
            return self.TITLE
        name = snapshot.document.query_name(snapshot.view.query)
        return f"Softmax of query “{name if len(name) <= _LONGEST else name[: _LONGEST - 1] + '…'}”"

    def subtitle(self, snapshot: Snapshot) -> tuple[str, str]:
        return "", f"{snapshot.problem.n_k} key{'' if snapshot.problem.n_k == 1 else 's'}"

    def _press(self, cell: Cell, point: QPointF) -> None:
        if cell[1] is not None:
            self._held = (cell[1], point.y(), f"bar-{next(_drags)}")

    def _drag(self, cell: Cell | None, point: QPointF) -> None:
        snapshot = self._snapshot
        if self._held is None or snapshot is None or abs(point.y() - self._held[1]) < 4:
            return
        key, _, drag = self._held
        share = frame(self.picture.size_of_picture(), snapshot, self.picture.style_here).share_at(point.y())
        score = score_for_share(snapshot, key, share)
        if score is None:
            needed = "use typed scores, no softcap, finite beta, two keys or more"
            self.refused.emit(ExplorerError("this bar cannot be dragged", needed))
        else:
            cells = {(snapshot.view.query, key): (score, None)}
            self.requested.emit(edits.set_cells("scores", cells, merge=drag))

    def _release(self) -> None:
        self._held = None


def score_for_share(snapshot: Snapshot, key: int, share: float) -> float | None:
    """The typed score, to three decimals, that gives a key this share while the others stay; None where none can.

    From w = e / (e + rest) follows logit = ln(w / (1 - w)) + ln(rest), with the rest as it is now.
    """
    problem, attention, query = snapshot.problem, snapshot.attention, snapshot.view.query
    is_fixed = problem.source.kind != "scores" or problem.softcap or not problem.beta or math.isinf(problem.beta)
    if is_fixed or attention.masked is None or not attention.allowed[query, key]:
        return None
    logits = attention.masked[query] * problem.beta
    rest = np.delete(logits, key)[np.delete(attention.allowed[query], key)]
    if not rest.size or attention.status[query] != "ok":
        return None
    top = float(rest.max())
    share = min(max(share, 0.001), 0.999)
    wanted = math.log(share / (1 - share)) + top + math.log(float(np.exp(rest - top).sum()))
    bias = 0.0 if problem.bias is None else float(problem.bias[query, key])
    score = (wanted / problem.beta - bias) * problem.divisor
    return float(round(score, 3)) if math.isfinite(score) else None
