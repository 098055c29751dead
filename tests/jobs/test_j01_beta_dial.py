"""A lecturer turns beta from 1 to 5, to 20, to the limit, and goes back."""

import math

import pytest
from PySide6.QtWidgets import QLabel

from explorer.gui.widgets.stop_slider import BETA_STOPS
from tests.person import OpenWindow, Person


def turn_to_five(person: Person) -> None:
    now, five = BETA_STOPS.index(1.0), BETA_STOPS.index(5.0)
    person.drag_knob("beta", *range(now, five, 9), five)
    person.go_to("beta")
    while person.problem.beta < 5:  # the knob has fewer pixels than stops
        person.press("Right")
    while person.problem.beta > 5:
        person.press("Left")


def test_from_soft_to_hard_and_back(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-H")
    assert person.weights == pytest.approx([1 / (1 + math.e), math.e / (1 + math.e)], rel=1e-15)
    assert person.read_weights() == ["0.269", "0.731"]

    turn_to_five(person)
    assert person.problem.beta == 5.0
    assert person.weights == pytest.approx([1 / (1 + math.exp(5)), 1 / (1 + math.exp(-5))], rel=1e-15)
    assert person.read_weights() == ["0.007", "0.993"]
    assert person.find("beta_box").text() == "5"

    person.go_to("beta_box")
    person.press("Ctrl+A")
    person.type("20")
    assert person.weights[0] == pytest.approx(2.0611536e-9, rel=1e-7)
    assert person.read_weights() == ["<0.001", ">0.999"]

    person.click("btn_limit")
    assert person.weights == [0.0, 1.0]
    assert person.read_weights() in (["0", "1"], ["0", "1.000"])
    assert person.find("btn_limit").isChecked()
    assert any("limit" in label.text() for label in person.find("dials").findChildren(QLabel))

    person.click("btn_reset")
    assert person.problem.beta == 1
    assert person.read_weights() == ["0.269", "0.731"]
