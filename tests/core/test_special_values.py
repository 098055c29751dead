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


def is_fine(attention):
    """Whether every row is ok and nothing in it infinite or undefined where people read on from it."""
    stages = [stage for stage in (attention.weights, attention.entropy, attention.output) if stage is not None]
    is_finite = all(np.isfinite(stage).all() for stage in stages)
    return is_finite and set(attention.status) <= {"ok"} and not attention.faults and not attention.tied_by_rounding


class TestTable:
    """The special values, line by line."""

    def test_typed_minus_infinity_at_beta_0(self):
        attention = scored([2, 3, -np.inf], beta=0)
        assert attention.weights.tolist() == [[0.5, 0.5, 0]]
        assert attention.logits.tolist() == [[0, 0, -np.inf]]
        assert attention.row_sums.tolist() == [2]
        assert is_fine(attention)

    def test_typed_minus_infinity_at_beta_minus_1(self):
        attention = scored([2, 3, -np.inf], beta=-1)
        np.testing.assert_allclose(attention.weights, [[1 / (1 + math.exp(-1)), 1 / (1 + math.e), 0]], rtol=1e-15)
        assert attention.weights.round(3).tolist() == [[0.731, 0.269, 0]]
        assert attention.logits.tolist() == [[-2, -3, -np.inf]]
        assert is_fine(attention)

    @pytest.mark.parametrize("junk", [1e300, -1e300, np.nan, np.inf, -np.inf])
    @pytest.mark.parametrize("beta", BETAS)
    def test_a_hidden_cell_is_like_any_hidden_cell(self, junk, beta):
        mask = custom([True, False, True])
        soiled, clean = scored([1, junk, 2], beta=beta, mask=mask), scored([1, 0, 2], beta=beta, mask=mask)
        for stage in ("masked", "logits", "exponentials", "row_sums", "weights", "entropy"):
            ours, theirs = getattr(soiled, stage), getattr(clean, stage)
            assert (ours is theirs is None) or np.array_equal(ours, theirs)
        assert is_fine(soiled)

    def test_scores_at_both_ends_of_the_range(self):
        attention = scored([1e308, -1e308])
        assert attention.weights.tolist() == [[1, 0]]
        assert attention.entropy.tolist() == [0]
        assert is_fine(attention)

    def test_scores_at_both_ends_of_the_range_with_a_beta_that_brings_them_back(self):
        attention = scored([1e308, -1e308], beta=1e-308)
        np.testing.assert_allclose(attention.weights, [[0.8807970779778823, 0.11920292202211757]], rtol=1e-14)
        assert is_fine(attention)

    @pytest.mark.parametrize(("bad", "what"), [(np.nan, "is not a number"), (np.inf, "is infinite")])
    @pytest.mark.parametrize("beta", [0, 1, -1])
    def test_an_allowed_infinity_or_nan_makes_only_its_row_invalid_and_is_named(self, bad, what, beta):
        attention = scored([1, 2], [3, bad], [3, 3], values=[[1], [2]], beta=beta)
        assert attention.status == ("ok", "invalid", "ok")
        assert attention.faults == {1: (1, what)}
        for stage in NAN_WHEN_INVALID:
            assert np.isnan(getattr(attention, stage)).reshape(3, -1).all(axis=1).tolist() == [False, True, False]

    @pytest.mark.parametrize("beta", BETAS)
    def test_all_hidden_is_zeros_and_empty(self, beta):
        attention = scored([1, 2], values=[[5], [6]], beta=beta, mask=custom([False, False]))
        assert (attention.status, attention.faults) == (("empty",), {})
        assert attention.weights.tolist() == [[0, 0]]
        assert attention.output.tolist() == [[0]]
        assert np.isnan(attention.entropy).all()

    @pytest.mark.parametrize("beta", BETAS)
    def test_no_keys_is_an_empty_grid_of_empty_rows(self, beta):
        attention = look(Problem(QKV(np.ones((2, 3)), np.ones((0, 3)), np.ones((0, 4))), beta=beta))
        assert attention.weights.shape == (2, 0)
        assert attention.output.tolist() == [[0] * 4] * 2
        assert (attention.status, attention.faults) == (("empty", "empty"), {})
        assert np.isnan(attention.entropy).all()

    @pytest.mark.parametrize("beta", BETAS)
    def test_no_queries_is_an_empty_grid(self, beta):
        attention = look(Problem(QKV(np.ones((0, 3)), np.ones((2, 3)), np.ones((2, 4))), beta=beta))
        assert (attention.weights.shape, attention.output.shape, attention.status) == ((0, 2), (0, 4), ())

    @pytest.mark.parametrize("beta", BETAS)
    def test_d_k_0_is_scores_0_and_uniform(self, beta):
        attention = look(Problem(QKV(np.ones((2, 0)), np.ones((3, 0)), np.eye(3)), beta=beta))
        assert attention.scores.tolist() == attention.scaled.tolist() == [[0] * 3] * 2
        assert attention.weights.tolist() == [[1 / 3] * 3] * 2
        assert is_fine(attention)

    def test_the_smallest_score_under_extreme_dials(self):
        attention = scored([5e-324, 0], beta=1e308, scale=1e-16)
        logit = 4.940656458412465  # 2^-1074 * 1e308 / 1e-16
        np.testing.assert_allclose(
            attention.weights, [[1 / (1 + math.exp(-logit)), 1 / (1 + math.exp(logit))]], rtol=1e-14
        )
        assert attention.weights.round(4).tolist() == [[0.9929, 0.0071]]
        assert is_fine(attention)

    def test_large_scores_whose_exponentials_overflow(self):
        attention = scored([927, 397, 148, 929])
        assert attention.exponentials.tolist() == [[np.inf, math.exp(397), math.exp(148), np.inf]]
        assert attention.row_sums.tolist() == [np.inf]
        expected = [[1 / (1 + math.exp(2)), math.exp(-532) / (1 + math.exp(-2)), 0, 1 / (1 + math.exp(-2))]]
        np.testing.assert_allclose(attention.weights, expected, rtol=4e-13, atol=1e-320)
        assert [f"{weight:.2g}" for weight in attention.weights[0]] == ["0.12", "7.9e-232", "0", "0.88"]
        assert is_fine(attention)


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

    @pytest.mark.parametrize(
        ("cap", "score", "beta"), [(1e305, 1e-20, 1e20), (1e100, 1e-300, 1e300), (50.0, 2e-308, 5e307)]
    )
    def test_a_softcap_keeps_small_scores(self, cap: float, score: float, beta: float) -> None:
        capped = attend(Problem(Scores(np.array([[score, 0.0]])), scale=1.0, beta=beta, softcap=cap))
        bare = attend(Problem(Scores(np.array([[score, 0.0]])), scale=1.0, beta=beta))
        np.testing.assert_allclose(capped.weights, bare.weights, rtol=1e-12)
