"""One small function per thing a person can do to the numbers and dials."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from explorer.core.masks import NO_MASK, Allowed, Mask
from explorer.core.matrices import NAMES, Matrix
from explorer.core.problem import Problem, with_fields
from explorer.errors import ExplorerError
from explorer.state.document import Document, Texts, Variant, View

Change = Callable[[Document], Document]


@dataclass(frozen=True)
class Edit:
    """A change of the document that undo takes back.

    ``merge`` names the gesture: edits of one gesture are one step. ``notice`` says, from the documents before and
    after, what the person should know.
    """

    label: str
    change: Change
    merge: str | None = None
    notice: Callable[[Document, Document], str] | None = None


@dataclass(frozen=True)
class Look:
    """A change of the view, which undo leaves alone."""

    change: Callable[[View], View]


def look(**choices: Any) -> Look:
    """Look at other things: ``look(query=2, decimals=4)``."""
    return Look(lambda view: replace(view, **choices))


def step_choice(down: int, right: int) -> Look:
    """Choose the query and key some steps away from the chosen ones."""
    return Look(lambda view: replace(view, query=view.query + down, key=view.key + right))


def _with_problem(document: Document, **fields: Any) -> Document:
    return replace(document, problem=replace(document.problem, **fields))


def with_matrix(document: Document, name: str, matrix: Matrix, texts: Texts | None) -> Document:
    """The document with other numbers in one matrix, and what was typed for them."""
    problem = document.problem
    if name == "bias":
        problem = replace(problem, bias=matrix)
    else:
        problem = replace(problem, source=with_fields(problem.source, **{name: matrix}))
    typed = {other: kept for other, kept in document.typed.items() if other != name}
    if texts is not None and texts.astype(bool).any():
        texts.setflags(write=False)
        typed[name] = texts
    return replace(document, problem=problem, typed=MappingProxyType(typed))


Cells = Mapping[tuple[int, int], tuple[float, str | None]]


def set_cells(name: str, cells: Cells, label: str | None = None, merge: str | None = None) -> Edit:
    """Put numbers into cells of a matrix, each with the text to keep (None when it says nothing more)."""

    def change(document: Document) -> Document:
        old = _given(document, name)
        matrix = old.copy()
        kept = document.typed.get(name)
        texts = None if kept is None else kept.copy()
        if texts is None and any(text is not None for _, text in cells.values()):
            texts = np.full(matrix.shape, None, dtype=object)
        for place, (value, text) in cells.items():
            matrix[place] = value
            if texts is not None:
                texts[place] = text
        is_same = np.array_equal(matrix, old, equal_nan=True) and _same_texts(texts, kept)
        return document if is_same else with_matrix(document, name, matrix, texts)

    place, (value, text) = next(iter(cells.items()))
    cell = f"{NAMES[name]} row {place[0] + 1}, column {place[1] + 1}"
    said = label or f"{cell} is now {text or f'{value:.10g}'}"
    return Edit(label or cell, change, merge, lambda _before, _after: said)


def nudge(name: str, row: int, column: int, step: float) -> Edit:
    """Add a step to a number; ten decimals are more than a step has and fewer than binary fractions show."""

    def change(document: Document) -> Document:
        value = round(float(_given(document, name)[row, column]) + step, 10)
        return set_cells(name, {(row, column): (value, None)}).change(document)

    return Edit(f"{NAMES[name]} row {row + 1}, column {column + 1}", change)


def _same_texts(texts: Texts | None, kept: Texts | None) -> bool:
    if texts is None or kept is None:
        return texts is kept
    return bool(np.array_equal(texts, kept))


def _given(document: Document, name: str) -> Matrix:
    matrix = document.matrix(name)
    if matrix is None:
        raise ExplorerError(f"{NAMES[name]} is not given", "choose another source, or add it")
    return matrix


def set_label(axis: str, index: int, text: str) -> Edit:
    """Name a token of the "query" or "key" axis; an empty text goes back to its position."""

    def change(document: Document) -> Document:
        shared = document.problem.has_shared_tokens
        fields: dict[str, Any] = {}
        for which in ("query", "key") if shared else (axis,):
            labels = list(getattr(document, f"{which}_labels"))
            labels[index] = text.strip() or None
            fields[f"{which}_labels"] = tuple(labels)
        same = all(getattr(document, name) == labels for name, labels in fields.items())
        return document if same else replace(document, **fields)

    return Edit(f"Name {axis} {index + 1}", change)


def set_beta(beta: float, merge: str | None = None) -> Edit:
    """Set the inverse temperature."""
    return _dial("Beta", "beta", beta, merge)


def set_scale(scale: str | float) -> Edit:
    """Set the divisor: "sqrt_dk" or a number."""
    return _dial("Scale", "scale", scale, None)


def check_scale(scale: float) -> None:
    """Refuse a divisor that no scores can have."""
    if not 0 < scale < math.inf:
        raise ExplorerError(f"the scale is {scale:.6g}", "choose √dₖ, or type a number above 0")


def set_shift(shift: float, merge: str | None = None) -> Edit:
    """Set the constant added to every score."""
    return _dial("Shift", "shift", shift, merge)


def _dial(title: str, name: str, value: str | float, merge: str | None) -> Edit:
    def change(document: Document) -> Document:
        old = getattr(document.problem, name)
        return document if type(old) is type(value) and old == value else _with_problem(document, **{name: value})

    return Edit(f"{title} {value:g}" if value != "sqrt_dk" else f"{title} sqrt(d_k)", change, merge)


def use_variant(variant: Variant) -> Edit:
    """Set the dials as a variant of the example has them."""

    def change(document: Document) -> Document:
        if variant.is_shown_by(document.problem):
            return document
        return replace(document, problem=variant.apply(document.problem))

    return Edit(variant.name, change)


def set_mask(kind: str) -> Edit:
    """Choose a kind of mask; custom starts from what is shown, and a list of padded keys is carried along."""

    def change(document: Document) -> Document:
        problem = document.problem
        if problem.mask.kind == kind:
            return document
        return _with_problem(document, mask=_chosen(kind, problem))

    return Edit(f"Mask {kind}", change, notice=_say_alignment)


def _chosen(kind: str, problem: Problem) -> Mask:
    keys = problem.mask.keys
    if kind == "none":
        return NO_MASK
    if kind == "custom":
        return Mask("custom", allowed=problem.masked_in)
    if kind == "padding":
        return Mask("padding", keys=np.ones(problem.n_k, dtype=bool) if keys is None else keys)
    kept = None if keys is None or keys.all() else keys
    if kind == "window":
        return Mask("window", align=problem.mask.align, left=1, right=0, keys=kept)
    return Mask(kind, align=problem.mask.align, keys=kept)


def _say_alignment(before: Document, after: Document) -> str:
    mask, problem = after.problem.mask, after.problem
    if mask.kind not in ("causal", "window") or problem.n_q == problem.n_k:
        return ""
    start = 'query 1 stands at key 1; "end" puts the last query at the last key, as FlashAttention and caches do'
    end = 'the last query stands at the last key; "start" puts query 1 at key 1, as torch and ONNX do'
    queries = "1 query" if problem.n_q == 1 else f"{problem.n_q} queries"
    keys = "1 key" if problem.n_k == 1 else f"{problem.n_k} keys"
    return f"{queries}, {keys}: {start if mask.align == 'start' else end}"


def set_alignment(align: str) -> Edit:
    """Align a causal or window mask to the start or the end."""
    return Edit(f"Align to the {align}", _mask_change(("causal", "window"), align=align), notice=_say_alignment)


def set_window(left: int | None, right: int | None) -> Edit:
    """How many keys before and after its own a query may attend to; None = all of them."""
    return Edit("Window", _mask_change(("window",), left=left, right=right))


def _mask_change(kinds: tuple[str, ...], **fields: Any) -> Change:
    def change(document: Document) -> Document:
        mask = document.problem.mask
        if mask.kind not in kinds:
            raise ExplorerError(f"mask {mask.kind} has no {', '.join(fields)}", f"choose {' or '.join(kinds)} first")
        is_same = all(getattr(mask, name) == value for name, value in fields.items())
        return document if is_same else _with_problem(document, mask=replace(mask, **fields))

    return change


def paint(row: int, column: int, is_visible: bool, merge: str | None = None) -> Edit:
    """Show or hide one cell; any mask becomes a custom one that starts from what it shows."""

    def change(document: Document) -> Document:
        problem = document.problem
        _refuse_given_weights(problem)
        if is_visible and is_hidden_by_typing(document, row, column):
            raise ExplorerError(f"a typed -inf hides row {row + 1}, column {column + 1}", "type a number here")
        if problem.masked_in[row, column] == is_visible:
            return document
        allowed = problem.masked_in.copy()
        allowed[row, column] = is_visible
        return _with_problem(document, mask=Mask("custom", allowed=allowed))

    return Edit(f"{'Show' if is_visible else 'Hide'} row {row + 1}, column {column + 1}", change, merge)


def _refuse_given_weights(problem: Problem) -> None:
    if problem.source.kind == "weights":
        raise ExplorerError("given weights are used as typed", "choose scores or Q, K, V to use a mask")


def is_hidden_by_typing(document: Document, row: int, column: int) -> bool:
    """Whether a -inf typed into scores or bias hides this cell."""
    typed = (document.matrix("scores"), document.problem.bias)
    return any(matrix is not None and bool(np.isneginf(matrix[row, column])) for matrix in typed)


def set_custom_mask(allowed: Allowed) -> Edit:
    """Use a whole mask that was brought along, True = may attend; one of another size is refused."""

    def change(document: Document) -> Document:
        problem = document.problem
        _refuse_given_weights(problem)
        if problem.mask.kind == "custom" and np.array_equal(problem.masked_in, allowed):
            return document
        return _with_problem(document, mask=Mask("custom", allowed=allowed))

    hidden = f"Custom mask: {int((~allowed).sum())} of {allowed.size} cells hidden"
    return Edit("Paste mask", change, notice=lambda _before, _after: hidden)


def toggle_key(column: int) -> Edit:
    """Hide or show a whole key, as padding."""

    def change(document: Document) -> Document:
        problem = document.problem
        _refuse_given_weights(problem)
        mask = problem.mask
        if mask.kind == "custom":
            allowed = problem.masked_in.copy()
            allowed[:, column] = not allowed[:, column].all()
            return _with_problem(document, mask=Mask("custom", allowed=allowed))
        keys = np.ones(problem.n_k, dtype=bool) if mask.keys is None else mask.keys.copy()
        keys[column] = not keys[column]
        kind = "padding" if mask.kind == "none" else mask.kind
        return _with_problem(document, mask=replace(mask, kind=kind, keys=keys))

    def notice(_before: Document, after: Document) -> str:
        return f"Key {column + 1} {'shown' if after.problem.masked_in[:, column].any() else 'hidden'}"

    return Edit(f"Hide or show key {column + 1}", change, notice=notice)
