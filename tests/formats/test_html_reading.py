"""Tables of web pages and of the clipboards of spreadsheets, however badly they are written."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.markup.html_reading import read_html
from tests.formats.mutations import damaged, holds

PANDAS = """<div><style scoped> .dataframe tbody tr th { vertical-align: top; } </style>
<table border="1" class="dataframe"><thead><tr style="text-align: right;"><th></th><th>0</th><th>1</th></tr>
<tr><th>query</th><th></th><th></th></tr></thead>
<tbody><tr><th>0</th><td>0.1</td><td>0.9</td></tr><tr><th>1</th><td>0.8</td><td>NaN</td></tr></tbody></table>
<p>2 rows × 2 columns</p></div>"""
EXCEL = """Version:1.0\r\nStartHTML:0000000105\r\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head>
<meta name=Generator content="Microsoft Excel 15"><style><!--td {color:black;}--></style></head><body>
<table border=0 cellpadding=0 style='border-collapse: collapse;width:96pt'><!--StartFragment--><col width=64 span=2>
 <tr height=20 style='height:15.0pt'><td height=20 class=xl65 width=64>0,1</td>
 <td align=right>-1.234,5</td></tr>
 <![if !supportMisalignedColumns]><tr height=0><![endif]><!--EndFragment--></table></body></html>"""
WORD = (
    "<table class=MsoTableGrid><tr><td width=64><p class=MsoNormal>"
    "<b><span lang=DE>0,5<o:p></o:p></span></b></p></td></tr></table>"
)


def table(*rows: str) -> str:
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def made(text: str, name: str = "") -> Imported:
    reading = read_html(text, name=name)
    assert reading is not None
    return reading


def values(reading: Imported) -> list[list[float]]:
    assert reading.values is not None
    return reading.values.tolist()


def message(text: str) -> str:
    with pytest.raises(ExplorerError) as refused:
        read_html(text)
    assert refused.value.hint
    return refused.value.message


@pytest.mark.parametrize(
    "text",
    [
        table("<td>1</td><td>2</td>", "<td>3</td><td>4</td>"),
        "<TABLE><TR><TD>1<TD>2<TR><TD>3<TD>4</TABLE>",
        "<tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4",
        table("<td title='>'>1</td><td>2</td>", "<td><div><b>3</b></div></td><td>4<br></td>"),
        "<!-- <td>9</td> --><script>'<td>9</td>'</script>" + table("<td>1</td><td>2</td>", "<td>3</td><td>4</td>"),
    ],
)
def test_every_way_to_write_a_table(text: str) -> None:
    reading = made(text)
    assert values(reading) == [[1, 2], [3, 4]]
    assert not reading.column_labels


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("&minus;2", -2), ("&#8722;&infin;", -math.inf), ("&frac12;", 0.5), ("1&nbsp;234.5", 1234.5),
        ("&nbsp;7&nbsp;", 7),
        ("2.06 &times; 10<sup>&minus;9</sup>", 2.06e-9), ("2<sup>-3</sup>", 0.125), ("50%", 0.5), ("\n  0.5\n ", 0.5),
        ("<!-- <b> -->7<!---->", 7), ('<a title="<td>">7</a>', 7), ("<script>8</script>7", 7),
    ],
)  # fmt: skip
def test_a_cell_means_its_number(cell: str, value: float) -> None:
    np.testing.assert_array_equal(made(table(f"<td>{cell}</td><td>1</td>")).values, [[value, 1]])


def test_clipboards_and_data_frames() -> None:
    pandas = made(PANDAS)
    np.testing.assert_array_equal(pandas.values, [[0.1, 0.9], [0.8, math.nan]])
    assert (pandas.row_labels, pandas.column_labels) == (("0", "1"), ("0", "1"))
    assert values(made(EXCEL)) == [[0.1, -1234.5]]
    assert values(made(WORD)) == [[0.5]]
    assert "summarized" in message(PANDAS.replace("0.9", "..."))


def test_headings_are_labels_though_they_are_numbers() -> None:
    top = made(table("<th>5</th><th>7</th>", "<td>0.1</td><td>0.9</td>"))
    assert (top.column_labels, top.row_labels, values(top)) == (("5", "7"), (), [[0.1, 0.9]])
    side = made(table("<th>5</th><td>0.1</td>", "<th>7</th><td>0.9</td>"))
    assert (side.row_labels, values(side)) == (("5", "7"), [[0.1], [0.9]])
    both = made(table("<th>a</th><th>3</th>", "<th>5</th><td>0.1</td>"))
    assert (both.row_labels, both.column_labels) == (("5",), ("3",))
    words = made(table("<td></td><td>Je</td>", "<td>I</td><td>0.1</td>"))
    assert (words.row_labels, words.column_labels) == (("I",), ("Je",))
    assert message(table("<th>5</th><th>7</th>", "<td>0.1</td><td>x</td>")).startswith("row 2, column 2: 'x'")
    assert message(table("<th>5</th><td>0.1</td>", "<th>7</th><td>x</td>")).startswith("row 2, column 2: 'x'")


def test_a_page_with_several_tables() -> None:
    numbers, words = table("<td>1</td><td>2</td>"), table("<td>Home</td><td>News</td>")
    page = f"<table><tr><td>{words}</td><td><h2>Weights</h2>{numbers}</td></tr></table>"
    assert (values(made(page)), made(page).kind) == ([[1, 2]], "matrix")
    named = made(f"<h2>Q</h2>{numbers}{table('<caption>K</caption><td>3</td>')}{words}")
    assert {name: values(part) for name, part in named.matrices.items()} == {"Q": [[1, 2]], "K": [[3]]}
    choice = made(numbers + numbers)
    assert [option.label for option in choice.options] == ["table 1: 1 x 2", "table 2: 1 x 2"]
    assert made(f"<h1>Q</h1>{numbers}", "file").name == "Q"
    assert made(f"<h1>What we found</h1>{numbers}", "file").name == "file"
    assert message(numbers + table("<td>1</td><td>n/a</td>")).startswith("table 2: row 1, column 2: 'n/a'")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (table("<td>1</td><td colspan=2>2</td>"), "row 1, column 2 spans several cells"),
        (table("<td>1</td>", '<td rowspan="2">2</td>'), "row 2, column 1 spans several cells"),
        (table("<td>1</td><td>x<sub>1</sub></td>"), "row 1, column 2: 'x_1' is not a number"),
        (table("<td>1</td><td></td>", "<td>1</td><td>2</td>"), "row 1, column 2 is empty"),
        (table("<td>1</td><td>2</td>", "<td>3</td>"), "row 2 has 1 number, row 1 has 2"),
        (table("<td>1</td><td>1e400</td>"), "row 1, column 2: '1e400' is too large"),
        (table(f"<td>{'1' * 5000}</td>"), "row 1, column 1:"),
        ("<table>" * 60 + "<td>1", "tables nested too deep"),
    ],
)
def test_errors_name_the_cell(text: str, what: str) -> None:
    assert message(text).startswith(what)


@pytest.mark.parametrize(
    "text", ["", "1 < 2", "<p>1</p>", "<table></table>", "<tf.Tensor: shape=(1,)>", "<table <td>1"]
)
def test_what_holds_no_table_is_left_to_others(text: str) -> None:
    assert read_html(text) is None


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<!--", "<![CDATA[", "<td a=\"", "='", "<script>", "<h1>", "&", "&#", "<table></table>", "= "]
)  # fmt: skip
def test_what_never_closes_is_read_once(piece: str) -> None:
    reading = read_html("<table><tr><td>1</td></tr></table>" + piece * 100_000)
    assert reading is None or values(reading) == [[1]]


PIECES = [
    *("<table>", "</table>", "<tr>", "<td>", "<th>", "</td>", "</tr>", "<thead>", "<caption>"),
    *("</caption>", "<h1>", "</h1>"),
    *("<td colspan=2>", "<", ">", "'", '"', "=", "<!--", "-->", "<![", "<script>", "</script>", "<br/>"),
    *("<sup>", "</sup>"),
    *("1", "0.5", "a", "&minus;", "&#9999999999;", "&#xd800;", "&", "\0", "\ud800", "...", "\n", " ", "1e999", "²"),
]  # fmt: skip
SEEDS = [text.encode() for text in (PANDAS, EXCEL, WORD, table("<th>a<td>1", "<td>2<sup>3</sup><td>&frac12;"))]


def readable(text: str) -> None:
    holds(
        lambda data: read_html(data.decode("utf-8", "surrogatepass")) or Imported("choice"),
        text.encode("utf-8", "surrogatepass"),
    )


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_no_text_raises_anything_else(text: str) -> None:
    readable(text)
    readable(f"<table><tr><td>{text}")


@settings(max_examples=500)
@given(st.text(max_size=60))
def test_no_cell_raises_anything_else(text: str) -> None:
    readable(table(f"<td>{text}</td><td>1</td>"))


@pytest.mark.fuzz
def test_no_damaged_text_raises_anything_else() -> None:
    for data in damaged(SEEDS, 20_000):
        readable(data.decode("utf-8", "replace"))
