"""Source text in any programming language cut at its brackets, commas and line ends."""

from __future__ import annotations

import re

from explorer.formats.literals.groups import NUMBER, Broken, Cell, Entry, Group, Quoted

DEEPEST = 50
MOST_CELLS = 2**24
MOST_GROUPS = 2**19  # each takes as much memory as many numbers

_TOKEN = re.compile(
    r"""
    (?P<run> [-+]?1\.\#[A-Za-z]++
      | (?: [^\s,;\[\](){}"'\#%=/<:]++
          | /(?![/*]) | (?<=[0-9])//(?=[0-9])           # 1//3 is a fraction of Julia, other // are comments
          | <(?!-) | :(?!=) | [<>!=]= | =>
          | (?<=[0-9])%(?=[^\S\n]*(?:[-+.,;0-9\])}\n]|$))   # 50%, where other % are comments
          | (?<=[\w.\])}])'                              # a transposition, where other ' are quotes
        )++ )
    | (?P<assign> <- | := | = )
    | (?P<gap> [^\S\n]++ | (?:\#|%|//)[^\n]*+ )
    | (?P<line> \n )
    | (?P<quote> "[^"\n]{0,300}+" | '[^'\n]{0,300}+' )
    | (?P<open> [\[({] )
    | (?P<close> [\])}] )
    | (?P<mark> [,;] )
    """,
    re.VERBOSE,
)
# Rows of plain numbers, nearly everything of large texts, are cut at their separators at once. Line ends within them
# are those of a print in nested lists; in the outermost one they may end rows.
_ROWS = {
    is_nested: (
        re.compile(
            rf"{blank}*+{NUMBER}(?:{blank}*+,{blank}*+{NUMBER})++{blank}*+(?:,\s*+(?=[\])}}])|(?=[\])}};{end}]))"
        ),
        re.compile(rf"{blank}*+{NUMBER}(?:{blank}++{NUMBER})++{blank}*+(?=[\];{end}])"),
    )
    for is_nested, blank, end in ((True, r"\s", ""), (False, r"[^\S\n]", r"\n"))
}
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_COMMENTS = {"/*": "*/", "(*": "*)"}
_JOINING = ("*", "/", "^", "=")


def line_of(text: str, at: int) -> int:
    """The line, counted from 1, in which a position is."""
    return text.count("\n", 0, at) + 1


def groups_of(text: str) -> Group:
    """The whole text as one group without brackets; its commas are entries."""
    return _Scanner(text).scanned()


class _Scanner:
    """A pass over the text with a stack of the groups that are open."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.stack = [Group("", 0)]
        self.pieces: list[str | Group] = []
        self.starts: list[int] = []
        self.end = 0
        # What stands before each open bracket in its cell.
        self.waiting: list[tuple[list[str | Group], list[int]]] = []
        self.is_gap = self.is_after_comma = False
        self.cells = self.groups = 0
        self.no_more: set[str] = set()

    def scanned(self) -> Group:
        at, size = 0, len(self.text)
        while at < size:
            found = _TOKEN.match(self.text, at)
            comment = _COMMENTS.get(self.text[at : at + 2]) if found is None or found.lastgroup == "open" else None
            behind = self.behind_comment(comment, at) if comment else 0
            if behind:
                self.is_gap, at = True, behind
            elif found is None:
                self.add(self.text[at], at, at + 1)
                at += 1
            else:
                at = self.take(found.lastgroup or "", found[0], at, found.end())
        self.flush()
        if len(self.stack) > 1:
            raise _unclosed(self.text, self.stack)
        return self.stack[0]

    def behind_comment(self, closing: str, at: int) -> int:
        """Where a comment ends; 0 where it does not. Each kind is sought in vain only once."""
        if closing in self.no_more:
            return 0
        end = self.text.find(closing, at + 2)
        if end < 0:
            self.no_more.add(closing)
        return end + 2 if end >= 0 else 0

    def take(self, kind: str, token: str, at: int, end: int) -> int:
        """Do what a token asks for; where to go on."""
        if kind in ("run", "assign"):
            self.add(token, at, end)
        elif kind == "gap":
            self.is_gap = True
        elif kind == "quote":
            self.add(Quoted(token[1:-1]), at, end)
        elif kind == "line":
            self.line()
            if not self.stack[-1].is_nested:
                return self.plain_row(self.stack[-1], end)
        elif token == ";":
            self.semicolon()
            return self.plain_row(self.stack[-1], end)
        elif kind == "mark":
            self.comma()
        elif kind == "open":
            return self.open(token, at)
        else:
            self.close(token, at)
        return end

    def add(self, piece: str | Group, start: int, end: int) -> None:
        """Join a piece to the cell, or begin the next one."""
        if self.pieces and self.is_gap and not self.joins(piece, end):
            self.flush()
            self.stack[-1].gaps += 1
        self.pieces.append(piece)
        self.starts.append(start)
        self.end = end
        self.is_gap = self.is_after_comma = False

    def joins(self, piece: str | Group, end: int) -> bool:
        """Whether an operator, as in 1 - 2, holds together what a gap separates; 1 -2 is two numbers."""
        if _is_open_ended(self.pieces):
            return True
        if isinstance(piece, Group | Quoted):
            return False
        return (
            piece.startswith(_JOINING)
            or piece in ("<-", ":=")
            or (piece in "+-" and self.text[end : end + 1].isspace())
        )

    def flush(self) -> None:
        """End the cell."""
        if self.pieces:
            first = self.pieces[0]
            if len(self.pieces) == 1 and isinstance(first, str):
                self.put(first)
            else:
                self.put(Cell(self.pieces, self.starts, self.end))
            self.pieces, self.starts = [], []
        self.is_gap = False

    def put(self, entry: Entry) -> None:
        self.stack[-1].rows[-1].append(entry)
        self.count(1)

    def count(self, cells: int) -> None:
        self.cells += cells
        if self.cells > MOST_CELLS:
            raise Broken(f"more than {MOST_CELLS} numbers", "take a part of it, or save it as .npy")

    def line(self) -> None:
        if self.pieces and _is_open_ended(self.pieces):
            self.is_gap = True
            return
        self.flush()
        if self.stack[-1].rows[-1]:
            self.stack[-1].end_row(",\n" if self.is_after_comma else "\n")
            self.is_after_comma = False

    def comma(self) -> None:
        group = self.stack[-1]
        is_empty = not self.pieces and (self.is_after_comma or not group.rows[-1])
        self.flush()
        if len(group.rows) > 1 and not group.rows[-1] and group.breaks[-1] == "\n":  # commas at the start of lines
            group.rejoin()
        elif is_empty and group.opening:
            self.put("")
        if not group.opening:
            self.put(",")
        group.commas += 1
        self.is_after_comma = True

    def semicolon(self) -> None:
        self.flush()
        group = self.stack[-1]
        if group.rows[-1]:
            group.end_row(";")
            self.is_after_comma = False
        elif group.opening and group.breaks and group.breaks[-1] == ";":
            group.breaks[-1] = ";;"
        elif group.breaks:
            group.breaks[-1] = ";"

    def open(self, bracket: str, at: int) -> int:
        parent = self.stack[-1]
        if self.pieces and isinstance(self.pieces[-1], Group) and parent.opening:
            self.is_gap = True  # [1,2][3,4] are two rows
        last = self.pieces[-1] if self.pieces else ""
        is_typed = bracket == "{" and isinstance(last, str) and last[-1:] == ">"  # List<double> {1, 2}
        if self.pieces and self.is_gap and not is_typed and not _is_open_ended(self.pieces):
            self.flush()
            parent.gaps += 1
        if len(self.stack) > DEEPEST:
            raise Broken(f"nested more than {DEEPEST} deep", "take some brackets away")
        self.groups += 1
        if self.groups > MOST_GROUPS:
            raise Broken(f"more than {MOST_GROUPS} lists", "save the numbers as .npy")
        self.waiting.append((self.pieces, self.starts))
        group = Group(bracket, at, is_nested=bool(parent.opening))
        self.stack.append(group)
        self.pieces, self.starts, self.is_gap, self.is_after_comma = [], [], False, False
        return self.plain_row(group, at + 1)

    def plain_row(self, group: Group, at: int) -> int:
        """Read a row of plain numbers at once, if one follows; where to go on."""
        if self.pieces or group.rows[-1] or not group.opening:
            return at
        with_commas, with_spaces = _ROWS[group.is_nested]
        if found := with_commas.match(self.text, at):
            cells = [cell.strip() for cell in found[0].split(",")]
            if not cells[-1]:
                cells.pop()
            group.commas += len(cells) - 1
        elif group.opening == "[" and (found := with_spaces.match(self.text, at)):
            cells = found[0].split()
            group.gaps += len(cells) - 1
        else:
            return at
        group.rows[-1] += cells
        self.count(len(cells))
        return found.end()

    def close(self, bracket: str, at: int) -> None:
        self.flush()
        group = self.stack[-1]
        if _CLOSING.get(group.opening) != bracket:
            where = f"line {line_of(self.text, at)}: {bracket}"
            if not group.opening:
                raise Broken(f"{where} closes nothing", "take it away, or add the bracket that it closes")
            raise Broken(f"{where} closes a {group.opening}", f"write {_CLOSING[group.opening]} there")
        self.stack.pop()
        group.tally()
        if len(group.rows) > 1 and not group.rows[-1]:
            group.rejoin()
        group.end = at + 1
        self.pieces, self.starts = self.waiting.pop()
        self.pieces.append(group)
        self.starts.append(group.start)
        self.end, self.is_gap, self.is_after_comma = at + 1, False, False


def _is_open_ended(pieces: list[str | Group]) -> bool:
    """Whether the cell ends in an operator."""
    last = pieces[-1]
    if not isinstance(last, str) or isinstance(last, Quoted):
        return False
    return last == "new" or last.endswith((*_JOINING, "+", "-", ":=", "<-"))


def _unclosed(text: str, stack: list[Group]) -> Broken:
    """The error for a text that ends within brackets."""
    group = stack[-1]
    closing = _CLOSING[group.opening]
    if len(stack) == 2:
        where = f"the {group.opening} in line {line_of(text, group.start)}"
    else:
        where = f"row {sum(isinstance(entry, Cell) for entry in stack[-2].entries) + 1}"
    return Broken(f"{where} is not closed: the text is truncated, or a {closing} is missing", f"add {closing}")
