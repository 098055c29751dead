"""What is being typed lands where it was typed, and is given up only by Esc."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect

from explorer.state import sources
from tests.person import Person


def scores_of(person: Person) -> list[list[float]]:
    return person.problem.source.matrices["scores"].tolist()


@pytest.mark.parametrize("other", ["attention-intuition-A", "self-attention-C4", "single-head-numeric"])
def test_opening_another_document_takes_no_half_typed_number_along(person: Person, other: str) -> None:
    person.open("attention-intuition-C")
    person.focus("grid_scores")
    person.type("9", then=None)
    person.store.mark_saved()
    answered = []
    person.window.files.may_leave = lambda parent: answered.append(scores_of(person)) or True  # type: ignore[method-assign]
    person.window.files.open_example(person.window, other)
    person.settle()
    assert answered == [[[9.0, 1.0, 0.0]]]  # the number was in its own document before the question was asked
    del person.window.files.may_leave
    assert person.store.undo_label is None
    assert not person.sees_error


def test_a_command_keeps_what_is_being_typed(person: Person) -> None:
    person.open("attention-intuition-C")
    person.focus("grid_scores")
    person.type("9", then=None)
    person.press("Ctrl+R")
    assert scores_of(person) == [[9.0, 1.0, 0.0], [0.0, 0.0, 0.0]]


def test_leaving_a_label_or_a_score_keeps_it_and_escape_gives_it_up(person: Person) -> None:
    person.begin()
    person.press("Ctrl+T")
    person.type("dog", then=None)
    person.focus("weights")
    assert person.store.document.query_labels[0] == "dog"
    person.window.request(sources.change_source("scores"))
    person.settle()
    person.focus("scores")
    person.type("7", then=None)
    person.press("Tab")
    assert scores_of(person)[0][0] == 7.0
    assert person.focused.objectName() == "scores"
    person.type("8", then=None)
    person.press("Esc")
    assert scores_of(person)[0][0] == 7.0


def test_control_z_in_an_untouched_editor_undoes_the_last_step(person: Person) -> None:
    person.begin()
    person.type("5")
    person.press("F2")
    person.press("Ctrl+Z")
    assert person.problem.source.matrices["q"][0, 0] == 1.0


def test_rows_are_added_one_below_the_other(person: Person) -> None:
    person.begin()
    person.press("Down", times=2)
    person.press("Ctrl+R")
    assert person.grid("q").place == (3, 0)
    person.press("Ctrl+R")
    assert "Q row 5 added" in person.message
    person.press("Ctrl+Z")
    assert person.grid("q").place == (3, 0)


def test_a_number_typed_after_enter_replaces_the_last(person: Person) -> None:
    person.begin()
    person.focus("beta_box")
    person.type("5")
    person.type("20")
    assert person.problem.beta == 20
    person.type("1/0")
    assert person.sees_error
    person.press("Esc")
    assert not person.sees_error


def test_the_beta_slider_stays_under_the_hand(person: Person) -> None:
    person.begin()
    slider = person.find("beta")
    places: list[QRect] = []
    for stop in ("btn_beta_zero", "btn_beta_one", "btn_limit"):
        person.click(stop)
        places.append(QRect(slider.mapTo(person.window, slider.rect().topLeft()), slider.size()))
    assert places == places[:1] * 3


def test_a_long_or_marked_up_token_neither_widens_nor_formats_the_window(person: Person) -> None:
    person.begin()
    width = person.window.minimumSizeHint().width()
    person.press("Ctrl+T")
    person.type("<b>" + "M" * 80 + "</b>")
    assert person.window.minimumSizeHint().width() <= width + 200
    title = person.window.ground.docks["bars"].line.name.text()
    assert title.startswith("Softmax of query “<b>MM")
    assert len(title) < 50


def test_closing_a_maximised_panel_brings_the_others_back(person: Person) -> None:
    person.begin()
    ground = person.window.ground
    ground.toggle_maximized(ground.docks["weights"])
    ground.docks["weights"].line.closing.emit()
    assert [name for name, dock in ground.docks.items() if dock.isVisible()] == ["inputs", "scores", "output", "bars"]
    person.window.ground.arrange()
