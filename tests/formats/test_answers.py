"""A person's stages are read with the digits they were written to."""

import json
import math

import numpy as np
import pytest

from explorer.errors import ExplorerError
from explorer.formats.answers import read


def answers(text):
    return read(text.encode(), "mine.json")


def half_units(row):
    return answers(json.dumps({"weights": [row]}))["weights"].half_units[0].tolist()


@pytest.mark.parametrize(
    ("text", "value", "half_unit"),
    [
        ("0.73", 0.73, 0.005),
        ("0,730", 0.73, 0.0005),
        ("\N{MINUS SIGN}0.5", -0.5, 0.05),
        ("2.06e-9", 2.06e-9, 0.005e-9),
        ("1.23e8", 1.23e8, 0.5e6),
        ("1/3", 1 / 3, 0),
        ("sqrt(2)", math.sqrt(2), 0),
        ("-inf", -math.inf, 0),
        ("12", 12, 0.5),
        ("1", 1, 0.05),
        (" 0.70 ", 0.7, 0.005),
    ],
)
def test_strings_keep_their_decimals(text, value, half_unit):
    read_ = answers(json.dumps({"weights": [[text]]}))["weights"]
    assert read_.values[0, 0] == pytest.approx(value, rel=1e-15)
    assert read_.half_units[0, 0] == pytest.approx(half_unit, rel=1e-12)


def test_numbers_keep_theirs_too():
    read_ = answers('{"weights": [[0.730, 2e-3, 7.0, 1]]}')["weights"]
    assert read_.values.tolist() == [[0.73, 0.002, 7, 1]]
    assert read_.half_units[0] == pytest.approx([0.0005, 0.0005, 0.05, 0.0005], rel=1e-12)


def test_a_whole_number_takes_the_decimals_of_its_row():
    assert half_units(["0.269", "0.731", "0"]) == pytest.approx([0.0005] * 3)
    assert half_units(["1", "0"]) == pytest.approx([0.05] * 2)
    assert half_units(["1", "25", "0.5"]) == pytest.approx([0.05, 0.5, 0.05])
    assert half_units(["0e400", "12"]) == pytest.approx([0.05, 0.5])
    assert half_units(["0.0", "0.33333", "1"]) == pytest.approx([5e-6, 5e-6, 0.0005])
    assert half_units(["1", "4.54e-5"]) == pytest.approx([0.05, 0.005e-5])


def test_one_digit_with_an_exponent_is_a_whole_number():
    assert half_units(["3e2", "1e2"]) == pytest.approx([0.5, 0.5])


def test_an_expression_is_as_good_as_its_decimals():
    assert half_units(["2.03/3.03"]) == pytest.approx([0.67 * 0.5 * (0.01 / 2.03 + 0.01 / 3.03)], rel=1e-3)
    assert half_units(["2/3", "exp(2)"]) == [0, 0]


def test_null_is_not_given_at_every_level():
    read_ = answers('{"q": null, "weights": [null, ["0.5", null]], "status": ["ok"]}')
    assert list(read_) == ["weights"]
    assert read_["weights"].given.tolist() == [[False, False], [True, False]]


def test_one_row_and_one_number_a_row_may_be_plain_lists():
    read_ = answers('{"weights": ["0.7", "0.3"], "row_sums": [2.5, null], "entropy": [[0.1]]}')
    assert {name: each.shape for name, each in read_.items()} == {
        "weights": (1, 2),
        "row_sums": (2, 1),
        "entropy": (1, 1),
    }


def test_no_number_is_read_as_ours_writes_it():
    read_ = answers('{"weights": [["nan", "inf", NaN, -Infinity]]}')["weights"]
    assert np.array_equal(read_.values, [[math.nan, math.inf, math.nan, -math.inf]], equal_nan=True)


@pytest.mark.parametrize("text", ["{}", '{"weights": [], "q": [null, null], "k": [[null, ""]]}', '{"status": ["ok"]}'])
def test_an_empty_hand_in_is_refused(text):
    with pytest.raises(ExplorerError, match="no number is given"):
        answers(text)


def test_blanks_are_not_given():
    assert answers('{"weights": [["0.5", "", "-", "\u2014"]]}')["weights"].given.tolist() == [
        [True, False, False, False]
    ]


def test_a_single_number_may_stand_alone():
    read_ = answers('{"entropy": "0.634", "row_sums": 5.056}')
    assert {name: each.values.tolist() for name, each in read_.items()} == {"entropy": [[0.634]], "row_sums": [[5.056]]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "mine.json: empty"),
        ("[1]", "the file: a list is not an object"),
        ('{"softmax": [[1]]}', "the stage 'softmax' is not known: use q, k, v, scores"),
        ('{"weights": true}', "weights: true is not a list"),
        ('{"weights": {"a": 1}}', "weights: an object is not a list"),
        ('{"weights": [["0.7x"]]}', "weights, row 1, column 1: '0.7x' is not a number"),
        ('{"weights": [["1/0"]]}', "weights, row 1, column 1: "),
        ('{"weights": [[true]]}', "weights, row 1, column 1: true is not a number"),
        ('{"weights": [[[1]]]}', "weights, row 1, column 1: a list is not a number"),
        ('{"weights": [["0.7", "0.3"], ["0.1"]]}', "weights, row 2 has 1 numbers, another row 2"),
        ('{"weights": [["0.7"], "0.3"]}', "weights, row 2: '0.3' is not a list"),
        ('{"weights": [[1]], "weights": [[2]]}', "the name 'weights' stands twice"),
        ('{"weights": [[1]', "cut off in the middle"),
        ('{"weights": ' + "[" * 100_000, "nested too deep"),
        ('{"weights": [' + "null," * 20_000 + "[" + "1," * 1_000 + "1]]}", "weights: 20001 rows of 1001 numbers"),
        ('{"weights": [[1e999]]}', "weights, row 1, column 1: "),
    ],
)
def test_what_cannot_be_read_is_named(text, message):
    with pytest.raises(ExplorerError) as refused:
        answers(text)
    assert str(refused.value).startswith("mine.json: ")
    assert message in str(refused.value)
