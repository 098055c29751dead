"""What attention viewers and plotting libraries write as JSON."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from explorer.errors import ExplorerError
from explorer.formats.arrays.arrays import array_of, check_shape
from explorer.formats.arrays.json_blocks import array_in
from explorer.formats.arrays.json_tables import labels_in
from explorer.formats.imported import Imported
from explorer.formats.json_values import as_list, as_object, as_text, as_whole
from explorer.formats.named_parts import MOST_PARTS, joined, labelled, quoted

Named = Mapping[str, object]

LAYER_HEAD = ("layer", "head", "query", "key")
_TYPES = {kind: np.dtype(f"<{kind}") for kind in ("f8", "f4", "i4", "i2", "i1", "u4", "u2", "u1")}


def bertviz(top: Named) -> Imported | None:
    """The parameters of BertViz: attention by layer and head, the batch taken out, with two lists of tokens."""
    given = top.get("attention", top)
    entries = _entries(given)
    if not entries or not all("attn" in entry and "left_text" in entry for entry in entries.values()):
        return None
    parts = {}
    for name, entry in entries.items():
        part = array_in(
            as_list(entry["attn"], f"{quoted(name)}.attn"), axes=LAYER_HEAD if _depth(entry["attn"]) == 4 else ()
        )
        left, right = labels_in(entry.get("left_text")), labels_in(entry.get("right_text"))
        parts[name] = labelled(part, query_labels=left, key_labels=right)
    found = joined(parts, notes=["from BertViz"])
    return replace(found, name="attention") if found.name == "1" else found


def inspectus(top: Named) -> Imported | None:
    """The charts of Inspectus: one matrix an entry, with its layer and head; its source tokens are the queries."""
    entries = _entries(top.get("attention"))
    if not entries or not all("values" in entry and "info" in entry for entry in entries.values()):
        return None
    matrices: dict[tuple[int, ...], Imported] = {}
    axes: list[str] = []
    for name, entry in entries.items():
        info = as_object(entry["info"], f"entry {name}.info")
        axes = axes or [axis for axis in ("layer", "head") if axis in info]
        place = tuple(as_whole(info.get(axis), f"entry {name}.info.{axis}", least=0) for axis in axes)
        if place in matrices:
            raise ExplorerError(f"entry {name} has the layer and head of another", "save it again")
        matrices[place] = _numbers(entry["values"], entry.get("shape"), "f4", f"entry {name}")
    queries = labels_in(top.get("src_tokens") or top.get("query_tokens"))
    keys = labels_in(top.get("tgt_tokens") or top.get("key_tokens"))
    return labelled(_stacked(matrices, axes), query_labels=queries, key_labels=keys)


def heatmap(top: Named) -> Imported | None:
    """The heatmap of Plotly: z with x for the columns and y for the rows, alone or as traces of a figure."""
    traces = [top] if "z" in top else [trace for trace in _entries(top.get("data")).values() if "z" in trace]
    if not traces or len(traces) > MOST_PARTS:
        return None
    parts = {}
    for i, trace in enumerate(traces):
        name = trace.get("name")
        called = name if isinstance(name, str) and name and name not in parts else f"z {i + 1}" if i else "z"
        part = _numbers(trace["z"], None, "f8", "z")
        if trace.get("transpose") is True and part.values is not None and part.values.ndim == 2:
            part = replace(part, values=part.values.T.copy(), texts=None, notes=("transposed",))
        parts[called] = labelled(part, query_labels=labels_in(trace.get("y")), key_labels=labels_in(trace.get("x")))
    return joined(parts)


def flat(top: Named) -> Imported | None:
    """A shape beside one flat list of numbers, as TensorFlow.js and its like write arrays."""
    shape = top.get("shape", top.get("dims"))
    data = top.get("data", top.get("values"))
    if not isinstance(shape, list) or not isinstance(data, list) or not shape or _depth(data) != 1:
        return None
    lengths = tuple(as_whole(length, "shape", least=0) for length in shape)
    check_shape(lengths)
    row = array_in(data)
    if row.values is None or row.values.size != np.prod(lengths):
        raise ExplorerError(f"{len(data)} numbers do not fit the shape {shape}", "save it again")
    return array_of(row.values.reshape(lengths))


def _entries(given: object) -> dict[str, Named]:
    """Objects by name, or in a list by their names or positions; none when it is anything else."""
    items = given.values() if isinstance(given, dict) else given if isinstance(given, list) else ()
    objects = [item for item in items if isinstance(item, dict)]
    if not objects or len(objects) != len(items):
        return {}
    if isinstance(given, dict):
        return dict(zip(given, objects, strict=True))
    made: dict[str, Named] = {}
    for i, entry in enumerate(objects):
        name = entry.get("name")
        made[name if isinstance(name, str) and name and name not in made else str(i + 1)] = entry
    return made


def _depth(item: object) -> int:
    depth = 0
    while isinstance(item, list) and item and depth < 6:
        depth, item = depth + 1, item[0]
    return depth


def _numbers(item: object, shape: object, kind: str, where: str) -> Imported:
    """Nested lists, or the bytes of an array as base64 text with its shape."""
    if isinstance(item, dict) and "bdata" in item:
        kind = as_text(item.get("dtype"), f"{where}.dtype")
        lengths = item.get("shape")
        shape = (
            [int(part) for part in lengths.split(",") if part.strip().isdecimal() and len(part) < 12]
            if isinstance(lengths, str)
            else lengths
        )
        item = item["bdata"]
    if not isinstance(item, str):
        return array_in(as_list(item, where))
    if kind not in _TYPES:
        raise ExplorerError(f"{where} holds numbers of the unknown type {quoted(kind)}", "save it again as lists")
    sizes = tuple(as_whole(length, f"{where}.shape", least=0) for length in as_list(shape, f"{where}.shape"))
    check_shape(sizes)
    try:
        content = base64.b64decode(item, validate=True)
    except (binascii.Error, ValueError):
        raise ExplorerError(f"{where} holds text that is no base64", "save it again as lists") from None
    size = int(np.prod(sizes)) * _TYPES[kind].itemsize
    if len(content) != size:
        raise ExplorerError(f"{where}: expected {size} bytes of numbers, {len(content)} are there", "save it again")
    return array_of(np.frombuffer(content, _TYPES[kind]).reshape(sizes))


def _stacked(matrices: Mapping[tuple[int, ...], Imported], axes: list[str]) -> Imported:
    """One tensor where every layer has every head, in their order; else each matrix under its layer and head."""
    places = sorted(matrices)
    sizes = tuple(len({place[axis] for place in places}) for axis in range(len(axes)))
    shapes = {part.values.shape for part in matrices.values() if part.values is not None}
    if not axes:
        return next(iter(matrices.values()))
    if len(shapes) > 1 or np.prod(sizes) != len(places):
        names = {
            place: " ".join(f"{axis} {index + 1}" for axis, index in zip(axes, place, strict=True)) for place in places
        }
        return joined({names[place]: matrices[place] for place in places})
    values = np.array([matrices[place].values for place in places])
    return array_of(values.reshape(*sizes, *values.shape[1:]), axes=(*axes, "query", "key"))
