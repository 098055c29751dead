"""Every stage of a computation as text for a terminal, stage by stage."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from explorer.core.attention import Attention
from explorer.core.matrices import shape_text
from explorer.core.problem import Problem
from explorer.core.rounding import rounded_sum_note, shown, shown_weight
from explorer.formats.printable import printable
from explorer.formats.solution import row_notes
from explorer.state.document import Document
from explorer.state.remarks import sum_remarks

Formula = Callable[[Problem], str]
Show = Callable[[float, int], str]


def _scaled(problem: Problem) -> str:
    if problem.scale == "sqrt_dk":
        return f"scores / sqrt(d_k) = scores / {problem.divisor:.6g}"
    return f"scores / {problem.divisor:.6g}"


def _masked(problem: Problem) -> str:
    steps = ["scaled"]
    if problem.softcap:
        steps.append(f"softcap {problem.softcap:.6g}")
    if problem.bias is not None:
        steps.append("+ bias")
    steps.append("no mask" if problem.mask.kind == "none" else f"{problem.mask.kind} mask, -inf where hidden")
    return ", ".join(steps)


def _logits(problem: Problem) -> str:
    return f"beta masked + shift, beta = {problem.beta:.6g}, shift = {problem.shift:.6g}"


def _weights(problem: Problem) -> str:
    if problem.source.kind == "weights":
        return "as given"
    if math.isinf(problem.beta):
        extreme = "largest" if problem.beta > 0 else "smallest"
        return f"the limit beta = {problem.beta:.6g}: shared among the {extreme}"
    return "exponentials / row sum (row maximum subtracted first)"


def _projected(name: str, tokens: str) -> Formula:
    def formula(problem: Problem) -> str:
        if problem.source.kind != "projection":
            return "as given"
        return f"{tokens if problem.has_shared_tokens or name == 'q' else 'memory'} W_{name.upper()}"

    return formula


# stage, heading, formula, what its rows and its columns are, how a number is shown
STAGES: tuple[tuple[str, str, Formula, str, str, Show], ...] = (
    ("q", "Q", _projected("q", "X"), "query", "", shown),
    ("k", "K", _projected("k", "X"), "key", "", shown),
    ("v", "V", _projected("v", "X"), "key", "", shown),
    ("scores", "scores", lambda p: "as given" if p.source.kind == "scores" else "Q Kᵀ", "query", "key", shown),
    ("scaled", "scaled", _scaled, "query", "key", shown),
    ("masked", "masked", _masked, "query", "key", shown),
    ("logits", "logits", _logits, "query", "key", shown),
    ("exponentials", "exponentials", lambda p: "exp(logits)", "query", "key", shown),
    ("row_sums", "row sums", lambda p: "sum of each row of exponentials", "query", "", shown),
    ("weights", "weights", _weights, "query", "key", shown_weight),
    ("output", "output", lambda p: "weights V", "query", "", shown),
    ("entropy", "entropy", lambda p: "-Σ w ln w, in nats", "query", "", shown),
)


def write(document: Document, attention: Attention, decimals: int) -> str:
    """The title, every stage that is given with formula, shape and tokens, and the status of the rows."""
    blocks = [printable(document.title or "Untitled")]
    blocks += [_block(document, attention, stage, decimals) for stage in STAGES if _is_given(attention, stage[0])]
    notes = [printable(f"note: {remark}") for remark in sum_remarks(document, attention)]
    blocks.append("\n".join([*status_lines(document, attention), *notes]))
    return "\n\n".join(blocks) + "\n"


def _is_given(attention: Attention, name: str) -> bool:
    return getattr(attention, name) is not None


def _block(
    document: Document, attention: Attention, stage: tuple[str, str, Formula, str, str, Show], decimals: int
) -> str:
    name, heading, formula, rows, columns, show = stage
    values = getattr(attention, name)
    matrix = values if values.ndim == 2 else values[:, None]
    labels = _labels(document, rows, len(matrix))
    header = _labels(document, columns, matrix.shape[1]) if columns else None
    texts = [[show(value, decimals) for value in row] for row in matrix.tolist()]
    if name == "entropy":
        texts = [
            ["undefined" if text == "nan" and status != "invalid" else text for text in row]
            for row, status in zip(texts, attention.status, strict=True)
        ]
    lines = list(_aligned(labels, header, texts))
    if name == "weights":
        for row, values_of_row in enumerate(matrix.tolist()):
            if attention.status[row] == "ok" and attention.problem.source.kind != "weights":
                note = rounded_sum_note(values_of_row, decimals)
                at = row + (header is not None)
                lines[at] += f"   {note}" if note else ""
    return "\n".join([f"{heading} ({shape_text(matrix.shape)}) = {formula(document.problem)}", *lines])


def _labels(document: Document, what: str, count: int) -> list[str]:
    name = document.query_name if what == "query" else document.key_name
    return [printable(name(row)) for row in range(count)]


def _aligned(labels: Sequence[str], header: Sequence[str] | None, texts: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of a table: labels to the left, numbers to the right, columns equally wide."""
    cells = [*([header] if header is not None else []), *texts]
    width = max((len(cell) for row in cells for cell in row), default=0)
    margin = max((len(label) for label in labels), default=0)
    for label, row in zip([*([""] if header is not None else []), *labels], cells, strict=True):
        yield f"  {label:<{margin}}" + "".join(f"  {cell:>{width}}" for cell in row)


def status_lines(document: Document, attention: Attention) -> list[str]:
    """One line for each row that is not well, or one line that all are."""
    return [printable(f"status: {note}") for note in row_notes(document, attention) or ["every row is ok"]]
