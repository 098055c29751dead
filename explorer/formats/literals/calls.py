"""The functions and types of languages that make arrays of lists, and what their arguments say of these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from explorer.errors import ExplorerError
from explorer.formats.literals.groups import Quoted
from explorer.formats.literals.nesting import Item, Items, arranged, flat, shape_of, transposed

# The last part of their names.
ARRAYS = frozenset(
    ["array", "asarray", "asanyarray", "ascontiguousarray", "tensor", "as_tensor", "to_tensor", "convert_to_tensor",
     "Tensor", "Array", "DeviceArray", "constant", "Variable", "Parameter", "matrix", "Matrix", "asmatrix",
     "FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor", "IntTensor", "BoolTensor", "Float32Array",
     "Float64Array", "Int8Array", "Int16Array", "Int32Array", "Uint8Array", "tensor1d", "tensor2d", "tensor3d",
     "tensor4d", "tensor5d", "MatrixForm", "arr1", "arr2", "arr3", "DataFrame", "ndarray", "masked_array",
     "from_numpy", "Var", "SharedArray", "single", "logical", "print", "disp"]
)  # fmt: skip
R_FUNCTIONS = frozenset(["c", "rbind", "cbind", "structure", "data.frame", "t", "as.matrix"])
CALLS = ARRAYS | R_FUNCTIONS

_DATA = ("", "data", "object", "values", "value", "initial_value", "input")
_STACKS = ("matrix", "Matrix", "array", "Array")  # of Maxima, PHP and Scala: every argument is a row
_RANGE = re.compile(r"(-?[0-9]{1,9}):(-?[0-9]{1,9})")
_LONGEST_RANGE = 10**5
_TRUTH = {"T": "TRUE", "F": "FALSE"}
_PLAIN = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,4})?")


class NotLiteral(Exception):
    """This text is something else."""


@dataclass(eq=False)
class Call:
    """A name, its last part, its arguments with keywords, and how it is written; notes come out of it."""

    name: str
    last: str
    arguments: Sequence[tuple[str, Item]]
    source: str
    notes: list[str] = field(default_factory=list)
    torch_type: str = ""

    def keyword(self, *names: str) -> Item | None:
        return next((item for key, item in self.arguments if key in names), None)

    @property
    def positional(self) -> list[Item]:
        return [item for key, item in self.arguments if not key]


def result(call: Call) -> Item:
    """The list that a call makes, or its source where it makes a number or nothing that is known."""
    data = next((item for key, item in call.arguments if key in _DATA), None)
    if call.last in ("matrix", "array", "structure") and (call.last == "structure" or _is_r(call, data)):
        return _r_array(call, data)
    if call.name in R_FUNCTIONS and call.last != "matrix":
        return _r(call)
    return _array(call)


def _array(call: Call) -> Item:
    if call.last == "masked_array" or isinstance(call.keyword("mask"), list):
        raise ExplorerError("a masked array is not read", "print its .filled(), and paste that")
    lists = [item for key, item in call.arguments if key in _DATA and isinstance(item, list)]
    numbers = [item for item in call.positional if isinstance(item, str) and item[:1] in "+-.0123456789"]
    if not lists:
        return [*numbers] if call.last == "Array" and len(numbers) > 1 else numbers[0] if numbers else call.source
    made = lists[0]
    if len(lists) > 1:
        made = _of_several(call, lists)
    factor = call.keyword("factor")
    if factor:
        made = _multiplied(made, str(factor))
        call.notes.append(f"multiplied by {factor}, as the print says")
    check_declared(made, call.keyword("shape", "size"))
    if call.keyword("columns", "index", "names") is not None:
        call.notes.append("names of rows and columns left out")
    if call.name == "tensor" and not factor:
        call.torch_type = str(call.keyword("dtype") or "float32").removeprefix("torch.")
    return made


def _of_several(call: Call, lists: Sequence[Items]) -> Items:
    if re.fullmatch(r"tensor[1-5]d", call.last) and len(lists) == 2:
        return arranged(flat(lists[0]), _whole(lists[1]) or ())
    if call.last in _STACKS and len(lists) == len(call.arguments):
        return [*lists]
    raise ExplorerError(f"{call.name} holds several lists", "give it one")


def check_declared(made: Items, declared: Item | None) -> None:
    """Refuse numbers that are not as many as the text itself says."""
    shape = _whole(declared)
    if shape is None or not made or not shape:
        return
    found = shape_of(made)
    if found != tuple(shape):
        said, there = (" x ".join(map(str, sizes)) for sizes in (shape, found))
        raise ExplorerError(f"the text says {said} numbers, {there} are there", "copy all of it")


def _whole(item: Item | None) -> list[int] | None:
    """A list of sizes; None for anything else."""
    texts = [text.removesuffix("L") for text in item if isinstance(text, str)] if isinstance(item, list) else []
    if not isinstance(item, list) or len(texts) != len(item):
        return None
    return [int(text) for text in texts] if all(text.isdecimal() and len(text) < 9 for text in texts) else None


def _multiplied(item: Items, factor: str) -> Items:
    by = Decimal(factor)
    cells = [str(by * Decimal(cell)) if _PLAIN.fullmatch(cell) else cell for cell in flat(item)]
    return arranged(cells, shape_of(item))


def _is_r(call: Call, data: Item | None) -> bool:
    """Whether matrix(...) or array(...) is R's, which fills columns of a flat list."""
    if call.keyword("nrow", "ncol", "byrow", "dim", "dimnames") is not None:
        return True
    sizes = call.positional[1:]
    is_flat = data is not None and (isinstance(data, str) or not any(isinstance(item, list) for item in data))
    return is_flat and bool(sizes) and all(isinstance(size, str) and not isinstance(size, Quoted) for size in sizes)


def _r_array(call: Call, data: Item | None) -> Item:
    """R's matrix(data, nrow, ncol, byrow), array(data, dim) and structure(data, dim = )."""
    cells = _cells([data] if data is not None else [])
    if call.keyword("dimnames") is not None:
        call.notes.append("names of rows and columns left out")
    positional = call.positional[1:]
    if call.last != "matrix":
        shape = _whole(call.keyword("dim", ".Dim") or (positional[0] if positional else None))
        if shape is None or len(shape) != 2:
            raise ExplorerError(f"{call.last} needs two sizes in dim", "write dim = c(rows, columns)")
        return arranged(cells, shape, by_column=True)
    words = dict(zip(("nrow", "ncol", "byrow"), positional, strict=False))
    rows, columns = (_size(call.keyword(word) or words.get(word)) for word in ("nrow", "ncol"))
    if rows is None and columns is None:
        rows = len(cells)
    rows = rows if rows is not None else len(cells) // max(columns or 1, 1)
    columns = columns if columns is not None else len(cells) // max(rows, 1)
    by_row = call.keyword("byrow") or words.get("byrow") or "FALSE"
    if by_row not in ("TRUE", "FALSE", "T", "F"):
        raise ExplorerError("byrow is neither TRUE nor FALSE", "write one of them")
    call.notes.append("filled row by row, as byrow says" if by_row[0] == "T" else "filled column by column, as R does")
    return arranged(cells, (rows, columns), by_column=by_row[0] != "T")


def _size(item: Item | None) -> int | None:
    if item is None:
        return None
    sizes = _whole([item])
    if not sizes:
        raise ExplorerError("nrow and ncol must be whole numbers", "write nrow = 2")
    return sizes[0]


def _r(call: Call) -> Item:
    items = [item for key, item in call.arguments if key not in ("deparse.level", "stringsAsFactors", "check.names")]
    if call.last == "c":
        return [*_cells(items)]
    if call.name in ("t", "as.matrix"):
        if len(items) != 1 or not isinstance(items[0], list):
            return call.source
        return transposed(items[0]) if call.name == "t" else items[0]
    if not items:
        return []
    if any(key for key, _ in call.arguments):
        call.notes.append("names of rows and columns left out")
    if not any(isinstance(item, list) for item in items):
        return call.source
    rows: Items = [item if isinstance(item, list) else [item] for item in items]
    return rows if call.name == "rbind" else transposed(rows)


def _cells(items: Sequence[Item]) -> list[str]:
    """The cells of R's vectors put together, ranges written out."""
    made: list[str] = []
    for text in flat([*items]):
        if (ends := _RANGE.fullmatch(text)) and not isinstance(text, Quoted):
            first, last = int(ends[1]), int(ends[2])
            step = 1 if first <= last else -1
            if abs(last - first) + len(made) > _LONGEST_RANGE:
                raise ExplorerError(f"the range {text} is too long", f"write at most {_LONGEST_RANGE} numbers")
            made += map(str, range(first, last + step, step))
        else:
            made.append(_TRUTH.get(text, text))
    return made
