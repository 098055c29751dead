"""The XML parts of an .xlsx workbook: cells, shared texts, styles and the list of sheets."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree.ElementTree import Element, fromstring, iterparse

from explorer.errors import ExplorerError

LAST_ROW, LAST_COLUMN = 2**20, 2**14
# Dates and times among the formats that every workbook has.
_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_NOT_SHOWN = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_ADDRESS = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


class Cell(NamedTuple):
    """One cell as written: its type, the number of its style, its text, and whether it is a formula."""

    kind: str
    style: str
    text: str
    is_formula: bool


def cells_of(data: bytes) -> dict[tuple[int, int], Cell]:
    """The cells of a sheet by row and column, counted from 1; without an address a cell follows the one before."""
    found: dict[tuple[int, int], Cell] = {}
    last = 0
    for row in _elements(data, "row"):
        given = row.get("r", "")
        last, column = (int(given) if given.isdecimal() and len(given) < 8 else last + 1), 0
        for item in row:
            address = _ADDRESS.fullmatch(item.get("r", ""))
            last, column = (int(address[2]), _column(address[1])) if address else (last, column + 1)
            if not (1 <= last <= LAST_ROW and 1 <= column <= LAST_COLUMN) or (last, column) in found:
                raise ExplorerError(f"row {last}, column {column} cannot stand where it does", "save it again")
            cell = _cell(item)
            if cell.text or cell.is_formula:
                found[last, column] = cell
    return found


def shared_texts(data: bytes) -> list[str]:
    """The texts that cells name by their number."""
    return [_text(item) for item in _elements(data, "si")]


def date_styles(data: bytes) -> frozenset[str]:
    """The numbers of the styles that show a number as a date or time."""
    root = fromstring(_plain(data))
    codes = {item.get("numFmtId"): item.get("formatCode", "") for item in root.iter() if _name(item) == "numFmt"}
    styles = next((item for item in root if _name(item) == "cellXfs"), ())
    keys = [style.get("numFmtId", "0") for style in styles]
    builtin = frozenset(map(str, _DATES))
    return frozenset(
        str(i) for i, key in enumerate(keys) if (_is_date_code(codes[key]) if key in codes else key in builtin)
    )


def attributes(data: bytes, name: str) -> list[dict[str, str]]:
    """The attributes of all elements of a name, without their namespaces."""
    return [
        {key.rpartition("}")[2]: value for key, value in item.attrib.items()}
        for item in fromstring(_plain(data)).iter()
        if _name(item) == name
    ]


def _elements(data: bytes, name: str) -> Iterator[Element]:
    """The elements of a name one by one, each forgotten after its turn."""
    for _, item in iterparse(io.BytesIO(_plain(data).encode()), events=("end",)):
        if item.tag == name or item.tag.endswith("}" + name):
            yield item
            item.clear()


def _plain(data: bytes) -> str:
    """The XML as text; a document type, which no spreadsheet program writes, could make it grow without end."""
    text = data.decode("utf-8-sig")
    if "<!DOCTYPE" in text:
        raise ExplorerError("its XML has a document type", "save it again, or as CSV")
    return re.sub(r"\A\s*<\?xml[^>]{0,200}\?>", "", text)  # whatever encoding it claims, it is UTF-8


def _cell(item: Element) -> Cell:
    text, is_formula = "", False
    for part in item:
        name = _name(part)
        if name == "v":
            text = part.text or ""
        elif name == "is":
            text = _text(part)
        elif name == "f":
            is_formula = True
    return Cell(item.get("t", "n"), item.get("s", "0"), text, is_formula)


def _text(item: Element) -> str:
    """The text of an element, its runs joined; how it is pronounced stands beside them and is left out."""
    parts = [part for part in item if _name(part) != "rPh"]
    return "".join(run.text or "" for part in parts for run in part.iter() if _name(run) == "t")


def _name(item: Element) -> str:
    return item.tag.rpartition("}")[2]


def _column(letters: str) -> int:
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - ord("A") + 1
    return column


def _is_date_code(code: str) -> bool:
    return any(letter in "ymdhs" for letter in _NOT_SHOWN.sub("", code.partition(";")[0]).lower())
