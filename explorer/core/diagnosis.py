"""Which mistake gives the numbers that a person has."""

from __future__ import annotations

from functools import cached_property

from explorer.core.attention import Attention
from explorer.core.comparing import Answer, Booleans, agreement, exactly, rows_in
from explorer.core.mistakes import MISTAKES, Mistake
from explorer.core.wrong import Wrong, compute_wrongly


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
        return [wrong for wrong in made if wrong.is_applicable and not wrong.is_same]

    def of_rows(self, name: str, answer: Answer) -> list[Mistake | None]:
        """The mistake that each row matches at the digits given; where several do, the one that explains most rows."""
        found: list[tuple[Mistake, Booleans]] = []
        for wrong in self._wrongs:
            if name in wrong.stages:
                numbers = exactly(wrong.stages[name])
                if numbers.values.shape == answer.shape:
                    _, within = agreement(name, answer, numbers)
                    found.append((wrong.mistake, rows_in(within)))
        found.sort(key=lambda pair: -int(pair[1].sum()))
        return [next((mistake for mistake, matched in found if matched[row]), None) for row in range(answer.shape[0])]
