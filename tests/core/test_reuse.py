"""What was computed before is used again, and nobody can tell from the numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import explorer.core.attention as core_attention
from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=60, deadline=None, database=None)
STAGES = (
    "q", "k", "v", "scores", "scaled", "masked", "logits", "exponentials", "row_sums", "allowed", "weights", "output",
    "entropy",
)  # fmt: skip
CELLS = st.floats(-5, 5) | st.sampled_from([np.nan, np.inf, -np.inf, 1e200, -0.0])


def assert_same(ours, theirs):
    for stage in STAGES:
        a, b = getattr(ours, stage), getattr(theirs, stage)
        assert (a is b is None) or np.array_equal(a, b, equal_nan=a.dtype != bool), stage
        assert a is None or not a.flags.writeable
    assert (ours.status, dict(ours.faults), ours.tied_by_rounding) == (
        theirs.status, dict(theirs.faults), theirs.tied_by_rounding,
    )  # fmt: skip


def step(before, after):
    """The attention of ``after`` computed on top of ``before``, which must equal the one computed afresh."""
    previous = attend(before)
    _ = previous.row_sums, previous.masked
    attention = attend(after, previous)
    assert attention.problem is after
    assert_same(attention, attend(after))
    return previous, attention


def random_problem(n_q=6, n_k=5, d_k=7, d_v=3, **dials):
    random = np.random.default_rng(n_q + 10 * n_k + 100 * d_k)
    q, k, v = (random.normal(size=shape) for shape in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))
    return Problem(QKV(q, k, v), **dials)


def with_source(problem, **matrices):
    return replace(problem, source=replace(problem.source, **matrices))


def one_row_changed(matrix, row=1):
    changed = matrix.copy()
    changed[row] += 1.25
    return changed


@pytest.mark.parametrize(
    "dials",
    [
        {}, {"mask": Mask("causal")}, {"mask": Mask("causal", align="end", keys=[1, 1, 0, 1, 1])}, {"softcap": 2},
        {"bias": np.eye(6, 5)}, {"beta": math.inf}, {"beta": -math.inf, "softcap": 1.5}, {"beta": 0}, {"scale": 3},
        {"shift": 4, "beta": -2},
    ],
)  # fmt: skip
def test_one_changed_row_of_q(dials):
    problem = random_problem(**dials)
    step(problem, with_source(problem, q=one_row_changed(problem.source.q)))


@QUICK
@given(
    q=hnp.arrays(float, (5, 2), elements=CELLS), k=hnp.arrays(float, (4, 2), elements=CELLS),
    v=hnp.arrays(float, (4, 2), elements=CELLS), row=hnp.arrays(float, 2, elements=CELLS), at=st.integers(0, 4),
    allowed=hnp.arrays(bool, (5, 4)), beta=st.sampled_from([0, 1, -1, math.inf, -math.inf]),
    softcap=st.sampled_from([0, 2]),
)  # fmt: skip
def test_one_row_of_q_becomes_anything_beside_rows_that_are_anything(q, k, v, row, at, allowed, beta, softcap):
    problem = Problem(QKV(q, k, v), mask=Mask("custom", allowed=allowed), beta=beta, softcap=softcap)
    changed = q.copy()
    changed[at] = row
    step(problem, with_source(problem, q=changed))


@pytest.mark.parametrize("shape", [(1, 5, 7, 3), (4, 1, 7, 1), (9, 33, 64, 17), (300, 120, 64, 32), (64, 64, 1, 1)])
def test_digits_do_not_hang_on_how_many_rows_are_computed(shape):
    problem = random_problem(*shape)
    step(problem, with_source(problem, q=one_row_changed(problem.source.q, 0)))


@pytest.mark.parametrize("name", ["q", "k", "v"])
def test_nor_on_the_memory_order_of_what_came_in(name):
    source = random_problem(16, 33, 64, 17).source
    problem = Problem(replace(source, **{name: np.asfortranarray(getattr(source, name))}))
    q = one_row_changed(source.q)
    step(problem, with_source(problem, q=np.asfortranarray(q) if name == "q" else q))


@pytest.mark.parametrize("junk", [np.nan, np.inf])
def test_nor_on_a_value_row_that_is_no_number(junk):
    problem = random_problem(n_q=8, n_k=40, d_k=5, d_v=1)
    values = problem.source.v.copy()
    values[3] = junk
    hidden = Mask("padding", keys=np.arange(40) != 3)
    problem = replace(with_source(problem, v=values), mask=hidden)
    step(problem, with_source(problem, q=one_row_changed(problem.source.q)))


CHANGES = {
    "nothing": lambda p: p,
    "the values": lambda p: with_source(p, v=p.source.v + 1),
    "no values any more": lambda p: with_source(p, v=None),
    "a value of another width": lambda p: with_source(p, v=np.ones((5, 1))),
    "the keys": lambda p: with_source(p, k=one_row_changed(p.source.k)),
    "every query": lambda p: with_source(p, q=p.source.q + 1),
    "one more query": lambda p: with_source(p, q=np.vstack([p.source.q, p.source.q[:1]])),
    "the mask": lambda p: replace(p, mask=Mask("causal")),
    "the bias": lambda p: replace(p, bias=np.eye(6, 5)),
    "the softcap": lambda p: replace(p, softcap=1.5),
    "beta": lambda p: replace(p, beta=-3),
    "beta to its limit": lambda p: replace(p, beta=math.inf),
    "the scale": lambda p: replace(p, scale=1),
    "the shift": lambda p: replace(p, shift=700),
    "values and a query": lambda p: with_source(p, v=p.source.v + 1, q=one_row_changed(p.source.q)),
    "beta and a query": lambda p: with_source(replace(p, beta=2), q=one_row_changed(p.source.q)),
    "scores typed instead": lambda p: Problem(Scores(attend(p).scores, p.source.v), scale=1),
    "weights typed instead": lambda p: Problem(Weights(attend(p).weights, p.source.v)),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("start", [{}, {"mask": Mask("window", left=1)}, {"beta": math.inf}], ids=str)
def test_any_change_there_and_back_equals_a_fresh_result(change, start):
    problem = random_problem(**start)
    step(problem, change(problem))
    step(change(problem), problem)


@pytest.mark.parametrize("source", [Scores, Weights])
def test_a_changed_cell_of_typed_scores_or_weights(source):
    problem = Problem(source(np.eye(3), np.eye(3)), scale=1)
    name = "scores" if source is Scores else "weights"
    step(problem, with_source(problem, **{name: one_row_changed(np.eye(3))}))


def test_minus_infinity_computed_then_typed_is_told_apart():
    computed = Problem(QKV([[1e200], [1]], [[1], [-1e200]]), scale=1)
    previous, typed = step(computed, Problem(Scores(attend(computed).scores), scale=1))
    assert (previous.status, typed.status) == (("invalid", "ok"), ("ok", "ok"))


@pytest.mark.parametrize("memory", [None, np.arange(8.0).reshape(4, 2) / 7])
@pytest.mark.parametrize("name", ["x", "w_q", "w_k", "w_v", "memory"])
def test_a_changed_row_in_a_projection(name, memory):
    random = np.random.default_rng(5)
    source = Projection(random.normal(size=(4, 3)), random.normal(size=(3, 2)), random.normal(size=(3, 2)),
                        random.normal(size=(3, 2)))  # fmt: skip
    if memory is not None:
        source = replace(source, memory=memory, w_k=np.eye(2), w_v=np.ones((2, 2)))
    if name in source.matrices:
        problem = Problem(source, mask=Mask("causal"))
        step(problem, with_source(problem, **{name: one_row_changed(getattr(source, name))}))


def counted_rows(monkeypatch):
    """How many rows each later softmax computes."""
    rows = []

    def counting(x, *others, **options):
        rows.append(len(x))
        return softmax(x, *others, **options)

    softmax = core_attention.softmax
    monkeypatch.setattr(core_attention, "softmax", counting)
    return rows


def test_one_changed_query_computes_one_row(monkeypatch):
    problem = random_problem()
    previous = attend(problem)
    rows = counted_rows(monkeypatch)
    attend(with_source(problem, q=one_row_changed(problem.source.q)), previous)
    assert rows == [1]


def test_one_changed_token_beside_a_memory_computes_one_row(monkeypatch):
    random = np.random.default_rng(6)
    source = Projection(random.normal(size=(4, 3)), np.ones((3, 2)), np.eye(2), np.eye(2), random.normal(size=(5, 2)))
    problem = Problem(source)
    previous = attend(problem)
    rows = counted_rows(monkeypatch)
    attend(with_source(problem, x=one_row_changed(source.x)), previous)
    assert rows == [1]


@pytest.mark.parametrize("change", ["nothing", "the values", "no values any more", "the shift"])
def test_what_leaves_the_weights_computes_no_softmax(monkeypatch, change):
    problem = random_problem()
    previous = attend(problem)
    rows = counted_rows(monkeypatch)
    attention = attend(CHANGES[change](problem), previous)
    assert rows == []
    assert attention.scores is previous.scores
    assert attention.weights is previous.weights
    assert (attention.output is previous.output) == (attention.v is previous.v)


@pytest.mark.parametrize("change", ["the mask", "the bias", "the softcap", "beta", "beta to its limit", "the scale"])
def test_the_same_queries_and_keys_keep_their_scores(change):
    problem = random_problem()
    previous = attend(problem)
    attention = attend(CHANGES[change](problem), previous)
    assert attention.scores is previous.scores


def test_a_projection_keeps_the_keys_that_a_changed_w_q_leaves():
    random = np.random.default_rng(7)
    problem = Problem(Projection(*(random.normal(size=(3, 3)) for _ in range(4))))
    previous = attend(problem)
    attention = attend(with_source(problem, w_q=np.eye(3)), previous)
    assert attention.k is previous.k
    assert attention.v is previous.v
    assert attention.q is not previous.q
