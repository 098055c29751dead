"""The steps of a worked solution from what the softmax receives to the entropy."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from explorer.core.matrices import Matrix
from explorer.core.rounding import copied
from explorer.core.typesetting import MOST
from explorer.core.working import Row, Step, sentences

# Sums of exponentials outside this range have lost digits, or all of them: the row maximum is subtracted first.
_SAFE = (1e-290, 1e300)
_NO_KEY = "This query may attend to no key. 0 / 0 has no value: by convention its weights are 0"


def steps_from_weights(row: Row, letter: str) -> list[Step]:
    r"""Write the steps from the exponentials of one query to its entropy, those that apply.

    ``e_ij = exp(l_ij), Z_i = sum_j e_ij, w_ij = e_ij / Z_i, o_i = sum_j w_ij v_j, H_i = -sum_j w_ij ln w_ij``
    (Vaswani et al. 2017, equation 1; Shannon 1948). The weights are those of the attention, never worked out from the
    steps before.

    Parameters
    ----------
    row : Row
    letter : str
        Of the numbers that the softmax receives.

    Returns
    -------
    list of Step
        An invalid row ends with its weights, which are NaN.

    Examples
    --------
    >>> from explorer.core.attention import attend
    >>> from explorer.core.problem import Problem, Scores
    >>> from explorer.core.typesetting import Digits
    >>> row = Row(attend(Problem(Scores([[1, 2]]), scale=1)), 0, Digits(3))
    >>> [step.id for step in steps_from_weights(row, "t")]
    ['exponentials', 'row_sum', 'weights', 'entropy']
    """
    status = row.attention.status[row.i]
    if row.attention.scores is None:
        steps = [_given(row)]
    elif status == "invalid":
        steps = [_invalid(row)]
    elif status == "empty":
        steps = [_empty(row)]
    elif math.isinf(row.problem.beta):
        steps = [_limit(row, letter)]
    else:
        steps = [*_softmax(row, letter)]
    if status != "invalid":
        steps += [*_output(row), *_entropy(row)]
    return steps


def _weights(row: Row, formula: str, lines: tuple[str, ...], *why: str) -> Step:
    weights = row.attention.weights[row.i]
    told = sentences(*why, row.left_out(len(weights)))
    return Step("weights", "Weights", formula, lines, weights, told, len(weights) > MOST)


def _all_weights(row: Row) -> tuple[str, ...]:
    weights = row.attention.weights[row.i]
    return (row.line_of("w", weights) if len(weights) else r"\text{no keys}",)


def _given(row: Row) -> Step:
    weights = row.attention.weights[row.i]
    why = "The weights were given and are used as typed, without a softmax."
    fault = row.attention.faults.get(row.i)
    told = f"The weight of key {fault[0] + 1} {fault[1]}: the row has no result." if fault else ""
    if not fault and (weights < 0).any():
        told = "One of them is negative, so they are no shares."
    elif not fault and abs(math.fsum(weights) - 1) > 1e-6:
        told = f"Their sum is {math.fsum(weights):.10g}, not exactly 1."
    return _weights(row, r"w_i = (w_{i1}, w_{i2}, \dots)", _all_weights(row), why, told)


def _invalid(row: Row) -> Step:
    column, what = row.attention.faults[row.i]
    why = f"The score of key {column + 1} {what}, so that no share of this row has a value; other rows do not mind."
    return _weights(row, r"w_{ij} = \text{NaN}", _all_weights(row), why)


def _empty(row: Row) -> Step:
    why = f"{_NO_KEY}{' and its output too' if row.attention.output is not None else ''}."
    return _weights(row, r"w_{ij} = 0", _all_weights(row), why)


def _limit(row: Row, letter: str) -> Step:
    digits, weights, beta = row.digits, row.attention.weights[row.i], row.problem.beta
    assert row.attention.masked is not None
    name, extreme = (r"\max", np.max) if beta > 0 else (r"\min", np.min)
    best = float(extreme(row.attention.masked[row.i][row.allowed]))
    winners = int(np.count_nonzero(weights))

    def line(j: int) -> str:
        if weights[j] == 0:
            return f"{row.cell('w', j)} = 0"
        return digits.equation(row.cell("w", j), rf"\frac{{1}}{{{winners}}}", weights[j], lambda n: 1 / n, winners)

    first = rf"{name}_j {letter}_{{{row.i + 1}j}} {digits.equality(best)} {digits.tex(best)}"
    infinity = r"\infty" if beta > 0 else r"-\infty"
    exponential = rf"e^{{\beta {letter}_{{ij}}}}"
    formula = (
        rf"w_{{ij}} = \lim_{{\beta \to {infinity}}} \frac{{{exponential}}}{{\sum_l {exponential.replace('ij', 'il')}}}"
    )
    side = "largest" if beta > 0 else "smallest"
    why = f"In the limit there are no exponentials: all weight goes to the key with the {side} score"
    if winners > 1:
        why = (
            f"In the limit there are no exponentials: the {winners} keys with the {side} score share the weight evenly"
        )
    tie = "They are tied within rounding." if row.i in row.attention.tied_by_rounding else ""
    return _weights(row, formula, (first, *row.by_key(line)), f"{why}.", tie)


def _softmax(row: Row, letter: str) -> Iterator[Step]:
    attention, digits, i = row.attention, row.digits, row.i
    logits, exponentials, sums = attention.logits, attention.exponentials, attention.row_sums
    assert logits is not None
    assert exponentials is not None
    assert sums is not None
    weights, e, total = attention.weights[i], exponentials[i], float(sums[i])
    is_plain = _SAFE[0] < total < _SAFE[1]
    if not is_plain:
        # What exp(logit - row maximum) is, without what the logits may have lost by rounding.
        e = weights / weights.max()
        total = math.fsum(e)
    yield _exponentials(
        row, letter, logits[i], e, "" if is_plain else "overflow" if logits[i].max() > 0 else "underflow"
    )
    seen = e[row.allowed].tolist()
    middle = digits.summed(digits.tex(term) for term in seen)
    line = digits.equation(row.own("Z"), middle, total, np.sum, seen)
    why = "The sum of the exponentials is what each is divided by, so that the weights add up to 1."
    why = sentences(why, row.left_out(len(seen), what="allowed keys"))
    yield Step("row_sum", "Sum", r"Z_i = \sum_j e_{ij}", (line,), total, why, len(seen) > MOST)

    def share(j: int) -> str:
        if not row.allowed[j]:
            return f"{row.cell('w', j)} = 0"
        middle = rf"\frac{{{digits.tex(e[j])}}}{{{digits.tex(total)}}}"
        return digits.equation(row.cell("w", j), middle, weights[j], lambda a, b: a / b, e[j], total)

    note = digits.sum_note(weights)
    why = "Each weight is the key's share of the sum: none is negative, and together they are 1."
    yield _weights(
        row, r"w_{ij} = \frac{e_{ij}}{Z_i}", row.by_key(share), why, f"Printed digits: {note}." if note else ""
    )


def _exponentials(row: Row, letter: str, logits: Matrix, e: Matrix, trouble: str) -> Step:
    digits, top = row.digits, float(logits.max())

    def line(j: int) -> str:
        if not row.allowed[j]:
            return rf"{row.cell('e', j)} = e^{{-\infty}} = 0"
        power, operands = digits.tex(logits[j]), [logits[j]]
        if trouble:
            power, operands = f"{power} - {digits.term(top)}", [logits[j], top]
        if not np.isfinite(operands).all():  # beta times a score overflowed; the exponential did not
            return rf"{row.cell('e', j)} {digits.equality(e[j])} {digits.tex(e[j])}"
        middle = f"e^{{{power}}}"
        return digits.equation(row.cell("e", j), middle, e[j], lambda x, m=0: 1 if x == m else None, *operands)

    exponent = f"{letter}_{{ij}}"
    told = "The exponential makes every number positive and turns differences into ratios."
    if trouble:
        exponent += rf" - \max_l {letter}_{{il}}"
        told = f"The exponentials themselves would {trouble}, so the row maximum is subtracted first: the ratios stay."
    lost = "Those too small for a float64 read 0." if (e[row.allowed] == 0).any() else ""
    why = sentences(told, lost, row.left_out(len(e)))
    return Step(
        "exponentials", "Exponentials", rf"e_{{ij}} = e^{{{exponent}}}", row.by_key(line), e, why, len(e) > MOST
    )


def _output(row: Row) -> Iterator[Step]:
    attention, digits, i = row.attention, row.digits, row.i
    if attention.v is None or attention.output is None:
        return
    w, v, output = attention.weights[i], attention.v, attention.output[i]
    used = np.flatnonzero(w != 0).tolist()
    terms = np.zeros(v.shape)
    with np.errstate(all="ignore"):
        terms[used] = w[used, None] * v[used]  # (n_k, d_v); a value of weight 0 counts 0, whatever it holds

    def line(j: int) -> str:
        left = rf"{row.cell('w', j)} {row.letter('v', j)}"
        if w[j] == 0:
            return rf"{left} = {digits.set(terms[j])}"
        middle = rf"{digits.term(w[j])} \cdot {digits.set(v[j])}"
        return digits.equation(left, middle, terms[j], lambda a, b: a * b, w[j], v[j])

    sizes, is_folded = (len(w), v.shape[1]), max(len(w), v.shape[1]) > MOST
    if attention.status[i] != "empty":
        told = "Each value counts as much as its weight; one of weight 0 counts nothing, whatever it holds."
        why = sentences(told, row.left_out(sizes[0]), row.left_out(sizes[1], what="columns"))
        yield Step("weighted_values", "Weighted values", "w_{ij} v_j", row.by_key(line), terms, why, is_folded)
    middle = digits.summed(digits.set(terms[j]) for j in used)
    shown = [terms[j] for j in used]
    total = digits.equation(row.own("o"), middle, output, lambda *rows: sum(rows), *shown) if used else ""
    if not used:
        total = f"{row.own('o')} = {digits.set(output)}"
    why = sentences(_why_output(row, output), row.left_out(len(used), what="terms"))
    yield Step("output", "Output", r"o_i = \sum_j w_{ij} v_j", (total,), output, why, is_folded)


def _why_output(row: Row, output: Matrix) -> str:
    if row.attention.status[row.i] == "empty":
        return "Without weights there is nothing to blend: the output is 0 by convention."
    if not np.isfinite(output).all():
        return "A value with weight that is not finite, or a sum that overflowed, shows in the output."
    weights = row.attention.weights[row.i]
    if (weights < 0).any() or abs(math.fsum(weights) - 1) > 1e-6:
        return "The weighted values added up; as the weights are no shares of 1, it may lie outside the values."
    return "The output blends the values: as the weights are shares of 1, it lies within them."


def _entropy(row: Row) -> Iterator[Step]:
    entropy, digits, weights = float(row.attention.entropy[row.i]), row.digits, row.attention.weights[row.i]
    if math.isnan(entropy):  # empty, or a negative weight
        return
    used = [w for w in weights.tolist() if w]
    sum_of_logs = digits.summed(rf"{digits.term(w)} \ln {digits.factor(w)}" for w in used)
    middle = rf"-\left({sum_of_logs}\right)" if used else "0"
    line = digits.equation(row.own("H"), middle, entropy, lambda w: 0 if all(w == 1) else None, used)
    why = "Entropy tells how spread out the weights are, in nats: 0 when one key has all."
    keys = int(np.count_nonzero(row.allowed))
    if keys > 1 and abs(math.fsum(weights) - 1) <= 1e-6:
        most, many = (copied(x, digits.decimals) for x in (math.log(keys), math.exp(entropy)))
        why += f" At most it is ln {keys}, about {most}; e^H, about {many}, is the effective number of keys."
    why = sentences(why, row.left_out(len(used), what="terms"))
    yield Step("entropy", "Entropy", r"H_i = -\sum_j w_{ij} \ln w_{ij}", (line,), entropy, why, len(used) > MOST)
