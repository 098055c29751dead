"""One pass over a person's stages, in the order of the formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from explorer.core.attention import Attention
from explorer.core.carrying import BEFORE, Near, follow, follow_subtracted, is_touched
from explorer.core.check_hints import hints
from explorer.core.comparing import Answer, Booleans, agreement, agrees_in_float32, exactly, rows_in
from explorer.core.diagnosis import Diagnosis, diagnosis_of_own
from explorer.core.matrices import Matrix, shape_text
from explorer.core.mistakes import Mistake

_SUBTRACTED = ", with the row maximum subtracted first"


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


@dataclass(frozen=True, eq=False)
class _Way:
    """Numbers that are right (``is_ours``) or follow from the person's own, and which rows of an answer have them."""

    expected: Near
    is_ours: bool
    note: str
    equal: Booleans
    within: Booleans


class Marking:
    """Marks stage after stage, and remembers them for those that follow."""

    def __init__(self, right: Attention) -> None:
        self._right = right
        self._diagnosis = Diagnosis(right)
        self._own: dict[str, Near] = {}
        self._is_off: dict[str, Booleans] = {}  # the rows of own stages that are wrong or carried

    def verdicts(self, answers: Mapping[str, Answer]) -> Iterator[Verdict]:
        """The verdict on each row that is given, and on each stage that is not."""
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
        answer = self._without_hidden(name, answer.with_rows(len(truth)))
        ways = [self._way(name, answer, truth, *way) for way in self._expected(name)]
        verdicts = self._rows(name, answer, truth, ways)
        self._is_off[name] = np.array([verdict.verdict in ("wrong", "carried") for verdict in verdicts], dtype=bool)
        self._own[name] = self._kept(name, answer, truth, ways)
        yield from verdicts

    def _without_hidden(self, name: str, answer: Answer) -> Answer:
        """Above the mask a hidden cell may be written down as hidden already."""
        if name not in ("scores", "scaled"):
            return answer
        is_crossed_out = np.isneginf(answer.values) & ~self._right.allowed
        return Answer(answer.values, answer.half_units, answer.given & ~is_crossed_out)

    def _expected(self, name: str) -> Iterator[tuple[Near, bool, str]]:
        """The numbers that are accepted: as computed here, then as they follow from the person's own."""
        has_two_ways, touched = name in ("exponentials", "row_sums"), is_touched(name, self._own)
        yield exactly(getattr(self._right, name)), True, ""
        if has_two_ways:
            yield _in_columns(follow_subtracted(name, {}, self._right)), True, _SUBTRACTED
        if touched:
            yield _in_columns(follow(name, self._own, self._right)), False, ""
        if touched and has_two_ways:
            yield _in_columns(follow_subtracted(name, self._own, self._right)), False, _SUBTRACTED

    def _way(self, name: str, answer: Answer, truth: Matrix, expected: Near, is_ours: bool, note: str) -> _Way:
        equal, within = agreement(name, answer, expected)
        # That nothing can be computed from inf / inf does not make NaN right.
        within &= is_ours | np.isfinite(expected.values) | ~np.isfinite(truth) | ~answer.given
        return _Way(expected, is_ours, note, rows_in(equal), rows_in(within))

    def _rows(self, name: str, answer: Answer, truth: Matrix, ways: list[_Way]) -> list[Verdict]:
        is_single = rows_in(agrees_in_float32(name, answer, exactly(truth)))
        is_off = self._is_off_before(name, len(truth))
        wrong = self._wrong(name, answer)

        def verdict(row: int) -> Verdict:
            if not answer.given[row].any():
                return Verdict(name, row, "missing", None, "not given")
            way = next((way for way in ways if way.within[row]), None)
            if way is not None and way.is_ours:
                word, said = ("right", "right") if way.equal[row] else ("rounded", "right to the digits given")
                return Verdict(name, row, word, None, said + way.note)
            if is_single[row]:
                return Verdict(name, row, "rounded", None, "right in single precision")
            if way is None:
                return wrong(row)
            word, whose = ("carried", "earlier") if is_off[row] else ("rounded", "rounded")
            return Verdict(name, row, word, None, f"follows from your own {whose} numbers{way.note}")

        return [verdict(row) for row in range(len(truth))]

    def _is_off_before(self, name: str, rows: int) -> Booleans:
        """The rows that rest on own numbers which are wrong: of a key or value, every query's."""
        is_off: Booleans = np.zeros(rows, dtype=bool)
        for before in BEFORE[name]:
            if before in self._is_off:
                is_off |= self._is_off[before].any() if before in ("k", "v") else self._is_off[before]
            elif before not in ("q", "k", "v"):
                is_off |= self._is_off_before(before, rows)
        return is_off

    def _wrong(self, name: str, answer: Answer) -> Callable[[int], Verdict]:
        """What is said of a wrong row; the mistakes are made when the first is met."""

        @cache
        def found(is_own: bool) -> list[Mistake | None]:
            diagnosis = diagnosis_of_own(name, self._own, self._right) if is_own else self._diagnosis
            return [None] * answer.shape[0] if diagnosis is None else diagnosis.of_rows(name, answer)

        def wrong(row: int) -> Verdict:
            for is_own, whose in ((False, ""), (True, ", made on your own numbers")):
                mistake = found(is_own)[row]
                if mistake is not None:
                    return Verdict(name, row, "wrong", mistake.id, f"matches {mistake.sign}{whose}")
            return Verdict(name, row, "wrong", None, next(hints(name, answer, self._right, row)))

        return wrong

    def _other_shape(self, name: str, answer: Answer, truth: Matrix) -> Verdict:
        message = f"{shape_text(answer.shape)} instead of {shape_text(truth.shape)}"
        mistakes = set(self._diagnosis.of_rows(name, answer))
        if len(mistakes) == 1 and (mistake := mistakes.pop()) is not None:
            return Verdict(name, None, "wrong", mistake.id, f"{message}: matches {mistake.sign}")
        if answer.shape == truth.T.shape and agreement(name, answer, exactly(truth.T))[1].all():
            message += ": matches the transpose"
        return Verdict(name, None, "wrong", None, message)

    def _kept(self, name: str, answer: Answer, truth: Matrix, ways: list[_Way]) -> Near:
        """The stage for those that follow: each number near to what it was rounded from, as far as that is known."""
        fitting = np.zeros(truth.shape)
        for way in ways:
            with np.errstate(all="ignore"):
                moved = np.abs(answer.values - way.expected.values) + way.expected.radius
            fitting = np.where(way.within[:, None], np.fmax(fitting, moved), fitting)
        fits = np.any([way.within for way in ways], axis=0)[:, None]
        # Whole where ours is whole, a wrong number is not a rounded one.
        is_whole = (answer.values == np.rint(answer.values)) & (truth == np.rint(truth))
        room = np.where(fits, np.fmin(answer.half_units, fitting), np.where(is_whole, 0.0, answer.half_units))
        last = next(way for way in reversed(ways) if not way.note)
        given = answer.given
        if name == "row_sums" and "exponentials" not in self._own:
            plain = np.any([way.within for way in ways if not way.note], axis=0)
            given = given & ~(fits & ~plain[:, None])  # the exponentials that follow here are not subtracted from
        values = np.where(given, answer.values, last.expected.values)
        radius = np.where(given, room, last.expected.radius)
        shape = getattr(self._right, name).shape
        return Near(values.reshape(shape), radius.reshape(shape))


def _in_columns(near: Near) -> Near:
    return Near(exactly(near.values).values, exactly(near.radius).values)
