"""The statements of a text: what is called what, and what is only text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from explorer.errors import ExplorerError
from explorer.formats.literals.calls import CALLS, NotLiteral
from explorer.formats.literals.data import is_type_word
from explorer.formats.literals.groups import NUMBER, Cell, Entry, Group, Quoted

MOST_STATEMENTS = 2**15
_ASSIGNMENTS = ("=", ":=", "<-")
_NUMERIC = re.compile(rf"{NUMBER}[,;:%]?")
_WORD = re.compile(r"[^\W\d]\w*")
_DECLARING = frozenset(
    ["let", "const", "var", "val", "auto", "my", "local", "global", "final", "static", "export", "mut", "unsigned",
     "PROGMEM", ""]
)  # fmt: skip
_NO_NAMES = frozenset(["Tensor", "tensor", "array", "ans", "Parameter containing", "Out", "return", "output"])
_SUFFIXES = ("shape", "strides", "layout", "dtype", "ndim")
_SIZES = re.compile(r".*(?:shape|size|dim|dims)\Z", re.IGNORECASE)
_C_WORDS = frozenset(["double", "float", "int", "long", "static", "float64", "f64", "f32", "std::vector"])


@dataclass(frozen=True, eq=False)
class Statement:
    """The cell with the value, what it is called, sizes that were declared, and where it matters the language."""

    name: str
    cell: Cell
    is_assigned: bool = False
    sizes: tuple[str, ...] = ()
    language: str = ""


@dataclass(eq=False)
class Statements:
    """All of them, the names of what is calculated, and whether there is text around."""

    found: list[Statement] = field(default_factory=list)
    changed: dict[str, None] = field(default_factory=dict)
    has_text: bool = False

    def used(self, label: str, name: str = "") -> str:
        """Forget words that stood before something: they are its name, or text around it."""
        self.has_text |= bool(label) and label != name
        return ""


def statements_of(top: Group) -> Statements:
    """The statements of a whole text; NotLiteral where numbers stand outside brackets, as they do in a table."""
    made = Statements()
    label = ""
    for row in top.rows:
        parts = [*_parts(row)]
        for part in parts:
            if not any(isinstance(entry, Cell) for entry in part):
                label = _label(part, made, label)
                continue
            if _is_suffix(part):
                continue
            found = _statement(part, label)
            if found is None:
                made.changed[_target(part)] = None
            else:
                made.found.append(found)
                if len(made.found) > MOST_STATEMENTS:
                    raise ExplorerError(f"more than {MOST_STATEMENTS} separate lists", "put one bracket around all")
                made.has_text |= not found.name and len(part) > 1
                label = made.used(label, found.name)
    made.used(label, "")
    return made


def _parts(row: Sequence[Entry]) -> Iterator[list[Entry]]:
    """What stands between the commas of a line; those in the angle brackets of a type separate nothing."""
    part: list[Entry] = []
    open_angles = 0
    for entry in row:
        text = entry if isinstance(entry, str) else "".join(p for p in entry.pieces if isinstance(p, str))
        if entry == "," and not isinstance(entry, Quoted) and open_angles <= 0:
            yield part
            part = []
        else:
            part.append(entry)
            open_angles += text.count("<") - text.count(">")
    if part and all(isinstance(entry, Cell) and isinstance(entry.pieces[0], Group) for entry in part):
        yield from ([entry] for entry in part)
    elif part:
        yield part


def _label(part: Sequence[Entry], made: Statements, label: str) -> str:
    """Words alone: the name of what follows, or text around it."""
    words = [entry for entry in part if isinstance(entry, str)]
    if not words:
        if not made.found:
            raise NotLiteral  # a comma begins the line
        return label
    if any(_NUMERIC.fullmatch(word) for word in words):
        raise NotLiteral
    if words == [">"] or " ".join(words).rstrip(":") in _NO_NAMES:
        return label
    made.used(label)
    name = _as_name(words) if len(words) == 1 or words[-1].endswith(":") else ""
    made.has_text |= not name
    return name


def _is_suffix(part: Sequence[Entry]) -> bool:
    """Whether this says more of the array before it: shape=[2, 2], strides=[2, 1] or <NDArray 2x2 @cpu(0)>."""
    if isinstance(part[0], str) and part[0].startswith("<"):
        return True
    for entry in part:
        if isinstance(entry, Cell) and len(entry.pieces) > 1:
            first, second = entry.pieces[:2]
            is_candle = first == "Tensor" and isinstance(second, Group) and second.opening == "["
            if is_candle or (first in _SUFFIXES and second == "="):
                return True
    return False


def _target(part: Sequence[Entry]) -> str:
    """The variable that a statement without data changes."""
    first = part[0] if isinstance(part[0], str) else part[0].pieces[0]
    found = _WORD.match(first) if isinstance(first, str) else None
    return found[0] if found else ""


def _statement(part: Sequence[Entry], label: str) -> Statement | None:
    """The value in a line; None for a calculation or a command."""
    for place, entry in enumerate(part):
        if isinstance(entry, Cell) and (at := _assigned(entry)):
            return _assignment([*part[:place]], entry, at, [*part[place + 1 :]])
    place = next((i for i, entry in enumerate(part) if isinstance(entry, Cell) and not _is_heading(entry)), -1)
    if place < 0:
        raise NotLiteral
    words, cell, behind = part[:place], part[place], part[place + 1 :]
    assert isinstance(cell, Cell)
    around = [entry for entry in (*words, *behind) if isinstance(entry, str)]
    heading = [entry if isinstance(entry, str) else "".join(map(str, entry.pieces)) for entry in words]
    if any(_NUMERIC.fullmatch(word) for word in around) or any(isinstance(entry, Cell) for entry in behind):
        raise NotLiteral
    name = _as_name(heading) or label
    is_labelled = bool(heading) and heading[-1].endswith(":")
    if not is_labelled and [word for word in around if word not in (">", "return")] and not _is_deep(cell):
        raise NotLiteral  # prose with a remark in brackets
    return Statement("" if words and not is_labelled else name, cell, is_labelled)


def _is_heading(cell: Cell) -> bool:
    last = cell.pieces[-1]
    return isinstance(last, str) and last.endswith(":")


def _assigned(cell: Cell) -> int:
    """The position of the sign of assignment that a list follows; 0 where there is none."""
    signs = [i for i, piece in enumerate(cell.pieces) if piece in _ASSIGNMENTS and not isinstance(piece, Quoted)]
    return signs[-1] if signs else 0


def _assignment(before: list[Entry], cell: Cell, at: int, behind: list[Entry]) -> Statement | None:
    left, value = cell.pieces[:at], cell.behind(at + 1)
    is_sum = any(isinstance(entry, str) and entry[:1] in "+-@*/%" for entry in behind)
    values = [entry for entry in behind if isinstance(entry, Cell)]
    words = [entry for entry in behind if isinstance(entry, str)]
    if values and value.pieces and all(map(is_type_word, words)):
        for other in values:  # = new double[][] {...}
            value = Cell([*value.pieces, *other.pieces], [*value.starts, *other.starts], other.end)
    elif values or is_sum or any(_NUMERIC.fullmatch(word) for word in words) or not _has_group(value):
        return None
    if isinstance(left[-1], str) and left[-1][-1:] in "+-*/@":
        return None
    said = [piece for entry in before for piece in ([entry] if isinstance(entry, str) else entry.pieces)] + left
    texts = [word for word in said if isinstance(word, str)]
    sizes = tuple(str(w.rows[0][0]) for w in said if isinstance(w, Group) and len(w.entries) == 1)
    is_typed = len(texts) > 1 or any(":" in text for text in texts)
    if not is_typed and any(isinstance(word, Group) for word in said):
        return None  # Q[0, 0] = ... changes a part
    language = "rust" if texts[0] == "let" else "" if _C_WORDS.isdisjoint(texts) else "c"
    return Statement(_declared(texts), value, True, sizes if is_typed and language == "c" else (), language)


def _has_group(cell: Cell) -> bool:
    return any(isinstance(piece, Group) for piece in cell.pieces)


def _declared(words: Sequence[str]) -> str:
    """The variable's name among the words before the sign: double a, let mut a, const Q: number, self.w_q."""
    words = [word for word in words if word.strip("$@*&") not in _DECLARING and not is_type_word(word)]
    word = next((word for word in words if word.endswith(":")), words[-1] if words else "")
    word = word.rstrip(":").split(":")[0] if not isinstance(word, Quoted) else word
    return word.lstrip("$@*&").split(".")[-1][:100]


def _as_name(words: Sequence[str]) -> str:
    """A few words before a list as its name; nothing where they are a sentence."""
    text = " ".join(words).strip().rstrip(":= ").strip()
    if not 1 <= len(text) <= 40 or len(words) > 5 or text in _NO_NAMES or text.endswith((".", "!", "?")):
        return ""
    return text


def entries_of(group: Group) -> Iterator[Statement]:
    """The entries of a dictionary: {'Q': array(...), 'K': array(...)}."""
    name = ""
    for entry in group.entries:
        if isinstance(entry, Quoted) or (isinstance(entry, Cell) and isinstance(entry.pieces[0], Quoted)):
            name = str(entry if isinstance(entry, str) else entry.pieces[0])
        if isinstance(entry, str):
            continue
        value = entry
        if isinstance(entry.pieces[0], Quoted):
            sign = str(entry.pieces[1])
            value = entry.behind(2)
            if sign[1:]:
                value = Cell([sign[1:], *value.pieces], [entry.starts[1] + 1, *value.starts], entry.end)
        if _has_group(value):
            yield Statement(name, value, True)


def is_size(statement: Statement) -> bool:
    """Whether this only says how large something is: Q.shape = (2, 2)."""
    return _SIZES.fullmatch(statement.name) is not None and not _is_deep(statement.cell)


def _is_deep(cell: Cell) -> bool:
    """Whether code or a second bracket says that this is a matrix, not a remark in brackets."""
    if len(cell.pieces) > 1 and isinstance(cell.pieces[0], str):
        return re.split(r"[.:]", cell.pieces[0])[-1] in CALLS
    group = cell.pieces[0]
    if not isinstance(group, Group):
        return False
    return ";" in group.breaks or any(isinstance(entry, Cell) for entry in group.entries)
