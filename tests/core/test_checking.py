"""A person's working is marked as an examiner does."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.attention import attend
from explorer.core.carrying import BEFORE
from explorer.core.checking import check, first_wrong
from explorer.core.comparing import Answer
from explorer.core.masks import Mask
from explorer.core.mistakes import MISTAKES
from explorer.core.problem import QKV, Problem, Scores, Weights
from explorer.core.wrong import compute_wrongly
from explorer.errors import ExplorerError

# The worked example: scores (1, 0) and (0, 2) over the square root of 2, values the identity.
SEED = Problem(QKV([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 2.0]], np.eye(2)))
Q3, K3 = [[0.3, -1.2], [1.1, 0.4], [0.7, 0.9]], [[1.0, 0.2], [-0.5, 1.3], [0.8, -0.6]]
WIDE = Problem(QKV(Q3, K3, [[1.5, 2.0], [-3.0, 0.5], [7.0, 4.0]]))
BIAS = [[0.1, 0.0, 0.2], [0.0, 0.3, 0.0], [-0.4, 0.0, 0.0]]
MASKED = replace(WIDE, mask=Mask("causal"), beta=2.0, shift=0.5, bias=BIAS, softcap=3.0)
STAGES = tuple(BEFORE)


def answer(rows, decimals=None):
    """Rows of numbers (None = left out), each written to so many decimals, or in full."""
    given_ = np.array([[cell is not None for cell in row] for row in rows])
    values = np.array([[0.0 if cell is None else float(cell) for cell in row] for row in rows])
    half = 0.0 if decimals is None else 0.5 * 10.0**-decimals
    return Answer(values if decimals is None else np.round(values, decimals), np.full(values.shape, half), given_)


def stage(attention, name, decimals=None):
    values = getattr(attention, name)
    return answer(values if values.ndim == 2 else values[:, None], decimals)


def words(verdicts, name):
    return [verdict.verdict for verdict in verdicts if verdict.name == name]


def test_the_unscaled_softmax_is_found_and_its_output_carried():
    verdicts = check(attend(SEED), {"weights": answer([[0.73, 0.27]], 2), "output": answer([[0.73, 0.27]], 2)})
    assert first_wrong(verdicts) == "weights"
    weights, output = ([verdict for verdict in verdicts if verdict.name == name] for name in ("weights", "output"))
    assert [(w.row, w.verdict, w.mistake) for w in weights] == [(0, "wrong", "unscaled"), (1, "missing", None)]
    assert weights[0].message == "matches the unscaled scores"
    assert [(o.row, o.verdict) for o in output] == [(0, "carried"), (1, "missing")]


def test_the_right_softmax_is_accepted_at_two_decimals():
    verdicts = check(attend(SEED), {"weights": answer([[0.67, 0.33]], 2), "output": answer([[0.67, 0.33]], 2)})
    assert first_wrong(verdicts) is None
    assert words(verdicts, "weights") == words(verdicts, "output") == ["rounded", "missing"]


@pytest.mark.parametrize("problem", [SEED, WIDE, MASKED, replace(WIDE, beta=math.inf), replace(WIDE, beta=-3.0)])
@pytest.mark.parametrize("decimals", [None, 1, 2, 3, 6, 8])
def test_our_own_numbers_are_accepted_at_any_decimals(problem, decimals):
    right = attend(problem)
    given_ = {name: stage(right, name, decimals) for name in STAGES if getattr(right, name) is not None}
    verdicts = check(right, given_)
    assert first_wrong(verdicts) is None
    allowed = {"right"} if decimals is None else {"right", "rounded"}
    assert {verdict.verdict for verdict in verdicts} - {"missing"} <= allowed


def own(right, changed, last="entropy"):
    """A person's stages: ours up to a changed one, those after it computed from it."""
    made, is_after = {}, False
    values = dict(changed)
    for name in STAGES:
        ours = getattr(right, name)
        if name in changed:
            is_after = True
        elif ours is None:
            continue
        elif is_after and name not in ("q", "k", "v"):
            values[name] = plainly(name, values, right.problem, right.allowed)
        else:
            values[name] = ours
        made[name] = values[name]
        if name == last:
            break
    return made


def plainly(name, at, problem, allowed):
    """A stage as a person computes it from the one before."""
    if name == "scores":
        return at["q"] @ at["k"].T
    if name == "scaled":
        return at["scores"] / problem.divisor
    if name == "masked":
        x = problem.softcap * np.tanh(at["scaled"] / problem.softcap) if problem.softcap else at["scaled"]
        return np.where(allowed, x + (0 if problem.bias is None else problem.bias), -np.inf)
    if name == "logits":
        return np.where(np.isinf(at["masked"]), -np.inf, problem.beta * at["masked"] + problem.shift)
    if name == "exponentials":
        return np.exp(at["logits"])
    if name == "row_sums":
        return at["exponentials"].sum(axis=1)
    if name == "weights":
        return at["exponentials"] / at["row_sums"][:, None]
    if name == "output":
        return at["weights"] @ at["v"]
    w = at["weights"]
    return -np.sum(np.where(w > 0, w * np.log(np.where(w > 0, w, 1)), 0), axis=1)


def answers(values, decimals, names=STAGES):
    return {
        name: answer(matrix if matrix.ndim == 2 else matrix[:, None], decimals)
        for name, matrix in values.items()
        if name in names
    }


@pytest.mark.parametrize("problem", [WIDE, MASKED], ids=["plain", "masked"])
@pytest.mark.parametrize("decimals", [None, 4, 2])
@pytest.mark.parametrize("name", [name for name in STAGES if name != "entropy"])
def test_an_error_counts_once_and_is_carried_forward(problem, decimals, name):
    right = attend(problem)
    spoilt = getattr(right, name).copy()
    spoilt[(1, 0) if spoilt.ndim == 2 else 1] += 0.53
    verdicts = check(right, answers(own(right, {name: spoilt}), decimals))
    assert first_wrong(verdicts) == name
    assert {verdict.name for verdict in verdicts if verdict.verdict == "wrong"} == {name}
    later = [stage for stage in STAGES[STAGES.index(name) + 1 :] if name in ancestors(stage)]
    # Whoever starts from a wrong number has wrong ones all along, but is not marked down again.
    assert all("carried" in words(verdicts, each) for each in later)
    if name not in ("k", "v"):
        assert words(verdicts, name)[1] == "wrong"
        assert all(words(verdicts, each)[row] in ("right", "rounded") for each in later for row in (0, 2))


def ancestors(name):
    return set(BEFORE[name]).union(*(ancestors(before) for before in BEFORE[name]))


@pytest.mark.parametrize(
    "skipped",
    [
        ("logits",),
        ("masked", "logits"),
        ("exponentials", "row_sums"),
        ("scaled", "masked", "logits", "exponentials", "row_sums"),
    ],
    ids=len,
)
def test_what_is_left_out_is_computed_on_the_way(skipped):
    right = attend(MASKED)
    spoilt = right.scores + np.array([[0.5, 0, 0], [0, 0.2, 0], [0, 0, -0.7]])
    names = [name for name in STAGES if name not in skipped]
    verdicts = check(right, answers(own(right, {"scores": spoilt}), 3, names))
    assert words(verdicts, "scores") == ["wrong"] * 3
    assert words(verdicts, "weights")[1:] == ["carried", "carried"]
    assert words(verdicts, "output")[1:] == ["carried", "carried"]


def test_two_errors_are_two():
    right = attend(WIDE)
    made = own(right, {"scores": right.scores + 0.5}, last="weights")
    made["weights"] = made["weights"][:, ::-1]
    made["output"] = made["weights"] @ right.v
    verdicts = check(right, answers(made, 4))
    assert {v.name for v in verdicts if v.verdict == "wrong"} == {"scores", "weights"}
    assert set(words(verdicts, "output")) == {"carried"}


def test_numbers_that_rest_on_rounded_ones_are_accepted():
    right = attend(WIDE)
    rounded = np.round(right.weights, 2)
    verdicts = check(right, {"weights": answer(rounded, 2), "output": answer(rounded @ right.v, 4)})
    assert first_wrong(verdicts) is None
    assert set(words(verdicts, "output")) == {"rounded"}
    assert any("your own rounded" in verdict.message for verdict in verdicts)
    far = check(right, {"weights": answer(rounded, 2), "output": answer(rounded @ right.v + 0.2, 4)})
    assert first_wrong(far) == "output"


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.id)
@pytest.mark.parametrize("decimals", [3, 5])
def test_each_mistake_is_known_by_its_numbers(mistake, decimals):
    # Of a row that is hidden whole, which big_negative needs, others would leave nothing.
    first = mistake.id != "big_negative"
    mask = Mask("custom", allowed=[[first, False], [True, True], [True, False]])
    q, k, v = [[0.3, -1.2], [1.1, 2.4], [0.9, 0.7]], [[1.0, 2.2], [-0.5, 1.3]], [[1.5, 2.0], [-3.0, 0.5]]
    if mistake.id == "ktq":
        q, mask = q[:2], Mask("causal")
    right = attend(Problem(QKV(q, k, v), mask=mask))
    if mistake.id == "naive_exp":
        right = attend(replace(right.problem, scale=1e-3))
    made = compute_wrongly(mistake, right)
    stages = {"weights": made.weights, "output": made.output} if mistake.id != "no_values" else {"output": made.output}
    verdicts = check(right, answers(stages, decimals))
    found = [verdict for verdict in verdicts if verdict.verdict == "wrong"]
    assert {verdict.mistake for verdict in found} == {mistake.id}
    assert found[0].name == ("output" if mistake.id == "no_values" else "weights")
    assert found[0].message == f"matches {mistake.sign}"


def test_a_mistake_on_scores_of_ones_own_is_known():
    right = attend(WIDE)
    scores = right.scores + np.array([[0.6, 0, 0], [0, -0.8, 0], [0, 0, 1.2]])
    unscaled = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    verdicts = check(right, {"scores": answer(scores, 6), "weights": answer(unscaled, 4)})
    marked = [verdict for verdict in verdicts if verdict.name == "weights"]
    assert {verdict.mistake for verdict in marked} == {"unscaled"}
    assert marked[0].message == "matches the unscaled scores, made on your own numbers"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ([0.66, 0.33], "cut off instead of rounded"),
        ([0.67, 0.35], "the row sums to 1.02, not to 1"),
        ([0.61, 0.39], "columns 1, 2 are off"),
        ([0.679, 0.321], "columns 1, 2 are off"),
        ([0.68, 0.33], "column 1 is off"),
        ([66.98, 33.02], "in percent"),
        ([0.67, None], "right to the digits given"),
        ([0.61, None], "column 1 is off"),
    ],
)
def test_hints_never_tell_the_number(row, message):
    verdicts = check(attend(SEED), {"weights": answer([row], 2)})
    marked = next(verdict for verdict in verdicts if verdict.name == "weights")
    assert marked.message == message


def test_a_wrong_sign_and_the_transpose_are_hinted_at():
    right = attend(WIDE)
    signs = check(right, {"scores": answer(-right.scores, 4)})
    assert {verdict.message for verdict in signs if verdict.name == "scores"} == {"of the wrong sign"}
    turned = check(right, {"scores": answer(right.scores.T, 4)})
    assert {verdict.message for verdict in turned if verdict.name == "scores"} == {"matches the transpose"}


def test_another_shape_is_wrong_and_says_both():
    right = attend(WIDE)
    verdicts = check(right, {"q": answer(right.q.T, 4), "weights": answer([[0.1, 0.9]], 2)})
    assert [(v.name, v.row, v.message) for v in verdicts if v.verdict == "wrong"] == [
        ("q", None, "2 x 3 instead of 3 x 2: matches the transpose"),
        ("weights", None, "1 x 2 instead of 3 x 3"),
    ]
    forgotten = check(right, {"output": answer(right.weights, 4)})
    assert [v.mistake for v in forgotten if v.verdict == "wrong"] == ["no_values"]


def test_hidden_empty_and_invalid_rows_are_marked_too():
    mask = Mask("custom", allowed=[[False] * 3, [True, False, True], [True] * 3])
    right = attend(replace(WIDE, mask=mask))
    verdicts = check(right, {"masked": stage(right, "masked", 3), "weights": stage(right, "weights", 3)})
    assert first_wrong(verdicts) is None
    over = attend(replace(WIDE, source=QKV([[1e200, 0.0]], [[1e200, 0.0]], [[1.0]])))
    assert words(check(over, {"weights": answer([[math.nan]])}), "weights") == ["right"]
    assert words(check(over, {"weights": answer([[1.0]])}), "weights") == ["wrong"]


def test_who_forgets_the_mask_is_carried_along():
    right = attend(replace(WIDE, mask=Mask("causal")))
    seen = attend(WIDE)
    names = ("scores", "masked", "exponentials", "row_sums", "weights", "output")
    given_ = {name: stage(seen, name, 4) for name in names}
    verdicts = check(right, given_)
    assert first_wrong(verdicts) == "masked"
    assert words(verdicts, "masked") == ["wrong", "wrong", "rounded"]
    assert words(verdicts, "weights")[:2] == words(verdicts, "output")[:2] == ["carried", "carried"]


def test_given_weights_and_typed_scores():
    weights = attend(Problem(Weights([[0.25, 0.75]], [[4.0], [8.0]])))
    assert first_wrong(check(weights, {"output": answer([[7.0]], 1)})) is None
    verdicts = check(weights, {"v": answer([[4.0], [9.0]], 1), "output": answer([[7.75]], 2)})
    assert words(verdicts, "output") == ["carried"]
    with pytest.raises(ExplorerError, match="has no scores"):
        check(weights, {"scores": answer([[1.0, 2.0]])})
    scores = attend(Problem(Scores([[0.0, math.log(3)]], [[4.0], [8.0]]), scale=1.0))
    assert words(check(scores, {"weights": answer([[0.25, 0.75]], 2)}), "weights") == ["right"]


def test_an_unknown_stage_is_refused():
    with pytest.raises(ExplorerError, match="'softmax' is not known: use q, k, v, scores"):
        check(attend(SEED), {"softmax": answer([[1.0]])})


def test_large_products_may_differ_in_their_last_digits():
    rng = np.random.default_rng(5)
    q, k, v = rng.normal(size=(20, 300)), rng.normal(size=(30, 300)), rng.normal(size=(30, 4))
    right = attend(Problem(QKV(q, k, v)))
    scores = np.array([[math.fsum(a * b) for b in k] for a in q])
    e = np.exp(scores / math.sqrt(300))
    weights = e / e.sum(axis=1, keepdims=True)
    verdicts = check(right, {"scores": answer(scores), "weights": answer(weights), "output": answer(weights @ v)})
    assert {verdict.verdict for verdict in verdicts} - {"missing"} == {"right"}


def test_tiny_weights_are_told_apart():
    right = attend(Problem(Scores([[0.0, -50.0]]), scale=1.0))
    assert words(check(right, {"weights": answer([[1.0, 1.9287498479639178e-22]])}), "weights") == ["right"]
    assert words(check(right, {"weights": answer([[1.0, 3e-22]])}), "weights") == ["wrong"]


@given(st.data())
def test_any_corruption_of_one_cell_is_found_there_and_nowhere_else(data):
    right = attend(data.draw(st.sampled_from([WIDE, MASKED])))
    name = data.draw(st.sampled_from([name for name in STAGES if name != "entropy"]))
    spoilt = getattr(right, name).copy()
    at = tuple(data.draw(st.integers(0, length - 1)) for length in spoilt.shape)
    by = data.draw(st.floats(0.02, 5.0)) * data.draw(st.sampled_from([-1, 1]))
    if not np.isfinite(spoilt[at]):
        return
    spoilt[at] += by
    verdicts = check(right, answers({name: spoilt}, 3))
    assert [(v.name, v.row) for v in verdicts if v.verdict == "wrong"] == [(name, at[0])]


def marked(problem, **stages):
    """The words and the mistakes for each stage's rows."""
    verdicts = check(attend(problem), stages)
    return {name: [(v.verdict, v.mistake) for v in verdicts if v.name == name] for name in stages}


def cells(*rows, half):
    values = np.array(rows, dtype=float)
    return Answer(
        values, np.broadcast_to(np.asarray(half, dtype=float), values.shape), np.ones(values.shape, dtype=bool)
    )


def test_right_whole_numbers_let_nothing_else_follow():
    problem = Problem(QKV([[3.0, 2.0]], [[4.0, 1.0], [2.0, 3.0]]))
    scores = cells([14, 12], half=0.5)
    assert marked(problem, scores=scores, weights=cells([0.88, 0.12], half=0.005)) == {
        "scores": [("right", None)],
        "weights": [("wrong", "unscaled")],
    }
    assert marked(problem, scores=scores, weights=cells([0.99, 0.01], half=0.005))["weights"] == [("wrong", None)]


def test_a_wrong_whole_number_is_no_rounded_one():
    problem = Problem(QKV([[3.0, 2.0]], [[4.0, 1.0], [2.0, 3.0]]))
    scores = cells([15, 12], half=0.5)
    assert marked(problem, scores=scores, weights=cells([0.893, 0.107], half=0.0005))["weights"] == [("carried", None)]
    assert marked(problem, scores=scores, weights=cells([0.92, 0.08], half=0.005))["weights"] == [("wrong", None)]


@pytest.mark.parametrize("problem", [SEED, WIDE, MASKED, Problem(Scores([[800.0, 799.0]]), scale=1.0)])
def test_the_stable_softmax_is_right_too(problem):
    right = attend(problem)
    e = np.exp(right.logits - right.logits.max(axis=1, keepdims=True))
    sums = e.sum(axis=1)
    for decimals in (None, 3):
        verdicts = check(right, answers({"exponentials": e, "row_sums": sums, "weights": right.weights}, decimals))
        assert first_wrong(verdicts) is None
        assert "maximum subtracted" in next(v.message for v in verdicts if v.name == "exponentials")
        alone = check(right, answers({"row_sums": sums, "weights": e / sums[:, None]}, decimals))
        assert first_wrong(alone) is None


def test_the_stable_softmax_of_wrong_logits_is_carried():
    right = attend(WIDE)
    logits = right.logits + np.array([[0.5, 0, 0], [0, 0.4, 0], [0, 0, -0.3]])
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    stages = {"logits": logits, "exponentials": e, "row_sums": e.sum(axis=1), "weights": e / e.sum(axis=1)[:, None]}
    verdicts = check(right, answers(stages, 4))
    assert first_wrong(verdicts) == "logits"
    assert {word for name in list(stages)[1:] for word in words(verdicts, name)} == {"carried"}


def test_no_weights_follow_from_an_overflow():
    stages = {"exponentials": [[math.inf, math.inf]], "row_sums": [[math.inf]], "weights": [[math.nan, math.nan]]}
    found = marked(
        Problem(Scores([[800.0, 799.0]]), scale=1.0), **{name: answer(rows) for name, rows in stages.items()}
    )
    assert found["exponentials"] == found["row_sums"] == [("right", None)]
    assert found["weights"] == [("wrong", "naive_exp")]


def test_single_precision_is_accepted_with_all_its_digits():
    right = attend(WIDE)
    q, k, v = (getattr(right, name).astype(np.float32) for name in ("q", "k", "v"))
    e = np.exp(q @ k.T / np.float32(math.sqrt(2)))
    weights = e / e.sum(axis=1, keepdims=True)
    verdicts = check(right, answers({"weights": weights.astype(float), "output": (weights @ v).astype(float)}, None))
    assert {"rounded", "right"} >= {v.verdict for v in verdicts if v.name in ("weights", "output")}
    assert "right in single precision" in {v.message for v in verdicts}
    assert first_wrong(check(right, {"weights": answer(right.weights + 1e-4)})) == "weights"


def test_a_mistake_that_changes_no_weight_is_named_where_it_shows():
    tie = Problem(QKV([[1.0, 0.0]], [[1.0, 2.0], [1.0, 3.0]]))
    assert marked(tie, scaled=cells([1.0, 1.0], half=0.005))["scaled"] == [("wrong", "unscaled")]
    hidden = Problem(Scores([[1.0, 2.0]]), scale=1.0, mask=Mask("custom", allowed=[[True, False]]))
    assert marked(hidden, masked=cells([1.0, -1e9], half=0.005))["masked"] == [("wrong", "big_negative")]


def test_a_mistake_on_any_stage_of_ones_own_is_known():
    right = attend(replace(WIDE, mask=Mask("causal")))
    masked = np.where(right.allowed, right.scores, 0.0)  # unscaled, then masked with 0
    verdicts = check(right, answers({"scaled": right.scores, "masked": masked}, 4))
    assert {v.mistake for v in verdicts if v.name == "scaled" and v.verdict == "wrong"} == {"unscaled"}
    assert {v.mistake for v in verdicts if v.name == "masked" and v.verdict == "wrong"} == {"mask_zero"}


def test_a_hidden_score_may_be_crossed_out_before_the_mask():
    right = attend(replace(WIDE, mask=Mask("causal")))
    scores = np.where(right.allowed, right.scores, -np.inf)
    assert first_wrong(check(right, {"scores": answer(scores, 3)})) is None
    assert first_wrong(check(right, {"scores": answer(np.where(right.allowed, -np.inf, right.scores), 3)})) == "scores"


def test_units_of_entropy_and_rows_without_result_are_hinted_at():
    right = attend(SEED)
    bits = check(right, {"entropy": answer(right.entropy[:, None] / math.log(2), 3)})
    assert {v.message for v in bits if v.name == "entropy"} == {"in bits, not in nats"}
    over = attend(Problem(QKV([[1e200]], [[1e200], [0.0]])))
    told = [v.message for v in check(over, {"weights": answer([[0.5, 0.5]], 1)}) if v.name == "weights"]
    assert told == ["the row has no result: its score for key 1 overflowed"]


def test_many_wrong_rows_are_marked_in_one_go(monkeypatch):
    made = []
    monkeypatch.setattr(
        "explorer.core.diagnosis.compute_wrongly", lambda *words: made.append(words) or compute_wrongly(*words)
    )
    rng = np.random.default_rng(1)
    right = attend(Problem(QKV(rng.normal(size=(60, 3)), rng.normal(size=(50, 3)))))
    verdicts = check(right, {"weights": answer(right.weights + 0.3, 3)})
    assert words(verdicts, "weights") == ["wrong"] * 60
    assert len(made) == len(MISTAKES)
