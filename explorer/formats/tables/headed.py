"""Tables whose form says that the first row is a header, or the first column a margin."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from explorer.errors import ExplorerError
from explorer.formats.imported import Imported, Option
from explorer.formats.tables.cell_values import option_label
from explorer.formats.tables.labels import is_number
from explorer.formats.tables.number_text import spelled, visible
from explorer.formats.tables.table_cells import matrix_of
from explorer.state.document import Labels

Rows = Sequence[Sequence[str]]


def headed(
    rows: Rows, *, name: str = "", notes: Sequence[str] = (), has_head: bool = False, has_side: bool = False,
    is_certain: bool = True,
) -> Imported:  # fmt: skip
    """A matrix whose first row, and first column, are labels even where they are numbers.

    Not ``is_certain``: a header of numbers may be the first row of them, for Markdown knows no table without a header;
    a choice then.
    """
    if len(rows) < 2 or len(rows[0]) != len(rows[1]):
        return matrix_of(rows, name=name, notes=notes)
    if has_head and (has_side or _has_corner(rows[0], is_certain=is_certain)):
        return matrix_of(rows, name=name, notes=notes, is_corner_known=True)
    if has_side:
        return _beside(rows, name, notes)
    plain = _or_error(rows, name, notes)
    is_settled = not has_head or not any(map(visible, rows[0]))
    if is_settled or (isinstance(plain, Imported) and _first(plain).column_labels):
        return _raised(plain)
    if isinstance(plain, ExplorerError) and not (is_certain or all(map(visible, rows[0]))):
        raise plain
    named = _below(rows, name, notes)
    if named is None:
        return _raised(plain)
    if is_certain or isinstance(plain, ExplorerError):
        return named
    return _choice(plain, named, puts_labels_first=_is_count(rows[0]))


def _has_corner(header: Sequence[str], *, is_certain: bool) -> bool:
    """Whether an empty first cell stands between labels; before numbers with decimals it may be one left empty."""
    top = [*filter(None, map(spelled, header[1:]))]
    is_decimal = any(is_number(cell) and not cell.isdecimal() for cell in top)
    return not visible(header[0]) and bool(top) and (is_certain or not is_decimal)


def _or_error(rows: Rows, name: str, notes: Sequence[str]) -> Imported | ExplorerError:
    try:
        return matrix_of(rows, name=name, notes=notes)
    except ExplorerError as error:
        return error


def _raised(made: Imported | ExplorerError) -> Imported:
    if isinstance(made, ExplorerError):
        raise made
    return made


def _below(rows: Rows, name: str, notes: Sequence[str]) -> Imported | None:
    """The rows below a header of numbers; None where a column of the header has nothing below it."""
    # An empty row is left out but counted, so that errors name rows as they stand.
    made = matrix_of([[""] * len(rows[0]), *rows[1:]], name=name, notes=[*notes, "first row is labels"])
    first = _first(made)
    labels = _as_labels(rows[0][1 if first.row_labels else 0 :])
    if first.values is None or first.values.shape[1] != len(labels):
        return None
    return _labelled(made, column_labels=labels)


def _beside(rows: Rows, name: str, notes: Sequence[str]) -> Imported:
    """The cells beside a first column of labels."""
    for i, row in enumerate(rows, start=1):
        if not any(map(visible, row[1:])):
            raise ExplorerError(f"row {i}, column 2 is empty", "put a number there, 0 if that is meant")
    made = matrix_of([["", *row[1:]] for row in rows], name=name, notes=[*notes, "first column is labels"])
    return _labelled(made, row_labels=_as_labels(row[0] for row in rows))


def _first(made: Imported) -> Imported:
    return made.options[0].reading if made.kind == "choice" else made


def _as_labels(cells: Iterable[str]) -> Labels:
    return tuple(visible(cell)[:200] or None for cell in cells)


def _labelled(made: Imported, *, row_labels: Labels = (), column_labels: Labels = ()) -> Imported:
    """The same with these labels; those that are not given stay."""
    if made.kind == "choice":
        options = (
            replace(option, reading=_labelled(option.reading, row_labels=row_labels, column_labels=column_labels))
            for option in made.options
        )
        return replace(made, options=tuple(options))
    return replace(made, row_labels=row_labels or made.row_labels, column_labels=column_labels or made.column_labels)


def _choice(plain: Imported, named: Imported, *, puts_labels_first: bool) -> Imported:
    both = [*_options(plain, "the first row is numbers"), *_options(named, "the first row is labels")]
    if puts_labels_first:  # 0, 1, 2: the names that programs give to columns
        both.reverse()
    return Imported("choice", options=tuple(both), name=plain.name, notes=plain.notes)


def _options(made: Imported, how: str) -> list[Option]:
    if made.kind == "choice":
        return [Option(f"{option.label}, {how}", option.reading) for option in made.options]
    return [Option(option_label(made, how), made)]


def _is_count(cells: Sequence[str]) -> bool:
    texts = [spelled(cell) for cell in cells]
    return texts in ([str(n) for n in range(len(cells))], [str(n + 1) for n in range(len(cells))])
