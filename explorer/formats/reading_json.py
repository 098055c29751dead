"""What was made of a file or a pasted text, as one line of strictly valid JSON."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from explorer.formats.imported import Imported
from explorer.formats.mask_readings import readings_of_mask
from explorer.formats.result_json import cells


def write(imported: Imported) -> str:
    """One JSON object; keys that do not apply are absent."""
    return json.dumps(as_object(imported), allow_nan=False)


def as_object(imported: Imported) -> dict[str, Any]:
    """The reading as JSON values: of a tensor the first slice, of a mask the booleans as written."""
    made: dict[str, Any] = {"kind": imported.kind}
    if imported.values is not None:
        made["shape"] = list(imported.values.shape)
        made["values"] = _numbers(imported)
    if any(imported.row_labels):
        made["row_labels"] = list(imported.row_labels)
    if any(imported.column_labels):
        made["column_labels"] = list(imported.column_labels)
    if imported.axes:
        made["axes"] = list(imported.axes)
    if imported.matrices:
        made["matrices"] = {name: as_object(matrix) for name, matrix in imported.matrices.items()}
    if imported.kind == "mask":
        made["options"] = [
            {"label": label, "shape": list(allowed.shape), "values": allowed.tolist()}
            for label, allowed in readings_of_mask(imported)
        ]
    if imported.options:
        made["options"] = [_option(option.label, option.reading) for option in imported.options]
    if imported.session is not None and imported.session[0].title:
        made["name"] = imported.session[0].title
    if imported.name:
        made["name"] = imported.name
    if imported.tokens:
        made["tokens"] = list(imported.tokens)
    if imported.notes:
        made["notes"] = list(imported.notes)
    return made


def _option(label: str, reading: Imported) -> dict[str, Any]:
    """A choice between matrices has their shapes and values; any other says in full what it is."""
    inside = as_object(reading)
    if reading.kind == "matrix":
        inside.pop("kind")
    return {"label": label, **inside}


def _numbers(imported: Imported) -> Any:
    assert imported.values is not None
    if imported.kind == "mask":
        return imported.values.tolist()
    first = imported.values
    while first.ndim > 2:
        first = first[0]
    return cells(np.asarray(first, dtype=np.float64))
