"""The wrong ways people compute attention, each computable from the right stages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from explorer.core.attention import Attention, attend
from explorer.core.masks import Allowed, Mask
from explorer.core.matrices import Matrix
from explorer.core.problem import QKV, Problem, Scores
from explorer.core.products import blend

Stages = Mapping[str, Matrix]

# What many programs put in place of -inf.
_BIG_NEGATIVE = -1e9

# Above the logarithm of its largest number, a format's exponentials overflow (IEEE 754).
_OVERFLOWS = (("float16", 11.09), ("float32", 88.72), ("float64", 709.78))

_FROM_SCALED = ("scaled", "masked", "logits", "exponentials", "row_sums", "weights", "output")
_FROM_MASKED = _FROM_SCALED[1:]


class NotApplicable(Exception):
    """Says what the problem lacks for a mistake to be made on it."""


class Harmless(Exception):
    """Says why a mistake has nothing to change in a problem."""


@dataclass(frozen=True)
class Mistake:
    """One wrong way: ``title`` for a menu, ``sign`` what its numbers are ("matches ..."), ``why`` it is wrong.

    ``compute`` gives the stages that it changes, by name, from the right ones; ``remark`` adds to what it does here.
    """

    id: str
    title: str
    sign: str
    why: str
    compute: Callable[[Attention], Stages]
    remark: Callable[[Attention], str] = lambda right: ""


def _unscaled(right: Attention) -> Stages:
    """Scores not divided at all."""
    return _scaled_by(right, 1.0)


def _scaled_by_dk(right: Attention) -> Stages:
    """Scores divided by d_k."""
    _scores_of(right)
    if right.problem.d_k is None:
        raise NotApplicable("typed scores have no d_k here")
    return _scaled_by(right, float(right.problem.d_k or 1))


def _scaled_by(right: Attention, scale: float) -> Stages:
    _scores_of(right)
    if right.problem.divisor == scale:
        raise Harmless(f"the scale is {scale:.6g}")
    return _of(attend(replace(right.problem, scale=scale), right), _FROM_SCALED)


def _column_softmax(right: Attention) -> Stages:
    """Softmax down the columns: over the queries of each key."""
    scores, problem = _scores_of(right), right.problem
    turned = QKV(right.k, right.q) if right.q is not None and right.k is not None else Scores(scores.T)
    bias = None if problem.bias is None else problem.bias.T
    mask = Mask("custom", allowed=problem.masked_in.T)
    down = attend(Problem(turned, problem.divisor, problem.beta, mask=mask, bias=bias, softcap=problem.softcap))
    return _with_output(right, down.weights.T)


def _mask_zero(right: Attention) -> Stages:
    """Hidden scores set to 0."""
    return _hidden_as(right, 0.0)


def _big_negative(right: Attention) -> Stages:
    """Hidden scores set to a large finite number below 0."""
    return _hidden_as(right, _BIG_NEGATIVE)


def _hidden_as(right: Attention, number: float) -> Stages:
    _need_hidden(right)
    assert right.masked is not None
    filled = np.where(right.allowed, right.masked, number)
    filled[list(right.faults)] = np.nan  # a -inf from overflow must not pass for a typed one
    return _from_masked(right, filled, np.ones(right.allowed.shape, dtype=bool))


def _from_masked(right: Attention, masked: Matrix, allowed: Allowed) -> Stages:
    problem = right.problem
    mask = Mask("custom", allowed=allowed)
    return _of(attend(Problem(Scores(masked, right.v), 1.0, problem.beta, problem.shift, mask)), _FROM_MASKED)


def _mask_after(right: Attention) -> Stages:
    """Weights of hidden keys set to 0 after the softmax, the rest left as it was."""
    _need_hidden(right)
    seen = attend(replace(right.problem, mask=Mask()), right).weights
    return _with_output(right, np.where(right.allowed, seen, 0.0))


def _divide_by_sum(right: Attention) -> Stages:
    """Logits divided by their sum, without exponentials."""
    _scores_of(right)
    if right.logits is None:
        raise NotApplicable("at infinite beta there are no logits to divide")
    kept = np.where(right.allowed, right.logits, 0.0)
    with np.errstate(all="ignore"):  # logits that add up to 0 give 0 / 0 or infinity: that is what is wrong
        return _with_output(right, kept / kept.sum(axis=1, keepdims=True))


def _double_softmax(right: Attention) -> Stages:
    """A softmax of the weights."""
    mask = Mask("custom", allowed=right.allowed)
    return _of(attend(Problem(Scores(right.weights, right.v), 1.0, mask=mask)), ("weights", "output"))


def _naive_exp(right: Attention) -> Stages:
    """Exponentials of the logits as they stand over their sum."""
    _scores_of(right)
    if right.exponentials is None or right.row_sums is None:
        raise NotApplicable("at infinite beta there are no exponentials")
    with np.errstate(all="ignore"):  # inf / inf and 0 / 0: that is what is wrong
        return _with_output(right, right.exponentials / right.row_sums[:, None])


def _overflow_elsewhere(right: Attention) -> str:
    """In which formats the exponentials overflow, though they may not here."""
    assert right.logits is not None
    largest = float(np.max(right.logits, initial=-np.inf, where=np.isfinite(right.logits)))
    formats = [name for name, limit in _OVERFLOWS if largest > limit]
    return f" (exponentials overflow in {', '.join(formats)})" if formats else ""


def _mask_reversed(right: Attention) -> Stages:
    """Hidden keys seen and seen keys hidden."""
    _scores_of(right)
    if right.problem.mask.kind == "none":
        raise NotApplicable("there is no mask")
    reverse = Mask("custom", allowed=~right.problem.masked_in)
    return _of(attend(replace(right.problem, mask=reverse), right), _FROM_MASKED)


def _ktq(right: Attention) -> Stages:
    """K^T Q in place of Q K^T."""
    if right.q is None or right.k is None:
        raise NotApplicable("Q and K were not given")
    if right.q.shape != right.k.shape or right.q.shape[0] != right.q.shape[1]:
        raise NotApplicable("K^T Q has the shape of the scores only where Q and K are square")
    problem = right.problem
    turned = replace(problem, source=QKV(right.k.T, right.q.T, right.v), scale=problem.divisor)
    return _of(attend(turned), ("scores", *_FROM_SCALED))


def _no_values(right: Attention) -> Stages:
    """The weights taken for the output."""
    if right.v is None:
        raise NotApplicable("there are no values")
    return {"output": right.weights}


def _need_hidden(right: Attention) -> None:
    _scores_of(right)
    if right.allowed.all():
        raise Harmless("nothing is hidden")


def _scores_of(right: Attention) -> Matrix:
    if right.scores is None:
        raise NotApplicable("the weights were given, so there are no scores")
    return right.scores


def _with_output(right: Attention, weights: Matrix) -> Stages:
    output = blend(weights, right.v)
    return {"weights": weights} if output is None else {"weights": weights, "output": output}


def _of(other: Attention, names: tuple[str, ...]) -> Stages:
    return {name: stage for name in names if (stage := getattr(other, name)) is not None}


MISTAKES: tuple[Mistake, ...] = (
    Mistake(
        "unscaled", "No scaling", "the unscaled scores",
        "Scores of queries and keys of width d_k spread like sqrt(d_k); undivided, the softmax is too sharp.",
        _unscaled,
    ),
    Mistake(
        "scaled_by_dk", "Divided by d_k", "scores divided by d_k instead of its square root",
        "The spread of the scores grows with the square root of d_k; divided by d_k itself, the weights are too even.",
        _scaled_by_dk,
    ),
    Mistake(
        "column_softmax", "Softmax down the columns", "a softmax down the columns",
        "Each query shares out 1 among the keys, so each row sums to 1; down the columns it is each column that does.",
        _column_softmax,
    ),
    Mistake(
        "mask_zero", "Hidden score set to 0", "hidden scores set to 0",
        "exp(0) = 1 is a share like any other, so a score of 0 hides nothing; only -inf gives the weight 0.",
        _mask_zero,
    ),
    Mistake(
        "mask_after", "Masked after the softmax", "a mask put on after the softmax",
        "The hidden keys have already taken their share of the sum, so what remains of a row no longer sums to 1.",
        _mask_after,
    ),
    Mistake(
        "divide_by_sum", "Divided by the sum", "logits divided by their sum, without exponentials",
        "Without the exponential, negative logits give negative weights, and a sum near 0 gives weights of any size.",
        _divide_by_sum,
    ),
    Mistake(
        "double_softmax", "Softmax twice", "a softmax done twice",
        "Weights lie between 0 and 1, so a second softmax sees small differences only and makes the row nearly even.",
        _double_softmax,
    ),
    Mistake(
        "naive_exp", "Exponentials without subtracting the maximum", "exponentials without subtracting the maximum",
        "exp of a large logit overflows and of very negative ones vanishes: inf / inf and 0 / 0 are no weights.",
        _naive_exp, _overflow_elsewhere,
    ),
    Mistake(
        "big_negative", "A large finite number instead of -inf", "-1e9 put in place of -inf",
        "It hides a key only beside larger scores: a row hidden whole becomes uniform, a small beta lets it through.",
        _big_negative,
    ),
    Mistake(
        "mask_reversed", "Mask reversed", "the mask with its meaning reversed",
        "True means may attend in torch SDPA, JAX, Keras and ONNX, but hidden in torch MultiheadAttention.",
        _mask_reversed,
    ),
    Mistake(
        "ktq", "K\N{MODIFIER LETTER CAPITAL T} Q for Q K\N{MODIFIER LETTER CAPITAL T}", "K^T Q in place of Q K^T",
        "With one token a row, Q K^T compares tokens with tokens; K^T Q compares columns, that is features.",
        _ktq,
    ),
    Mistake(
        "no_values", "Values forgotten", "the weights taken for the output",
        "The weights only say how much of each value to take; the output is weights times V.",
        _no_values,
    ),
)  # fmt: skip
