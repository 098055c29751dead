"""Rows and columns added and removed, with every matrix, label and mask that shares the dimension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from explorer.core.matrices import NAMES
from explorer.core.problem import Problem, with_fields
from explorer.errors import ExplorerError
from explorer.state.document import Document, Labels
from explorer.state.edits import Edit

# What happens to an array along an axis: resize(array, axis, fill).
Resize = Callable[[Any, int, Any], Any]


def add_row(name: str, at: int) -> Edit:
    """Add a row of zeros to a matrix before row ``at``."""
    return _edit(name, 0, at, is_added=True)


def add_column(name: str, at: int) -> Edit:
    """Add a column of zeros to a matrix before column ``at``."""
    return _edit(name, 1, at, is_added=True)


def remove_row(name: str, at: int) -> Edit:
    """Remove a row of a matrix."""
    return _edit(name, 0, at, is_added=False)


def remove_column(name: str, at: int) -> Edit:
    """Remove a column of a matrix."""
    return _edit(name, 1, at, is_added=False)


def _edit(name: str, axis: int, at: int, *, is_added: bool) -> Edit:
    what = ("row", "column")[axis]

    def resize(array: Any, along: int, fill: Any) -> Any:
        made = np.insert(array, at, fill, axis=along) if is_added else np.delete(array, at, axis=along)
        made.setflags(write=False)
        return made

    def change(document: Document) -> Document:
        matrix = document.matrix(name)
        if matrix is None:
            raise ExplorerError(f"{NAMES[name]} is not given", "choose another source, or add it")
        if not is_added and matrix.shape[axis] <= 1:
            raise ExplorerError(f"{NAMES[name]} has one {what}", "a matrix keeps at least one")
        return _resized(document, dimensions_of(document.problem)[name][axis], resize)

    def notice(before: Document, after: Document) -> str:
        verb = "added" if is_added else "removed"
        dimensions = dimensions_of(before.problem)
        dimension = dimensions[name][axis]
        tied = [
            f"{NAMES[other]} {('row', 'column')[side]} {at + 1} {verb}"
            for other, pair in dimensions.items()
            if before.matrix(other) is not None
            for side in (0, 1)
            if pair[side] == dimension and (other, side) != (name, axis)
        ]
        said = f"{NAMES[name]} {what} {at + 1} {verb}" + (f": {', '.join(tied)}" if tied else "")
        return f"{said}, zeros" if is_added else said

    return Edit(f"{'Add' if is_added else 'Remove'} {NAMES[name]} {what} {at + 1}", change, notice=notice)


def dimensions_of(problem: Problem) -> dict[str, tuple[str, str]]:
    """Names of the dimensions of every matrix that may be typed into, bias included."""
    keys = "n_q" if problem.has_shared_tokens else "n_k"
    return {**problem.source.dimensions, "bias": ("n_q", keys)}


def with_length(document: Document, dimension: str, length: int) -> Document:
    """The document with a dimension made longer: zeros, cells that are seen and rows without a token at its end."""

    def resize(array: Any, along: int, fill: Any) -> Any:
        missing = [(0, max(length - size, 0) if axis == along else 0) for axis, size in enumerate(array.shape)]
        made = np.pad(array, missing, constant_values=fill)
        made.setflags(write=False)
        return made

    return _resized(document, dimension, resize)


def _resized(document: Document, dimension: str, resize: Resize) -> Document:
    problem = document.problem
    dimensions = dimensions_of(problem)

    def along(array: Any, pair: tuple[str, str], fill: Any) -> Any:
        for axis in (0, 1):
            if pair[axis] == dimension:
                array = resize(array, axis, fill)
        return array

    source = with_fields(
        problem.source,
        **{name: along(matrix, dimensions[name], 0.0) for name, matrix in problem.source.matrices.items()},
    )
    pair = dimensions["bias"]
    is_query, is_key = pair[0] == dimension, pair[1] == dimension
    mask = problem.mask
    mask = replace(
        mask,
        keys=resize(mask.keys, 0, True) if is_key and mask.keys is not None else mask.keys,
        allowed=None if mask.allowed is None else along(mask.allowed, pair, True),
    )
    bias = None if problem.bias is None else along(problem.bias, pair, 0.0)
    return replace(
        document,
        problem=replace(problem, source=source, mask=mask, bias=bias),
        typed=MappingProxyType({name: along(text, dimensions[name], None) for name, text in document.typed.items()}),
        query_labels=_labels(document.query_labels, resize) if is_query else document.query_labels,
        key_labels=_labels(document.key_labels, resize) if is_key else document.key_labels,
    )


def _labels(labels: Labels, resize: Resize) -> Labels:
    return tuple(resize(np.array(labels, dtype=object), 0, None).tolist())


def add_values(width: int = 2) -> Edit:
    """Give a problem without values a V of zeros, or its W_V."""

    def change(document: Document) -> Document:
        problem = document.problem
        name = "w_v" if problem.source.kind == "projection" else "v"
        if document.matrix(name) is not None:
            return document
        rows = problem.source.size(problem.source.dimensions[name][0]) if name == "w_v" else problem.n_k
        matrix = np.zeros((rows or 0, width))
        return replace(document, problem=replace(problem, source=with_fields(problem.source, **{name: matrix})))

    def notice(before: Document, after: Document) -> str:
        return "W_V added, zeros" if after.problem.source.kind == "projection" else "V added, zeros"

    return Edit("Add values", change, notice=notice)
