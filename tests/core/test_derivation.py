"""The worked solution of one query says what is true, and says it in LaTeX that everybody can set."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.derivation import STEPS, Step, derive
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.core.rounding import copied
from explorer.core.typesetting import Digits, bracketed, places, tex
from explorer.errors import ExplorerError
from tests.state.documents import documents

SEED = Problem(Projection(np.eye(2), np.eye(2), [[1, 0], [0, 2]], np.eye(2)))
EVERYTHING = Problem(
    QKV([[1, -2]], [[1, 0], [0, 0.3], [-1, 1]], [[2, 0], [0, -2], [2, 1]]),
    beta=5, shift=2, softcap=2, bias=[[0, -0.5, 0.1]], mask=Mask("custom", allowed=[[True, True, False]]),
)  # fmt: skip
RNG = np.random.default_rng(7)


def typed(row: list[float], v: Any = None, **dials: Any) -> Problem:
    return Problem(Scores([row], v), **{"scale": 1} | dials)


def wide(n: int, d: int) -> Problem:
    return Problem(QKV(RNG.normal(size=(1, d)), RNG.normal(size=(n, d)), RNG.normal(size=(n, d))))


PROBLEMS: dict[str, Problem] = {
    "projection": SEED,
    "memory": Problem(Projection([[1.5, 0]], np.eye(2), [[-1], [0]] @ np.ones((1, 2)), None, [[3, 1], [0, 1e-9]])),
    "everything": EVERYTHING,
    "overflow": typed([1000, 1001, -math.inf], [[1], [2], [3]]),
    "underflow": typed([-1000, -1001]),
    "beyond": typed([1e308, 0], beta=10),
    "tiny": typed([0, -20], [[1], [-1]]),
    "largest": typed([2, 2, 1], [[1], [2], [3]], beta=math.inf),
    "smallest": typed([2, 2, 1], beta=-math.inf),
    "even": typed([2, 3, -math.inf], beta=0),
    "reversed": typed([2, 3], beta=-0.5),
    "given": Problem(Weights([[0.5, 0.4, 0]], [[1], [2], [math.nan]])),
    "negative": Problem(Weights([[1.5, -0.5]], [[1], [2]])),
    "bad weight": Problem(Weights([[0.5, math.nan]], [[1], [2]])),
    "invalid": typed([1, math.nan], [[1], [2]]),
    "empty": typed([-math.inf, -math.inf], [[1], [2]]),
    "no keys": Problem(QKV([[1]], np.zeros((0, 1)), np.zeros((0, 1)))),
    "no columns": Problem(QKV(np.zeros((1, 0)), np.zeros((2, 0)), np.zeros((2, 0)))),
    "twelve": wide(12, 12),
    "many": wide(40, 13),
    "wide projection": Problem(
        Projection(RNG.normal(size=(11, 13)), *(RNG.normal(size=(13, n)) for n in (11, 11, 14)))
    ),
}  # fmt: skip

FIRST = ["scores", "scaled"]
SOFT = ["exponentials", "row_sum", "weights"]
BLEND = ["weighted_values", "output", "entropy"]


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("projection", ["query", "keys", "values", *FIRST, *SOFT, *BLEND]),
        ("memory", ["query", "keys", *FIRST, *SOFT, "entropy"]),
        ("everything", list(STEPS[3:])),
        ("overflow", [*FIRST, "masked", *SOFT, *BLEND]),
        ("largest", [*FIRST, "weights", *BLEND]),
        ("even", [*FIRST, "masked", "logits", *SOFT, "entropy"]),
        ("given", ["weights", *BLEND]),
        ("negative", ["weights", "weighted_values", "output"]),
        ("bad weight", ["weights"]),
        ("invalid", [*FIRST, "weights"]),
        ("empty", [*FIRST, "masked", "weights", "output"]),
        ("no keys", [*FIRST, "weights", "output"]),
        ("no columns", [*FIRST, *SOFT, *BLEND]),
    ],
)
def test_the_steps_that_apply_in_order(name: str, ids: list[str]) -> None:
    steps = derive(PROBLEMS[name], 0)
    assert [step.id for step in steps] == ids
    assert sorted(ids, key=STEPS.index) == ids
    assert all(step.name and step.formula and step.numbers and step.why for step in steps)


def steps_of(name: str, decimals: int = 3) -> dict[str, Step]:
    return {step.id: step for step in derive(PROBLEMS[name], 0, decimals)}


def test_the_numbers_of_a_known_example_are_put_in() -> None:
    steps = steps_of("projection", 4)
    assert steps["query"].numbers.startswith(r"q_{1} = x_{1} W_Q = \begin{bmatrix} 1.0000 & 0 \end{bmatrix} ")
    assert steps["scores"].lines[1] == r"s_{12} = q_{1} \cdot k_{2} = 1.0000 \cdot 0 + 0 \cdot 2.0000 = 0"
    assert steps["scaled"].lines == (
        r"\sqrt{d_k} = \sqrt{2} \approx 1.4142", r"t_{11} \approx \frac{1.0000}{1.4142} \approx 0.7071",
        r"t_{12} = \frac{0}{\sqrt{d_k}} = 0",
    )  # fmt: skip
    assert steps["exponentials"].lines == (r"e_{11} \approx e^{0.7071} \approx 2.0281", r"e_{12} = e^{0} = 1.0000")
    assert steps["row_sum"].numbers == r"Z_{1} \approx 2.0281 + 1.0000 \approx 3.0281"
    assert steps["weights"].lines[0] == r"w_{11} \approx \frac{2.0281}{3.0281} \approx 0.6698"
    assert steps["output"].numbers == r"o_{1} \approx (0.6698, 0) + (0, 0.3302) \approx (0.6698, 0.3302)"
    assert "variance d_k = 2" in steps["scaled"].why


def test_every_dial_has_its_step() -> None:
    steps = steps_of("everything")
    assert steps["scores"].lines[2].endswith(r"1.000 \cdot (-1.000) + (-2.000) \cdot 1.000 = -3.000")
    assert steps["softcap"].lines[0] == r"u_{11} \approx 2.000 \tanh\left(\frac{0.707}{2.000}\right) \approx 0.679"
    assert steps["bias"].lines[1] == r"r_{12} \approx (-0.418) + (-0.500) \approx -0.918"
    assert steps["masked"].numbers == r"m_{1} \approx (0.679, -0.918, -\infty)"
    assert "Key 3 is hidden" in steps["masked"].why
    assert steps["logits"].formula == r"\ell_{ij} = \beta m_{ij} + k"
    assert steps["logits"].lines[0] == r"\ell_{11} \approx 5.000 \cdot 0.679 + 2.000 \approx 5.395"
    assert steps["logits"].lines[2] == r"\ell_{13} = -\infty"
    assert "beta = 5.000" in steps["logits"].why
    assert "k = 2.000" in steps["logits"].why
    assert steps["row_sum"].numbers.count("+") == 1
    assert steps["weights"].lines[1:] == (
        r"w_{12} \approx \frac{0.075}{220.428} \approx 3.40 \times 10^{-4}",
        "w_{13} = 0",
    )
    assert r"3.40 \times 10^{-4} \ln (3.40 \times 10^{-4})" in steps["entropy"].numbers
    assert "rounded; exact sum 1" in steps["weights"].why


@pytest.mark.parametrize(
    ("name", "step", "line", "why"),
    [
        ("overflow", "exponentials", r"e_{11} = e^{1000.000 - 1001.000} \approx 0.368", "would overflow"),
        ("overflow", "exponentials", r"e_{13} = e^{-\infty} = 0", "maximum is subtracted first"),
        ("underflow", "exponentials", r"e_{11} = e^{-1000.000 - (-1000.000)} = 1.000", "would underflow"),
        ("beyond", "logits", r"\ell_{11} = 10.000 \cdot 1.00 \times 10^{308} \to \infty", "beta"),
        ("beyond", "exponentials", r"e_{11} = 1.000", "would overflow"),
        ("tiny", "weights", r"w_{11} \approx \frac{1.000}{1.000} \approx 0.999999998", "share"),
        ("tiny", "weights", r"w_{12} \approx \frac{2.06 \times 10^{-9}}{1.000} \approx 2.06 \times 10^{-9}", "share"),
        ("largest", "weights", r"\max_j t_{1j} = 2.000", "no exponentials: the 2 keys with the largest"),
        ("largest", "weights", r"w_{11} = \frac{1}{2} = 0.500", "evenly"),
        ("smallest", "weights", r"\min_j t_{1j} = 1.000", "the key with the smallest"),
        ("even", "logits", r"\ell_{11} = 0 \cdot 2.000 = 0", "beta = 0 wipes"),
        ("even", "logits", r"\ell_{13} = -\infty", "beta = 0 wipes"),
        ("reversed", "logits", r"\ell_{11} = -0.500 \cdot 2.000 = -1.000", "turns the order round"),
        ("given", "weights", r"w_{1} = (0.500, 0.400, 0)", "sum is 0.9, not exactly 1"),
        ("given", "weighted_values", r"w_{13} v_{3} = (0)", "whatever it holds"),
        ("given", "output", r"o_{1} = (0.500) + (0.800) = (1.300)", "may lie outside"),
        ("negative", "weights", r"w_{1} = (1.500, -0.500)", "negative"),
        ("negative", "output", r"o_{1} = (1.500) + (-1.000) = (0.500)", "may lie outside"),
        ("bad weight", "weights", r"w_{1} = (\text{NaN}, \text{NaN})", "The weight of key 2 is not a finite number"),
        ("invalid", "scaled", r"t_{12} = \frac{\text{NaN}}{1.000} = \text{NaN}", "scale is 1"),
        ("invalid", "weights", r"w_{1} = (\text{NaN}, \text{NaN})", "The score of key 2 is not a number"),
        ("empty", "weights", r"w_{1} = (0, 0)", "no key"),
        ("empty", "output", r"o_{1} = (0)", "convention"),
        ("no keys", "weights", r"\text{no keys}", "no key"),
        ("no columns", "scores", r"s_{11} = q_{1} \cdot k_{1} = 0 = 0", "dot product"),
        ("no columns", "scaled", r"\text{scale} = 1.000", "d_k = 0"),
        ("memory", "keys", r"", "row of the memory"),
        ("memory", "scaled", r"\sqrt{d_k} = \sqrt{2} \approx 1.414", "variance"),
    ],
)  # fmt: skip
def test_special_rows_have_words_of_their_own(name: str, step: str, line: str, why: str) -> None:
    found = steps_of(name)[step]
    assert not line or line in found.lines
    assert why in found.why


def test_a_tie_by_rounding_is_told() -> None:
    problem = Problem(QKV([[1, 1, 1]], [[0.1] * 3, [0.3, 0, 0]]), beta=math.inf)
    assert attend(problem).tied_by_rounding == (0,)
    (weights,) = (step for step in derive(problem, 0) if step.id == "weights")
    assert "tied within rounding" in weights.why


def test_more_than_twelve_are_folded_and_it_is_said() -> None:
    assert not any(step.is_folded or "written out" in step.why for step in derive(PROBLEMS["twelve"], 0))
    steps = steps_of("many")
    scores = steps["scores"]
    assert scores.is_folded
    assert "Of 40 keys the first 6 and the last are written out." in scores.why
    assert "Of 13 terms" in scores.why
    assert [line[:8] for line in scores.lines[5:]] == [
        "s_{16} =" if False else scores.lines[5][:8],
        r"\vdots",
        "s_{1,40}",
    ]
    assert scores.lines[0].count(r"\cdot") == 1 + 7
    assert r" + \dots + " in scores.lines[0]
    assert steps["row_sum"].numbers.count("+") == 7
    assert "Of 40 allowed keys" in steps["row_sum"].why
    assert len(steps["output"].value) == 13  # type: ignore[arg-type]


def test_there_must_be_such_a_query() -> None:
    for query in (-1, 2):
        with pytest.raises(ExplorerError, match=f"there is no query {query + 1}: there are 2"):
            derive(SEED, query)


STAGES = {
    "query": "q", "scores": "scores", "scaled": "scaled", "masked": "masked", "logits": "logits", "weights": "weights",
    "output": "output", "entropy": "entropy",
}  # fmt: skip
WHOLE = {"keys": "k", "values": "v"}


def last_number(line: str) -> str:
    return re.split(r" (?:=|\\approx|\\to) ", line)[-1]


@settings(max_examples=40)
@given(documents(), st.integers(0, 8))
def test_values_are_the_true_stages_and_so_are_the_digits(document: Any, decimals: int) -> None:
    attention = attend(document.problem)
    for i in range(document.problem.n_q):
        for step in derive(document.problem, i, decimals, attention):
            if step.id in STAGES:
                np.testing.assert_array_equal(step.value, getattr(attention, STAGES[step.id])[i])
            if step.id in WHOLE:
                np.testing.assert_array_equal(step.value, getattr(attention, WHOLE[step.id]))
            values = np.asarray(step.value)
            by_key = [line for line in step.lines if re.match(r"(\\ell|[a-z])_\{\d\d\} ", line)]
            if by_key and values.ndim == 1:
                assert [last_number(line) for line in by_key] == [tex(x, decimals) for x in values.tolist()]
            elif step.id in ("query", *WHOLE):
                assert last_number(step.numbers) == Digits(decimals).set(np.atleast_2d(values))
            elif values.ndim < 2 and step.lines != (r"\text{no keys}",):
                assert last_number(step.numbers) == Digits(decimals).set(step.value)


def value(part: str) -> Fraction | None:
    """What a printed sum, product or fraction amounts to exactly; None for anything else."""
    text = re.sub(r" \\times 10\^\{(-?\d+)\}", r"E\1", part.replace(r"\cdot", "*"))
    text = re.sub(r"\d+(\.\d+)?(E-?\d+)?", lambda found: f"F('{found[0]}')", text)
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", text)
    if re.sub(r"F\('[^']*'\)", "", text).strip(" +-*/()") or not text.strip():
        return None
    try:
        return eval(text, {"F": Fraction})
    except (SyntaxError, TypeError):
        return None


@settings(max_examples=40)
@given(documents(), st.integers(0, 4))
def test_no_equals_sign_between_printed_numbers_that_differ(document: Any, decimals: int) -> None:
    for step in derive(document.problem, 0, decimals):
        for line in step.lines:
            parts = re.split(r" (=|\\approx|\\to) ", line)
            for left, sign, right in zip(parts[::2], parts[1::2], parts[2::2], strict=False):
                if sign == "=" and (before := value(left)) is not None and (after := value(right)) is not None:
                    assert before == after, line
            assert not re.search(r"(\+|\\cdot|\\ln) -", line), line


def test_the_reader_of_printed_arithmetic_reads() -> None:
    assert value(r"1.000 \cdot (-2.000) + \frac{3.00 \times 10^{-1}}{0.500}") == Fraction("-1.4")
    assert value(r"e^{0}") is None


def test_equality_is_claimed_where_it_is_true() -> None:
    problem = Problem(QKV([[1, 2]], [[3, -4], [0.5, 0]]), scale=2)
    for decimals in (3, 8):
        scores, scaled, *_ = derive(problem, 0, decimals)
        assert r"\approx" not in scores.numbers + scaled.numbers
    scores, scaled, *_ = derive(problem, 0, 0)
    assert scaled.lines[1] == r"t_{11} = \frac{-5}{2} \approx -2"
    # 0.1 times 3 is not 0.3 in binary, but on paper it is.
    assert derive(Problem(QKV([[0.1]], [[3]])), 0, 1)[0].lines[0] == r"s_{11} = q_{1} \cdot k_{1} = 0.1 \cdot 3.0 = 0.3"
    assert r"\approx 0.333 \cdot 3.000 \approx 1.000" in derive(Problem(QKV([[1 / 3]], [[3]])), 0)[0].lines[0]


def test_printed_weights_that_do_not_add_up_are_told_and_others_not() -> None:
    assert Digits(3).sum_note([0.0351190, 0.7053845, 0.2594965]) == "rounded; exact sum 1"
    assert Digits(3).sum_note([0.25, 0.75]) == Digits(3).sum_note([math.nan]) == Digits(3).sum_note([0.5, 0.4]) == ""


def test_numbers_and_matrices_as_latex() -> None:
    texts = [tex(x, 3) for x in (0.5, -2.06e-9, 0.0, math.inf, -math.inf, math.nan)]
    assert texts == ["0.500", r"-2.06 \times 10^{-9}", "0", r"\infty", r"-\infty", r"\text{NaN}"]
    assert [tex(x, None) for x in (1 / 3, 2.0, -0.0, 1e-300)] == ["0.3333333333333333", "2", "0", r"1 \times 10^{-300}"]
    assert bracketed([["1"] * 10]).startswith(r"\begin{bmatrix}")
    assert bracketed([["1"] * 11]).startswith(r"\left[\begin{array}{ccccccccccc}")
    assert len(places(12)) == 12
    assert copied(1e-9, 3) == "1.00e-09"


KNOWN = (
    r" \approx \to \cdot \times \frac \sqrt \sum \ln \tanh \max \min \lim \left \right \begin \end \text \mathrm"
    r" \dots \cdots \vdots \ddots \infty \beta \ell \\ "
)


def every_text() -> list[str]:
    steps = [step for problem in PROBLEMS.values() for step in derive(problem, 0)]
    return [text for step in steps for text in (step.formula, step.numbers)]


def test_no_command_is_used_that_one_of_the_typesetters_lacks() -> None:
    for text in every_text():
        assert all(f" {command} " in KNOWN for command in re.findall(r"\\(?:[A-Za-z]+|.)", text)), text
        assert text.count("{") == text.count("}")
        assert "$" not in text


def test_the_window_can_set_every_kind_of_formula() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its own, while it is loaded
        import ziamath
    # It takes a tenth of a second for one: the same but for digits is set once, a long row of cells shortened.
    kinds = {re.sub(r"(0(?:, | & | \+ ))\1+", r"\1", re.sub(r"[\d.]+", "0", text)): text for text in every_text()}
    for kind in sorted(kinds, key=len)[:50]:
        width, height = ziamath.Latex(kind).getsize()
        assert width > 0
        assert height > 0


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_with_amsmath_alone_can_set_every_formula(tmp_path: Path) -> None:
    body = "\n".join(rf"\[{text}\]" for text in every_text())
    source = rf"\documentclass{{article}}\usepackage{{amsmath}}\begin{{document}}{body}\end{{document}}"
    (tmp_path / "all.tex").write_text(source, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-draftmode", "all.tex"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
    assert ended.returncode == 0, ended.stdout.decode(errors="replace")[-1500:]
