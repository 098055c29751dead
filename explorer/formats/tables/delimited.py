"""A matrix out of a text of rows: CSV, TSV, aligned columns, and what consoles print."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from explorer.core.matrices import shape_text
from explorer.errors import ExplorerError
from explorer.formats.decoding import clean
from explorer.formats.imported import Imported, Option
from explorer.formats.tables import separators
from explorer.formats.tables.cell_values import option_label
from explorer.formats.tables.commented import without_comments
from explorer.formats.tables.console_frames import Section, sections_of
from explorer.formats.tables.several import Candidate, one_of
from explorer.formats.tables.table_cells import matrix_of

_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s{0,8}', re.IGNORECASE)
_COMMA_HINT = "give all rows one length; if the commas are decimal ones, write dots, or put semicolons between numbers"


def read_delimited(text: str, *, name: str = "") -> Imported:
    """The table in a text, or the tables where a console printed several, by their names.

    Tab, semicolon, pipe, comma, blanks: the first of these that occurs separates. Beside tabs, semicolons, pipes
    and between blanks, a comma is part of a number. Where commas may as well separate as be part of numbers
    (1,234; 0,1), a "choice", commas as separators first.
    """
    lines = clean(text).split("\n")
    if given := _SEPARATOR_LINE.fullmatch(lines[0][:40]):  # a spreadsheet wrote it for itself
        rows = separators.by_delimiter([line for line in lines[1:] if line.strip()], given[1])
        return matrix_of(rows, name=name)
    kept, notes = without_comments(lines)
    sections = sections_of(kept)
    if not sections:
        raise ExplorerError("empty: there is no number", "give at least one")
    if len(sections) == 1:
        return _read(sections[0], name, notes)
    return one_of([Candidate(part.name, 1.0, partial(_read, part, "", notes)) for part in sections], "table")


def _read(section: Section, name: str, notes: Sequence[str]) -> Imported:
    name, notes = section.name or name, [*notes, *section.notes]
    if section.rows is not None:
        made = matrix_of(section.rows, name=name, notes=notes, is_corner_known=section.has_corner)
    else:
        made = _table(section.lines, name, notes)
    if section.shape is not None and made.values is not None and made.values.shape != section.shape:
        raise ExplorerError(
            f"truncated: {shape_text(made.values.shape)} numbers are there, the print says {shape_text(section.shape)}",
            "copy the whole print",
        )
    return made


def _table(lines: Sequence[str], name: str, notes: Sequence[str]) -> Imported:
    mark = separators.delimiter_of(lines)
    if mark == ";" and (rows := separators.rows_of_semicolons(lines)):
        return _table(rows, name, [*notes, "semicolons end rows"])
    make = partial(matrix_of, name=name, notes=notes)
    if mark == ",":
        return _by_commas(lines, make)
    if mark == " ":
        return _by_blanks(lines, make)
    if mark == "|":
        return make(separators.by_pipes(lines))
    made = _attempt(make, separators.by_delimiter(lines, mark))
    if isinstance(made, ExplorerError) and mark == "\t" and separators.are_tabs_blanks(lines):
        aligned = _attempt(make, separators.by_blanks(lines))
        made = made if isinstance(aligned, ExplorerError) else aligned
    return _raised(made)


Make = partial[Imported]


def _by_commas(lines: Sequence[str], make: Make) -> Imported:
    """Commas as separators, or within numbers between blanks; both, if both make sense."""
    separated = _attempt(make, separators.by_delimiter(lines, ","))
    rows, is_listed = separators.by_decimal_commas(lines) or ([], False)
    within = _attempt(make, rows)
    if isinstance(within, ExplorerError):
        return _raised(separated)
    if isinstance(separated, ExplorerError):
        body = lines[1:] if within.column_labels else lines
        if all(len(row) == 1 for row in rows) and len({line.count(",") for line in body}) > 1:
            # 1,2 above 3 may be decimals, but a missing number is as likely.
            raise ExplorerError(separated.message, _COMMA_HINT)
        return within
    how = "decimal comma" if "decimal commas" in within.notes else "thousands"
    options = [_options(separated, "comma = separator"), _options(within, how)]
    if is_listed:
        options.reverse()
    return _choice([*options[0], *options[1]], make)


def _by_blanks(lines: Sequence[str], make: Make) -> Imported:
    """Blanks as separators; the narrow ones that may stand between thousands either way, if both make sense."""
    rows = separators.by_blanks(lines)
    made = _attempt(make, rows)
    plain = separators.without_group_spaces(lines)
    if plain == list(lines):
        return _raised(made)
    split = _attempt(make, separators.by_blanks(plain))
    if isinstance(split, ExplorerError):
        return _raised(made)
    if isinstance(made, ExplorerError):
        return split
    options = [_options(made, "thousands"), _options(split, "space = separator")]
    if all(len(row) == 1 for row in rows):
        options.reverse()
    return _choice([*options[0], *options[1]], make)


def _attempt(make: Make, rows: separators.Rows) -> Imported | ExplorerError:
    try:
        return make(rows)
    except ExplorerError as error:
        return error


def _raised(made: Imported | ExplorerError) -> Imported:
    if isinstance(made, ExplorerError):
        raise made
    return made


def _options(made: Imported, how: str) -> list[Option]:
    return list(made.options) or [Option(option_label(made, how), made)]


def _choice(options: Sequence[Option], make: Make) -> Imported:
    return Imported("choice", options=tuple(options), name=make.keywords["name"], notes=tuple(make.keywords["notes"]))
