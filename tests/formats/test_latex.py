"""Matrices and worked solutions in LaTeX: true digits, every stage, and amsmath is all they need."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.core.rounding import copied
from explorer.core.typesetting import tex
from explorer.formats import latex
from explorer.library import examples
from explorer.state.document import Document
from tests.state.documents import documents

RNG = np.random.default_rng(3)
NASTY = "".join(map(chr, [*range(0x180), 0x301, 0x391, 0x3A9, 0x3C9, 0x2014, 0x201C, 0x2028, 0x2192, 0x4E2D, 0x1F600]))


def written(document: Document, decimals: int = 3) -> str:
    return latex.write(document, attend(document.problem), decimals)


def one(problem: Problem, **rest: Any) -> str:
    return written(Document(problem, **rest))


def headings(text: str) -> list[str]:
    return re.findall(r"\\textbf\{([^}]*)\} \(\$", text)


def test_a_plain_matrix_is_a_bmatrix_of_rows() -> None:
    values = np.array([[0.6697615, 0.3302385], [1, 0]])
    assert latex.matrix(values, 3) == "\\begin{bmatrix}\n0.670 & 0.330 \\\\\n1.000 & 0 \\\\\n\\end{bmatrix}"
    assert latex.matrix(np.array([[1 / 3, -math.inf, math.nan, 2e-9]])).splitlines()[1] == (
        r"0.3333333333333333 & -\infty & \text{NaN} & 2 \times 10^{-9} \\"
    )


def test_a_plain_matrix_is_never_folded() -> None:
    lines = latex.matrix(RNG.normal(size=(40, 64)), 2).splitlines()
    assert lines[0] == rf"\left[\begin{{array}}{{{'c' * 64}}}"
    assert lines[-1] == r"\end{array}\right]"
    assert [line.count("&") for line in lines[1:-1]] == [63] * 40
    assert latex.matrix(np.zeros((2, 10))).startswith(r"\begin{bmatrix}")


def test_an_exam_answer_has_every_matrix_in_order() -> None:
    text = written(examples.load("single-head-numeric")[0], 4)
    assert headings(text) == [
        "X", r"W\_Q", r"W\_K", r"W\_V", "Q", "K", "V", "Scores", "Scaled scores", "Softmax weights", "Output",
    ]  # fmt: skip
    for number in ("0.7071", "1.4142", "0.6698", "0.3302", "0.1956", "0.8044"):
        assert number in text
    for line in (
        r"\par\medskip\noindent\textbf{Q} ($2 \times 2$): $Q = X W_Q$",
        r"\par\medskip\noindent\textbf{Scores} ($2 \times 2$): $S = QK^T$",
        r"\par\medskip\noindent\textbf{Softmax weights} ($2 \times 2$): $W = \mathrm{softmax}(T)$",
        r"\par\medskip\noindent\textbf{Output} ($2 \times 2$): $O = W V$",
        r"Q = \begin{bmatrix}", r"W \approx \begin{bmatrix}", r"0.6698 & 0.3302 \\",
        r"\par\noindent Tokens: 1 token 1, 2 token 2.",
        r"\par\noindent\textbf{Entropy} (nats): token 1: $0.6343$, token 2: $0.4942$.",
    ):  # fmt: skip
        assert line in text.splitlines()
    assert r"$T = S / \sqrt{d_k}, \quad \sqrt{d_k} = \sqrt{2} \approx 1.4142$" in text
    assert text.splitlines()[0].startswith("%")
    assert "amsmath" in text.splitlines()[0]
    assert r"\documentclass" not in text


def test_stages_not_given_are_left_out() -> None:
    assert headings(one(Problem(Scores([[1, 2]]), scale=1))) == ["Scores", "Scaled scores", "Softmax weights"]
    assert headings(one(Problem(Weights([[0.5, 0.5]], [[1], [2]])))) == ["V", "Weights", "Output"]
    cross = Problem(Projection([[1, 0]], np.eye(2), np.eye(2), None, [[1, 1], [2, 2]]), mask=Mask("causal"))
    text = one(cross)
    assert headings(text)[:6] == ["X", "memory", r"W\_Q", r"W\_K", "Q", "K"]
    assert headings(text)[-2:] == ["Masked scores", "Softmax weights"]
    assert r"$K = \mathrm{memory} \cdot W_K$" in text
    assert r"$M = T, \quad -\infty \text{ where hidden}$" in text
    assert r"$W = \mathrm{softmax}(M)$" in text


def test_the_dials_stand_in_the_formulas() -> None:
    text = one(Problem(Scores([[1, 2]]), scale=3, beta=5, shift=-2, softcap=4, bias=[[0.5, 0]]))
    assert headings(text) == ["Scores", "Scaled scores", "Bias", "Biased scores", "Softmax weights"]
    assert r"$T = S / \text{scale}, \quad \text{scale} = 3.000$" in text
    assert r"$M = c \tanh(T / c) + B, \quad c = 4.000$" in text
    assert r"$W = \mathrm{softmax}(\beta M + k), \quad \beta = 5.000, \quad k = -2.000$" in text
    assert headings(one(Problem(Scores([[1, 2]]), scale=1, softcap=4)))[2] == "Capped scores"
    for beta, sign, side in ((math.inf, "", "largest"), (-math.inf, "-", "smallest")):
        text = one(Problem(Scores([[1, 2]]), scale=1, beta=beta))
        assert rf"$W = \lim_{{\beta \to {sign}\infty}} \mathrm{{softmax}}(\beta T)$" in text
        assert f"shared evenly among its {side} scores" in text


def test_rows_that_are_not_well_are_told() -> None:
    text = one(
        Problem(Scores([[1, math.nan], [-math.inf, -math.inf], [1, 2]]), scale=1),
        query_labels=("a_b", None, None), title="50%",
    )  # fmt: skip
    assert r"Query 1 (a\_b) is invalid: its score for key 2 is not a number." in text
    assert "Query 2 is empty: it may attend to no key, its weights and output are 0." in text
    assert r"(nats): a\_b: $\text{NaN}$, 2: undefined, 3: $0.582$." in text
    assert r"\textbf{50\%}" in text
    assert "Weights row 1 sums to 0.75, not to 1." in one(Problem(Weights([[0.5, 0.25]])))
    rounded = one(Problem(Scores([[0, 0, -math.inf], [0, 0, 0]]), scale=1))
    assert "Weights row 1: rounded; exact sum 1." not in rounded
    assert "Weights row 2: rounded; exact sum 1." in rounded
    many = one(Problem(Scores(np.full((30, 1), -math.inf)), scale=1))
    assert "And 18 rows more." in many
    assert "Query 13" not in many


def test_more_than_twelve_rows_or_columns_are_folded_and_it_is_said() -> None:
    problem = Problem(QKV(RNG.normal(size=(13, 2)), RNG.normal(size=(40, 2)), RNG.normal(size=(40, 12))))
    text = one(problem, query_labels=tuple("abcdefghijklm"))
    weights = text.partition(r"\textbf{Softmax weights}")[2].partition(r"\textbf{")[0]
    assert r"($13 \times 40$)" in weights
    rows = [line for line in weights.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 8
    assert rows[0].split(" & ")[6] == r"\cdots"
    assert set(rows[6].removesuffix(r" \\").split(" & ")) == {r"\vdots", r"\ddots"}
    assert "Left out: rows 7 to 12 of 13 and columns 7 to 39 of 40." in weights
    assert r"\left[\begin{array}{cccccccccccc}" in text.partition(r"\textbf{V}")[2]
    assert r"Queries: 1 a, 2 b, 3 c, 4 d, 5 e, 6 f, \dots{}, 13 m." in text
    twelve = one(Problem(QKV(RNG.normal(size=(12, 12)), RNG.normal(size=(12, 12)))))
    assert "Left out" not in twelve


@settings(max_examples=40)
@given(documents(), st.integers(0, 8))
def test_every_printed_number_is_the_true_one(document: Document, decimals: int) -> None:
    attention = attend(document.problem)
    text = latex.write(document, attention, decimals)
    stages = {"Q": "q", "K": "k", "V": "v", "S": "scores", "T": "scaled", "M": "masked", "W": "weights", "O": "output"}
    found = re.findall(r"^(\w) (=|\\approx) \\begin\{bmatrix\}\n(.*?)\\end", text, re.MULTILINE | re.DOTALL)
    assert {"W"} <= {symbol for symbol, _, _ in found}
    for symbol, sign, body in found:
        if symbol not in stages:  # X and B are given
            continue
        values = getattr(attention, stages[symbol])
        rows = [line.removesuffix(r" \\").split(" & ") for line in body.splitlines()]
        assert rows == [[tex(x, decimals) for x in row] for row in values.tolist()]
        texts = [copied(x, decimals) for x in values.ravel().tolist()]
        is_exact = np.array_equal(np.array(texts, dtype=float), values.ravel(), equal_nan=True)
        assert (sign == "=") == is_exact


@pytest.mark.parametrize(
    ("text", "latex_text"),
    [
        ("a_b & 50% #1 $x$ {y}", r"a\_b \& 50\% \#1 \$x\$ \{y\}"),
        ("~^\\", r"\textasciitilde{}\textasciicircum{}\textbackslash{}"),
        ("<s>|", r"\ensuremath{<}s\ensuremath{>}\ensuremath{|}"),
        ("--''``,,?`", "-{}-'{}'`{}`,{},?{}`"),
        ('a "b"', "a ''b''"),
        ("naïve ßø e\u0301", "naïve ßø é"),
        ("ωΩ", r"\ensuremath{\omega}\ensuremath{\Omega}"),
        ("中\U0001f600Δx", r"\texttt{U+4E2D}\texttt{U+1F600}\ensuremath{\Delta}x"),
        ("a\nb\tc\0d\u2028e", "a b c d e"),
        ("ąĐ", r"\texttt{U+0105}\texttt{U+0110}"),
    ],
)
def test_any_text_is_escaped(text: str, latex_text: str) -> None:
    assert latex.escape(text) == latex_text


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_it_compiles_with_amsmath_alone(tmp_path: Path) -> None:
    matrices = [RNG.normal(size=(13, 64)), np.zeros((0, 2)), np.zeros((2, 0)), np.array([[math.inf, math.nan, 1e-300]])]
    example = examples.load("single-head-numeric")[0]
    parts = [
        written(example, 4), written(replace(example, query_labels=(NASTY, "?`"), key_labels=(), title=f"{NASTY}\n%")),
        one(Problem(QKV(np.zeros((0, 2)), np.zeros((2, 2))))), one(Problem(QKV(np.zeros((2, 2)), np.zeros((0, 2))))),
        one(Problem(QKV(*RNG.normal(size=(3, 12, 12))), beta=5, mask=Mask("causal"))),
        one(Problem(QKV(*RNG.normal(size=(3, 64, 64))), beta=math.inf, softcap=2, bias=np.full((64, 64), -math.inf))),
        *(rf"\[{latex.matrix(matrix)}\]" for matrix in matrices),
    ]  # fmt: skip
    body = "\n".join(parts)
    source = rf"\documentclass{{article}}\usepackage{{amsmath}}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "all.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "all.tex"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
    log = ended.stdout.decode(errors="replace")
    assert ended.returncode == 0, log[-1500:]
    assert "Missing character" not in (tmp_path / "all.log").read_text(encoding="utf-8", errors="replace")
