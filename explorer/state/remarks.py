"""What a person should be told about the numbers as they stand."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation

import numpy as np

from explorer.core.attention import Attention
from explorer.core.problem import Problem
from explorer.state.document import Document

_CONVENTIONS = (
    "0 in torch SDPA, ONNX, FlashAttention and here; NaN in torch MultiheadAttention; 1/n in JAX and Hugging Face eager"
)


def remarks(document: Document, attention: Attention) -> tuple[str, ...]:
    """Sentences, the most pressing first: rows without a result, sums that are not 1, scores that look like weights."""
    return (*_rows_without_result(attention), *sum_remarks(document, attention))


def sum_remarks(document: Document, attention: Attention) -> tuple[str, ...]:
    """Of given weights, rows that are negative or do not sum to 1; of typed scores, a row that looks like weights."""
    return (*_sums(document, attention), *_distributions(document, attention))


def _rows_without_result(attention: Attention) -> tuple[str, ...]:
    said = [f"Row {i + 1}, column {j + 1} {what}: the row has no result" for i, (j, what) in attention.faults.items()]
    empty = [i + 1 for i, status in enumerate(attention.status) if status == "empty"]
    if empty:
        rows = f"Row {empty[0]}" if len(empty) == 1 else f"{len(empty)} rows"
        said.append(f"{rows} without visible keys: weights 0 ({_CONVENTIONS})")
    return tuple(said[:3])


def _sums(document: Document, attention: Attention) -> tuple[str, ...]:
    if document.problem.source.kind != "weights":
        return ()
    said = []
    for i, row in enumerate(attention.weights):
        if attention.status[i] != "ok":
            continue
        total = math.fsum(row.tolist())
        if (row < 0).any():
            said.append(f"Weights row {i + 1} has a negative cell")
        elif abs(total - 1) > 1e-6:
            is_rounded = abs(total - 1) <= _rounding_room(document, i)
            said.append(f"Weights row {i + 1} sums to {total:.10g}" + (": rounded" if is_rounded else ", not to 1"))
    return tuple(said[:2])


def _rounding_room(document: Document, row: int) -> float:
    """How far from 1 a sum may be when every cell was rounded as its coarsest printed decimal says."""
    name = document.problem.source.kind
    matrix = document.matrix(name)
    assert matrix is not None
    decimals = [_decimals(document.typed_text(name, row, j) or repr(float(x))) for j, x in enumerate(matrix[row])]
    printed = [digits for digits in decimals if digits > 0]
    # Nearly equal floats must not fall outside by their own last digit.
    return len(decimals) * 0.5 * 10.0 ** -min(printed) * (1 + 1e-9) if printed else 0.0


def _decimals(text: str) -> int:
    try:
        exponent = Decimal(text.replace(",", ".")).as_tuple().exponent
    except InvalidOperation:
        return 0
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _distributions(document: Document, attention: Attention) -> tuple[str, ...]:
    problem: Problem = document.problem
    scores = document.matrix("scores")
    if problem.source.kind != "scores" or scores is None:
        return ()
    for i, row in enumerate(scores):
        is_share = np.isfinite(row).all() and (row >= 0).all() and (row <= 1).all() and (row > 0).sum() >= 2
        if is_share and abs(math.fsum(row) - 1) <= max(1e-9, _rounding_room(document, i)):
            return (f"Scores row {i + 1} already sums to 1: if these are weights, choose source Weights",)
    return ()
