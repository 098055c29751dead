"""What every picture offers: painting, finding the cell at a point, and saying in words what it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QSizeF
from PySide6.QtGui import QPainter

from explorer.gui.pictures.style import Style
from explorer.state.document import Snapshot


@dataclass(frozen=True)
class Picture:
    """``cell_at`` answers (query, key), either None where the place has none; ``describe`` is for assistive tools."""

    id: str
    title: str
    paint: Callable[[QPainter, QSizeF, Snapshot, Style], None]
    cell_at: Callable[[QPointF, QSizeF, Snapshot, Style], tuple[int | None, int | None] | None]
    describe: Callable[[Snapshot], str]
