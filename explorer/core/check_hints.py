"""What may have gone wrong in numbers that no known mistake gives."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from explorer.core.attention import Attention
from explorer.core.comparing import Answer, agreement, exactly
from explorer.core.matrices import Matrix

_MOST_COLUMNS = 6


def hints(name: str, answer: Answer, right: Attention, row: int) -> Iterator[str]:
    """Say what may have gone wrong in one row, without telling the right numbers; most telling first.

    Parameters
    ----------
    name : str
        The stage.
    answer : Answer
        In the shape of the stage.
    right : Attention
        The problem as computed here.
    row : int
        From 0.

    Yields
    ------
    str
        Half a sentence each.

    Examples
    --------
    >>> from explorer.core.attention import attend
    >>> from explorer.core.problem import Problem, Scores
    >>> right = attend(Problem(Scores([[math.log(2), 0.0]]), scale=1.0))
    >>> one = Answer(np.array([[0.66, 0.36]]), np.array([[0.005, 0.005]]), np.array([[True, True]]))
    >>> list(hints("weights", one, right, 0))
    ['the row sums to 1.02, not to 1', 'columns 1, 2 are off']
    """
    truth = exactly(getattr(right, name)).values
    mine = Answer(answer.values[row : row + 1], answer.half_units[row : row + 1], answer.given[row : row + 1])
    if name not in ("k", "v") and row in right.faults:
        column, what = right.faults[row]
        yield f"the row has no result: its score for key {column + 1} {what}"
    yield from _of_numbers(name, mine, truth[row : row + 1])
    if truth.shape[0] == truth.shape[1] > 1:
        _, turned = agreement(name, mine, exactly(truth[:, row][None]))
        if turned.all():
            yield "matches the transpose"
    yield _where(mine, name, truth[row : row + 1])


def _of_numbers(name: str, mine: Answer, truth: Matrix) -> Iterator[str]:
    _, within = agreement(name, mine, exactly(truth))
    off = ~within[0]
    typed, half, true = mine.values[0], mine.half_units[0], truth[0]
    with np.errstate(all="ignore"):
        short = np.abs(true) - np.abs(typed)
        if ((typed * true >= 0) & (short > 0) & (short < 2 * half))[off].all():
            yield "cut off instead of rounded"
        if (typed[off] != 0).all() and (np.abs(typed + true) <= half)[off].all():
            yield "of the wrong sign"
        if name == "entropy":
            for unit, base in (("bits", 2.0), ("decimal digits", 10.0)):
                if (np.abs(typed - true / math.log(base)) <= half).all():
                    yield f"in {unit}, not in nats"
        if name == "weights" and (np.abs(typed - 100 * true) <= half)[mine.given[0]].all():
            yield "in percent"
        if name == "weights" and mine.given.all() and abs(typed.sum() - 1) > half.sum() + 1e-9:
            yield f"the row sums to {typed.sum():.6g}, not to 1"
        if (np.abs(typed - true) <= 2 * half)[off].all():
            yield "off in the last digit"


def _where(mine: Answer, name: str, truth: Matrix) -> str:
    if truth.shape[1] == 1:
        return "does not match"
    _, within = agreement(name, mine, exactly(truth))
    off = np.flatnonzero(~within[0]).tolist()
    columns = ", ".join(str(j + 1) for j in off[:_MOST_COLUMNS]) + (", ..." if len(off) > _MOST_COLUMNS else "")
    return f"column {columns} is off" if len(off) == 1 else f"columns {columns} are off"
