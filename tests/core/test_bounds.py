"""Weights, entropy and output keep the promised bounds, whatever the size of the numbers."""

import math
from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from mpmath import mp, mpf

from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.measures import effective_keys
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from tests.core.oracle import SMALLEST, exact_rows

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=100, deadline=None, database=None)
NORMAL = 2.3e-308  # from here on a float64 carries all its digits
LARGE, LARGE_WEIGHT, SMALL_WEIGHT = 1e-3, 1e-14, 4e-13  # relative error below the second from the first on, else third
ENTROPY = 4e-13
UNDERFLOW = SMALL_WEIGHT * NORMAL + SMALLEST


@dataclass
class Tally:
    """What a sweep compared, and the worst relative errors it saw beside the rounding in front of the softmax."""

    count: Counter = field(default_factory=Counter)
    worst: dict = field(default_factory=lambda: {"large": 0.0, "small": 0.0, "entropy": 0.0})

    def note(self, kind, error):
        self.count[kind] += 1
        self.worst[kind] = max(self.worst.get(kind, 0.0), float(error))


def bound(size):
    return LARGE_WEIGHT if size >= LARGE else SMALL_WEIGHT


def check(problem, tally=None):
    """Compare a problem's weights, entropy and output with the exact ones."""
    tally = Tally() if tally is None else tally
    ours = attend(problem)
    for i, row in enumerate(exact_rows(problem)):
        if row.is_doubtful or row.slack > 0.1:
            tally.count["left out"] += 1
            continue
        assert ours.status[i] == row.status
        assert ours.allowed[i].tolist() == row.allowed
        if row.status == "invalid":
            assert np.isnan(ours.weights[i]).all()
            continue
        more = mp.expm1(row.slack)
        check_weights(ours.weights[i].tolist(), row, more, tally)
        if row.entropy is not None:
            assert abs(math.fsum(ours.weights[i]) - 1) <= problem.n_k * 2.0**-52
            check_entropy(ours.entropy[i], row, more, tally)
        if row.output is not None:
            check_output(ours.output[i].tolist(), row, more)
    return tally


def check_weights(weights, row, more, tally):
    for got, want in zip(weights, row.weights, strict=True):
        off = abs(mpf(got) - want)
        assert off <= (bound(want) + more) * abs(want) + UNDERFLOW * (want != 0), (got, float(want))
        if want >= NORMAL and not row.slack:
            tally.note("large" if want >= LARGE else "small", off / want)
        tally.count["weights"] += 1


def check_entropy(entropy, row, more, tally):
    off = abs(mpf(float(entropy)) - row.entropy)
    # 1000 weights too small to be normal, each times a gap below 1000.
    assert off <= (ENTROPY + 8 * more) * row.entropy + 1e6 * UNDERFLOW, (entropy, float(row.entropy))
    if row.entropy > 1e-300 and not row.slack:
        tally.note("entropy", off / row.entropy)


def check_output(output, row, more):
    for got, cell in zip(output, row.output, strict=True):
        allowed_error = (SMALL_WEIGHT + more) * cell.size + cell.error
        if abs(cell.value) + allowed_error < 1.79e308:
            assert abs(mpf(got) - cell.value) <= allowed_error, (got, float(cell.value))


def magnitudes(random, shape, low, high):
    """Numbers of both signs whose exponents are spread evenly."""
    return random.choice([-1.0, 1.0], shape) * 10.0 ** random.uniform(low, high, shape)


def neighbours(random, shape):
    start = magnitudes(random, (), -300, 307)
    return start + np.spacing(start) * random.integers(-3, 4, shape)


SCORES = (
    lambda random, shape: magnitudes(random, shape, -320, 308),
    lambda random, shape: random.uniform(-1, 1, shape) * magnitudes(random, (), -310, 307),
    lambda random, shape: magnitudes(random, shape, -3, 3),
    lambda random, shape: random.uniform(-1, 1, shape) * 1.79e308,  # further apart than a float64 holds
    neighbours,
    lambda random, shape: 1e6 + random.uniform(-5, 5, shape),
    lambda random, shape: magnitudes(random, (), -300, 300) * random.integers(-2, 3, shape),
    lambda random, shape: random.choice(magnitudes(random, 3, -5, 300), shape),
)


def reaching(random, spread):
    """Beta and scale, each anywhere, such that a gap of twice the spread becomes 1e-3 to 700; else both at random."""
    if not spread or random.random() < 0.15:
        return float(magnitudes(random, (), -300, 300)), 10.0 ** random.uniform(-300, 300)
    ratio = random.uniform(-3, math.log10(700)) - math.log10(spread) - math.log10(2)
    exponent = random.uniform(max(-300, ratio - 300), min(300, ratio + 300))
    # What the scale overflows is an invalid row: leave few of them.
    if random.random() < 0.9:
        exponent = max(exponent, min(300, ratio + 1 + math.log10(spread) - 300))
    return random.choice([-1, 1]) * 10.0**exponent, 10.0 ** min(max(exponent - ratio, -300), 300)


def some_mask(random, n_q, n_k):
    kind = random.choice(["none", "causal", "window", "padding", "custom"])
    left, right = (None if random.random() < 0.3 else int(random.integers(0, n_k + 1)) for _ in range(2))
    keys = random.random(n_k) < 0.8 if random.random() < 0.6 else None
    allowed = random.random((n_q, n_k)) < 0.8
    return Mask(str(kind), str(random.choice(["start", "end"])), left, right, keys, allowed)


def some_scores(random):
    """A problem of typed scores without bias or softcap, at any magnitude; every kind of mask."""
    shape = n_q, n_k = int(random.integers(1, 7)), int(random.integers(1, 13))
    scores = SCORES[random.integers(len(SCORES))](random, shape)
    row = scores[random.integers(n_q)]
    beta, scale = reaching(random, float(np.ptp(row / 2)))
    mask = some_mask(random, n_q, n_k)
    scores = np.where(random.random(shape) < 0.05, -np.inf, scores)
    values = magnitudes(random, (n_k, 2), -5, 5) if random.random() < 0.3 else None
    return Problem(Scores(scores, values), beta=beta, scale=scale, mask=mask)


def some_source(random):
    n_q, n_k, d, d_v = (int(n) for n in random.integers(1, 6, 4))
    high = float(random.choice([1, 8, 60, 150]))
    low = float(random.choice([-high, -1]))

    def draw(*shape):
        if random.random() < 0.3:
            return magnitudes(random, (), low, high) * random.integers(-2, 3, shape)
        return magnitudes(random, shape, low, high)

    v = draw(n_k, d_v)
    kind = random.choice(["qkv", "qkv", "projection", "memory", "scores", "weights"])
    if kind == "qkv":
        return QKV(draw(n_q, d), draw(n_k, d), v)
    if kind == "scores":
        return Scores(draw(n_q, n_k), v, d)
    if kind == "weights":
        return Weights(draw(n_q, n_k), v)
    low, high = low / 2, high / 2
    memory = draw(n_k, d_v) if kind == "memory" else None
    width = d if memory is None else d_v
    return Projection(draw(n_q, d), draw(d, 3), draw(width, 3), draw(width, 2), memory)


def some_problem(random):
    """A problem of any source with any dials, whose gaps mostly come out neither 0 nor out of sight."""
    bare = Problem(some_source(random))
    scale = random.choice(["sqrt_dk", 1.0, 10.0 ** random.uniform(-8, 8), 10.0 ** random.uniform(-300, 300)])
    scale = scale if scale == "sqrt_dk" else float(scale)
    scaled = attend(replace(bare, scale=scale)).scaled
    size = 1.0 if scaled is None else float(np.max(np.abs(scaled), initial=0.0))
    size = size if 0 < size < math.inf else 1.0
    softcap = min(float(random.choice([0, 0, 1, size * 10.0 ** random.uniform(-3, 0), 1e300])), 1e300)
    size = min(softcap or size, size)
    bias = None
    if random.random() < 0.5:
        bias = magnitudes(random, bare.shape, -3, 3) * size * random.choice([1e-9, 1, 1, 1e3])
        bias = np.where(random.random(bare.shape) < 0.05, -np.inf, bias)
    beta = random.choice([0, 1, -1, math.inf, -math.inf, magnitudes(random, (), -300, 300), 2, -30, 300, -2])
    beta = beta / size if 1 < abs(beta) < 1e3 and size > 1e-300 else beta
    return replace(
        bare, scale=scale, beta=float(beta), shift=random.choice([0.0, 3.0, -800.0]),
        mask=some_mask(random, *bare.shape), bias=bias, softcap=softcap,
    )  # fmt: skip


def test_typed_scores_of_any_size_under_any_dials_and_mask(capsys):
    random, tally = np.random.default_rng(20240607), Tally()
    for _ in range(450):
        check(some_scores(random), tally)
    count, worst = tally.count, tally.worst
    assert min(count["large"], count["small"], count["entropy"]) > 600
    assert count["left out"] == 0
    with capsys.disabled():
        print(
            f"\n{count['weights']} weights compared with exact ones: relative error at most {worst['large']:.1e} from "
            f"1e-3 on, {worst['small']:.1e} below; entropy {worst['entropy']:.1e}"
        )


def test_every_source_with_bias_and_softcap_keeps_the_wider_bound():
    random, tally = np.random.default_rng(20240608), Tally()
    for _ in range(250):
        check(some_problem(random), tally)
    assert tally.count["weights"] > 1500
    assert tally.count["left out"] < tally.count["weights"] / 10


ANY = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def typed_scores(draw):
    """Scores of any size, with a beta that makes the first gap 1e-3 to 700 where there is one."""
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=4))
    size = draw(st.sampled_from([1.0, 1e-310, 1e300]))
    cells = ANY | st.floats(-size, size) | st.integers(999_995, 1_000_005) | st.just(-math.inf)
    scores = draw(hnp.arrays(float, shape, elements=cells))
    scale, beta = draw(st.floats(1e-300, 1e300)), draw(st.floats(-1e300, 1e300))
    with np.errstate(all="ignore"):
        fitting = 10 ** draw(st.floats(-3, 2.845)) * scale / (scores[0, 0] - scores[0, -1])
    beta = float(fitting) if 1e-300 < abs(fitting) < 1e300 else beta
    allowed = draw(hnp.arrays(bool, shape, elements=st.sampled_from([True, True, True, False])))
    return Problem(Scores(scores), scale=scale, beta=beta, mask=Mask("custom", allowed=allowed))


@QUICK
@given(typed_scores())
def test_typed_scores_that_somebody_wants_to_be_wrong(problem):
    check(problem)


MODEST = st.floats(-100, 100) | st.sampled_from([1e-9, 1e5, -0.3, 1 / 3, 1e-170])


@QUICK
@given(
    q=hnp.arrays(float, (2, 2), elements=MODEST), k=hnp.arrays(float, (3, 2), elements=MODEST),
    bias=st.none() | hnp.arrays(float, (2, 3), elements=MODEST), softcap=st.sampled_from([0, 0.01, 2, 1e4]),
    beta=st.floats(-20, 20) | st.sampled_from([math.inf, -math.inf]), scale=st.sampled_from(["sqrt_dk", 0.1, 100]),
)  # fmt: skip
def test_products_that_somebody_wants_to_be_wrong(q, k, bias, softcap, beta, scale):
    check(Problem(QKV(q, k, k), bias=bias, softcap=softcap, beta=beta, scale=scale))


def test_a_long_row():
    random = np.random.default_rng(20240611)
    check(Problem(Scores(random.normal(size=(1, 4000)) * [[1e3]], random.normal(size=(4000, 1))), scale=300, beta=2))


@pytest.mark.parametrize(("score", "scale", "bias"), [(7050000000.25, 6, -1.175e9), (-1e15 / 3, 7, 1e15 / 21)])
def test_a_bias_that_cancels_the_score_cannot_bring_its_digits_back(score, scale, bias):
    # Hence the bound counts score and bias each: the first row errs by 4e-8, and its sum is only 0.0017.
    check(Problem(Scores([[score, 0]]), scale=scale, bias=[[bias, 0]]))


def test_a_row_does_not_know_the_others():
    random = np.random.default_rng(20240609)
    for _ in range(80):
        problem = some_problem(random)
        if not isinstance(problem.source, QKV):
            continue
        whole = attend(problem)
        for i in range(problem.n_q):
            source = replace(problem.source, q=problem.source.q[i : i + 1])
            bias = None if problem.bias is None else problem.bias[i : i + 1]
            mask = Mask("custom", allowed=problem.masked_in[i : i + 1])
            alone = attend(replace(problem, source=source, bias=bias, mask=mask))
            for stage in ("weights", "output", "entropy"):
                assert np.array_equal(getattr(alone, stage)[0], getattr(whole, stage)[i], equal_nan=True)


def test_what_was_computed_before_never_shows():
    random = np.random.default_rng(20240610)
    for _ in range(100):
        before, dials = some_problem(random), some_problem(random)
        after = replace(before, beta=dials.beta, softcap=dials.softcap)
        if isinstance(before.source, QKV):
            q = before.source.q.copy()
            q[-1] *= -0.7
            after = replace(random.choice([before, after]), source=replace(before.source, q=q))
        again, fresh = attend(after, attend(before)), attend(after)
        for stage in ("weights", "output", "entropy"):
            assert np.array_equal(getattr(again, stage), getattr(fresh, stage), equal_nan=True)
        assert (again.status, again.tied_by_rounding) == (fresh.status, fresh.tied_by_rounding)


ROWS = st.lists(st.floats(-50, 50), min_size=2, max_size=6)


def weights_of(row, **dials):
    return attend(Problem(Scores([row]), **{"scale": 1, **dials})).weights[0]


@QUICK
@given(row=ROWS, beta=st.floats(-5, 5))
def test_hiding_a_key_shares_its_weight_among_the_rest_in_proportion(row, beta):
    whole = weights_of(row, beta=beta)
    rest = weights_of(row, beta=beta, mask=Mask("padding", keys=np.arange(len(row)) > 0))
    assert rest[0] == 0
    assert rest[1:] * whole[1:].sum() == pytest.approx(whole[1:], rel=1e-12)


@QUICK
@given(row=ROWS, constant=st.floats(-1e12, 1e12))
def test_adding_a_constant_costs_no_more_than_the_rounding_of_the_scores(row, constant):
    rounding = 2.0**-52 * (50 + abs(constant))
    bound = 1e-12 + math.expm1(min(rounding, 1))
    assert weights_of([cell + constant for cell in row]) == pytest.approx(weights_of(row), rel=2 * bound)


@QUICK
@given(row=st.lists(ANY, min_size=2, max_size=6), beta=st.floats(1e-300, 1e300))
def test_a_larger_score_never_has_the_smaller_weight(row, beta):
    order = np.argsort(row)
    for sign in (1, -1):
        rising = weights_of(row, beta=sign * beta)[order][::sign]
        assert (rising[1:] >= rising[:-1] * (1 - 1e-15)).all()


@QUICK
@given(row=st.lists(ANY, min_size=1, max_size=6), beta=st.floats(-1e300, 1e300))
def test_effective_keys_are_between_1_and_the_number_of_keys(row, beta):
    effective = effective_keys(attend(Problem(Scores([row]), scale=1, beta=beta)).entropy)[0]
    assert 1 <= effective <= len(row) * (1 + 1e-14)
