"""A person's own working against ours, marked as an examiner does: an error counts once and is carried forward."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.core.attention import Attention, attend
from explorer.core.carrying import BEFORE, Near, follow, is_touched
from explorer.core.comparing import Answer, Booleans, agreement, exactly, hints, rows_in
from explorer.core.diagnosis import Diagnosis
from explorer.core.matrices import Matrix, shape_text
from explorer.core.problem import Scores
from explorer.errors import ExplorerError


@dataclass(frozen=True)
class Verdict:
    """What one row of a stage is worth: "right", "rounded", "wrong", "carried" or "missing".

    ``row`` counts from 0 and is None for a whole stage; ``mistake`` is the id of the one whose numbers these are.
    """

    name: str
    row: int | None
    verdict: str
    mistake: str | None
    message: str


def check(right: Attention, answers: Mapping[str, Answer]) -> tuple[Verdict, ...]:
    """Mark a person's stages, in the order of the formula.

    Parameters
    ----------
    right : Attention
        The problem as computed here.
    answers : mapping of stage name to Answer
        Any of q, k, v, scores, scaled, masked, logits, exponentials, row_sums, weights, output, entropy.

    Returns
    -------
    tuple of Verdict
        One for each row of a stage that is given, one ("missing") for each other stage that the problem has. No
        message tells a right number.

    Raises
    ------
    ExplorerError
        For a stage that is not known, or that this problem does not have.

    Notes
    -----
    A row is "right" when it equals ours up to float64 rounding; "rounded" when it does at the digits given, or follows
    from the person's own rounded numbers; "carried" when it follows from earlier ones that are wrong.

    Examples
    --------
    >>> from explorer.core.problem import QKV, Problem
    >>> right = attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1]], [[10], [20]])))
    >>> def two_decimals(*row):
    ...     return Answer(np.array([row]), np.full((1, len(row)), 0.005), np.full((1, len(row)), True))
    >>> verdicts = check(right, {"weights": two_decimals(0.73, 0.27), "output": two_decimals(12.69)})
    >>> [(v.name, v.verdict, v.message) for v in verdicts if v.row == 0]  # doctest: +ELLIPSIS
    [('weights', 'wrong', 'matches the unscaled scores'), ('output', 'carried', 'follows from ...')]
    """
    for name in answers:
        if name not in BEFORE:
            raise ExplorerError(f"the stage {name!r} is not known", f"use {', '.join(BEFORE)}")
        if getattr(right, name) is None:
            raise ExplorerError(f"this problem has no {name}", "leave it out")
    return tuple(_Marking(right).verdicts(answers))


def first_wrong(verdicts: Sequence[Verdict]) -> str | None:
    """Name the first stage that has a wrong row.

    Parameters
    ----------
    verdicts : sequence of Verdict
        As `check` gives them.

    Returns
    -------
    str or None
        None when nothing is wrong: what is missing, or carried forward, is not.

    Examples
    --------
    >>> first_wrong((Verdict("k", 0, "right", None, ""), Verdict("weights", 1, "wrong", None, "")))
    'weights'
    """
    return next((verdict.name for verdict in verdicts if verdict.verdict == "wrong"), None)


class _Marking:
    """One pass over a person's stages, which remembers them for the stages that follow."""

    def __init__(self, right: Attention) -> None:
        self._right = right
        self._diagnosis = Diagnosis(right)
        self._of_own, self._diagnosed = self._diagnosis, set[str]()
        self._own: dict[str, Near] = {}
        self._is_off: dict[str, Booleans] = {}  # the rows of own stages that are wrong or carried

    def verdicts(self, answers: Mapping[str, Answer]) -> Iterator[Verdict]:
        for name in BEFORE:
            truth = getattr(self._right, name)
            if name in answers:
                yield from self._stage(name, answers[name], exactly(truth).values)
            elif truth is not None:
                yield Verdict(name, None, "missing", None, "not given")

    def _stage(self, name: str, answer: Answer, truth: Matrix) -> Iterator[Verdict]:
        rows, columns = answer.shape
        if columns != truth.shape[1] or rows > len(truth):
            yield self._other_shape(name, answer, truth)
            return
        answer = answer.with_rows(len(truth))
        followed = exactly(truth)
        if is_touched(name, self._own):
            near = follow(name, self._own, self._right)
            followed = Near(exactly(near.values).values, exactly(near.radius).values)
        verdicts = list(self._rows(name, answer, truth, followed))
        self._is_off[name] = np.array([verdict.verdict in ("wrong", "carried") for verdict in verdicts])
        self._own[name] = self._kept(name, answer, followed)
        yield from verdicts

    def _rows(self, name: str, answer: Answer, truth: Matrix, followed: Near) -> Iterator[Verdict]:
        equal, within = agreement(name, answer, exactly(truth))
        _, follows = agreement(name, answer, followed)
        is_right, is_rounded, is_following = rows_in(equal), rows_in(within), rows_in(follows)
        is_off = self._is_off_before(name, len(truth))
        for row in range(len(truth)):
            if not answer.given[row].any():
                yield Verdict(name, row, "missing", None, "not given")
            elif is_right[row]:
                yield Verdict(name, row, "right", None, "right")
            elif is_rounded[row]:
                yield Verdict(name, row, "rounded", None, "right to the digits given")
            elif is_following[row] and is_off[row]:
                yield Verdict(name, row, "carried", None, "follows from your own earlier numbers")
            elif is_following[row]:
                yield Verdict(name, row, "rounded", None, "follows from your own rounded numbers")
            else:
                yield self._wrong(name, answer, truth, row)

    def _is_off_before(self, name: str, rows: int) -> Booleans:
        """The rows that rest on own numbers which are wrong: of a key or value, every query's."""
        is_off: Booleans = np.zeros(rows, dtype=bool)
        for before in BEFORE[name]:
            if before in self._is_off:
                is_off |= self._is_off[before].any() if before in ("k", "v") else self._is_off[before]
            elif before not in ("q", "k", "v"):
                is_off |= self._is_off_before(before, rows)
        return is_off

    def _wrong(self, name: str, answer: Answer, truth: Matrix, row: int) -> Verdict:
        for diagnosis, whose in ((self._diagnosis, ""), (self._own_diagnosis(name), ", made on your own scores")):
            mistake = diagnosis.of_rows(name, answer)[row] if diagnosis is not None else None
            if mistake is not None:
                return Verdict(name, row, "wrong", mistake.id, f"matches {mistake.sign}{whose}")
        return Verdict(name, row, "wrong", None, next(hints(name, answer, truth, row)))

    def _own_diagnosis(self, name: str) -> Diagnosis | None:
        """The mistakes as they come out from the person's own scores and values, where these are given."""
        given = {stage: near.values for stage, near in self._own.items() if stage in ("scores", "v")}
        if name in ("q", "k", "v", "scores") or not given or self._right.scores is None:
            return None
        if set(given) != self._diagnosed:
            problem = self._right.problem
            source = Scores(given.get("scores", self._right.scores), given.get("v", self._right.v), problem.d_k)
            self._of_own = Diagnosis(attend(replace(problem, source=source, scale=problem.divisor)))
            self._diagnosed = set(given)
        return self._of_own

    def _other_shape(self, name: str, answer: Answer, truth: Matrix) -> Verdict:
        message = f"{shape_text(answer.shape)} instead of {shape_text(truth.shape)}"
        mistakes = set(self._diagnosis.of_rows(name, answer))
        if len(mistakes) == 1 and (mistake := mistakes.pop()) is not None:
            return Verdict(name, None, "wrong", mistake.id, f"{message}: matches {mistake.sign}")
        if answer.shape == truth.T.shape and agreement(name, answer, exactly(truth.T))[1].all():
            message += ": matches the transpose"
        return Verdict(name, None, "wrong", None, message)

    def _kept(self, name: str, answer: Answer, followed: Near) -> Near:
        values = np.where(answer.given, answer.values, followed.values)
        radius = np.where(answer.given, answer.half_units, followed.radius)
        shape = getattr(self._right, name).shape
        return Near(values.reshape(shape), radius.reshape(shape))
