"""What a file or a pasted text turned out to hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from explorer.state.document import Document, Labels, Texts, View

Numbers = NDArray[np.float64]
Booleans = NDArray[np.bool_]
NOTHING: Mapping[str, Imported] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Option:
    """One way to read something ambiguous."""

    label: str
    reading: Imported


@dataclass(frozen=True, eq=False)
class Imported:
    """One reading; ``kind`` says which fields it has.

    "matrix": ``values`` (n, m) float64, ``texts`` what was written where it says more than the number, labels.
    "tensor": ``values`` of 3 to 5 dimensions and the name of each in ``axes``, the last two rows and columns; labels.
    "mask": ``values`` (n, m) bool as written, whatever True means.
    "named": ``matrices`` by name, each a matrix, tensor or mask.
    "choice": ``options``, the likelier first.
    "session": ``session``.

    ``name`` is the variable or file entry it was called, ``tokens`` labels for queries and keys alike, ``notes``
    sentences on what was done to read it.
    """

    kind: str
    values: Numbers | Booleans | None = None
    texts: Texts | None = None
    row_labels: Labels = ()
    column_labels: Labels = ()
    axes: tuple[str, ...] = ()
    matrices: Mapping[str, Imported] = field(default_factory=lambda: NOTHING)
    options: tuple[Option, ...] = ()
    name: str = ""
    tokens: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    session: tuple[Document, View] | None = None

    def __post_init__(self) -> None:
        if self.values is not None:
            self.values.setflags(write=False)

    @property
    def numbers(self) -> Numbers:
        """The values of a matrix or tensor; those of a mask as 0 and 1."""
        assert self.values is not None
        return np.asarray(self.values, dtype=np.float64)
