"""The worked solution of one query."""

from __future__ import annotations

from explorer.core.attention import Attention, attend
from explorer.core.logit_steps import steps_to_logits
from explorer.core.problem import Problem
from explorer.core.typesetting import Digits
from explorer.core.weight_steps import steps_from_weights
from explorer.core.working import Row, Step
from explorer.errors import ExplorerError

__all__ = ["STEPS", "Step", "derive"]

# Every id there can be, in order.
STEPS = (
    "query", "keys", "values", "scores", "scaled", "softcap", "bias", "masked", "logits",
    "exponentials", "row_sum", "weights", "weighted_values", "output", "entropy",
)  # fmt: skip


def derive(problem: Problem, query: int, decimals: int = 3, attention: Attention | None = None) -> tuple[Step, ...]:
    r"""Work out one query step by step, with the numbers put in.

    ``softmax(beta (softcap(q_i K^T / scale) + b_i) + shift) V``, one operation a step; steps that do not apply are
    left out.

    Parameters
    ----------
    problem : Problem
    query : int
        Row of Q, counted from 0; the formulas count from 1.
    decimals : int
        Of the printed numbers, 0 or more; ``Step.value`` has them all.
    attention : Attention, optional
        The computation of this very problem, where it is at hand.

    Returns
    -------
    tuple of Step
        In the order of `STEPS`. Where printed digits are rounded the sign is \approx; more than 12 terms are folded.

    Raises
    ------
    ExplorerError
        When there is no such query.

    Notes
    -----
    Vaswani et al., Attention Is All You Need (2017), equation 1; entropy after Shannon (1948), in nats.

    Examples
    --------
    >>> from explorer.core.problem import Scores
    >>> for step in derive(Problem(Scores([[0, 1]]), scale=1), 0)[-2:]:
    ...     print(step.id, step.lines[0])
    weights w_{11} \approx \frac{1.000}{3.718} \approx 0.269
    entropy H_{1} \approx -\left(0.269 \ln 0.269 + 0.731 \ln 0.731\right) \approx 0.582
    """
    if not 0 <= query < problem.n_q:
        there = f"there are {problem.n_q}" if problem.n_q != 1 else "there is one"
        raise ExplorerError(f"there is no query {query + 1}", f"{there}: choose another")
    row = Row(attend(problem) if attention is None else attention, query, Digits(decimals))
    above, letter = steps_to_logits(row)
    return (*above, *steps_from_weights(row, letter))
