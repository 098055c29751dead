"""LaTeX of rounded numbers, alone and in rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.rounding import copied

# More than MOST terms, rows or columns are folded to the first FIRST, a gap, and the last.
MOST, FIRST = 12, 6
# amsmath refuses wider matrices.
_WIDEST_BMATRIX = 10
# Exact arithmetic with more numbers than these would be felt; there "approximately" is said, which is never wrong.
_MOST_CHECKED = 2000

Rule = Callable[..., Any]
LATEX_MARKS = (r"\cdots", r"\vdots", r"\ddots")


def tex(value: float, decimals: int | None) -> str:
    r"""Write a number in LaTeX mathematics: the digits of `copied`, powers of ten set as such.

    Parameters
    ----------
    value : float
        Any unit; inf, -inf and nan too.
    decimals : int or None
        As in `copied`; None gives the shortest digits that read back to the same number.

    Returns
    -------
    str
        Without a sign of relation; its numerals read back as those of the text it was made from.

    Examples
    --------
    >>> print(tex(2.0612e-9, 3), tex(-np.inf, 3), tex(0.5, 3), tex(0.5, None))
    2.06 \times 10^{-9} -\infty 0.500 0.5
    """
    text = repr(float(value) + 0.0).removesuffix(".0") if decimals is None else copied(value, decimals)
    if not math.isfinite(value):
        return text.replace("inf", r"\infty").replace("nan", r"\text{NaN}")
    digits, _, exponent = text.partition("e")
    return rf"{digits} \times 10^{{{int(exponent)}}}" if exponent else digits


def places(count: int) -> list[int | None]:
    """Which of ``count`` things are written out: all up to 12, else the first 6, a gap (None), the last.

    Parameters
    ----------
    count : int

    Returns
    -------
    list of int or None

    Examples
    --------
    >>> places(3), places(20)
    ([0, 1, 2], [0, 1, 2, 3, 4, 5, None, 19])
    """
    return list(range(count)) if count <= MOST else [*range(FIRST), None, count - 1]


def folded_cells(
    values: NDArray[np.float64], show: Callable[[float], str], marks: tuple[str, str, str] = LATEX_MARKS
) -> list[list[str]]:
    r"""Texts of a matrix with its middle rows and columns folded where there are more than 12.

    Parameters
    ----------
    values : (n, m) array
    show : function
        Text of a number.
    marks : three str
        What stands for columns, rows, and both left out.

    Returns
    -------
    list of list of str

    Examples
    --------
    >>> folded_cells(np.arange(13.0)[None], lambda x: f"{x:g}")
    [['0', '1', '2', '3', '4', '5', '\\cdots', '12']]
    """
    across, down, both = marks
    rows, columns = (places(size) for size in values.shape)
    return [
        [(both if j is None else down) if i is None else across if j is None else show(values[i, j]) for j in columns]
        for i in rows
    ]


def bracketed(rows: Sequence[Sequence[str]], end: str = " ") -> str:
    r"""Cells as a LaTeX matrix in square brackets, wider than amsmath's ten columns too.

    Parameters
    ----------
    rows : n lists of m str
    end : str
        What follows the end of a row, a space or a line break.

    Returns
    -------
    str

    Examples
    --------
    >>> print(bracketed([["1", "0"], ["0", "2"]]))
    \begin{bmatrix} 1 & 0 \\ 0 & 2 \end{bmatrix}
    """
    width = max(map(len, rows), default=0)
    opening, closing = r"\begin{bmatrix}", r"\end{bmatrix}"
    if width > _WIDEST_BMATRIX:
        opening, closing = rf"\left[\begin{{array}}{{{'c' * width}}}", r"\end{array}\right]"
    # The screen's typesetter knows no matrix without cells.
    body = rf" \\{end}".join(" & ".join(row) for row in rows) if width else "{}"
    last = r" \\" if width and end != " " else ""
    return f"{opening}{end}{body}{last}{end}{closing}"


def subscript(*positions: int) -> str:
    """Positions counted from 0, as people's indices from 1.

    Parameters
    ----------
    *positions : int

    Returns
    -------
    str
        With commas where a position has two digits.

    Examples
    --------
    >>> subscript(0, 1), subscript(0, 11)
    ('{12}', '{1,12}')
    """
    texts = [str(position + 1) for position in positions]
    return f"{{{('' if all(len(text) == 1 for text in texts) else ',').join(texts)}}}"


def equality(is_exact: bool) -> str:
    r"""The sign of relation: "=" between exact numbers, else \approx.

    Parameters
    ----------
    is_exact : bool

    Returns
    -------
    str

    Examples
    --------
    >>> equality(True)
    '='
    """
    return "=" if is_exact else r"\approx"


@dataclass(frozen=True)
class Digits:
    """Numbers with so many decimals, and equations between them that claim no more than the digits say."""

    decimals: int

    def tex(self, value: float) -> str:
        """One number."""
        return tex(value, self.decimals)

    def term(self, value: float) -> str:
        """One number within a sum or product: a negative one in parentheses."""
        text = self.tex(value)
        return f"({text})" if text.startswith("-") else text

    def factor(self, value: float) -> str:
        """One number that a function is taken of: a negative one and a power of ten in parentheses."""
        text = self.term(value)
        return f"({text})" if r"\times" in text and not text.startswith("(") else text

    def set(self, values: ArrayLike) -> str:
        """A number, a row in parentheses, or a matrix in brackets, long ones folded."""
        array = np.asarray(values, dtype=np.float64)
        if array.ndim == 0:
            return self.tex(float(array))
        if array.ndim == 2:
            return bracketed(folded_cells(array, self.tex))
        return f"({', '.join(self.listed(self.tex(x) for x in array.tolist()))})"

    def listed(self, texts: Any) -> list[str]:
        """Some of many texts, with dots for the rest."""
        every = list(texts)
        return [r"\dots" if place is None else every[place] for place in places(len(every))]

    def summed(self, texts: Any) -> str:
        """A sum of terms; that of none is 0."""
        return " + ".join(self.listed(texts)) or "0"

    def is_exact(self, values: ArrayLike) -> bool:
        """Whether the printed digits are the numbers themselves."""
        every = np.asarray(values, dtype=np.float64).ravel().tolist()
        return all(float(copied(x, self.decimals)) == x or math.isnan(x) for x in every)

    def equality(self, values: ArrayLike) -> str:
        """The sign before numbers as they are printed."""
        return equality(self.is_exact(values))

    def equation(
        self, left: str, middle: str, values: ArrayLike, rule: Rule, *operands: ArrayLike, text: str = ""
    ) -> str:
        """``left = middle = values``: each sign an "=" only where it holds between the printed digits.

        ``rule`` makes the result out of the operands as exact fractions, or gives None where it is none; ``text``
        stands for ``values`` where these are but the part that is written out.
        """
        is_exact = all(self.is_exact(operand) for operand in operands)
        sign = self._sign(values, rule, operands) if is_exact else equality(False)
        if not np.isfinite(values).all() and all(np.isfinite(operand).all() for operand in operands):
            sign = r"\to"  # it overflowed: infinity is where it goes, not what it is
        return f"{left} {equality(is_exact)} {middle} {sign} {text or self.set(values)}"

    def _sign(self, values: ArrayLike, rule: Rule, operands: Sequence[ArrayLike]) -> str:
        if not all(np.isfinite(operand).all() for operand in operands):
            return equality(True)  # what infinity and NaN give is no rounding
        if sum(np.size(operand) for operand in operands) > _MOST_CHECKED:
            return equality(False)
        if not np.isfinite(values).all():
            return equality(False)
        return equality(bool(np.all(rule(*map(self.printed, operands)) == self.printed(values))))

    def printed(self, values: ArrayLike) -> Any:
        """What the digits say, as exact fractions in the same shape."""
        array = np.asarray(values, dtype=np.float64)
        fractions = [Fraction(copied(x, self.decimals)) for x in array.ravel().tolist()]
        return fractions[0] if array.ndim == 0 else np.array(fractions, dtype=object).reshape(array.shape)

    def sum_note(self, weights: ArrayLike) -> str:
        """Say that weights are rounded, where their printed digits do not add up to 1 though they do."""
        row = np.asarray(weights, dtype=np.float64)
        if not np.isfinite(row).all() or abs(math.fsum(row.tolist()) - 1) > 1e-9:
            return ""
        return "" if sum(self.printed(row).tolist()) == 1 else "rounded; exact sum 1"
