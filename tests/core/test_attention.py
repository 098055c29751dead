"""Every stage is what its definition says, from each of the four sources."""

import math
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=60, deadline=None, database=None)
MATRICES = ("q", "k", "v", "scores", "scaled", "masked", "logits", "exponentials", "weights", "output", "allowed")
STAGES = (*MATRICES, "row_sums", "entropy")
CELLS = st.floats(-4, 4)


def grid(rows, columns, elements=CELLS):
    return hnp.arrays(float, (rows, columns), elements=elements)


def scored(*rows, **dials):
    """The attention of typed scores, divided by 1 unless told otherwise."""
    return attend(Problem(Scores(rows), **{"scale": 1, **dials}))


def by_hand(q, k, v, *, scale, softcap, bias, allowed, beta, shift):
    """Scaled, masked, logits, weights and output in plain loops, in the order of the formula."""
    scaled = [[sum(a * b for a, b in zip(row, key, strict=True)) / scale for key in k] for row in q]
    capped = [[softcap * math.tanh(s / softcap) if softcap else s for s in row] for row in scaled]
    masked = [[capped[i][j] + bias[i][j] if allowed[i][j] else -math.inf for j in range(len(k))] for i in range(len(q))]
    logits = [[beta * m + shift if m > -math.inf else m for m in row] for row in masked]
    weights = []
    for row in logits:
        e = [math.exp(cell) for cell in row]
        weights.append([cell / sum(e) if sum(e) else 0.0 for cell in e])
    output = [[sum(w * value[c] for w, value in zip(row, v, strict=True)) for c in range(len(v[0]))] for row in weights]
    return {"scaled": scaled, "masked": masked, "logits": logits, "weights": weights, "output": output}


@QUICK
@given(
    q=grid(3, 2), k=grid(4, 2), v=grid(4, 2), bias=grid(3, 4), allowed=hnp.arrays(bool, (3, 4)),
    softcap=st.sampled_from([0, 0.5, 3]), beta=st.sampled_from([-2, 0, 0.5, 1, 3]), shift=st.sampled_from([0, -2, 5]),
    scale=st.sampled_from(["sqrt_dk", 1, 0.7]),
)  # fmt: skip
def test_softcap_bias_mask_beta_and_shift_come_in_the_order_of_the_formula(
    q, k, v, bias, allowed, softcap, beta, shift, scale
):
    problem = Problem(
        QKV(q, k, v), bias=bias, mask=Mask("custom", allowed=allowed), softcap=softcap, beta=beta, shift=shift,
        scale=scale,
    )  # fmt: skip
    ours = attend(problem)
    divisor = math.sqrt(2) if scale == "sqrt_dk" else scale
    reference = by_hand(
        q.tolist(), k.tolist(), v.tolist(), scale=divisor, softcap=softcap, bias=bias, allowed=allowed, beta=beta,
        shift=shift,
    )  # fmt: skip
    for name, stage in reference.items():
        np.testing.assert_allclose(getattr(ours, name), stage, rtol=1e-12, atol=1e-12, err_msg=name)


def test_order_on_one_cell_with_every_dial_turned():
    # (6 / 2) capped at 2, plus 1, times 3, plus 5; any other order gives another number.
    attention = scored([6, 0], scale=2, softcap=2, bias=[[1, 0]], beta=3, shift=5)
    assert attention.scaled.tolist() == [[3, 0]]
    assert attention.masked[0, 0] == pytest.approx(2 * math.tanh(1.5) + 1)
    assert attention.logits[0, 0] == pytest.approx(3 * (2 * math.tanh(1.5) + 1) + 5)
    assert attention.weights[0, 0] == pytest.approx(1 / (1 + math.exp(-3 * (2 * math.tanh(1.5) + 1))))


def test_stages_of_a_worked_example():
    attention = attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1], [1, 1]], [[2, 0], [0, 2], [2, 1]])))
    assert attention.scores.tolist() == [[1, 0, 1]]
    root = math.exp(1 / math.sqrt(2))
    np.testing.assert_allclose(attention.exponentials, [[root, 1, root]], rtol=1e-15)
    np.testing.assert_allclose(attention.row_sums, [2 * root + 1], rtol=1e-15)
    np.testing.assert_allclose(attention.weights, [[0.40111, 0.19778, 0.40111]], atol=5e-6)
    np.testing.assert_allclose(attention.output, [[1.60445, 0.79666]], atol=5e-6)
    assert attention.status == ("ok",)


def test_stages_that_share_a_grid_have_its_shape_and_are_float64():
    attention = attend(Problem(QKV(np.ones((2, 3)), np.ones((4, 3)), np.ones((4, 5)))))
    for name in ("scores", "scaled", "masked", "logits", "exponentials", "weights"):
        assert getattr(attention, name).shape == (2, 4)
        assert getattr(attention, name).dtype == np.float64
    assert (attention.allowed.shape, attention.allowed.dtype) == ((2, 4), np.bool_)
    assert attention.output.shape == (2, 5)
    assert attention.row_sums.shape == attention.entropy.shape == (2,)


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_is_read_only(stage):
    array = getattr(attend(Problem(QKV(np.eye(2), np.eye(2), np.eye(2)))), stage)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0


def test_the_result_cannot_be_rebound_and_names_its_faults_for_good():
    attention = scored([1, np.nan])
    with pytest.raises(FrozenInstanceError):
        attention.weights = None
    with pytest.raises(TypeError):
        attention.faults[0] = (1, "is fine")


def test_without_values_there_is_no_output():
    attention = attend(Problem(QKV(np.eye(2), np.eye(2))))
    assert attention.v is None
    assert attention.output is None


@QUICK
@given(x=grid(3, 2), w_q=grid(2, 2), w_k=grid(2, 2), w_v=grid(2, 1))
def test_projection_multiplies_the_tokens_by_each_matrix(x, w_q, w_k, w_v):
    attention = attend(Problem(Projection(x, w_q, w_k, w_v)))
    for stage, matrix in (("q", w_q), ("k", w_k), ("v", w_v)):
        np.testing.assert_allclose(getattr(attention, stage), x @ matrix, rtol=1e-14, atol=1e-14)
    same = attend(Problem(QKV(attention.q, attention.k, attention.v)))
    assert np.array_equal(attention.weights, same.weights)
    assert np.array_equal(attention.output, same.output)


@QUICK
@given(x=grid(2, 2), memory=grid(4, 3), w_q=grid(2, 2), w_k=grid(3, 2), w_v=st.none() | grid(3, 1))
def test_memory_gives_keys_and_values_and_leaves_the_queries(x, memory, w_q, w_k, w_v):
    attention = attend(Problem(Projection(x, w_q, w_k, w_v, memory)))
    np.testing.assert_allclose(attention.q, x @ w_q, rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(attention.k, memory @ w_k, rtol=1e-14, atol=1e-14)
    assert attention.weights.shape == (2, 4)
    if w_v is None:
        assert attention.v is attention.output is None
    else:
        np.testing.assert_allclose(attention.v, memory @ w_v, rtol=1e-14, atol=1e-14)


def test_typed_scores_have_no_stage_above_them():
    attention = scored([1, 2])
    assert attention.q is attention.k is attention.v is None
    assert attention.scores.tolist() == [[1, 2]]


@QUICK
@given(q=grid(2, 3), k=grid(4, 3), v=grid(4, 2), beta=st.floats(-3, 3))
def test_typing_the_scores_of_a_problem_gives_its_weights(q, k, v, beta):
    whole = attend(Problem(QKV(q, k, v), beta=beta))
    typed = attend(Problem(Scores(whole.scores, v, d_k=3), beta=beta))
    assert np.array_equal(whole.weights, typed.weights)
    assert np.array_equal(whole.output, typed.output)


@QUICK
@given(q=grid(3, 2), k=grid(4, 2), v=grid(4, 2), order=st.permutations(range(4)), beta=st.floats(-3, 3))
def test_reordering_keys_with_their_values_leaves_the_output(q, k, v, order, beta):
    output = attend(Problem(QKV(q, k, v), beta=beta)).output
    reordered = attend(Problem(QKV(q, k[order], v[order]), beta=beta)).output
    np.testing.assert_allclose(reordered, output, rtol=1e-12, atol=1e-13)


@QUICK
@given(q=grid(3, 2), k=grid(4, 2), v=grid(4, 2), order=st.permutations(range(3)))
def test_reordering_queries_reorders_the_rows_exactly(q, k, v, order):
    assert np.array_equal(attend(Problem(QKV(q[order], k, v))).output, attend(Problem(QKV(q, k, v))).output[order])


@QUICK
@given(scores=grid(2, 4, st.floats(-300, 300)), shift=st.floats(-1e6, 1e6))
def test_shift_moves_the_logits_and_never_the_weights(scores, shift):
    still, moved = scored(*scores), scored(*scores, shift=shift)
    assert np.array_equal(still.weights, moved.weights)
    np.testing.assert_allclose(moved.logits, still.logits + shift, rtol=1e-15)


@QUICK
@given(q=grid(3, 2), k=grid(3, 2), v=grid(3, 2, st.floats(-1e300, 1e300)))
def test_output_stays_between_the_smallest_and_largest_value(q, k, v):
    output = attend(Problem(QKV(q, k, v))).output
    slack = 1e-14 * np.abs(v).max() + 1e-300  # a share of the smallest numbers rounds to 0
    assert (output >= v.min(axis=0) - slack).all()
    assert (output <= v.max(axis=0) + slack).all()


class TestGivenWeights:
    def test_are_used_as_typed_and_never_softmaxed(self):
        attention = attend(Problem(Weights([[0.2, 0.9], [3, -1]], [[1], [10]])))
        assert attention.weights.tolist() == [[0.2, 0.9], [3, -1]]
        assert attention.output.tolist() == [[0.2 + 9], [3 - 10]]

    def test_have_no_stage_above_them(self):
        attention = attend(Problem(Weights([[0.2, 0.8]])))
        for stage in ("q", "k", "scores", "scaled", "masked", "logits", "exponentials", "row_sums"):
            assert getattr(attention, stage) is None

    def test_ignore_every_dial_and_keep_it(self):
        plain = Problem(Weights([[0.2, 0.8]], [[1], [2]]))
        turned = replace(
            plain, scale=3, beta=math.inf, shift=9, softcap=2, bias=[[-np.inf, 1]], mask=Mask("padding", keys=[0, 1])
        )
        attention = attend(turned)
        assert np.array_equal(attention.weights, attend(plain).weights)
        assert np.array_equal(attention.output, attend(plain).output)
        assert attention.allowed.all()
        assert attention.problem.beta == math.inf

    def test_a_negative_cell_leaves_the_output_and_no_entropy(self):
        attention = attend(Problem(Weights([[1.5, -0.5], [0.5, 0.5]], [[2], [4]])))
        assert np.array_equal(attention.entropy, [np.nan, math.log(2)], equal_nan=True)
        assert attention.output.tolist() == [[1], [3]]
        assert attention.status == ("ok", "ok")

    @pytest.mark.parametrize("cell", [np.nan, np.inf, -np.inf])
    def test_a_cell_that_is_no_finite_number_makes_its_row_invalid_and_is_named(self, cell):
        attention = attend(Problem(Weights([[0.5, cell], [0.25, 0.75]], [[1], [2]])))
        assert attention.status == ("invalid", "ok")
        assert attention.faults[0][0] == 1
        assert np.isnan(attention.weights[0]).all()
        assert np.isnan(attention.output[0]).all()
        assert attention.weights[1].tolist() == [0.25, 0.75]
        assert attention.output[1].tolist() == [1.75]

    def test_of_any_finite_size_raise_no_warning(self):
        attention = attend(Problem(Weights([[1e308, 1e308]], [[10], [10]])))
        assert attention.status == ("ok",)
        assert attention.output.tolist() == [[np.inf]]


LARGEST = np.finfo(float).max


@pytest.mark.parametrize(
    ("scores", "v", "output"),
    [
        ([[0.0] * 5], [[LARGEST]] * 5, [[LARGEST]]),
        ([[0.0] * 5], [[-LARGEST]] * 5, [[-LARGEST]]),
        ([[0.0] * 4], [[LARGEST]] * 3 + [[-LARGEST]], [[LARGEST / 2]]),
        ([[1.0, 2.0, -math.inf]], [[LARGEST], [LARGEST], [math.nan]], [[LARGEST]]),
    ],
)
def test_a_blend_of_the_largest_numbers_stays_among_them(scores, v, output):
    assert attend(Problem(Scores(scores, v), scale=1.0)).output == pytest.approx(np.array(output), rel=1e-15)


def test_an_invalid_row_beside_it_does_not_mind():
    attention = attend(Problem(Scores([[math.nan, 0.0], [0.0, 1.0]], [[LARGEST], [LARGEST]]), scale=1.0))
    assert np.isnan(attention.output[0, 0])
    assert attention.output[1, 0] == pytest.approx(LARGEST, rel=1e-15)


def test_given_weights_that_are_no_shares_may_overflow():
    assert attend(Problem(Weights([[1.0, 1.0]], [[LARGEST], [LARGEST]]))).output.tolist() == [[math.inf]]
