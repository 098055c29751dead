"""Texts of rows: what separates their cells, comments, commas that could be either, and prints of consoles."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.formats.decoding import text_of
from explorer.formats.imported import Imported
from explorer.formats.tables.delimited import read_delimited

SAMPLES = Path(__file__).parents[1] / "samples"
MINE = ("02", "05", "08", "12", "16", "17", "20", "23", "27", "30", "38", "71", "a0")
ENTRIES = [e for e in json.loads((SAMPLES / "index.json").read_text("utf-8"))["files"] if e["file"][:2] in MINE]


def read(file: str) -> Imported:
    return read_delimited(text_of((SAMPLES / file).read_bytes())[0])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_the_samples_are_read_as_expected(entry: dict) -> None:
    expected = entry["expect"]
    if expected["result"] == "error":
        with pytest.raises(ExplorerError) as caught:
            read(entry["file"])
        assert all(
            any(part in caught.value.message for part in word.split("|")) for word in expected["message_must_name"]
        )
        return
    made = read(entry["file"])
    if expected["result"] == "ask":
        assert [option.label for option in made.options] == expected["options"]
        return
    assert made.kind == "matrix"
    assert made.values is not None
    np.testing.assert_allclose(made.values, np.array(expected["values"], dtype=float), rtol=1e-12)
    assert made.row_labels == tuple(expected.get("query_labels", ()))
    assert made.column_labels == tuple(expected.get("key_labels", ()))


TWO = [[1.0, 2.0], [3.0, 4.0]]
SEPARATED = [
    "1 2\n3 4", "1 2\n3 4\n", "1 2\r\n3 4\r\n", "\n\n1 2\n\n3 4\n\n", "  1   2\n  3   4", "1\t2\n3\t4", "1\t 2\n3 \t4",
    "\t1\t2\n\t3\t4", "1 2\n3\t4", "1,-2\n3,4".replace("-", " "), "1, 2\n3, 4", "1,2,\n3,4,", "1;2;\n3;4;", "1;2\n3;4",
    "1,2.0\n3,4.0", '"1","2"\n"3","4"', "sep=;\n1;2\n3;4", "sep=,\n1,2\n3,4", '"sep=\t"\n1\t2\n3\t4', "1|2\n3|4",
    "|1|2|\n|3|4|", "| 1 2 |\n| 3 4 |", "1 | 2\n--+--\n3 | 4", "1 2;\n3 4;", "1 2; 3 4", "1,2,\n3,4,\n,,\n",
    "\t\t\n1\t2\n3\t4",
    "> 1 2\n> 3 4", "\u23a11  2\u23a4\n\u23a2    \u23a5\n\u23a33  4\u23a6", "1\u00a02\n3\u00a04", "1\u30002\n3\u30004",
]  # fmt: skip


@pytest.mark.parametrize("text", SEPARATED)
def test_every_separator(text: str) -> None:
    made = read_delimited(text)
    assert made.kind == "matrix"
    assert made.values is not None
    assert (made.values.tolist(), made.row_labels, made.column_labels) == (TWO, (), ())


@pytest.mark.parametrize(
    ("text", "shape"), [("5", (1, 1)), ("1 2 3", (1, 3)), ("1\n2\n3\n", (3, 1)), ("0.5;", (1, 1)), ("0,7;0,3", (1, 2))]
)
def test_single_rows_columns_and_numbers(text: str, shape: tuple[int, int]) -> None:
    values = read_delimited(text).values
    assert values is not None
    assert values.shape == shape


COMMAS = [
    ("0,5 0,5\n1 0", [[0.5, 0.5], [1, 0]]), ("1,5\t0\t-2\n0,5\t1\t0", [[1.5, 0, -2], [0.5, 1, 0]]),
    ("1,2,3\n4,5,6", [[1, 2, 3], [4, 5, 6]]), ("1.5,2.5\n1,2", [[1.5, 2.5], [1, 2]]), ("1, 2", [[1, 2]]),
    ("1,-2\n3,4", [[1, -2], [3, 4]]), ('"0,7","0,3"', [[0.7, 0.3]]), ('"1,234.5","2,345.6"', [[1234.5, 2345.6]]),
    ("1.234,5;2", [[1234.5, 2]]), ("1.234;2,5", [[1234, 2.5]]), ("1.234;2.345", [[1.234, 2.345]]),
    ("a,b\n1,2", [[1, 2]]),
    ("x\n0,5\n0,7", [[0.5], [0.7]]), ("1\u00a0234,5\t2", [[1234.5, 2]]), ("1'234.5,2", [[1234.5, 2]]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "values"), COMMAS)
def test_commas_that_can_be_only_one_thing(text: str, values: list[list[float]]) -> None:
    made = read_delimited(text)
    assert made.values is not None
    assert made.values.tolist() == values


CHOICES = [
    ("0,1\n0,9", ["2x2 [[0,1],[0,9]] (comma = separator)", "2x1 [[0.1],[0.9]] (decimal comma)"]),
    ("1,234,567", ["1x3 [[1,234,567]] (comma = separator)", "1x1 [[1234567]] (thousands)"]),
    ("1,234 5,678", ["1x2 [[1.234,5.678]] (decimal comma)", "1x2 [[1234,5678]] (thousands)"]),
    ("1,234\t5,678", ["1x2 [[1.234,5.678]] (decimal comma)", "1x2 [[1234,5678]] (thousands)"]),
    ("1.234,5", ["1x2 [[1.234,5]] (comma = separator)", "1x1 [[1234.5]] (decimal comma)"]),
    ("0,7, 0,3", ["1x2 [[0.7,0.3]] (decimal comma)", "1x4 [[0,7,0,3]] (comma = separator)"]),
    ("100\u00a0200", ["1x2 [[100,200]] (space = separator)", "1x1 [[100200]] (thousands)"]),
    ("1\u202f234 5", ["1x2 [[1234,5]] (thousands)", "1x3 [[1,234,5]] (space = separator)"]),
]


@pytest.mark.parametrize(("text", "labels"), CHOICES)
def test_what_can_be_read_in_two_ways_is_a_choice(text: str, labels: list[str]) -> None:
    made = read_delimited(text, name="A")
    assert (made.kind, made.name, [option.label for option in made.options]) == ("choice", "A", labels)


REFUSED = [
    ("1,2\n3", "row 2 has 1 number, row 1 has 2: give all rows one length; if the commas are decimal ones"),
    ("0,5\n1\n0,25", "row 2 has 1 number, row 1 has 2"),
    ("1 2\n3 4 5", "row 2 has 3 numbers, row 1 has 2"),
    ("1\t\t2\n3\t4", "row 2 has 2 cells, row 1 has 3"),
    ("1\t2\n3\t", "row 2, column 2 is empty"),
    ("1 234,5;2", "row 1, column 1: '1 234,5' is not a number"),
    ("1 234;5 678", "row 1, column 1: '1 234' is not a number"),
    ("3 4\t5\n1\t2", "row 1, column 1: '3 4' is not a number"),
    ('"1,2\n3,4', "line 2: a quotation mark is in a cell, or not closed"),
    ('"1"2,3', "line 1: a quotation mark is in a cell"),
    ('1,"' + "2" * 200_000 + '"', "line 1: a cell is too long"),
    ("1 ... 2\n...\n3 ... 4", "row 1, column 2: '...' says that values are missing: the print was summarized"),
    ("# only\n# comments", "empty: there is no number"),
    ("", "empty"),
    ("\x00", "not text"),
    ("Hello world, this is a text.", "row 1, column 2: 'this is a text.' is not a number"),
    ("2\u00d72 Matrix{Float64}:\n 1  2", "truncated: 1 x 2 numbers are there, the print says 2 x 2"),
    (
        "3\u00d72 Matrix{Float64}:\n 1  2\n \u22ee\n 3  4",
        "row 2, column 1: '\u22ee (...)' says that values are missing",
    ),
    ("A(:,:,1) =\n\n 1 2", "'A(:,:,1) =' begins a slice of an array of 3 dimensions"),
    (
        "A =\n Columns 1 through 2:\n 1 2\n Columns 4 and 5:\n 3 4",
        "truncated: the columns before column 4 are not all there",
    ),
    ("A =\n Columns 1 and 2:\n 1 2\n 3 4\n Column 3:\n 3", "the block from column 3 on has 1 rows, the first has 2"),
    ("[1] 1 2\n[4] 3", "truncated: 2 entries stand before [4]"),
    ("     [,1] [,3]\n[1,] 1 2", "truncated: some columns are not there"),
    ("   a b\nI  1 2\n   c\nam 3", "the rows below the header 'c' are others"),
    ('     [,1]\n[1,]  1\n [ reached getOption("max.print") -- omitted 9 rows ]', "'...' says that values are missing"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_errors_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(ExplorerError) as caught:
        read_delimited(text)
    assert str(caught.value).startswith(message)


def labelled(text: str) -> tuple[list[list[float]], tuple, tuple]:
    made = read_delimited(text)
    assert made.kind == "matrix"
    assert made.values is not None
    return made.values.tolist(), made.row_labels, made.column_labels


PRINTS = [
    (",0,1\n0,1,2\n1,3,4\n", ("0", "1"), ("0", "1")),
    ("   0  1\n0  1  2\n1  3  4\n\n[2 rows x 2 columns]", ("0", "1"), ("0", "1")),
    ("     Je  suis\nI     1     2\nam    3     4", ("I", "am"), ("Je", "suis")),
    ("   3  7\n5  1  2\n9  3  4", ("5", "9"), ("3", "7")),
    ("   a  \\\nI  1\nJ  3\n\n   b\nI  2\nJ  4", ("I", "J"), ("a", "b")),
    ('"Je" "suis"\n"I" 1 2\n"am" 3 4', ("I", "am"), ("Je", "suis")),
    ("\tJe\tsuis\nI\t1\t2\nam\t3\t4", ("I", "am"), ("Je", "suis")),
    ("New York  1  2\nParis  3  4", ("New York", "Paris"), ()),
    (" a | b\n---+---\n 1 | 2\n 3 | 4", (), ("a", "b")),
    ("     [,1] [,2]\n[1,]    1    2\n[2,]    3    4", (), ()),
    ("   [,1] [,2]\nI     1    2\nam    3    4", ("I", "am"), ()),
    ("     [,1]\n[1,]    1\n[2,]    3\n     [,2]\n[1,]    2\n[2,]    4", (), ()),
    ("A[2,2]\n    c1  c2\nr1   1   2\nr2   3   4", ("r1", "r2"), ("c1", "c2")),
    ("2\u00d72 Matrix{Float64}:\n 1.0  2.0\n 3.0  4.0\n", (), ()),
    ("A =\n\n  2\u00d72 single matrix\n\n   1   2\n   3   4\n", (), ()),
    ("A =\n\n Column 1:\n\n   1\n   3\n\n Column 2:\n\n   2\n   4\n", (), ()),
    ("  Columns 1 through 1\n\n     1\n     3\n\n  Columns 2 through 2\n\n     2\n     4\n", (), ()),
    (',play,"a ""b"", c"\nplay,1,2\n##ing,3,4', ("play", "##ing"), ("play", 'a "b", c')),
    ('"a\nb",1,2\nc,3,4', ("a b", "c"), ()),
]


@pytest.mark.parametrize(("text", "row_labels", "column_labels"), PRINTS)
def test_prints_with_labels_and_frames(text: str, row_labels: tuple, column_labels: tuple) -> None:
    assert labelled(text) == (TWO, row_labels, column_labels)


def test_a_factor_above_a_print_is_applied_without_a_second_rounding() -> None:
    made = read_delimited("A =\n\n   1.0e-03  *\n\n   1.2345   0\n  -Inf   0.7\n")
    assert made.values is not None
    assert made.name == "A"
    assert made.values.tolist() == [[1.2345e-3, 0], [-math.inf, 0.7e-3]]
    assert made.notes == ("multiplied by the factor 1e-3 that stands above",)


def test_vectors_of_r_julia_and_pandas() -> None:
    assert labelled("[1] 1 2\n[3] 3")[0] == [[1, 2, 3]]
    assert labelled("3-element Vector{Float64}:\n 1.0\n 2.0\n 3.0")[0] == [[1], [2], [3]]
    assert labelled("0    0.5\n1    0.7\nName: w, dtype: float64") == ([[0.5], [0.7]], ("0", "1"), ("w",))


def test_several_prints_with_names() -> None:
    made = read_delimited("Q =\n\n   1   0\n\nK =\n\n   0   2\n\nx = 5\n")
    assert made.kind == "named"
    assert {name: one.values.tolist() for name, one in made.matrices.items() if one.values is not None} == {
        "Q": [[1, 0]],
        "K": [[0, 2]],
        "x": [[5]],
    }
    made = read_delimited("> Q\n     [,1]\n[1,]    1\n> print(K)\n     [,1]\n[1,]    2")
    assert made.kind == "choice"
    assert len(made.options) == 2


def test_a_title_becomes_the_name() -> None:
    assert read_delimited("Attention weights:\n0.5 0.5").name == "Attention weights"
    assert read_delimited("0.5 0.5", name="file").name == "file"


COMMENTED = [
    ("# a\n% b\n// c\n1 2\n3 4", ("3 comment lines left out",)),
    ("1 2 # row I\n3 4 // row am", ("comments at line ends left out",)),
    ("1 2  % row I\n3 4", ("comments at line ends left out",)),
    ("# 5 6\n1 2\n3 4", ("1 comment line left out",)),
]


@pytest.mark.parametrize(("text", "notes"), COMMENTED)
def test_comments_are_left_out_and_counted(text: str, notes: tuple[str, ...]) -> None:
    made = read_delimited(text)
    assert made.values is not None
    assert (made.values.tolist(), made.notes) == (TWO, notes)


def test_percent_signs_are_no_comments() -> None:
    assert labelled("50 % 20 %\n1 % 2%")[0] == [[0.5, 0.2], [0.01, 0.02]]
    with pytest.raises(ExplorerError, match="row 1, column 2: 'masked' is not a number"):
        read_delimited("50 % masked")


def test_a_mask() -> None:
    made = read_delimited("TRUE,FALSE\nTRUE,TRUE")
    assert made.kind == "mask"
    assert made.values is not None
    assert made.values.tolist() == [[True, False], [True, True]]


@given(
    st.lists(st.lists(st.floats(allow_nan=False), min_size=2, max_size=2), min_size=1, max_size=4),
    st.sampled_from(["\t", ";", ", ", "  ", "|"]),
    st.sampled_from(["\n", "\r\n", "\n\n"]),
)
def test_what_programs_write_comes_back_exactly(values: list[list[float]], mark: str, end: str) -> None:
    made = read_delimited(end.join(mark.join(map(repr, row)) for row in values) + end)
    np.testing.assert_array_equal(made.values, values)


PIECES = [
    *"0123456789.,;\t|%#\"'=:>\u00a0\u2212 \n\n ", "1,234", "0,5", "1\u202f234", "nan", "-inf", "...", "Je", "##ing",
    "[,1]", "[1,]", "[1] ", "A =\n", "1e+03 *\n", "Columns 1 through 2:\n", "Columns 3 and 4:\n", "2\u00d72 Matrix:\n",
    "dtype: f\n", "sep=;\n", "> A\n", "\\\n", "---", "01.Feb", "True", "  ", "\u23a1", "\ud800", "\x00",
]  # fmt: skip


def assert_one_line(message: str) -> None:
    assert message
    assert "\n" not in message


def readable(text: str) -> None:
    """Whatever stands there, it is a reading or an error that a person can use."""
    try:
        made = read_delimited(text)
    except ExplorerError as refused:
        assert_one_line(refused.message)
    else:
        assert made.kind in ("matrix", "mask", "choice", "named")


@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(PIECES), max_size=25).map("".join)))
@settings(max_examples=500)
def test_no_text_raises_anything_else(text: str) -> None:
    readable(text)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A text that is read, with some pieces put in and some characters taken out."""
    text = draw(st.sampled_from([*SEPARATED, *(text for text, *_ in [*COMMAS, *CHOICES, *PRINTS, *REFUSED[:10]])]))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(["", *PIECES])) + text[at + draw(st.integers(0, 2)) :]
    return text


@pytest.mark.fuzz
@given(st.one_of(mutated(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)))
@settings(max_examples=20_000)
def test_no_text_raises_anything_else_at_length(text: str) -> None:
    readable(text)
