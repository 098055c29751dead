"""What is copied can be pasted back: exactly where the copy has full precision, else to its printed digits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from explorer.core.rounding import copied
from explorer.formats import copying
from explorer.formats.markup.latex_reading import read_latex
from explorer.formats.markup.markup_reading import read_markup
from explorer.formats.tables.delimited import read_delimited

MATRICES = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=5))
VALUES = np.array([[1, 1 / 3, -math.inf], [-0.25, math.nan, 1e-300]])


def evaluated(text: str) -> Any:
    return eval(text, {"np": np})


def test_each_copy_as_it_looks() -> None:
    assert copying.as_tsv(VALUES) == "1\t0.3333333333333333\t-inf\n-0.25\tnan\t1e-300"
    assert copying.as_row(VALUES) == "1, 0.3333333333333333, -inf\n-0.25, nan, 1e-300"
    assert copying.as_numpy(VALUES) == (
        "np.array([[1.0, 0.3333333333333333, -np.inf],\n          [-0.25, np.nan, 1e-300]])"
    )
    assert copying.as_latex(VALUES[:, :2], 2) == (
        "\\begin{bmatrix}\n1.00 & 0.33 \\\\\n-0.25 & \\text{NaN} \\\\\n\\end{bmatrix}"
    )
    assert copying.as_markdown(VALUES[:1, :2], ["am"], ["Je", "suis"], 2) == (
        "|  | Je | suis |\n| --- | ---: | ---: |\n| am | 1.00 | 0.33 |"
    )


def test_numbers_have_no_marks_between_thousands() -> None:
    large = np.array([[1234567.5, 12345678901234567, 1e22, -0.0]])
    assert copying.as_tsv(large) == "1234567.5\t1.2345678901234568e+16\t1e+22\t0"
    assert copying.as_row(large) == "1234567.5, 1.2345678901234568e+16, 1e+22, 0"


def test_the_table_of_copies_offers_each() -> None:
    made = {name: write(VALUES, ["a", "b"], ["x", "y", "z"], 2) for name, _, write in copying.COPIES}
    assert made == {
        "tsv": copying.as_tsv(VALUES),
        "markdown": copying.as_markdown(VALUES, ["a", "b"], ["x", "y", "z"], 2),
        "latex": copying.as_latex(VALUES, 2),
        "numpy": copying.as_numpy(VALUES),
        "row": copying.as_row(VALUES),
    }
    labels = [label for _, label, _ in copying.COPIES]
    assert all(labels)
    assert len(set(labels)) == len(labels)


@given(MATRICES)
def test_python_makes_the_same_array_again(values: Any) -> None:
    made = evaluated(copying.as_numpy(values))
    assert (made.shape, made.dtype) == (values.shape, np.float64)
    np.testing.assert_array_equal(made, values)
    np.testing.assert_array_equal(np.signbit(made[~np.isnan(made)]), np.signbit(values[~np.isnan(values)]))


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
def test_a_block_without_cells(shape: tuple[int, int]) -> None:
    assert evaluated(copying.as_numpy(np.zeros(shape))).shape == shape
    for _, _, write in copying.COPIES:
        assert isinstance(write(np.zeros(shape), [], [], 3), str)


@given(MATRICES)
def test_full_precision_comes_back_exactly(values: Any) -> None:
    rows = [line.split("\t") for line in copying.as_tsv(values).split("\n")]
    np.testing.assert_array_equal(np.array(rows, dtype=float), values)
    for text in (copying.as_tsv(values), copying.as_row(values)):
        made = read_delimited(text)
        np.testing.assert_array_equal(made.values, values)


@given(MATRICES, st.integers(0, 8))
def test_rounded_copies_come_back_to_their_digits(values: Any, decimals: int) -> None:
    printed = [[float(copied(x, decimals)) for x in row] for row in values.tolist()]
    for made in (
        read_latex(copying.as_latex(values, decimals)),
        read_markup(copying.as_markdown(values, [], [], decimals)),
    ):
        assert made is not None
        np.testing.assert_array_equal(made.values, printed)
