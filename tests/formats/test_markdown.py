"""Tables and worked solutions in Markdown: true digits, every stage, and labels that stay text."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.problem import QKV, Problem, Scores
from explorer.core.rounding import copied
from explorer.formats import latex, markdown
from explorer.library import examples
from explorer.state.document import Document
from tests.state.documents import documents

RNG = np.random.default_rng(3)


def written(document: Document, decimals: int = 3) -> str:
    return markdown.write(document, attend(document.problem), decimals)


def cells(line: str) -> list[str]:
    """The cells of a line of a table, as a reader of Markdown splits it."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def tables(text: str) -> dict[str, list[list[str]]]:
    """The rows of numbers below each heading, without their labels."""
    found = {}
    for block in text.split("## ")[1:]:
        lines = [cells(line) for line in block.splitlines() if line.startswith("|")]
        margin = lines[1][0] == "---"
        found[block.partition(" (")[0].replace("\\", "")] = [row[margin:] for row in lines[2:]]
    return found


def test_a_plain_table_has_labels_and_is_never_folded() -> None:
    assert markdown.table(np.array([[0.67, 0.33], [1, 0]]), ["cat", "sat"], ["cat", "sat"], 3) == (
        "|  | cat | sat |\n| --- | ---: | ---: |\n| cat | 0.670 | 0.330 |\n| sat | 1.000 | 0 |"
    )
    assert markdown.table(np.array([[1 / 3, -math.inf, 2e-9]])) == (
        "|  |  |  |\n| ---: | ---: | ---: |\n| 0.3333333333333333 | -inf | 2e-09 |"
    )
    lines = markdown.table(RNG.normal(size=(40, 64)), [str(i) for i in range(40)], [], 2).splitlines()
    assert [len(cells(line)) for line in lines] == [65] * 42


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (2, 0)])
def test_a_table_without_cells_is_still_one(shape: tuple[int, int]) -> None:
    for labels in ([], [str(i) for i in range(shape[0])]):
        lines = markdown.table(np.zeros(shape), labels, [], 3).splitlines()
        assert len(lines) == 2 + shape[0]
        assert len({len(cells(line)) for line in lines}) == 1


def test_labels_stay_text_on_one_line() -> None:
    table = markdown.table(np.ones((1, 1)), ["a|b\nc"], ["`x`\\"], 0)
    assert table.splitlines() == ["|  | \\`x\\`\\\\ |", "| --- | ---: |", "| a\\|b c | 1 |"]
    assert markdown.escape("_a_ *b* $c$ <d> [e](f) #g ~h~ &amp;") == (
        "\\_a\\_ \\*b\\* \\$c\\$ \\<d\\> \\[e\\](f) \\#g \\~h\\~ \\&amp;"
    )
    document = Document(Problem(Scores([[1]]), scale=1), query_labels=("<b>\n# x",), title="a\n# b #")
    text = written(document)
    assert text.startswith("# a \\# b \\#\n\n## Scores (1 × 1): as given\n")
    assert "| \\<b\\> \\# x | 1.000 |" in text


def test_an_exam_answer_has_every_matrix_in_order() -> None:
    text = written(examples.load("single-head-numeric")[0], 4)
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "# Every matrix of one head",
        "## X (2 × 2): as given", "## W\\_Q (2 × 2): as given", "## W\\_K (2 × 2): as given",
        "## W\\_V (2 × 2): as given", "## Q (2 × 2): $Q = X W_Q$", "## K (2 × 2): $K = X W_K$",
        "## V (2 × 2): $V = X W_V$", "## Scores (2 × 2): $S = QK^T$",
        r"## Scaled scores (2 × 2): $T = S / \sqrt{d_k}, \quad \sqrt{d_k} = \sqrt{2} \approx 1.4142$",
        r"## Softmax weights (2 × 2): $W = \mathrm{softmax}(T)$", "## Output (2 × 2): $O = W V$",
    ]  # fmt: skip
    for line in (
        "| token 1 | 0.7071 | 0 |", "| token 2 | 0 | 1.4142 |", "| token 1 | 0.6698 | 0.3302 |",
        "| token 2 | 0.1956 | 0.8044 |", "|  | token 1 | token 2 |",
        "Entropy (nats): token 1: 0.6343, token 2: 0.4942",
    ):  # fmt: skip
        assert line in text.splitlines()


def test_it_says_what_latex_says() -> None:
    document = Document(
        Problem(Scores([[1, math.nan], [-math.inf, -math.inf], [1, 2]]), scale=1, beta=2),
        query_labels=("a_b", None, None),
    )
    text = written(document)
    assert "Query 1 (a\\_b) is invalid: its score for key 2 is not a number." in text
    assert "Query 2 is empty" in text
    assert "Entropy (nats): a\\_b: nan, 2: undefined, 3: 0.365" in text
    both = latex.write(document, attend(document.problem), 3)
    formulas = re.findall(r"\$([^$]*)\$$", text, re.MULTILINE)
    assert len(formulas) == 3
    assert all(f"${formula}$" in both for formula in formulas)


def test_more_than_twelve_rows_or_columns_are_folded_and_it_is_said() -> None:
    document = Document(Problem(QKV(RNG.normal(size=(13, 2)), RNG.normal(size=(40, 2)))))
    text = written(document).partition("## Softmax weights (13 × 40)")[2]
    lines = [cells(line) for line in text.splitlines() if line.startswith("|")]
    assert lines[0] == ["", "1", "2", "3", "4", "5", "6", "⋯", "40"]
    assert [line[0] for line in lines[2:]] == ["1", "2", "3", "4", "5", "6", "⋮", "13"]
    assert lines[8][1:] == ["⋮"] * 6 + ["⋱", "⋮"]
    assert "Left out: rows 7 to 12 of 13 and columns 7 to 39 of 40." in text


@settings(max_examples=40)
@given(documents(), st.integers(0, 8))
def test_every_printed_number_is_the_true_one(document: Document, decimals: int) -> None:
    attention = attend(document.problem)
    text = markdown.write(document, attention, decimals)
    found = tables(text)
    for heading, name in (
        ("Q", "q"), ("K", "k"), ("V", "v"), ("Scores", "scores"), ("Scaled scores", "scaled"),
        ("Masked scores", "masked"), ("Softmax weights", "weights"), ("Weights", "weights"), ("Output", "output"),
    ):  # fmt: skip
        if heading in found:
            values = getattr(attention, name)
            assert found[heading] == [[copied(x, decimals) for x in row] for row in values.tolist()]
    assert {"Softmax weights", "Weights"} & set(found)
    # Markdown reads a backslash before punctuation as that punctuation.
    assert not re.search(r"\\[^A-Za-z]", "".join(re.findall(r"\$[^$]*\$", text)))
