"""Changing where the numbers enter, without changing weights and output on the way down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from explorer.core.attention import Attention, attend
from explorer.core.masks import NO_MASK
from explorer.core.matrices import Matrix
from explorer.core.problem import QKV, SOURCES, Problem, Projection, Scores, Weights
from explorer.errors import ExplorerError
from explorer.state.document import NOTHING, Document
from explorer.state.edits import Edit

KINDS = tuple(source.kind for source in SOURCES)
_DIALS = ("scale", "beta", "shift", "mask", "bias", "softcap")


def change_source(kind: str) -> Edit:
    """Enter the numbers elsewhere: down takes the computed stage along, up brings back what was last given there."""
    if kind not in KINDS:
        raise ExplorerError(f"source {kind!r} is not known", f"use one of {', '.join(KINDS)}")

    def change(document: Document) -> Document:
        while KINDS.index(document.problem.source.kind) < KINDS.index(kind):
            document = _one_down(document)
        if document.problem.source.kind != kind:
            document = _up(document, kind)
        return document

    def notice(before: Document, after: Document) -> str:
        if KINDS.index(kind) > KINDS.index(before.problem.source.kind):
            return "Weights and output are unchanged"
        return "As last given here" if kind in before.earlier else "Never given here: zeros of that shape"

    return Edit(f"Source {kind}", change, notice=notice)


def _one_down(document: Document) -> Document:
    attention = attend(document.problem)
    problem = document.problem
    dials: dict[str, Any] = {name: getattr(problem, name) for name in _DIALS}
    source: QKV | Scores | Weights
    if isinstance(problem.source, Projection):
        assert attention.q is not None
        assert attention.k is not None
        source = QKV(attention.q, attention.k, attention.v)
    elif isinstance(problem.source, QKV):
        source = Scores(_as_typed(attention), problem.source.v, problem.d_k)
    else:
        source = Weights(attention.weights, attention.v)
        dials = {"scale": 1.0}
    typed = {name: texts for name, texts in document.typed.items() if name in ("v", "bias") and name in _kept(source)}
    if not isinstance(source, Weights) and "bias" in document.typed:
        typed["bias"] = document.typed["bias"]
    earlier = {**document.earlier, problem.source.kind: replace(document, earlier=NOTHING)}
    return replace(
        document,
        problem=Problem(source, **dials),
        typed=MappingProxyType(typed),
        earlier=MappingProxyType(earlier),
    )


def _kept(source: QKV | Scores | Weights) -> tuple[str, ...]:
    """V is the same matrix after every step down but the first, where it was computed."""
    return () if isinstance(source, QKV) else ("v",)


def _as_typed(attention: Attention) -> Matrix:
    """Raw scores that give the same weights when typed: an overflow to -inf must not hide, a tie must stay one."""
    assert attention.scores is not None
    scores = np.where(np.isneginf(attention.scores), np.nan, attention.scores)
    problem = attention.problem
    extreme = np.max if problem.beta > 0 else np.min
    for row in attention.tied_by_rounding:
        winners = np.flatnonzero(attention.weights[row])
        if problem.bias is None:
            scores[row, winners] = extreme(scores[row, winners])
        else:
            assert attention.masked is not None
            level = extreme(attention.masked[row, winners]) - problem.bias[row, winners]
            typed = _before_softcap(problem, level)
            scores[row, winners] = np.where(np.isfinite(typed), typed, scores[row, winners])
    return scores


def _before_softcap(problem: Problem, capped: Matrix) -> Matrix:
    """The raw scores that scale and softcap turn into these; not finite where none does."""
    cap = problem.softcap
    with np.errstate(all="ignore"):
        if cap:
            # tanh(20) is 1: beyond it the cap is reached for good.
            capped = cap * np.clip(np.arctanh(np.clip(capped / cap, -1, 1)), -20, 20)
        return capped * problem.divisor


def _up(document: Document, kind: str) -> Document:
    given = document.earlier.get(kind)
    if given is None:
        given = _zeros(document, kind)
    earlier = {name: kept for name, kept in document.earlier.items() if KINDS.index(name) < KINDS.index(kind)}
    same = document.problem.shape == given.problem.shape
    return replace(
        document,
        problem=_with_values_and_dials(document, given),
        typed=_typed(document, given),
        query_labels=document.query_labels if same else given.query_labels,
        key_labels=document.key_labels if same else given.key_labels,
        earlier=MappingProxyType(earlier),
    )


def _with_values_and_dials(document: Document, given: Document) -> Problem:
    now, old = document.problem, given.problem
    source = old.source
    if now.n_k == old.n_k and not isinstance(source, Projection):
        source = replace(source, v=now.source.matrices.get("v"))
    if not _takes_dials(document, given):
        return replace(old, source=source)
    return Problem(source, **{name: getattr(now, name) for name in _DIALS})


def _takes_dials(document: Document, given: Document) -> bool:
    """Whether dials set further down come along up: not from given weights, which have none, nor to another shape."""
    now = document.problem
    return not isinstance(now.source, Weights) and now.shape == given.problem.shape


def _typed(document: Document, given: Document) -> Mapping[str, Any]:
    typed = dict(given.typed)
    if _takes_dials(document, given):
        typed.pop("bias", None)
        typed |= {name: texts for name, texts in document.typed.items() if name == "bias"}
    if not isinstance(given.problem.source, Projection) and document.problem.n_k == given.problem.n_k:
        typed.pop("v", None)
        typed |= {name: texts for name, texts in document.typed.items() if name == "v"}
    return MappingProxyType(typed)


def _zeros(document: Document, kind: str) -> Document:
    problem = document.problem
    n_q, n_k = problem.shape
    width = problem.d_k or 2
    v = problem.source.matrices.get("v")
    d_v = problem.d_v
    source: Projection | QKV | Scores
    if kind == "scores":
        source = Scores(np.zeros((n_q, n_k)), v)
    elif kind == "qkv":
        source = QKV(np.zeros((n_q, width)), np.zeros((n_k, width)), v)
    else:
        has_memory = n_q != n_k or document.query_labels != document.key_labels
        square = np.zeros((width, width))
        source = Projection(
            np.zeros((n_q, width)), square, square, None if d_v is None else np.zeros((width, d_v)),
            np.zeros((n_k, width)) if has_memory else None,
        )  # fmt: skip
    scale: str | float = 1.0 if kind == "scores" else "sqrt_dk"
    return replace(document, problem=Problem(source, scale=scale, mask=NO_MASK), typed=NOTHING)
