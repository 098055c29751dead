"""Matrices as programming languages write and print them: nested lists, arrays, rows between semicolons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported
from explorer.formats.literals.calls import NotLiteral, check_declared
from explorer.formats.literals.data import Data, is_dictionary
from explorer.formats.literals.groups import Broken, Group, Quoted
from explorer.formats.literals.matrices import Part, made_of, made_of_lines
from explorer.formats.literals.nesting import Items, arranged, flat, is_flat, shape_of
from explorer.formats.literals.prompts import without_prompts
from explorer.formats.literals.statements import Statement, entries_of, is_size, statements_of
from explorer.formats.literals.tokens import groups_of
from explorer.formats.named_parts import LABEL_ROLES, joined, names_found, quoted, role_of

LARGEST = 64 * 2**20
_NO_LITERAL = re.compile(r"\\(?:begin|left|[a-zA-Z]{0,12}matrix|\[|\()|<(?:table|html|!DOCTYPE)", re.IGNORECASE)
_MATHEMATICA = (("\\[Infinity]", "Infinity"), ("\\[Pi]", "Pi"), ("\\[Minus]", "-"))
_TENSORFLOW = re.compile(r"<tf\.(?:Tensor|Variable|RaggedTensor)\b[^>\n]{0,300}?numpy=\s*")
_ARRAYS_BY_NAME = re.compile(r":\s?(?:[a-z]{1,8}\.)?(?:[Aa]rray|tensor)\(")
# Brackets that do not fit are an error of a literal only where the text began as one: with a second bracket, a sign of
# assignment or the name of an array, and a number.
_BEGINS = re.compile(
    r"\s*(?:(?:[^\n\[({,;]{0,200}(?:=|<-|:)\s*(?:[\w.:!]{1,60})?"
    r"|(?:\w{1,20}\.)?(?:array|Array|tensor|matrix|c)(?=\())\s*[\[({]|[\[({]\s*[\[({])"
    r"[\[({\s]*['\"]?[-+\u2212]?\.?[0-9]"
)
_EMPTY = re.compile(r"\s*(?:\w{1,40}\s*=\s*)?\[[\[\](){},;\s]*\]\s*;?\s*")
_CALCULATED = re.compile(r"(?:=[^=\n\[]{0,60}|[-+*/@(]\s?[\w.]{0,40}\(?)\[\s*\[\s*[-+.0-9]")
_METHOD = re.compile(r"(\w+)\.\w")
_HAS_VALUE = re.compile(r"[0-9]|true|false|nan\b|inf", re.IGNORECASE)


@dataclass(eq=False)
class Parts:
    """All of them, lists of labels by name, the names of what is left out, and of what a method is called on."""

    found: list[Part] = field(default_factory=list)
    by_name: dict[str, Part] = field(default_factory=dict)
    labels: dict[str, list[str]] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    called: dict[str, None] = field(default_factory=dict)


def read_literal(text: str, *, name: str = "") -> Imported | None:
    """The matrix, tensor or named matrices in source code or a print of it; None where the text is something else."""
    if not any(bracket in text for bracket in "[({"):
        return None
    if len(text) > LARGEST:
        raise ExplorerError("larger than 64 MiB", "save the numbers as .npy")
    for theirs, ours in _MATHEMATICA:
        text = text.replace(theirs, ours)
    if _NO_LITERAL.search(text):
        return None
    start = text.lstrip("\ufeff \t\r\n")
    if start[:1] == "{" and start[1:].lstrip()[:1] in ('"', "}") and not _ARRAYS_BY_NAME.search(text):
        return None  # an object of JSON
    source = _cleaned(text)
    if _EMPTY.fullmatch(source):
        raise ExplorerError("empty: there is no number", "give at least one")
    try:
        return _read(source, name)
    except NotLiteral:
        return None
    except Broken as broken:
        if _BEGINS.match(source):
            raise broken.error from None
        return None


def _cleaned(text: str) -> str:
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return without_prompts(_TENSORFLOW.sub(" ", text) if "<tf." in text else text)


def _read(text: str, name: str) -> Imported | None:
    top = groups_of(text)
    statements = statements_of(top)
    values = [statement.cell for statement in statements.found]
    if values and not any(_HAS_VALUE.search(text, cell.starts[0], cell.end) for cell in values):
        return None
    parts = Parts(left_out=statements.changed)
    for statement in statements.found:
        for one in _opened(statement):
            _add(parts, one, text)
    if not parts.found:
        if _CALCULATED.search(text):
            raise ExplorerError("the numbers are part of a calculation", "print the result, and paste that")
        return None
    changed = next((part.name for part in parts.found if part.name in {**parts.left_out, **parts.called}), "")
    if changed:
        raise ExplorerError(f"{quoted(changed)} is changed by another line", "print it, and paste what is printed")
    notes = [f"left out: {names_found([*filter(None, parts.left_out)])}"] if any(parts.left_out) else []
    if statements.has_text:
        notes.append("text around the brackets left out")
    return _imported(parts, name, notes)


def _opened(statement: Statement) -> Sequence[Statement]:
    first = statement.cell.pieces[0]
    if len(statement.cell.pieces) == 1 and isinstance(first, Group) and is_dictionary(first):
        return [*entries_of(first)]
    return [statement]


def _add(parts: Parts, statement: Statement, text: str) -> None:
    """Read one statement into the parts, the labels, or the names of what is left out."""
    data = Data(text, is_assigned=statement.is_assigned, language=statement.language)
    try:
        items = data.of(statement.cell)
    except ExplorerError as error:
        raise _of_part(statement.name, error) from None
    if isinstance(items, str) and (method := _METHOD.match(items)):
        parts.called[method[1]] = None
    elif isinstance(items, str) or is_size(statement):
        parts.left_out[statement.name] = None
    elif items and role_of(statement.name) in LABEL_ROLES and all(isinstance(item, Quoted) for item in items):
        parts.labels[statement.name] = [str(item) for item in items]
    else:
        items = _as_declared(items, statement)
        part = Part(statement.name, items, data)
        same = parts.by_name.setdefault(part.name, part) if part.name else part
        if same.items != items:
            raise ExplorerError(f"{quoted(part.name)} stands there twice", "take one of them out")
        if same is part:
            parts.found.append(part)


def _as_declared(items: Items, statement: Statement) -> Items:
    """C's flat lists in rows of the declared size; other sizes than declared are refused: C would fill up with 0."""
    sizes = [*statement.sizes]
    if not sizes or not all(size.isdecimal() and len(size) < 9 for size in sizes):
        return items
    if len(sizes) > 1 and len(shape_of(items)) == 1:
        return arranged(flat(items), [*map(int, sizes)])
    check_declared(items, [*sizes])
    return items


def _imported(parts: Parts, name: str, notes: Sequence[str]) -> Imported:
    found = parts.found
    if len(found) > 1 and not any(part.name for part in found) and all(is_flat(part.items) for part in found):
        rows: Items = [part.items for part in found]
        found = [Part("", rows, found[0].data)]
        notes = [*notes, "each list is a row"]
    if len(found) == 1:
        only = found[0]
        if not parts.labels:
            made = made_of_lines(only, only.name or name)
            return _noted(made, notes)
        return joined({only.name or name: made_of(only, "")}, parts.labels, notes=notes)
    unnamed = sum(not part.name for part in found)
    if unnamed:
        raise ExplorerError(
            f"{len(found)} matrices, {unnamed} of them without a name",
            "write Q =, K = or V = before each, or paste one of them",
        )
    made_parts: dict[str, Imported] = {part.name: _named(part) for part in found}
    return joined(made_parts, parts.labels, notes=notes)


def _named(part: Part) -> Imported:
    try:
        return made_of(part, part.name)
    except ExplorerError as error:
        raise _of_part(part.name, error) from None


def _of_part(name: str, error: ExplorerError) -> ExplorerError:
    return ExplorerError(f"{quoted(name)}: {error.message}" if name else error.message, error.hint)


def _noted(made: Imported, notes: Sequence[str]) -> Imported:
    if made.kind == "choice":
        options = tuple(replace(option, reading=_noted(option.reading, notes)) for option in made.options)
        return replace(made, options=options)
    return replace(made, notes=(*made.notes, *notes))
