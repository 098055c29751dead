"""Attention in exact arithmetic, from its definition alone, with how far float64 may be off."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from mpmath import mp, mpf

from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights

EXACT = 4500  # bits: a sum of products of any two float64 needs no more
FINE = 200  # bits, where only the leading digits of a result are looked at
NOTHING = -3000  # exp of less is 0 in float64 by far
ZERO = mpf(0)
HALF_UNIT = mpf(2) ** -53
SMALLEST = mpf(2) ** -1074
LARGEST = mpf(2) ** 1024


class Real(NamedTuple):
    """An exact number, how far off its float64 may be, and whether that may or may not have overflowed."""

    value: mpf
    error: mpf = ZERO
    is_doubtful: bool = False

    @property
    def overflows(self) -> bool:
        return abs(self.value) >= LARGEST * (1 - HALF_UNIT / 2)


class Blend(NamedTuple):
    """An exact output cell, sum w |v|, and how far float64 may be off were the weights exact."""

    value: mpf
    size: mpf
    error: mpf


@dataclass(frozen=True)
class Row:
    """One exact row; ``slack`` is what rounding in front of the softmax may add to a weight's relative error."""

    status: str
    allowed: list[bool]
    weights: list[mpf]
    entropy: mpf | None = None
    output: list[Blend] | None = None
    slack: mpf = ZERO
    is_doubtful: bool = False  # float64 may see, or miss, an overflow or a tie here


def typed(matrix) -> list[list[Real]]:
    return [[Real(mpf(cell)) for cell in row] for row in matrix.tolist()]


def dot(a: list[Real], b: list[Real]) -> Real:
    """The sum of products; its error by the usual bound, d 2^-53 sum |a||b|, that of the factors carried along."""
    value = sum((x.value * y.value for x, y in zip(a, b, strict=True)), mpf(0))
    plain = sum((abs(x.value * y.value) for x, y in zip(a, b, strict=True)), mpf(0))
    most = sum(((abs(x.value) + x.error) * (abs(y.value) + y.error) for x, y in zip(a, b, strict=True)), mpf(0))
    error = most - plain + len(a) * (HALF_UNIT * most + SMALLEST)
    is_sure = most < LARGEST * (1 - mpf(1e-9)) or (plain == abs(value) and value != 0 and most - plain < 1e-9 * plain)
    return Real(value, error, not is_sure or any(cell.is_doubtful or cell.overflows for cell in (*a, *b)))


def product(a: list[list[Real]], b: list[list[Real]]) -> list[list[Real]]:
    columns = [list(column) for column in zip(*b, strict=True)]
    return [[dot(row, column) for column in columns] for row in a]


def may_attend(mask: Mask, i: int, j: int, n_q: int, n_k: int) -> bool:
    """Whether a mask lets query i attend to key j."""
    place = i + (n_k - n_q if mask.align == "end" else 0)
    if mask.kind == "custom":
        return bool(mask.allowed[i, j])
    if mask.kind == "none" or (mask.keys is not None and not mask.keys[j]):
        return mask.kind == "none"
    if mask.kind == "causal":
        return j <= place
    if mask.kind == "window":
        return (mask.left is None or j >= place - mask.left) and (mask.right is None or j <= place + mask.right)
    return True


def exact_scores(source) -> list[list[Real]]:
    if isinstance(source, Scores):
        return typed(source.scores)
    if isinstance(source, QKV):
        q, k = typed(source.q), typed(source.k)
    else:
        x = typed(source.x)
        q = product(x, typed(source.w_q))
        k = product(x if source.memory is None else typed(source.memory), typed(source.w_k))
    return [[dot(query, key) for key in k] for query in q]


def exact_values(source) -> list[list[Real]] | None:
    if isinstance(source, Projection):
        tokens = source.x if source.memory is None else source.memory
        return None if source.w_v is None else product(typed(tokens), typed(source.w_v))
    return None if source.v is None else typed(source.v)


def exact_rows(problem: Problem) -> list[Row]:
    """Every row of a problem, exactly."""
    with mp.workprec(EXACT):
        values = exact_values(problem.source)
        if isinstance(problem.source, Weights):
            rows = [[cell.value for cell in row] for row in typed(problem.source.weights)]
            return [Row("ok", [True] * len(w), w, output=_blended(w, values)) for w in rows]
        return [_row(problem, i, scores, values) for i, scores in enumerate(exact_scores(problem.source))]


def _row(problem: Problem, i: int, scores: list[Real], values: list[list[Real]] | None) -> Row:
    n_q, n_k = problem.shape
    bias = [mpf(0)] * n_k if problem.bias is None else [mpf(cell) for cell in problem.bias[i].tolist()]
    is_typed = isinstance(problem.source, Scores)
    allowed = [
        may_attend(problem.mask, i, j, n_q, n_k) and -mp.inf not in (bias[j], scores[j].value if is_typed else 0)
        for j in range(n_k)
    ]
    seen = [j for j in range(n_k) if allowed[j]]
    if not seen:
        return Row("empty", allowed, [mpf(0)] * n_k, None, _blended([mpf(0)] * n_k, values))
    scale = mpf(problem.scale) if problem.scale != "sqrt_dk" else mp.sqrt(problem.d_k) if problem.d_k else mpf(1)
    scaled = {j: Real(scores[j].value / scale, scores[j].error / scale) for j in seen}
    x = {j: _capped(scaled[j].value, problem.softcap) + bias[j] for j in seen}
    reach = mpf(0)
    if problem.softcap or problem.bias is not None:
        # Of the terms, not of their sum: what the larger one lost stays lost when they cancel.
        reach = max(abs(_capped(scaled[j].value, problem.softcap)) + abs(bias[j]) for j in seen)
    doubt = any(
        scores[j].is_doubtful or _is_on_the_brink(scaled[j]) or _is_on_the_brink(Real(x[j], reach)) for j in seen
    )
    every = [Real(cell) for j in seen for cell in (scores[j].value, scaled[j].value, x[j])]
    if any(mp.isnan(cell.value) or (cell.overflows and cell.value < 0) for cell in every):
        return Row("invalid", allowed, [mp.nan] * n_k, is_doubtful=doubt)
    if any(cell.overflows for cell in every) and not math.isinf(problem.beta):
        return Row("invalid", allowed, [mp.nan] * n_k, is_doubtful=doubt)
    if math.isinf(problem.beta):
        doubt = doubt or (not is_typed and sum(Real(x[j]).overflows or scaled[j].overflows for j in seen) > 1)
        return _limit(problem, allowed, x, {j: scaled[j].error + 8 * HALF_UNIT * reach for j in seen}, doubt, values)
    return _soft(problem, allowed, x, scaled, reach, doubt, values)


def _capped(value: mpf, cap: float) -> mpf:
    if not cap or mp.isnan(value):
        return value
    with mp.workprec(2 * FINE):
        return mpf(cap) * mp.tanh(min(max(value / cap, mpf(-10000)), mpf(10000)))


def _is_on_the_brink(cell: Real) -> bool:
    """Whether only rounding says that a quotient overflows."""
    return cell.error != 0 and abs(abs(cell.value) - LARGEST) < LARGEST * mpf(1e-9)


def _soft(problem, allowed, x, scaled, reach, doubt, values) -> Row:
    beta = mpf(problem.beta)
    logits = {j: beta * x[j] for j in x}
    top = max(logits.values())
    gaps = {j: logits[j] - top for j in x}
    with mp.workprec(FINE):
        slack = abs(beta) * (2 * max(cell.error for cell in scaled.values()) + 16 * HALF_UNIT * reach)
        e = {j: mp.exp(gap) if gap > NOTHING else mpf(0) for j, gap in gaps.items()}
        winner = max(gaps, key=gaps.get)
        rest = sum((e[j] for j in x if j != winner), mpf(0))
        weights = [e[j] / (1 + rest) if j in x else mpf(0) for j in range(len(allowed))]
        # -sum w ln w, with ln w = gap - ln(sum)
        entropy = mp.log1p(rest) - sum((weights[j] * gaps[j] for j in x if e[j]), mpf(0))
    return Row("ok", allowed, weights, entropy, _blended(weights, values), slack, doubt)


def _limit(problem, allowed, x, errors, doubt, values) -> Row:
    """Beta at +-inf: equal shares of the extremes."""
    sign = 1 if problem.beta > 0 else -1
    top = max(sign * cell for cell in x.values())
    chosen = [j for j in x if sign * x[j] == top]
    lost = [j for j in x if j not in chosen]
    near = any(abs(sign * x[j] - top) <= 8 * (errors[j] + max(errors[c] for c in chosen)) for j in lost if errors[j])
    weights = [mpf(1) / len(chosen) if j in chosen else mpf(0) for j in range(len(allowed))]
    return Row("ok", allowed, weights, mp.log(len(chosen)), _blended(weights, values), is_doubtful=doubt or near)


def _blended(weights: list[mpf], values: list[list[Real]] | None) -> list[Blend] | None:
    if values is None:
        return None
    used = [(w, row) for w, row in zip(weights, values, strict=True) if w != 0]
    cells = []
    for c in range(len(values[0]) if values else 0):
        size = sum((abs(w * row[c].value) for w, row in used), mpf(0))
        carried = sum((abs(w) * row[c].error + SMALLEST * (1 + abs(row[c].value)) for w, row in used), mpf(0))
        value = sum((w * row[c].value for w, row in used), mpf(0))
        cells.append(Blend(value, size, len(used) * HALF_UNIT * size + carried))
    return cells
