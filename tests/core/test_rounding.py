"""Rounded numbers never lie."""

import math
from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from explorer.core.rounding import copied, rounded_sum_note, shown, shown_weight, typeset_minus

FINITE = st.floats(allow_nan=False, allow_infinity=False) | st.floats(-2, 2) | st.floats(-1e-3, 1e-3)
DECIMALS = st.integers(0, 8)
BELOW_ONE = math.nextafter(1, 0)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.26894142, 3, "0.269"),
        (1.0, 3, "1.000"),
        (1.0, 0, "1"),
        (-1.5, 0, "-2"),
        (0.0, 3, "0"),
        (-0.0, 3, "0"),
        (0.0, 0, "0"),
        (2.0611536e-9, 3, "2.06e-09"),
        (-2.0611536e-9, 3, "-2.06e-09"),
        (0.0004, 3, "4.00e-04"),
        (0.0005, 3, "0.001"),  # the float lies above one half
        (0.3, 0, "0.3"),
        (0.0123456, 0, "0.0123"),
        (0.5, 0, "0.5"),
        (0.51, 0, "1"),
        (0.125, 2, "0.12"),
        (2.675, 2, "2.67"),  # the float lies below one half
        (9999999.0, 1, "9999999.0"),
        (1e7, 3, "1.00e+07"),
        (123456789.0, 3, "1.23e+08"),
        (123456789.0, 0, "1.23e+08"),
        (123456789.0, 5, "1.2346e+08"),
        (-1e300, 2, "-1.00e+300"),
        (5e-324, 3, "4.94e-324"),
        (math.nan, 3, "nan"),
        (math.inf, 3, "inf"),
        (-math.inf, 0, "-inf"),
    ],
)
def test_shown(value: float, decimals: int, text: str) -> None:
    assert shown(value, decimals) == text


def half_a_unit(text: str) -> Decimal:
    exponent = Decimal(text).as_tuple().exponent
    assert isinstance(exponent, int)
    return Decimal(5).scaleb(exponent - 1)


@given(FINITE, DECIMALS)
@example(9999999.9999, 3)
@example(5e-324, 8)
def test_shown_is_a_correct_rounding_of_the_value(value: float, decimals: int) -> None:
    for text in (shown(value, decimals), copied(value, decimals)):
        assert abs(Decimal(text) - Decimal(value)) <= half_a_unit(text)
        assert (Decimal(text) == 0) == (value == 0)
        assert text.startswith("-") == (value < 0)


@given(FINITE, FINITE, DECIMALS)
@example(0.00049999, 0.0005, 3)
@example(9999999.9999, 1e7, 3)
@example(0.00099996, 0.001, 1)
def test_shown_keeps_the_order(a: float, b: float, decimals: int) -> None:
    low, high = sorted((a, b))
    assert Decimal(shown(low, decimals)) <= Decimal(shown(high, decimals))


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.26894142, 3, "0.269"),
        (2.06e-9, 3, "<0.001"),
        (2.06e-9, 0, "<1"),
        (0.5, 0, "<1"),
        (5e-324, 8, "<0.00000001"),
        (0.9999999979, 3, ">0.999"),
        (0.9999999979, 1, ">0.9"),
        (0.9999999979, 0, ">0"),
        (BELOW_ONE, 8, ">0.99999999"),
        (0.9994, 3, "0.999"),
        (1.0, 3, "1.000"),
        (0.0, 3, "0"),
        (-0.25, 3, "-0.250"),
        (-1e-9, 3, "-1.00e-09"),
        (1.0002, 3, "1.000"),
        (2.0, 1, "2.0"),
        (math.nan, 3, "nan"),
    ],
)
def test_shown_weight(value: float, decimals: int, text: str) -> None:
    assert shown_weight(value, decimals) == text


@given(st.floats(0, 1), DECIMALS)
@example(BELOW_ONE, 0)
@example(0.5, 0)
def test_a_weight_reads_0_or_1_only_where_it_is(weight: float, decimals: int) -> None:
    text = shown_weight(weight, decimals)
    if text[0] == "<":
        assert 0 < weight < float(text[1:])
    elif text[0] == ">":
        assert float(text[1:]) < weight < 1
    else:
        assert (float(text) == 0) == (weight == 0)
        assert (float(text) == 1) == (weight == 1)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (0.26894142, 3, "0.269"),
        (0.0, 3, "0"),
        (1.0, 3, "1.000"),
        (2.06e-9, 3, "2.06e-09"),
        (0.9999999979, 3, "0.999999998"),
        (0.9996, 3, "0.9996"),
        (0.7, 0, "0.7"),
        (BELOW_ONE, 3, "0.9999999999999999"),
        (1.7976931348623157e308, 3, "1.7976931348623157e+308"),
        (-math.inf, 3, "-inf"),
        (math.nan, 3, "nan"),
    ],
)
def test_copied(value: float, decimals: int, text: str) -> None:
    assert copied(value, decimals) == text


@given(FINITE, DECIMALS)
@example(BELOW_ONE, 8)
@example(-1.7976931348623157e308, 0)
def test_a_copy_reads_back_as_a_number_like_it(value: float, decimals: int) -> None:
    text = copied(value, decimals)
    assert not set(text) & set("<>")
    assert math.isfinite(float(text))
    assert (float(text) == 0) == (value == 0)
    if 0 < value < 1:
        assert float(text) < 1


def test_typeset_minus() -> None:
    assert typeset_minus("-2.06e-09") == "\u22122.06e\u221209"
    assert typeset_minus("-inf") == "\u2212\u221e"
    assert typeset_minus("0.5") == "0.5"


SOFTMAX_2_3_0 = [0.2594964601, 0.7053845127, 0.0351190272]


@pytest.mark.parametrize(
    ("weights", "decimals", "note"),
    [
        (SOFTMAX_2_3_0, 3, "rounded; exact sum 1"),
        ([0.25, 0.75], 3, ""),
        ([1 / 3] * 3, 3, "rounded; exact sum 1"),
        ([0.1] * 10, 1, ""),  # binary sums of 0.1 would not be 1
        ([1.0, 0.0], 3, ""),
        ([0.5, 0.5 - 1e-12, 1e-12], 3, ""),
        ([0.4996, 0.4996, 0.0008], 3, "rounded; exact sum 1"),
        ([1 - 2.06e-9, 2.06e-9], 3, "rounded; exact sum 1"),
        ([0.0, 0.0], 3, ""),
        ([math.nan, math.nan], 3, ""),
        ([0.4, 0.5], 3, ""),
        ([], 3, ""),
    ],
)
def test_rounded_sum_note(weights: list[float], decimals: int, note: str) -> None:
    assert rounded_sum_note(weights, decimals) == note


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=8), st.integers(3, 8))
def test_the_note_is_there_when_the_digits_do_not_add_up(parts: list[float], decimals: int) -> None:
    weights = [part / math.fsum(parts) for part in parts]
    texts = [shown_weight(w, decimals) for w in weights]
    adds_up = sum(map(Decimal, texts)) == 1
    assert rounded_sum_note(weights, decimals) == ("" if adds_up else "rounded; exact sum 1")
