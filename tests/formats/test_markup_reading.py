"""Tables drawn with bars: Markdown and its relatives, and what databases and data frames print."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.rounding import copied
from explorer.errors import ExplorerError
from explorer.formats import markdown
from explorer.formats.imported import Imported
from explorer.formats.markup.markup_reading import read_markup
from explorer.library import examples
from tests.formats.mutations import damaged, holds

SAMPLES = Path(__file__).parents[1] / "samples"

POLARS = """shape: (2, 2)
┌──────┬──────────┐
│ word ┆ column_1 │
│ ---  ┆ ---      │
│ str  ┆ f64      │
╞══════╪══════════╡
│ I    ┆ 0.1      │
│ am   ┆ -0.8     │
└──────┴──────────┘
"""
DUCKDB = """┌────────┬────────┐
│   a    │   b    │
│ double │ double │
├────────┼────────┤
│    0.1 │    0.9 │
│    0.8 │   -0.2 │
├────────┴────────┤
│ 2 rows 2 columns │
└────────┴────────┘
"""
RICH = "┏━━━━━┳━━━━━┓\n┃ a   ┃ b   ┃\n┡━━━━━╇━━━━━┩\n│ 0.1 │ 0.9 │\n│ 0.8 │ 0.2 │\n└─────┴─────┘"
PSQL = "  a  |  b  \n-----+-----\n 0.1 | 0.9\n 0.8 | 0.2\n(2 rows)\n"
GRID = "+-----+-----+\n| a   | b   |\n+=====+=====+\n| 0.1 | 0.9 |\n+-----+-----+\n| 0.8 | 0.2 |\n+-----+-----+\n"
MYSQL = "+-----+-----+\n| a   | b   |\n+-----+-----+\n| 0.1 | 0.9 |\n| 0.8 | 0.2 |\n+-----+-----+\n2 rows in set"


def made(text: str, name: str = "") -> Imported:
    reading = read_markup(text, name=name)
    assert reading is not None
    return reading


def values(reading: Imported) -> list[list[float]]:
    assert reading.values is not None
    return reading.values.tolist()


def message(text: str) -> str:
    with pytest.raises(ExplorerError) as refused:
        read_markup(text)
    assert refused.value.hint
    return refused.value.message


def test_the_sample_is_read_as_expected() -> None:
    entries = json.loads((SAMPLES / "index.json").read_text("utf-8"))["files"]
    (entry,) = [entry for entry in entries if entry["file"].startswith("65")]
    reading = made((SAMPLES / entry["file"]).read_text("utf-8"))
    assert values(reading) == entry["expect"]["values"]
    assert list(reading.row_labels) == entry["expect"]["query_labels"]
    assert list(reading.column_labels) == entry["expect"]["key_labels"]


@pytest.mark.parametrize(
    "text",
    [
        "| a | b |\n|:---|--:|\n| 0.1 | 0.9 |\n| 0.8 | 0.2 |",
        "a | b\n--- | ---\n0.1 | 0.9\n0.8 | 0.2\n",
        "|a|b|\n|-|-|\n|0.1|0.9|\n|0.8|0.2|",
        "| a | b |\n|---+---|\n| 0.1 | 0.9 |\n| 0.8 | 0.2 |",
        "||a||b||\n|0.1|0.9|\n|0.8|0.2|",
        "^ a ^ b ^\n| 0.1 | 0.9 |\n| 0.8 | 0.2 |",
        "===  ===\na    b\n===  ===\n0.1  0.9\n0.8  0.2\n===  ===\n",
        "  a    b\n---  ---\n0.1  0.9\n0.8  0.2",
        GRID, MYSQL, PSQL, RICH, GRID.replace("=", "-"),
    ],
)  # fmt: skip
def test_every_way_to_draw_a_table(text: str) -> None:
    reading = made(text)
    assert values(reading) == [[0.1, 0.9], [0.8, 0.2]]
    assert (reading.row_labels, reading.column_labels) == ((), ("a", "b"))


def test_prints_of_data_frames_lose_their_types_and_footers() -> None:
    polars, duckdb = made(POLARS), made(DUCKDB)
    assert (polars.row_labels, polars.column_labels, values(polars)) == (("I", "am"), ("column_1",), [[0.1], [-0.8]])
    assert (duckdb.column_labels, values(duckdb)) == (("a", "b"), [[0.1, 0.9], [0.8, -0.2]])
    assert "summarized" in message(POLARS.replace("0.1 ", "…   "))
    assert "summarized" in message(DUCKDB.replace("   0.1", "     ·").replace("   0.9", "     ·"))


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("**0.7**", 0.7), ("*0.7*", 0.7), ("__0.7__", 0.7), ("_0.7_", 0.7), ("***0.7***", 0.7), ("**`0.7`**", 0.7),
        ("`0.7`", 0.7), ("<b>0.7</b>", 0.7), ("$0.7$", 0.7), (r"$-\infty$", -math.inf), (r"$\frac{1}{4}$", 0.25),
        ("&minus;2", -2), ("&frac12;", 0.5), (r"\-2", -2), ("[0.7](a.html)", 0.7), ("1/4", 0.25), ("0,7", 0.7),
        ("−∞", -math.inf), ("nan", math.nan),
    ],
)  # fmt: skip
def test_how_a_cell_looks_is_no_part_of_it(cell: str, value: float) -> None:
    np.testing.assert_array_equal(made(f"| a | b |\n|---|---|\n| {cell} | 1 |").values, [[value, 1]])


def test_labels_stay_text() -> None:
    reading = made("|  | a\\|b | **c** |\n|---|---|---|\n| \\_x\\_ | 1 | 2 |\n| 7 | 3 | 4 |")
    assert (reading.row_labels, reading.column_labels) == (("_x_", "7"), ("a|b", "c"))
    assert made(" | Je | suis\n---|---|---\nI | 0.7 | 0.2").column_labels == ("Je", "suis")


def test_a_header_of_numbers_is_a_question() -> None:
    body = "|---|---|\n| 0.1 | 0.9 |"
    numbers, labels = made(f"| 0.2 | 0.8 |\n{body}").options
    assert values(numbers.reading) == [[0.2, 0.8], [0.1, 0.9]]
    assert (values(labels.reading), labels.reading.column_labels) == ([[0.1, 0.9]], ("0.2", "0.8"))
    assert "labels" in made(f"| 0 | 1 |\n{body}").options[0].label
    corner = made("|   | 0 | 1 |\n|--:|--:|--:|\n| 0 | 0.1 | 0.9 |")
    assert (corner.row_labels, corner.column_labels, values(corner)) == (("0",), ("0", "1"), [[0.1, 0.9]])
    certain = made("  3  |  7  \n-----+-----\n 0.1 | 0.9")
    assert (certain.column_labels, values(certain)) == (("3", "7"), [[0.1, 0.9]])
    assert message("|   | 0.8 |\n|---|---|\n| 0.1 | 0.9 |") == "row 1, column 1 is empty"


def test_several_tables_are_named_or_a_choice() -> None:
    table = "| 1 | 2 |\n| 3 | 4 |\n"
    named = made(f"# Day\n\n## Q (2 × 2): given\n\n{table}\n## K\n{table}\n| word | other |\n|---|---|\n| a | b |")
    assert named.kind == "named"
    assert set(named.matrices) == {"Q", "K"}
    assert named.notes == ("left out because not of numbers: 1 of 3",)
    choice = made(f"{table}\n{table}")
    assert [option.label for option in choice.options] == ["table 1: 2 x 2", "table 2: 2 x 2"]
    one = made(f"Some text.\n\n**Q** =\n\n{table}\nmore text\n")
    assert (one.name, one.notes) == ("Q", ("3 lines outside the table left out",))
    assert made(table, "file").name == "file"
    assert (
        message(f"{table}\nK:\n{table.replace('4', 'n/a')}") == "table 2 ('K'): row 2, column 2: 'n/a' is not a number"
    )


def test_a_worked_solution_of_ours_is_read_by_its_headings() -> None:
    document = examples.load("single-head-numeric")[0]
    reading = made(markdown.write(document, attend(document.problem), 4))
    assert reading.kind == "named"
    assert {"Q", "K", "V", "Scores"} <= {*reading.matrices}
    np.testing.assert_allclose(reading.matrices["Q"].values, attend(document.problem).q, atol=5e-5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("| a | b |\n|---|---|\n| 1 | n/a |", "row 2, column 2: 'n/a' is not a number"),
        ("| a | b |\n|---|---|\n| 1 |  |", "row 2, column 2 is empty"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |", "row 3 has 1 number, row 2 has 2"),
        ("| a | b |\n|---|---|\n| 1 | ... |", "row 2, column 2: '...' says that values are missing"),
        ("| a | b |\n|---|---|\n| 1 | ~~2~~ |", "row 2, column 2: '~~2~~' is not a number"),
        ("| a | b |\n|---|---|\n| 1 | -- |\n| -- | -- |", "row 2, column 2: '--' is not a number"),
        ("| a | b |\n|---|---|\n| 1 | 1e400 |", "row 2, column 2: '1e400' is too large"),
        ("| a | b |\n|---|---|\n| 01.Feb | 2 |", "row 2, column 1: '01.Feb' is a date"),
        (r"| a | b |" "\n|---|---|\n" r"| 1 | $\foo$ |", r"row 2, column 2: '\foo' is not known"),
        (f"| a |\n|---|\n| {'1' * 1001} |", "row 2, column 1 holds 1001 characters"),
        ("| 1 |\n\n" * 65, "more than 64 tables"),
        ("|" * 1_100_000, "a drawn table of more than a million cells"),
    ],
)  # fmt: skip
def test_errors_name_the_cell(text: str, what: str) -> None:
    assert message(text).startswith(what)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2\n3 4",
        "1 | 2\n3 | 4",
        "|x|",
        "a || b",
        "[[1, 2]]",
        "+---+\n",
        "a\n" * 500_000 + "|",
        "--- ---\n12345",
        "---\n1\n---",
    ],
)
def test_what_is_no_drawn_table_is_left_to_others(text: str) -> None:
    assert read_markup(text) is None


LABELS = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6)
FLOATS = st.floats(allow_infinity=True, allow_nan=True)


@given(st.data(), st.integers(1, 4), st.integers(1, 4), st.integers(0, 8))
def test_what_we_write_is_read_again(data: st.DataObject, n: int, m: int, decimals: int) -> None:
    matrix = np.array(data.draw(st.lists(st.lists(FLOATS, min_size=m, max_size=m), min_size=n, max_size=n)))
    labels = [data.draw(st.lists(LABELS, min_size=size, max_size=size)) for size in (n, m)]
    printed = [[float(copied(x, decimals)) for x in row] for row in matrix.tolist()]
    np.testing.assert_array_equal(made(markdown.table(matrix)).values, matrix)
    np.testing.assert_array_equal(made(markdown.table(matrix, decimals=decimals)).values, printed)
    reading = made(markdown.table(matrix, *(["x" + label for label in side] for side in labels), decimals))
    np.testing.assert_array_equal(reading.values, printed)
    assert [*reading.row_labels] == ["x" + label for label in labels[0]]
    assert [*reading.column_labels] == ["x" + label for label in labels[1]]


PIECES = [
    *("|", "||", "---", "|---|---|", "+---+", "-+-", "===", "\n", "\n|", " ", "1", "0.5", "**", "_", "`"),
    *("$", "\\", "a", "^"),
    *("┌──┐", "│", "…", "&#99999999999;", "<b>", "# Q", "Q =", "f64", "2 rows", "\0", "\ud800", "1e999", "01.Feb", "²"),
    *("\u2028",),
]  # fmt: skip
SEEDS = [
    text.encode()
    for text in (POLARS, DUCKDB, PSQL, GRID, "# Q\n| a | **b** |\n|:--|--|\n| 1 | $\\frac12$ |\n\nK\n\n|1|\n")
]


def readable(text: str) -> None:
    holds(
        lambda data: read_markup(data.decode("utf-8", "surrogatepass")) or Imported("choice"),
        text.encode("utf-8", "surrogatepass"),
    )


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_raises_anything_else(text: str) -> None:
    readable(text)
    readable(f"|{text}|\n|---|\n|1|")


@settings(max_examples=500)
@given(st.text(max_size=60))
def test_no_cell_raises_anything_else(text: str) -> None:
    readable(f"| a | b |\n|---|---|\n| {text} | 1 |")


@pytest.mark.fuzz
def test_no_damaged_text_raises_anything_else() -> None:
    for data in damaged(SEEDS, 20_000):
        readable(data.decode("utf-8", "replace"))
