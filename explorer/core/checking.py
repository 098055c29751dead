"""A person's own working against ours, marked as an examiner does: an error counts once and is carried forward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.core.attention import Attention
from explorer.core.carrying import BEFORE
from explorer.core.comparing import Answer
from explorer.core.marking import Marking, Verdict
from explorer.errors import ExplorerError

__all__ = ["Answer", "Verdict", "check", "first_wrong"]


def check(right: Attention, answers: Mapping[str, Answer]) -> tuple[Verdict, ...]:
    """Mark a person's stages, in the order of the formula.

    Parameters
    ----------
    right : Attention
        The problem as computed here.
    answers : mapping of stage name to Answer
        Any of q, k, v, scores, scaled, masked, logits, exponentials, row_sums, weights, output, entropy.

    Returns
    -------
    tuple of Verdict
        One for each row of a stage that is given, one ("missing") for each other stage that the problem has. No
        message tells a right number.

    Raises
    ------
    ExplorerError
        For a stage that is not known, or that this problem does not have.

    Notes
    -----
    A row is "right" when it equals ours up to float64 rounding; "rounded" when it does at the digits given, in single
    precision, or follows from the person's own rounded numbers; "carried" when it follows from earlier ones that are
    wrong. Exponentials may be those of a softmax that subtracts the row maximum first.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.core.attention import attend
    >>> from explorer.core.problem import QKV, Problem
    >>> right = attend(Problem(QKV([[1, 0]], [[1, 0], [0, 1]], [[10], [20]])))
    >>> def two_decimals(*row):
    ...     return Answer(np.array([row]), np.full((1, len(row)), 0.005), np.full((1, len(row)), True))
    >>> verdicts = check(right, {"weights": two_decimals(0.73, 0.27), "output": two_decimals(12.69)})
    >>> [(v.name, v.verdict, v.message) for v in verdicts if v.row == 0]  # doctest: +ELLIPSIS
    [('weights', 'wrong', 'matches the unscaled scores'), ('output', 'carried', 'follows from ...')]
    """
    for name in answers:
        if name not in BEFORE:
            raise ExplorerError(f"the stage {name!r} is not known", f"use {', '.join(BEFORE)}")
        if getattr(right, name) is None:
            raise ExplorerError(f"this problem has no {name}", "leave it out")
    return tuple(Marking(right).verdicts(answers))


def first_wrong(verdicts: Sequence[Verdict]) -> str | None:
    """Name the first stage that has a wrong row.

    Parameters
    ----------
    verdicts : sequence of Verdict
        As `check` gives them.

    Returns
    -------
    str or None
        None when nothing is wrong: what is missing, or carried forward, is not.

    Examples
    --------
    >>> first_wrong((Verdict("k", 0, "right", None, ""), Verdict("weights", 1, "wrong", None, "")))
    'weights'
    """
    return next((verdict.name for verdict in verdicts if verdict.verdict == "wrong"), None)
