"""Which cells of a grid carry a mark: refused, changed by the last edit, or waiting to be taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.core.matrices import Matrix


class Marks:
    """``refused`` holds text and reason by place; ``changed`` and ``waiting`` are booleans, or None for no cell."""

    def __init__(self, waiting: NDArray[np.bool_] | None = None) -> None:
        self.refused: dict[tuple[int, int], tuple[str, str]] = {}
        self.changed: NDArray[np.bool_] | None = None
        self.waiting = waiting

    def clear(self) -> None:
        """Take all marks off."""
        self.refused.clear()
        self.changed = None

    def compare(self, old: Matrix | None, matrix: Matrix) -> None:
        """Mark what an edit changed; what was refused there is settled."""
        self.changed = None
        if old is not None and old is not matrix:
            self.changed = differing(old, matrix)
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

    def is_waiting(self, row: int, column: int) -> bool:
        """Whether the number here was pasted, and is not taken yet."""
        return self.waiting is not None and bool(self.waiting[row, column])


def differing(old: Matrix, matrix: Matrix) -> NDArray[np.bool_]:
    """True where a matrix differs from the one before it, or has a cell that that one had not."""
    differs = np.ones(matrix.shape, dtype=bool)
    both = tuple(slice(min(lengths)) for lengths in zip(old.shape, matrix.shape, strict=True))
    differs[both] = ~((old[both] == matrix[both]) | (np.isnan(old[both]) & np.isnan(matrix[both])))
    return differs
