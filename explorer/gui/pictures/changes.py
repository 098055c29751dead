"""Which cells of a stage the last edit changed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.state.document import Snapshot


def changed_cells(snapshot: Snapshot, stage: str) -> NDArray[np.bool_] | None:
    """True where a stage differs from before the last edit; None when there is nothing to compare."""
    if snapshot.before is None:
        return None
    now, before = getattr(snapshot.attention, stage), getattr(snapshot.before, stage)
    if now is None or before is None or now is before or now.shape != before.shape:
        return None
    return (now != before) & ~(np.isnan(now) & np.isnan(before))


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
