"""Whole matrices put in the place of those that are there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from explorer.core.masks import NO_MASK, Allowed, Mask
from explorer.core.matrices import NAMES, shape_text
from explorer.core.problem import Problem, with_fields
from explorer.errors import ExplorerError
from explorer.state.document import Document, Labels
from explorer.state.edits import Edit
from explorer.state.pasting import Block

_MAY_BE_INFINITE = ("scores", "bias")


def replace_matrices(
    blocks: Mapping[str, Block], allowed: Allowed | None = None, *,
    query_labels: Labels = (), key_labels: Labels = (),
) -> Edit:  # fmt: skip
    """Give matrices of the present source, and the bias, other numbers and sizes; with ``allowed`` a custom mask too.

    Where the number of queries or keys changes, a mask, a bias and labels of the old size go.
    """
    for name, block in blocks.items():
        _check(name, block)

    def change(document: Document) -> Document:
        problem = _problem(document.problem, blocks, allowed)
        queries, keys = _labels(document, problem, blocks, query_labels, key_labels)
        gone = () if problem.bias is not None else ("bias",)
        typed = {name: kept for name, kept in document.typed.items() if name not in (*blocks, *gone)}
        for name, block in blocks.items():
            if block.texts is not None and block.texts.astype(bool).any():
                typed[name] = block.texts
        return replace(
            document, problem=problem, typed=MappingProxyType(typed), query_labels=queries, key_labels=keys
        )  # fmt: skip

    return Edit(f"Paste {_names(blocks, allowed)}", change, notice=lambda *both: _said(blocks, allowed, *both))


def _check(name: str, block: Block) -> None:
    is_bad = np.isnan(block.values) if name in _MAY_BE_INFINITE else ~np.isfinite(block.values)
    if is_bad.any():
        row, column = (int(at) for at in np.argwhere(is_bad)[0])
        what = float(block.values[row, column])
        raise ExplorerError(
            f"{NAMES[name]} row {row + 1}, column {column + 1}: {what} cannot stand here", "give a number"
        )


def _problem(problem: Problem, blocks: Mapping[str, Block], allowed: Allowed | None) -> Problem:
    values = {name: block.values for name, block in blocks.items()}
    bias = values.pop("bias", None)
    sized = replace(problem, source=with_fields(problem.source, **values), mask=NO_MASK, bias=None)
    is_same = sized.shape == problem.shape
    mask = problem.mask
    if allowed is not None:
        mask = Mask("custom", allowed=allowed)
    elif not is_same:
        mask = NO_MASK if mask.kind in ("custom", "padding") else replace(mask, keys=None, allowed=None)
    return replace(sized, mask=mask, bias=bias if bias is not None else problem.bias if is_same else None)


def _labels(
    document: Document, problem: Problem, blocks: Mapping[str, Block], query_labels: Labels, key_labels: Labels
) -> tuple[Labels, Labels]:
    """The first labels that fit: those that came along, those beside a matrix, those that were there."""
    queries, keys = [query_labels], [key_labels]
    for name, block in blocks.items():
        pair = ("n_q", "n_k") if name == "bias" else problem.source.dimensions[name]
        for dimension, labels in zip(pair, (block.row_labels, block.column_labels), strict=True):
            {"n_q": queries, "n_k": keys}.get(dimension, []).append(labels)
    fitting_queries = (tuple(labels) for labels in (*queries, document.query_labels) if len(labels) == problem.n_q)
    fitting_keys = (tuple(labels) for labels in (*keys, document.key_labels) if len(labels) == problem.n_k)
    return next(fitting_queries, ()), next(fitting_keys, ())


def _names(blocks: Mapping[str, Block], allowed: Allowed | None) -> str:
    return ", ".join([*(NAMES[name] for name in blocks), *(["mask"] if allowed is not None else [])])


def _said(blocks: Mapping[str, Block], allowed: Allowed | None, before: Document, after: Document) -> str:
    shapes = [f"{NAMES[name]} {shape_text(block.shape)}" for name, block in blocks.items()]
    shapes += [] if allowed is None else [f"mask {shape_text(allowed.shape)}"]
    old, new = before.problem, after.problem
    gone = ["bias"] if old.bias is not None and new.bias is None else []
    gone += ["mask"] if old.shape != new.shape and old.mask.kind != "none" and new.mask.kind == "none" else []
    return f"{', '.join(shapes)} pasted" + (f"; {' and '.join(gone)} of the old size gone" if gone else "")
