"""Numbers as a person gives them, beside numbers as computed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.carrying import Near
from explorer.core.matrices import Matrix

Booleans = NDArray[np.bool_]

# Two ways to compute a number differ by rounding: by this much of it and, where terms cancel, of the largest beside it.
_OF_ITSELF, _OF_LARGEST = 1e-12, 1e-14
# Of these a tiny number is as telling as a large one.
_POSITIVE_STAGES = {"exponentials", "row_sums", "weights"}


@dataclass(frozen=True, eq=False)
class Answer:
    """One stage as a person gives it: ``values`` (rows, columns), each right to within its ``half_units``.

    ``given`` (rows, columns) is False for a cell left out; rows that are missing at the end are left out too. A stage
    with one number a row (row_sums, entropy) has one column.
    """

    values: Matrix
    half_units: Matrix
    given: Booleans

    @property
    def shape(self) -> tuple[int, ...]:
        """(rows, columns)."""
        return self.values.shape

    def with_rows(self, count: int) -> Answer:
        """The same with as many rows as the stage has, those at the end left out."""
        more = ((0, count - self.shape[0]), (0, 0))
        return Answer(np.pad(self.values, more), np.pad(self.half_units, more), np.pad(self.given, more))


def agreement(name: str, answer: Answer, near: Near) -> tuple[Booleans, Booleans]:
    """Where an answer equals computed numbers up to float64 rounding, and where at the digits given.

    Parameters
    ----------
    name : str
        The stage, as in `Answer`; weights and exponentials are compared digit by digit however small they are.
    answer : Answer
    near : Near
        (rows, columns), with how far the numbers may be off.

    Returns
    -------
    equal, within : (rows, columns) boolean arrays
        A cell left out agrees; inf and NaN agree with themselves.

    Examples
    --------
    >>> one = Answer(np.array([[0.67, 0.5]]), np.array([[0.005, 0.05]]), np.array([[True, True]]))
    >>> agreement("weights", one, exactly(np.array([[0.6698, 0.5]])))
    (array([[False,  True]]), array([[ True,  True]]))
    """
    finite = np.isfinite(near.values)
    size = np.abs(np.where(finite, near.values, 0.0))  # an infinite number leaves no room around it
    slack = _OF_ITSELF * size
    if name not in _POSITIVE_STAGES:
        slack = slack + _OF_LARGEST * np.max(size, axis=1, initial=0.0, keepdims=True)
    room = slack + answer.half_units + np.where(np.isfinite(near.radius), near.radius, 0.0)
    with np.errstate(all="ignore"):
        off = np.abs(answer.values - near.values)
    same = (answer.values == near.values) | (np.isnan(answer.values) & np.isnan(near.values)) | ~answer.given
    return same | (off <= slack), same | (off <= room)


def rows_in(cells: Booleans) -> Booleans:
    """The rows that agree in every cell.

    Parameters
    ----------
    cells : (rows, columns) boolean array

    Returns
    -------
    (rows,) boolean array

    Examples
    --------
    >>> rows_in(np.array([[True, True], [True, False]]))
    array([ True, False])
    """
    return np.asarray(cells.all(axis=1))


def exactly(values: Matrix) -> Near:
    """Computed numbers as they are, one for each row in one column where they are (n,).

    Parameters
    ----------
    values : (n, m) or (n,) array

    Returns
    -------
    Near
        (n, m) or (n, 1), radius 0.

    Examples
    --------
    >>> exactly(np.array([1.0, 2.0])).values.shape
    (2, 1)
    """
    columns = values if values.ndim == 2 else values[:, None]
    return Near(columns, np.zeros(columns.shape))


def hints(name: str, answer: Answer, truth: Matrix, row: int) -> Iterator[str]:
    """What may have gone wrong in one row, without telling the right numbers; most telling first.

    Parameters
    ----------
    name : str
        The stage.
    answer : Answer
    truth : (rows, columns) array
        The right numbers.
    row : int
        From 0.

    Yields
    ------
    str
        Half a sentence each.

    Examples
    --------
    >>> one = Answer(np.array([[0.66, 0.33]]), np.array([[0.005, 0.005]]), np.array([[True, True]]))
    >>> list(hints("weights", one, np.array([[0.6698, 0.3302]]), 0))
    ['cut off instead of rounded', 'column 1 is off']
    """
    _, within = agreement(name, answer, exactly(truth))
    typed, half, given = answer.values[row], answer.half_units[row], answer.given[row]
    off = np.flatnonzero(~within[row])
    with np.errstate(all="ignore"):
        short = np.abs(truth[row]) - np.abs(typed)
        is_cut = (typed * truth[row] >= 0) & (short > 0) & (short < 2 * half)
        if is_cut[off].all():
            yield "cut off instead of rounded"
        if np.allclose(-typed[off], truth[row, off], rtol=0, atol=float(half.max(initial=0.0))):
            yield "of the wrong sign"
        if name == "weights" and given.all() and abs(typed.sum() - 1) > half.sum() + 1e-9:
            yield f"the row sums to {typed.sum():.6g}, not to 1"
    if truth.shape[0] == truth.shape[1]:
        _, turned = agreement(name, answer, exactly(truth.T))
        if turned[row].all():
            yield "matches the transpose"
    if truth.shape[1] == 1:
        yield "does not match"
        return
    columns = ", ".join(str(j + 1) for j in off[:6].tolist()) + (", ..." if len(off) > 6 else "")
    yield f"column {columns} is off" if len(off) == 1 else f"columns {columns} are off"
