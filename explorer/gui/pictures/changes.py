"""What the last edit changed: which cells, outlined, and which rows it left without a result."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, Qt
from PySide6.QtGui import QPainter

from explorer.gui.pictures.style import Style
from explorer.gui.pictures.table import Table
from explorer.state.document import Snapshot


def changed_cells(snapshot: Snapshot, stage: str) -> NDArray[np.bool_] | None:
    """True where a stage differs from before the last edit; None when there is nothing to compare."""
    if snapshot.before is None:
        return None
    now, before = getattr(snapshot.attention, stage), getattr(snapshot.before, stage)
    if now is None or before is None or now is before or now.shape != before.shape:
        return None
    return (now != before) & ~(np.isnan(now) & np.isnan(before))


def draw_outline(painter: QPainter, table: Table, changed: NDArray[np.bool_], style: Style) -> None:
    """Draw one line around each region of changed cells, a little inside them."""
    inset = min(3.5, table.cell_width / 4, table.cell_height / 4)
    if inset < 1.5:
        return
    around = np.pad(changed, 1)
    neighbours = np.stack([around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]], axis=-1)
    painter.setPen(style.pen("accent", 1.3, Qt.PenStyle.DashLine))
    lines = []
    for i, j in np.argwhere(changed & ~neighbours.all(axis=-1)).tolist():
        above, below, left, right = neighbours[i, j].tolist()
        # A side shared with another changed cell is crossed, not drawn.
        cell = table.cell(i, j)
        box = cell.adjusted(0 if left else inset, 0 if above else inset, 0 if right else -inset, 0 if below else -inset)
        corners = box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()
        for is_shared, start, end in ((above, 0, 1), (below, 2, 3), (left, 0, 2), (right, 1, 3)):
            if not is_shared:
                lines.append(QLineF(corners[start], corners[end]))
    painter.drawLines(lines)


def faulty_rows(snapshot: Snapshot) -> tuple[tuple[int, str], ...]:
    """A sentence for each row that has no weights of its own, by row."""
    attention = snapshot.attention
    said = []
    for i, status in enumerate(attention.status):
        if status == "empty":
            said.append((i, "no visible keys: weights 0"))
        elif status == "invalid":
            column, what = attention.faults[i]
            said.append((i, f"no result: row {i + 1}, column {column + 1} {what}"))
    return tuple(said)
