"""Workbooks of Excel and its like, .xlsx, read with the standard library alone."""

from __future__ import annotations

import math
import posixpath
from collections.abc import Mapping

from explorer.errors import ExplorerError
from explorer.formats.arrays import zip_members
from explorer.formats.arrays.arrays import MOST_NUMBERS
from explorer.formats.arrays.sheet_xml import Cell, attributes, cells_of, date_styles, shared_texts
from explorer.formats.imported import Imported
from explorer.formats.named_parts import joined, names_found, quoted, role_of
from explorer.formats.tables.mixed_cells import matrix_of_mixed

Rows = list[list[float | str]]

MOST_TEXT = 2**26
WORKBOOK = "xl/workbook.xml"
_TEXTS, _STYLES = "xl/sharedStrings.xml", "xl/styles.xml"
_AGAIN = "save it again, or as CSV"


def is_spreadsheet(data: bytes) -> bool:
    """Whether it is a zip file with a workbook in it."""
    return data.startswith(zip_members.MAGIC) and WORKBOOK in zip_members.names_in(data)


def read_spreadsheet(data: bytes, name: str = "") -> Imported:
    """The first sheet with numbers; all sheets that have the names of our matrices, where several do."""
    members = zip_members.unpacked(
        data, lambda member: member.startswith("xl/") and member.endswith((".xml", ".rels")), MOST_TEXT
    )
    try:
        sheets = _sheets(members)
    except ExplorerError:
        raise
    except Exception:  # the parser has several kinds of errors for damaged XML
        raise ExplorerError("the workbook is damaged", _AGAIN) from None
    if not sheets:
        raise ExplorerError("no sheet has numbers in it", "open another file")
    ours = [title for title in sheets if role_of(title)]
    if len(ours) > 1:
        left = [title for title in sheets if title not in ours]
        notes = [f"sheets left out: {names_found(left)}"] if left else []
        return joined({title: _matrix(sheets[title], title, title) for title in ours}, notes=notes)
    title, *left = sheets
    notes = [f"sheet {quoted(title)}, sheets left out: {names_found(left)}"] if left else []
    return _matrix(sheets[title], title, title if ours == [title] else name, notes)


def _matrix(rows: Rows, title: str, name: str, notes: list[str] | None = None) -> Imported:
    try:
        return matrix_of_mixed(rows, name=name, notes=notes or [])
    except ExplorerError as error:
        raise ExplorerError(f"sheet {quoted(title)}, {error.message}", error.hint) from None


def _sheets(members: Mapping[str, bytes]) -> dict[str, Rows]:
    """The cells by sheet, in the order of the workbook; sheets without numbers left aside where one has some."""
    texts = shared_texts(members[_TEXTS]) if _TEXTS in members else []
    dates = date_styles(members[_STYLES]) if _STYLES in members else frozenset()
    cells = {title: found for title, member in _places(members).items() if (found := cells_of(members[member]))}
    chosen = [title for title, found in cells.items() if any(cell.kind in ("n", "b") for cell in found.values())]
    return {
        title: _rows(cells[title], texts, dates, f"sheet {quoted(title)}, ")
        for title in chosen or [*cells][:1]  # numbers written as texts are numbers too
    }


def _places(members: Mapping[str, bytes]) -> dict[str, str]:
    """In which member each sheet is, by its title."""
    links = attributes(members["xl/_rels/workbook.xml.rels"], "Relationship")
    targets = {link["Id"]: link["Target"] for link in links}
    places = {}
    for sheet in attributes(members[WORKBOOK], "sheet"):
        member = posixpath.normpath(posixpath.join("/xl", targets[sheet["id"]])).lstrip("/")
        if member in members and "worksheets" in member:  # charts are sheets too
            places[sheet["name"]] = member
    return places


def _rows(cells: Mapping[tuple[int, int], Cell], texts: list[str], dates: frozenset[str], where: str) -> Rows:
    """The cells from the sheet's first to its last, so that rows and columns count as on the sheet."""
    height, width = max(row for row, _ in cells), max(column for _, column in cells)
    if height * width > MOST_NUMBERS:
        raise ExplorerError(f"{where}{height} x {width} cells are too many", "copy the numbers to a new sheet")
    made: Rows = [[""] * width for _ in range(height)]
    for (row, column), cell in cells.items():
        if cell.kind == "n" and cell.style not in dates and cell.text and math.isfinite(value := float(cell.text)):
            made[row - 1][column - 1] = value
        else:
            made[row - 1][column - 1] = _text(cell, texts, dates, f"{where}row {row}, column {column}")
    return made


def _text(cell: Cell, texts: list[str], dates: frozenset[str], where: str) -> str:
    """What a cell holds that is no plain number."""
    if cell.is_formula and not cell.text and cell.kind != "str":
        raise ExplorerError(f"{where}: a formula without a value", "open it in a spreadsheet program and save it")
    if cell.kind == "s":
        return texts[int(cell.text)]
    if cell.kind == "e":
        raise ExplorerError(f"{where}: {quoted(cell.text)} is not a number", "correct the cell")
    if cell.kind == "d" or (cell.kind == "n" and cell.style in dates):
        raise ExplorerError(f"{where} is a date ({quoted(cell.text)} inside), not a number", "type the number again")
    if cell.kind == "b":
        return "TRUE" if cell.text.strip() == "1" else "FALSE"
    return cell.text
