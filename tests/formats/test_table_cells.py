"""Cells as spreadsheets, programs and web pages spell them, labels around them, and errors that name them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.tables.number_text import Notation, reading
from explorer.formats.tables.table_cells import matrix_of, number

SPELLINGS = [
    ("0.7", 0.7), ("0,7", 0.7), ("+.5", 0.5), ("1.", 1.0), ("-0", 0.0), ("007", 7.0), ("1e-3", 1e-3),
    ("1.0D+00", 1.0), ("2d-3", 2e-3), ("1_000", 1000.0), ("1_0.5", 10.5), ("0x1p-3", 0.125), ("-0x1.8p1", -3.0),
    ("\u22123", -3.0), ("\u20133", -3.0), ("\u20113", -3.0), ("\uff0d3", -3.0), ("- 3", -3.0),
    ("\uff10\uff0e\uff15", 0.5), ("\u200b1\ufeff", 1.0), ('"0.5"', 0.5), ("'0.5", 0.5), ("\u201c0.5\u201d", 0.5),
    ("1'234.5", 1234.5), ("1\u2019234\u2019567", 1234567.0), ("1\u202f234,5", 1234.5), ("1\u00a0234", 1234.0),
    ("1,234.56", 1234.56), ("1.234,56", 1234.56), ("1,234,567", 1234567.0), ("1.234.567", 1234567.0), ("1.234", 1.234),
    ("0,123", 0.123), ("0123,456", 123.456), ("1234,567", 1234.567), ("1,2345", 1.2345), ("1,234e2", 123.4),
    ("50%", 0.5), ("50 %", 0.5), ("50\uff05", 0.5), ("12.3%", 0.123), ("12,3 %", 0.123), ("5\u2030", 0.005),
    ("1/3", 1 / 3), ("-1 / 3", -1 / 3), ("1//3", 1 / 3), ("1\u20443", 1 / 3), ("\u00bd", 0.5), ("-\u2153", -1 / 3),
    ("sqrt(2)", math.sqrt(2)), ("\u221a2", math.sqrt(2)), ("pi", math.pi), ("-\u03c0/2", -math.pi / 2),
    ("2^-3", 0.125), ("exp(1)", math.e), ("2*3", 6.0),
    ("2.06 \u00d7 10^-9", 2.06e-9), ("2.06\u00b710^{-9}", 2.06e-9), ("3\u00d710\u207b\u2075", 3e-5),
    ("-inf", -math.inf), ("-Infinity", -math.inf), ("\u2212\u221e", -math.inf), ("-1.#INF", -math.inf),
    ("-1.#INF00", -math.inf), ("- inf", -math.inf), ("-oo", -math.inf), ("-\\infty", -math.inf), ("Inf", math.inf),
    ("+inf", math.inf), ("1e-400", 0.0), ("1.7976931348623157e308", 1.7976931348623157e308),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SPELLINGS)
def test_reads_every_spelling(text: str, value: float) -> None:
    assert number(text, 1, 1) == value


@pytest.mark.parametrize("text", ["nan", "NaN", "-nan", "1.#QNAN", "-1.#IND", "1.#SNAN"])
def test_nan_stays_nan(text: str) -> None:
    assert math.isnan(number(text, 1, 1))


@pytest.mark.parametrize(
    "text",
    [
        "n/a", "NA", "null", "None", "5\u20ac", "$5", "3 kg", "(0.5)", "e", "e-3", "0.05*", "1.0+100", "2+1i", "1 234",
        "1,23,4", "12,34,567", "1.2.3", "1,,2", "1,234,5", "x", "-", "--5x", "1e", "10\u00b2", "True", "#REF!",
    ],
)  # fmt: skip
def test_refuses_what_is_no_number_and_names_the_cell(text: str) -> None:
    with pytest.raises(ExplorerError, match=r"^row 2, column 3: ") as caught:
        number(text, 2, 3)
    assert text[:20] in caught.value.message


@pytest.mark.parametrize(
    "text",
    [
        "01.Feb", "02.Mrz", "1. M\u00e4r", "Feb-01", "2-Mar-24", "5-Dez", "3 Ago", "2024-01-02", "1/2/24", "01/02",
        "1-2", "01.02.", "1.2.2024", "13:45", "2024-01-02T10:00:00", "Mar 2024", "d\u00e9c-01",
    ],
)  # fmt: skip
def test_dates_are_errors_as_numbers_and_as_labels(text: str) -> None:
    with pytest.raises(ExplorerError, match=r"row 1, column 1: .* is a date"):
        matrix_of([[text, "1"], ["2", "3"]])
    with pytest.raises(ExplorerError, match=r"row 1, column 2: .* is a date"):
        matrix_of([["", text, "b"], ["I", "1", "2"]])


@pytest.mark.parametrize("text", ["1e400", "-1e309", "0x1p99999", "9" * 400, "1e99999999"])
def test_what_is_too_large_is_an_error(text: str) -> None:
    with pytest.raises(ExplorerError, match=r"row 1, column 1: .*is too large"):
        matrix_of([[text, "1"], ["0", "1"]])


def test_one_thousands_or_decimal_comma_alone_is_ambiguous() -> None:
    with pytest.raises(ExplorerError, match=r"'1,234' is ambiguous: write 1\.234 or 1234"):
        number("1,234", 1, 1)


TABLES = [
    ([["1,234", "5,5"]], [[1.234, 5.5]], "decimal commas"),
    ([["1,234", "0.5"]], [[1234.0, 0.5]], "commas between thousands left out"),
    ([["1,234", "1,234,567"]], [[1234.0, 1234567.0]], "commas between thousands left out"),
    ([["1.234", "0,5"]], [[1234.0, 0.5]], "dots between thousands left out"),
    ([["1.234", "0.5"]], [[1.234, 0.5]], None),
    ([["1.234", "1.234.567"]], [[1234.0, 1234567.0]], "dots between thousands left out"),
    ([["0,5", "1.25", "1.250"]], [[0.5, 1.25, 1.25]], "decimal commas"),
    ([["50%", "1"]], [[0.5, 1.0]], "percent signs: divided by 100"),
    ([["1e-400", "nan"]], [[0.0, math.nan]], "too small for a float64, became 0"),
    ([["nan", "nan"]], [[math.nan, math.nan]], "2 cells are nan"),
    ([["0", "1", "2"], ["0.1", "0.2", "0.7"]], [[0, 1, 2], [0.1, 0.2, 0.7]], "first row, a count, read as numbers"),
    ([["1", "0.5"], ["2", "3"], ["3", "1"]], [[1, 0.5], [2, 3], [3, 1]], "first column, a count, read as numbers"),
    ([["9007199254740993"]], [[9007199254740992.0]], "whole numbers beyond 2^53 are rounded"),
]


@pytest.mark.parametrize(("rows", "values", "note"), TABLES)
def test_a_sure_cell_decides_for_the_unclear_ones(rows: list[list[str]], values: list[list[float]], note: str) -> None:
    made = matrix_of(rows)
    np.testing.assert_array_equal(made.values, values)
    assert note in made.notes if note else made.notes == ()


def test_marks_that_contradict_each_other_leave_an_unclear_cell_an_error() -> None:
    with pytest.raises(ExplorerError, match="row 2, column 1: '1,234' is ambiguous"):
        matrix_of([["0,5", "1,234.5"], ["1,234", "1"]])


def test_nothing_but_unclear_commas_is_a_choice() -> None:
    made = matrix_of([["I", "1,234"], ["am", "5,678"]], name="A", notes=["n"])
    assert (made.kind, made.name, made.notes[0]) == ("choice", "A", "n")
    assert [option.label for option in made.options] == [
        "2x1 [[1.234],[5.678]] (decimal comma)",
        "2x1 [[1234],[5678]] (thousands)",
    ]
    assert all(option.reading.row_labels == ("I", "am") for option in made.options)


def test_a_long_choice_is_shown_in_part() -> None:
    label = matrix_of([["1,234"] * 6] * 5).options[0].label
    assert label.startswith("5x6 [[1.234,1.234,1.234,1.234,...],")
    assert label.endswith("],...] (decimal comma)")


def test_only_what_says_more_is_kept_as_text() -> None:
    made = matrix_of([["1/3", "0,7", "50%"], ["sqrt(2)", "\u00bd", "-inf"]])
    assert made.texts is not None
    assert made.texts.tolist() == [["1/3", None, "50%"], ["sqrt(2)", "1/2", None]]
    assert matrix_of([["0,7", "1e-3"]]).texts is None


LABELLED = [
    (["|Je|suis", "I|.7|.3", "am|.2|.8"], ("I", "am"), ("Je", "suis")),
    (["Je|suis", ".7|.3"], (), ("Je", "suis")),
    (["I|.7|.3", "am|.2|.8"], ("I", "am"), ()),
    (["Je|suis", "I|.7|.3", "am|.2|.8"], ("I", "am"), ("Je", "suis")),
    (["token|Je|suis", "I|.7|.3"], ("I",), ("Je", "suis")),
    (["|0|1", "0|.7|.3", "1|.2|.8"], ("0", "1"), ("0", "1")),
    (["index|a|b", "0|.7|.3", "1|.2|.8"], ("0", "1"), ("a", "b")),
    (["|1|2", "I|.7|.3"], ("I",), ("1", "2")),
    (["I|ate|2|pies", ".1|.2|.3|.4"], (), ("I", "ate", "2", "pies")),
    (["w", ".7", ".3"], (), ("w",)),
    (["I|.7|.3"], ("I",), ()),
    (["|pi|nil", "a|.7|.3"], ("a",), ("pi", "nil")),
    (["|'s|,", "##ing|.7|.3"], ("##ing",), ("'s", ",")),
    (["|a|", "b|1|2"], ("b",), ("a", None)),
]


@pytest.mark.parametrize(("rows", "row_labels", "column_labels"), LABELLED)
def test_finds_labels(rows: list[str], row_labels: tuple[str, ...], column_labels: tuple[str, ...]) -> None:
    made = matrix_of([row.split("|") for row in rows])
    assert (made.row_labels, made.column_labels) == (row_labels, column_labels)
    assert made.values is not None
    assert "label" in made.notes[0]
    assert len(row_labels) in (0, made.values.shape[0])
    assert len(column_labels) in (0, made.values.shape[1])


REFUSED = [
    (["1|2|3", "4||6"], "row 2, column 2 is empty"),
    (["1|2", "3|"], "row 2, column 2 is empty"),
    (["|1|2", "3|4|5"], "row 1, column 1 is empty"),
    (["1|2", "3"], "row 2 has 1 number, row 1 has 2"),
    (["1|2", "3|4|5"], "row 2 has 3 numbers, row 1 has 2"),
    (["1|2", "", "3"], "row 3 has 1 number, row 1 has 2"),
    (["|a|b", "I|1|2", "am|3"], "row 3 has 2 cells, row 1 has 3"),
    (["a|b", "1|2|3", "4|5|6"], "row 2 has 3 cells, row 1 has 2"),
    (["1|2", "3|n/a"], "row 2, column 2: 'n/a' is not a number"),
    (["1|2", "abc|4"], "row 2, column 1: 'abc' is not a number"),
    (["abc|2", "3|4"], "row 1, column 1: 'abc' is not a number"),
    (["n/a|n/a", "1|2"], "row 1, column 1: 'n/a' is not a number"),
    (["5\u20ac|6\u20ac", "1|2"], "row 1, column 1: '5\u20ac' is not a number"),
    (["a|b|0.5", "1|2|3"], "row 1, column 1: 'a' is not a number"),
    (["|a|b", "I|1|x"], "row 2, column 3: 'x' is not a number"),
    (["True|1", "1|1"], "row 1, column 1: 'True' is not a number"),
    (["1|...|2", "3|...|4"], "row 1, column 2: '...' says that values are missing: the print was summarized"),
    (["1|2", "..."], "row 2, column 1: '...' says that values are missing: the print was summarized"),
    (["|0|\u2026", "0|1|\u2026"], "row 1, column 3: '\u2026 (...)' says that values are missing"),
    (["1|1/0"], "row 1, column 2: '1/0': division by zero"),
    (["|", ""], "empty: there is no number"),
    ([], "empty: there is no number"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "message"), REFUSED)
def test_errors_name_the_place(rows: list[str], message: str) -> None:
    with pytest.raises(ExplorerError) as caught:
        matrix_of([row.split("|") for row in rows])
    assert str(caught.value).startswith(message)


def test_margins_that_are_empty_throughout_are_left_out_and_still_counted() -> None:
    made = matrix_of([["", "", "", ""], ["", "1", "2", ""], ["", "3", "4", ""], ["", "", "", ""]])
    np.testing.assert_array_equal(made.values, [[1, 2], [3, 4]])
    with pytest.raises(ExplorerError, match="row 2, column 3: 'x' is not a number"):
        matrix_of([["", "", ""], ["", "1", "x"]])


@pytest.mark.parametrize("words", [("True", "false"), ("WAHR", "FALSCH"), ("VRAI", "FAUX")])
def test_truth_values_are_a_mask(words: tuple[str, str]) -> None:
    true, false = words
    made = matrix_of([["", "a", "b"], ["c", true, false], ["d", true, true]])
    assert (made.kind, made.row_labels) == ("mask", ("c", "d"))
    assert made.values is not None
    assert made.values.dtype == bool
    assert made.values.tolist() == [[True, False], [True, True]]


def test_the_size_is_checked_first() -> None:
    row = ["1"] * 2**16
    with pytest.raises(ExplorerError, match="more than 16777216 numbers"):
        matrix_of([row] * 257)


@given(st.lists(st.lists(st.floats(), min_size=3, max_size=3), min_size=1, max_size=4), st.sampled_from(".,"))
def test_what_python_writes_comes_back_exactly(values: list[list[float]], mark: str) -> None:
    made = matrix_of([[repr(x).replace(".", mark) for x in row] for row in values])
    read = [option.reading for option in made.options] or [made]
    assert any(np.array_equal(one.values, values, equal_nan=True) for one in read)
    assert mark == "," or made.kind == "matrix"


def assert_one_line(message: str) -> None:
    assert message
    assert "\n" not in message


def readable(rows: list[list[str]]) -> None:
    """Whatever stands in the cells, it is a reading or an error that a person can use."""
    try:
        made = matrix_of(rows)
    except ExplorerError as refused:
        assert_one_line(refused.message)
    else:
        assert isinstance(made, Imported)
        assert made.kind in ("matrix", "mask", "choice")


CELLS = st.one_of(
    st.text(max_size=8),
    st.text(alphabet="0123456789.,-+eE/%' \u00a0\u2212xXnaNifI()^*√π½", max_size=10),
    st.sampled_from([text for text, _ in SPELLINGS] + ["", "n/a", "01.Feb", "...", "True", "Je", "1e400"]),
)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), max_size=4))
@settings(max_examples=500)
def test_no_cells_raise_anything_else(rows: list[list[str]]) -> None:
    readable(rows)


@pytest.mark.fuzz
@given(st.lists(st.lists(CELLS, max_size=4), max_size=5))
@settings(max_examples=20_000)
def test_no_cells_raise_anything_else_at_length(rows: list[list[str]]) -> None:
    readable(rows)


@given(CELLS, st.sampled_from(["decimal", "thousands", "unclear"]), st.sampled_from(["decimal", "thousands"]))
def test_a_kept_text_or_a_remark_never_changes_the_value(text: str, comma: str, dot: str) -> None:
    try:
        found = reading(text, Notation(comma, dot))
    except ExplorerError:
        return
    assert isinstance(found.value, float)
    if found.kept is not None and not found.remarks:
        again = reading(found.kept, Notation(comma, dot)).value
        assert again == found.value or math.isnan(again)
