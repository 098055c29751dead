"""A document and a view out of the parsed JSON of a session file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from explorer.core.masks import Mask
from explorer.core.matrices import Matrix
from explorer.core.problem import SOURCES, Problem, Source, source_fields
from explorer.errors import ExplorerError
from explorer.formats.json_values import (
    as_booleans,
    as_list,
    as_matrix,
    as_number,
    as_object,
    as_rows,
    as_text,
    as_whole,
    check_nesting,
    shown,
    wrong,
)
from explorer.formats.session_writing import DOCUMENT_KEYS, MASK_KEYS, PARTS, VARIANT_KEYS, VIEW_KEYS
from explorer.state.document import COLORMAPS, STAGES, Document, Labels, Texts, Variant, View

# More scores than this (4096 x 4096) fill the memory before anything is shown.
MOST_SCORES = 2**24

Given = Mapping[str, object]


def document_of(top: Given) -> Document:
    """The document of a file's top object."""
    typed: dict[str, Texts] = {}
    problem = _problem(top, typed)
    return Document(
        problem,
        typed=typed,
        query_labels=_labels(top, "query_labels"),
        key_labels=_labels(top, "key_labels"),
        title=_optional_text(top, "title"),
        note=_optional_text(top, "note"),
        stated=_stated(top.get("stated")),
        variants=_variants(top.get("variants"), problem),
        extra=_unknown(top),
    )


def view_of(top: Given, problem: Problem) -> View:
    """The view of a file's top object, its choices inside what the problem has."""
    given = _optional_object(top, "view")
    return View(
        query=_whole(given, "query", View.query),
        key=_whole(given, "key", View.key),
        decimals=_whole(given, "decimals", View.decimals),
        stage=_choice(given.get("stage"), STAGES, View.stage),
        colormap=_choice(given.get("colormap"), COLORMAPS, View.colormap),
    ).fitted(problem)


def _whole(given: Given, name: str, absent: int) -> int:
    item = given.get(name)
    return absent if item is None else as_whole(item, f"view.{name}")


def _choice(item: object, known: tuple[str, ...], absent: str) -> str:
    return item if isinstance(item, str) and item in known else absent


def _problem(top: Given, typed: dict[str, Texts]) -> Problem:
    source = _source(as_object(top.get("source"), "source"), typed)
    n_q = source.size("n_q") or 0
    n_k = source.size("n_k")
    shape = (n_q, n_q if n_k is None else n_k)
    _check_sizes(shape, source.size("d_k") or 0, source.size("d_v") or 0)
    return Problem(
        source,
        scale=_scale(top.get("scale"), "scale", "sqrt_dk" if source.kind in ("qkv", "projection") else 1.0),
        beta=_number(top, "beta", 1.0),
        shift=_number(top, "shift", 0.0),
        mask=_mask(top.get("mask"), shape),
        bias=_bias(top.get("bias"), shape, typed),
        softcap=_number(top, "softcap", 0.0),
    )


def _check_sizes(shape: tuple[int, int], d_k: int, d_v: int) -> None:
    """Refuse what would be too large once computed: a small file may ask for a huge product."""
    most = max(shape)
    for rows, columns, what in ((*shape, "scores"), (most, d_k, "numbers in Q or K"), (most, d_v, "numbers in V")):
        if rows * columns > MOST_SCORES:
            raise ExplorerError(f"{rows} x {columns} {what} are too many", f"use at most {MOST_SCORES}")


def _source(given: dict[str, object], typed: dict[str, Texts]) -> Source:
    kinds = {source.kind: source for source in SOURCES}
    kind = as_text(given.get("kind"), "source.kind")
    if kind not in kinds:
        raise ExplorerError(f"source.kind: {shown(kind)} is not known", f"use one of {', '.join(kinds)}")
    made: dict[str, Any] = {}
    for part in fields(kinds[kind]):
        item, where = given.get(part.name), f"source.{part.name}"
        if item is None:
            if part.default is MISSING:
                raise wrong(item, where, "a matrix")
        elif part.name == "d_k":
            made["d_k"] = as_whole(item, where, least=0)
        else:
            made[part.name], texts = as_matrix(item, where)
            if texts is not None:
                typed[part.name] = texts
    return kinds[kind](**_with_columns(kinds[kind], made))


def _with_columns(kind: Any, made: dict[str, Any]) -> dict[str, Any]:
    """The same matrices, those without rows as wide as their partners ask for."""
    matrices: dict[str, Matrix] = {name: value for name, value in made.items() if name != "d_k"}
    dimensions = kind(**dict.fromkeys(matrices, np.zeros((0, 0)))).dimensions
    lengths = {
        dimension: length
        for name, matrix in matrices.items()
        if len(matrix)
        for dimension, length in zip(dimensions[name], matrix.shape, strict=True)
    }
    for name, matrix in matrices.items():
        if not len(matrix):
            made[name] = np.zeros((0, lengths.get(dimensions[name][1], 0)))
    return made


def _scale(item: object, where: str, absent: str | float) -> str | float:
    if item is None:
        return absent
    return "sqrt_dk" if item == "sqrt_dk" else as_number(item, where)


def _number(given: Given, name: str, absent: float) -> float:
    item = given.get(name)
    return absent if item is None else as_number(item, name)


def _mask(item: object, shape: tuple[int, int]) -> Mask:
    if item is None:
        return Mask()
    given = as_object(item, "mask")
    kind = as_text(given.get("kind"), "mask.kind")
    made: dict[str, Any] = {}
    for name in MASK_KEYS.get(kind, ()):
        value, where = given.get(name), f"mask.{name}"
        if value is None:
            continue
        if name == "align":
            made[name] = as_text(value, where)
        elif name == "keys":
            made[name] = np.array(as_booleans(value, where), dtype=bool)
        elif name == "allowed":
            made[name] = _allowed(value, where, shape)
        else:
            made[name] = as_whole(value, where, least=0)
    return Mask(kind, **made)


def _allowed(item: object, where: str, shape: tuple[int, int]) -> Any:
    rows = as_rows(item, where, "cells")
    booleans = [as_booleans(row, f"{where}[{i}]") for i, row in enumerate(rows)]
    return np.array(booleans, dtype=bool).reshape(len(rows), len(rows[0]) if rows else shape[1])


def _bias(item: object, shape: tuple[int, int], typed: dict[str, Texts]) -> Matrix | None:
    if item is None:
        return None
    bias, texts = as_matrix(item, "bias")
    if texts is not None:
        typed["bias"] = texts
    return bias if len(bias) else np.zeros((0, shape[1]))


def _labels(top: Given, name: str) -> Labels:
    item = top.get(name)
    items = [] if item is None else as_list(item, name)
    return tuple(None if label is None else as_text(label, f"{name}[{i}]") for i, label in enumerate(items))


def _optional_text(top: Given, name: str) -> str:
    item = top.get(name)
    return "" if item is None else as_text(item, name)


def _optional_object(top: Given, name: str) -> Given:
    item = top.get(name)
    return {} if item is None else as_object(item, name)


def _stated(item: object) -> tuple[Mapping[str, Any], ...]:
    stated = []
    for i, entry in enumerate([] if item is None else as_list(item, "stated")):
        where = f"stated[{i}]"
        given = as_object(entry, where)
        as_text(given.get("q"), f"{where}.q")
        _check_stated_value(given.get("v"), f"{where}.v", depth=2)
        for k, position in enumerate(as_list(given.get("at", []), f"{where}.at")):
            as_whole(position, f"{where}.at[{k}]", least=0)
        if "variant" in given:
            as_text(given["variant"], f"{where}.variant")
        check_nesting(given, where)
        stated.append(given)
    return tuple(stated)


def _check_stated_value(item: object, where: str, depth: int) -> None:
    """A printed number is a text that keeps its decimals: alone, in a list, or in rows."""
    if isinstance(item, list) and depth:
        for i, entry in enumerate(item):
            _check_stated_value(entry, f"{where}[{i}]", depth - 1)
    else:
        as_text(item, where)


def _variants(item: object, problem: Problem) -> tuple[Variant, ...]:
    variants = []
    for i, entry in enumerate([] if item is None else as_list(item, "variants")):
        where = f"variants[{i}]"
        given = as_object(entry, where)
        variant = Variant(
            as_text(given.get("name"), f"{where}.name"),
            beta=None if given.get("beta") is None else as_number(given["beta"], f"{where}.beta"),
            scale=None if given.get("scale") is None else _scale(given["scale"], f"{where}.scale", 1.0),
            shift=None if given.get("shift") is None else as_number(given["shift"], f"{where}.shift"),
            extra=MappingProxyType({name: kept for name, kept in given.items() if name not in VARIANT_KEYS}),
        )
        check_nesting(dict(variant.extra), where)
        try:
            variant.apply(problem)
        except ExplorerError as error:
            raise ExplorerError(f"{where}: {error.message}", error.hint) from None
        variants.append(variant)
    return tuple(variants)


def _unknown(top: Given) -> dict[str, Any]:
    """What the file says under names that we do not know: at the top, and inside the parts that have names."""
    extra: dict[str, Any] = {name: value for name, value in top.items() if name not in DOCUMENT_KEYS}
    for name in PARTS:
        given = _optional_object(top, name)
        kind = given.get("kind")
        known: tuple[str, ...] = VIEW_KEYS
        if name != "view":
            known = ("kind", *(source_fields(str(kind)) if name == "source" else MASK_KEYS.get(str(kind), ())))
        unknown = {key: value for key, value in given.items() if key not in known}
        if unknown:
            extra[name] = unknown
    check_nesting(extra, "the file")
    return extra
