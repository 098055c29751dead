"""Matrices out of LaTeX and Typst: what is written is read, and what is not understood is an error that names it."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.rounding import copied
from explorer.errors import ExplorerError
from explorer.formats import latex
from explorer.formats.imported import Imported
from explorer.formats.markup import latex_grids, typst_reading
from explorer.formats.markup.latex_reading import read_latex
from tests.formats.mutations import damaged, holds

SAMPLES = Path(__file__).parents[1] / "samples"
INF, NAN = math.inf, math.nan


def bmatrix(body: str) -> str:
    return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"


def made(text: str, name: str = "") -> Imported:
    reading = read_latex(text, name=name)
    assert reading is not None
    return reading


def values(reading: Imported) -> list[list[float]]:
    assert reading.values is not None
    return reading.values.tolist()


def message(text: str) -> str:
    with pytest.raises(ExplorerError) as refused:
        read_latex(text)
    assert refused.value.hint
    return refused.value.message


def test_the_sample_is_read_as_expected() -> None:
    entries = json.loads((SAMPLES / "index.json").read_text("utf-8"))["files"]
    (entry,) = [entry for entry in entries if entry["file"].startswith("63")]
    reading = made((SAMPLES / entry["file"]).read_text("utf-8"))
    assert reading.kind == "matrix"
    assert values(reading) == entry["expect"]["values"]
    assert not reading.row_labels


@pytest.mark.parametrize(
    ("cell", "value", "text"),
    [
        ("-0.5", -0.5, None),
        (r"\frac{1}{3}", 1 / 3, "1/3"),
        (r"-\tfrac12", -0.5, "-1/2"),
        (r"\dfrac{\sqrt{2}}{2}", math.sqrt(2) / 2, "sqrt(2)/2"),
        (r"\frac{2}{2 \cdot 4}", 0.25, "2/(2 * 4)"),
        (r"{3 \over 4}", 0.75, "3/4"),
        (r"\sqrt2", math.sqrt(2), "sqrt(2)"),
        (r"\sqrt[3]{2}", 2 ** (1 / 3), "2^(1/3)"),
        (r"2\sqrt{2}", 2 * math.sqrt(2), "2*sqrt(2)"),
        (r"-\infty", -INF, None),
        (r"+\infty", INF, None),
        (r"\text{NaN}", NAN, None),
        (r"-\text{inf}", -INF, None),
        (r"\pi", math.pi, "π"),
        (r"-\frac{\pi}{2}", -math.pi / 2, "-π/2"),
        (r"2\pi", 2 * math.pi, "2*π"),
        (r"2 \cdot 3", 6, "2 * 3"),
        (r"2.06 \times 10^{-9}", 2.06e-9, None),
        (r"2.06\cdot10^{-9}", 2.06e-9, None),
        (r"2.06\mathrm{e}{-9}", 2.06e-9, None),
        (r"\num{2.06e-9}", 2.06e-9, None),
        ("2^{-3}", 0.125, "2^-3"),
        ("e^{1}", math.e, "e^1"),
        ("0{,}5", 0.5, None),
        (r"1\,000", 1000, None),
        (r"$-0.5$", -0.5, None),
        (r"\mathbf{0.7}", 0.7, None),
        (r"\phantom{-}5", 5, None),
        (r"\color{red}{0.7}", 0.7, None),
        (r"\textcolor[rgb]{1,0,0}{0.7}", 0.7, None),
        (r"\cellcolor{blue!25} 0.7", 0.7, None),
        (r"50\%", 0.5, "50%"),
        (r"\left(\frac{1}{4}\right)", 0.25, "1/4"),
        ("7 % a remark & 8", 7, None),
    ],
)
def test_a_cell_means_its_number(cell: str, value: float, text: str | None) -> None:
    reading = made(bmatrix(f"{cell}\n & 1"))
    np.testing.assert_array_equal(reading.values, [[value, 1]])
    if text is not None:
        assert reading.texts is not None
        assert reading.texts[0, 0] == text


@pytest.mark.parametrize(
    "text",
    [
        *(rf"\begin{{{kind}matrix}} 1 & 2 \\ 3 & 4 \end{{{kind}matrix}}" for kind in ("", *"pbBvV", "small", "bsmall")),
        r"\begin{bmatrix*}[r] 1 & 2 \\[2pt] 3 & 4 \\ \end{bmatrix*}",
        r"\begin{bNiceMatrix}[margin=2pt] 1 & 2 \\ 3 & 4 \end{bNiceMatrix}",
        r"\left[\begin{array}{@{}c|c@{}} 1 & 2 \\ \hline 3 & 4 \end{array}\right]",
        r"\begin{array}[t]{*{2}{c}} 1 & 2 \\* 3 & 4 \end{array}",
        r"\begin{tabular}{rr} \toprule 1 & 2 \\ \cmidrule(lr){1-2} 3 & 4 \\ \bottomrule \end{tabular}",
        r"\begin{tabular*}{\textwidth}{rr} 1 & 2 \tabularnewline 3 & 4 \end{tabular*}",
        r"\pmatrix{1 & 2 \cr 3 & 4}",
        r"\[ \left[ 1 & 2 \\ 3 & 4 \right] \]",
        r"1 & 2 \\ 3 & 4 \\",
        r"\begin{aligned} 1 & 2 \\ 3 & 4 \end{aligned}",
        r"% \begin{bmatrix} 9 \end{bmatrix}" "\n"
        r"\begin{equation}\label{a} \begin{bmatrix}1&2\\3&4\end{bmatrix}.\end{equation}",
        "mat(1, 2; 3, 4)",
        '$ mat(delim: "[", 1, 2; 3, 4;) $',
    ],
)  # fmt: skip
def test_every_way_to_set_a_matrix(text: str) -> None:
    reading = made(text)
    assert values(reading) == [[1, 2], [3, 4]]
    assert (reading.kind, reading.name, reading.notes) == ("matrix", "", ())


@pytest.mark.parametrize(
    ("before", "name"),
    [
        ("Q = ", "Q"),
        (r"\[ W_Q = ", "W_Q"),
        (r"$\mathbf{K}^\top = ", "K^T"),
        (r"\begin{align*} W^{K} &= ", "W^K"),
        ("Here it is:\nV :=\n", "V"),
        (r"QK^T = \left[", "QK^T"),
        (r"\mathrm{softmax}(QK^T) \approx ", ""),
        ("the matrix ", ""),
    ],
)
def test_the_name_stands_before_the_sign(before: str, name: str) -> None:
    assert made(before + bmatrix("1")).name == name
    assert made(bmatrix("1"), "file").name == "file"


def test_several_matrices_are_named_or_a_choice() -> None:
    named = made(rf"\[Q = {bmatrix('1')},\quad K = {bmatrix('2')}\] and $V={bmatrix('3')}$")
    assert named.kind == "named"
    assert {name: values(part) for name, part in named.matrices.items()} == {"Q": [[1]], "K": [[2]], "V": [[3]]}
    product = made(rf"$QK^T = {bmatrix('1 & 2')}{bmatrix('3 & 4')}^T = {bmatrix('11')}$")
    assert product.kind == "choice"
    assert [option.label for option in product.options] == ["matrix 1: 1 x 2", "matrix 2: 2 x 1", "matrix 3: 1 x 1"]
    assert values(product.options[1].reading) == [[3], [4]]
    one = made(rf"$X = {bmatrix('x_1 & x_2')}, Q = {bmatrix('1 & 2')}$")
    assert (one.name, values(one), one.notes) == ("Q", [[1, 2]], ("left out because not of numbers: 1 of 2",))
    assert "K" in message(rf"$Q = {bmatrix('1 & 2')}, K = {bmatrix('1 & x')}$")


def test_what_stands_beside_a_matrix_is_used_or_refused() -> None:
    half = made(rf"$Q = \frac{{1}}{{2}} {bmatrix('1 & -3')}$")
    assert (values(half), half.notes, half.name) == ([[0.5, -1.5]], ("multiplied by 1/2",), "Q")
    assert values(made(f"-{bmatrix('1 & 2')}")) == [[-1, -2]]
    turned = made(rf"${bmatrix('1 & 1/2')}^{{\top}}$")
    assert values(turned) == [[1], [0.5]]
    assert turned.texts is not None
    assert turned.texts.tolist() == [[None], ["1/2"]]
    assert turned.notes == ("transposed, as ^T says",)
    assert made(rf"$X {bmatrix('1')}$").notes == ("left out before the matrix: X",)
    assert [values(option.reading) for option in made(f"2 {bmatrix('1{,}234')}").options] == [[[2.468]], [[2468]]]
    for text in (
        rf"{bmatrix('1')} / \sqrt{{2}}",
        rf"3 + {bmatrix('1')}",
        rf"{bmatrix('1')}^{{-1}}",
        rf"{bmatrix('1')} \cdot x",
    ):
        assert message(f"${text}$").startswith("the matrix is part of a calculation")
    assert "too large" in message(f"$10^{{300}} {bmatrix('1e300')}$")
    assert "true and false" in message(f"$2 {bmatrix('True & False')}$")


def test_a_table_has_labels() -> None:
    reading = made(
        r"\begin{tabular}{l|rr} & \textbf{Je} & \'etudiant\_1 \\ \hline I & \textbf{0.7} & 0.2 \\ $\alpha$ & 1 & 0 \\"
        r"\end{tabular}"
    )
    assert (reading.row_labels, reading.column_labels) == (("I", "α"), ("Je", "étudiant_1"))
    assert values(reading) == [[0.7, 0.2], [1, 0]]
    assert made(bmatrix(r"\text{True} & \text{False}")).kind == "mask"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (bmatrix(r"1 & \cdots & 2 \\ 3 & 4 & 5"), "row 1, column 2: '...' says that values are missing: the print"),
        (bmatrix(r"1 & 2 \\ \vdots & \vdots"), "row 2, column 1: '...'"),
        (bmatrix(r"1 & 2 \\ 3 & \foo{4}"), r"row 2, column 2: '\foo' is not known"),
        (bmatrix(r"1 & 2 \\ 3"), "row 2 has 1 number, row 1 has 2"),
        (bmatrix(r"1 & 2 \\ 3 &"), "row 2, column 2 is empty"),
        (bmatrix("1 & 1e400"), "row 1, column 2: '1e400' is too large"),
        (bmatrix("1 & x"), "row 1, column 2: 'x' is not a number"),
        (bmatrix(r"1\frac{1}{2} & 1"), "row 1, column 1: '1(1/2)' is not a number"),
        (bmatrix("2^34 & 1"), "row 1, column 1: '2^(3)4'"),
        (bmatrix(r"1\;2 & 1"), "row 1, column 1: '1 2' is not a number"),
        (bmatrix(r"1/2\pi & 1"), "row 1, column 1: '1/2π'"),
        (bmatrix(r"1 & \begin{matrix} 2 \end{matrix}"), "row 1, column 2: holds another table"),
        (bmatrix(r"\multicolumn{2}{c}{1}"), "row 1, column 1: one cell over 2 columns"),
        (bmatrix("{}"), "the matrix is empty"),
        (bmatrix("1 } & 2"), "row 1, column 1: a brace closes that never opened"),
        (bmatrix("{" * 60 + "1" + "}" * 60), "row 1, column 1: nested too deep"),
        (bmatrix("1" * 1001), "row 1, column 1: too long for a number"),
        (r"\begin{bmatrix} 1 & 2", r"truncated: \begin{bmatrix} has no \end"),
        (r"\begin{bmatrix} 1 \end{pmatrix}", r"\begin{bmatrix} ends with \end{pmatrix}"),
        (r"\begin{array}{cc 1 & 2", r"the columns of \begin{array} never end"),
        (r"\pmatrix{1 & 2", "truncated: a brace is not closed"),
        (bmatrix("1") * 65, "more than 64 matrices"),
        (bmatrix(r"\text{02.Jan} & 2 \\ 3 & 4"), "row 1, column 1: '02.Jan' is a date"),
        ("mat(1, 2; 3", "truncated: the bracket of mat( is not closed"),
        ("mat(1, dots; 3, 4)", "row 1, column 2: '...'"),
        (rf"{bmatrix('x')} {bmatrix('y')}", "of 2 tables none holds only numbers"),
    ],
)  # fmt: skip
def test_errors_name_the_cell(text: str, what: str) -> None:
    assert message(text).startswith(what)


@pytest.mark.parametrize(
    "text",
    ["", "hello", "1, 2\n3, 4", r"-\[Infinity]", r"\begin{equation} E = mc^2 \end{equation}", "np.mat([[1]])",
     r"C:\temp & more",
     'mat("1 2; 3 4")', "format(1)", "\\"],
)  # fmt: skip
def test_what_is_no_matrix_is_left_to_others(text: str) -> None:
    assert read_latex(text) is None


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (r"\begin{bmatrix}" + "{" * 3_000_000, "row 1, column 1: nested too deep"),
        (r"\begin{array}" + "{" * 3_000_000, "the columns of"),
        (r"\begin{bmatrix}\\" + "[ " * 1_000_000, "row 2, column 1: too long"),
        ("mat(1" + "(" * 1_000_000, "row 1, column 1: nested too deep"),
        (r"\begin{bmatrix}" + "%\n" * (17 * 2**20), "a LaTeX text of more than 32 million characters"),
    ],
)
def test_hostile_texts_are_refused(text: str, what: str) -> None:
    assert message(text).startswith(what)


def test_no_more_cells_than_fit_are_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex_grids, "MOST_CELLS", 1000)
    monkeypatch.setattr(typst_reading, "MOST_CELLS", 1000)
    for end in ("&", r"\\"):
        assert message(r"\begin{bmatrix}" + end * 1001) == "more than 1000 cells"
    assert message("mat(1" + ";" * 3000) == "a matrix of more than a million cells"


def test_plain_text_of_any_size_is_left_to_others() -> None:
    assert read_latex("1 & 2\n" * 2_000_000) is None


FLOATS = st.floats(allow_infinity=True, allow_nan=True)


@given(st.integers(1, 12).flatmap(lambda m: st.lists(st.lists(FLOATS, min_size=m, max_size=m), min_size=1, max_size=4)))
def test_what_we_write_is_read_again(rows: list[list[float]]) -> None:
    matrix = np.array(rows)
    np.testing.assert_array_equal(made(latex.matrix(matrix)).values, matrix)
    for decimals in (0, 3, 8):
        printed = [[float(copied(x, decimals)) for x in row] for row in rows]
        reading = made(f"Q = {latex.matrix(matrix, decimals)}")
        np.testing.assert_array_equal(reading.values, printed)
        assert (reading.name, reading.texts) == ("Q", None)


PIECES = [
    *(r"\begin{bmatrix}", r"\end{bmatrix}", r"\begin{array}{cc}", r"\end{array}", r"\pmatrix{", "}", "{", "&", r"\\"),
    *("1", "0.5", "-", r"\frac", r"\sqrt", r"\over", "^", "_", "[", "]", "$", "%", "\n", " ", r"\text{a}", r"\infty"),
    *(r"\cdots", "Q = ", r"^\top", r"\left[", r"\right]", r"\[", r"\]", r"\'", "\\", "mat(", ";", ")", ","),
    *("\0", "\ud800"),
    *("1e999", r"\multicolumn{1}{c}{", r"\hline", r"\times 10^{", "é", "²", r"\phantom", "\u2028"),
]  # fmt: skip
SEEDS = [
    rf"Q = \frac{{1}}{{2}} {bmatrix('1 & 2')}^T".encode(), br"$\pmatrix{1 & -\infty \cr \sqrt[3]{2} & 4}$",
    br"\begin{tabular}{lr} & \'e \\ \hline a & 2.06 \times 10^{-9} \end{tabular}", b"mat(1, 1/2; dots, 4)",
]  # fmt: skip


def readable(text: str) -> None:
    holds(
        lambda data: read_latex(data.decode("utf-8", "surrogatepass")) or Imported("choice"),
        text.encode("utf-8", "surrogatepass"),
    )


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_no_text_raises_anything_else(text: str) -> None:
    readable(text)
    readable(r"\begin{bmatrix}" + text)


@settings(max_examples=500)
@given(st.text(max_size=60))
def test_no_cell_raises_anything_else(text: str) -> None:
    readable(bmatrix(f"{text} & 1"))


@pytest.mark.fuzz
def test_no_damaged_text_raises_anything_else() -> None:
    for data in damaged(SEEDS, 20_000):
        readable(data.decode("utf-8", "replace"))
