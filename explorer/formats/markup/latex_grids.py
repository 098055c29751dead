r"""Where the matrices of a LaTeX text begin and end, and the tokens of their cells."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from explorer.errors import ExplorerError
from explorer.formats.markup.latex_cells import TOKEN
from explorer.formats.printable import printable

MOST_CELLS = 2**20
MOST_MATRICES = 64
_LONGEST_CELL = 1000
_LONGEST_COLUMNS = 2**17
_DEEPEST = 50
# How many groups in braces follow \begin{name} before the first cell.
_MATRICES = {
    **dict.fromkeys(
        [f"{kind}{size}matrix{star}" for kind in ("", *"pbBvV") for size in ("", "small") for star in ("", "*")], 0
    ),
    **dict.fromkeys([f"{kind}NiceMatrix" for kind in ("", *"pbBvV")], 0),
    **dict.fromkeys(["array", "tabular", "longtable", "tblr", "NiceTabular", "NiceArray"], 1),
    **dict.fromkeys([f"{kind}NiceArray" for kind in "pbBvV"], 1),
    **dict.fromkeys(["tabular*", "tabularx", "tabulary"], 2),
}  # fmt: skip
TABLES = frozenset(["tabular", "tabular*", "tabularx", "tabulary", "longtable", "tblr", "NiceTabular"])
# Environments that hold rows, but mostly of other things than numbers.
_LAST_RESORT = frozenset(f"{name}{star}" for name in ("aligned", "align", "gathered", "eqnarray") for star in ("", "*"))
START = re.compile(
    r"\\begin\s*\{\s*([A-Za-z]+\*?)\s*\}|\\([pbBvV]?(?:small)?matrix|bordermatrix)\s*(\{)"
    r"|(?:\\[^A-Za-z])+|\\[A-Za-z]+|(?:%[^\n]*\n?)+"
)
_OPTION = re.compile(r"\s*\[(?:[a-z]|[^\]\n&=]{0,200}=[^\]\n&]{0,200})\]")
_GROUP_PART = re.compile(r"[^{}\\]+|\\(?s:.)|(?s:.)")
_PIECE = re.compile(
    r"(?P<row>\\\\\*?(?:\s*\[\s{0,9}-?[0-9.]{0,9}\s{0,9}\\?[a-z][^\]\n&]{0,30}\])?"
    r"|\\(?:crcr|cr|tabularnewline)(?![A-Za-z]))"
    r"|(?P<rule>\\(?:hline|hdashline|endhead|endfirsthead|endfoot|endlastfoot|centering)(?![A-Za-z])"
    r"|\\(?:top|mid|bottom)rule(?![A-Za-z])(?:\[[^\]\n]{0,40}\])?|\\addlinespace(?:\[[^\]\n]{0,40}\])?"
    r"|\\(?:cline|cmidrule|cdashline|noalign|arrayrulecolor|rowcolor)(?![A-Za-z])"
    r"(?:\([^)\n]{0,40}\))?(?:\[[^\]\n]{0,40}\])?\s*\{[^{}\n]{0,80}\})"
    r"|(?P<end>\\end\s*\{\s*(?P<ended>[A-Za-z]+\*?)\s*\})|(?P<begin>\\begin(?![A-Za-z]))"
    rf"|(?P<other>{TOKEN.pattern})"
)


@dataclass
class Grid:
    """A matrix as it stands in the text: from where to where, its environment, the tokens of every cell."""

    environment: str
    start: int
    end: int = 0
    rows: list[list[list[str]]] = field(default_factory=list)


def grids(text: str) -> list[Grid]:
    """Every matrix and table, in order; without any, the rows of an aligned equation."""
    found: list[Grid] = []
    last_resort: list[tuple[int, str, int]] = []
    at = 0
    while match := START.search(text, at):
        at = match.end()
        name = match[1] or match[2] or ""
        if match[3] or name in _MATRICES:
            body = at if match[3] else _after_arguments(text, at, name)
            found.append(_grid(text, match.start(), body, "" if match[3] else name))
            at = found[-1].end
        elif name in _LAST_RESORT:
            last_resort.append((match.start(), name, at))
        if len(found) > MOST_MATRICES:
            raise ExplorerError(f"more than {MOST_MATRICES} matrices", "give fewer")
    if not found and len(last_resort) == 1:
        start, name, at = last_resort[0]
        found.append(_grid(text, start, at, name))
    return found


def bare_grid(inner: str, start: int, end: int) -> Grid:
    """Rows without an environment, ``start`` to ``end`` being where they stand in the whole text."""
    return replace(_grid(inner, 0, 0, None), start=start, end=end)


def _after_arguments(text: str, at: int, name: str) -> int:
    """Where the first cell begins."""
    if option := _OPTION.match(text, at):
        at = option.end()
    for _ in range(_MATRICES[name]):
        depth = 0
        for part in _GROUP_PART.finditer(text, at, at + _LONGEST_COLUMNS):
            depth += (part[0] == "{") - (part[0] == "}")
            if depth == 0 and not part[0].isspace():
                break
        else:
            raise ExplorerError(rf"the columns of \begin{{{name}}} never end", "close their braces")
        at = part.end() if part[0] == "}" else at
    return at


def _grid(text: str, start: int, at: int, environment: str | None) -> Grid:
    r"""The rows from ``at`` on; "" for what a brace closes, as in \pmatrix{ }, None for what ends with the text."""
    gathered = _Gathered()
    for piece in _PIECE.finditer(text, at):
        token, kind = piece[0], piece.lastgroup
        if gathered.depth == 0 and kind == "end" and environment is not None:
            if piece["ended"] != environment:
                raise ExplorerError(
                    rf"\begin{{{environment}}} ends with {printable(token[:40])}", "make both names the same"
                )
            return Grid(environment, start, piece.end(), gathered.all_rows())
        if gathered.depth == 0 and token == "}" and environment == "":
            return Grid("matrix", start, piece.end(), gathered.all_rows())
        gathered.add(token, kind)
    if environment is None and gathered.depth == 0:
        return Grid("", start, len(text), gathered.all_rows())
    raise ExplorerError(
        "truncated: " + (rf"\begin{{{environment}}} has no \end" if environment else "a brace is not closed"),
        "copy all of it",
    )


class _Gathered:
    """Cells as they grow, with a limit on everything that a hostile text could make large."""

    def __init__(self) -> None:
        self.rows: list[list[list[str]]] = [[[]]]
        self.depth = 0
        self.cells = 0
        self.length = 0

    def add(self, token: str, kind: str | None) -> None:
        """Put a token where it belongs."""
        if token[0] == "%":
            return
        if self.depth:
            self.grow(token, kind)
        elif token == "&":
            self.rows[-1].append(self.new_cell())
        elif kind == "row":
            self.rows.append([self.new_cell()])
        elif kind == "rule":
            if len(self.rows[-1]) == 1 and not "".join(self.rows[-1][0]).strip():
                self.rows[-1] = [[]]
        else:
            self.grow(token, kind)

    def new_cell(self) -> list[str]:
        self.cells += 1
        self.length = 0
        if self.cells > MOST_CELLS:
            raise ExplorerError(f"more than {MOST_CELLS} cells", "save it as .npy")
        return []

    def grow(self, token: str, kind: str | None) -> None:
        self.depth += (token == "{") - (token == "}")
        self.length += 1 if token.isspace() else len(token)
        if self.depth < 0:
            raise self.refusal("a brace closes that never opened", "take it out")
        if self.depth > _DEEPEST:
            raise self.refusal("nested too deep", f"use at most {_DEEPEST} braces within each other")
        if self.length > _LONGEST_CELL:
            raise self.refusal("too long for a number", f"write at most {_LONGEST_CELL} characters")
        if kind == "begin":
            raise self.refusal("holds another table", "paste one matrix alone")
        self.rows[-1][-1].append(token)

    def refusal(self, what: str, hint: str) -> ExplorerError:
        return ExplorerError(f"row {len(self.rows)}, column {len(self.rows[-1])}: {what}", hint)

    def all_rows(self) -> list[list[list[str]]]:
        r"""The rows, without the empty one that a last \\ would begin."""
        last = self.rows[-1]
        return self.rows[:-1] if len(last) == 1 and not "".join(last[0]).strip() else self.rows
