"""Rows and columns take along whatever shares their dimension, and nothing else."""

from typing import Any

import numpy as np
import pytest

from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Source, Weights
from explorer.errors import ExplorerError
from explorer.state.document import Document
from explorer.state.edits import Edit
from explorer.state.resizing import add_column, add_row, add_values, remove_column, remove_row


def counted(rows: int, columns: int) -> np.ndarray:
    return np.arange(1.0, rows * columns + 1).reshape(rows, columns)


SOURCES: dict[str, Source] = {
    "own": Projection(counted(3, 2), counted(2, 4), counted(2, 4), counted(2, 5)),
    "memory": Projection(counted(2, 2), counted(2, 4), counted(3, 4), counted(3, 5), counted(6, 3)),
    "qkv": QKV(counted(2, 4), counted(3, 4), counted(3, 5)),
    "scores": Scores(counted(2, 3), counted(3, 5)),
    "weights": Weights(counted(2, 3), counted(3, 5)),
}
# For each matrix and axis: every (matrix, axis) of one dimension, in that source.
TIED: dict[str, list[set[tuple[str, int]]]] = {
    "own": [
        {("x", 0), ("queries", 0), ("keys", 0), ("bias", 0), ("bias", 1), ("allowed", 0), ("allowed", 1)},
        {("x", 1), ("w_q", 0), ("w_k", 0), ("w_v", 0)}, {("w_q", 1), ("w_k", 1)}, {("w_v", 1)},
    ],
    "memory": [
        {("x", 0), ("queries", 0), ("bias", 0), ("allowed", 0)},
        {("memory", 0), ("keys", 0), ("bias", 1), ("allowed", 1)},
        {("x", 1), ("w_q", 0)}, {("memory", 1), ("w_k", 0), ("w_v", 0)}, {("w_q", 1), ("w_k", 1)}, {("w_v", 1)},
    ],
    "qkv": [
        {("q", 0), ("queries", 0), ("bias", 0), ("allowed", 0)},
        {("k", 0), ("v", 0), ("keys", 0), ("bias", 1), ("allowed", 1)}, {("q", 1), ("k", 1)}, {("v", 1)},
    ],
    "scores": [
        {("scores", 0), ("queries", 0), ("bias", 0), ("allowed", 0)},
        {("scores", 1), ("v", 0), ("keys", 0), ("bias", 1), ("allowed", 1)}, {("v", 1)},
    ],
    "weights": [
        {("weights", 0), ("queries", 0), ("bias", 0), ("allowed", 0)},
        {("weights", 1), ("v", 0), ("keys", 0), ("bias", 1), ("allowed", 1)}, {("v", 1)},
    ],
}  # fmt: skip
CASES = [
    (source, tied, name, axis)
    for source, groups in TIED.items()
    for tied in groups
    for name, axis in sorted(tied)
    if name not in ("queries", "keys", "allowed")
]
NEW = {"queries": None, "keys": None, "allowed": True}


def full(source: str) -> Document:
    """A document with a custom mask, a bias, labels, and a text in every cell of every matrix."""
    problem = Problem(SOURCES[source], scale=1.0)
    n_q, n_k = problem.shape
    allowed = np.zeros((n_q, n_k), dtype=bool)
    problem = Problem(
        SOURCES[source], scale=1.0, mask=Mask("custom", allowed=allowed), bias=counted(n_q, n_k), beta=2.0
    )
    queries = tuple(f"token {i}" for i in range(n_q))
    keys = queries if problem.has_shared_tokens else tuple(f"key {j}" for j in range(n_k))
    document = Document(problem, query_labels=queries, key_labels=keys, title="kept")
    names = [*problem.source.matrices, "bias"]
    typed = {name: np.array(document.matrix(name)).astype(str).astype(object) for name in names}
    return Document(problem, typed, queries, keys, "kept")


def parts(document: Document) -> dict[str, np.ndarray]:
    made: dict[str, Any] = {**document.problem.source.matrices, "bias": document.problem.bias}
    made |= {f"{name} text": texts for name, texts in document.typed.items()}
    made["allowed"] = document.problem.mask.allowed
    made["queries"] = np.array(document.query_labels, dtype=object)
    made["keys"] = np.array(document.key_labels, dtype=object)
    return made


def fill(name: str) -> Any:
    return None if name.endswith("text") else NEW.get(name, 0.0)


def axes(tied: set[tuple[str, int]], name: str) -> list[int]:
    return [axis for axis in (0, 1) if (name.removesuffix(" text"), axis) in tied]


@pytest.mark.parametrize(("source", "tied", "name", "axis"), CASES)
def test_an_added_line_is_zeros_visible_and_nameless_wherever_it_belongs(
    source: str, tied: set[tuple[str, int]], name: str, axis: int
) -> None:
    before = full(source)
    length = parts(before)[name].shape[axis]
    for at in {0, 1, length}:
        after = (add_row, add_column)[axis](name, at).change(before)
        for part, old in parts(before).items():
            expected = old
            for along in axes(tied, part):
                expected = np.insert(expected, at, fill(part), axis=along)
            np.testing.assert_array_equal(parts(after)[part], expected, err_msg=part)
        assert (after.title, after.problem.beta) == ("kept", 2.0)


@pytest.mark.parametrize(("source", "tied", "name", "axis"), CASES)
def test_a_removed_line_takes_its_own_along(source: str, tied: set[tuple[str, int]], name: str, axis: int) -> None:
    before = full(source)
    for at in range(parts(before)[name].shape[axis]):
        after = (remove_row, remove_column)[axis](name, at).change(before)
        for part, old in parts(before).items():
            expected = old
            for along in axes(tied, part):
                expected = np.delete(expected, at, axis=along)
            np.testing.assert_array_equal(parts(after)[part], expected, err_msg=part)


@pytest.mark.parametrize(("source", "tied", "name", "axis"), CASES)
def test_adding_and_removing_again_gives_the_same_back(
    source: str, tied: set[tuple[str, int]], name: str, axis: int
) -> None:
    before = full(source)
    added = (add_row, add_column)[axis](name, 1).change(before)
    after = (remove_row, remove_column)[axis](name, 1).change(added)
    for part, old in parts(before).items():
        np.testing.assert_array_equal(parts(after)[part], old, err_msg=part)


@pytest.mark.parametrize("kind", ["padding", "causal", "window"])
def test_a_padding_list_follows_the_keys_and_not_the_queries(kind: str) -> None:
    mask = Mask(kind, keys=[True, False, False])
    before = Document(Problem(SOURCES["qkv"], mask=mask))
    added = add_row("v", 1).change(before)
    assert np.array_equal(added.problem.mask.keys, [True, True, False, False])
    assert np.array_equal(remove_row("k", 0).change(before).problem.mask.keys, [False, False])
    assert np.array_equal(add_row("q", 0).change(before).problem.mask.keys, mask.keys)
    own = Document(Problem(SOURCES["own"], mask=mask))
    assert np.array_equal(add_row("x", 0).change(own).problem.mask.keys, [True, True, False, False])


def test_what_resizing_makes_cannot_be_written_to() -> None:
    for edit in (add_row("k", 0), remove_column("q", 0)):
        after = edit.change(full("qkv"))
        held = [part for name, part in parts(after).items() if name not in ("queries", "keys")]
        assert not any(part.flags.writeable for part in held)


def notice(edit: Edit, before: Document) -> str:
    assert edit.notice is not None
    return edit.notice(before, edit.change(before))


def test_it_says_what_came_along() -> None:
    plain = Document(Problem(SOURCES["qkv"]))
    assert notice(add_row("k", 3), plain) == "K row 4 added: V row 4 added, zeros"
    assert notice(remove_column("q", 0), plain) == "Q column 1 removed: K column 1 removed"
    assert notice(add_row("q", 0), plain) == "Q row 1 added, zeros"
    assert notice(remove_column("v", 1), plain) == "V column 2 removed"
    assert "bias column 1 added" in notice(add_row("v", 0), full("qkv"))
    own = Document(Problem(SOURCES["own"]))
    assert notice(add_column("x", 2), own) == (
        "X column 3 added: W_Q row 3 added, W_K row 3 added, W_V row 3 added, zeros"
    )
    assert add_row("k", 3).label == "Add K row 4"
    assert remove_column("q", 0).label == "Remove Q column 1"


def test_a_matrix_keeps_one_row_and_one_column() -> None:
    single = Document(Problem(QKV([[1.0]], [[1.0]], [[1.0]])))
    for name in ("q", "k", "v"):
        with pytest.raises(ExplorerError, match=f"{name.upper()} has one row"):
            remove_row(name, 0).change(single)
        with pytest.raises(ExplorerError, match=f"{name.upper()} has one column"):
            remove_column(name, 0).change(single)


def test_a_matrix_that_is_not_there_has_no_rows() -> None:
    for edit in (add_row("x", 0), remove_column("memory", 0), add_row("bias", 0)):
        with pytest.raises(ExplorerError, match="is not given"):
            edit.change(Document(Problem(SOURCES["qkv"])))


@pytest.mark.parametrize(
    ("source", "name", "shape"),
    [
        (QKV(counted(2, 2), counted(3, 2)), "v", (3, 2)),
        (Scores(counted(2, 4)), "v", (4, 2)),
        (Weights(counted(2, 4)), "v", (4, 2)),
        (Projection(counted(2, 3), counted(3, 2), counted(3, 2)), "w_v", (3, 2)),
        (Projection(counted(2, 3), counted(3, 2), counted(4, 2), None, counted(5, 4)), "w_v", (4, 2)),
    ],
)
def test_values_are_added_as_zeros(source: Source, name: str, shape: tuple[int, int]) -> None:
    before = Document(Problem(source, scale=1.0))
    edit = add_values()
    after = edit.change(before)
    assert np.array_equal(after.matrix(name), np.zeros(shape))
    assert notice(edit, before) == f"{name.upper()} added, zeros"
    assert add_values(7).change(after) is after
