"""What a mistake does with the numbers of a problem."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from explorer.core.attention import Attention
from explorer.core.matrices import Matrix, shape_text
from explorer.core.mistakes import Harmless, Mistake, NotApplicable, Stages
from explorer.core.rounding import copied


@dataclass(frozen=True, eq=False)
class Wrong:
    """A mistake made on a problem: what it changes, in numbers and in a sentence.

    ``stages`` are the stages it changes, by name; ``weights`` (n_q, n_k) and ``output`` (n_q, d_v), or the weights'
    shape where values are forgotten, are None where the mistake is not applicable, ``output`` without values too.
    """

    mistake: Mistake
    stages: Stages
    weights: Matrix | None
    output: Matrix | None
    effect: str
    is_applicable: bool
    is_same: bool


def compute_wrongly(mistake: Mistake, right: Attention, decimals: int = 3) -> Wrong:
    """Make a mistake on the numbers of a problem.

    Parameters
    ----------
    mistake : Mistake
        One of `explorer.core.mistakes.MISTAKES`.
    right : Attention
        The problem as it should be computed.
    decimals : int
        Digits of the numbers in ``effect``; more where these would hide the difference.

    Returns
    -------
    Wrong
        Not applicable, with the reason as its effect, where the source lacks what the mistake needs; the same as right
        where weights and output come out as they should, up to rounding.

    Notes
    -----
    What is missed is ``softmax(q k^T / sqrt(d_k)) v`` (Vaswani et al. 2017, equation 1), with the mask before the
    softmax. Infinite and undefined numbers (inf, NaN) stay in the result: they are what the mistake does.

    Examples
    --------
    >>> from explorer.core.attention import attend
    >>> from explorer.core.mistakes import MISTAKES
    >>> from explorer.core.problem import QKV, Problem
    >>> right = attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1]], [[1, 0], [0, 1]])))
    >>> wrong = compute_wrongly(MISTAKES[0], right)
    >>> wrong.weights.round(3), wrong.effect
    (array([[0.731, 0.269]]), 'query 1, key 1: weight 0.731 instead of 0.670')
    """
    nothing: Stages = MappingProxyType({})
    try:
        stages = mistake.compute(right)
    except NotApplicable as reason:
        return Wrong(mistake, nothing, None, None, f"not applicable: {reason}", is_applicable=False, is_same=False)
    except Harmless as reason:
        effect = f"same as right: {reason} here"
        return Wrong(mistake, nothing, right.weights, right.output, effect, is_applicable=True, is_same=True)
    for stage in stages.values():
        stage.setflags(write=False)
    weights = stages.get("weights", right.weights)
    output = stages.get("output", right.output)
    same = _is_same(weights, right.weights) and _is_same(output, right.output)
    effect = "same as right with these numbers" if same else _effect(right, weights, output, decimals)
    effect += mistake.remark(right)
    return Wrong(mistake, MappingProxyType(dict(stages)), weights, output, effect, is_applicable=True, is_same=same)


def _is_same(wrong: Matrix | None, right: Matrix | None) -> bool:
    if wrong is None or right is None:
        return wrong is right
    return wrong.shape == right.shape and bool(np.allclose(wrong, right, rtol=1e-9, atol=1e-13, equal_nan=True))


def _effect(right: Attention, weights: Matrix, output: Matrix | None, decimals: int) -> str:
    if not _is_same(weights, right.weights):
        return _changed("key", "weight", weights, right.weights, decimals) + _odd_sum(right, weights, decimals)
    assert output is not None
    assert right.output is not None
    if output.shape != right.output.shape:
        return f"an output of {shape_text(output.shape)} instead of {shape_text(right.output.shape)}"
    return _changed("column", "output", output, right.output, decimals)


def _changed(column: str, what: str, wrong: Matrix, right: Matrix, decimals: int) -> str:
    """The cell that is furthest off, with both numbers at as many digits as tell them apart."""
    with np.errstate(all="ignore"):
        off = np.abs(wrong - right)
    # Where only one of the two is a number, nothing is further off.
    off = np.where(np.isnan(wrong) != np.isnan(right), np.inf, np.nan_to_num(off, nan=0.0, posinf=np.inf))
    i, j = np.unravel_index(int(np.argmax(off)), off.shape)
    texts = [copied(float(matrix[i, j]), decimals) for matrix in (wrong, right)]
    while texts[0] == texts[1] and decimals < 17:
        decimals += 1
        texts = [copied(float(matrix[i, j]), decimals) for matrix in (wrong, right)]
    return f"query {i + 1}, {column} {j + 1}: {what} {texts[0]} instead of {texts[1]}"


def _odd_sum(right: Attention, weights: Matrix, decimals: int) -> str:
    with np.errstate(all="ignore"):
        sums = weights.sum(axis=1)
    for i, total in enumerate(sums.tolist()):
        if right.status[i] == "ok" and math.isfinite(total) and abs(total - 1) > 1e-9:
            text = copied(total, decimals)
            while float(text) == 1:
                decimals += 1
                text = copied(total, decimals)
            return f"; row {i + 1} sums to {text}, not to 1"
    return ""
