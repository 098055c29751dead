"""Every stage of softmax(Q K^T / scale) V for one problem."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from explorer.core.masks import Allowed, Mask
from explorer.core.matrices import Matrix
from explorer.core.measures import entropy_of_weights
from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.core.products import SMALL, blend, product, rounding_of_products
from explorer.core.softcap import capped_and_biased
from explorer.core.softmax import softmax

Cell = TypeVar("Cell", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Attention:
    """The stages of a problem; a stage above its entry is None.

    Shapes: q (n_q, d_k), k (n_k, d_k), v (n_k, d_v); scores, scaled, masked, logits, exponentials, weights, allowed
    (n_q, n_k); row_sums, entropy (n_q,); output (n_q, d_v). ``status`` holds "ok", "empty" (no allowed key: weights
    and output 0, entropy NaN) or "invalid" (a NaN or infinite cell, named in ``faults``: row -> column and what it
    is). ``tied_by_rounding`` lists rows whose tie at beta = +-inf only rounding hides.
    """

    problem: Problem
    q: Matrix | None
    k: Matrix | None
    v: Matrix | None
    scores: Matrix | None
    allowed: Allowed
    weights: Matrix
    output: Matrix | None
    entropy: Matrix
    status: tuple[str, ...]
    faults: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    tied_by_rounding: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "faults", MappingProxyType(dict(self.faults)))

    @cached_property
    def scaled(self) -> Matrix | None:
        """scores / scale."""
        if self.scores is None:
            return None
        with np.errstate(all="ignore"):
            return _readonly(self.scores / self.problem.divisor)

    @cached_property
    def masked(self) -> Matrix | None:
        """scaled, softcapped, plus bias; -inf where hidden."""
        if self.scaled is None:
            return None
        x = capped_and_biased(self.scaled, self.problem.softcap, self.problem.bias)
        return _readonly(np.where(self.allowed, x, -np.inf))

    @cached_property
    def logits(self) -> Matrix | None:
        """beta * masked + shift; None at beta = +-inf, where only the limit of the weights exists."""
        if self.masked is None or math.isinf(self.problem.beta):
            return None
        with np.errstate(all="ignore"):
            # 0 * -inf and a negative beta times -inf would bring hidden cells back: they stay -inf.
            return _readonly(np.where(self.allowed, self.problem.beta * self.masked + self.problem.shift, -np.inf))

    @cached_property
    def exponentials(self) -> Matrix | None:
        """exp(logits) as written by hand: 0 where hidden, inf on overflow, NaN in an invalid row."""
        if self.logits is None:
            return None
        with np.errstate(all="ignore"):
            e = np.exp(self.logits)
        e[list(self.faults)] = np.nan
        return _readonly(e)

    @cached_property
    def row_sums(self) -> Matrix | None:
        """Sum of the exponentials of each row."""
        if self.exponentials is None:
            return None
        with np.errstate(all="ignore"):
            return _readonly(self.exponentials.sum(axis=1))


def attend(problem: Problem, previous: Attention | None = None) -> Attention:
    """Compute every stage of a problem.

    Parameters
    ----------
    problem : Problem
    previous : Attention, optional
        An earlier result: what its matrices share by identity, or row by row of Q, is not computed again.

    Returns
    -------
    Attention
        All float64 and read-only.

    Notes
    -----
    ``s = q k^T -> / scale -> softcap -> + bias -> mask -> * beta -> + shift -> softmax -> weights v``
    (Vaswani et al. 2017, equation 1, with the softcap and bias of the ONNX Attention operator). The weights come from
    the unshifted scores, never from the stages shown.

    Examples
    --------
    >>> from explorer.core.problem import QKV
    >>> attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1], [1, 1]], [[2, 0], [0, 2], [2, 1]]))).weights.round(3)
    array([[0.401, 0.198, 0.401]])
    """
    if isinstance(problem.source, Weights):
        return _attend_given_weights(problem, problem.source)
    q, k, v = _projected(problem, previous)
    rows = _changed_rows(problem, q, k, previous)
    if rows is not None and previous is not None:
        kept = replace(previous, problem=problem, q=q, v=v)
        if rows and q is not None and k is not None:
            kept = _spliced(kept, _attend_rows(_rows_of(problem, rows), q[rows], k, None), rows)
        if kept.weights is previous.weights and v is previous.v:
            return kept
        return replace(kept, output=blend(kept.weights, v))
    same_products = previous is not None and q is not None and q is previous.q and k is previous.k
    return _attend_rows(problem, q, k, v, previous.scores if previous is not None and same_products else None)


def _attend_rows(
    problem: Problem, q: Matrix | None, k: Matrix | None, v: Matrix | None, scores: Matrix | None = None
) -> Attention:
    tolerance = None
    hidden_by_typing = np.zeros(problem.shape, dtype=bool)
    if isinstance(problem.source, Scores):
        scores = problem.source.scores
        hidden_by_typing = np.isneginf(scores)
    else:
        assert q is not None
        assert k is not None
        if scores is None:
            scores = product(q, k.T)  # (n_q, n_k)
        if math.isinf(problem.beta):
            tolerance = rounding_of_products(q, k)
    if problem.bias is not None:
        hidden_by_typing = hidden_by_typing | np.isneginf(problem.bias)
    allowed = _readonly(problem.masked_in & ~hidden_by_typing)
    plain = problem.bias is None and problem.softcap == 0
    with np.errstate(all="ignore"):
        scaled = scores / problem.divisor
    x = scores if plain else capped_and_biased(scaled, problem.softcap, problem.bias)
    if math.isinf(problem.beta) and not plain:
        tolerance = _rounding_of_sums(problem, scaled, x, tolerance)
    faults = _faults(problem, scores, scaled, x, allowed)
    rows = softmax(x, allowed, beta=problem.beta, scale=problem.divisor if plain else 1.0, tolerance=tolerance)
    weights, entropy = rows.weights, rows.entropy
    bad = list(faults)
    weights[bad] = np.nan
    entropy[bad] = np.nan
    status = _status(allowed, faults)
    return Attention(
        problem, q, k, v, _readonly(scores), allowed, _readonly(weights), blend(weights, v), _readonly(entropy),
        status, faults, tuple(i for i in np.flatnonzero(rows.tied_by_rounding).tolist() if i not in faults),
    )  # fmt: skip


def _attend_given_weights(problem: Problem, source: Weights) -> Attention:
    weights = source.weights
    faults = {
        int(i): (int(np.argmin(np.isfinite(weights[i]))), "is not a finite number")
        for i in np.flatnonzero(~np.isfinite(weights).all(axis=1))
    }
    allowed = _readonly(np.ones(problem.shape, dtype=bool))
    entropy = entropy_of_weights(weights)
    shown = weights
    if faults:
        shown = weights.copy()
        shown[list(faults)] = np.nan
    return Attention(
        problem, None, None, source.v, None, allowed, _readonly(shown), blend(shown, source.v), _readonly(entropy),
        _status(allowed, faults), faults,
    )  # fmt: skip


def _projected(problem: Problem, previous: Attention | None) -> tuple[Matrix | None, Matrix | None, Matrix | None]:
    source = problem.source
    if not isinstance(source, Projection):
        return getattr(source, "q", None), getattr(source, "k", None), source.v
    before = previous.problem.source if previous is not None else None
    memory = source.x if source.memory is None else source.memory
    made: dict[str, Matrix | None] = {}
    for name, tokens, weight in (("q", source.x, source.w_q), ("k", memory, source.w_k), ("v", memory, source.w_v)):
        made[name] = None if weight is None else _readonly(product(tokens, weight))
        if isinstance(before, Projection) and previous is not None:
            old = getattr(previous, name)
            new = made[name]
            if old is not None and new is not None and np.array_equal(old, new):
                made[name] = old  # the same object: the stages below see that nothing changed
    return made["q"], made["k"], made["v"]


def _changed_rows(problem: Problem, q: Matrix | None, k: Matrix | None, previous: Attention | None) -> list[int] | None:
    """The rows whose weights may differ; None when all must be computed."""
    if previous is None:
        return None
    old = previous.problem
    same = (
        k is previous.k and problem.shape == old.shape
        and problem.mask is old.mask and problem.bias is old.bias and problem.divisor == old.divisor
        and (problem.beta, problem.softcap) == (old.beta, old.softcap)
    )  # fmt: skip
    if not same:
        return None
    if isinstance(problem.source, Scores) and isinstance(old.source, Scores):
        return [] if problem.source.scores is old.source.scores else None
    if q is None or previous.q is None or q.shape != previous.q.shape:
        return None
    rows = np.flatnonzero((q != previous.q).any(axis=1)).tolist()
    if rows and (2 * len(rows) > len(q) or q.size * problem.n_k > SMALL):
        return None  # in a large product the digits of a row depend on the others
    return rows


def _rows_of(problem: Problem, rows: list[int]) -> Problem:
    """The problem of some queries alone, with the scale and the mask it has among the others."""
    n_k, width = problem.n_k, problem.d_k or 0
    return Problem(
        QKV(np.zeros((len(rows), width)), np.zeros((n_k, width))),
        scale=problem.divisor, beta=problem.beta, shift=problem.shift,
        mask=Mask("custom", allowed=problem.masked_in[rows]),
        bias=None if problem.bias is None else problem.bias[rows], softcap=problem.softcap,
    )  # fmt: skip


def _spliced(old: Attention, part: Attention, rows: list[int]) -> Attention:
    def splice(name: str) -> Any:
        whole = getattr(old, name).copy()
        whole[rows] = getattr(part, name)
        return _readonly(whole)

    status = list(old.status)
    for at, row in enumerate(rows):
        status[row] = part.status[at]
    place = dict(enumerate(rows))
    faults = {row: fault for row, fault in old.faults.items() if row not in rows}
    faults |= {place[row]: fault for row, fault in part.faults.items()}
    tied = {row for row in old.tied_by_rounding if row not in rows} | {place[row] for row in part.tied_by_rounding}
    return replace(
        old, scores=splice("scores"), allowed=splice("allowed"), weights=splice("weights"),
        entropy=splice("entropy"), status=tuple(status),
        faults=dict(sorted(faults.items())), tied_by_rounding=tuple(sorted(tied)),
    )  # fmt: skip


def _rounding_of_sums(problem: Problem, scaled: Matrix, x: Matrix, products: Matrix | None) -> Matrix:
    """How far two equal sums softcap(s / scale) + bias may come out apart."""
    bias = 0.0 if problem.bias is None else np.abs(problem.bias)
    with np.errstate(all="ignore"):
        terms = np.minimum(np.abs(scaled), problem.softcap) if problem.softcap else np.abs(scaled)
        # Term by term: the plain sum may overflow where its rounding does not.
        own: Matrix = 2.0**-51 * terms + 2.0**-51 * bias + 2.0**-51 * np.abs(x)
        if products is None:
            return own
        spread = products / problem.divisor
        if problem.softcap:  # a softcap flattens the rounding of large scores away
            cap = problem.softcap
            spread = np.minimum(spread, cap * (np.tanh((scaled + spread) / cap) - np.tanh((scaled - spread) / cap)))
        return own + spread


def _faults(
    problem: Problem, scores: Matrix, scaled: Matrix, x: Matrix, allowed: Allowed
) -> dict[int, tuple[int, str]]:
    """The first cell of each row that makes it invalid: NaN, +inf (but at beta = +-inf), or an overflow."""
    checked = np.where(np.isfinite(scaled), x, scaled)
    suspect: Allowed = allowed & ~np.isfinite(checked)
    typed: Allowed = np.zeros(scores.shape, dtype=bool)
    if isinstance(problem.source, Scores):
        typed |= np.isposinf(scores)
    if problem.bias is not None:
        typed |= np.isposinf(problem.bias)
    if math.isinf(problem.beta):
        suspect &= ~np.isposinf(checked)  # it wins, or loses, like any number
    faults = {}
    for i in np.flatnonzero(suspect.any(axis=1)).tolist():
        j = int(np.argmax(suspect[i]))
        if np.isnan(checked[i, j]):
            what = "is not a number"
        elif typed[i, j]:
            what = "is infinite"
        else:
            what = "overflowed"
        faults[i] = (j, what)
    return faults


def _status(allowed: Allowed, faults: Mapping[int, tuple[int, str]]) -> tuple[str, ...]:
    has_key: Allowed = np.asarray(allowed.any(axis=1))
    return tuple("invalid" if i in faults else "ok" if has_key[i] else "empty" for i in range(len(allowed)))


def _readonly(array: NDArray[Cell]) -> NDArray[Cell]:
    array.setflags(write=False)
    return array
