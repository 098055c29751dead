"""Matrices as the core takes them: float64, read-only, of shapes that fit together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.errors import ExplorerError

Matrix = NDArray[np.float64]

NAMES: Mapping[str, str] = {
    "x": "X", "memory": "memory", "w_q": "W_Q", "w_k": "W_K", "w_v": "W_V",
    "q": "Q", "k": "K", "v": "V", "scores": "scores", "weights": "weights", "bias": "bias",
}  # fmt: skip


def frozen_matrix(values: ArrayLike, name: str) -> Matrix:
    """Copy values into a read-only float64 matrix; one of ours passes through, so identity answers "the same?".

    Parameters
    ----------
    values : (n, m) array or n lists of m numbers
    name : str
        A key of `NAMES`, or another word, for the error.

    Returns
    -------
    (n, m) array
        Rows in C order, over memory that nobody can write to.

    Raises
    ------
    ExplorerError
        When it is no matrix of real numbers.

    Examples
    --------
    >>> made = frozen_matrix([[1, 2]], "q")
    >>> made, made.flags.writeable, frozen_matrix(made, "q") is made
    (array([[1., 2.]]), False, True)
    """
    if type(values) is np.ndarray and isinstance(values.base, bytes):
        is_ours = values.dtype == np.float64 and values.ndim == 2 and values.flags.c_contiguous
        if is_ours:
            return values
    try:
        given = np.asarray(values)
        # None would become NaN, text a number, and a complex number lose its half with a warning.
        if given.dtype.kind not in "biufO" or (given.dtype.kind == "O" and any(cell is None for cell in given.flat)):
            raise TypeError
        with np.errstate(all="ignore"):
            matrix = given.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ExplorerError(f"{NAMES.get(name, name)} is not a matrix of numbers", "give rows of one length") from None
    if matrix.ndim != 2:
        raise ExplorerError(f"{NAMES.get(name, name)} has {matrix.ndim} dimensions", "give rows and columns")
    # Over bytes nobody, not even the caller through an older view, can write; rows lie in C order.
    return np.ndarray(matrix.shape, np.float64, matrix.tobytes())


def check_shapes(matrices: Mapping[str, Matrix], dimensions: Mapping[str, tuple[str, str]]) -> None:
    """Refuse matrices whose shared dimensions differ.

    Parameters
    ----------
    matrices : mapping of name to (n, m) array
        Names are keys of `NAMES`.
    dimensions : mapping of name to two str
        What the rows and the columns of each matrix are: equal words must have equal lengths.

    Returns
    -------
    None

    Raises
    ------
    ExplorerError
        Naming both shapes and the repair.

    Examples
    --------
    >>> check_shapes({"k": np.eye(2), "v": np.ones((3, 1))}, {"k": ("n_k", "d_k"), "v": ("n_k", "d_v")})
    Traceback (most recent call last):
    explorer.errors.ExplorerError: K is 2 x 2, V is 3 x 1: make K 3 x 2 or V 2 x 1
    """
    seen: dict[str, tuple[str, int]] = {}
    for name, matrix in matrices.items():
        for axis, dimension in enumerate(dimensions[name]):
            first, length = seen.setdefault(dimension, (name, matrix.shape[axis]))
            if length != matrix.shape[axis]:
                theirs = list(matrices[first].shape)
                theirs[dimensions[first].index(dimension)] = matrix.shape[axis]
                ours = list(matrix.shape)
                ours[axis] = length
                other = shape_text(matrices[first].shape)
                have = f"{NAMES[first]} is {other}, {NAMES[name]} is {shape_text(matrix.shape)}"
                repair = f"make {NAMES[first]} {shape_text(theirs)} or {NAMES[name]} {shape_text(ours)}"
                raise ExplorerError(have, repair)


def shape_text(shape: tuple[int, ...] | list[int]) -> str:
    """Write a shape as people do.

    Parameters
    ----------
    shape : sequence of int

    Returns
    -------
    str

    Examples
    --------
    >>> shape_text((3, 2))
    '3 x 2'
    """
    return " x ".join(str(length) for length in shape)
