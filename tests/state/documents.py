"""Small random documents of every kind of source, for Hypothesis."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from explorer.core.attention import Attention
from explorer.core.masks import MASKS, NO_MASK, Mask
from explorer.core.problem import QKV, SOURCES, Problem, Projection, Scores, Source, Weights
from explorer.state.document import Document, Variant

KINDS = tuple(source.kind for source in SOURCES)
STAGES = (
    "q", "k", "v", "scores", "scaled", "allowed", "masked", "logits", "exponentials", "row_sums", "weights", "output",
    "entropy",
)  # fmt: skip
# What a person types, and what it means: a text that disagrees with its number is stale.
TEXTS = {"1/3": 1 / 3, "2/7": 2 / 7, "sqrt(2)": math.sqrt(2), "2^-3": 0.125, "1,5": 1.5}
BETAS = (0.0, 1.0, -1.0, 5.0, 0.3, math.inf, -math.inf)
SCALES = ("sqrt_dk", 1.0, 1.7, 0.3)

# Tenths make products that ought to tie and differ by rounding.
usual = st.one_of(st.integers(-3, 3).map(float), st.integers(-9, 9).map(lambda n: n / 10))
numbers = st.one_of(usual, usual, usual, usual, st.sampled_from([1e200, -1e200, math.nan, math.inf]))
hiding = st.one_of(numbers, numbers, numbers, st.just(-math.inf))
shares = st.sampled_from([0.0, 0.1, 0.25, 0.7, 1.0, 1 / 3])
typed_numbers = st.sampled_from(sorted(TEXTS.items())).map(lambda item: (item[1], item[0]))
names = st.sampled_from([None, "the", "cat", "sat", "ω", "a b"])


@st.composite
def typed_matrices(draw: Callable[..., Any], rows: int, columns: int, cells: st.SearchStrategy[float]) -> Any:
    """A matrix, and the texts of those cells that were typed as one."""
    values = np.array(draw(st.lists(cells, min_size=rows * columns, max_size=rows * columns)), dtype=float)
    values = values.reshape(rows, columns)
    texts = np.full((rows, columns), None, dtype=object)
    if draw(st.booleans()):
        place = draw(st.integers(0, rows - 1)), draw(st.integers(0, columns - 1))
        values[place], texts[place] = draw(typed_numbers)
    texts.setflags(write=False)
    return values, texts


@st.composite
def masks(draw: Callable[..., Any], n_q: int, n_k: int) -> Mask:
    """A mask of any kind, causal and windows with and without a list of padded keys."""
    kind = draw(st.sampled_from([kind for kind, _ in MASKS]))
    if kind == "none":
        return NO_MASK
    if kind == "custom":
        cells = draw(st.lists(st.booleans(), min_size=n_q * n_k, max_size=n_q * n_k))
        return Mask("custom", allowed=np.array(cells, dtype=bool).reshape(n_q, n_k))
    keys = np.array(draw(st.lists(st.booleans(), min_size=n_k, max_size=n_k)), dtype=bool)
    if kind == "padding":
        return Mask("padding", keys=keys)
    align = draw(st.sampled_from(["start", "end"]))
    carried = keys if draw(st.booleans()) else None
    if kind == "causal":
        return Mask("causal", align=align, keys=carried)
    width = st.sampled_from([None, 0, 1, 2])
    return Mask("window", align=align, left=draw(width), right=draw(width), keys=carried)


@st.composite
def sources(draw: Callable[..., Any], kind: str, n_q: int, n_k: int) -> tuple[Source, dict[str, Any]]:
    """A source of a kind with the texts typed into it; without memory, projection takes n_k from its own tokens."""
    d_k, d_v, d_x = (draw(st.integers(1, 3)) for _ in range(3))
    typed: dict[str, Any] = {}

    def given(name: str, rows: int, columns: int, cells: st.SearchStrategy[float] = numbers) -> Any:
        values, texts = draw(typed_matrices(rows, columns, cells))
        if any(text is not None for text in texts.flat):
            typed[name] = texts
        return values

    has_values = draw(st.booleans())
    if kind == "projection":
        memory = given("memory", n_k, 2) if n_q != n_k or draw(st.booleans()) else None
        d_m = d_x if memory is None else 2
        source: Source = Projection(
            given("x", n_q, d_x), given("w_q", d_x, d_k), given("w_k", d_m, d_k),
            given("w_v", d_m, d_v) if has_values else None, memory,
        )  # fmt: skip
        return source, typed
    v = given("v", n_k, d_v) if has_values else None
    if kind == "qkv":
        return QKV(given("q", n_q, d_k), given("k", n_k, d_k), v), typed
    if kind == "scores":
        return Scores(given("scores", n_q, n_k, hiding), v, draw(st.sampled_from([None, 4]))), typed
    return Weights(given("weights", n_q, n_k, shares), v), typed


@st.composite
def documents(draw: Callable[..., Any], kinds: tuple[str, ...] = KINDS) -> Document:
    """A document of any of these kinds, with dials, mask, bias, labels and texts."""
    kind = draw(st.sampled_from(kinds))
    n_q, n_k = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    source, typed = draw(sources(kind, n_q, n_k))
    bias = None
    if draw(st.booleans()):
        bias, texts = draw(typed_matrices(n_q, n_k, hiding))
        typed["bias"] = texts
    has_d_k = not isinstance(source, Scores) or source.d_k is not None
    scales = st.sampled_from(SCALES if has_d_k else SCALES[1:])
    problem = Problem(
        source, scale=draw(scales), beta=draw(st.sampled_from(BETAS)), shift=draw(st.sampled_from([0.0, 2.0])),
        mask=draw(masks(n_q, n_k)), bias=bias, softcap=draw(st.sampled_from([0.0, 0.0, 2.0])),
    )  # fmt: skip
    queries = tuple(draw(st.lists(names, min_size=n_q, max_size=n_q)))
    keys = queries if problem.has_shared_tokens else tuple(draw(st.lists(names, min_size=n_k, max_size=n_k)))
    variants = (Variant("sharp", beta=5.0), Variant("unscaled", scale=1.0, shift=1.0))
    return Document(problem, typed, queries, keys, title="A title", note="A note.", variants=variants)


def content(document: Document) -> dict[str, Any]:
    """All that a file holds of a document, by name, to compare part by part."""
    problem = document.problem
    mask = problem.mask
    held: dict[str, Any] = {name: getattr(document, name) for name in ("title", "note", "variants", "stated")}
    held |= {name: getattr(problem, name) for name in ("scale", "beta", "shift", "softcap", "shape", "d_k")}
    held |= {"kind": problem.source.kind, "mask": mask.kind, "cells": problem.masked_in.tolist()}
    if mask.kind in ("causal", "window"):
        held |= {"align": mask.align, "left": mask.left, "right": mask.right}
    held |= {"queries": document.query_labels, "keys": document.key_labels, "extra": dict(document.extra)}
    for name in (*problem.source.matrices, "bias"):
        matrix = document.matrix(name)
        # repr sees that two NaN are the same; + 0.0 that -0 is 0, as in a cell.
        held[name] = None if matrix is None else repr((matrix + 0.0).tolist())
        if matrix is not None:
            held[f"{name} typed"] = [document.typed_text(name, *place) for place in np.ndindex(*matrix.shape)]
    return held


def assert_same_stages(one: Attention, other: Attention) -> None:
    """Two computations agree in every stage, digit for digit."""
    for name in STAGES:
        a, b = getattr(one, name), getattr(other, name)
        assert (a is None) == (b is None), name
        if a is not None:
            np.testing.assert_array_equal(a, b, err_msg=name)
    assert (one.status, dict(one.faults), one.tied_by_rounding) == (
        other.status, dict(other.faults), other.tied_by_rounding,
    )  # fmt: skip


def assert_sound(document: Document) -> None:
    """Nothing in a document can be written to, every text has its cell and stands for the number in it."""
    problem = document.problem
    arrays = [*problem.source.matrices.values(), problem.bias, problem.mask.keys, problem.mask.allowed]
    assert not any(array.flags.writeable for array in arrays if array is not None)
    assert problem.mask.keys is None or problem.mask.keys.shape == (problem.n_k,)
    assert problem.mask.allowed is None or problem.mask.allowed.shape == problem.shape
    assert (len(document.query_labels), len(document.key_labels)) == problem.shape
    for name, texts in document.typed.items():
        matrix = document.matrix(name)
        assert matrix is not None, f"texts of {name}, which is not given"
        assert texts.shape == matrix.shape, name
        assert not texts.flags.writeable, name
        for place, text in np.ndenumerate(texts):
            assert text is None or TEXTS[text] == matrix[place], f"{name} {place} reads {text} and is {matrix[place]}"
