"""Tables that JSON writes by name: records, columns, pandas' layouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from explorer.errors import ExplorerError
from explorer.formats.arrays.json_blocks import array_in
from explorer.formats.imported import Imported, Option
from explorer.formats.json_values import as_text, shown
from explorer.formats.named_parts import labelled, quoted, role_of
from explorer.formats.tables.table_cells import number

Named = Mapping[str, object]


def is_scalar(item: object) -> bool:
    """Whether it is one cell: a number, text, true, false or null."""
    return not isinstance(item, list | dict)


def is_texts(item: object) -> bool:
    """Whether it is a list of texts that are not all numbers."""
    return isinstance(item, list) and all(isinstance(text, str) for text in item) and not all(map(_is_number, item))


def are_records(item: object) -> bool:
    """Whether it is a list of objects whose values are single cells: a table row by row."""
    return (
        isinstance(item, list)
        and bool(item)
        and all(isinstance(record, dict) and record and all(map(is_scalar, record.values())) for record in item)
    )


def labels_in(item: object) -> tuple[str, ...]:
    """A list of texts or numbers as labels; nothing when it is something else."""
    if not isinstance(item, list) or not all(isinstance(label, str | int | float) for label in item):
        return ()
    return tuple(
        label.encode("utf-8", "replace").decode() if isinstance(label, str) else shown(label) for label in item
    )


def records(rows: Sequence[Named], index: str = "") -> Imported:
    """A list of objects with the same names: the names are column labels, ``index`` or the one of texts row labels."""
    names = list(rows[0])
    for i, row in enumerate(rows):
        for name in (*names, *row):
            if name not in row or name not in rows[0]:
                lacking = i + 1 if name not in row else 1
                raise ExplorerError(f"row {lacking} has no {quoted(name)}", "give all rows the same names")
    texts = [name for name in names if is_texts([row[name] for row in rows])]
    index = index or (texts[0] if len(texts) == 1 and len(names) > 1 else "")
    if not [name for name in names if name != index]:
        raise ExplorerError("a table without numbers", "give columns of numbers")
    row_labels = labels_in([row[index] for row in rows]) if index else ()
    columns = tuple(name for name in names if name != index)
    found = array_in([[row[name] for name in columns] for row in rows])
    return labelled(found, query_labels=row_labels, key_labels=columns)


def split(top: Named) -> Imported | None:
    """What pandas writes with orient="split": columns, index and data."""
    data = top.get("data")
    if not isinstance(data, list) or not ({"columns", "index"} & set(top)) or are_records(data):
        return None
    found = array_in(data)
    return labelled(found, query_labels=labels_in(top.get("index")), key_labels=labels_in(top.get("columns")))


def table(top: Named) -> Imported | None:
    """What pandas writes with orient="table": a schema and records."""
    schema, data = top.get("schema"), top.get("data")
    if not isinstance(schema, dict) or not isinstance(data, list) or not are_records(data):
        return None
    key = schema.get("primaryKey")
    index = as_text(key[0], "schema.primaryKey") if isinstance(key, list) and len(key) == 1 else ""
    return records(data, index if index in data[0] else "")


def columns(top: Named) -> Imported | None:
    """Equally long lists, or objects of cells, by name: columns as pandas writes them, or else rows."""
    if len(top) < 2 or any(role_of(name) for name, item in top.items() if not is_texts(item)):
        return None
    items = list(top.values())
    inner: tuple[str, ...] = ()
    if all(isinstance(item, dict) and item and all(map(is_scalar, item.values())) for item in items):
        objects = [item for item in items if isinstance(item, dict)]
        inner = tuple(objects[0])
        for name, item in zip(top, objects, strict=True):
            if set(item) != set(inner):
                raise ExplorerError(
                    f"{quoted(name)} has other names in it than {quoted(next(iter(top)))}", "give the same"
                )
        lists = {name: [item[key] for key in inner] for name, item in zip(top, objects, strict=True)}
    elif all(isinstance(item, list) and item and all(map(is_scalar, item)) for item in items):
        lists = {name: item for name, item in top.items() if isinstance(item, list)}
        if len({len(item) for item in lists.values()}) > 1:
            return None
    else:
        return None
    texts = [name for name, item in lists.items() if is_texts(item)]
    if len(texts) == 1 and not inner and len(lists) > 1:
        rows = [dict(zip(lists, cells, strict=True)) for cells in zip(*lists.values(), strict=True)]
        return records(rows)
    return _either_way(array_in([*lists.values()]), tuple(lists), inner)


def _either_way(found: Imported, names: tuple[str, ...], inner: tuple[str, ...]) -> Imported:
    """Both readings; pandas' usual one, names are columns, first."""
    assert found.values is not None
    by_row = labelled(found, query_labels=names, key_labels=inner)
    by_column = replace(
        by_row, values=found.values.T.copy(),
        texts=None if found.texts is None else found.texts.T.copy(),
        row_labels=by_row.column_labels, column_labels=by_row.row_labels,
    )  # fmt: skip
    first = quoted(names[0])
    options = (Option(f"{first} is a column", by_column), Option(f"{first} is a row", by_row))
    return Imported("choice", options=options)


def _is_number(text: str) -> bool:
    try:
        number(text, 1, 1)
    except ExplorerError:
        return False
    return True
