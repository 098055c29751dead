"""What is exact in fractions comes out exact, or as the nearest float64."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.core.attention import attend
from explorer.core.masks import MASKS, Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from tests.core.oracle import may_attend

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=100, deadline=None, database=None)
EIGHTHS = st.integers(-40, 40).map(lambda n: n / 8)
LIMITS = st.sampled_from([0, math.inf, -math.inf])


def grid(rows, columns, elements=EIGHTHS):
    return hnp.arrays(float, (rows, columns), elements=elements)


def fractions(matrix):
    return [[Fraction(cell) for cell in row] for row in np.asarray(matrix).tolist()]


def times(a, b):
    return [[sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in b] for row in a]


@st.composite
def masks(draw, n_q, n_k):
    kind = draw(st.sampled_from([kind for kind, _ in MASKS]))
    left, right = draw(st.none() | st.integers(0, 3)), draw(st.none() | st.integers(0, 3))
    keys = draw(st.none() | hnp.arrays(bool, n_k))
    return Mask(kind, draw(st.sampled_from(["start", "end"])), left, right, keys, draw(hnp.arrays(bool, (n_q, n_k))))


def shares(row, seen, beta):
    """The weights of one row at beta 0 or +-inf."""
    best = {0: None, math.inf: max, -math.inf: min}[beta]
    chosen = [j for j in seen if best is None or row[j] == best(row[k] for k in seen)]
    return [Fraction(j in chosen, len(chosen) or 1) for j in range(len(row))]


@QUICK
@given(
    q=grid(3, 4), k=grid(5, 4), bias=grid(3, 5), mask=masks(3, 5), beta=st.sampled_from([1, -0.5, 4]),
    shift=st.integers(-9, 9), scale=st.sampled_from(["sqrt_dk", 1, 0.25]),
)  # fmt: skip
def test_every_stage_before_the_exponential_is_exact(q, k, bias, mask, beta, shift, scale):
    ours = attend(Problem(QKV(q, k), scale=scale, bias=bias, mask=mask, beta=beta, shift=shift))
    scores = times(fractions(q), fractions(k))
    assert fractions(ours.scores) == scores
    divisor = 2 if scale == "sqrt_dk" else Fraction(scale)  # sqrt(4)
    for i, row in enumerate(scores):
        for j, score in enumerate(row):
            assert Fraction(ours.scaled[i, j]) == score / divisor
            if may_attend(mask, i, j, 3, 5):
                masked = score / divisor + Fraction(bias[i, j])
                assert Fraction(ours.masked[i, j]) == masked
                assert Fraction(ours.logits[i, j]) == Fraction(beta) * masked + shift
            else:
                assert ours.masked[i, j] == ours.logits[i, j] == -math.inf


@QUICK
@given(
    q=grid(3, 2, st.integers(-2, 2)), k=grid(4, 2, st.integers(-2, 2)), v=grid(4, 2), mask=masks(3, 4), beta=LIMITS,
    bias=st.none() | grid(3, 4, st.integers(-1, 1)), scale=st.sampled_from([1, 2, 0.125]),
)  # fmt: skip
def test_weights_at_beta_0_and_infinity_are_the_nearest_to_their_fractions(q, k, v, mask, beta, bias, scale):
    ours = attend(Problem(QKV(q, k, v), scale=scale, bias=bias, mask=mask, beta=beta))
    biases = [[0] * 4] * 3 if bias is None else fractions(bias)
    values = fractions(v)
    for i, scores in enumerate(times(fractions(q), fractions(k))):
        row = [score / Fraction(scale) + b for score, b in zip(scores, biases[i], strict=True)]
        exact = shares(row, [j for j in range(4) if may_attend(mask, i, j, 3, 4)], beta)
        assert ours.weights[i].tolist() == [float(weight) for weight in exact]
        for c in range(2):
            terms = [weight * value[c] for weight, value in zip(exact, values, strict=True)]
            # A share, each product and each sum are rounded once.
            rounding = (len(terms) + 1) * Fraction(1, 2**53) * sum(map(abs, terms))
            assert abs(Fraction(ours.output[i, c]) - sum(terms)) <= rounding
    assert ours.tied_by_rounding == ()


@QUICK
@given(x=grid(3, 2), w_q=grid(2, 1), w_k=grid(2, 1), w_v=grid(2, 2))
def test_projections_are_exact(x, w_q, w_k, w_v):
    ours = attend(Problem(Projection(x, w_q, w_k, w_v)))
    for stage, matrix in (("q", w_q), ("k", w_k), ("v", w_v)):
        assert fractions(getattr(ours, stage)) == times(fractions(x), fractions(matrix.T))
    scaled = times(fractions(ours.q), fractions(ours.k))  # divided by sqrt(1)
    assert fractions(ours.scaled) == scaled


@QUICK
@given(weights=grid(2, 3), v=grid(3, 2))
def test_given_weights_blend_exactly(weights, v):
    assert fractions(attend(Problem(Weights(weights, v))).output) == times(fractions(weights), fractions(v.T))


@pytest.mark.parametrize("n", [1, 2, 3, 5, 7, 49, 1000])
@pytest.mark.parametrize("beta", [0, 1, -3.7, math.inf])
def test_equal_scores_share_equally(n, beta):
    ours = attend(Problem(Scores([[1 / 3] * n], [[5.0]] * n), scale=0.7, beta=beta))
    assert ours.weights.tolist() == [[1 / n] * n]
    assert ours.entropy[0] == pytest.approx(math.log(n), rel=1e-14)
    assert ours.output[0, 0] == pytest.approx(5, rel=n * 2.0**-53)


@pytest.mark.parametrize("beta", [1, -1, 0.1])
def test_one_allowed_key_takes_everything(beta):
    keys = [False, True, False]
    ours = attend(
        Problem(Scores([[9, 0.1, -4]], [[1], [1 / 3], [7]]), scale=1, beta=beta, mask=Mask("padding", keys=keys))
    )
    assert ours.weights.tolist() == [[0, 1, 0]]
    assert ours.output.tolist() == [[1 / 3]]
    assert ours.entropy.tolist() == [0]


@QUICK
@given(scores=grid(1, 4), beta=st.floats(-2, 2))
def test_two_keys_of_one_score_have_one_weight(scores, beta):
    row = [*scores[0], scores[0, 0]]
    weights = attend(Problem(Scores([row]), scale=3, beta=beta)).weights[0]
    assert weights[0] == weights[-1]


class TestTies:
    """At beta = +-inf products apart by no more than their rounding are tied, and nothing else is."""

    def test_products_apart_by_rounding_are_tied_and_said_to_be(self):
        # 0.1 * 3 and 0.3 differ in the last digit.
        attention = attend(Problem(QKV([[1, 1, 1], [1, 0, 0]], [[0.1] * 3, [0.3, 0, 0]]), beta=math.inf))
        assert attention.scores[0, 0] != attention.scores[0, 1]
        assert attention.weights.tolist() == [[0.5, 0.5], [0, 1]]
        assert attention.tied_by_rounding == (0,)

    @pytest.mark.parametrize("dials", [{"scale": 3}, {"bias": [[0, 0]], "scale": 1}, {"bias": [[7, 7]], "softcap": 2}])
    @pytest.mark.parametrize("beta", [math.inf, -math.inf])
    def test_scale_bias_and_softcap_leave_the_tie(self, dials, beta):
        attention = attend(Problem(QKV([[1, 1, 1]], [[0.1] * 3, [0.3, 0, 0]]), beta=beta, **dials))
        assert attention.weights.tolist() == [[0.5, 0.5]]

    @pytest.mark.parametrize("cell", [0.3, 0.7])
    def test_the_coarser_of_two_products_says_how_far_apart_a_tie_may_be(self, cell):
        # Beside 1e8 the cell is rounded, 0.3 down and 0.7 up: either product may be the one that seems larger.
        attention = attend(Problem(QKV([[1, 1, 1]], [[cell, 1e8, -1e8], [cell, 0, 0]]), beta=math.inf))
        assert attention.weights.tolist() == [[0.5, 0.5]]

    @pytest.mark.parametrize(("units", "is_tied"), [(1, True), (6, True), (7, False)])
    def test_the_tolerance_is_d_k_plus_2_units_of_the_products(self, units, is_tied):
        # Products 1 and 1 + units * 2^-52; d_k = 4.
        k = [[1, 0, 0, 0], [1 + units * 2.0**-52, 0, 0, 0]]
        attention = attend(Problem(QKV([[1, 0, 0, 0]], k), beta=math.inf))
        assert attention.weights.tolist() == [[0.5, 0.5] if is_tied else [0, 1]]
        assert attention.tied_by_rounding == ((0,) if is_tied else ())

    def test_typed_scores_compare_exactly(self):
        attention = attend(Problem(Scores([[0.1 + 0.1 + 0.1, 0.3]]), scale=1, beta=math.inf))
        assert attention.weights.tolist() == [[1, 0]]
        assert attention.tied_by_rounding == ()

    def test_large_products_that_differ_are_not_tied(self):
        # |q||k| sums to more than a float64 holds, its rounding does not.
        attention = attend(Problem(QKV([[1e308, 1e308]], [[1, -1], [0.5, -0.1]]), beta=math.inf))
        assert attention.weights.tolist() == [[0, 1]]

    def test_nor_are_large_products_beside_a_bias(self):
        problem = Problem(QKV([[1e154]], [[1e154], [1]]), scale=1, beta=math.inf, bias=[[0, 0]])
        assert attend(problem).weights.tolist() == [[1, 0]]

    @pytest.mark.parametrize("scale", [1, "sqrt_dk"])
    def test_nor_is_a_capped_score_whose_large_product_has_a_large_rounding(self, scale):
        problem = Problem(QKV([[0, 1]], [[0, 1e200], [0, 0]]), softcap=2, beta=math.inf, scale=scale)
        attention = attend(problem)
        assert attention.masked.tolist() == [[2, 0]]
        assert attention.weights.tolist() == [[1, 0]]
        assert attention.tied_by_rounding == ()

    @pytest.mark.parametrize(
        ("scores", "bias", "beta", "weights"),
        [
            ([1, 2, 3], [0, 0, -1.7976931348623157e308], math.inf, [0, 1, 0]),
            ([1, 2], [0, 1e308], -math.inf, [1, 0]),
        ],
    )
    def test_a_large_bias_wins_no_tie(self, scores, bias, beta, weights):
        problem = Problem(Scores([scores]), scale=1, beta=beta, bias=[bias])
        assert attend(problem).weights.tolist() == [weights]

    @pytest.mark.parametrize(("beta", "weights"), [(math.inf, [1, 0]), (-math.inf, [0, 1])])
    def test_a_computed_infinity_wins_or_loses_like_a_typed_one(self, beta, weights):
        found = attend(Problem(QKV([[1e200]], [[1e200], [1]]), scale=1, beta=beta))
        assert (found.weights.tolist(), found.status) == ([weights], ("ok",))
