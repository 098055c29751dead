"""JSON as matrices: nested lists, arrays by name, tables, and what other programs write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from explorer.errors import ExplorerError
from explorer.formats import json_text, session
from explorer.formats.arrays import json_layouts, json_tables
from explorer.formats.arrays.json_blocks import array_in
from explorer.formats.arrays.json_tables import are_records, is_texts, labels_in, records
from explorer.formats.imported import Imported
from explorer.formats.named_parts import LABEL_ROLES, MOST_PARTS, joined, names_found, quoted, role_of
from explorer.formats.session_writing import FORMAT

Named = Mapping[str, object]

# The first that knows its own layout reads it.
LAYOUTS: tuple[Callable[[Named], Imported | None], ...] = (
    json_layouts.bertviz,
    json_layouts.inspectus,
    json_layouts.heatmap,
    json_tables.table,
    json_tables.split,
    json_layouts.flat,
    json_tables.columns,
)
_DEEPEST = 50
_HINT = "give rows of numbers, or Q, K and V by name"


def read_json(data: bytes | str, name: str = "") -> Imported:
    """What JSON or JSON lines hold; ``name`` is what an array without a name of its own is called."""
    given = data.encode("utf-8", "replace") if isinstance(data, str) else data
    try:
        top = json_text.parsed(given, "a file of numbers", "choose a part of it")
    except ExplorerError as error:
        top = _lines(given, error)
    if isinstance(top, dict):
        return session_of(given) if top.get("format") == FORMAT else _object(top)
    if not isinstance(top, list):
        raise ExplorerError("a single value, not a matrix", _HINT)
    if are_records(top):
        return records(top)
    if len(top) == 1 and isinstance(top[0], dict):
        return _object(top[0])
    return array_in(top, name=name)


def session_of(data: bytes) -> Imported:
    """One of our own files."""
    return Imported("session", session=session.read(data, "the session"))


def is_json_object(text: str) -> bool:
    """Whether a text begins as a JSON object, or a list of them, and not as a matrix in braces."""
    start = text[:1000].lstrip("\ufeff \t\r\n").removeprefix("[").lstrip()
    return start.startswith("{") and start[1:].lstrip()[:1] in ('"', "}")


def _lines(data: bytes, error: ExplorerError) -> list[object]:
    """One list or object a line; the error of the whole where it is not that."""
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    full = [i for i, line in enumerate(lines) if line.strip()]
    ends = {(lines[i].strip()[:1], lines[i].strip()[-1:]) for i in full}
    if len(full) < 2 or ends not in ({(b"[", b"]")}, {(b"{", b"}")}):
        raise error
    try:
        json_text.parsed(lines[full[0]], "a line", "correct it")
    except ExplorerError:
        raise error from None
    for i in full[:-1]:
        lines[i] += b","  # one list of them all, in which errors keep their lines
    made = json_text.parsed(b"[" + b"\n".join(lines) + b"]", "a file of numbers", "choose a part of it")
    if not isinstance(made, list) or len(made) != len(full):
        raise error
    return made


def _object(top: Named) -> Imported:
    for layout in LAYOUTS:
        found = layout(top)
        if found is not None:
            return found
    parts: dict[str, Imported] = {}
    labels: dict[str, tuple[str, ...]] = {}
    left_out = []
    for path, item in _lists(top):
        name = path[-1] if path[-1] not in parts and path[-1] not in labels else ".".join(path)
        if isinstance(item, list) and _are_labels(name, item):
            labels[name] = labels_in(item[0] if isinstance(item[0], list) else item)
        elif isinstance(item, list) and item:
            parts[name] = _part(name, item)
        elif item is not None:
            left_out.append(name)
        if len(parts) > MOST_PARTS:
            raise ExplorerError("more than 4096 arrays are in it", "choose a part of it")
    if not parts:
        raise ExplorerError(f"no matrix is in the object: it holds {names_found(list(top))}", _HINT)
    notes = [f"left out: {names_found(left_out)}"] if left_out else []
    return joined(parts, labels, notes=notes)


def _part(name: str, item: list[object]) -> Imported:
    try:
        if are_records(item):
            return records([record for record in item if isinstance(record, dict)])
        stacked = name.casefold() == "attentions" and _is_four_deep(item)
        return array_in(item, name=name, axes=json_layouts.LAYER_HEAD if stacked else ())
    except ExplorerError as error:
        raise ExplorerError(f"{quoted(name)}: {error.message}", error.hint) from None


def _is_four_deep(item: object) -> bool:
    depth = 0
    while isinstance(item, list) and item:
        depth, item = depth + 1, item[0]
    return depth == 4


def _are_labels(name: str, item: list[object]) -> bool:
    """Whether a list holds labels: texts, or token numbers under the name of a label list, also in a batch of one."""
    if len(item) == 1 and isinstance(item[0], list) and role_of(name) in LABEL_ROLES:
        item = item[0]
    are_short = bool(item) and {type(label) for label in item} <= {str, int}
    return is_texts(item) or (role_of(name) in LABEL_ROLES and are_short)


def _lists(top: Named) -> Iterator[tuple[tuple[str, ...], object]]:
    """What is under every name, objects opened, in the order of the file."""
    waiting: list[tuple[tuple[str, ...], object]] = [((name,), item) for name, item in reversed([*top.items()])]
    while waiting:
        path, item = waiting.pop()
        if not isinstance(item, dict):
            yield path, item
        elif len(path) < _DEEPEST:
            waiting += [((*path, name), inner) for name, inner in reversed([*item.items()])]
        else:
            raise ExplorerError(f"nested more than {_DEEPEST} deep", "choose a part of it")
