"""One step of a worked solution."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.attention import Attention
from explorer.core.problem import Problem
from explorer.core.typesetting import FIRST, MOST, Digits, places, subscript

Value = NDArray[np.float64] | float


@dataclass(frozen=True, eq=False)
class Step:
    """One step: its formula, the same with the numbers put in, and why it is taken.

    ``id`` is a stable word; ``formula`` and each of ``lines`` are LaTeX without dollar signs; ``value`` is what the
    step gives, at full precision; ``why`` is plain text. ``is_folded`` says that terms or rows are left out.
    """

    id: str
    name: str
    formula: str
    lines: tuple[str, ...]
    value: Value
    why: str
    is_folded: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.value, np.ndarray):
            self.value.setflags(write=False)

    @property
    def numbers(self) -> str:
        """The lines as one piece of LaTeX, below each other at their first sign of relation."""
        if len(self.lines) == 1:
            return self.lines[0]
        rows = [re.sub(r"^(.*?) (=|\\approx) |^", r"\1 &\2 ", line, count=1).lstrip() for line in self.lines]
        return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"


@dataclass(frozen=True, eq=False)
class Row:
    """The query whose working is written: its computation, its place from 0, and how numbers are printed."""

    attention: Attention
    i: int
    digits: Digits

    @property
    def problem(self) -> Problem:
        """The problem whose query it is."""
        return self.attention.problem

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """Which keys it may attend to (n_k,)."""
        return np.asarray(self.attention.allowed[self.i])

    def cell(self, letter: str, j: int) -> str:
        """The name of the number of key j: s_{12}."""
        return f"{letter}_{subscript(self.i, j)}"

    def own(self, letter: str) -> str:
        """The name of a row or number of the query itself: o_{1}."""
        return self.letter(letter, self.i)

    def letter(self, letter: str, position: int) -> str:
        """The name of a row at a position: k_{2}."""
        return f"{letter}_{subscript(position)}"

    def line_of(self, letter: str, values: NDArray[np.float64]) -> str:
        """All numbers of the query in one line: w_{1} = (0.250, 0.750)."""
        return f"{self.own(letter)} {self.digits.equality(values)} {self.digits.set(values)}"

    def by_key(self, line: Callable[[int], str]) -> tuple[str, ...]:
        """One line a key, the middle ones of many left out."""
        lines = [r"\vdots" if j is None else line(j) for j in places(self.problem.n_k)]
        return tuple(lines) or (r"\text{no keys}",)

    def left_out(self, *counts: int, what: str = "keys") -> str:
        """The sentence that says so, where one of these counts is folded."""
        most = max(counts)
        return f" Of {most} {what} the first {FIRST} and the last are written out." if most > MOST else ""


def sentences(*parts: str) -> str:
    """Sentences that apply, one after the other.

    Parameters
    ----------
    *parts : str
        Empty where one does not apply.

    Returns
    -------
    str

    Examples
    --------
    >>> sentences("One.", "", " Two.")
    'One. Two.'
    """
    return " ".join(part.strip() for part in parts if part)
