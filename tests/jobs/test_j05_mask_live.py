"""A lecturer hides a future token before the class, then everything."""

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from tests.person import OpenWindow, Person


def softmax(*scores: float) -> list[float]:
    exponentials = np.exp(np.array(scores))
    return list(exponentials / exponentials.sum())


@pytest.fixture
def person(open_window: OpenWindow) -> Person:
    """In the scores picture of (2, 3, 1), nothing hidden, the third key chosen."""
    person = open_window("self-attention-C7")
    person.go_to("scores")
    person.press("Right", "Right")
    assert (person.store.view.query, person.store.view.key) == (0, 2)
    person.press("Space")
    assert person.read_weights() == ["0.245", "0.665", "0.090"]
    return person


def test_one_key_is_hidden(person: Person) -> None:
    person.press("Space")
    assert person.store.snapshot.attention.masked.tolist() == [[2.0, 3.0, -np.inf]]
    assert person.weights == pytest.approx([*softmax(2, 3), 0.0], rel=1e-15, abs=0)
    assert person.weights[2] == 0.0
    assert person.read_weights() == ["0.269", "0.731", "0"]
    assert person.store.view.stage == "masked"
    assert "-inf, hidden" in person.described("scores").replace("−∞", "-inf")


def test_all_keys_are_hidden_then_shown_again(person: Person) -> None:
    before = person.weights
    person.press("Space", "Left", "Space", "Left", "Space")
    attention = person.store.snapshot.attention
    assert attention.status == ("empty",)
    assert person.weights == [0.0, 0.0, 0.0]
    assert not np.isnan(attention.weights).any()
    assert "no visible keys" in person.described("weights")
    assert "without visible keys: weights 0" in person.message
    assert not person.sees_error
    assert QApplication.activeModalWidget() is None
    for panel in ("scores", "weights", "bars", "output"):
        assert "nan" not in person.described(panel).lower()

    person.press("Space", "Right", "Space", "Right", "Space")
    assert person.weights == before == pytest.approx(softmax(2, 3, 1), rel=1e-15)
    assert person.read_weights() == ["0.245", "0.665", "0.090"]
    assert "visible keys" not in person.described("weights")


def test_the_row_can_be_typed_into_a_new_problem(open_window: OpenWindow) -> None:
    person = open_window("self-attention-C7")
    person.go_to("grid_scores")
    for score in ("5", "7", "6"):
        person.type(score, "Tab")
    person.go_to("grid_scores")
    person.press("Home")
    for score in ("2", "3", "1"):
        person.type(score, "Ctrl+Return")
        person.press("Right")
    assert person.problem.source.scores.tolist() == [[2.0, 3.0, 1.0]]
    assert person.read_weights() == ["0.269", "0.731", "0"]


def test_keys_that_come_faster_than_the_screen_all_count(person: Person) -> None:
    person.press_fast("Left", "Left")
    person.settle()
    assert person.store.view.key == 0
    person.press_fast("Space", "Space")
    person.settle()
    assert person.read_weights() == ["0.245", "0.665", "0.090"]
