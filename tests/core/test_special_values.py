"""Hidden, empty, infinite and undefined cells do what is promised and touch nothing else."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Scores

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=60, deadline=None, database=None)
SHOWN = ("scaled", "masked", "logits", "exponentials", "row_sums")
NAN_WHEN_INVALID = ("exponentials", "row_sums", "weights", "output", "entropy")
BETAS = [0, 1, -1, 2.5, math.inf, -math.inf]
JUNK = st.sampled_from([np.nan, np.inf, 1e300, -1e300, 1.7e308])


def look(problem):
    """The attention, every stage of it computed."""
    attention = attend(problem)
    for stage in SHOWN:
        getattr(attention, stage)
    return attention


def scored(*rows, values=None, **dials):
    return look(Problem(Scores(rows, values), **{"scale": 1, **dials}))


def custom(*rows):
    return Mask("custom", allowed=rows)


class TestTable:
    """The special values, line by line."""

    def test_typed_minus_infinity_at_beta_0(self):
        assert scored([2, 3, -np.inf], beta=0).weights.tolist() == [[0.5, 0.5, 0]]

    def test_typed_minus_infinity_at_beta_minus_1(self):
        weights = scored([2, 3, -np.inf], beta=-1).weights
        np.testing.assert_allclose(weights, [[1 / (1 + math.exp(-1)), 1 / (1 + math.e), 0]], rtol=1e-15)

    @pytest.mark.parametrize("junk", [1e300, -1e300, np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("beta", BETAS)
    def test_a_hidden_cell_is_like_any_hidden_cell(self, junk, beta):
        mask = custom([True, False, True])
        soiled, clean = scored([1, junk, 2], beta=beta, mask=mask), scored([1, 0, 2], beta=beta, mask=mask)
        for stage in ("masked", "logits", "exponentials", "row_sums", "weights", "entropy"):
            ours, theirs = getattr(soiled, stage), getattr(clean, stage)
            assert (ours is theirs is None) or np.array_equal(ours, theirs)
        assert soiled.status == ("ok",)

    def test_scores_at_both_ends_of_the_range(self):
        assert scored([1e308, -1e308]).weights.tolist() == [[1, 0]]
        weights = scored([1e308, -1e308], beta=1e-308).weights
        np.testing.assert_allclose(weights, [[0.8807970779778823, 0.11920292202211757]], rtol=1e-14)

    @pytest.mark.parametrize("bad", [np.nan, np.inf])
    def test_an_allowed_nan_or_infinity_makes_only_its_row_invalid(self, bad):
        attention = scored([1, 2], [bad, 0], [3, 3])
        assert attention.status == ("ok", "invalid", "ok")
        assert attention.faults.keys() == {1}
        assert attention.faults[1][0] == 0

    @pytest.mark.parametrize("beta", BETAS)
    def test_all_hidden_is_zeros_and_empty(self, beta):
        attention = scored([1, 2], values=[[5], [6]], beta=beta, mask=custom([False, False]))
        assert attention.status == ("empty",)
        assert attention.weights.tolist() == [[0, 0]]
        assert attention.output.tolist() == [[0]]

    @pytest.mark.parametrize("beta", BETAS)
    def test_no_keys_is_an_empty_grid_of_empty_rows(self, beta):
        attention = look(Problem(QKV(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 4))), beta=beta))
        assert attention.weights.shape == (2, 0)
        assert attention.output.tolist() == [[0] * 4] * 2
        assert attention.status == ("empty", "empty")
        assert np.isnan(attention.entropy).all()

    @pytest.mark.parametrize("beta", BETAS)
    def test_no_queries_is_an_empty_grid(self, beta):
        attention = look(Problem(QKV(np.ones((0, 3)), np.ones((2, 3)), np.ones((2, 4))), beta=beta))
        assert (attention.weights.shape, attention.output.shape, attention.status) == ((0, 2), (0, 4), ())

    def test_d_k_0_is_scores_0_and_uniform(self):
        attention = look(Problem(QKV(np.ones((2, 0)), np.ones((3, 0)), np.eye(3))))
        assert attention.scores.tolist() == attention.scaled.tolist() == [[0] * 3] * 2
        assert attention.weights.tolist() == [[1 / 3] * 3] * 2

    def test_the_smallest_score_under_extreme_dials(self):
        weights = scored([5e-324, 0], beta=1e308, scale=1e-16).weights
        np.testing.assert_allclose(weights, [[0.99290085, 0.00709915]], rtol=1e-6)

    def test_large_scores_whose_exponentials_overflow(self):
        attention = scored([927, 397, 148, 929])
        assert attention.exponentials.tolist() == [[np.inf, math.exp(397), math.exp(148), np.inf]]
        assert attention.row_sums.tolist() == [np.inf]
        expected = [[1 / (1 + math.exp(2)), math.exp(-532) / (1 + math.exp(-2)), 0, 1 / (1 + math.exp(-2))]]
        np.testing.assert_allclose(attention.weights, expected, rtol=4e-13, atol=1e-320)


class TestTypedMinusInfinity:
    """A typed -inf hides its cell; a computed one does not."""

    def test_in_scores_shows_in_every_stage_and_stays_as_typed(self):
        attention = scored([2, -np.inf], beta=-3, shift=1)
        assert attention.allowed.tolist() == [[True, False]]
        for stage in ("scores", "scaled", "masked", "logits"):
            assert getattr(attention, stage)[0, 1] == -np.inf
        assert attention.exponentials[0, 1] == 0
        assert attention.problem.mask.kind == "none"

    def test_in_bias_hides_whatever_the_score_is(self):
        attention = look(Problem(QKV([[1]], [[np.nan], [2]]), bias=[[-np.inf, 0]]))
        assert attention.allowed.tolist() == [[False, True]]
        assert attention.masked[0, 0] == -np.inf
        assert attention.weights.tolist() == [[0, 1]]

    def test_everywhere_in_a_row_empties_it(self):
        assert scored([-np.inf, -np.inf]).status == ("empty",)

    def test_and_the_mask_hide_together(self):
        attention = scored([1, 2, -np.inf], mask=custom([False, True, True]))
        assert attention.allowed.tolist() == [[False, True, False]]

    @pytest.mark.parametrize("beta", BETAS)
    def test_computed_by_q_k_makes_the_row_invalid_and_is_named(self, beta):
        attention = look(Problem(QKV([[1e200], [1]], [[1], [-1e200]], [[1], [2]]), beta=beta))
        assert attention.status == ("invalid", "ok")
        assert attention.faults[0][0] == 1
        assert "overflow" in attention.faults[0][1]
        assert attention.allowed.all()

    @pytest.mark.parametrize("beta", BETAS)
    def test_computed_by_the_scale_makes_the_row_invalid_and_is_named(self, beta):
        attention = scored([1, -1e308], [1, 2], scale=0.01, beta=beta)
        assert attention.status == ("invalid", "ok")
        assert attention.faults[0][0] == 1
        assert "overflow" in attention.faults[0][1]

    @pytest.mark.parametrize("dials", [{"softcap": 2}, {"bias": [[1, 1]]}, {"softcap": 2, "bias": [[1, 1]]}])
    def test_computed_is_not_healed_by_softcap_or_bias(self, dials):
        attention = look(Problem(QKV([[1e200]], [[1e200], [1]]), **dials))
        assert attention.status == ("invalid",)
        assert attention.faults[0][0] == 0

    def test_computed_in_a_hidden_cell_does_not_matter(self):
        attention = look(Problem(QKV([[1e200]], [[1e200], [0]]), mask=custom([False, True])))
        assert attention.status == ("ok",)
        assert attention.weights.tolist() == [[0, 1]]


class TestInvalidRows:
    """NaN and +inf among the allowed cells."""

    @pytest.mark.parametrize("beta", BETAS)
    def test_nan_is_checked_first_at_every_beta(self, beta):
        attention = scored([1, 2, np.nan], [1, 2, 3], values=np.eye(3), beta=beta)
        assert attention.status == ("invalid", "ok")
        assert attention.faults[0][0] == 2
        for stage in NAN_WHEN_INVALID:
            array = getattr(attention, stage)
            if array is not None:
                assert np.isnan(array[0]).all(), stage
                assert not np.isnan(array[1]).any(), stage

    @pytest.mark.parametrize(
        ("beta", "row", "weights"),
        [
            (math.inf, [1, np.inf, np.inf], [0, 0.5, 0.5]),
            (math.inf, [np.inf, 3], [1, 0]),
            (-math.inf, [4, np.inf, 3], [0, 0, 1]),
            (-math.inf, [np.inf, np.inf], [0.5, 0.5]),
        ],
    )
    def test_typed_infinity_wins_and_loses_only_at_infinite_beta(self, beta, row, weights):
        attention = scored(row, beta=beta)
        assert (attention.status, attention.weights.tolist()) == (("ok",), [weights])
        for finite in (0, 1, -1):
            assert scored(row, beta=finite).status == ("invalid",)

    @QUICK
    @given(scores=hnp.arrays(float, (3, 4), elements=st.floats(-9, 9)), bad=st.sampled_from([np.nan, np.inf, 1e300]),
           beta=st.sampled_from(BETAS), hide=st.booleans())  # fmt: skip
    def test_invalid_and_empty_rows_touch_no_other(self, scores, bad, beta, hide):
        allowed = np.ones((3, 4), dtype=bool)
        allowed[1] = not hide
        broken = scores.copy()
        broken[1, 2] = bad
        values = np.arange(8.0).reshape(4, 2)
        ours = scored(*broken, values=values, beta=beta, mask=Mask("custom", allowed=allowed))
        clean = scored(*scores, values=values, beta=beta)
        for stage in NAN_WHEN_INVALID:
            if getattr(ours, stage) is not None:
                assert np.array_equal(getattr(ours, stage)[[0, 2]], getattr(clean, stage)[[0, 2]])


class TestEmptyRows:
    """A row without an allowed key."""

    def test_every_stage(self):
        attention = scored([1, 2], [1, 2], values=[[1], [2]], mask=custom([False, False], [True, True]), beta=-1)
        assert attention.status == ("empty", "ok")
        assert attention.logits[0].tolist() == [-np.inf, -np.inf]
        assert attention.exponentials[0].tolist() == attention.weights[0].tolist() == [0, 0]
        assert attention.row_sums[0] == attention.output[0, 0] == 0
        assert np.isnan(attention.entropy[0])
        assert not attention.faults

    def test_holding_nan_is_empty_and_not_invalid(self):
        assert scored([np.nan, np.inf], mask=custom([False, False])).status == ("empty",)


class TestValues:
    """Value rows of weight 0."""

    @pytest.mark.parametrize("junk", [np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("scores", [[1, 2, -np.inf], [1000, 1000, 0]])
    def test_never_reach_the_output(self, junk, scores):
        attention = scored(scores, values=[[1], [3], [junk]])
        clean = scored(scores, values=[[1], [3], [0]])
        assert np.array_equal(attention.output, clean.output)

    @QUICK
    @given(junk=JUNK, keys=st.lists(st.booleans(), min_size=4, max_size=4).filter(any), beta=st.sampled_from(BETAS))
    def test_hidden_keys_may_hold_anything_in_k_and_v(self, junk, keys, beta):
        q, k = np.arange(6.0).reshape(3, 2) / 3, np.arange(8.0).reshape(4, 2) / 5
        v, hidden = np.arange(8.0).reshape(4, 2), ~np.array(keys)
        clean = look(Problem(QKV(q, k, v), mask=Mask("padding", keys=keys), beta=beta))
        k[hidden], v[hidden] = junk, junk
        soiled = look(Problem(QKV(q, k, v), mask=Mask("padding", keys=keys), beta=beta))
        assert np.array_equal(soiled.weights, clean.weights)
        np.testing.assert_allclose(soiled.output, clean.output, rtol=1e-14)
        assert soiled.status == ("ok",) * 3

    def test_a_used_value_that_is_infinite_reaches_only_its_column_and_its_queries(self):
        attention = scored([1, 2], [-np.inf, 0], values=[[np.inf, 1], [2, 3]])
        assert attention.output[0, 0] == np.inf
        assert np.isfinite(attention.output[0, 1])
        assert attention.output[1].tolist() == [2, 3]


class TestDials:
    """Beta at its limits."""

    def test_beta_0_shows_the_shift_and_shares_equally(self):
        attention = scored([5, -7, 2], beta=0, shift=3, mask=custom([True, True, False]))
        assert attention.logits.tolist() == [[3, 3, -np.inf]]
        assert attention.weights.tolist() == [[0.5, 0.5, 0]]
        assert attention.entropy.tolist() == [math.log(2)]

    @pytest.mark.parametrize("beta", [math.inf, -math.inf])
    def test_infinite_beta_has_no_logits(self, beta):
        attention = scored([1, 2, 2, 1], beta=beta)
        assert attention.logits is attention.exponentials is attention.row_sums is None
        assert attention.weights.tolist() == [[0, 0.5, 0.5, 0] if beta > 0 else [0.5, 0, 0, 0.5]]
        assert attention.entropy.tolist() == [math.log(2)]

    def test_products_apart_by_rounding_are_tied_and_said_to_be(self):
        # 0.1 * 3 and 0.3 differ in the last digit.
        attention = look(Problem(QKV([[1, 1, 1], [1, 0, 0]], [[0.1] * 3, [0.3, 0, 0]]), beta=math.inf))
        assert attention.scores[0, 0] != attention.scores[0, 1]
        assert attention.weights.tolist() == [[0.5, 0.5], [0, 1]]
        assert attention.tied_by_rounding == (0,)

    @pytest.mark.parametrize("dials", [{"scale": 3}, {"bias": [[0, 0]], "scale": 1}, {"bias": [[7, 7]], "softcap": 2}])
    @pytest.mark.parametrize("beta", [math.inf, -math.inf])
    def test_scale_bias_and_softcap_leave_the_tie(self, dials, beta):
        attention = look(Problem(QKV([[1, 1, 1]], [[0.1] * 3, [0.3, 0, 0]]), beta=beta, **dials))
        assert attention.weights.tolist() == [[0.5, 0.5]]

    @pytest.mark.parametrize("cell", [0.3, 0.7])
    def test_the_coarser_of_two_products_says_how_far_apart_a_tie_may_be(self, cell):
        # Beside 1e8 the cell is rounded, 0.3 down and 0.7 up: either product may be the one that seems larger.
        attention = look(Problem(QKV([[1, 1, 1]], [[cell, 1e8, -1e8], [cell, 0, 0]]), beta=math.inf))
        assert attention.weights.tolist() == [[0.5, 0.5]]

    def test_typed_scores_compare_exactly(self):
        attention = scored([0.1 + 0.1 + 0.1, 0.3], beta=math.inf)
        assert attention.weights.tolist() == [[1, 0]]
        assert attention.tied_by_rounding == ()

    def test_large_products_that_differ_are_not_tied(self):
        # |q||k| sums to more than a float64 holds, its rounding does not.
        attention = look(Problem(QKV([[1e308, 1e308]], [[1, -1], [0.5, -0.1]]), beta=math.inf))
        assert attention.weights.tolist() == [[0, 1]]

    def test_logits_may_overflow_while_weights_stay_right(self):
        attention = scored([1e300, -1e300], beta=1e300, shift=1)
        assert attention.logits.tolist() == [[np.inf, -np.inf]]
        assert attention.weights.tolist() == [[1, 0]]
        assert attention.allowed.all()

    def test_shift_beyond_710_overflows_only_the_exponentials(self):
        attention = scored([1, 2], shift=710)
        assert attention.exponentials.tolist() == [[np.inf, np.inf]]
        np.testing.assert_allclose(attention.weights, [[1 / (1 + math.e), 1 / (1 + math.exp(-1))]], rtol=1e-15)
        below = scored([1, 2], shift=-800)
        assert below.exponentials.tolist() == [[0, 0]]
        assert np.array_equal(below.weights, attention.weights)


class TestLargestNumbers:
    """At beta = +-inf rounding decides ties, and must not overflow into ties that are none."""

    LARGEST = -1.7976931348623157e308

    @pytest.mark.parametrize(
        ("scores", "bias", "beta", "weights"),
        [
            ([[1, 2, 3]], [[0, 0, LARGEST]], np.inf, [[0, 1, 0]]),
            ([[1, 2]], [[0, 1e308]], -np.inf, [[1, 0]]),
        ],
    )
    def test_a_large_negative_bias_wins_no_tie(
        self, scores: list[list[float]], bias: list[list[float]], beta: float, weights: list[list[float]]
    ) -> None:
        problem = Problem(Scores(np.array(scores, float)), scale=1.0, beta=beta, bias=np.array(bias, float))
        assert attend(problem).weights.tolist() == weights

    def test_nor_do_large_products(self) -> None:
        problem = Problem(
            QKV(np.array([[1e154]]), np.array([[1e154], [1.0]])), scale=1.0, beta=np.inf, bias=np.zeros((1, 2))
        )
        assert attend(problem).weights.tolist() == [[1, 0]]

    @pytest.mark.parametrize(("beta", "weights"), [(np.inf, [[1, 0]]), (-np.inf, [[0, 1]])])
    def test_a_computed_infinity_wins_or_loses_like_a_typed_one(self, beta: float, weights: list[list[float]]) -> None:
        problem = Problem(QKV(np.array([[1e200]]), np.array([[1e200], [1.0]])), scale=1.0, beta=beta)
        found = attend(problem)
        assert (found.weights.tolist(), found.status) == (weights, ("ok",))

    @pytest.mark.parametrize(
        ("cap", "score", "beta"), [(1e305, 1e-20, 1e20), (1e100, 1e-300, 1e300), (50.0, 2e-308, 5e307)]
    )
    def test_a_softcap_keeps_small_scores(self, cap: float, score: float, beta: float) -> None:
        capped = attend(Problem(Scores(np.array([[score, 0.0]])), scale=1.0, beta=beta, softcap=cap))
        bare = attend(Problem(Scores(np.array([[score, 0.0]])), scale=1.0, beta=beta))
        np.testing.assert_allclose(capped.weights, bare.weights, rtol=1e-12)
