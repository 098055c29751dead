"""A block of numbers put into a matrix, which grows with everything that shares its sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from explorer.core.matrices import NAMES, Matrix, check_shapes, shape_text
from explorer.errors import ExplorerError
from explorer.state.document import Document, Labels, Texts
from explorer.state.edits import Edit, with_matrix
from explorer.state.resizing import dimensions_of, with_length

# Rows or columns that a paste may make; more are opened as a file, slice by slice.
LONGEST = 2048
_MAY_BE_INFINITE = ("scores", "bias")
_AXES = {"n_q": "query", "n_k": "key"}


@dataclass(frozen=True, eq=False)
class Block:
    """Numbers (rows, columns) with what was typed for them, None where no more than the number, and their labels."""

    values: Matrix
    texts: Texts | None = None
    row_labels: Labels = ()
    column_labels: Labels = ()

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        rows, columns = self.values.shape
        return rows, columns


@dataclass(frozen=True, eq=False)
class Proposal:
    """A paste that would change d_k: kept outside the document until it is repaired or dropped.

    ``values`` and ``texts`` are the matrix as it would be; ``message`` names both shapes and the repair; ``repair`` is
    the paste together with zeros in the other matrices.
    """

    name: str
    values: Matrix
    texts: Texts | None
    message: str
    repair: Edit


def paste(document: Document, name: str, row: int, column: int, block: Block) -> Edit | Proposal:
    """Put a block into a matrix from a cell on; the matrix grows, tied dimensions follow, a new d_k is proposed.

    Raises ExplorerError when the matrix is not given, the block too large, or a number cannot stand there.
    """
    matrix = document.matrix(name)
    if matrix is None:
        raise ExplorerError(f"{NAMES[name]} is not given", "choose another source, or add it")
    _check(name, block, row, column)
    needed = {axis: start + length for axis, (start, length) in enumerate(zip((row, column), block.shape, strict=True))}
    tied = dimensions_of(document.problem)
    grown = {tied[name][axis]: length for axis, length in needed.items() if length > matrix.shape[axis]}
    for dimension, length in grown.items():
        if length > LONGEST:
            raise ExplorerError(
                f"{NAMES[name]} would get {length} {'rows' if tied[name][0] == dimension else 'columns'}",
                f"paste at most {LONGEST}",
            )

    def change(before: Document) -> Document:
        after = before
        for dimension, length in grown.items():
            after = with_length(after, dimension, length)
        return _labelled(_filled(after, name, row, column, block), tied[name], row, column, block)

    def notice(before: Document, after: Document) -> str:
        return _said(before, after, name, block)

    edit = Edit(f"Paste {shape_text(block.shape)} into {NAMES[name]}", change, notice=notice)
    return _proposal(document, name, edit) if "d_k" in grown else edit


def _check(name: str, block: Block, row: int, column: int) -> None:
    if not block.values.size:
        raise ExplorerError("nothing to paste", "copy some numbers first")
    is_bad = np.isnan(block.values) if name in _MAY_BE_INFINITE else ~np.isfinite(block.values)
    if is_bad.any():
        i, j = (int(at) for at in np.argwhere(is_bad)[0])
        value = float(block.values[i, j])
        place = f"{NAMES[name]} row {row + i + 1}, column {column + j + 1}"
        raise ExplorerError(f"{place}: {value} cannot stand there", "give a number")


def _filled(document: Document, name: str, row: int, column: int, block: Block) -> Document:
    old = document.matrix(name)
    assert old is not None
    matrix, where = old.copy(), np.s_[row : row + block.shape[0], column : column + block.shape[1]]
    matrix[where] = block.values
    kept = document.typed.get(name)
    texts = np.full(matrix.shape, None, dtype=object) if kept is None else kept.copy()
    texts[where] = None if block.texts is None else block.texts
    is_same = np.array_equal(matrix, old) and (kept is None and block.texts is None)
    return document if is_same else with_matrix(document, name, matrix, texts)


def _labelled(document: Document, pair: tuple[str, str], row: int, column: int, block: Block) -> Document:
    """The tokens beside the block become those of its queries or keys."""
    for dimension, start, labels in ((pair[0], row, block.row_labels), (pair[1], column, block.column_labels)):
        axis = _AXES.get(dimension)
        if axis is None or not any(labels):
            continue
        queries, keys = list(document.query_labels), list(document.key_labels)
        for now, is_meant in ((queries, axis == "query"), (keys, axis == "key")):
            if is_meant or document.problem.has_shared_tokens:
                now[start : start + len(labels)] = labels
        document = replace(document, query_labels=tuple(queries), key_labels=tuple(keys))
    return document


def _said(before: Document, after: Document, name: str, block: Block) -> str:
    said = f"{NAMES[name]}: {shape_text(block.shape)} pasted"
    grown = list(_growth(before, after, name))
    others = [text for other in dimensions_of(after.problem) if other != name for text in _growth(before, after, other)]
    if grown:
        said += f", {' and '.join(grown)}"
    return f"{said}: {', '.join(others)}, zeros" if others else said


def _growth(before: Document, after: Document, name: str) -> Iterator[str]:
    old, new = before.matrix(name), after.matrix(name)
    if old is None or new is None:
        return
    for axis, what in enumerate(("row", "column")):
        first, last = old.shape[axis] + 1, new.shape[axis]
        if first == last:
            yield f"{NAMES[name]} {what} {last} added"
        elif first < last:
            yield f"{NAMES[name]} {what}s {first} to {last} added"


def _proposal(document: Document, name: str, edit: Edit) -> Proposal:
    after = edit.change(document)
    matrix, dimensions = after.matrix(name), dimensions_of(document.problem)
    assert matrix is not None
    other = next(
        other for other, pair in dimensions.items()
        if other != name and "d_k" in pair and document.matrix(other) is not None
    )  # fmt: skip
    theirs = document.matrix(other)
    assert theirs is not None
    message = ""
    try:
        check_shapes({other: theirs, name: matrix}, {each: (f"rows of {each}", "d_k") for each in (other, name)})
    except ExplorerError as error:
        message = str(error)
    return Proposal(name, matrix, after.typed.get(name), message, edit)
