"""Every stage of a computation as one line of strictly valid JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from explorer.core.attention import Attention
from explorer.core.matrices import Matrix

MATRICES_ABOVE = ("q", "k", "v", "scores", "scaled", "masked", "logits", "exponentials", "row_sums")


def write(attention: Attention) -> str:
    """One JSON object: stages in the order of the formula, null where not given or undefined."""
    stages = {name: cells(getattr(attention, name)) for name in MATRICES_ABOVE}
    stages["weights"] = cells(attention.weights)
    stages["output"] = cells(attention.output)
    stages["entropy"] = _entropy(attention)
    stages["status"] = list(attention.status)
    return json.dumps(stages, allow_nan=False)


def cells(values: Matrix | None) -> Any:
    """Rows as lists at full precision, with "inf", "-inf" and "nan" as texts; None for a stage not given."""
    if values is None:
        return None
    listed = values.tolist()
    return listed if np.isfinite(values).all() else _worded(listed)


def _worded(item: Any) -> Any:
    if isinstance(item, list):
        return [_worded(each) for each in item]
    return item if math.isfinite(item) else str(item)


def _entropy(attention: Attention) -> list[float | str | None]:
    """Null in an empty row and where weights are negative: undefined; "nan" in an invalid row, as its weights."""
    return [
        "nan" if status == "invalid" else None if math.isnan(value) else _worded(value)
        for value, status in zip(attention.entropy.tolist(), attention.status, strict=True)
    ]
