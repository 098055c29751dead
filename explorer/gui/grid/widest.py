"""How wide the columns of a grid are."""

from __future__ import annotations

from PySide6.QtCore import Qt

from explorer.core.rounding import typeset_minus
from explorer.gui.grid.model import GridModel, compact
from explorer.gui.pictures.style import Style, text_width

_SOME = (24, 64)  # rows and columns that are measured


class Widest:
    """Remembers the widest number; after an edit only a new matrix is measured again."""

    def __init__(self) -> None:
        self._known: tuple[object, ...] = ()
        self._widths = (0, 0)

    def section(self, model: GridModel, style: Style) -> tuple[int, int]:
        """Width of a column in pixels, where room is short and where there is enough."""
        snapshot = model.snapshot
        assert snapshot is not None
        known = (model.matrix, style, snapshot.view.decimals, snapshot.document.key_labels)
        if len(known) != len(self._known) or any(a is not b for a, b in zip(known, self._known, strict=True)):
            self._known = known
            self._widths = _measured(model, style)
        return self._widths


def _measured(model: GridModel, style: Style) -> tuple[int, int]:
    assert model.snapshot is not None
    assert model.matrix is not None
    some = set(model.matrix[: _SOME[0], : _SOME[1]].ravel().tolist())
    texts = {typeset_minus(compact(value, model.snapshot.view.decimals)) for value in some}
    columns = range(min(model.columnCount(), _SOME[1]))
    labels = {str(model.headerData(j, Qt.Orientation.Horizontal)) for j in columns}
    widest = max((text_width(style.font(), text) for text in texts), default=0.0)
    longest = max((text_width(style.font(), text) for text in labels), default=0.0)
    widest = max(widest, min(longest, style.size * 4.2))  # a long token is shortened rather than widens every column
    needed = widest + style.size * 0.9
    short, roomy = (min(max(needed, style.size * least), style.size * 8) for least in (2.4, 3.6))
    return round(short), round(roomy)
