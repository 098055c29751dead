"""The attention weights."""

from __future__ import annotations

from explorer.gui.grid import Copied
from explorer.gui.panels.panel import PicturePanel, stage_of
from explorer.gui.pictures.weights_picture import WEIGHTS
from explorer.state.document import Snapshot


class WeightsPanel(PicturePanel):
    """Heatmap of the weights with row sums."""

    ID = "weights"
    TITLE = "Weights"
    PICTURE = WEIGHTS

    def subtitle(self, snapshot: Snapshot) -> tuple[str, str]:
        how = "as typed" if snapshot.problem.source.kind == "weights" else "softmax, row by row"
        return how, f"{snapshot.problem.n_q} × {snapshot.problem.n_k}"

    def copied(self) -> Copied:
        assert self._snapshot is not None
        return stage_of(self._snapshot, "weights", "weights")
