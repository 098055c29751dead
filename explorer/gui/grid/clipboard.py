"""Numbers on their way to the clipboard, and texts on their way from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from explorer.core.matrices import Matrix, shape_text
from explorer.errors import ExplorerError
from explorer.formats.copying import COPIES
from explorer.gui.grid.model import GridModel, label_of

MOST_COPIED = 1_000_000
KINDS: tuple[tuple[str, str], ...] = tuple((kind, title) for kind, title, _ in COPIES)


@dataclass(frozen=True, eq=False)
class Copied:
    """True values (rows, columns) with what names them; ``name`` is what they are called."""

    name: str
    values: Matrix
    row_labels: Sequence[str] = ()
    column_labels: Sequence[str] = ()


def copied_from(model: GridModel, name: str, first: tuple[int, int], last: tuple[int, int]) -> Copied:
    """A block of a grid with its labels, the last cell included."""
    snapshot, matrix = model.snapshot, model.matrix
    if snapshot is None or matrix is None:
        raise ExplorerError(f"{name} is not given", "choose another source, or add it")
    rows, columns = (range(a, b + 1) for a, b in zip(first, last, strict=True))
    axes = ((model.axes.row, rows), (model.axes.column, columns))
    labels = [tuple(label_of(snapshot, axis, at) for at in places) if axis else () for axis, places in axes]
    return Copied(name, matrix[rows.start : rows.stop, columns.start : columns.stop], *labels)


def put(copied: Copied, kind: str, decimals: int) -> str:
    """Put numbers on the clipboard in one of KINDS; what was done, in a sentence."""
    shape = shape_text(copied.values.shape)
    if copied.values.size > MOST_COPIED:
        raise ExplorerError(f"{copied.name}: {shape} numbers are too many to copy", f"copy at most {MOST_COPIED}")
    title, write = next((title, write) for id_, title, write in COPIES if id_ == kind)
    text = write(copied.values, copied.row_labels, copied.column_labels, decimals)
    QGuiApplication.clipboard().setText(text)
    return f"{copied.name}: {shape} copied, {title}"


def text() -> str:
    """What is on the clipboard."""
    data = QGuiApplication.clipboard().mimeData()
    if data is None or not data.hasText() or not data.text().strip():
        raise ExplorerError("no text is on the clipboard", "copy some numbers first")
    return data.text()


def paste_line(line: QLineEdit) -> None:
    """Put the first line of what is on the clipboard in the place of what is selected in an editor."""
    data = QGuiApplication.clipboard().mimeData()
    lines = data.text().strip().splitlines() if data is not None else []
    if lines:
        line.insert(lines[0])
