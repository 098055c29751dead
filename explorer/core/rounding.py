"""Numbers rounded to be read; never to be computed with."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal

_WIDE = 1e7
_DIGITS = 3


def shown(value: float, decimals: int) -> str:
    """Write a number for the screen: fixed decimals, but never 0 for what is not 0.

    The text is ``value`` rounded to nearest at its last printed digit. Exact 0 reads "0"; what fixed decimals would
    turn into 0 keeps 3 significant digits; from 1e7 on scientific, with 3 significant digits or ``decimals``
    if that is more.

    Parameters
    ----------
    value : float
        Any unit; nan, inf and -inf read as such.
    decimals : int
        0 or more.

    Returns
    -------
    str
        ASCII; "-" for minus.

    Examples
    --------
    >>> [shown(x, 3) for x in (0.26894, 1.0, -0.0, 2.0612e-9, 123456789.0)]
    ['0.269', '1.000', '0', '2.06e-09', '1.23e+08']
    """
    value = float(value)
    if not math.isfinite(value):
        return repr(value)
    if value == 0:
        return "0"
    if abs(value) >= _WIDE:
        return f"{value:.{max(decimals, _DIGITS) - 1}e}"
    text = f"{value:.{decimals}f}"
    return text if float(text) else _small(value)


def _small(value: float) -> str:
    # With 0 or 1 decimals 0.03 lands here too, and 3.00e-02 would be harder to read than 0.03.
    return f"{value:.{_DIGITS}g}" if abs(value) >= 1e-3 else f"{value:.{_DIGITS - 1}e}"


def shown_weight(value: float, decimals: int) -> str:
    """Write a weight for the screen, with "<0.001" or ">0.999" for what would round to 0 or 1 without being it.

    Parameters
    ----------
    value : float
        A share of 1; given weights below 0 or above 1 read as in `shown`.
    decimals : int
        0 or more.

    Returns
    -------
    str
        A bound ("<", ">") is always a true one.

    Examples
    --------
    >>> [shown_weight(w, 3) for w in (2.06e-9, 0.9999999979, 0.0, 1.0)]
    ['<0.001', '>0.999', '0', '1.000']
    """
    if not 0 < value < 1:
        return shown(value, decimals)
    text = f"{float(value):.{decimals}f}"
    unit = Decimal(1).scaleb(-decimals)
    if float(text) == 0:
        return f"<{unit:f}"
    return f">{1 - unit:f}" if float(text) == 1 else text


def copied(value: float, decimals: int) -> str:
    """Write a number for copies and files: as `shown`, but below 1 with the digits it needs not to read 1.

    Parameters
    ----------
    value : float
        Any unit.
    decimals : int
        0 or more; more digits are given only where these would read 0 or 1.

    Returns
    -------
    str
        Never with "<" or ">"; it reads back as a finite number where ``value`` is one.

    Examples
    --------
    >>> [copied(x, 3) for x in (0.26894, 2.0612e-9, 0.9999999979, 0.0)]
    ['0.269', '2.06e-09', '0.999999998', '0']
    """
    value = float(value)
    text = shown(value, decimals)
    while 0 < value < 1 and float(text) == 1:
        decimals += 1
        text = f"{value:.{decimals}f}"
    # 1.797e308 at 3 digits would read back as infinite.
    return repr(value) if math.isfinite(value) and math.isinf(float(text)) else text


def typeset_minus(text: str) -> str:
    r"""Set a number's text for pictures: a true minus sign, and the sign of infinity.

    Parameters
    ----------
    text : str
        As `shown` and its like give it.

    Returns
    -------
    str

    Examples
    --------
    >>> typeset_minus("-0.5") == "\N{MINUS SIGN}0.5", typeset_minus("-inf") == "\N{MINUS SIGN}\N{INFINITY}"
    (True, True)
    """
    return text.replace("-", "\N{MINUS SIGN}").replace("inf", "\N{INFINITY}")


def rounded_sum_note(weights: Iterable[float], decimals: int) -> str:
    """Say that a row of weights is rounded, where its printed digits do not add up to 1 though the weights do.

    Parameters
    ----------
    weights : (n_k,) floats
        A row as computed; one that does not sum to 1 itself (empty, invalid, typed so) gets no note.
    decimals : int
        As printed by `shown_weight`; entries such as "<0.001" add nothing.

    Returns
    -------
    str
        The note, or nothing.

    Examples
    --------
    >>> rounded_sum_note([0.0351190, 0.7053845, 0.2594965], 3), rounded_sum_note([0.25, 0.75], 3)
    ('rounded; exact sum 1', '')
    """
    row = [float(w) for w in weights]
    if not all(map(math.isfinite, row)) or abs(math.fsum(row) - 1) > 1e-9:
        return ""
    texts = [shown_weight(w, decimals) for w in row]
    printed = sum((Decimal(text) for text in texts if not set(text) & set("<>e")), Decimal(0))
    return "" if printed == 1 else "rounded; exact sum 1"
