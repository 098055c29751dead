"""One number as programming languages write it, in the spelling of a table's cell."""

from __future__ import annotations

import re
from functools import lru_cache

from explorer.errors import ExplorerError
from explorer.formats.cells import parse_cell
from explorer.formats.literals.groups import NUMBER
from explorer.formats.tables.number_text import ELISIONS, LONGEST, elided, not_a_number, reading, spelled

_WORDS = {
    **dict.fromkeys(["inf", "infinity", "pinf", "positive_infinity", "huge_val", "inf16", "inf32", "inff"], "inf"),
    **dict.fromkeys(["neg_infinity", "negative_infinity", "ninf", "-inff", "-inf16", "-inf32"], "-inf"),
    **dict.fromkeys(["-infinity", "-pinf", "-positive_infinity", "-huge_val"], "-inf"),
    **dict.fromkeys(["inf(-1)", "directedinfinity(-1)"], "-inf"),
    **dict.fromkeys(["inf(1)", "inf(+1)", "inf(0)", "+infinity"], "inf"),
    **dict.fromkeys(["nan", "nan16", "nan32", "nanf", "quiet_nan", "indeterminate"], "nan"),
    **dict.fromkeys(["true", "true_", ".true."], "true"),
    **dict.fromkeys(["false", "false_", ".false."], "false"),
    **dict.fromkeys(["e", "m_e", "exp1"], "exp(1)"),
    **dict.fromkeys(["-e", "-m_e"], "-exp(1)"),
}  # fmt: skip
_QUALIFIED = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w*(?:<[\w ]*>)?(?:\.|::))+(?=[A-Za-z_])")
_EXACT_TYPES = re.compile(
    r"(?<![A-Za-z_])(?:float|float16|float32|float64|bfloat16|double|single|real|f32|f64|number|Decimal|bool_|tensor"
    r"|array|Fraction)(?=\()"
)
_WHOLE = re.compile(
    r"(?<![A-Za-z_])(?:int|u?int(?:8|16|32|64)|Int(?:8|16|32|64)?|long|integer)\((\s*[-+]?[0-9_]+\s*)\)"
)
_RATIO = re.compile(r"(?:Fraction|Rational)\(\s*([-+]?[0-9]+)\s*,\s*([0-9]+)\s*\)")
_SUFFIX = re.compile(r"(?<=[0-9.])(?:_?f(?:32|64)|_?[uif](?:8|16|128|size)|[fFdDlLmM])(?![\w.])")
_FLOAT = re.compile(rf"({NUMBER})[fFdDlL]")
_EXPONENT = re.compile(r"(?<=[0-9.])(?:\*\^|(?!f(?:16|32|64)(?![0-9]))[fFdD](?=[-+]?[0-9]))")
_PRECISION = re.compile(r"(?<=[0-9.])`{1,2}[0-9.]*")
_PARENTHESES = re.compile(r"([-+]?)\s*\(([^()]*)\)")
_NAMES = (("log(", "ln("), ("M_PI", "pi"), ("**", "^"), ("\u2212", "-"))


def cell_of(source: str) -> str:
    """A cell of code without its language's marks: "np.sqrt(2)" is "sqrt(2)", "1.5*^-3" is "1.5e-3"; else an error."""
    if len(source) > LONGEST:
        raise not_a_number(source)
    if found := _FLOAT.fullmatch(source):  # nearly all cells of C
        return found[1]
    return _cell_of(source)


@lru_cache(maxsize=4096)
def _cell_of(source: str) -> str:
    text = _without_marks(source)
    if spelled(text) in ELISIONS or "..." in source:
        raise elided("...")
    text = _WORDS.get(text.lower().removesuffix("()"), text)
    if text in ("true", "false"):
        return text
    try:
        reading(text)
    except ExplorerError as error:
        return _calculated(text, source, error)
    return text


def _without_marks(source: str) -> str:
    text = re.sub("[\"'\\s]+", " ", source).strip() if '"' in source or "'" in source else source.strip()
    text = text.replace("[", "(").replace("]", ")").replace("( ", "(").replace(" )", ")")
    text = _QUALIFIED.sub("", text)
    text = _RATIO.sub(r"\1/\2", text)
    text = _WHOLE.sub(r"(\1)", _EXACT_TYPES.sub("", text))
    text = _SUFFIX.sub("", _EXPONENT.sub("e", _PRECISION.sub("", text)))
    for theirs, ours in _NAMES:
        text = text.replace(theirs, ours)
    while inner := _PARENTHESES.fullmatch(text):
        text = inner[1] + inner[2].strip()
    return text


def _calculated(text: str, source: str, error: ExplorerError) -> str:
    """The value of a sum, 1 - 2, which a table's cell cannot be; else the error, which shows what was written."""
    if not error.message.endswith("is not a number"):
        raise error
    if "," in text or any(letter.isalpha() for letter in re.sub("[eE](?=[-+]?[0-9])", "", text)):
        raise not_a_number(source)
    try:
        return repr(parse_cell(text))
    except ExplorerError:
        raise not_a_number(source) from None
