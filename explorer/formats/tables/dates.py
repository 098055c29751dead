"""The dates and times that spreadsheets make of fractions and numbers."""

from __future__ import annotations

import re

# The months in the languages whose spreadsheets write them in Latin letters, and short forms that are no beginning.
_NAMES = (
    "january february march april may june july august september october november december "
    "januar februar märz mai juni juli oktober dezember mrz "
    "janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre "
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre dicembre "
    "enero abril mayo junio julio septiembre octubre noviembre diciembre "
    "janeiro fevereiro março setembro outubro novembro dezembro "
    "januari februari maart mei augustus mrt"
)
_MONTHS = frozenset(name[:length] for name in _NAMES.split() for length in range(3, len(name) + 1))
_NAMED = re.compile(
    r"[0-9]{1,4}[./ -]{0,2}([a-zà-ÿ]{3,10})\.?(?:[./ -]{0,2}[0-9]{2,4})?"  # 01.Feb, 2-Mar-24
    r"|([a-zà-ÿ]{3,10})\.?(?:[./-] ?| )(?:[0-9]{1,2}(?:,? [0-9]{4})?|[0-9]{4})"  # Feb-01, Feb 2024
)
_DIGITS = re.compile(
    r"[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}(?:[t ][0-9:.+z-]{4,30})?"  # 2024-01-02
    r"|[0-9]{1,2}([-/.])[0-9]{1,2}\2(?:[0-9]{4}|[0-9]{2})?"  # 1/2/24, 01.02.
    r"|[0-9]{1,2}-[0-9]{1,2}"  # 1-2
    r"|0[0-9]/[0-9]{1,2}|[0-9]{1,2}/0[0-9]"  # 01/02; 1/2 is a fraction
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:[.,][0-9]{1,6})?(?: ?[ap]m)?"  # 13:45
)


def is_date(text: str) -> bool:
    """Whether a cell, in small letters, is a date or a time rather than a number or a label."""
    if len(text) > 60:
        return False
    named = _NAMED.fullmatch(text)
    return (named[1] or named[2]) in _MONTHS if named else _DIGITS.fullmatch(text) is not None
