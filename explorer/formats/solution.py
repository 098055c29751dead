"""What the worked solution of a whole problem holds, whatever it is written in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from explorer.core.attention import Attention
from explorer.core.logit_steps import scale_equation, scale_symbol
from explorer.core.matrices import NAMES, Matrix
from explorer.core.problem import Problem
from explorer.core.typesetting import FIRST, MOST, Digits, places
from explorer.state.document import Document
from explorer.state.remarks import sum_remarks

INPUTS = ("x", "memory", "w_q", "w_k", "w_v")
# What the rows and columns of a stage are, where they are not queries and keys.
_AXES = {
    **dict.fromkeys(["w_q", "w_k", "w_v"], ("", "")),
    **dict.fromkeys(["x", "q", "output"], ("query", "")),
    **dict.fromkeys(["memory", "k", "v"], ("key", "")),
}


@dataclass(frozen=True, eq=False)
class Section:
    """A stage: what it is called, its symbol and formula in LaTeX (no formula: as given), its numbers and labels."""

    name: str
    heading: str
    symbol: str
    formula: str
    values: Matrix
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()

    @property
    def equation(self) -> str:
        """The formula with its symbol; nothing for what was given."""
        return f"{self.symbol} = {self.formula}" if self.formula else ""


def sections(document: Document, attention: Attention, decimals: int) -> list[Section]:
    """The stages in the order of the formula, those that are there."""
    tokens = {
        "query": tuple(document.query_name(row) for row in range(document.problem.n_q)),
        "key": tuple(document.key_name(row) for row in range(document.problem.n_k)),
        "": (),
    }
    return [
        Section(name, heading, symbol, formula, values, *(tokens[axis] for axis in _AXES.get(name, ("query", "key"))))
        for name, heading, symbol, formula, values in _stages(attention, Digits(decimals))
    ]


def _stages(attention: Attention, digits: Digits) -> Iterator[tuple[str, str, str, str, Matrix]]:
    """Name, heading, symbol, formula and numbers of every stage."""
    problem = attention.problem
    is_projected = problem.source.kind == "projection"
    if is_projected:
        for name in INPUTS:
            if name in problem.source.matrices:
                symbol = r"\mathrm{memory}" if name == "memory" else NAMES[name]
                yield name, NAMES[name], symbol, "", problem.source.matrices[name]
    for name, values in (("q", attention.q), ("k", attention.k), ("v", attention.v)):
        if values is not None:
            tokens = "X" if name == "q" or problem.has_shared_tokens else r"\mathrm{memory} \cdot"
            yield name, NAMES[name], NAMES[name], f"{tokens} W_{NAMES[name]}" if is_projected else "", values
    last = "T"
    if attention.scores is not None and attention.scaled is not None and attention.masked is not None:
        yield "scores", "Scores", "S", "" if problem.source.kind == "scores" else "QK^T", attention.scores
        yield (
            "scaled",
            "Scaled scores",
            "T",
            rf"S / {scale_symbol(problem)}, \quad {scale_equation(problem, digits)}",
            attention.scaled,
        )
        if problem.bias is not None:
            yield "bias", "Bias", "B", "", problem.bias
        is_hidden = not attention.allowed.all()
        if is_hidden or problem.softcap or problem.bias is not None:
            heading = "Masked scores" if is_hidden else "Biased scores" if problem.bias is not None else "Capped scores"
            yield "masked", heading, "M", _masked(problem, digits, is_hidden=is_hidden), attention.masked
            last = "M"
    heading = "Weights" if attention.scores is None else "Softmax weights"
    yield (
        "weights",
        heading,
        "W",
        "" if attention.scores is None else _weights(problem, digits, last),
        attention.weights,
    )
    if attention.output is not None:
        yield "output", "Output", "O", "W V", attention.output


def _setting(symbol: str, value: float, digits: Digits) -> str:
    return rf", \quad {symbol} {digits.equality(value)} {digits.tex(value)}"


def _masked(problem: Problem, digits: Digits, *, is_hidden: bool) -> str:
    formula = r"c \tanh(T / c)" if problem.softcap else "T"
    formula += " + B" if problem.bias is not None else ""
    formula += _setting("c", problem.softcap, digits) if problem.softcap else ""
    return formula + (r", \quad -\infty \text{ where hidden}" if is_hidden else "")


def _weights(problem: Problem, digits: Digits, last: str) -> str:
    if math.isinf(problem.beta):
        limit = r"\infty" if problem.beta > 0 else r"-\infty"
        return rf"\lim_{{\beta \to {limit}}} \mathrm{{softmax}}(\beta {last})"
    beta, shift = problem.beta != 1, problem.shift != 0
    logits = (r"\beta " if beta else "") + last + (" + k" if shift else "")
    settings = _setting(r"\beta", problem.beta, digits) if beta else ""
    settings += _setting("k", problem.shift, digits) if shift else ""
    return rf"\mathrm{{softmax}}({logits}){settings}"


def left_out(shape: tuple[int, ...]) -> str:
    """The sentence that says which rows and columns are folded; nothing where none are."""
    parts = [
        f"{what} {FIRST + 1} to {size - 1} of {size}"
        for what, size in zip(("rows", "columns"), shape, strict=True)
        if size > MOST
    ]
    return f"Left out: {' and '.join(parts)}." if parts else ""


def notes(document: Document, attention: Attention, decimals: int) -> list[str]:
    """What to know about the rows of weights: empty, invalid, tied, rounded, shared in the limit, odd sums."""
    beta, is_soft = document.problem.beta, attention.scores is not None
    found = row_notes(document, attention)
    said = [f"{note[0].upper()}{note[1:]}." for note in found[:MOST]]
    said += [f"And {len(found) - MOST} rows more."] if len(found) > MOST else []
    if is_soft and math.isinf(beta):
        side = "largest" if beta > 0 else "smallest"
        said.insert(0, f"In the limit the weight of a row is shared evenly among its {side} scores.")
    return [*said, *_rounded(attention, decimals), *(f"{remark}." for remark in sum_remarks(document, attention))]


def _rounded(attention: Attention, decimals: int) -> list[str]:
    """The rows that are printed whole and whose digits do not add up to 1."""
    if attention.scores is None or attention.problem.n_k > MOST:
        return []
    digits = Digits(decimals)
    shown = [row for row in places(len(attention.weights)) if row is not None]
    rows = [str(row + 1) for row in shown if digits.sum_note(attention.weights[row])]
    return [f"Weights row{'s' if len(rows) > 1 else ''} {', '.join(rows)}: rounded; exact sum 1."] if rows else []


def row_notes(document: Document, attention: Attention) -> list[str]:
    """One note for each row that is empty, invalid or tied within rounding."""
    cell = "weight" if document.problem.source.kind == "weights" else "score"
    said = []
    for row, status in enumerate(attention.status):
        who = f"query {row + 1}" + (f" ({document.query_labels[row]})" if document.query_labels[row] else "")
        if status == "invalid":
            column, what = attention.faults[row]
            said.append(f"{who} is invalid: its {cell} for key {column + 1} {what}")
        elif status == "empty":
            said.append(f"{who} is empty: it may attend to no key, its weights and output are 0")
        elif row in attention.tied_by_rounding:
            said.append(f"{who} is tied within rounding")
    return said


def entropies(document: Document, attention: Attention, write: Callable[[str, str, float], str]) -> str:
    """The entropy of every row as one text; ``write`` makes an entry of its token, a word and the number."""
    entries = []
    for row in places(len(attention.entropy)):
        if row is None:
            entries.append("...")
        else:
            entropy = float(attention.entropy[row])
            word = "undefined" if np.isnan(entropy) and attention.status[row] != "invalid" else ""
            entries.append(write(document.query_name(row), word, entropy))
    return ", ".join(entries)
