"""What is added to the scaled scores or flattens them, as edits."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from explorer.core.matrices import Matrix
from explorer.errors import ExplorerError
from explorer.state.document import Document
from explorer.state.edits import Edit, Look, with_matrix

SHOW_IT = Look(lambda view: replace(view, stage="masked") if view.stage in ("scores", "scaled") else view)
"""Look at the first stage that holds bias and softcap."""


def add_bias() -> Edit:
    """Give a problem without a bias one of zeros."""

    def change(document: Document) -> Document:
        _refuse_given_weights(document)
        if document.problem.bias is not None:
            return document
        return with_matrix(document, "bias", np.zeros(document.problem.shape), None)

    return Edit("Add bias", change, notice=lambda _before, _after: "Bias B added, zeros")


def remove_bias() -> Edit:
    """Take the bias away, with what was typed into it."""

    def change(document: Document) -> Document:
        _refuse_given_weights(document)
        if document.problem.bias is None:
            return document
        typed = {name: texts for name, texts in document.typed.items() if name != "bias"}
        return replace(document, problem=replace(document.problem, bias=None), typed=typed)

    return Edit("Remove bias", change, notice=lambda _before, _after: "Bias B removed")


def set_alibi(slope: float) -> Edit:
    """Write -slope * |i - j| into the bias, as ALiBi does (Press, Smith and Lewis 2022), whatever stood there."""
    check_slope(slope)

    def change(document: Document) -> Document:
        _refuse_given_weights(document)
        wanted = _alibi(slope, *document.problem.shape)
        bias = document.problem.bias
        is_same = bias is not None and "bias" not in document.typed and np.array_equal(bias, wanted)
        return document if is_same else with_matrix(document, "bias", wanted, None)

    def notice(before: Document, _after: Document) -> str:
        old = before.problem.bias
        replaced = " in place of what stood there" if old is not None and old.any() else ""
        return f"Bias B is now -{slope:.6g} |i - j|, as in ALiBi{replaced}"

    return Edit(f"ALiBi bias, slope {slope:.6g}", change, notice=notice)


def check_slope(slope: float) -> None:
    """Refuse a slope that ALiBi cannot have."""
    if not 0 < slope < math.inf:
        raise ExplorerError(f"the ALiBi slope is {slope:.6g}", "give a number above 0, such as 1/2 or 2^-8")


def slope_of(document: Document) -> float | None:
    """The slope with which ALiBi gives just this bias; None where none does."""
    bias = document.problem.bias
    if bias is None or max(bias.shape) < 2 or 0 in bias.shape:
        return None
    slope = float(-bias[0, 1] if bias.shape[1] > 1 else -bias[1, 0])
    return slope if 0 < slope < math.inf and np.array_equal(bias, -slope * _distances(*bias.shape)) else None


def _distances(n_q: int, n_k: int) -> Matrix:
    distances: Matrix = np.abs(np.arange(float(n_q))[:, None] - np.arange(float(n_k)))  # (n_q, n_k)
    return distances


def _alibi(slope: float, n_q: int, n_k: int) -> Matrix:
    with np.errstate(over="ignore"):
        bias: Matrix = 0.0 - slope * _distances(n_q, n_k)  # (n_q, n_k); from 0, or the diagonal would read -0
    if not np.isfinite(bias).all():  # a -inf would hide its cell
        raise ExplorerError(
            f"the ALiBi slope {slope:.6g} is too large for {max(n_q, n_k)} tokens", "give a smaller one"
        )
    return bias


def set_softcap(value: float) -> Edit:
    """Flatten the scaled scores x to c tanh(x / c); 0 switches it off."""
    check_softcap(value)
    value = float(value) or 0.0  # never -0

    def change(document: Document) -> Document:
        _refuse_given_weights(document)
        if document.problem.softcap == value:
            return document
        return replace(document, problem=replace(document.problem, softcap=value))

    return Edit(f"Softcap {value:.6g}" if value else "Softcap off", change)


def check_softcap(value: float) -> None:
    """Refuse a softcap that no score can be held to."""
    if not 0 <= value < math.inf:
        raise ExplorerError(f"the softcap is {value:.6g}", "give a number above 0, or 0 to switch it off")


def _refuse_given_weights(document: Document) -> None:
    if document.problem.source.kind == "weights":
        raise ExplorerError("given weights are used as typed", "choose scores or Q, K, V to use a bias or a softcap")
