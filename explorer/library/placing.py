"""What can be done with an imported reading: a new document, or an edit of the one that is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from explorer.core.masks import Mask
from explorer.core.matrices import NAMES, Matrix, shape_text
from explorer.core.problem import QKV, Problem, Projection, Scores, Source, Weights
from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.mask_readings import FAMILIES, readings_of_mask
from explorer.formats.named_parts import quoted, role_of
from explorer.state.document import Document, Labels, Texts
from explorer.state.edits import Edit, set_custom_mask
from explorer.state.pasting import Block, Proposal, paste

# How far from 1 a row of printed weights may add up to.
_ROUNDED = 0.02


@dataclass(frozen=True, eq=False)
class Placement:
    """One thing to do with a reading: ``make`` gives a document to open, or an edit of the present one."""

    id: str
    label: str
    make: Callable[[Document], Document | Edit]


def placements(imported: Imported, present: Document, title: str = "") -> tuple[Placement, ...]:
    """What a reading may be used as, the likelier first; one where nothing has to be asked.

    Raises ExplorerError where it fits nowhere; a "choice" must be decided first.
    """
    kinds = {
        "session": _of_session, "named": _of_named, "mask": _of_mask, "matrix": _of_matrix, "tensor": _of_tensor,
    }  # fmt: skip
    return tuple(kinds[imported.kind](imported, present, title))


def sliced(imported: Imported, axes: tuple[int, int], at: Sequence[int]) -> Imported:
    """A matrix out of a tensor: the axes of its queries and keys, and the place on each of the others in order."""
    assert imported.values is not None
    others = [axis for axis in range(imported.values.ndim) if axis not in axes]
    where: list[int | slice] = [slice(None)] * imported.values.ndim
    for axis, place in zip(others, at, strict=True):
        where[axis] = place
    matrix: Any = imported.values[tuple(where)]
    names = [f"{imported.axes[axis]} {place + 1}" for axis, place in zip(others, at, strict=True)]
    is_turned = axes[0] > axes[1]
    made = replace(
        imported, kind="mask" if matrix.dtype == np.bool_ else "matrix", values=matrix.T if is_turned else matrix,
        axes=(), name=" ".join(filter(None, [imported.name, ", ".join(names)])),
    )  # fmt: skip
    is_usual = axes == (imported.values.ndim - 2, imported.values.ndim - 1)
    return made if is_usual else replace(made, row_labels=(), column_labels=())


def _opening(id_: str, label: str, document: Document) -> Placement:
    return Placement(id_, label, lambda _: document)


def _applying(id_: str, label: str, edit: Edit) -> Placement:
    return Placement(id_, label, lambda _: edit)


def _of_session(imported: Imported, _present: Document, _title: str) -> Iterator[Placement]:
    assert imported.session is not None
    document = imported.session[0]
    yield _opening("session", document.title or "session", document)


def _of_tensor(imported: Imported, present: Document, title: str) -> Iterator[Placement]:
    assert imported.values is not None
    ndim = imported.values.ndim
    first = sliced(imported, (ndim - 2, ndim - 1), [0] * (ndim - 2))
    for placement in _of_matrix(first, present, title):
        if placement.id in ("weights", "scores"):
            yield placement


def _of_matrix(imported: Imported, present: Document, title: str) -> Iterator[Placement]:
    values = imported.numbers
    new = {
        "weights": Placement(
            "weights", "weights, in a new document", lambda _: _alone(Weights(values), imported, title)
        ),
        "scores": Placement("scores", "scores, in a new document", lambda _: _alone(Scores(values), imported, title)),
    }
    are_weights = _are_weights(values)
    order = ["weights", "scores"] if are_weights or role_of(imported.name) == "weights" else ["scores", "weights"]
    if not np.isfinite(values).all():
        order = ["scores"]
    named, inside = role_of(imported.name), list(_into_present(imported, present))
    first = [placement for placement in inside if placement.id == named]
    yield from first
    yield from (new[name] for name in order)
    yield from (placement for placement in inside if placement not in first)
    if values.shape == present.problem.shape and np.isin(values, (0.0, 1.0)).all():
        yield from _of_mask(replace(imported, kind="mask", values=values == 1), present, title)


def _are_weights(values: Matrix) -> bool:
    if not values.size or not np.isfinite(values).all() or (values < 0).any():
        return False
    return bool((np.abs(values.sum(axis=1) - 1) <= _ROUNDED).all())


def _alone(source: Source, imported: Imported, title: str) -> Document:
    typed = {} if imported.texts is None else {source.kind: imported.texts}
    return _document(source, typed, imported.row_labels, imported.column_labels, title or imported.name)


def _document(
    source: Source, typed: dict[str, Texts], rows: Labels, columns: Labels, title: str, mask: Mask | None = None,
    bias: Matrix | None = None,
) -> Document:  # fmt: skip
    scale: str | float = 1.0 if source.kind in ("scores", "weights") else "sqrt_dk"
    problem = Problem(source, scale, mask=mask or Mask(), bias=bias)
    return Document(
        problem, typed, rows if len(rows) == problem.n_q else (), columns if len(columns) == problem.n_k else (), title
    )


def _into_present(imported: Imported, present: Document) -> Iterator[Placement]:
    """The matrices of the open document that this one can take the place of: none of their numbers would be left."""
    rows, columns = imported.numbers.shape
    block = Block(imported.numbers, imported.texts, imported.row_labels, imported.column_labels)
    for name in (*present.problem.source.matrices, "bias"):
        matrix = present.matrix(name)
        if matrix is None:
            continue
        if rows < matrix.shape[0] or columns < matrix.shape[1]:
            continue
        try:
            made = paste(present, name, 0, 0, block)
        except ExplorerError:
            continue
        edit = made.repair if isinstance(made, Proposal) else made
        grown = "" if (rows, columns) == matrix.shape else f", which grows from {shape_text(matrix.shape)}"
        yield _applying(name, f"{NAMES[name]} of the open document{grown}", edit)


def _of_mask(imported: Imported, present: Document, _title: str) -> Iterator[Placement]:
    assert imported.values is not None
    if imported.values.shape != present.problem.shape:
        have, need = shape_text(imported.values.shape), shape_text(present.problem.shape)
        raise ExplorerError(f"the mask is {have}, the scores are {need}", "open the matrices it belongs to first")
    for meaning, allowed in readings_of_mask(imported):
        yield _applying(meaning, FAMILIES[meaning], set_custom_mask(allowed))


def _of_named(imported: Imported, _present: Document, title: str) -> Iterator[Placement]:
    parts = {role_of(name) or name: part for name, part in imported.matrices.items()}
    source = _source_of({name: part.numbers for name, part in parts.items() if part.kind == "matrix"})
    lost = [name for name in imported.matrices if (role_of(name) or name) not in _placed(source)]
    if source is None or lost:
        names = ", ".join(quoted(name) for name in lost or imported.matrices)
        raise ExplorerError(
            f"{names}: no place for it", "give Q, K, V, or X, W_Q, W_K, W_V, or scores, or weights, and V"
        )
    rows, columns = _labels_of(imported, parts)
    typed = {name: part.texts for name, part in parts.items() if part.texts is not None and name in source.matrices}
    bias = parts["bias"].numbers if "bias" in parts else None
    label = f"{', '.join(NAMES[name] for name in source.matrices)}, in a new document"
    mask = parts.get("mask")
    if mask is None or mask.kind != "mask":
        yield _opening(source.kind, label, _document(source, typed, rows, columns, title, None, bias))
        return
    for meaning, allowed in readings_of_mask(mask):
        document = _document(source, typed, rows, columns, title, Mask("custom", allowed=allowed), bias)
        yield _opening(meaning, f"{label}; mask: {FAMILIES[meaning]}", document)


# What makes each source, the first that is there whole; what stands behind the bar may be left out.
_SOURCES: tuple[tuple[type[Source], tuple[str, ...], tuple[str, ...]], ...] = (
    (Projection, ("x", "w_q", "w_k"), ("w_v", "memory")),
    (QKV, ("q", "k"), ("v",)),
    (Scores, ("scores",), ("v",)),
    (Weights, ("weights",), ("v",)),
)


def _source_of(matrices: dict[str, Matrix]) -> Source | None:
    for make, needed, optional in _SOURCES:
        if all(name in matrices for name in needed):
            given: dict[str, Any] = {name: matrices[name] for name in (*needed, *optional) if name in matrices}
            return make(**given)
    return None


def _placed(source: Source | None) -> set[str]:
    return {"mask", "bias", *(source.matrices if source is not None else ())}


def _labels_of(imported: Imported, parts: dict[str, Imported]) -> tuple[Labels, Labels]:
    """Tokens of the queries and of the keys: those given for both, or those beside the matrices."""
    if imported.tokens:
        return imported.tokens, imported.tokens
    rows = [parts[name].row_labels for name in ("q", "x", "scores", "weights") if name in parts]
    keys = [parts[name].row_labels for name in ("k", "v", "memory") if name in parts]
    columns = [parts[name].column_labels for name in ("scores", "weights") if name in parts]
    queries = imported.row_labels or next(filter(any, rows), ())
    return queries, imported.column_labels or next(filter(any, [*columns, *keys]), ())
