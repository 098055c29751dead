"""A problem: where the numbers of one attention computation enter, with its dials."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from explorer.core.masks import NO_MASK, Allowed, Mask, allowed_cells
from explorer.core.matrices import Matrix, check_shapes, frozen_matrix, shape_text
from explorer.errors import ExplorerError


class _Source:
    """What the four sources share: named matrices whose dimensions, named in ``DIMENSIONS``, must agree."""

    kind: ClassVar[str]
    DIMENSIONS: ClassVar[Mapping[str, tuple[str, str]]]

    def __post_init__(self) -> None:
        for name in self.DIMENSIONS:
            if getattr(self, name) is not None:
                object.__setattr__(self, name, frozen_matrix(getattr(self, name), name))
        check_shapes(self.matrices, self.dimensions)

    @property
    def matrices(self) -> dict[str, Matrix]:
        """The matrices that are given, by name, in the order of the window."""
        return {name: getattr(self, name) for name in self.DIMENSIONS if getattr(self, name) is not None}

    @property
    def dimensions(self) -> Mapping[str, tuple[str, str]]:
        """Names of the dimensions (rows, columns) of each matrix."""
        return self.DIMENSIONS

    def size(self, dimension: str) -> int | None:
        """How long a dimension is; None when no given matrix has it."""
        for name, matrix in self.matrices.items():
            if dimension in self.dimensions[name]:
                return int(matrix.shape[self.dimensions[name].index(dimension)])
        return None


@dataclass(frozen=True, eq=False)
class Projection(_Source):
    """Token rows x (n_q, d_model) and projections; ``memory`` (n_k, d_memory) is the other sequence, if any."""

    x: Matrix
    w_q: Matrix
    w_k: Matrix
    w_v: Matrix | None = None
    memory: Matrix | None = None
    kind: ClassVar[str] = "projection"
    DIMENSIONS: ClassVar[Mapping[str, tuple[str, str]]] = {
        "x": ("n_q", "d_model"), "memory": ("n_k", "d_memory"),
        "w_q": ("d_model", "d_k"), "w_k": ("d_memory", "d_k"), "w_v": ("d_memory", "d_v"),
    }  # fmt: skip

    @property
    def dimensions(self) -> Mapping[str, tuple[str, str]]:
        """Without memory keys are the queries' own tokens: one length, one width."""
        if self.memory is not None:
            return self.DIMENSIONS
        one = {"n_k": "n_q", "d_memory": "d_model"}
        return {name: (one.get(r, r), one.get(c, c)) for name, (r, c) in self.DIMENSIONS.items()}


@dataclass(frozen=True, eq=False)
class QKV(_Source):
    """Queries q (n_q, d_k), keys k (n_k, d_k), values v (n_k, d_v) or None."""

    q: Matrix
    k: Matrix
    v: Matrix | None = None
    kind: ClassVar[str] = "qkv"
    DIMENSIONS: ClassVar[Mapping[str, tuple[str, str]]] = {
        "q": ("n_q", "d_k"), "k": ("n_k", "d_k"), "v": ("n_k", "d_v"),
    }  # fmt: skip


@dataclass(frozen=True, eq=False)
class Scores(_Source):
    """Typed scores (n_q, n_k); ``d_k`` only serves the scale sqrt(d_k). A typed -inf hides its cell."""

    scores: Matrix
    v: Matrix | None = None
    d_k: int | None = None
    kind: ClassVar[str] = "scores"
    DIMENSIONS: ClassVar[Mapping[str, tuple[str, str]]] = {"scores": ("n_q", "n_k"), "v": ("n_k", "d_v")}

    def __post_init__(self) -> None:
        super().__post_init__()
        is_whole = isinstance(self.d_k, np.integer) or (_is_number(self.d_k) and float(self.d_k or 0).is_integer())
        if self.d_k is not None and not (is_whole and self.d_k >= 0):
            raise ExplorerError(f"d_k is {self.d_k!r}", "give a whole number from 0, or leave it out")


@dataclass(frozen=True, eq=False)
class Weights(_Source):
    """Ready-made weights (n_q, n_k), used as typed and never softmaxed."""

    weights: Matrix
    v: Matrix | None = None
    kind: ClassVar[str] = "weights"
    DIMENSIONS: ClassVar[Mapping[str, tuple[str, str]]] = {"weights": ("n_q", "n_k"), "v": ("n_k", "d_v")}


Source = Projection | QKV | Scores | Weights
SOURCES: tuple[type[Projection] | type[QKV] | type[Scores] | type[Weights], ...] = (Projection, QKV, Scores, Weights)


@dataclass(frozen=True, eq=False)
class Problem:
    """One attention computation: softmax(beta * (softcap(q k^T / scale) + bias) + shift) v over the allowed keys.

    ``scale`` is the divisor, "sqrt_dk" or a number > 0; ``beta`` any real, inf or -inf; ``softcap`` 0 = off;
    ``bias`` (n_q, n_k) is added after scale and softcap, a -inf in it hides its cell.

    Raises
    ------
    ExplorerError
        When shapes do not fit (both are named, with the repair) or a dial is out of range.

    Examples
    --------
    >>> Problem(QKV([[1, 0]], [[1, 0], [0, 1]])).divisor
    1.4142135623730951
    """

    source: Source
    scale: str | float = "sqrt_dk"
    beta: float = 1.0
    shift: float = 0.0
    mask: Mask = NO_MASK
    bias: Matrix | None = None
    softcap: float = 0.0

    def __post_init__(self) -> None:
        for dial in ("scale", "beta", "shift", "softcap"):
            if isinstance(getattr(self, dial), np.number):
                object.__setattr__(self, dial, getattr(self, dial).item())
        self._check_dials()
        if self.bias is not None:
            object.__setattr__(self, "bias", frozen_matrix(self.bias, "bias"))
            if self.bias.shape != self.shape:
                have, need = shape_text(self.bias.shape), shape_text(self.shape)
                raise ExplorerError(f"bias is {have}, the scores are {need}", f"make bias {need}")
        _ = self.masked_in

    def _check_dials(self) -> None:
        if self.scale != "sqrt_dk" and not (_is_number(self.scale) and 0 < float(self.scale) < math.inf):
            raise ExplorerError(f"scale is {self.scale!r}", 'give "sqrt_dk" or a number above 0')
        if not _is_number(self.beta) or math.isnan(self.beta):
            raise ExplorerError(f"beta is {self.beta!r}", "give any number, inf or -inf")
        if not _is_number(self.shift) or not math.isfinite(self.shift):
            raise ExplorerError(f"shift is {self.shift!r}", "give a finite number")
        if not _is_number(self.softcap) or not 0 <= self.softcap < math.inf:
            raise ExplorerError(f"softcap is {self.softcap!r}", "give 0 for none, or a number above 0")
        if self.scale == "sqrt_dk" and self.d_k is None and self.source.kind != "weights":
            raise ExplorerError("scale sqrt(d_k) needs d_k, which typed scores do not have", "give d_k, or a number")

    @property
    def shape(self) -> tuple[int, int]:
        """(n_q, n_k)."""
        return self.n_q, self.n_k

    @property
    def n_q(self) -> int:
        """Number of queries."""
        return self.source.size("n_q") or 0

    @property
    def n_k(self) -> int:
        """Number of keys."""
        own = self.source.size("n_k")
        return self.n_q if own is None else own

    @property
    def d_k(self) -> int | None:
        """Width of a query; None where typed scores or weights give none."""
        return getattr(self.source, "d_k", None) if self.source.kind == "scores" else self.source.size("d_k")

    @property
    def d_v(self) -> int | None:
        """Width of a value; None without values."""
        return self.source.size("d_v")

    @property
    def divisor(self) -> float:
        """The number that scores are divided by; d_k = 0 gives 1."""
        if self.scale != "sqrt_dk":
            return float(self.scale)
        return math.sqrt(self.d_k) if self.d_k else 1.0

    @cached_property
    def masked_in(self) -> Allowed:
        """What the mask alone allows (n_q, n_k), before typed -inf."""
        return allowed_cells(self.mask, *self.shape)

    @property
    def has_shared_tokens(self) -> bool:
        """True when queries and keys are the same tokens, with one list of labels."""
        return self.source.kind == "projection" and getattr(self.source, "memory", None) is None


def _is_number(value: object) -> bool:
    """Whether a value is a float, or an integer that fits into one."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, float) or abs(value) <= sys.float_info.max


def with_fields(source: Source, **matrices: Matrix | None) -> Source:
    """Make a source of the same kind with other matrices.

    Parameters
    ----------
    source : Projection, QKV, Scores or Weights
    **matrices : (n, m) array or None
        By field name.

    Returns
    -------
    Source
        Checked as a new one is.

    Examples
    --------
    >>> with_fields(Scores([[1, 2]], d_k=4), scores=[[3, 4]]).scores
    array([[3., 4.]])
    """
    # Which fields there are depends on the kind, which types cannot say.
    changed: Source = replace(source, **matrices)  # type: ignore[arg-type]
    return changed


def source_fields(kind: str) -> tuple[str, ...]:
    """Name the fields of the source of a kind, as they stand in a session file.

    Parameters
    ----------
    kind : str
        "projection", "qkv", "scores" or "weights".

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> source_fields("scores")
    ('scores', 'v', 'd_k')
    """
    return tuple(field.name for source in SOURCES if source.kind == kind for field in fields(source))
