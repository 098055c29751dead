"""A matrix, or a block of one, as text for the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from explorer.core.matrices import Matrix, shape_text
from explorer.formats import latex, markdown
from explorer.formats.cells import cell_text

# Numbers, row labels, column labels, decimals: what every copy is offered, whether it uses it or not.
Write = Callable[[Matrix, Sequence[str], Sequence[str], int], str]
_NUMPY = {"inf": "np.inf", "-inf": "-np.inf", "nan": "np.nan"}


def as_tsv(values: Matrix) -> str:
    """Full precision with tabs between cells, as spreadsheets and the grids take it."""
    return _lines(values, "\t")


def as_row(values: Matrix) -> str:
    """Full precision with commas between the numbers, one row a line."""
    return _lines(values, ", ")


def as_numpy(values: Matrix) -> str:
    """Python that makes the same array again, bit for bit, after ``import numpy as np``."""
    if not values.size:
        return f"np.zeros(({shape_text(values.shape).replace(' x ', ', ')}))"
    rows = (", ".join(_NUMPY.get(repr(x), repr(x)) for x in row) for row in values.tolist())
    inner = "],\n          [".join(rows)
    return f"np.array([[{inner}]])"


def as_markdown(values: Matrix, row_labels: Sequence[str], column_labels: Sequence[str], decimals: int) -> str:
    """A table with so many decimals."""
    return markdown.table(values, row_labels, column_labels, decimals)


def as_latex(values: Matrix, decimals: int) -> str:
    """A matrix in square brackets with so many decimals, never folded."""
    return latex.matrix(values, decimals)


def _lines(values: Matrix, separator: str) -> str:
    return "\n".join(separator.join(map(cell_text, row)) for row in values.tolist())


COPIES: tuple[tuple[str, str, Write], ...] = (
    ("tsv", "Tab-separated", lambda values, rows, columns, decimals: as_tsv(values)),
    ("markdown", "Markdown table", as_markdown),
    ("latex", "LaTeX bmatrix", lambda values, rows, columns, decimals: as_latex(values, decimals)),
    ("numpy", "NumPy array", lambda values, rows, columns, decimals: as_numpy(values)),
    ("row", "Comma-separated rows", lambda values, rows, columns, decimals: as_row(values)),
)
