"""The output and how it is blended from the values."""

from __future__ import annotations

from explorer.gui.grid import Copied
from explorer.gui.panels.panel import PicturePanel, stage_of
from explorer.gui.pictures.output_picture import OUTPUT
from explorer.state.document import Snapshot


class OutputPanel(PicturePanel):
    """The output as numbers, its terms, and the box of the values."""

    ID = "output"
    TITLE = "Output"
    PICTURE = OUTPUT

    def subtitle(self, snapshot: Snapshot) -> tuple[str, str]:
        if snapshot.problem.d_v is None:
            return "", ""
        return "weights × V", f"{snapshot.problem.n_q} × {snapshot.problem.d_v}"

    def copied(self) -> Copied:
        assert self._snapshot is not None
        return stage_of(self._snapshot, "output", "output")
