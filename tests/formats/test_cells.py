"""Single numbers: as typed, as shown in a cell, as held by a session file."""

import json
import math
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.formats.cells import cell_text, parse_cell, read_cell, says_more

READ = [
    ("2", 2.0),
    ("2.5", 2.5),
    ("2,5", 2.5),
    ("5%", 0.05),
    ("-2,5 %", -0.025),
    (",5", 0.5),
    ("-.5", -0.5),
    ("-,5", -0.5),
    ("+5.", 5.0),
    ("007", 7.0),
    ("1e-3", 0.001),
    ("1,5E\u22123", 0.0015),
    ("1e\u22123", 0.001),
    ("-0", 0.0),
    ("1/3", 1 / 3),
    ("2,5/5", 0.5),
    ("sqrt(2)", math.sqrt(2)),
    ("SQRT (2,25)", 1.5),
    ("\u221a2", math.sqrt(2)),
    ("\u221a(4)/4", 0.5),
    ("\u221a\u221a16", 2.0),
    ("2^-3", 0.125),
    ("2^3^2", 512.0),
    ("2**3", 8.0),
    ("-2^2", -4.0),
    ("(-2)^2", 4.0),
    ("2^-1^2", 0.5),
    ("(-8)^-1", -0.125),
    ("0^0", 1.0),
    ("8-3-2", 3.0),
    ("8/4/2", 1.0),
    ("2+3*4", 14.0),
    ("2*-3", -6.0),
    ("2--3", 5.0),
    ("--5", 5.0),
    ("((1+2))*3", 9.0),
    ("+".join(["(1)"] * 40), 40.0),
    ("pi", math.pi),
    ("-\u03c0/2", -math.pi / 2),
    ("e", math.e),
    ("e-3", math.e - 3),
    ("e^2", math.e**2),
    ("exp(1)", math.exp(1)),
    ("ln(exp(2))", 2.0),
    ("\u22122", -2.0),
    ("\u20132", -2.0),
    ("3\u00d74", 12.0),
    ("3\u00b74", 12.0),
    ("3\u00f74", 0.75),
    ("1\u20444", 0.25),
    ("\u00a0 1 / 4\t", 0.25),
    ("\ufeff\u200b12\u200b", 12.0),
    ("\u202f-\u20093", -3.0),
    ("1e-400", 0.0),
    ("1.7976931348623157e308", 1.7976931348623157e308),
    ("5e-324", 5e-324),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_reads_what_people_type(text: str, value: float) -> None:
    assert parse_cell(text) == value
    assert math.copysign(1, parse_cell(text)) == math.copysign(1, value)


REFUSED = [
    ("", "empty: type a number"),
    (" \u00a0\u200b", "empty: type a number"),
    ("abc", "'abc' is not a number"),
    ("abc/0", "'abc/0' is not a number"),
    ("True", "'True' is not a number"),
    ("None", "'None' is not a number"),
    ("1_000", "'1_000' is not a number"),
    ("0x10", "'0x10' is not a number"),
    ("0x1.8p3", "'0x1.8p3' is not a number"),
    ("1j", "'1j' is not a number"),
    ("\u0663", "'\u0663' is not a number"),
    ("2\u00b2", "'2\u00b2' is not a number"),
    (".", "'.' is not a number"),
    ("[1]", "'[1]' is not a number"),
    ("__import__('os')", "'__import__('os')' is not"),
    ("a\nb", "'a b' is not a number"),
    ("x" * 50, "'" + "x" * 23 + "\u2026' is not a number"),
    ("1.2.3", "'1.2.3' is not a number"),
    ("1,2,3", "'1,2,3' is not a number"),
    ("1,234,567,8", "'1,234,567,8' is not a number"),
    ("1.234,5", "'1.234,5' is ambiguous: type 1234.5"),
    ("-1,234.5", "'1,234.5' is ambiguous: type 1234.5"),
    ("1,234,567", "'1,234,567' is ambiguous: type 1234567"),
    ("1.234.567,25", "'1.234.567,25' is ambiguous: type 1234567.25"),
    ("1 000", "'1 000' is two numbers"),
    ("1 .5", "'1 .5' is two numbers"),
    ("2pi", "something is missing before pi: type * or / between 2 and pi"),
    ("2(3)", "something is missing before ("),
    ("(2 3)", "'2 3' is two numbers"),
    ("1e", "something is missing before e"),
    ("1/0", "division by zero"),
    ("1/(2-2)", "division by zero"),
    ("0^-1", "division by zero"),
    ("(-8)^(1/3)", "a negative number has only whole powers"),
    ("sqrt(-1)", "square root of a negative number"),
    ("\u221a(0-1)", "square root of a negative number"),
    ("ln(0)", "ln needs a number above 0"),
    ("ln(-1)", "ln needs a number above 0"),
    ("log(2)", "log could mean two functions: type ln( )"),
    ("1e400", "too large"),
    ("-1e400", "too large"),
    ("10^400", "too large"),
    ("(-10)^401", "too large"),
    ("1e308*10", "too large"),
    ("1e308+1e308", "too large"),
    ("1/1e-309", "too large"),
    ("exp(709.9)", "too large"),
    ("exp(1e9)", "too large"),
    ("sqrt(2", "missing )"),
    ("((1)", "missing )"),
    ("1)", "missing ("),
    ("sqrt 2", "sqrt needs brackets: type sqrt(2)"),
    ("1+", "a number is missing at the end"),
    ("-", "a number is missing at the end"),
    ("*2", "a number is missing before *"),
    ("()", "a number is missing before )"),
    ("2*/3", "a number is missing before /"),
    ("1" * 201, "too long"),
    ("(" * 100 + "1" + ")" * 99, "too deeply nested"),
    ("2^" * 99 + "2", "too deeply nested"),
    ("\u221a" * 199 + "4", "too deeply nested"),
    ("nan", "nan cannot stand here: type a number"),
    ("-NaN", "nan cannot stand here"),
    ("1/inf", "inf cannot be calculated with"),
    ("2*nan", "nan cannot be calculated with"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
@pytest.mark.parametrize("allow_infinite", [False, True])
def test_refuses_with_a_reason_to_read_in_the_cell(text: str, reason: str, allow_infinite: bool) -> None:
    with pytest.raises(ExplorerError) as caught:
        parse_cell(text, allow_infinite=allow_infinite)
    assert str(caught.value).startswith(reason)
    assert caught.value.hint
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["-inf", "\u2212\u221e", "-infinity", "-Inf", " - \u221e "])
def test_minus_infinity_stands_only_where_it_can_hide_a_cell(text: str) -> None:
    assert parse_cell(text, allow_infinite=True) == -math.inf
    with pytest.raises(ExplorerError) as caught:
        parse_cell(text)
    assert caught.value.message == "-inf cannot stand here"
    assert caught.value.hint == "only a score or a bias can be hidden that way"


@pytest.mark.parametrize("text", ["inf", "+inf", "\u221e", "+Infinity"])
def test_plus_infinity_is_refused_by_its_own_name(text: str) -> None:
    assert parse_cell(text, allow_infinite=True) == math.inf
    with pytest.raises(ExplorerError, match=r"^inf cannot stand here"):
        parse_cell(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (0.5, "0.5"),
        (-0.0, "0"),
        (-2.0, "-2"),
        (1 / 3, "0.3333333333333333"),
        (1e16, "1e+16"),
        (1e22, "1e+22"),
        (1e-5, "1e-05"),
        (-math.inf, "-inf"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_cell_text(value: float, text: str) -> None:
    assert cell_text(value) == text


@given(st.floats(allow_nan=False))
@example(1.7976931348623157e308)
@example(5e-324)
def test_cell_text_reads_back_to_the_same_number(value: float) -> None:
    text = cell_text(value)
    assert parse_cell(text, allow_infinite=True) == value
    assert parse_cell(text.replace("-", "\u2212").replace(".", ","), allow_infinite=True) == value
    assert not says_more(text, value)
    assert not text.endswith(".0")


@given(st.integers(-999, 999), st.integers(1, 999))
def test_a_fraction_is_correctly_rounded(a: int, b: int) -> None:
    assert parse_cell(f"{a}/{b}") == float(Fraction(a, b))


ARITHMETIC = st.recursive(
    st.integers(0, 9).map(str),
    lambda part: (
        st.tuples(part, st.sampled_from("+-*"), part).map(lambda abc: f"({abc[0]}{abc[1]}{abc[2]})")
        | part.map(lambda inner: f"(-{inner})")
    ),
    max_leaves=8,
)


@given(ARITHMETIC)
def test_arithmetic_agrees_with_python(text: str) -> None:
    assert parse_cell(text) == eval(text)  # the text holds digits, signs and brackets only


LIKELY = st.text("0123456789.,+-*/^()eE sqrtlnxpif\u221a\u221e\u2212\u03c0_'\u200b\u00a0", max_size=30)


@given(st.text() | LIKELY, st.booleans())
@settings(max_examples=500)
def test_any_text_is_a_number_or_a_readable_refusal(text: str, allow_infinite: bool) -> None:
    try:
        value = parse_cell(text, allow_infinite=allow_infinite)
    except ExplorerError as error:
        refusal = error
    else:
        refusal = None
    if refusal:
        assert refusal.message.isprintable()
        assert refusal.hint
    else:
        assert math.isfinite(value) or (allow_infinite and math.isinf(value))


@pytest.mark.parametrize(
    ("text", "value", "more"),
    [("1", 1.0, False), (" 1\u00a0", 1.0, False), ("1.0", 1.0, True), ("1/3", 1 / 3, True), ("0,5", 0.5, True),
     ("-inf", -math.inf, False), ("-0", 0.0, True), ("\u22122", -2.0, True)],
)  # fmt: skip
def test_says_more(text: str, value: float, more: bool) -> None:
    assert says_more(text, value) is more


@pytest.mark.parametrize(
    ("item", "value", "kept"),
    [(1, 1.0, None), (0.25, 0.25, None), ("1/3", 1 / 3, "1/3"), ("2", 2.0, None), (" sqrt(2) ", 2**0.5, " sqrt(2) "),
     ("-inf", -math.inf, None), ("inf", math.inf, None), ("+\u221e", math.inf, "+\u221e"), (2**60, 2.0**60, None),
     (-math.inf, -math.inf, None)],
)  # fmt: skip
def test_read_cell(item: object, value: float, kept: str | None) -> None:
    assert read_cell(item, "q, row 1, column 2") == (value, kept)


@pytest.mark.parametrize("item", ["nan", "NaN", " -nan ", math.nan])
def test_read_cell_takes_nan_because_files_are_data(item: object) -> None:
    value, kept = read_cell(item, "v")
    assert math.isnan(value)
    assert kept is None


@pytest.mark.parametrize(
    ("item", "reason"),
    [(True, "q, row 1 holds true or false"), (None, "q, row 1 holds null"), ([1], "q, row 1 holds a list"),
     ({}, "q, row 1 holds an object"), (b"1", "q, row 1 holds no number"), (10**400, "q, row 1: too large"),
     ("", "q, row 1: empty"), ("abc", "q, row 1: 'abc' is not a number")],
)  # fmt: skip
def test_read_cell_names_the_place(item: object, reason: str) -> None:
    with pytest.raises(ExplorerError) as caught:
        read_cell(item, "q, row 1")
    assert caught.value.message == reason
    assert caught.value.hint


def test_a_whole_number_too_long_to_print_is_refused() -> None:
    with pytest.raises(ExplorerError, match=r"^q, row 1: too large"):
        read_cell(-(10**5000), "q, row 1")


PLAIN_ITEMS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | LIKELY | st.binary()


@given(st.recursive(PLAIN_ITEMS, st.lists))
@settings(max_examples=150)
def test_any_item_of_a_file_is_a_cell_or_a_refusal(item: object) -> None:
    try:
        value, kept = read_cell(item, "k")
    except ExplorerError as error:
        refusal = str(error)
    else:
        refusal = ""
    if refusal:
        assert refusal.startswith("k")
    elif not math.isnan(value):
        written = json.loads(json.dumps(kept or cell_text(value)))
        assert read_cell(written, "k") == (value, kept)
