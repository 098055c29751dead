"""The session file: round trips, and what is forgiven."""

import json
import math
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Source, Weights
from explorer.formats import session
from explorer.state.document import COLORMAPS, STAGES, Document, Variant, View

SAMPLE = Path(__file__).parent.parent / "samples" / "session_v1.json"
SMALL = {
    "format": "attention-explorer",
    "version": 1,
    "source": {"kind": "qkv", "q": [[1, 0]], "k": [[1, 0], [0, 1]], "v": [[2], [3]]},
}


def same(a: Any, b: Any) -> bool:
    """Equality in depth: NaN equals NaN, -0 differs from 0."""
    if isinstance(a, np.ndarray) and a.dtype == np.float64:
        signs = np.signbit(a) == np.signbit(b)
        return np.array_equal(a, b, equal_nan=True) and bool((signs | np.isnan(a)).all())
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.shape == b.shape and bool((a == b).all())
    if is_dataclass(a):
        return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if hasattr(a, "items"):
        return set(a) == set(b) and all(same(value, b[name]) for name, value in a.items())
    return bool(a == b)


def made(**changes: Any) -> bytes:
    return json.dumps({**SMALL, **changes}).encode()


def with_source(**changes: Any) -> bytes:
    source = SMALL["source"]
    assert isinstance(source, dict)
    return made(source={**source, **changes})


# --- round trips


def test_sample_of_version_1() -> None:
    data = SAMPLE.read_bytes()
    document, view = session.read(data)
    problem = document.problem
    assert isinstance(problem.source, Projection)
    assert problem.source.x[0, 0] == 1 / 3
    assert document.typed_text("x", 0, 0) == "1/3"
    assert document.typed_text("w_q", 0, 2) == "sqrt(2)"
    assert document.typed_text("bias", 0, 3) == "1/7"
    assert document.typed_text("bias", 0, 1) is None
    assert (problem.scale, problem.beta, problem.shift, problem.softcap) == (2.5, -math.inf, -1, 30)
    assert (problem.mask.kind, problem.mask.left, problem.mask.right, problem.mask.align) == ("window", 1, None, "end")
    assert document.key_labels == ("a", "b", None, "")
    assert document.variants[1] == Variant("limit", beta=math.inf, scale="sqrt_dk", shift=0.5)
    assert view == View(1, 3, 4, "logits", "cividis")
    assert document.extra["author"] == {"name": "somebody", "since": [2026, 11]}
    assert session.write(document, view) == data


cells = st.floats(width=64)
lengths = st.integers(1, 3)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    def matrix(rows: int, columns: int) -> list[list[float]]:
        return [[draw(cells) for _ in range(columns)] for _ in range(rows)]

    n_q, n_k, d, d_v = (draw(lengths) for _ in range(4))
    v = draw(st.sampled_from([matrix(n_k, d_v), None]))
    kind = draw(st.sampled_from([QKV, Projection, Scores, Weights]))
    if kind is QKV:
        return QKV(matrix(n_q, d), matrix(n_k, d), v)
    if kind is Scores:
        return Scores(matrix(n_q, n_k), v, draw(st.sampled_from([None, 0, 64])))
    if kind is Weights:
        return Weights(matrix(n_q, n_k), v)
    if draw(st.booleans()):
        return Projection(matrix(n_q, d_v), matrix(d_v, d), matrix(n_k, d), None, matrix(2, n_k))
    return Projection(matrix(n_q, d_v), matrix(d_v, d), matrix(d_v, d), matrix(d_v, n_k))


@st.composite
def masks(draw: st.DrawFn, n_q: int, n_k: int) -> Mask:
    keys = draw(st.sampled_from([None, [draw(st.booleans()) for _ in range(n_k)]]))
    align = draw(st.sampled_from(["start", "end"]))
    width = st.sampled_from([None, 0, 2])
    rows = [[draw(st.booleans()) for _ in range(n_k)] for _ in range(n_q)]
    return draw(
        st.sampled_from(
            [
                Mask(),
                Mask("causal", align=align, keys=keys),
                Mask("window", align=align, left=draw(width), right=draw(width), keys=keys),
                Mask("padding", keys=keys),
                Mask("custom", allowed=rows),
            ]
        )
    )


@st.composite
def documents(draw: st.DrawFn) -> Document:
    source = draw(sources())
    plain = Problem(source, scale=1.0)
    number = st.floats(allow_nan=False, allow_infinity=False)
    bias = [[draw(cells) for _ in range(plain.n_k)] for _ in range(plain.n_q)]
    problem = Problem(
        source,
        scale=draw(st.floats(min_value=5e-324, allow_infinity=False)),
        beta=draw(st.floats(allow_nan=False)),
        shift=draw(number),
        mask=draw(masks(plain.n_q, plain.n_k)),
        bias=draw(st.sampled_from([None, bias])),
        softcap=draw(st.floats(min_value=0, allow_infinity=False)),
    )
    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    labels = st.one_of(st.none(), words)
    query_labels = tuple(draw(labels) for _ in range(plain.n_q))
    key_labels = query_labels if plain.has_shared_tokens else tuple(draw(labels) for _ in range(plain.n_k))
    variants = draw(st.sampled_from([(), (Variant(draw(words), beta=draw(number)), Variant("b", scale=2.0))]))
    return Document(
        problem, query_labels=query_labels, key_labels=key_labels, title=draw(words), note=draw(words),
        variants=variants, extra={"later": draw(words)},
    )  # fmt: skip


@given(documents(), st.sampled_from(STAGES), st.sampled_from(COLORMAPS), st.integers(0, 8))
@settings(max_examples=150)
def test_round_trip(document: Document, stage: str, colormap: str, decimals: int) -> None:
    view = View(document.problem.n_q - 1, 0, decimals, stage, colormap)
    data = session.write(document, view)
    read_document, read_view = session.read(data)
    assert same(document, read_document)
    assert view == read_view
    assert session.write(read_document, read_view) == data
    json.loads(data, parse_constant=pytest.fail)  # strictly JSON


def test_numbers_are_short_and_exact() -> None:
    document = Document(Problem(Scores([[1.0, 0.1, -0.0, 1e22, 2.0**53, -np.inf, np.inf, np.nan, 5e-324]]), scale=1))
    text = session.write(document, View()).decode()
    assert '[1, 0.1, -0.0, 1e+22, 9007199254740992.0, "-inf", "inf", "nan", 5e-324]' in text
    assert text.endswith("}\n")


def test_typed_text_never_changes_the_number() -> None:
    document, view = session.read(with_source(q=[["1/3", "0,5"]]))
    assert b'["1/3", "0,5"]' in session.write(document, view)
    source = replace(document.problem.source, q=[[2.0, 0.5]])
    stale = replace(document, problem=replace(document.problem, source=source))
    assert b'[2, "0,5"]' in session.write(stale, view)


def test_unknown_names_come_back_and_never_over_ours() -> None:
    data = json.loads(made(a=1, view={"zoom": 2}, mask={"kind": "causal", "why": "x"}))
    data["source"]["d_k"] = 7  # unknown beside q and k
    document, view = session.read(json.dumps(data).encode())
    written = json.loads(session.write(document, view))
    assert (written["a"], written["view"]["zoom"], written["mask"]["why"], written["source"]["d_k"]) == (1, 2, "x", 7)
    scores = replace(document, problem=Problem(Scores([[1.0, 2.0]]), scale=1))
    written = json.loads(session.write(scores, view))
    assert "d_k" not in written["source"]  # here it would mean something
    assert written["mask"] is None


# --- what is forgiven


@pytest.mark.parametrize(
    ("source", "scale"),
    [
        (SMALL["source"], "sqrt_dk"),
        ({"kind": "projection", "x": [[1]], "w_q": [[1]], "w_k": [[1]]}, "sqrt_dk"),
        ({"kind": "scores", "scores": [[1, 2]], "d_k": 4}, 1),
        ({"kind": "weights", "weights": [[0.5, 0.5]]}, 1),
    ],
)
def test_absent_keys(source: Any, scale: Any) -> None:
    document, view = session.read(made(source=source))
    problem = document.problem
    assert (problem.scale, problem.beta, problem.shift, problem.softcap) == (scale, 1, 0, 0)
    assert (problem.mask.kind, problem.bias, document.title, view) == ("none", None, "", View())
    assert set(document.query_labels) == {None}


def test_byte_order_mark_and_literals() -> None:
    text = made(beta=math.inf).decode().replace("[[1, 0]]", "[[NaN, -Infinity]]")
    document, _ = session.read(b"\xef\xbb\xbf" + text.encode())
    assert document.problem.beta == math.inf
    np.testing.assert_array_equal(document.matrix("q"), [[np.nan, -np.inf]])


def test_matrix_without_rows_is_as_wide_as_its_partners() -> None:
    problem = session.read(with_source(k=[], v=[]))[0].problem
    assert (problem.n_q, problem.n_k, problem.d_k, problem.d_v) == (1, 0, 2, 0)
    problem = session.read(with_source(q=[], bias=[]))[0].problem
    assert (problem.n_q, problem.n_k, problem.d_k) == (0, 2, 2)
    problem = session.read(with_source(q=[], k=[], v=None))[0].problem
    assert (problem.shape, problem.d_k) == ((0, 0), 0)
    scores = {"kind": "scores", "scores": [], "v": [[1], [2]]}
    document, view = session.read(made(source=scores, mask={"kind": "custom", "allowed": []}, bias=[]))
    assert document.problem.shape == (0, 2)
    assert same(document, session.read(session.write(document, view))[0])


def test_view_is_fitted_and_unknown_choices_are_usual() -> None:
    view = {"query": 99, "key": -3, "decimals": 50, "stage": "later", "colormap": ["jet"]}
    assert session.read(made(view=view))[1] == View(0, 0, 8)


def test_half_a_surrogate_pair() -> None:
    document, view = session.read(made(title="a\ud800", other={"b\udc00": "c\udfff"}))
    assert document.title == "a?"
    assert json.loads(session.write(document, view))["other"] == {"b\udc00": "c\udfff"}


def test_unknown_keys_of_a_variant_are_written_back() -> None:
    given = {
        "format": "attention-explorer",
        "version": 1,
        "source": {"kind": "scores", "scores": [[1, 2]], "v": None},
        "variants": [{"name": "sharp", "beta": 5, "colour": ["red", {"shade": 2}]}],
    }
    written = json.loads(session.write(*session.read(json.dumps(given).encode())))
    assert written["variants"] == given["variants"]
