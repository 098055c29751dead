"""What a pasted text asks for: edits, or first an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from explorer.core.matrices import NAMES, shape_text
from explorer.errors import ExplorerError
from explorer.formats.cells import cell_text
from explorer.formats.imported import Imported
from explorer.formats.mask_readings import Booleans, is_odd, readings_of_mask
from explorer.formats.named_parts import LABEL_ROLES, quoted, role_of
from explorer.state import bias, edits
from explorer.state.document import Document
from explorer.state.edits import Edit, Look
from explorer.state.pasting import Block, Proposal, paste
from explorer.state.replacing import replace_matrices

_SHOWN = 4  # numbers of a first row
MEANINGS: Mapping[str, tuple[str, str]] = {
    "attend": ("may attend", "torch SDPA, JAX, Keras, ONNX"),
    "hide": ("hidden", "torch MultiheadAttention"),
}


@dataclass(frozen=True, eq=False)
class Target:
    """The cell of a matrix, in a document, that a paste begins in."""

    document: Document
    name: str
    row: int
    column: int


Requests = tuple[Edit | Look, ...]


@dataclass(frozen=True, eq=False)
class Answer:
    """One answer to a question: ``text`` on its button, ``words`` beside it, and what follows from it."""

    text: str
    words: str
    take: Callable[[], Requests | Waiting]


@dataclass(frozen=True, eq=False)
class Waiting:
    """A paste that needs an answer first; with a proposal its grid shows that, ``block`` being where the paste lies."""

    message: str
    answers: tuple[Answer, ...]
    proposal: Proposal | None = None
    block: tuple[slice, slice] = (slice(0), slice(0))


Taken = Requests | Waiting


def take_text(text: str, target: Target) -> Taken:
    """Read a text, and say what it asks for at its target; ExplorerError when it cannot be taken there."""
    # The readers are many, and a start needs none of them.
    from explorer.formats.reading import read_text

    return take(read_text(text), target)


def take(read: Imported, target: Target) -> Taken:
    """What something read asks for at a target."""
    if read.kind in _REFUSED:
        raise ExplorerError(*_REFUSED[read.kind])
    return _TAKERS[read.kind](read, target)


def _take_matrix(read: Imported, target: Target) -> Taken:
    assert read.values is not None
    made = paste(target.document, target.name, target.row, target.column, _block(read))
    if isinstance(made, Edit):
        return (_with_notes(made, read.notes),)
    requests = (_with_notes(made.repair, read.notes),)
    answer = Answer("Repair", _repaired(target, made), lambda: requests)
    rows, columns = read.values.shape
    where = slice(target.row, target.row + rows), slice(target.column, target.column + columns)
    return Waiting(made.message, (answer,), made, where)


def _repaired(target: Target, proposal: Proposal) -> str:
    """The other matrices that the repair makes larger."""
    document = target.document
    after = proposal.repair.change(document)
    shapes = [
        f"{NAMES[name]} {shape_text(matrix.shape)}" for name, matrix in after.problem.source.matrices.items()
        if name != target.name and matrix.shape != document.problem.source.matrices[name].shape
    ]  # fmt: skip
    return f"makes {', '.join(shapes)}, with zeros"


def _take_mask(read: Imported, target: Target) -> Taken:
    return _asked(read, target, lambda allowed: edits.set_custom_mask(allowed))


def _asked(read: Imported, target: Target, edit: Callable[[Booleans], Edit]) -> Waiting:
    """Whether True lets a query attend or hides a key from it, once both are known to fit."""
    answers = []
    for meaning, allowed in readings_of_mask(read):
        made = _with_notes(edit(allowed), read.notes)
        made.change(target.document)
        title, who = MEANINGS[meaning]
        hidden = f"{int((~allowed).sum())} of {allowed.size} hidden"
        words = f"{who}: {hidden}{', a whole row or the diagonal' if is_odd(allowed) else ''}"
        answers.append(Answer(title, words, partial(_both, made, bias.SHOW_IT)))
    return Waiting(f"Mask {shape_text(read.values.shape)}: True means", tuple(answers))


def _both(edit: Edit, look: Look) -> Requests:
    return edit, look


def _take_choice(read: Imported, target: Target) -> Taken:
    answers = []
    for option in read.options:
        words, _, how = option.label[:-1].rpartition(" (") if option.label.endswith(")") else ("", "", "")
        reading = replace(option.reading, notes=(*read.notes, *option.reading.notes))
        text, words = (how, words) if words else (option.label, preview(reading))
        answers.append(Answer(text, words, partial(take, reading, target)))
    return Waiting("Which is meant?", tuple(answers))


def preview(read: Imported) -> str:
    """The shape and the first numbers of a reading."""
    if read.values is None:
        return ", ".join(read.matrices)
    row = read.values.reshape(-1, read.values.shape[-1])[:1].ravel()
    numbers = ", ".join(cell_text(float(number)) for number in row[:_SHOWN])
    return f"{shape_text(read.values.shape)}: {numbers}{', …' if len(row) > _SHOWN else ''}"


def _take_named(read: Imported, target: Target) -> Taken:
    parts: dict[str, Imported] = {}
    for name, part in read.matrices.items():
        role = role_of(name)
        _check_part(target.document, name, part, role)
        if role in parts:
            raise ExplorerError(f"two of them are {NAMES.get(role, role)}", "paste them one by one")
        parts[role] = part
    mask = parts.pop("mask", None)
    blocks = {role: _block(part) for role, part in parts.items()}
    queries, keys = read.row_labels or read.tokens, read.column_labels or read.tokens
    if mask is None:
        edit = replace_matrices(blocks, query_labels=queries, key_labels=keys)
        edit.change(target.document)
        return (_with_notes(edit, read.notes),)
    return _asked(
        replace(mask, notes=read.notes), target,
        lambda allowed: replace_matrices(blocks, allowed, query_labels=queries, key_labels=keys),
    )  # fmt: skip


def _check_part(document: Document, name: str, part: Imported, role: str) -> None:
    """Refuse what has no place in the source that is shown, or is no matrix."""
    source = document.problem.source
    if role not in (*source.DIMENSIONS, "bias", "mask") or role in LABEL_ROLES:
        places = ", ".join(NAMES[name] for name in source.DIMENSIONS)
        raise ExplorerError(f"{quoted(name)} has no place among {places}", "choose another source, or paste one matrix")
    if part.kind != ("mask" if role == "mask" else "matrix"):
        kinds = {"tensor": "has more than two dimensions", "mask": "holds true and false"}
        what = kinds.get(part.kind, "is no mask")
        raise ExplorerError(f"{quoted(name)} {what}", "paste one matrix, or open it as a file")


def _block(read: Imported) -> Block:
    assert read.values is not None
    return Block(np.asarray(read.values, dtype=np.float64), read.texts, read.row_labels, read.column_labels)


def _with_notes(edit: Edit, notes: Iterable[str]) -> Edit:
    """The edit, telling also what was done to read the text."""
    tell, said = edit.notice, "; ".join(notes)
    if tell is None or not said:
        return edit
    return replace(edit, notice=lambda before, after: f"{tell(before, after)} ({said})")


_TAKERS: Mapping[str, Callable[[Imported, Target], Taken]] = {
    "matrix": _take_matrix, "mask": _take_mask, "choice": _take_choice, "named": _take_named,
}  # fmt: skip
_REFUSED = {
    "tensor": ("this has more than two dimensions", "open it as a file to choose a slice"),
    "session": ("this is a whole session", "open it with File > Open"),
}
