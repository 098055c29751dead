"""The point of the convex hull of the value rows that is nearest to a given point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.matrices import frozen_matrix
from explorer.errors import ExplorerError

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

MOST_ROWS = 200
INSIDE = 1e-9  # of the diameter

_OPTIMAL = 1e-13  # in diameters: a distance that is none, also from the plane through the nearest point
_NOISE = 2.0**-50  # rounding of a product of two lengths in diameters
_FARTHEST = 400  # powers of 2 between the rows and the point
_MOST_CYCLES = 50  # for each row and column; Wolfe's algorithm needs about 1 for all


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest point (d_v,) of a hull, its shares (n_k,) of the rows, its distance in diameters, the verdict."""

    point: Vector
    shares: Vector
    distance: float
    verdict: str


def nearest_in_hull(v: ArrayLike, x: Vector | Sequence[float]) -> Nearest:
    """Find the point of the convex hull of rows that is nearest to a point, and say whether it is that point.

    ``min |x - s V|`` over ``s >= 0, sum s = 1``.

    Parameters
    ----------
    v : (n_k, d_v) array
        1 to 200 rows.
    x : (d_v,) array

    Returns
    -------
    Nearest
        ``shares @ v`` is the point. The distance is in diameters of v (the largest distance of two rows), or, where all
        rows are equal, in units of their largest number (if that is 0 too, of the largest of x). "inside": no farther
        than 1e-9 diameters, or than ``(n_k + 2) 2^-52 |v|``, which a blend of such rows may be rounded by; "in the box
        only": not so, but every coordinate is within its column's range by the same tolerance; else "outside".

    Raises
    ------
    ExplorerError
        For no rows, more than 200, another width than x has, or a number that is not finite.

    Notes
    -----
    P. Wolfe, Finding the nearest point in a polytope, Mathematical Programming 11 (1976).

    Examples
    --------
    >>> corners = [[0, 0], [4, 0], [0, 3]]
    >>> found = nearest_in_hull(corners, [4, 3])
    >>> found.point.round(2), found.shares.round(2), round(found.distance, 2), found.verdict
    (array([2.56, 1.08]), array([0.  , 0.64, 0.36]), 0.48, 'in the box only')
    >>> nearest_in_hull(corners, [1, 1]).verdict
    'inside'
    """
    rows, target = _checked(v, x)
    seen = _scaled(rows, target)
    diameter = max(float(_length(seen.u - row).max()) for row in seen.u)
    unit = diameter or seen.size
    shares = _wolfe(seen.u / unit, seen.t / unit)
    u = np.ldexp(seen.u, -seen.far)
    rest = float(_length(seen.t - shares @ u))
    tolerance = max(INSIDE * math.ldexp(diameter, -seen.far), (len(u) + 2) * 2.0**-52 * seen.magnitude)
    is_in_box = ((seen.t >= u.min(axis=0) - tolerance) & (seen.t <= u.max(axis=0) + tolerance)).all()
    verdict = "inside" if rest <= tolerance else "in the box only" if is_in_box else "outside"
    with np.errstate(over="ignore"):
        distance = float(np.ldexp(rest / unit, seen.far))
    return Nearest(_readonly(shares @ rows), _readonly(shares), distance, verdict)


def _checked(v: ArrayLike, x: Vector | Sequence[float]) -> tuple[Matrix, Vector]:
    rows, target = frozen_matrix(v, "v"), frozen_matrix(np.array([x]), "the point")[0]
    if not 1 <= len(rows) <= MOST_ROWS:
        raise ExplorerError(f"V has {len(rows)} rows", f"the hull is of 1 to {MOST_ROWS} rows: choose some of them")
    if rows.shape[1] != len(target):
        raise ExplorerError(f"the point has {len(target)} coordinates", f"give {rows.shape[1]}, as V has columns")
    if not np.isfinite(rows).all():
        first = int(np.argmin(np.isfinite(rows).all(axis=1)))
        raise ExplorerError(f"row {first + 1} of V is not finite", "type finite numbers, or leave the row out")
    if not np.isfinite(target).all():
        raise ExplorerError("the point is not finite", "give finite coordinates")
    return rows, target


@dataclass(frozen=True, eq=False)
class _Scaled:
    """Rows u and point t seen from the first row, by powers of 2 so that no square leaves the range.

    ``size`` is u's largest number. A point too far off is brought nearer along its ray, by 2^far; ``magnitude`` is the
    length of the rows' own largest numbers, in units of t.
    """

    u: Matrix
    t: Vector
    size: float
    far: int
    magnitude: float


def _scaled(rows: Matrix, target: Vector) -> _Scaled:
    safe = 0.25 if max(_largest(rows), _largest(target)) > 2.0**1020 else 1.0  # where a difference may overflow
    u, t = safe * rows - safe * rows[0], safe * target - safe * rows[0]
    # A column in which nothing differs is not rounded by a blend either.
    differs = (u != 0).any(axis=0) | (t != 0)
    sizes = safe * np.abs(rows[:, differs]).max(axis=0)
    size, exponent = math.frexp(_largest(u) or safe * _largest(rows) or _largest(t) or 1.0)
    far = max(0, math.frexp(_largest(t))[1] - exponent - _FARTHEST)
    magnitude = float(_length(np.ldexp(sizes, -exponent - far)))
    return _Scaled(np.ldexp(u, -exponent), np.ldexp(t, -exponent - far), size, far, magnitude)


def _wolfe(u: Matrix, t: Vector) -> Vector:
    """Shares of the point of the hull of u, of diameter 1, nearest to t.

    Major cycles: a row beyond the plane through the point so far joins the corral, the rows that the point is made of.
    Near the hull this plane is rounding, so rows close to it are tried too, each once until something is won.
    """
    corral, shares = [int(np.argmin(_length(u - t)))], np.ones(1)
    tried: list[int] = []
    for _ in range(_MOST_CYCLES * sum(u.shape)):
        point = shares @ u[corral]
        rest = t - point
        length = float(_length(rest))
        beyond = (u - point) @ rest  # (n_k,)
        beyond[corral + tried] = -np.inf
        row = int(np.argmax(beyond))
        if length <= _OPTIMAL or beyond[row] <= _OPTIMAL * length - _NOISE:
            break
        larger, theirs = _minor_cycles(u, t, [*corral, row], np.append(shares, 0.0))
        after = theirs @ u[larger]
        won = (after - point) @ (rest + (t - after))  # |rest|^2 less what it becomes, without its cancellation
        tried = [] if won > _NOISE * length else [*tried, row]
        if won > -_NOISE * length:
            corral, shares = larger, theirs
    everybody = np.zeros(len(u))
    everybody[corral] = shares / shares.sum()
    return everybody


def _minor_cycles(u: Matrix, t: Vector, corral: list[int], shares: Vector) -> tuple[list[int], Vector]:
    """Move to the nearest point of the corral's plane; rows whose share would turn negative on the way leave it."""
    while True:
        ideal = _shares_in_plane(u[corral], t)
        falls = ideal <= 0
        if not falls.any():
            return corral, ideal
        way = shares - ideal
        reach = np.where(falls, np.divide(shares, way, out=np.zeros(len(way)), where=way > 0), np.inf)
        first = int(np.argmin(reach))
        shares = shares - reach[first] * way
        stays = shares > 0
        stays[first] = False
        corral, shares = [row for row, stay in zip(corral, stays, strict=True) if stay], shares[stays]
        shares = shares / shares.sum()


def _shares_in_plane(points: Matrix, t: Vector) -> Vector:
    """Shares of sum 1, of any sign, of the point nearest to t in the plane through some points."""
    edges = (points[1:] - points[0]).T  # (d_v, n - 1)
    if edges.shape[1] == 0:
        return np.ones(1)
    along = np.linalg.lstsq(edges, t - points[0], rcond=None)[0]
    return np.concatenate([[1.0 - along.sum()], along])


def _length(vectors: Matrix) -> Vector:
    return np.asarray(np.sqrt((vectors**2).sum(axis=-1)))


def _largest(array: NDArray[np.float64]) -> float:
    return float(np.abs(array).max(initial=0.0))


def _readonly(array: Vector) -> Vector:
    array.setflags(write=False)
    return array
