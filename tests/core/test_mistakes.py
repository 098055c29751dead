"""Each wrong way, computed and described on real numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.mistakes import MISTAKES
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.core.wrong import compute_wrongly

BY_ID = {mistake.id: mistake for mistake in MISTAKES}
Q, K = [[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.5], [0.0, 1.0]]
V = [[1.0, 0.0], [0.0, 3.0]]
PLAIN = Problem(QKV(Q, K, V))
CAUSAL = replace(PLAIN, mask=Mask("causal"))
# The row of three scores of which the last is hidden.
HIDDEN = Problem(Scores([[2.0, 3.0, 1.0]], [[1.0], [2.0], [4.0]]), scale=1.0, mask=Mask("custom", allowed=[[1, 1, 0]]))


def wrong(id_, problem):
    return compute_wrongly(BY_ID[id_], attend(problem))


def softmax(row):
    e = [math.exp(x) for x in row]
    return [x / sum(e) for x in e]


def test_the_ids_in_order():
    assert [mistake.id for mistake in MISTAKES] == [
        "unscaled", "scaled_by_dk", "column_softmax", "mask_zero", "mask_after", "divide_by_sum", "double_softmax",
        "naive_exp", "big_negative", "mask_reversed", "ktq", "no_values",
    ]  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.id)
def test_each_has_words(mistake):
    assert mistake.title[0].isupper()
    assert not mistake.title.endswith(".")
    assert mistake.sign[0].islower() or mistake.sign[0] in "-K"
    assert mistake.why.endswith(".")
    assert mistake.why.count(". ") == 0  # one sentence


def test_unscaled():
    made = wrong("unscaled", PLAIN)
    assert made.weights == pytest.approx(np.array([softmax([1, 0]), softmax([1, 2])]), rel=1e-14)
    assert made.output == pytest.approx(made.weights @ np.array(V))
    assert made.stages["scaled"].tolist() == [[1, 0], [1, 2]]


def test_scaled_by_dk():
    assert wrong("scaled_by_dk", PLAIN).weights == pytest.approx(np.array([softmax([0.5, 0]), softmax([0.5, 1])]))
    assert wrong("scaled_by_dk", HIDDEN).effect == "not applicable: typed scores have no d_k here"
    assert wrong("scaled_by_dk", replace(HIDDEN, source=Scores([[2.0, 3.0, 1.0]], d_k=4))).weights[0] == pytest.approx(
        [*softmax([0.5, 0.75]), 0]
    )


def test_column_softmax():
    scaled = attend(PLAIN).scaled
    made = wrong("column_softmax", PLAIN)
    assert made.weights.sum(axis=0) == pytest.approx([1, 1])
    assert made.weights[:, 0] == pytest.approx(softmax(scaled[:, 0]))
    assert "sums to" in made.effect


def test_column_softmax_keeps_mask_bias_and_softcap():
    problem = replace(CAUSAL, bias=[[0.0, 0.0], [0.5, -0.5]], softcap=2.0, beta=3.0)
    masked = attend(problem).masked
    made = wrong("column_softmax", problem)
    assert made.weights[:, 0] == pytest.approx(softmax(3 * masked[:, 0]))
    assert made.weights[:, 1].tolist() == [0, 1]


def test_mask_zero():
    made = wrong("mask_zero", HIDDEN)
    assert made.weights[0] == pytest.approx(softmax([2, 3, 0]))
    assert made.weights.round(3).tolist() == [[0.259, 0.705, 0.035]]
    assert made.effect == "query 1, key 3: weight 0.035 instead of 0"


def test_mask_after():
    made = wrong("mask_after", HIDDEN)
    assert made.weights[0] == pytest.approx([*softmax([2, 3, 1])[:2], 0])
    assert made.weights[0].sum() < 1
    assert made.effect == "query 1, key 2: weight 0.665 instead of 0.731; row 1 sums to 0.910, not to 1"


def test_divide_by_sum():
    made = wrong("divide_by_sum", Problem(Scores([[-2.0, 1.0, 0.0]]), scale=1.0))
    assert made.weights.tolist() == [[2, -1, 0]]
    assert made.output is None


def test_divide_by_a_sum_of_0_is_no_number():
    made = wrong("divide_by_sum", Problem(Scores([[-1.0, 1.0], [0.0, 0.0]]), scale=1.0))
    assert made.weights[0].tolist() == [-math.inf, math.inf]
    assert np.isnan(made.weights[1]).all()
    assert not made.is_same


def test_double_softmax_of_made_and_of_given_weights():
    assert wrong("double_softmax", HIDDEN).weights[0] == pytest.approx([*softmax(softmax([2, 3])), 0])
    made = wrong("double_softmax", Problem(Weights([[0.1, 0.7, 0.2]])))
    assert made.weights.round(3).tolist() == [[0.255, 0.464, 0.281]]


def test_naive_exp_overflows_and_gives_0_over_0():
    made = wrong("naive_exp", Problem(Scores([[1000.0, 0.0], [-800.0, -801.0], [1.0, 2.0]]), scale=1.0))
    assert np.isnan(made.weights[:2]).tolist() == [[True, False], [True, True]]
    assert made.weights[0, 1] == 0
    assert made.weights[2] == pytest.approx(softmax([1, 2]))
    assert "nan instead of 1.000" in made.effect
    assert "overflow in float16, float32, float64" in made.effect


def test_naive_exp_says_which_shorter_formats_would_overflow():
    made = wrong("naive_exp", Problem(Scores([[20.0, 0.0]]), scale=1.0))
    assert made.is_same
    assert made.effect == "same as right with these numbers (exponentials overflow in float16)"


def test_a_large_negative_number_makes_a_hidden_row_uniform():
    mask = Mask("custom", allowed=[[False, False], [True, False]])
    made = wrong("big_negative", replace(PLAIN, mask=mask))
    assert made.weights.tolist() == [[0.5, 0.5], [1, 0]]
    assert wrong("big_negative", CAUSAL).is_same
    assert wrong("big_negative", replace(CAUSAL, beta=1e-9)).weights[0] == pytest.approx(softmax([0, -1]), abs=1e-8)


def test_mask_reversed():
    made = wrong("mask_reversed", CAUSAL)
    assert made.weights.tolist() == [[0, 1], [0, 0]]
    assert made.stages["masked"][1].tolist() == [-math.inf, -math.inf]
    assert wrong("mask_reversed", PLAIN).effect == "not applicable: there is no mask"


def test_ktq():
    made = wrong("ktq", PLAIN)
    assert made.stages["scores"].tolist() == (np.array(K).T @ np.array(Q)).tolist()
    assert not made.is_same
    assert "square" in wrong("ktq", Problem(QKV([[1.0, 0.0]], K))).effect


def test_values_forgotten():
    made = wrong("no_values", PLAIN)
    assert made.output is made.weights
    assert made.effect.startswith("query 2, column 2: output 0.")
    assert wrong("no_values", HIDDEN).effect == "an output of 1 x 3 instead of 1 x 1"
    assert wrong("no_values", Problem(QKV(Q, K))).effect == "not applicable: there are no values"
    assert wrong("no_values", Problem(QKV(Q, K, np.eye(2)))).is_same


@pytest.mark.parametrize(
    ("id_", "problem", "effect"),
    [
        ("unscaled", replace(PLAIN, scale=1.0), "same as right: the scale is 1 here"),
        ("scaled_by_dk", replace(PLAIN, scale=2.0), "same as right: the scale is 2 here"),
        ("mask_zero", PLAIN, "same as right: nothing is hidden here"),
        ("mask_after", PLAIN, "same as right: nothing is hidden here"),
        ("big_negative", PLAIN, "same as right: nothing is hidden here"),
        ("ktq", Problem(QKV(np.eye(2), np.eye(2))), "same as right with these numbers"),
        ("naive_exp", PLAIN, "same as right with these numbers"),
        ("double_softmax", Problem(Scores([[0.0, 0.0]]), scale=1.0), "same as right with these numbers"),
    ],
)
def test_no_difference_is_said(id_, problem, effect):
    made = wrong(id_, problem)
    assert made.is_applicable
    assert made.is_same
    assert made.effect == effect
    assert np.array_equal(made.weights, attend(problem).weights) or made.stages


def test_given_weights_lack_what_most_mistakes_need():
    right = attend(Problem(Weights([[0.25, 0.75]], [[1.0], [2.0]])))
    made = [compute_wrongly(mistake, right) for mistake in MISTAKES]
    assert [each.mistake.id for each in made if each.is_applicable] == ["double_softmax", "no_values"]
    assert all(each.effect.startswith("not applicable: ") for each in made if not each.is_applicable)
    assert all(each.weights is None for each in made if not each.is_applicable)


def test_the_effect_shows_digits_that_differ():
    near = wrong("unscaled", Problem(Scores([[0.0, 1e-6]]), scale=0.5))
    texts = near.effect.split("weight ")[1].split(" instead of ")
    assert texts[0] != texts[1]


def test_a_row_with_an_overflow_stays_without_numbers():
    problem = replace(CAUSAL, source=QKV([[1e200, 0.0], [1.0, 0.0]], [[-1e200, 0.0], [1.0, 0.0]], V))
    for mistake in MISTAKES:
        made = compute_wrongly(mistake, attend(problem))
        if made.is_applicable and mistake.id not in ("ktq", "mask_reversed", "column_softmax"):
            assert np.isnan(made.weights[0]).all() or made.weights[0, 1] == 0, mistake.id


@st.composite
def problems(draw):
    n_q, n_k, d = (draw(st.integers(1, 4)) for _ in range(3))
    cell = st.one_of(st.integers(-3, 3).map(float), st.floats(-1e3, 1e3), st.sampled_from([1e200, -1e308, 5e-324]))

    def matrix(rows, columns):
        return draw(st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=rows, max_size=rows))

    kind = draw(st.sampled_from(["qkv", "projection", "scores", "weights"]))
    mask = draw(st.sampled_from([Mask(), Mask("causal"), Mask("causal", align="end"), Mask("window", left=0, right=1)]))
    v = draw(st.booleans())
    if kind == "projection":
        source = Projection(matrix(n_q, d), matrix(d, 2), matrix(d, 2), matrix(d, 2) if v else None)
    elif kind == "qkv":
        source = QKV(matrix(n_q, d), matrix(n_k, d), matrix(n_k, 2) if v else None)
    else:
        source = (Scores if kind == "scores" else Weights)(matrix(n_q, n_k), matrix(n_k, 2) if v else None)
    beta = draw(st.sampled_from([1.0, 0.0, -1.0, 30.0, math.inf, -math.inf]))
    return Problem(source, draw(st.sampled_from([1.0, 3.0])), beta, 0.0, mask, None, draw(st.sampled_from([0.0, 2.0])))


@given(problems(), st.sampled_from(MISTAKES))
def test_any_mistake_can_be_made_on_any_problem(problem, mistake):
    right = attend(problem)
    made = compute_wrongly(mistake, right)
    if not made.is_applicable:
        assert made.effect.startswith("not applicable: ")
        return
    assert made.effect
    assert made.weights.shape == right.weights.shape
    assert (made.output is None) == (right.output is None)
    assert made.is_same == made.effect.startswith("same as right")
    if made.is_same:
        assert np.allclose(made.weights, right.weights, equal_nan=True)
    else:
        assert "instead of" in made.effect
