"""Numbers as a person gives them, beside numbers as computed."""

from __future__ import annotations

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
# What a few operations in float32 lose, of a number or of the largest beside it.
_SINGLE = 4e-6


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
    size, largest = _sizes(name, near)
    slack = _OF_ITSELF * size + _OF_LARGEST * largest
    room = slack + answer.half_units + np.where(np.isfinite(near.radius), near.radius, 0.0)
    off, same = _differences(answer, near)
    return same | (off <= slack), same | (off <= room)


def agrees_in_float32(name: str, answer: Answer, near: Near) -> Booleans:
    """Where an answer equals computed numbers as far as single precision goes, whatever digits are given.

    Parameters
    ----------
    name, answer, near
        As for `agreement`.

    Returns
    -------
    (rows, columns) boolean array

    Examples
    --------
    >>> one = Answer(np.array([[0.66976160]]), np.array([[5e-9]]), np.array([[True]]))
    >>> agrees_in_float32("weights", one, exactly(np.array([[0.66976155]])))
    array([[ True]])
    """
    size, largest = _sizes(name, near)
    off, same = _differences(answer, near)
    return same | (off <= _SINGLE * np.maximum(size, largest))


def _sizes(name: str, near: Near) -> tuple[Matrix, Matrix]:
    """How large each number is, and where terms may have cancelled the largest of its row; infinity leaves no room."""
    size = np.abs(np.where(np.isfinite(near.values), near.values, 0.0))
    if name in _POSITIVE_STAGES:
        return size, np.zeros((len(size), 1))
    return size, np.max(size, axis=1, initial=0.0, keepdims=True)


def _differences(answer: Answer, near: Near) -> tuple[Matrix, Booleans]:
    with np.errstate(all="ignore"):
        off = np.abs(answer.values - near.values)
    same = (answer.values == near.values) | (np.isnan(answer.values) & np.isnan(near.values)) | ~answer.given
    return off, same


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
