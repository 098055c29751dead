"""Which mistake gives the numbers that a person has."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from explorer.core.attention import Attention, attend
from explorer.core.carrying import Own
from explorer.core.comparing import Answer, Booleans, agreement, exactly, rows_in
from explorer.core.matrices import Matrix
from explorer.core.mistakes import MISTAKES, Mistake
from explorer.core.problem import Problem, Scores, Weights
from explorer.core.wrong import Wrong, compute_wrongly

# The stages that the rest can be computed from, in order.
_STARTS = ("scores", "scaled", "masked", "logits", "weights")


class Diagnosis:
    """The mistakes made on one computation, ours or what follows from a person's own scores.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.core.attention import attend
    >>> from explorer.core.problem import QKV, Problem
    >>> right = attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1]])))
    >>> mine = Answer(np.array([[0.73, 0.27]]), np.full((1, 2), 0.005), np.full((1, 2), True))
    >>> [mistake.id for mistake in Diagnosis(right).of_rows("weights", mine)]
    ['unscaled']
    """

    def __init__(self, right: Attention) -> None:
        self._right = right

    @cached_property
    def _wrongs(self) -> list[Wrong]:
        made = [compute_wrongly(mistake, self._right) for mistake in MISTAKES]
        # One that leaves the weights alone may still show in an earlier stage.
        return [wrong for wrong in made if wrong.is_applicable]

    def of_rows(self, name: str, answer: Answer) -> list[Mistake | None]:
        """The mistake that each row matches at the digits given; of several, the one that explains most rows best."""
        found: list[tuple[float, float, Mistake, Booleans]] = []
        for wrong in self._wrongs:
            if name in wrong.stages:
                numbers = exactly(wrong.stages[name])
                if numbers.values.shape == answer.shape:
                    matched = rows_in(agreement(name, answer, numbers)[1])
                    found.append(
                        (-float(matched.sum()), _distance(answer, numbers.values, matched), wrong.mistake, matched)
                    )
        found.sort(key=lambda each: each[:2])
        return [
            next((mistake for _, _, mistake, matched in found if matched[row]), None) for row in range(answer.shape[0])
        ]


def _distance(answer: Answer, numbers: Matrix, rows: Booleans) -> float:
    with np.errstate(all="ignore"):
        off = np.abs(answer.values - numbers)[rows]
    return float(np.sum(off, where=answer.given[rows] & np.isfinite(off)))


def diagnosis_of_own(name: str, own: Own, right: Attention) -> Diagnosis | None:
    """Make the mistakes on a person's own numbers: on the last stage before the one in question that they have.

    Parameters
    ----------
    name : str
        The stage in question.
    own : mapping of stage name to Near
        The person's stages before it.
    right : Attention
        Ours, for the dials, the mask and what is left out.

    Returns
    -------
    Diagnosis or None
        None where there is nothing of their own that the stage rests on.

    Examples
    --------
    >>> from explorer.core.carrying import Near
    >>> from explorer.core.problem import QKV
    >>> right = attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1]])))
    >>> mine = {"scores": Near(np.array([[3.0, 1.0]]), np.zeros((1, 2)))}
    >>> unscaled = Answer(np.array([[0.88, 0.12]]), np.full((1, 2), 0.005), np.full((1, 2), True))
    >>> [mistake.id for mistake in diagnosis_of_own("weights", mine, right).of_rows("weights", unscaled)]
    ['unscaled']
    """
    earlier = [stage for stage in _STARTS if stage in own and stage != name]
    if name in ("q", "k", "v", "scores") or not (earlier or "v" in own):
        return None
    problem, v = right.problem, own["v"].values if "v" in own else right.v
    start = earlier[-1] if earlier else "weights" if right.scores is None else "scores"
    numbers = own[start].values if earlier else getattr(right, start)
    if start == "weights":
        return Diagnosis(attend(Problem(Weights(numbers, v))))
    source = Scores(numbers, v, problem.d_k)
    if start == "scores":
        return Diagnosis(attend(replace(problem, source=source, scale=problem.divisor)))
    if start == "scaled":
        return Diagnosis(attend(replace(problem, source=source, scale=1.0)))
    # From here on softcap, bias and mask are in the numbers.
    beta, shift = (problem.beta, problem.shift) if start == "masked" else (1.0, 0.0)
    return Diagnosis(attend(Problem(source, 1.0, beta, shift)))
