"""The steps of a worked solution down to what the softmax receives."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.core.matrices import Matrix
from explorer.core.problem import Problem, Projection, Scores
from explorer.core.rounding import copied
from explorer.core.softcap import capped_and_biased
from explorer.core.typesetting import MOST, Digits, places
from explorer.core.working import Row, Step, sentences


def steps_to_logits(row: Row) -> tuple[list[Step], str]:
    r"""Write the steps from the tokens to the logits of one query, those that apply.

    ``q_i = x_i W_Q, s_ij = q_i k_j, t = s / scale, u = c tanh(t / c), r = u + b, m = r or -inf, l = beta m + shift``
    (Vaswani et al. 2017, section 3.2.1; softcap and bias as in the ONNX Attention operator).

    Parameters
    ----------
    row : Row

    Returns
    -------
    list of Step
        Empty for given weights.
    str
        The letter of the numbers that the softmax receives.

    Examples
    --------
    >>> from explorer.core.attention import attend
    >>> from explorer.core.problem import QKV
    >>> row = Row(attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1]]))), 0, Digits(3))
    >>> [step.id for step in steps_to_logits(row)[0]]
    ['scores', 'scaled']
    """
    if row.attention.scores is None:
        return [], "w"
    problem = row.problem
    steps = [*_projection(row), _scores(row), _scaled(row)]
    letter = "t"
    if problem.softcap:
        steps.append(_softcap(row))
        letter = "u"
    if problem.bias is not None:
        steps.append(_bias(row, letter))
        letter = "r"
    if not row.allowed.all():
        steps.append(_masked(row, letter))
        letter = "m"
    is_turned = problem.beta != 1 or problem.shift != 0
    if is_turned and row.attention.logits is not None and row.attention.status[row.i] == "ok":
        steps.append(_logits(row, letter, row.attention.logits[row.i]))
        letter = r"\ell"
    return steps, letter


def _projection(row: Row) -> Iterator[Step]:
    source, attention, i = row.problem.source, row.attention, row.i
    if not isinstance(source, Projection):
        return
    assert attention.q is not None
    tokens, name = (source.x, "X") if source.memory is None else (source.memory, r"\mathrm{memory}")
    row_name = "x_j" if source.memory is None else r"\mathrm{memory}_j"
    told = "The token's row times W_Q gives its query: what it looks for."
    query, x = attention.q[i : i + 1], source.x[i : i + 1]
    yield _product(row, "query", f"{row.own('q')} = {row.own('x')} W_Q", "q_i = x_i W_Q", x, source.w_q, query, told)
    for step, w, made, does in (
        ("keys", source.w_k, attention.k, "key: what it can be found by"),
        ("values", source.w_v, attention.v, "value: what it hands on"),
    ):
        if w is not None and made is not None:
            letter = step[0].upper()
            told = (
                f"A token's row{'' if source.memory is None else ' of the memory'} times W_{letter} gives its {does}."
            )
            formula = f"{letter.lower()}_j = {row_name} W_{letter}"
            yield _product(row, step, f"{letter} = {name} W_{letter}", formula, tokens, w, made, told)


def _product(row: Row, step: str, left: str, formula: str, a: Matrix, b: Matrix, made: Matrix, why: str) -> Step:
    """A product of matrices; its signs of relation are those between what is written out."""
    digits = row.digits
    rows, columns = ([place for place in places(size) if place is not None] for size in made.shape)
    text = digits.set(made)
    line = digits.equation(
        left, f"{digits.set(a)} {digits.set(b)}", made[rows][:, columns], np.matmul, a[rows], b[:, columns], text=text
    )
    sizes = (*a.shape, b.shape[1])
    why = sentences(why, row.left_out(*sizes, what="rows or columns"))
    value = made[0] if step == "query" else made
    return Step(step, step.capitalize(), formula, (line,), value, why, max(sizes) > MOST)


def _scores(row: Row) -> Step:
    attention, digits, i = row.attention, row.digits, row.i
    assert attention.scores is not None
    scores, n_k = attention.scores[i], row.problem.n_k
    if isinstance(row.problem.source, Scores):
        why = sentences("The scores were given: the working starts here.", row.left_out(n_k))
        return Step(
            "scores", "Scores", r"s_i = (s_{i1}, s_{i2}, \dots)", (row.line_of("s", scores),), scores, why, n_k > MOST
        )
    assert attention.q is not None
    assert attention.k is not None
    q, keys = attention.q[i], attention.k

    def line(j: int) -> str:
        terms = [rf"{digits.term(a)} \cdot {digits.term(b)}" for a, b in zip(q.tolist(), keys[j].tolist(), strict=True)]
        left = rf"{row.cell('s', j)} = {row.own('q')} \cdot {row.letter('k', j)}"
        return digits.equation(left, digits.summed(terms), scores[j], np.dot, q, keys[j])

    why = "A dot product is large where query and key point the same way, 0 where they are perpendicular."
    why = sentences(why, row.left_out(n_k), row.left_out(len(q), what="terms"))
    formula = r"s_{ij} = q_i \cdot k_j = \sum_{d=1}^{d_k} q_{id} k_{jd}"
    return Step("scores", "Scores", formula, row.by_key(line), scores, why, max(n_k, len(q)) > MOST)


def _scaled(row: Row) -> Step:
    attention, problem, digits = row.attention, row.problem, row.digits
    assert attention.scores is not None
    assert attention.scaled is not None
    s, t, scale = attention.scores[row.i], attention.scaled[row.i], problem.divisor

    divisor = scale_symbol(problem)

    def line(j: int) -> str:
        if s[j] == 0 or np.isinf(s[j]):  # whatever the digits of the scale
            return rf"{row.cell('t', j)} = \frac{{{digits.tex(s[j])}}}{{{divisor}}} = {digits.tex(t[j])}"
        middle = rf"\frac{{{digits.tex(s[j])}}}{{{digits.tex(scale)}}}"
        return digits.equation(row.cell("t", j), middle, t[j], lambda a, b: a / b, s[j], scale)

    formula = rf"t_{{ij}} = \frac{{s_{{ij}}}}{{{divisor}}}"
    why = sentences(_why_scale(problem, copied(scale, digits.decimals)), row.left_out(len(t)))
    return Step(
        "scaled", "Scaled scores", formula, (scale_equation(problem, digits), *row.by_key(line)), t, why, len(t) > MOST
    )


def scale_symbol(problem: Problem) -> str:
    r"""Name the divisor in LaTeX: \sqrt{d_k} where it is one.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    str

    Examples
    --------
    >>> print(scale_symbol(Problem(Scores([[1]]), scale=3)))
    \text{scale}
    """
    return r"\sqrt{d_k}" if problem.scale == "sqrt_dk" and problem.d_k else r"\text{scale}"


def scale_equation(problem: Problem, digits: Digits) -> str:
    r"""Say in LaTeX what the scores are divided by (Vaswani et al. 2017, section 3.2.1).

    Parameters
    ----------
    problem : Problem
    digits : Digits

    Returns
    -------
    str

    Examples
    --------
    >>> print(scale_equation(Problem(Scores([[1]], d_k=2)), Digits(3)))
    \sqrt{d_k} = \sqrt{2} \approx 1.414
    """
    symbol = scale_symbol(problem)
    root = rf" = \sqrt{{{problem.d_k}}}" if "d_k" in symbol else ""
    return f"{symbol}{root} {digits.equality(problem.divisor)} {digits.tex(problem.divisor)}"


def _why_scale(problem: Problem, scale: str) -> str:
    if problem.scale == "sqrt_dk" and not problem.d_k:
        return "There are no columns to add up (d_k = 0): the scale is 1."
    if problem.scale == "sqrt_dk":
        varies = (
            f"Where the entries of query and key are independent with mean 0 and variance 1, the score has variance "
            f"d_k = {problem.d_k}; divided by the scale sqrt(d_k) it has variance 1, and the softmax does not saturate."
        )
        return varies if problem.d_k != 1 else "With d_k = 1 the scale is 1: the scores stay as they are."
    if problem.divisor == 1:
        return "The scale is 1: the scores stay as they are."
    effect = "smaller, the weights more even" if problem.divisor > 1 else "larger, the weights sharper"
    return f"The scale is the divisor {scale}, chosen by hand: it makes the differences {effect}."


def _unmasked(row: Row, bias: Matrix | None) -> Matrix:
    """The softcapped scores of the row before the mask, with or without the bias; a typed -inf stays one."""
    assert row.attention.scaled is not None
    scaled = row.attention.scaled[row.i]
    x = capped_and_biased(scaled[None], row.problem.softcap, None if bias is None else bias[row.i][None])[0]
    return np.where(np.isneginf(scaled), -np.inf, x)


def _softcap(row: Row) -> Step:
    digits, cap = row.digits, row.problem.softcap
    assert row.attention.scaled is not None
    t, u = row.attention.scaled[row.i], _unmasked(row, None)

    def line(j: int) -> str:
        if np.isneginf(t[j]):
            return rf"{row.cell('u', j)} = -\infty"
        middle = rf"{digits.tex(cap)} \tanh\left(\frac{{{digits.tex(t[j])}}}{{{digits.tex(cap)}}}\right)"
        return digits.equation(row.cell("u", j), middle, u[j], lambda a, c: 0 if a == 0 else None, t[j], cap)

    formula = r"u_{ij} = c \tanh\left(\frac{t_{ij}}{c}\right)"
    told = f"The softcap c = {copied(cap, digits.decimals)} bends large scores smoothly: none gets beyond c or -c."
    return Step(
        "softcap", "Softcap", formula, row.by_key(line), u, sentences(told, row.left_out(len(u))), len(u) > MOST
    )


def _bias(row: Row, letter: str) -> Step:
    digits = row.digits
    assert row.problem.bias is not None
    b, before, r = row.problem.bias[row.i], _unmasked(row, None), _unmasked(row, row.problem.bias)

    def line(j: int) -> str:
        if np.isneginf(before[j]):
            return rf"{row.cell('r', j)} = -\infty"
        middle = f"{digits.term(before[j])} + {digits.term(b[j])}"
        return digits.equation(row.cell("r", j), middle, r[j], lambda x, y: x + y, before[j], b[j])

    why = sentences(
        "The bias moves single scores up or down, after the scale.",
        "A -inf in it hides its key." if np.isneginf(b).any() else "", row.left_out(len(b)),
    )  # fmt: skip
    return Step("bias", "Bias", f"r_{{ij}} = {letter}_{{ij}} + b_{{ij}}", row.by_key(line), r, why, len(b) > MOST)


def _masked(row: Row, letter: str) -> Step:
    assert row.attention.masked is not None
    m, hidden = row.attention.masked[row.i], np.flatnonzero(~row.allowed)
    if len(hidden) == len(m):
        who = "All keys are hidden from this query"
    elif len(hidden) == 1:
        who = f"Key {hidden[0] + 1} is hidden from this query"
    else:
        who = f"{len(hidden)} of the {len(m)} keys are hidden from this query"
    why = sentences(f"{who}: a score of -inf gives the exponential 0, and so no weight.", row.left_out(len(m)))
    formula = rf"m_{{ij}} = {letter}_{{ij}} \text{{ if key }} j \text{{ is allowed, else }} -\infty"
    return Step("masked", "Mask", formula, (row.line_of("m", m),), m, why, len(m) > MOST)


def _logits(row: Row, letter: str, logits: Matrix) -> Step:
    digits, beta, shift = row.digits, row.problem.beta, row.problem.shift
    assert row.attention.masked is not None
    m = row.attention.masked[row.i]

    def line(j: int) -> str:
        left = row.cell(r"\ell", j)
        if not row.allowed[j]:
            return rf"{left} = -\infty"  # never 0 times infinity
        scaled = digits.term(m[j]) if beta == 1 else rf"{digits.tex(beta)} \cdot {digits.term(m[j])}"
        middle = f"{scaled} + {digits.term(shift)}" if shift else scaled
        return digits.equation(left, middle, logits[j], lambda x, b, k: b * x + k, m[j], beta, shift)

    factor = "" if beta == 1 else r"\beta "
    formula = rf"\ell_{{ij}} = {factor}{letter}_{{ij}}" + (" + k" if shift else "")
    why = sentences(_why_beta(beta, digits.decimals), _why_shift(shift, digits.decimals), row.left_out(len(m)))
    return Step("logits", "Logits", formula, row.by_key(line), logits, why, len(m) > MOST)


def _why_beta(beta: float, decimals: int) -> str:
    if beta == 1:
        return ""
    if beta == 0:
        return "beta = 0 wipes all differences out: every allowed key gets the same logit, and the same weight."
    if beta < 0:
        return f"beta = {copied(beta, decimals)} is negative and turns the order round: the smallest score wins."
    effect = "enlarges the differences: sharper" if beta > 1 else "shrinks the differences: more even"
    return f"The inverse temperature beta = {copied(beta, decimals)} {effect} weights."


def _why_shift(shift: float, decimals: int) -> str:
    return f"The shift k = {copied(shift, decimals)} adds the same to every logit: the weights stay." if shift else ""
