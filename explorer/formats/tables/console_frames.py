"""The names, shapes and factors that consoles print around a matrix, taken off it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.errors import ExplorerError
from explorer.formats.tables.number_text import elided
from explorer.formats.tables.wrapped_columns import Rows, framed_rows, side_by_side

_PROMPT = r"(?:>>>?|>|julia>|octave:[0-9]{1,6}>)"
_COMMAND = re.compile(rf"{_PROMPT}\s?(.{{0,200}})")
_NAME = re.compile(r"\s{0,8}([A-Za-z_][\w.]{0,60})\s{0,8}:?=\s{0,8}|\s{0,8}([A-Za-z][^,;|\t:=\"]{0,60}):\s{0,8}")
_VALUE = re.compile(r"\s{0,8}([A-Za-z_]\w{0,60})\s{0,8}=\s{0,8}([-+\u2212]?[.0-9].*)")
_STATA = re.compile(r"(?:symmetric )?([A-Za-z_]\w{0,60})\[[0-9]{1,9},[0-9]{1,9}\]\s{0,8}")
_SHAPE = re.compile(
    r"\s{0,8}([0-9]{1,9})(?:[×x]([0-9]{1,9})|-element)\s[^0-9].{0,200}"  # Julia, MATLAB
    r"|\[([0-9]{1,9}) rows x ([0-9]{1,9}) columns\]\s{0,8}"  # pandas
)
_COLUMNS = re.compile(r"\s{0,8}columns?\s{1,4}([0-9]{1,9})(?:\s{1,4}(?:through|and|to|-)\s{1,4}[0-9]{1,9})?:?\s{0,8}")
_FACTOR = re.compile(r"\s{0,40}1(?:\.0{0,20})?e([-+]?[0-9]{1,4})\s{0,8}\*\s{0,8}")
_KIND = re.compile(r"\s{0,8}(?:(?:diagonal|permutation|(?:upper|lower) triangular|full|sparse) matrix)\s{0,8}")
_SLICE = re.compile(r"\s{0,8}(?:[\w.]{0,60}\(:,\s?:,\s?[0-9]|\[:,\s?:,\s?[0-9]|, , [\w])")
_OMITTED = re.compile(r"reached (?:'max' / )?getOption|-- omitted [0-9]")  # R
_SERIES = re.compile(r"(?:Freq: \w{1,9}, )?(?:Name: (.{0,200}), )?(?:Length: [0-9]{1,9}, )?dtype: [\w\[\], .]{1,60}")
_PLAIN = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_BRACKETS = str.maketrans(dict.fromkeys("⎡⎢⎣⎤⎥⎦⎛⎜⎝⎞⎟⎠", " "))
_LONGEST = 240
# What one of the above needs: most lines have nothing of it.
_FRAME = re.compile(r"[:=>*\]]|, ,|[0-9][×x]|-element|matrix|column", re.IGNORECASE)


@dataclass(frozen=True)
class Section:
    """One matrix: the lines left of it, or its rows where the frame tells cells and labels apart."""

    lines: list[str]
    rows: Rows | None = None
    has_corner: bool = False
    name: str = ""
    shape: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()


def sections_of(lines: Sequence[str]) -> list[Section]:
    """The matrices of a text. Blank lines part only what a frame says they part."""
    filled = [line for line in lines if line.strip()]
    if len(filled) > 1 and all(line.startswith(">") for line in filled):  # a quotation in a mail
        lines = [line[1:].removeprefix(" ") for line in lines]
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        head = _head(line) if len(line) < _LONGEST and _FRAME.search(line) else None
        if head is None:
            blocks[-1][1].append(line)
        else:
            blocks.append((head[0], [head[1]]))
    return [_section(name, block) for name, block in blocks if any(line.strip() for line in block)]


def _head(line: str) -> tuple[str, str] | None:
    """The name that a line gives to what follows, and the rest of the line; None where it is no such line."""
    if _OMITTED.search(line):
        raise elided("...")
    if _SLICE.match(line):
        raise ExplorerError(
            f"'{line.strip()[:40]}' begins a slice of an array of 3 dimensions", "give one slice, or save it as .npy"
        )
    if command := _COMMAND.fullmatch(line):
        said = command[1].strip().removesuffix(";")
        return (said if said.isidentifier() else "", "") if any(map(str.isalpha, said)) else None
    if _COLUMNS.fullmatch(line.lower()) or _SHAPE.fullmatch(line):
        return None
    if named := _NAME.fullmatch(line) or _STATA.fullmatch(line):
        return (named[1] or named[2]).strip(), ""
    value = _VALUE.fullmatch(line)
    return (value[1], value[2]) if value else None


def _section(name: str, lines: Sequence[str]) -> Section:
    shape, factor, series = None, "", None
    blocks: list[tuple[int, list[str]]] = [(1, [])]
    for line in lines:
        text = line.lower() if len(line) < _LONGEST and _FRAME.search(line) else ""
        if not text:
            blocks[-1][1].append(line)
        elif found := _COLUMNS.fullmatch(text):
            blocks.append((int(found[1]), []))
        elif found := _FACTOR.fullmatch(text):
            factor = found[1]
        elif found := _SHAPE.fullmatch(line):
            shape = (int(found[1] or found[3]), int(found[2] or found[4] or 1))
        elif found := _SERIES.fullmatch(line.strip()):
            series = found[1] or ""
        elif not _KIND.fullmatch(text):
            blocks[-1][1].append(line)
    filled = [(start, kept) for start, block in blocks if (kept := _filled(block))]
    kept = side_by_side(filled)
    is_wrapped = len(filled) > 1
    notes: tuple[str, ...] = ("blocks of columns put together",) if is_wrapped else ()
    if factor:
        kept = [" ".join(_scaled(cell, factor) for cell in line.split()) for line in kept]
        notes += (f"multiplied by the factor 1e{int(factor)} that stands above",)
    if series is not None:
        rows = [["", series or "0"], *(line.rsplit(maxsplit=1) for line in kept)]
        return Section([], rows, True, series or name, shape, notes)
    framed = framed_rows(kept)
    if framed is None:
        return Section(kept, None, False, name, shape, notes)
    return Section([], framed.rows, framed.has_corner, name, shape, (*notes, *framed.notes))


def _filled(lines: Sequence[str]) -> list[str]:
    """The lines that hold something beside blanks and the pieces of tall brackets."""
    shown = [line if line.isascii() else line.translate(_BRACKETS) for line in lines]
    return [line for line in shown if line.strip()]


def _scaled(cell: str, power: str) -> str:
    """The cell times a power of ten, written so that it is rounded only once."""
    return f"{cell}e{int(power)}" if _PLAIN.fullmatch(cell) else cell
