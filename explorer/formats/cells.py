"""One number as a person types it, as a cell shows it, as a session file holds it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from explorer.errors import ExplorerError

LONGEST = 200
_DEEPEST = 20

# Spellings by code point: several of these characters cannot be told apart on a screen.
_INVISIBLE = dict.fromkeys(
    [0x200B, 0x200C, 0x200D, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF]
)
_SPELLINGS = {
    **dict.fromkeys([0x2010, 0x2011, 0x2013, 0x2212, 0xFE63, 0xFF0D], "-"),
    **dict.fromkeys([0x00D7, 0x00B7, 0x22C5, 0x2219], "*"),
    **dict.fromkeys([0x00F7, 0x2044, 0x2215], "/"),
    0x221E: "inf",
    0x03C0: "pi",
}
_ROOT = "\u221a"
_JSON_NAMES: dict[type, str] = {type(None): "null", bool: "true or false", list: "a list", dict: "an object"}

_PLAIN = re.compile(r"[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:e[+-]?[0-9]+)?")
_PERCENT = re.compile(r"[+-]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)\s?%")
_INFINITE = re.compile(r"([+-]?)\s*(?:inf|infinity)")
_NAN = re.compile(r"[+-]?\s*nan")
_TOKEN = re.compile(rf"\s*([.,]*[0-9][0-9.,]*(?:e[+-]?[0-9]+)?|[a-z]+|\*\*|[-+*/^(){_ROOT}])")
_GROUPED = re.compile(r"[0-9]{1,3}([.,])[0-9]{3}(?:\1[0-9]{3})*(?:(?!\1)[.,][0-9]*)?")


def parse_cell(text: str, *, allow_infinite: bool = False) -> float:
    """The number that a typed text means ("2,5", "1/3", "sqrt(2)", "2^-3"); refusals carry a reason for the cell."""
    visible = _visible(text)
    spelled = visible.translate(_SPELLINGS).lower()
    if not spelled:
        raise ExplorerError("empty", "type a number")
    if len(spelled) > LONGEST:
        raise ExplorerError("too long", f"type at most {LONGEST} characters")
    if _PLAIN.fullmatch(spelled):
        return _number(spelled) + 0.0  # -0 becomes 0
    if _PERCENT.fullmatch(spelled):
        return _number(f"{spelled[:-1].rstrip()}e-2") + 0.0
    if infinite := _INFINITE.fullmatch(spelled):
        return _infinity(infinite[1] == "-", allow_infinite)
    if _NAN.fullmatch(spelled):
        raise ExplorerError("nan cannot stand here", "type a number")
    return _Expression(_tokens(spelled, visible), visible).value() + 0.0


def cell_text(value: float) -> str:
    """The shortest text that reads back to the same number."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def says_more(text: str, value: float) -> bool:
    """Whether the text as typed is worth keeping beside its value."""
    return _visible(text) != cell_text(value)


def read_cell(item: object, where: str) -> tuple[float, str | None]:
    """The value of one cell of a session file, and its text where that says more; ``where`` is named in errors."""
    if isinstance(item, str):
        if _NAN.fullmatch(_visible(item).lower()):
            return math.nan, None
        try:
            value = parse_cell(item, allow_infinite=True)
        except ExplorerError as error:
            raise ExplorerError(f"{where}: {error.message}", error.hint) from None
        return value, item if says_more(item, value) else None
    if isinstance(item, bool) or not isinstance(item, int | float):
        held = _JSON_NAMES.get(type(item), "no number")
        raise ExplorerError(f"{where} holds {held}", 'give a number, or a text such as "1/3"')
    try:
        return float(item), None
    except OverflowError:
        raise ExplorerError(f"{where}: too large", "numbers end at 1.8e308") from None


def _visible(text: str) -> str:
    return text.translate(_INVISIBLE).strip()


def _infinity(is_negative: bool, is_allowed: bool) -> float:
    if not is_allowed and is_negative:
        raise ExplorerError("-inf cannot stand here", "only a score or a bias can be hidden that way")
    if not is_allowed:
        raise ExplorerError("inf cannot stand here", "type a finite number")
    return -math.inf if is_negative else math.inf


def _quoted(text: str) -> str:
    shown = "".join(c if c.isprintable() else " " for c in text)
    return f"'{shown}'" if len(shown) <= 24 else f"'{shown[:23]}\u2026'"


def _no_number(text: str) -> ExplorerError:
    return ExplorerError(f"{_quoted(text)} is not a number", "type one such as 2.5, 1/3 or sqrt(2)")


def _tokens(spelled: str, visible: str) -> list[str]:
    tokens, at = [], 0
    while at < len(spelled):
        found = _TOKEN.match(spelled, at)
        if not found:
            raise _no_number(visible)
        tokens.append("^" if found[1] == "**" else found[1])
        at = found.end()
    return tokens


def _is_number(token: str) -> bool:
    return token[:1].isdigit() or token[:1] in (".", ",")


def _number(token: str) -> float:
    digits = token.partition("e")[0]
    if digits.count(".") + digits.count(",") > 1:
        raise _two_separators(digits)
    return _finite(float(token.replace(",", ".")))


def _two_separators(digits: str) -> ExplorerError:
    if not _GROUPED.fullmatch(digits):
        return ExplorerError(f"{_quoted(digits)} is not a number", "type one dot or comma, before the decimals")
    whole, mark, decimals = digits.rpartition(max(".,", key=digits.rfind))
    if mark in whole:  # 1,234,567: thousands only
        whole, decimals = whole + decimals, ""
    plain = re.sub("[.,]", "", whole) + ("." + decimals if decimals else "")
    return ExplorerError(f"{_quoted(digits)} is ambiguous", f"type {plain} if that is meant")


def _finite(value: float) -> float:
    if math.isinf(value):
        raise ExplorerError("too large", "numbers end at 1.8e308")
    return value


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return _finite(math.inf)


def _ln(x: float) -> float:
    if x <= 0:
        raise ExplorerError("ln needs a number above 0", "type another number in its brackets")
    return math.log(x)


def _sqrt(x: float) -> float:
    if x < 0:
        raise ExplorerError("square root of a negative number", "type a number from 0")
    return math.sqrt(x)


def _quotient(a: float, b: float) -> float:
    if b == 0:
        raise ExplorerError("division by zero", "type another divisor")
    return _finite(a / b)


def _power(base: float, exponent: float) -> float:
    if base == 0 and exponent < 0:
        raise ExplorerError("division by zero", "0 has no negative power")
    if base < 0 and not exponent.is_integer():
        raise ExplorerError("a negative number has only whole powers", "type a whole exponent")
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return _finite(math.inf)


_CONSTANTS = {"pi": math.pi, "e": math.e}
_FUNCTIONS: dict[str, Callable[[float], float]] = {"exp": _exp, "ln": _ln, "sqrt": _sqrt}


class _Expression:
    """Recursive descent: sum of products of signed powers of atoms, worked out as it is read."""

    def __init__(self, tokens: list[str], visible: str) -> None:
        self.tokens = tokens
        self.visible = visible
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """The next token if it is one of these, else nothing."""
        if self.next not in wanted:
            return ""
        self.at += 1
        return self.tokens[self.at - 1]

    def value(self) -> float:
        for word in filter(str.isalpha, self.tokens):
            self.check(word)
        value = self.sum()
        if self.next == ")":
            raise ExplorerError("missing (", "add it, or take the ) away")
        if self.next:
            raise self.unjoined()
        return value

    def check(self, word: str) -> None:
        """Refuse an unknown name before any arithmetic: of "abc/0" the name is what is wrong."""
        if word in ("inf", "infinity", "nan"):
            raise ExplorerError(f"{word} cannot be calculated with", "type a finite number")
        if word == "log":
            raise ExplorerError("log could mean two functions", "type ln( ) for the natural logarithm")
        if word not in _CONSTANTS and word not in _FUNCTIONS:
            raise _no_number(self.visible)

    def sum(self) -> float:
        value = self.product()
        while sign := self.take("+", "-"):
            term = self.product()
            value = _finite(value + term if sign == "+" else value - term)
        return value

    def product(self) -> float:
        value = self.signed()
        while sign := self.take("*", "/"):
            factor = self.signed()
            value = _finite(value * factor) if sign == "*" else _quotient(value, factor)
        return value

    def signed(self) -> float:
        is_negative = False
        while sign := self.take("+", "-"):
            is_negative ^= sign == "-"
        value = self.power()
        return -value if is_negative else value

    def power(self) -> float:
        base = self.atom()
        return _power(base, self.deeper(self.signed)) if self.take("^") else base

    def atom(self) -> float:
        token = self.next
        self.at += 1
        if _is_number(token):
            return _number(token)
        if token in _CONSTANTS:
            return _CONSTANTS[token]
        if token in _FUNCTIONS:
            if not self.take("("):
                raise ExplorerError(f"{token} needs brackets", f"type {token}(2)")
            return _FUNCTIONS[token](self.bracket())
        if token == _ROOT:
            return _sqrt(self.deeper(self.atom))
        if token == "(":
            return self.bracket()
        raise ExplorerError(f"a number is missing {f'before {token}' if token else 'at the end'}", "type it there")

    def bracket(self) -> float:
        value = self.deeper(self.sum)
        if self.next and self.next != ")":
            raise self.unjoined()
        if not self.take(")"):
            raise ExplorerError("missing )", "close the bracket")
        return value

    def deeper(self, rule: Callable[[], float]) -> float:
        """Nesting is counted: a long row of brackets must not exhaust the stack."""
        if self.depth == _DEEPEST:
            raise ExplorerError("too deeply nested", "type fewer brackets")
        self.depth += 1
        value = rule()
        self.depth -= 1
        return value

    def unjoined(self) -> ExplorerError:
        left, right = self.tokens[self.at - 1], self.next
        if _is_number(left) and _is_number(right):
            return ExplorerError(f"'{left} {right}' is two numbers", "take the space out, or type one of them")
        return ExplorerError(f"something is missing before {right}", f"type * or / between {left} and {right}")
