"""What was made of a file or a pasted text, for a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.core.matrices import shape_text
from explorer.formats.cells import cell_text
from explorer.formats.imported import Imported
from explorer.formats.mask_readings import FAMILIES, readings_of_mask
from explorer.formats.printable import printable

# More rows and columns than these are counted, not printed.
_MOST = 12


def write(imported: Imported) -> str:
    """Its kind, shape, names and numbers, what may be asked, and the notes."""
    return "\n".join(printable(line) for line in _lines(imported, "")) + "\n"


def _lines(imported: Imported, margin: str) -> Iterator[str]:
    yield margin + _heading(imported)
    if imported.tokens:
        yield f"{margin}tokens: {', '.join(imported.tokens)}"
    if imported.values is not None:
        yield from (f"{margin}  {line}" for line in _table(imported))
    for name, matrix in imported.matrices.items():
        yield f"{margin}{name}:"
        yield from _lines(matrix, margin + "  ")
    if imported.kind == "mask":
        yield f"{margin}{'; or '.join(FAMILIES[label] for label, _ in readings_of_mask(imported))}"
    for option in imported.options:
        yield f"{margin}{option.label}:"
        yield from _lines(option.reading, margin + "  ")
    yield from (f"{margin}note: {note}" for note in imported.notes)


def _heading(imported: Imported) -> str:
    name = f" {imported.name}" if imported.name else ""
    if imported.kind == "session":
        assert imported.session is not None
        return f"session {imported.session[0].title}".rstrip()
    if imported.kind == "choice":
        return f"choice{name}: {len(imported.options)} ways to read it, the likelier first"
    if imported.kind == "named":
        return f"named matrices{name}: {', '.join(imported.matrices)}"
    assert imported.values is not None
    axes = f" ({', '.join(imported.axes)}); the first slice:" if imported.axes else ""
    return f"{imported.kind}{name} {shape_text(imported.values.shape)}{axes}"


def _table(imported: Imported) -> Iterator[str]:
    values = imported.values
    assert values is not None
    while values.ndim > 2:
        values = values[0]
    rows, columns = values.shape
    if rows > _MOST or columns > _MOST:
        yield f"(first {min(rows, _MOST)} rows and {min(columns, _MOST)} columns)"
    shown = [[_cell(value) for value in row[:_MOST]] for row in values[:_MOST]]
    if any(imported.column_labels):
        shown.insert(0, [label or "" for label in imported.column_labels[:_MOST]])
    if any(imported.row_labels):
        labels = [label or "" for label in imported.row_labels[:_MOST]]
        labels = [""] * (len(shown) - len(labels)) + labels
        shown = [[label, *row] for label, row in zip(labels, shown, strict=True)]
    width = max((len(text) for row in shown for text in row), default=0)
    yield from ("  ".join(f"{text:>{width}}" for text in row) for row in shown)


def _cell(value: float | bool | np.generic) -> str:
    return str(bool(value)) if isinstance(value, bool | np.bool_) else cell_text(float(value))
