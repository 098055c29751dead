"""New documents have the shape, the fill and the words that were asked for."""

import itertools

import numpy as np
import pytest

from explorer.core.attention import attend
from explorer.core.problem import SOURCES
from explorer.errors import ExplorerError
from explorer.formats import session
from explorer.formats.cells import parse_cell
from explorer.library.blank import FILLS, LIMITS, TITLES, blank
from explorer.state.document import Document, View

KINDS = tuple(source.kind for source in SOURCES)
SIZES = {"n_q": 2, "n_k": 3, "d_k": 4, "d_v": 5}
SHAPES = {
    "projection": {"x": (2, 4), "w_q": (4, 4), "w_k": (4, 4), "w_v": (4, 5)},
    "qkv": {"q": (2, 4), "k": (3, 4), "v": (3, 5)},
    "scores": {"scores": (2, 3), "v": (3, 5)},
    "weights": {"weights": (2, 3), "v": (3, 5)},
}


def shapes(document: Document) -> dict[str, tuple[int, ...]]:
    return {name: matrix.shape for name, matrix in document.problem.source.matrices.items()}


@pytest.mark.parametrize(("kind", "fill"), list(itertools.product(KINDS, FILLS)))
def test_every_kind_has_its_shapes_and_can_be_computed(kind: str, fill: str) -> None:
    document = blank(kind, fill=fill, **SIZES)
    assert document.problem.source.kind == kind
    assert shapes(document) == SHAPES[kind]
    attention = attend(document.problem)
    np.testing.assert_allclose(attention.weights.sum(axis=1), 1, rtol=1e-15)
    assert attention.output is not None
    assert set(attention.status) == {"ok"}


@pytest.mark.parametrize("kind", KINDS)
def test_zeros_and_identity_are_what_they_say(kind: str) -> None:
    for name, matrix in blank(kind, fill="zeros", **SIZES).problem.source.matrices.items():
        assert name == "weights" or not matrix.any()
    for name, matrix in blank(kind, fill="identity", **SIZES).problem.source.matrices.items():
        assert name == "weights" or np.array_equal(matrix, np.eye(*matrix.shape))


@pytest.mark.parametrize("kind", KINDS)
def test_integers_are_small_and_follow_the_seed(kind: str) -> None:
    sizes = {"n_q": 9, "n_k": 9, "d_k": 9, "d_v": 9}
    first, again = blank(kind, seed=5, **sizes), blank(kind, seed=5, **sizes)
    other = blank(kind, seed=6, **sizes)
    for name, matrix in first.problem.source.matrices.items():
        assert np.array_equal(matrix, again.matrix(name))
        assert not np.array_equal(matrix, other.matrix(name))
        if name != "weights":
            assert set(matrix.flat) == {-2, -1, 0, 1, 2, 3}


def test_integers_are_the_fill_when_nothing_is_said() -> None:
    assert np.array_equal(blank("qkv", **SIZES).matrix("q"), blank("qkv", fill="integers", seed=1, **SIZES).matrix("q"))


@pytest.mark.parametrize("fill", FILLS)
def test_weights_are_fractions_kept_as_text(fill: str) -> None:
    document = blank("weights", fill=fill, n_q=4, n_k=7, d_k=2, d_v=0)
    weights = document.matrix("weights")
    assert weights is not None
    totals = set()
    for (row, column), weight in np.ndenumerate(weights):
        text = document.typed_text("weights", row, column)
        assert text is not None
        assert parse_cell(text) == weight
        assert weight > 0
        totals.add((row, text.split("/")[1]))
    assert len(totals) == 4
    if fill != "integers":
        assert document.typed_text("weights", 3, 6) == "1/7"


def test_a_single_key_has_weight_one_without_a_text() -> None:
    for fill in FILLS:
        document = blank("weights", fill=fill, n_q=2, n_k=1, d_k=1, d_v=1)
        assert np.array_equal(document.matrix("weights"), [[1.0], [1.0]])
        assert document.typed_text("weights", 0, 0) is None


def test_no_value_columns_mean_no_values() -> None:
    for kind in KINDS:
        document = blank(kind, n_q=2, n_k=2, d_k=2, d_v=0)
        assert document.problem.d_v is None
        assert attend(document.problem).output is None


def test_projection_takes_its_keys_from_memory_or_from_x() -> None:
    own = blank("projection", n_q=2, n_k=9, d_k=3, d_v=1, d_model=6)
    assert shapes(own) == {"x": (2, 6), "w_q": (6, 3), "w_k": (6, 3), "w_v": (6, 1)}
    assert own.problem.shape == (2, 2)
    cross = blank("projection", n_q=2, n_k=4, d_k=3, d_v=1, d_model=6, has_memory=True)
    assert shapes(cross) == {**shapes(own), "memory": (4, 6)}
    assert cross.problem.shape == (2, 4)


def test_scale_is_the_one_an_absent_scale_means() -> None:
    scales = [blank(kind, **SIZES).problem.scale for kind in KINDS]
    assert scales == ["sqrt_dk", "sqrt_dk", 1.0, 1.0]
    assert blank("scores", **SIZES).problem.d_k == 4


def test_titles_differ_and_start_with_new() -> None:
    titles = [blank(kind, **SIZES).title for kind in KINDS]
    assert len(set(titles)) == len(KINDS)
    assert set(titles) == set(TITLES.values())
    assert all(title.startswith("New ") for title in titles)


@pytest.mark.parametrize("name", list(LIMITS))
def test_a_size_outside_its_limits_is_named(name: str) -> None:
    least, most = LIMITS[name]
    good = {**SIZES, "d_model": 3}
    for size in (least - 1, most + 1):
        with pytest.raises(ExplorerError, match=rf"{name} is {size}: give a whole number from {least} to {most}"):
            blank("projection", has_memory=True, **{**good, name: size})
    for size in (least, most):
        attend(blank("projection", has_memory=True, **{**good, name: size}).problem)


def test_a_size_the_kind_does_not_have_is_ignored() -> None:
    assert blank("weights", n_q=1, n_k=1, d_k=0, d_v=1, d_model=0).problem.shape == (1, 1)
    assert blank("qkv", n_q=1, n_k=1, d_k=1, d_v=1, d_model=0).problem.shape == (1, 1)
    assert blank("projection", n_q=3, n_k=0, d_k=1, d_v=1).problem.shape == (3, 3)


def test_unknown_words_are_refused() -> None:
    with pytest.raises(ExplorerError, match="source 'tensor' is not known: use one of projection, qkv"):
        blank("tensor", **SIZES)
    with pytest.raises(ExplorerError, match="fill 'ones' is not known: use one of zeros"):
        blank("qkv", fill="ones", **SIZES)
    with pytest.raises(ExplorerError, match="seed is -1"):
        blank("qkv", seed=-1, **SIZES)


@pytest.mark.parametrize(("kind", "fill"), list(itertools.product(KINDS, FILLS)))
def test_a_new_document_survives_its_file(kind: str, fill: str) -> None:
    document = blank(kind, fill=fill, **SIZES)
    written = session.write(document, View())
    again, _ = session.read(written, "new")
    assert session.write(again, View()) == written
    assert shapes(again) == shapes(document)
