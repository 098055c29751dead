r"""What stands around a LaTeX matrix and belongs to it, as "Q = \frac{1}{2}" before and "^T" behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from explorer.errors import ExplorerError
from explorer.formats.cells import parse_cell
from explorer.formats.markup import latex_cells
from explorer.formats.printable import printable

_SEEN = 300  # characters before and behind
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_BREAK = re.compile(
    r"\$|\\[\[\](){}; ]|\\\\|\\q?quad(?![a-z])|\\(?:begin|end)\{[^}]*\}(?:\[[^\]]*\]|\{[^}]*\})*|\n\s*\n|[,;]|[.:]\s"
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_OPENS_MATHS = ("$", r"\[", r"\(", r"\b")
_UNSEEN = re.compile(
    r"\\(?:label|tag)\{[^{}]*\}|\\(?:displaystyle|textstyle|centering|small|footnotesize|nonumber|notag)(?![A-Za-z])"
)
_RELATION = re.compile(r":=|=|≈|\\(?:approx|simeq|equiv|coloneqq|doteq)(?![A-Za-z])")
_OPENING = re.compile(r"(?:\\(?:left|[bB]igg?l?)(?![A-Za-z])\s*(?:\\?[\[({|.])?|\\?[\[({|]|\\[,:! ]|[&~\s])+$")
_CLOSING = re.compile(r"(?:\\(?:right|[bB]igg?r?)(?![A-Za-z])\s*(?:\\?[\])}|.])?|\\[}|]|[\])}|]|\\[,:! ]|[~\s])*")
_TRANSPOSED = re.compile(
    r"\^\s?\{?\s?(?:\\(?:top|intercal)|(?:\\(?:mathsf|mathrm|text|mathbf|mathit|rm|sf)\s?\{?\s?)?T\s?\}?)\s?\}?(?![A-Za-z])"
)
_WORD_OPERATOR = r"\\(?:cdot|times|div|odot|oplus|otimes|circ|over)(?![A-Za-z])"
_OPERATOR = re.compile(rf"[-+*/^]|{_WORD_OPERATOR}")
_LAST_OPERATOR = re.compile(rf"(?:[-+*/]|{_WORD_OPERATOR})$")
_NAME = re.compile(r"[^\W\d_][^\W_]{0,30}(?:[_^]\(?[A-Za-z0-9]{1,20}\)?){0,2}'?")


@dataclass(frozen=True)
class Context:
    """The name a matrix is given, the number before it, whether ^T follows, the operator that makes it an operand."""

    name: str = ""
    factor: str = ""
    is_transposed: bool = False
    operator: str = ""
    notes: tuple[str, ...] = ()


def context(before: str, behind: str, *, is_followed: bool) -> Context:
    """What the text ``before`` and ``behind`` a matrix says of it; ``is_followed``: another matrix comes next."""
    behind, *next_paragraph = _PARAGRAPH.split(_COMMENT.sub("", behind[:_SEEN]), maxsplit=1)
    at = _end(_CLOSING, behind)
    transposed = _TRANSPOSED.match(behind, at)
    if transposed:
        at = _end(_CLOSING, behind, transposed.end())
    operator = _OPERATOR.match(behind, at)
    # [1 2][3 4] is a product, and the name before it is that of the product.
    is_operand = operator is not None or (is_followed and at == len(behind) and not next_paragraph)
    left, right, is_maths = _sides(_COMMENT.sub("", before[-_SEEN:]))
    factor, sign, notes = _factor(right, is_maths=is_maths)
    return Context(
        "" if is_operand or sign else _name(left), factor, transposed is not None,
        sign or (operator[0] if operator else ""), notes,
    )  # fmt: skip


def _end(pattern: re.Pattern[str], text: str, at: int = 0) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _sides(before: str) -> tuple[str, str, bool]:
    """What is called equal to the matrix, what stands between the sign and it, and whether that is mathematics."""
    before = _UNSEEN.sub(" ", before)
    start, opening = 0, ""
    for mark in _BREAK.finditer(before):
        start, opening = mark.end(), mark[0]
    left, right = "", before[start:]
    is_maths = opening.startswith(_OPENS_MATHS)
    for sign in list(_RELATION.finditer(right))[-1:]:
        left, right, is_maths = right[: sign.start()], right[sign.end() :], True
    return left, _OPENING.sub("", right).strip(), is_maths


def _factor(right: str, *, is_maths: bool) -> tuple[str, str, tuple[str, ...]]:
    """The number that multiplies the matrix, the operator between other things and it, notes on what is left out."""
    if not right:
        return "", "", ()
    operator = _LAST_OPERATOR.search(right)
    factor = right[: operator.start()] if operator and operator[0] in ("*", r"\cdot", r"\times") else right
    if factor.strip() in ("-", "+"):
        return ("-1" if "-" in factor else ""), "", ()
    try:
        text = latex_cells.cell_text(factor)
        parse_cell(text)
    except ExplorerError:
        return "", operator[0] if operator else "", (_left_out(right),) if is_maths and not operator else ()
    return text, "", ()


def _left_out(right: str) -> str:
    return f"left out before the matrix: {printable(right[:40])}"


def _name(left: str) -> str:
    lines = left.replace("&", " ").strip().splitlines()
    try:
        text = latex_cells.cell_text(lines[-1]) if lines else ""
    except ExplorerError:
        return ""
    return text if _NAME.fullmatch(text) else ""
