"""Session files that are refused: in one line, whatever they hold."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.errors import ExplorerError
from explorer.formats import session

SAMPLE = Path(__file__).parent.parent / "samples" / "session_v1.json"
SMALL = {
    "format": "attention-explorer",
    "version": 1,
    "source": {"kind": "qkv", "q": [[1, 0]], "k": [[1, 0], [0, 1]], "v": [[2], [3]]},
}


def made(**changes: Any) -> bytes:
    return json.dumps({**SMALL, **changes}).encode()


def with_source(**changes: Any) -> bytes:
    source = SMALL["source"]
    assert isinstance(source, dict)
    return made(source={**source, **changes})


def refused(data: bytes) -> ExplorerError:
    with pytest.raises(ExplorerError) as caught:
        session.read(data, "a.json")
    assert caught.value.message.startswith("a.json: ")
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "empty"),
        (b"\xff\xfe{", "line 1: not UTF-8"),
        (b"{\n1}", "line 2, column 1: not JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b"[1, 2]", "not a session"),
        (b"{}", "not a session"),
        (made(format="other"), "not a session"),
        (made(version=2), "newer version"),
        (made(version=True), "the version"),
        (made(version="1"), "the version"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too large"),
        (with_source(q=[[1, 7777]]).replace(b"7777", b"1e999"), r"source.q\[0\]\[1\]: too large"),
        (b'{"a": 1, "a": 2}', "'a' stands twice"),
        (made(source=None), "source: missing"),
        (made(source={"kind": "tensor"}), "source.kind: 'tensor' is not known"),
        (made(source={"kind": ["qkv"]}), "source.kind: a list is not a text"),
        (with_source(q=None), "source.q: missing"),
        (with_source(q=[[1, "abc"]]), r"source.q\[0\]\[1\]: 'abc' is not a number"),
        (with_source(q=[[1, None]]), r"source.q\[0\]\[1\]"),
        (with_source(q=[[1, True]]), r"source.q\[0\]\[1\]"),
        (with_source(q=[[1, 10**300 * 10**9]]), r"source.q\[0\]\[1\]: too large"),
        (with_source(q=[[1, 2], [1, 2, 3]]), "source.q: row 2 has 3 numbers, row 1 has 2"),
        (with_source(q=[1, 2]), r"source.q\[0\]: 1 is not a list"),
        (with_source(q="text"), "source.q: 'text' is not a list"),
        (with_source(q=[[1, 2, 3]]), "Q is 1 x 3, K is 2 x 2"),
        (with_source(q=[[]] * 10_000, k=[[]] * 10_000, v=None), "10000 x 10000 scores are too many"),
        (made(source={"kind": "scores", "scores": [[1]], "d_k": -1}), "source.d_k: -1 is out of range"),
        (made(source={"kind": "scores", "scores": [[1]], "d_k": 1.5}), "source.d_k: 1.5 is not a whole number"),
        (made(scale="big"), "scale: 'big' is not a number"),
        (made(scale=0), "scale is 0"),
        (made(scale={}), "scale"),
        (made(beta="nan"), "beta is nan"),
        (made(shift="inf"), "shift is inf"),
        (made(softcap=-1), "softcap is -1"),
        (made(mask=[]), "mask: a list is not an object"),
        (made(mask={}), "mask.kind: missing"),
        (made(mask={"kind": "future"}), "mask kind 'future'"),
        (made(mask={"kind": "causal", "align": 1}), "mask.align: 1 is not a text"),
        (made(mask={"kind": "window", "left": -1}), "mask.left: -1 is out of range"),
        (made(mask={"kind": "window", "left": 10**30}), "mask.left"),
        (made(mask={"kind": "padding", "keys": [1, 0]}), r"mask.keys\[0\]: 1 is not true or false"),
        (made(mask={"kind": "padding", "keys": [True]}), "the padding list has 1 keys, there are 2"),
        (made(mask={"kind": "custom"}), "a custom mask has no matrix"),
        (made(mask={"kind": "custom", "allowed": [[True], [True, True]]}), "mask.allowed: row 2 has 2 cells"),
        (made(bias=[[1]]), "bias is 1 x 1"),
        (made(query_labels="cat"), "query_labels: 'cat' is not a list"),
        (made(query_labels=[1]), r"query_labels\[0\]: 1 is not a text"),
        (made(query_labels=["a", "b"]), "query_labels has 2 entries"),
        (made(title=3), "title: 3 is not a text"),
        (made(stated=[{}]), r"stated\[0\].q: missing"),
        (made(stated=[{"q": "weights", "v": [[[["1"]]]]}]), r"stated\[0\].v\[0\]\[0\]: a list is not a text"),
        (made(stated=[{"q": "weights", "v": "1", "at": ["a"]}]), r"stated\[0\].at\[0\]"),
        (made(variants=[{"beta": 5}]), r"variants\[0\].name: missing"),
        (made(variants=[{"name": "a", "scale": -1}]), r"variants\[0\]: scale is -1"),
        (made(view=7), "view: 7 is not an object"),
        (made(view={"query": "a"}), "view.query: 'a' is not a whole number"),
        (made(later=json.loads("[" * 60 + "]" * 60)), "nested more than 50 deep"),
        (b" " * (64 * 2**20 + 1), "larger than 64 MiB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refused(data: bytes, says: str) -> None:
    error = refused(data)
    assert re.search(says, error.message), error.message
    assert error.hint


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_truncated(part: float) -> None:
    data = SAMPLE.read_bytes()
    cut = data[: int(len(data) * part)]
    line = cut.rstrip().count(b"\n") + 1
    assert f"line {line}: truncated, cut off" in refused(cut).message


# --- anything whatever

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5),
    st.sampled_from([10**400, -1, "inf", "-inf", "nan", "1/0", "sqrt_dk", "causal", "qkv", "window", "\ud800"]),
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def paths(item: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
    return [at, *(path for name, value in inner for path in paths(value, (*at, name)))]


WHOLE = json.loads(SAMPLE.read_text(encoding="utf-8"))
PATHS = paths(WHOLE)[1:]


def read_or_refused(data: bytes) -> None:
    """Refused in one line, or understood: what was read can be computed, written, and read again."""
    try:
        document, view = session.read(data)
    except ExplorerError as error:
        complaint = str(error)
    else:
        complaint = ""
        attend(document.problem)
        again = session.write(document, view)
        assert session.write(*session.read(again)) == again
    assert "\n" not in complaint


@given(st.lists(st.tuples(st.sampled_from(PATHS), values), min_size=1, max_size=3))
@settings(max_examples=250)
def test_any_value_anywhere(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    whole = copy.deepcopy(WHOLE)
    for path, value in changes:
        place = whole
        try:
            for name in path[:-1]:
                place = place[name]
            place[path[-1]] = value
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took the place away
    read_or_refused(json.dumps(whole).encode())


def _cut(data: bytes, start: int, length: int, put: bytes) -> bytes:
    return data[:start] + put + data[start + length :]


@given(st.integers(0, 2000), st.integers(0, 30), st.binary(max_size=6) | st.sampled_from([b"{", b'"', b"]}", b"-"]))
@settings(max_examples=250)
def test_any_bytes_anywhere(start: int, length: int, put: bytes) -> None:
    read_or_refused(_cut(SAMPLE.read_bytes(), start, length, put))


@pytest.mark.parametrize("make", [bytes, lambda data: data + data, lambda data: data[::-1], lambda data: data[1:]])
def test_other_damage(make: Callable[[bytes], bytes]) -> None:
    read_or_refused(make(SAMPLE.read_bytes()))
