"""Tables and worked solutions as GitHub-flavoured Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.core.attention import Attention
from explorer.core.matrices import Matrix
from explorer.core.rounding import copied
from explorer.core.typesetting import folded_cells, places
from explorer.formats.cells import cell_text
from explorer.formats.solution import Section, entropies, left_out, notes, sections
from explorer.state.document import Document

_ACTIVE = "\\`*_[]<>|$~&#"
_MARKS = ("⋯", "⋮", "⋱")


def table(
    values: Matrix,
    row_labels: Sequence[str] = (),
    column_labels: Sequence[str] = (),
    decimals: int | None = None,
) -> str:
    """A whole matrix as a table; without decimals at full precision."""
    texts = [[_number(x, decimals) for x in row] for row in values.tolist()]
    return _table(texts, row_labels, column_labels, values.shape[1])


def _number(value: float, decimals: int | None) -> str:
    return cell_text(value) if decimals is None else copied(value, decimals)


def _table(texts: Sequence[Sequence[str]], row_labels: Sequence[str], column_labels: Sequence[str], width: int) -> str:
    header = [escape(label) for label in column_labels] or [""] * max(width, not row_labels)
    rows = [header, ["---:"] * len(header), *(list(row) or [""] * (not row_labels) for row in texts)]
    if row_labels:
        margin = ["", "---", *(escape(label) for label in row_labels)]
        rows = [[label, *row] for label, row in zip(margin, rows, strict=True)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def escape(text: str) -> str:
    """Any text, on one line, as Markdown that prints it."""
    return "".join(f"\\{letter}" if letter in _ACTIVE else letter if letter.isprintable() else " " for letter in text)


def write(document: Document, attention: Attention, decimals: int) -> str:
    """The worked solution, stage by stage."""
    blocks = [f"# {escape(document.title or 'Untitled')}"]
    for section in sections(document, attention, decimals):
        blocks += _blocks(section, decimals)
        if section.name == "weights":
            blocks += [escape(note) for note in notes(document, attention, decimals)]

    def entry(token: str, word: str, value: float) -> str:
        return f"{escape(token)}: {word or copied(value, decimals)}"

    if len(attention.entropy):
        blocks.append(f"Entropy (nats): {entropies(document, attention, entry)}")
    return "\n\n".join(blocks) + "\n"


def _blocks(section: Section, decimals: int) -> list[str]:
    """Heading, table, and what is left out of it."""
    rows, columns = section.values.shape
    about = f"${section.equation}$" if section.equation else "as given"
    cells = folded_cells(section.values, lambda x: copied(x, decimals), _MARKS)
    names, tokens = (
        [mark if place is None else labels[place] for place in places(len(labels))]
        for labels, mark in ((section.row_labels, _MARKS[1]), (section.column_labels, _MARKS[0]))
    )
    said = left_out(section.values.shape)
    parts = [f"## {escape(section.heading)} ({rows} × {columns}): {about}"]
    return [*parts, _table(cells, names, tokens, len(places(columns))), *([said] if said else [])]
