r"""One cell of a LaTeX matrix or table as plain text: \frac{1}{3} as 1/3."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping

from explorer.errors import ExplorerError
from explorer.formats.markup.latex_commands import ACCENTS, FRACTIONS, LOOKS, SPACES, TEXTS, UNSEEN
from explorer.formats.printable import printable

# A comment, a command, an escaped sign, space, a run of text, any other sign.
TOKEN = re.compile(r"%[^\n]*(?:\n[ \t]*)?|\\[A-Za-z]+\*?|\\(?s:.)|\s+|[^\\%\s{}&^_$~\[\]]+|(?s:.)")
_DEEPEST = 50
_ATOM = re.compile(r"[0-9.,]+|[a-z]+\([^()]*\)|[a-zπ]+")
_EXPONENT = re.compile(r"\^\(([-+\u2212]?[0-9]+|[A-Za-z]+)\)(?![0-9.,(A-Za-z])")
_BRACKETED = re.compile(r"([-+]?) *\((.*)\)", re.DOTALL)
_POWER_OF_TEN = re.compile(
    r"([-+\u2212]? *(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)) ?[*\u00d7\u00b7\u22c5] ?10\^([-+\u2212]?[0-9]{1,5})"
)


def written(tokens: Iterable[str]) -> str:
    """The text of a cell out of its tokens; refusals say what in it is not known."""
    return plain(_Cell(tokens).sequence(""))


def cell_text(text: str) -> str:
    """The text of a cell out of its LaTeX."""
    return written(TOKEN.findall(text))


def plain(text: str) -> str:
    """The shortest spelling: 1/3 for (1/3), and 2e-9 for 2 * 10^(-9), which would be one rounding away from it."""
    text = _EXPONENT.sub(r"^\1", text.strip())
    text = _unbracketed(_unbracketed(text))
    if power := _POWER_OF_TEN.fullmatch(text):
        text = f"{power[1]}e{power[2]}".replace("\u2212", "-").replace(" ", "")
    return text


class _Cell:
    """Tokens read from left to right; nothing is expanded, so every token is read once."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens = [token for token in tokens if token[0] != "%"]
        self.at = 0
        self.depth = 0
        self.signs: Mapping[str, Callable[[], str]] = {
            "": str, "$": str, "}": str, "~": lambda: " ", "{": self.group,
            "^": lambda: f"^({self.argument().strip()})", "_": lambda: f"_{self.argument()}",
            "\\": lambda: self.command(self.tokens[self.at - 1][1:]),
        }  # fmt: skip

    @property
    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def sequence(self, end: str) -> str:
        """Everything up to ``end`` or the end of the cell."""
        text = ""
        while token := self.next:
            if token == end:
                break
            if token == r"\over":
                self.at += 1
                return _quotient(text, self.sequence(end))
            if token[0] == "\\" and token[1:] in ("sqrt", "pi", "exp", "ln"):
                last = text.rstrip()[-1:]
                # 2\pi is a product; 1/2\pi could be two.
                text += "*" if (last.isdigit() or last == ")") and "/" not in text else ""
            text += self.element()
        return text

    def element(self) -> str:
        """One token with its arguments."""
        if self.depth > _DEEPEST:
            raise ExplorerError("nested too deep", f"use at most {_DEEPEST} braces within each other")
        token = self.next
        self.at += 1
        if token[:1] not in self.signs:
            return " " if token.isspace() else token
        self.depth += 1
        text = self.signs[token[:1]]()
        self.depth -= 1
        return text

    def group(self) -> str:
        text = self.sequence("}")
        self.at += 1
        return text

    def argument(self) -> str:
        r"""A group, a command, or one sign: \frac12 is a half."""
        while self.next.isspace():
            self.at += 1
        token = self.next
        if len(token) > 1 and token[0] != "\\":
            self.tokens[self.at] = token[1:]
            return token[0]
        return self.element()

    def option(self) -> str:
        """What stands in square brackets here, nothing without them."""
        if self.next != "[":
            return ""
        self.at += 1
        text = self.sequence("]")
        self.at += 1
        return text

    def command(self, name: str) -> str:
        """What a command prints."""
        if name in ("left", "right") and self.next[:1] == ".":  # no bracket on this side
            self.argument()
        if name in LOOKS:
            return ""
        if name in TEXTS:
            return TEXTS[name]
        if name in FRACTIONS:
            return _quotient(self.argument(), self.argument())
        if name == "sqrt":
            return self.root()
        if name in UNSEEN:
            self.option()
            self.argument()
            return ""
        if name == "multicolumn":
            return self.spanning()
        if name in ACCENTS:
            letters = self.argument().replace("ı", "i").replace("ȷ", "j")
            return unicodedata.normalize("NFC", letters[:1] + ACCENTS[name] + letters[1:])
        if name in SPACES:
            return SPACES[name]
        if name and name in "#$%&_{}|":
            return name
        raise ExplorerError(f"'\\{printable(name[:20])}' is not known", "write the number that it stands for")

    def root(self) -> str:
        degree, radicand = self.option().strip(), self.argument().strip()
        return f"({_atom(radicand)}^(1/{_atom(degree)}))" if degree not in ("", "2") else f"sqrt({radicand})"

    def spanning(self) -> str:
        columns, _ = self.argument().strip(), self.argument()
        if columns != "1":
            raise ExplorerError(f"one cell over {printable(columns[:9])} columns", "give each column a cell of its own")
        return self.argument()


def _unbracketed(text: str) -> str:
    """Without brackets around all of it, where nothing changes by that."""
    outer = _BRACKETED.fullmatch(text)
    if not outer or not _is_balanced(outer[2]) or (outer[1] and set("+-") & set(outer[2])):
        return text
    return outer[1] + outer[2].strip()


def _is_balanced(text: str) -> bool:
    """Whether every bracket that closes was opened within."""
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return False
    return depth == 0


def _quotient(numerator: str, denominator: str) -> str:
    return f"({_atom(numerator)}/{_atom(denominator)})"


def _atom(text: str) -> str:
    """Brackets around what is not one number, name or function."""
    text = text.strip()
    return text if _ATOM.fullmatch(text) else f"({text})"
