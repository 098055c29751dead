"""What commas and dots mean in a whole table, judged by the cells that leave no doubt."""

from __future__ import annotations

import re
from collections.abc import Iterable

from explorer.formats.tables.number_text import Notation, plain_parts, roles, spelled

_DECIMAL_COMMA = re.compile(r"[+-]?(?:[0-9]+,(?:[0-9]{1,2}|[0-9]{4,})|0,[0-9]+)")
DECIMAL_COMMA = Notation("decimal", "thousands")
DECIMAL_DOT = Notation("thousands", "decimal")


def notations(cells: Iterable[str]) -> tuple[Notation, ...]:
    """The one notation in which the cells make sense, or two, the likelier first, where nothing decides.

    A comma is a decimal one where it cannot stand between thousands (0,7), and stands between thousands where it cannot
    be a decimal one (1,234.5; 1,234,567). Such a cell decides for those that could be either (1,234), as does a dot
    of which the same is true. A dot that could be either (1.234) is decimal, unless commas are decimal in that table.
    """
    commas, dots = _evidence(cells)
    comma, dot = _role(commas, dots), _role(dots, commas)
    if comma == "unclear" and "unclear" in commas and not commas & {"decimal", "thousands"}:
        return DECIMAL_COMMA, DECIMAL_DOT
    return (Notation(comma, "decimal" if dot == "unclear" and not {"decimal", "thousands"} <= dots else dot),)


def _evidence(cells: Iterable[str]) -> tuple[set[str], set[str]]:
    commas, dots = set(), set()
    for cell in cells:
        if _DECIMAL_COMMA.fullmatch(cell):  # most cells of a table with commas
            commas.add("decimal")
        elif "," in cell or "." in cell or not cell.isascii():
            parts = plain_parts(spelled(cell)) if len(cell) < 100 else None
            comma, dot = (roles(parts[1], bool(parts[2])) if parts else None) or ("", "")
            commas.add(comma)
            dots.add(dot)
    return commas, dots


def _role(of_this: set[str], of_other: set[str]) -> str:
    """What a mark is by its own cells, else by those of the other mark; "unclear" too where they contradict."""
    sure = of_this & {"decimal", "thousands"}
    if sure:
        return sure.pop() if len(sure) == 1 else "unclear"
    others = of_other & {"decimal", "thousands"}
    return "unclear" if len(others) != 1 else "thousands" if others == {"decimal"} else "decimal"
