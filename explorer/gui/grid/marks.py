"""Which cells of a grid carry a mark: what was refused there, or that the last edit changed them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.core.matrices import Matrix


class Marks:
    """``refused`` holds the text and the reason by place; ``changed`` is a boolean matrix, or None for no cell."""

    def __init__(self) -> None:
        self.refused: dict[tuple[int, int], tuple[str, str]] = {}
        self.changed: NDArray[np.bool_] | None = None

    def clear(self) -> None:
        """Take all marks off."""
        self.refused.clear()
        self.changed = None

    def compare(self, old: Matrix | None, matrix: Matrix) -> None:
        """Mark what an edit changed; what was refused there is settled."""
        self.changed = None
        if old is not None and old is not matrix:
            self.changed = ~((old == matrix) | (np.isnan(old) & np.isnan(matrix)))
            self.refused = {place: kept for place, kept in self.refused.items() if not self.changed[place]}

    def cells(self, shape: tuple[int, int]) -> NDArray[np.bool_]:
        """True where a mark is."""
        marked = np.zeros(shape, dtype=bool) if self.changed is None else self.changed.copy()
        for place in self.refused:
            marked[place] = True
        return marked

    def is_changed(self, row: int, column: int) -> bool:
        """Whether the last edit changed this cell."""
        return self.changed is not None and bool(self.changed[row, column])
