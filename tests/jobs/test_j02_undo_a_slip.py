"""A lecturer mistypes before the class, takes it back, and one drag of beta is one step."""

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QSlider, QSpinBox

from explorer.gui.widgets.number_box import NumberBox
from explorer.gui.widgets.stop_slider import BETA_STOPS
from tests.person import OpenWindow

PRINTED = ["0.048", "0.477", "0.432", "0.043"]
DIALS = ("beta", "beta_box", "shift", "shift_box", "scale", "decimals", "mask", "variant")


def test_a_slip_and_a_drag_are_one_step_each(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-F")
    person.go_to("grid_scores")
    person.press("Right")
    person.type("25")
    assert person.problem.source.scores[0, 1] == 25
    assert person.read_weights()[1] == ">0.999"

    person.press("Ctrl+Z")
    assert person.problem.source.scores.tolist() == [[0.2, 2.5, 2.4, 0.1]]
    assert person.read_weights() == PRINTED
    assert person.store.undo_label is None
    logits = np.exp([0.2, 2.5, 2.4, 0.1])
    assert person.store.snapshot.attention.weights[0] == pytest.approx(logits / logits.sum(), rel=1e-14)

    stops = [at for at, beta in enumerate(BETA_STOPS) if 1 < beta <= 7]
    person.drag_knob("beta", *stops[::3], stops[-1])
    turned = person.problem.beta
    assert turned == pytest.approx(7, rel=0.1)
    person.press("Ctrl+Z")
    assert person.problem.beta == 1
    assert person.store.undo_label is None
    assert person.read_weights() == PRINTED
    person.press("Ctrl+Shift+Z")
    assert person.problem.beta == turned
    assert person.store.redo_label is None


def test_a_drag_ends_on_seven_where_the_slider_has_a_stop_for_it(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-F", size=(1900, 900))
    seven = BETA_STOPS.index(min(BETA_STOPS, key=lambda beta: abs(beta - 7)))
    person.drag_knob("beta", BETA_STOPS.index(2.0), seven - 10, seven)
    assert person.problem.beta == pytest.approx(7, rel=0.05)
    person.press("Ctrl+Z")
    assert person.problem.beta == 1


def test_the_wheel_over_dials_without_focus_changes_nothing(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-H")
    person.go_to("grid_scores")
    before, view = person.store.document, person.store.view
    over = [person.find(name) for name in DIALS]
    for kind in (QSlider, QSpinBox, QComboBox, NumberBox):
        over += person.window.findChildren(kind)
    for widget in over:
        assert not widget.hasFocus()
        person.turn_wheel(widget)
    assert person.store.document is before
    assert person.store.view == view
    assert person.store.undo_label is None


def test_the_wheel_turns_the_dial_that_has_the_focus(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-H")
    person.go_to("beta")
    person.turn_wheel(person.find("beta"))
    assert person.problem.beta != 1


def test_a_number_typed_into_a_box_is_taken_back_at_once(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-F")
    person.go_to("beta_box")
    person.press("Ctrl+A")
    person.type("20")
    assert person.problem.beta == 20
    person.press("Ctrl+Z")
    assert person.problem.beta == 1
    assert person.find("beta_box").text() == "1"
    person.press("Ctrl+Shift+Z")
    assert person.problem.beta == 20
