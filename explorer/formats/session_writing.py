"""The JSON of a document and a view, laid out so that two versions of a file compare line by line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from explorer.core.masks import Mask
from explorer.core.matrices import Matrix
from explorer.core.problem import Problem, Scores, Source, source_fields
from explorer.errors import ExplorerError
from explorer.formats.cells import read_cell
from explorer.state.document import Document, Texts, Variant, View

FORMAT = "attention-explorer"
VERSION = 1
DOCUMENT_KEYS = (
    "format", "version", "title", "note", "source", "scale", "beta", "shift", "mask", "bias", "softcap",
    "query_labels", "key_labels", "stated", "variants", "view",
)  # fmt: skip
VARIANT_KEYS = ("name", "beta", "scale", "shift")
VIEW_KEYS = ("query", "key", "decimals", "stage", "colormap")
MASK_KEYS: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "causal": ("align", "keys"),
    "window": ("left", "right", "align", "keys"),
    "padding": ("keys",),
    "custom": ("allowed",),
}
# Parts of the file whose unknown names are kept too, in ``Document.extra`` under the name of the part.
PARTS = ("source", "mask", "view")


def session_object(document: Document, view: View) -> dict[str, Any]:
    """The top object of the file, its keys in the documented order."""
    problem = document.problem
    made: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "title": document.title,
        "note": document.note,
        "source": _source(problem.source, document.typed),
        **_dials(problem),
        "mask": _mask(problem.mask),
        "bias": None if problem.bias is None else _matrix(problem.bias, document.typed.get("bias")),
        "softcap": _number(problem.softcap),
        "query_labels": list(document.query_labels),
        "key_labels": list(document.key_labels),
    }
    if document.stated:
        made["stated"] = [dict(entry) for entry in document.stated]
    if document.variants:
        made["variants"] = [_variant(variant) for variant in document.variants]
    made["view"] = {name: getattr(view, name) for name in VIEW_KEYS}
    _add_unknown(made, document)
    return made


def laid_out(value: Any, depth: int = 0) -> str:
    """JSON text: one name a line at the top and around matrices, one row or entry a line, all else on one line."""
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict) and (depth == 0 or any(_has_rows(item) for item in value.values())):
        lines = [f"{_on_one_line(name)}: {laid_out(item, depth + 1)}" for name, item in value.items()]
        return "{\n" + ",\n".join(inner + line for line in lines) + "\n" + outer + "}"
    if _has_rows(value):
        return "[\n" + ",\n".join(inner + _on_one_line(item) for item in value) + "\n" + outer + "]"
    return _on_one_line(value)


def _has_rows(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, (list, dict)) for item in value)


def _on_one_line(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)  # UTF-8 has no half pairs


def _source(source: Source, typed: Mapping[str, Texts]) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": source.kind}
    for name in source_fields(source.kind):
        matrix = source.matrices.get(name)
        if matrix is not None:
            made[name] = _matrix(matrix, typed.get(name))
        elif name not in ("memory", "d_k"):
            made[name] = None
    if isinstance(source, Scores) and source.d_k is not None:
        made["d_k"] = int(source.d_k)
    return made


def _matrix(matrix: Matrix, texts: Texts | None) -> list[list[Any]]:
    rows: list[list[Any]] = [[_number(value) for value in row] for row in matrix.tolist()]
    if texts is not None and texts.shape == matrix.shape:
        for i, row in enumerate(rows):
            for j, text in enumerate(texts[i]):
                if text is not None and _says(text, float(matrix[i, j])):
                    row[j] = text
    return rows


def _says(text: str, value: float) -> bool:
    """Whether a typed text still stands for the number: a stale one must not change it in the file."""
    try:
        return read_cell(text, "")[0] == value
    except ExplorerError:
        return False


def _number(value: float) -> int | float | str:
    value = float(value)
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if value.is_integer() and abs(value) < 2**53 and str(value) != "-0.0":
        return int(value)
    return value


def _dials(problem: Problem) -> dict[str, Any]:
    return {"scale": _scale(problem.scale), "beta": _number(problem.beta), "shift": _number(problem.shift)}


def _scale(scale: str | float) -> int | float | str:
    return scale if isinstance(scale, str) else _number(scale)


def _mask(mask: Mask) -> dict[str, Any] | None:
    if mask.kind == "none":
        return None
    made: dict[str, Any] = {"kind": mask.kind}
    for name in MASK_KEYS[mask.kind]:
        value = getattr(mask, name)
        if name in ("keys", "allowed"):
            if value is not None:
                made[name] = value.tolist()
        else:
            made[name] = value
    return made


def _variant(variant: Variant) -> dict[str, Any]:
    made: dict[str, Any] = {"name": variant.name}
    if variant.beta is not None:
        made["beta"] = _number(variant.beta)
    if variant.scale is not None:
        made["scale"] = _scale(variant.scale)
    if variant.shift is not None:
        made["shift"] = _number(variant.shift)
    return {**made, **variant.extra}


def _add_unknown(made: dict[str, Any], document: Document) -> None:
    """Put back the names we do not know, never over one that we do."""
    mask = document.problem.mask.kind
    known = {"source": source_fields(document.problem.source.kind), "mask": MASK_KEYS[mask], "view": VIEW_KEYS}
    for name, value in document.extra.items():
        if name in PARTS:
            if made[name] is not None:
                unknown = {key: item for key, item in value.items() if key not in ("kind", *known[name])}
                made[name] = {**made[name], **unknown}
        elif name not in DOCUMENT_KEYS:
            made[name] = value
