"""A person's own stages out of a JSON file, with the digits they were written to."""

from __future__ import annotations

import math
import re
from decimal import Decimal, InvalidOperation

import numpy as np

from explorer.core.carrying import BEFORE
from explorer.core.comparing import Answer
from explorer.errors import ExplorerError
from explorer.formats import json_text
from explorer.formats.cells import parse_cell
from explorer.formats.json_values import as_list, as_object, shown, wrong

_ONE_A_ROW = ("row_sums", "entropy")
# `compute` prints it; there is nothing to check in it.
_IGNORED = ("status",)
# A whole number from here on may be a rounded one; below, 1 is not accepted for 0.7.
_ROUNDED_WHOLE = 10.0
_MOST_CELLS = 2**24
_BLANKS = ("", "-", "\N{EN DASH}", "\N{EM DASH}")
# One of these is still told apart from its neighbours when its row has more decimals.
_DECIMALS_OF_WHOLE = 3
_DECIMAL = re.compile(r"[0-9]*[.,][0-9]+")


def read(data: bytes, called: str = "the answers") -> dict[str, Answer]:
    """The stages by name, those without any number left out; every error starts with ``called``."""
    try:
        top = as_object(json_text.parsed(data, "a file of answers", "leave stages out", str, str), "the file")
        stages = {name: item for name, item in top.items() if item is not None and name not in _IGNORED}
        answers = {stage: _answer(item, stage) for stage, item in stages.items()}
        given = {stage: answer for stage, answer in answers.items() if answer.given.any()}
        if not given:
            raise ExplorerError("no number is given", 'give stages by name, {"weights": [["0.67", "0.33"]]}')
        return given
    except ExplorerError as error:
        raise ExplorerError(f"{called}: {error.message}", error.hint) from None


def _answer(item: object, stage: str) -> Answer:
    if stage not in BEFORE:
        raise ExplorerError(f"the stage {shown(stage)} is not known", f"use {', '.join(BEFORE)}")
    rows: list[object] = [item] if isinstance(item, str) else as_list(item, stage)
    if not any(isinstance(row, list) for row in rows) and any(row is not None for row in rows):
        rows = [[cell] for cell in rows] if stage in _ONE_A_ROW else [rows]  # one row, or one number a row
    columns = max((len(row) for row in rows if isinstance(row, list)), default=0)
    if len(rows) * columns > _MOST_CELLS:
        raise ExplorerError(f"{stage}: {len(rows)} rows of {columns} numbers", "give fewer")
    values, half_units = np.zeros((len(rows), columns)), np.zeros((len(rows), columns))
    given = np.zeros((len(rows), columns), dtype=bool)
    for i, row in enumerate(rows):
        if row is None:
            continue
        texts = _texts(row, columns, f"{stage}, row {i + 1}")
        given[i] = [text is not None for text in texts]
        values[i] = [_value(text, f"{stage}, row {i + 1}, column {j + 1}") for j, text in enumerate(texts)]
        half_units[i] = _half_units(texts, values[i].tolist())
    return Answer(values, half_units, given)


def _texts(row: object, columns: int, where: str) -> list[str | None]:
    cells = as_list(row, where)
    if len(cells) != columns:
        raise ExplorerError(
            f"{where} has {len(cells)} numbers, another row {columns}",
            "give all rows one length, null for what is not given",
        )
    return [_text(cell, f"{where}, column {j + 1}") for j, cell in enumerate(cells)]


def _text(cell: object, where: str) -> str | None:
    if cell is not None and not isinstance(cell, str):
        raise wrong(cell, where, "a number")
    return None if cell is None or cell.strip() in _BLANKS else cell


def _value(text: str | None, where: str) -> float:
    if text is None:
        return 0.0
    if text.strip().lower() == "nan":
        return math.nan
    try:
        return parse_cell(text, allow_infinite=True)
    except ExplorerError as error:
        raise ExplorerError(f"{where}: {error.message}", error.hint) from None


def _half_units(texts: list[str | None], values: list[float]) -> list[float]:
    """Half of each number's last decimal, 0 for what is exact such as "1/3".

    A whole number below 10 counts as written to the decimals of its row, from one to three; a 0 to all of them.
    """
    exponents = [_last_decimal(text) for text in texts]
    plain = [text is not None and "e" not in text.lower() for text in texts]
    finest = min((e for e, is_plain in zip(exponents, plain, strict=True) if e is not None and is_plain), default=0)
    units = []
    for text, exponent, value in zip(texts, exponents, values, strict=True):
        if exponent is None:
            units.append(_rounding_inside(text or "", value))
        elif value == 0:
            units.append(10.0 ** min(finest, exponent, -1))
        elif exponent >= 0 and abs(value) < _ROUNDED_WHOLE:
            units.append(10.0 ** max(min(finest, -1), -_DECIMALS_OF_WHOLE))
        else:
            units.append(10.0**exponent)
    return [0.5 * unit for unit in units]


def _last_decimal(text: str | None) -> int | None:
    """The power of ten of the last digit written; None where the text is no plain decimal number."""
    try:
        number = Decimal((text or "").strip().replace(",", ".").replace("\N{MINUS SIGN}", "-")).as_tuple()
    except InvalidOperation:
        return None
    if not isinstance(number.exponent, int):
        return None
    return 0 if number.exponent > 0 and len(number.digits) == 1 else number.exponent  # 3e2 is 300


def _rounding_inside(text: str, value: float) -> float:
    """A unit for an expression: what the decimals in it, "2.03/3.03", leave open; none where they are whole."""
    open_ = 0.0
    for number in _DECIMAL.findall(text):
        size = float(number.replace(",", "."))
        decimals = len(re.split("[.,]", number)[1])
        open_ += 10.0**-decimals / size if size else 0.0
    return abs(value) * open_ if math.isfinite(value) else 0.0
