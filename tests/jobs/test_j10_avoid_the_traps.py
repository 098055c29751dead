"""A student types weights as scores, is told, gives them as weights, then shifts and scales a row."""

import math

import pytest

from tests.jobs.abroad import UNKNOWN_LOCALE, own_locale
from tests.jobs.new_problem import make_new
from tests.person import OpenWindow, Person

__all__ = ["own_locale"]
pytestmark = UNKNOWN_LOCALE


def softmax(*scores: float) -> list[float]:
    exponentials = [math.exp(score) for score in scores]
    return [each / sum(exponentials) for each in exponentials]


def type_row(person: Person, *texts: str) -> None:
    person.go_to("grid_scores")
    person.press("Home")
    for text in texts:
        person.type(text, "Ctrl+Return")
        person.press("Right")


@pytest.fixture
def person(open_window: OpenWindow) -> Person:
    """At a new row of three scores."""
    person = open_window()
    make_new(person, "scores", n_q=1, n_k=3, d_v=2)
    return person


def test_weights_typed_as_scores_are_pointed_out_and_given_as_weights(person: Person) -> None:
    type_row(person, "0.1", "0.7", "0.2")
    assert person.weights == pytest.approx(softmax(0.1, 0.7, 0.2), rel=1e-14)
    assert person.read_weights() == ["0.255", "0.464", "0.281"]
    assert "Scores row 1 already sums to 1: if these are weights, choose source Weights" in person.message

    row = person.copy("Ctrl+A")
    assert row == "0.1\t0.7\t0.2"
    person.click("source_weights")
    assert person.read_weights() == ["0.255", "0.464", "0.281"]  # choosing a source changes no weights
    person.go_to("grid_weights")
    person.press("Home")
    person.paste(row)
    assert person.weights == [0.1, 0.7, 0.2]
    person.go_to("grid_v")
    person.press("Home")
    person.paste("1\t0\n0\t2\n3\t3")

    attention = person.store.snapshot.attention
    assert attention.output[0].tolist() == pytest.approx([0.7, 2.0], rel=1e-14)
    assert attention.entropy[0] == pytest.approx(0.8018185525, rel=1e-9)
    assert "0.802" in person.described("bars")
    assert "already sums to 1" not in person.message


def test_a_shifted_row_has_the_same_weights_and_a_multiplied_one_has_not(person: Person) -> None:
    person.enter("decimals", "4")
    type_row(person, "-2", "1", "0")
    before = person.weights
    assert person.read_weights() == ["0.0351", "0.7054", "0.2595"]

    person.enter("shift_box", "5")
    assert person.weights == before
    assert person.problem.source.scores.tolist() == [[-2, 1, 0]]
    person.press("Ctrl+Z")
    person.go_to("grid_scores")
    person.press("Home")
    person.paste("3\t6\t5")
    assert person.weights == before
    assert person.read_weights() == ["0.0351", "0.7054", "0.2595"]

    person.press("Ctrl+Z")
    person.paste("-10\t5\t0")
    multiplied = person.weights
    assert multiplied == pytest.approx(softmax(-10, 5, 0), rel=1e-14)
    assert person.read_weights() == ["<0.0001", "0.9933", "0.0067"]
    person.press("Ctrl+Z")
    person.enter("beta_box", "5")
    assert person.weights == pytest.approx(multiplied, rel=1e-14)
