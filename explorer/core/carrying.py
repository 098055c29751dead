"""What follows from a person's own stages, each from the ones before it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from explorer.core.attention import Attention, attend
from explorer.core.matrices import Matrix
from explorer.core.measures import entropy_of_weights
from explorer.core.problem import Problem, Scores
from explorer.core.products import blend, product
from explorer.core.softcap import capped_and_biased


@dataclass(frozen=True, eq=False)
class Near:
    """Numbers, each known to within ``radius`` (of the same shape): typed ones to half their last digit."""

    values: Matrix
    radius: Matrix


Own = Mapping[str, Near]


def is_touched(name: str, own: Own) -> bool:
    """Whether a stage is computed, however indirectly, from one of a person's own.

    Parameters
    ----------
    name : str
        A stage of `BEFORE`.
    own : mapping of stage name to Near

    Returns
    -------
    bool

    Examples
    --------
    >>> mine = {"scores": Near(np.zeros((1, 1)), np.zeros((1, 1)))}
    >>> is_touched("weights", mine), is_touched("scores", mine)
    (True, False)
    """
    return any(before in own or is_touched(before, own) for before in BEFORE[name])


def follow(name: str, own: Own, right: Attention) -> Near:
    """One stage from a person's own earlier ones, with how far their rounding may have moved it.

    Parameters
    ----------
    name : str
        A stage of `BEFORE`, which names those it is computed from.
    own : mapping of stage name to Near
        The person's stages: q (n_q, d_k), scores (n_q, n_k), row_sums (n_q,) and so on.
    right : Attention
        Ours, for what the person leaves out, the dials and the mask.

    Returns
    -------
    Near
        In the stage's shape; inf and NaN where the numbers given lead there.

    Notes
    -----
    Radii bound the change of a stage as in interval arithmetic (Moore, Interval Analysis, 1966).

    Examples
    --------
    >>> from explorer.core.problem import QKV
    >>> right = attend(Problem(QKV([[1.0]], [[2.0], [0.0]]), scale=4.0))
    >>> near = follow("scaled", {"scores": Near(np.array([[3.0, 0.0]]), np.array([[0.5, 0.5]]))}, right)
    >>> near.values, near.radius
    (array([[0.75, 0.  ]]), array([[0.125, 0.125]]))
    """
    with np.errstate(all="ignore"):
        return Near(*_STEPS[name](partial(_taken, own, right), own, right))


def follow_subtracted(name: str, own: Own, right: Attention) -> Near:
    """Exponentials, or their sum, as of a softmax that subtracts each row's maximum from its logits first.

    ``e_ij = exp(l_ij - max_j l_ij)``: smaller by one factor a row, which the weights do not notice.

    Parameters
    ----------
    name : str
        "exponentials" or "row_sums".
    own, right
        As for `follow`; `right` has logits.

    Returns
    -------
    Near
        (n_q, n_k) or (n_q,); 0 in rows without an allowed key.

    Notes
    -----
    Both ways are right by hand (Goodfellow, Bengio, Courville, Deep Learning, 2016, section 4.1).

    Examples
    --------
    >>> from explorer.core.problem import Scores
    >>> right = attend(Problem(Scores([[800.0, 799.0]]), scale=1.0))
    >>> follow_subtracted("exponentials", {}, right).values.round(3)
    array([[1.   , 0.368]])
    """
    logits = _taken(own, right, "logits")
    with np.errstate(all="ignore"):
        top = np.max(logits.values, axis=1, keepdims=True, initial=-np.inf)
        e = np.where(np.isneginf(logits.values), 0.0, np.exp(logits.values - top))
        radius = e * np.expm1(2 * np.max(logits.radius, axis=1, keepdims=True, initial=0.0))
    return Near(e, radius) if name == "exponentials" else Near(e.sum(axis=1), radius.sum(axis=1))


def _taken(own: Own, right: Attention, stage: str) -> Near:
    """A stage as the person has it, or as it follows from what they have, or else ours."""
    if stage in own:
        return own[stage]
    if is_touched(stage, own):
        return follow(stage, own, right)
    values = getattr(right, stage)
    return Near(values, np.zeros(values.shape))


Take = Callable[[str], Near]
Pair = tuple[Matrix, Matrix]


def _scores(take: Take, own: Own, right: Attention) -> Pair:
    q, k = take("q"), take("k")
    return product(q.values, k.values.T), _product_radius(q, Near(k.values.T, k.radius.T))


def _product_radius(a: Near, b: Near) -> Matrix:
    return product(a.radius, np.abs(b.values) + b.radius) + product(np.abs(a.values), b.radius)


def _scaled(take: Take, own: Own, right: Attention) -> Pair:
    scores, divisor = take("scores"), right.problem.divisor
    return scores.values / divisor, scores.radius / divisor


def _masked(take: Take, own: Own, right: Attention) -> Pair:
    scaled, problem = take("scaled"), right.problem
    x = capped_and_biased(scaled.values, problem.softcap, problem.bias)
    return np.where(right.allowed, x, -np.inf), scaled.radius  # a softcap never widens


def _logits(take: Take, own: Own, right: Attention) -> Pair:
    masked, problem = take("masked"), right.problem
    seen = ~np.isneginf(masked.values)
    return np.where(seen, problem.beta * masked.values + problem.shift, -np.inf), abs(problem.beta) * masked.radius


def _exponentials(take: Take, own: Own, right: Attention) -> Pair:
    logits = take("logits")
    e = np.exp(logits.values)
    return e, e * np.expm1(logits.radius)


def _row_sums(take: Take, own: Own, right: Attention) -> Pair:
    e = take("exponentials")
    return e.values.sum(axis=1), e.radius.sum(axis=1)


def _weights(take: Take, own: Own, right: Attention) -> Pair:
    if "exponentials" in own or "row_sums" in own:
        return _shares(take("exponentials"), take("row_sums"))
    if math.isinf(right.problem.beta):
        masked = take("masked")
        hard = attend(Problem(Scores(masked.values), 1.0, right.problem.beta)).weights
        return hard, np.zeros(hard.shape)
    logits = take("logits")
    weights = attend(Problem(Scores(logits.values), 1.0)).weights
    widest = np.max(logits.radius, axis=1, initial=0.0, keepdims=True)
    return weights, weights * np.expm1(2 * widest)


def _shares(e: Near, sums: Near) -> Pair:
    total, room = sums.values[:, None], sums.radius[:, None]
    weights = np.where(e.values == 0, 0.0, e.values / total)
    most, least = (e.values + e.radius) / (total - room), (e.values - e.radius) / (total + room)
    # Where rounding leaves nothing of the sum, anything would follow.
    return weights, np.where(room < total / 2, np.maximum(most - weights, weights - least), 0.0)


def _output(take: Take, own: Own, right: Attention) -> Pair:
    weights, v = take("weights"), take("v")
    output = blend(weights.values, v.values)
    assert output is not None
    return output, _product_radius(weights, v)


def _entropy(take: Take, own: Own, right: Attention) -> Pair:
    w, r = take("weights").values, take("weights").radius
    slope = np.abs(np.log(np.where(w > r, w, np.maximum(r, 1e-300)))) + 1  # of -w ln w, steep near 0
    return entropy_of_weights(w), (slope * r).sum(axis=1)


# What each stage is computed from.
BEFORE: Mapping[str, tuple[str, ...]] = {
    "q": (), "k": (), "v": (), "scores": ("q", "k"), "scaled": ("scores",), "masked": ("scaled",),
    "logits": ("masked",), "exponentials": ("logits",), "row_sums": ("exponentials",),
    "weights": ("masked", "logits", "exponentials", "row_sums"), "output": ("weights", "v"), "entropy": ("weights",),
}  # fmt: skip
_STEPS: Mapping[str, Callable[[Take, Own, Attention], Pair]] = {
    "scores": _scores, "scaled": _scaled, "masked": _masked, "logits": _logits, "exponentials": _exponentials,
    "row_sums": _row_sums, "weights": _weights, "output": _output, "entropy": _entropy,
}  # fmt: skip
