"""The scores at one of their stages."""

from __future__ import annotations

from PySide6.QtCore import QRect

from explorer.errors import ExplorerError
from explorer.gui.grid import Copied, full_text, read_number
from explorer.gui.panels.panel import PicturePanel, stage_of
from explorer.gui.pictures import heatmap
from explorer.gui.pictures.scores_picture import SCORES, STAGE_NAMES, build, formula
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.label_editor import LabelEditor
from explorer.gui.widgets.segmented import Segmented
from explorer.state import edits
from explorer.state.document import Snapshot


class ScoresPanel(PicturePanel):
    """Heatmap of the raw, scaled, masked scores or the logits; typed scores are edited in place."""

    ID = "scores"
    TITLE = "Scores"
    PICTURE = SCORES

    def __init__(self) -> None:
        super().__init__()
        self._stage = Segmented("stage", "stage", tuple(STAGE_NAMES.items()))
        self._stage.chosen.connect(lambda stage: self.requested.emit(edits.look(stage=stage)))
        self.head.addWidget(self._stage, 1)
        self._editor = LabelEditor(self.picture)
        self.picture.typed.connect(self._edit_in_place)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        super().display(snapshot, style)
        self._stage.show_value(snapshot.view.stage)

    def subtitle(self, snapshot: Snapshot) -> tuple[str, str]:
        return formula(snapshot), f"{snapshot.problem.n_q} × {snapshot.problem.n_k}"

    def copied(self) -> Copied:
        assert self._snapshot is not None
        stage = self._snapshot.view.stage
        return stage_of(self._snapshot, stage, f"scores ({STAGE_NAMES[stage]})")

    def _edit_in_place(self, first: str) -> None:
        """Open a line on the chosen cell, starting with what was typed or with the score itself."""
        snapshot = self._snapshot
        if snapshot is None:
            return
        style = self.picture.style_here
        if snapshot.problem.source.kind != "scores":
            self.refused.emit(
                ExplorerError("these scores are computed", "type into the inputs, or choose source Scores")
            )
            return
        drawn = build(snapshot, style)
        if drawn is None:
            return
        row, column = snapshot.view.query, snapshot.view.key
        cell = heatmap.place(drawn, self.picture.size_of_picture(), style).cell(row, column)
        self._editor.open(
            self.picture.viewport(), QRect(cell.toRect()), first or self._text(row, column),
            lambda text: self._type(row, column, text), keeps_text=bool(first), name="cell_editor",
        )  # fmt: skip

    def _text(self, row: int, column: int) -> str:
        assert self._snapshot is not None
        document = self._snapshot.document
        matrix = document.matrix("scores")
        assert matrix is not None
        return document.typed_text("scores", row, column) or full_text(float(matrix[row, column]))

    def _type(self, row: int, column: int, text: str) -> None:
        try:
            typed = read_number(text, f"score row {row + 1}, column {column + 1}", allow_infinite=True)
        except ExplorerError as error:
            self.refused.emit(error)
            return
        self.requested.emit(edits.set_cells("scores", {(row, column): typed}))
