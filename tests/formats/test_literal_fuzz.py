"""Random and damaged source code, which is read as what its language means by it, or refused."""

import ast
import math
import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.literals.literals import read_literal
from tests.formats.mutations import holds
from tests.formats.test_literals import LANGUAGES, NAMED, NO_LITERALS, PRINTS, PYTHON, REFUSED

SEEDS = [row[0] for table in (PYTHON, PRINTS, LANGUAGES, NAMED, REFUSED) for row in table] + NO_LITERALS
ATOMS = [
    *"[](){};,\n '\"=.%#/*-+<>:&\\`_|@^", "1", "0.5", "-2e5", "nan", "-inf", "...", "array", "tensor", "np.", "c(",
    "matrix(", "Q = ", ">>> ", "Out[1]: ", "In [1]: ", "> ", "```", "True", "//", "/*", "(*", "*)", "shape=", "dim=",
    "nrow=", "t(", "cbind(", "structure(", "vec!", "new ", "let ", "double ", "{'a':", "1e400", "1:9", "mask=", "data=",
    ".T", "float(", "\u221e", "\u00bd", "\N{GRINNING FACE}", "\ud800", "\0", "\x85", "e", "**", "<tf.Tensor: numpy=",
]  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(ATOMS), max_size=40).map("".join),
    st.tuples(st.sampled_from(SEEDS), st.lists(st.sampled_from(ATOMS), max_size=3), st.randoms()).map(
        lambda drawn: altered(drawn[0], drawn[1], drawn[2])
    ),
)
NUMBERS = st.floats(width=64) | st.integers(-999, 999).map(float)
MATRICES = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(NUMBERS, min_size=width, max_size=width), min_size=1)
)


def altered(text: str, atoms: list[str], chance: random.Random) -> str:
    """A text with atoms put in, and a piece cut out."""
    for atom in atoms:
        at = chance.randrange(len(text) + 1)
        text = text[:at] + atom + text[at + chance.choice([0, 0, 1]) :]
    if chance.random() < 0.5:
        at = chance.randrange(len(text) + 1)
        text = text[:at] + text[at + chance.randrange(4) :]
    return text


def read(data: bytes) -> Imported | None:
    return read_literal(data.decode("utf-8", "surrogatepass"))


def check(text: str) -> None:
    """The text is read, refused in one line, or left to others; what Python can evaluate has its value."""
    found = holds(read, text.encode("utf-8", "surrogatepass"))
    if found is not None and found.kind == "matrix" and not found.column_labels and not found.row_labels:
        meant = evaluated(text)
        if meant is not None:
            np.testing.assert_array_equal(found.values, meant)


def evaluated(text: str) -> np.ndarray | None:
    """What Python makes of a nested list of numbers; None for other texts."""
    try:
        meant = np.array(ast.literal_eval(text.strip()))
    except (ValueError, SyntaxError, MemoryError, TypeError, RecursionError, OverflowError):
        return None
    if meant.dtype.kind not in "if" or meant.ndim not in (1, 2):
        return None
    return np.atleast_2d(meant).astype(float)


@pytest.mark.filterwarnings("ignore:invalid .* literal:SyntaxWarning")
@pytest.mark.filterwarnings("ignore:.*perhaps you missed a comma:SyntaxWarning")
@settings(max_examples=500)
@given(TEXTS)
def test_any_text_is_read_or_refused(text):
    check(text)


@pytest.mark.fuzz
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_very_many_texts_are_read_or_refused():
    chance = random.Random(1)
    for _ in range(20_000):
        if chance.random() < 0.3:
            check("".join(chance.choices(ATOMS, k=chance.randrange(40))))
        else:
            check(altered(chance.choice(SEEDS), chance.choices(ATOMS, k=chance.randrange(5)), chance))


def spellings(rows: list[list[float]]) -> Iterator[str]:
    """A matrix as several languages write it."""
    yield str(rows)
    yield f"Q = {tuple(map(tuple, rows))}"
    yield f"np.array({rows})"
    yield f"A = [{'; '.join(' '.join(map(repr, row)) for row in rows)}];"
    yield f"A = [\n{chr(10).join(', '.join(map(repr, row)) for row in rows)}\n];"
    yield "double a[][] = {" + ", ".join("{" + ", ".join(map(repr, row)) + "}" for row in rows) + "};"
    yield f"matrix(c({', '.join(repr(x) for row in rows for x in row)}), nrow = {len(rows)}, byrow = TRUE)"
    yield f"cbind({', '.join('c(' + ', '.join(map(repr, column)) + ')' for column in zip(*rows, strict=True))})"
    yield "[" + "\n ".join("[" + "  ".join(map(repr, row)) + "]" for row in rows) + "]"


@settings(max_examples=80)
@given(MATRICES)
def test_every_spelling_of_a_matrix_is_that_matrix(rows):
    for text in spellings(rows):
        found = read_literal(text)
        assert found is not None, text
        np.testing.assert_array_equal(found.values, np.array(rows))


@pytest.mark.parametrize("shape", [(2, 3, 4), (1, 2, 2, 3), (2, 1, 2, 2, 2)])
@pytest.mark.parametrize("write", [repr, str, lambda array: str(array.tolist())])
def test_tensors_come_back(shape, write):
    array = np.arange(math.prod(shape)).reshape(shape) / 4
    found = read_literal(write(array))
    assert found.kind == "tensor"
    np.testing.assert_array_equal(found.values, array)


@pytest.mark.parametrize("before", ["", "[[1, 2], "])
@pytest.mark.parametrize("repeated", [
    "[", "(", "{", "'", '"', ",", ";", "/*", "(*", "1 ", "1,", "-", "\\", "[1,2", "=", "<", "%", "\n", "[]", "[1]\n",
    "[1];", "a=[1]\n", ":", "a ", "'a' ", "{'a':[1],", "1//", "...", "[1,\n", "`", "<tf.Tensor:", ">>> a\n", "1 - ",
    "t(", "np.",
])  # fmt: skip
def test_long_repetitions_end(before, repeated):
    """A reader that was quadratic would take minutes for some of these."""
    holds(read, (before + repeated * (20_000 // len(repeated))).encode())


def test_sizes_are_limited(monkeypatch):
    monkeypatch.setattr("explorer.formats.literals.tokens.MOST_CELLS", 100)
    monkeypatch.setattr("explorer.formats.literals.tokens.MOST_GROUPS", 20)
    assert read_literal(str([[1] * 10] * 9)) is not None
    with pytest.raises(ExplorerError, match="more than 100 numbers"):
        read_literal(str([[1] * 10] * 11))
    with pytest.raises(ExplorerError, match="more than 20 lists"):
        read_literal(str([[1]] * 20))
    monkeypatch.setattr("explorer.formats.literals.literals.LARGEST", 10)
    with pytest.raises(ExplorerError, match="64 MiB"):
        read_literal("[[1, 2], [3, 4]]")
