"""What a file holds, how we look at it, and what a panel is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.attention import Attention
from explorer.core.matrices import Matrix
from explorer.core.problem import Problem
from explorer.errors import ExplorerError

Texts = NDArray[np.object_]
Labels = tuple[str | None, ...]
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Variant:
    """Other dials under which an example is shown; None leaves a dial as it is. ``extra`` is what we do not know."""

    name: str
    beta: float | None = None
    scale: str | float | None = None
    shift: float | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: NOTHING, hash=False)

    def apply(self, problem: Problem) -> Problem:
        """The problem under these dials."""
        dials: dict[str, Any] = {"beta": self.beta, "scale": self.scale, "shift": self.shift}
        return replace(problem, **{name: value for name, value in dials.items() if value is not None})

    def is_shown_by(self, problem: Problem) -> bool:
        """Whether the problem's dials are these."""
        try:
            same = self.apply(problem)
        except ExplorerError:  # sqrt(d_k) where there is no d_k
            return False
        return (same.beta, same.scale, same.shift) == (problem.beta, problem.scale, problem.shift)


def _frozen(texts: Texts) -> Texts:
    """A read-only copy; one that is read-only already passes through."""
    if texts.flags.writeable:
        texts = texts.copy()
        texts.setflags(write=False)
    return texts


@dataclass(frozen=True, eq=False)
class Document:
    """What a session file holds and undo restores.

    ``typed`` keeps, by matrix name, what was typed where it says more than the number ("1/3"): an object array of the
    matrix's shape, None elsewhere. ``earlier`` keeps the last document of each other source kind, for changing back.
    ``stated`` are the numbers a printed source gives, as they stand in the file; ``extra`` is what we do not know.
    """

    problem: Problem
    typed: Mapping[str, Texts] = field(default_factory=lambda: NOTHING)
    query_labels: Labels = ()
    key_labels: Labels = ()
    title: str = ""
    note: str = ""
    stated: tuple[Mapping[str, Any], ...] = ()
    variants: tuple[Variant, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    earlier: Mapping[str, Document] = field(default_factory=lambda: NOTHING)

    def __post_init__(self) -> None:
        object.__setattr__(self, "typed", MappingProxyType({name: _frozen(kept) for name, kept in self.typed.items()}))
        for name, length, what in (
            ("query_labels", self.problem.n_q, "queries"),
            ("key_labels", self.problem.n_k, "keys"),
        ):
            labels = tuple(getattr(self, name)) or (None,) * length
            if len(labels) != length:
                raise ExplorerError(f"{name} has {len(labels)} entries, there are {length} {what}", f"give {length}")
            object.__setattr__(self, name, labels)
        if self.problem.has_shared_tokens and self.query_labels != self.key_labels:
            merged = tuple(q or k for q, k in zip(self.query_labels, self.key_labels, strict=True))
            object.__setattr__(self, "query_labels", merged)
            object.__setattr__(self, "key_labels", merged)

    def query_name(self, row: int) -> str:
        """The token of a query, or its position counted from 1."""
        return self.query_labels[row] or str(row + 1)

    def key_name(self, row: int) -> str:
        """The token of a key, or its position counted from 1."""
        return self.key_labels[row] or str(row + 1)

    def matrix(self, name: str) -> Matrix | None:
        """A matrix that a person can type into, by its name in the file ("q", "bias"); None when not given."""
        return self.problem.bias if name == "bias" else self.problem.source.matrices.get(name)

    def typed_text(self, name: str, row: int, column: int) -> str | None:
        """What was typed into a cell, where it says more than the number."""
        texts = self.typed.get(name)
        return None if texts is None else texts[row, column]


STAGES = ("scores", "scaled", "masked", "logits")
COLORMAPS = ("ink", "cividis", "viridis", "grey")
MOST_DECIMALS = 8


@dataclass(frozen=True)
class View:
    """How we look at a document: chosen query and key, decimals, stage, colours. Never undone."""

    query: int = 0
    key: int = 0
    decimals: int = 3
    stage: str = "scaled"
    colormap: str = "ink"

    def fitted(self, problem: Problem) -> View:
        """This view with its choices inside what there is."""
        query = min(max(self.query, 0), max(problem.n_q - 1, 0))
        key = min(max(self.key, 0), max(problem.n_k - 1, 0))
        decimals = min(max(self.decimals, 0), MOST_DECIMALS)
        return (
            self
            if (query, key, decimals) == (self.query, self.key, self.decimals)
            else replace(self, query=query, key=key, decimals=decimals)
        )


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All that a panel may know: the document, the view, every stage.

    ``before`` is what the last edit replaced (for outlining what it changed), None when nothing was edited yet;
    ``notice`` is what that edit has to say.
    """

    document: Document
    view: View
    attention: Attention
    before: Attention | None = None
    notice: str = ""

    @property
    def problem(self) -> Problem:
        """The document's problem."""
        return self.document.problem
