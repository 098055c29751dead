"""One imported cell as a number: every spelling that spreadsheets, programs and web pages have for it."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple

from explorer.errors import ExplorerError
from explorer.formats.cells import parse_cell
from explorer.formats.tables.dates import is_date

LONGEST = 1000
# Thin, figure, narrow and no-break spaces stand between thousands; an ordinary space there would be two numbers.
GROUP_SPACES = "\u00a0\u2007\u2008\u2009\u202f"
ELISIONS = frozenset(["...", "..", "\u2026", "\u22ef", "\u22ee", "\u22f1", "\u22f0"])
TRUTH = {
    **dict.fromkeys(["true", "wahr", "vrai", "vero", "verdadero", "verdadeiro", "waar"], True),
    **dict.fromkeys(["false", "falsch", "faux", "falso", "onwaar"], False),
}

_INVISIBLE = dict.fromkeys([*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF], "")
_SPELLINGS = str.maketrans({
    **{0xFF00 + n: chr(0x20 + n) for n in range(1, 0x5F)},  # full-width forms
    **dict.fromkeys([0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2212, 0xFE63, 0xFF0D], "-"),
    **dict.fromkeys([0x00D7, 0x00B7, 0x22C5, 0x2219], "*"),
    **dict.fromkeys([0x2044, 0x2215], "/"),
    **dict.fromkeys([0x2018, 0x2019, 0x02BC, 0x2032], "'"),
    **dict.fromkeys(map(ord, GROUP_SPACES), "\u00a0"),
    **_INVISIBLE,
})  # fmt: skip
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_VULGAR = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10",
}  # fmt: skip

_PARTS = {
    "": (0, ""),
    "%": (2, "percent signs: divided by 100"),
    "\u2030": (3, "per mille signs: divided by 1000"),
}

_PLAIN = re.compile(r"([+-]?) ?([0-9.,'\u00a0]+)(?:[ed]([+-]?[0-9]{1,9}))?(?:[ \u00a0]?([%\u2030]))?")
_TIMES_TEN = re.compile(
    r"(.*[0-9.]) ?\* ?10(?: ?(?:\^|\*\*) ?([({]?)([+-]?[0-9]{1,9})([)}]?)|([⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,9}))"
)
_INFINITE = re.compile(r"([+-]?) ?(?:inf|infinity|infinite|oo|\u221e|\\infty|1\.#inf0*|1\.#j)")
_NAN = re.compile(r"[+-]?(?:nan|1\.#(?:qnan|snan|nan|ind)0*)")
_HEXADECIMAL = re.compile(r"[+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]{1,9})?")
_FRACTION = re.compile(r"[+-]? ?([0-9.,]+) ?//? ?([0-9.,]+)")
# Sums stay out of this: of "3-4", "1.0+100" (Fortran) and "2+1i" none is meant as a sum.
_CALCULATION = re.compile(r"sqrt|exp|ln|pi|\u03c0|\u221a|\^|\*")
_BARE_E = re.compile(r"(?<![a-z0-9.])e(?![a-z^*])")
_GROUPS = {mark: re.compile(rf"[1-9][0-9]{{0,2}}(?:{re.escape(mark)}[0-9]{{3}})+") for mark in ".,'\u00a0"}


class Notation(NamedTuple):
    """What comma and dot are in a table: "decimal", "thousands", or "unclear" where a cell could be either."""

    comma: str = "unclear"
    dot: str = "decimal"


class Reading(NamedTuple):
    """A number, the text worth keeping beside it, and what was done to read it."""

    value: float
    kept: str | None = None
    remarks: tuple[str, ...] = ()


def visible(text: str) -> str:
    """The text without surrounding space, invisible characters and the quotes or apostrophe of a spreadsheet."""
    text = (text if text.isascii() else text.translate(_INVISIBLE)).strip()
    if len(text) >= 2 and text[0] + text[-1] in ('""', "''", "\u201c\u201d", "\u201e\u201c", "``"):
        return text[1:-1].strip()
    return text[1:] if text[:1] == "'" and text[1:2] not in ("", "'") else text


def spelled(text: str) -> str:
    """The visible text in small ASCII letters, with one character for each kind of mark."""
    shown = visible(text)
    return (shown if shown.isascii() else shown.translate(_SPELLINGS)).lower().strip()


def quoted(text: str) -> str:
    """A cell as an error shows it: short, on one line."""
    shown = "".join(c if c.isprintable() else " " for c in visible(text[:200]))
    return f"'{shown}'" if len(shown) <= 24 else f"'{shown[:23]}\u2026'"


def plain_parts(text: str) -> tuple[str, str, str, str] | None:
    """Sign, digits with marks, exponent and percent sign of a plain number; None for anything else."""
    found = _PLAIN.fullmatch(_underscores(text))
    if found is None or not any(c in "0123456789" for c in found[2]):
        return None
    return found[1], found[2].strip("\u00a0"), found[3] or "", found[4] or ""


def roles(digits: str, has_exponent: bool) -> tuple[str, str] | None:
    """What comma and dot can be in these digits: "decimal", "thousands", "unclear", or "" if absent; None if wrong."""
    for mark in "'\u00a0":
        if mark in digits:
            whole, point, rest = _cut(digits)
            if not _GROUPS[mark].fullmatch(whole) or not (rest.isdecimal() or not rest):
                return None
            return ("decimal" if point == "," else ""), ("decimal" if point == "." else "")
    marks = [mark for mark in ",." if mark in digits]
    if len(marks) == 2:
        last = max(marks, key=digits.rfind)
        first = marks[1 - marks.index(last)]
        whole, _, rest = digits.partition(last)
        if last in rest or first in rest or not _GROUPS[first].fullmatch(whole):
            return None
        return ("decimal", "thousands") if last == "," else ("thousands", "decimal")
    if not marks:
        return "", ""
    is_grouped = _GROUPS[marks[0]].fullmatch(digits) is not None and not has_exponent
    if digits.count(marks[0]) > 1 and not is_grouped:
        return None
    role = "decimal" if not is_grouped else "unclear" if digits.count(marks[0]) == 1 else "thousands"
    return (role, "") if marks[0] == "," else ("", role)


PLAIN = Notation()


@lru_cache(maxsize=4096)  # a large table repeats its fractions and infinities
def reading(text: str, notation: Notation = PLAIN) -> Reading:
    """The number that a cell means; errors quote the cell."""
    if len(text) > LONGEST:
        raise ExplorerError(f"{quoted(text)} is longer than {LONGEST} characters", "a number is shorter")
    cell = spelled(text)
    if parts := plain_parts(cell):
        if is_date(cell):
            raise date_error(text)
        return _plain(text, parts, notation)
    if infinite := _INFINITE.fullmatch(cell):
        return Reading(-math.inf if infinite[1] == "-" else math.inf)
    if _NAN.fullmatch(cell):
        return Reading(math.nan)
    if _HEXADECIMAL.fullmatch(cell):
        return Reading(_hexadecimal(cell, text), None, ("hexadecimal numbers",))
    if is_date(cell):
        raise date_error(text)
    if ten := _TIMES_TEN.fullmatch(cell):
        parts = plain_parts(ten[1].strip())
        if parts and not parts[2] and not parts[3] and (ten[2] or "") + (ten[4] or "") in ("", "()", "{}"):
            exponent = ten[3] or ten[5].translate(_SUPERSCRIPTS)
            return _plain(text, (parts[0], parts[1], exponent, ""), notation)
    return _calculated(cell, text, notation)


def _underscores(text: str) -> str:
    """Python's 1_000 without its underscores, where they stand between digits."""
    return text.replace("_", "") if "_" in text and re.search(r"(?<![0-9])_|_(?![0-9])", text) is None else text


def _cut(digits: str) -> tuple[str, str, str]:
    """Digits before the first comma or dot, that mark, and what follows it."""
    at = min((digits.find(mark) for mark in ",." if mark in digits), default=len(digits))
    return digits[:at], digits[at : at + 1], digits[at + 1 :]


def _plain(text: str, parts: tuple[str, str, str, str], notation: Notation) -> Reading:
    sign, digits, exponent, percent = parts
    found = roles(digits, bool(exponent))
    if found is None:
        raise not_a_number(text)
    comma, dot = (known if role == "unclear" else role for role, known in zip(found, notation, strict=True))
    if "unclear" in (comma, dot):
        mark = "," if comma == "unclear" else "."
        raise ExplorerError(
            f"{quoted(text)} is ambiguous", f"write {digits.replace(mark, '.')} or {digits.replace(mark, '')}"
        )
    remarks = ["decimal commas"] if comma == "decimal" else []
    for mark, role, marks in zip(
        ",.'\u00a0", (comma, dot, "thousands", "thousands"), ("commas", "dots", "apostrophes", "spaces"), strict=True
    ):
        if role == "thousands" and mark in digits:
            digits = digits.replace(mark, "")
            remarks.append(f"{marks} between thousands left out")
    if percent:
        remarks.append(_PARTS[percent][1])
    power = int(exponent or 0) - _PARTS[percent][0]
    value = float(f"{sign}{digits.replace(',', '.')}e{power}") + 0.0  # the power in the text: 12.3% is 0.123 exactly
    if math.isinf(value):
        raise _too_large(text)
    if not value and any(digit in digits for digit in "123456789"):
        remarks.append("too small for a float64, became 0")
    if abs(value) >= 2**53 and not exponent and digits.isdecimal() and int(digits) != abs(int(value)):
        remarks.append("whole numbers beyond 2^53 are rounded")
    return Reading(value, visible(text) if percent else None, tuple(remarks))


def _hexadecimal(cell: str, text: str) -> float:
    try:
        return float.fromhex(cell) + 0.0
    except OverflowError:
        raise _too_large(text) from None


def _calculated(cell: str, text: str, notation: Notation) -> Reading:
    """A fraction or a calculation; what was written is kept, a one-character fraction as it is typed."""
    kept = visible(text)
    sign, rest = ("-", cell[1:].strip()) if cell[:1] == "-" else ("", cell)
    if rest in _VULGAR:
        cell = kept = sign + _VULGAR[rest]
    is_fraction = _FRACTION.fullmatch(cell)
    has_known_marks = "," not in cell or notation.comma == "decimal" or (is_fraction and _is_decimal(is_fraction))
    if not has_known_marks or not (is_fraction or _CALCULATION.search(cell)) or _BARE_E.search(cell):
        raise not_a_number(text)
    cell = cell.replace("//", "/")
    try:
        return Reading(parse_cell(cell), kept.replace("//", "/"))
    except ExplorerError as error:
        if error.message.endswith("is not a number") or error.message == "too long":
            raise not_a_number(text) from None
        if error.message == "too large":
            raise _too_large(text) from None
        raise ExplorerError(f"{quoted(text)}: {error.message}", error.hint) from None


def _is_decimal(fraction: re.Match[str]) -> bool:
    return all(roles(part, False) in (("decimal", ""), ("", "decimal"), ("", "")) for part in fraction.groups())


def not_a_number(text: str) -> ExplorerError:
    """The error for a cell that means no number."""
    if spelled(text) in ELISIONS:
        return elided(text)
    return ExplorerError(f"{quoted(text)} is not a number", "write one such as 2.5, 1e-3, 1/3 or -inf")


def elided(text: str) -> ExplorerError:
    """The error for the dots of a shortened print."""
    shown = text.strip() if spelled(text) == "..." else f"{text.strip()} (...)"
    return ExplorerError(
        f"'{shown}' says that values are missing: the print was summarized",
        "print it in full after np.set_printoptions(threshold=sys.maxsize), or save it as .npy",
    )


def date_error(text: str) -> ExplorerError:
    """The error for a cell that a spreadsheet turned into a date."""
    return ExplorerError(
        f"{quoted(text)} is a date", "a spreadsheet made it of a number or a fraction: format the cells as text"
    )


def _too_large(text: str) -> ExplorerError:
    return ExplorerError(f"{quoted(text)} is too large", "numbers end at 1.8e308")
