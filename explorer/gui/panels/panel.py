"""What every panel is: ``display`` in, ``requested`` out."""

from __future__ import annotations

from itertools import count

from PySide6.QtCore import QPointF, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from explorer.errors import ExplorerError
from explorer.gui.grid import Copied
from explorer.gui.pictures.picture import Picture
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.picture_view import Cell, PictureView
from explorer.state import edits
from explorer.state.document import Snapshot

_strokes = count(1)


class Panel(QWidget):
    """Shows one aspect of the snapshot and asks for changes.

    ``requested`` carries an Edit or a Look; ``refused`` the ExplorerError of something that could not be
    asked for, or None when that is settled; ``told`` a sentence on what became of something,
    and whether it stands alone.
    A panel never holds the store, and never asks while it displays.
    """

    ID = ""
    TITLE = ""
    requested = Signal(object)
    refused = Signal(object)
    told = Signal(str, bool)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Show a snapshot in a style."""
        raise NotImplementedError

    def title(self, snapshot: Snapshot) -> str:
        """What stands at the head of the panel."""
        return self.TITLE

    def subtitle(self, snapshot: Snapshot) -> tuple[str, str]:
        """What stands beside the head: the formula, shortened where there is no room, and the shape."""
        return "", ""


class PicturePanel(Panel):
    """Shows one picture; a click or the arrow keys choose, Space or painting shows and hides cells."""

    PICTURE: Picture

    def __init__(self) -> None:
        super().__init__()
        self.picture = PictureView(self.PICTURE)
        self.is_painting = False
        self._snapshot: Snapshot | None = None
        self._stroke: tuple[str, bool] | None = None
        self.head = QHBoxLayout()
        self.head.setContentsMargins(8, 2, 8, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 2, 4, 6)
        layout.setSpacing(2)
        layout.addLayout(self.head)
        layout.addWidget(self.picture, 1)
        self.picture.chosen.connect(self._choose)
        self.picture.stepped.connect(lambda down, right: self.requested.emit(edits.step_choice(down, right)))
        self.picture.pressed_at.connect(self._press)
        self.picture.dragged_to.connect(self._drag)
        self.picture.released.connect(self._release)
        self.picture.acted.connect(self._toggle)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        self._snapshot = snapshot
        self.picture.display(snapshot, style)

    def copied(self) -> Copied:
        """The true numbers of the picture, whole; ExplorerError where it has none."""
        raise ExplorerError(f"{self.TITLE}: nothing here to copy", "copy from the scores, the weights or the output")

    def paint_by_mouse(self, is_on: bool) -> None:
        """Whether a press shows and hides cells."""
        self.is_painting = is_on

    def _choose(self, cell: Cell) -> None:
        wanted = {name: at for name, at in zip(("query", "key"), cell, strict=True) if at is not None}
        self.requested.emit(edits.look(**wanted))

    def _toggle(self) -> None:
        """Space: show or hide the chosen cell."""
        if self._snapshot is not None and self._snapshot.attention.allowed.size:
            view = self._snapshot.view
            self._paint(view.query, view.key, not self._is_visible(view.query, view.key), None)

    def _is_visible(self, query: int, key: int) -> bool:
        assert self._snapshot is not None
        return bool(self._snapshot.attention.allowed[query, key])

    def _press(self, cell: Cell, _point: QPointF) -> None:
        query, key = cell
        if self.is_painting and query is not None and key is not None:
            self._stroke = (f"paint-{next(_strokes)}", not self._is_visible(query, key))
            self._paint(query, key, self._stroke[1], self._stroke[0])

    def _drag(self, cell: Cell | None, _point: QPointF) -> None:
        if self._stroke is not None and cell is not None and None not in cell:
            self._paint(cell[0] or 0, cell[1] or 0, self._stroke[1], self._stroke[0])

    def _release(self) -> None:
        self._stroke = None

    def _paint(self, query: int, key: int, is_visible: bool, stroke: str | None) -> None:
        self.requested.emit(edits.paint(query, key, is_visible, stroke))
        snapshot = self._snapshot
        if (
            snapshot is not None
            and snapshot.attention.scores is not None
            and snapshot.view.stage in ("scores", "scaled")
        ):
            self.requested.emit(edits.look(stage="masked"))  # where what was painted can be seen


def stage_of(snapshot: Snapshot, stage: str, name: str) -> Copied:
    """A stage as it is copied: every number, with the tokens that name its rows and columns."""
    document, values = snapshot.document, getattr(snapshot.attention, stage)
    if values is None:
        raise ExplorerError(f"{name}: not given here", "there is nothing to copy")
    queries = tuple(document.query_name(i) for i in range(snapshot.problem.n_q))
    keys = tuple(document.key_name(j) for j in range(snapshot.problem.n_k))
    return Copied(name, values, queries, () if stage == "output" else keys)
