"""Clicking, painting and dragging in the pictures, and what they say."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.core.problem import Problem, Scores
from explorer.state import edits
from explorer.state.document import Document
from tests.person import LEFT, NO_MODIFIER, Person

PICTURES = ("scores", "weights", "output", "bars")
HIDDEN_BY_TYPING = Document(Problem(Scores([[1.0, -math.inf, 2.0], [0.5, 0.0, 1.0]]), scale=1.0))


def chosen(person: Person) -> tuple[int, int]:
    return person.store.view.query, person.store.view.key


def hidden(person: Person) -> list[tuple[int, int]]:
    """The cells that are hidden."""
    return [(int(i), int(j)) for i, j in np.argwhere(~person.store.snapshot.attention.allowed)]


@pytest.mark.parametrize("name", ["scores", "weights"])
def test_a_click_chooses_query_and_key(person: Person, name: str) -> None:
    person.click_picture(name, 2, 1)
    assert chosen(person) == (2, 1)
    person.click_picture(name, 0, 2)
    assert chosen(person) == (0, 2)
    assert person.picture(name).hasFocus()
    assert person.store.undo_label is None


def test_a_click_on_the_output_chooses_a_query_and_on_a_term_a_key(person: Person) -> None:
    person.click_picture("output", 1, None)
    assert chosen(person) == (1, 0)
    person.click_picture("output", None, 2)
    assert chosen(person) == (1, 2)


def test_a_click_on_a_bar_chooses_its_key(person: Person) -> None:
    person.click_picture("bars", None, 1)
    assert chosen(person) == (0, 1)


def test_what_is_chosen_in_one_picture_is_chosen_in_all(person: Person) -> None:
    person.click_picture("weights", 2, 1)
    assert "query mat, key sat" in person.described("scores")
    for name in ("weights", "output", "bars"):
        assert "query mat" in person.described(name)


@pytest.mark.parametrize("name", PICTURES)
def test_arrows_choose_and_stay_inside(person: Person, name: str) -> None:
    person.focus(name)
    for key, place in (
        ("Down", (1, 0)), ("Right", (1, 1)), ("Right", (1, 2)), ("Right", (1, 2)),
        ("Left", (1, 1)), ("Up", (0, 1)), ("Up", (0, 1)),
    ):  # fmt: skip
        person.press(key)
        assert chosen(person) == place
    assert person.picture(name).hasFocus()
    assert person.store.undo_label is None


@pytest.mark.parametrize("name", ["scores", "weights", "bars"])
def test_space_hides_a_cell_and_undo_brings_it_back(person: Person, name: str) -> None:
    before = person.store.document
    person.click_picture("weights", 1, 2)
    person.focus(name)
    person.press("Space")
    assert hidden(person) == [(1, 2)]
    assert person.store.snapshot.attention.weights[1, 2] == 0
    assert person.problem.mask.kind == "custom"
    person.press("Space")
    assert hidden(person) == []
    person.press("Ctrl+Z")
    assert hidden(person) == [(1, 2)]
    person.press("Ctrl+Z")
    assert person.store.document is before


def test_what_was_painted_is_shown_where_it_can_be_seen(person: Person) -> None:
    assert person.store.view.stage == "scaled"
    person.click_picture("scores", 0, 2)
    person.press("Space")
    assert person.store.view.stage == "masked"
    assert "hidden" in person.described("scores")


def test_hiding_a_whole_row_leaves_zeros(person: Person) -> None:
    person.click_picture("weights", 1, 0)
    for _ in range(3):
        person.press("Space")
        person.press("Right")
    assert person.store.snapshot.attention.status[1] == "empty"
    assert person.store.snapshot.attention.weights[1].tolist() == [0, 0, 0]
    assert "no visible keys" in person.described("weights")
    assert "without visible keys" in person.message


@pytest.mark.parametrize("name", ["scores", "weights"])
def test_painting_by_drag_is_one_step(person: Person, name: str) -> None:
    before = person.store.document
    person.click("btn_paint")
    cells = [(0, 0), (0, 1), (0, 2), (1, 2)]
    person.drag_picture(name, *cells)
    assert hidden(person) == cells
    assert len(person.undo_all()) == 1
    assert person.store.document is before


def test_a_stroke_that_starts_on_a_hidden_cell_shows(person: Person) -> None:
    person.click("mask_causal")
    person.click("btn_paint")
    person.drag(
        person.picture("weights").viewport(),
        person.picture_point("weights", 0, 1),
        person.picture_point("weights", 0, 2),
    )
    assert hidden(person) == [(1, 2)]
    person.drag(
        person.picture("weights").viewport(),
        person.picture_point("weights", 2, 0),
        person.picture_point("weights", 2, 1),
    )
    assert hidden(person) == [(1, 2), (2, 0), (2, 1)]
    assert len(person.undo_all()) == 3


def test_without_paint_a_drag_changes_nothing(person: Person) -> None:
    before = person.store.document
    person.drag(
        person.picture("weights").viewport(),
        person.picture_point("weights", 0, 1),
        person.picture_point("weights", 0, 2),
    )
    assert person.store.document is before


def test_keys_that_come_faster_than_the_screen_all_count(person: Person) -> None:
    person.focus("weights")
    person.press_fast("Right", "Right")
    person.settle()
    assert chosen(person) == (0, 2)
    person.press_fast("Space", "Space")
    person.settle()
    assert hidden(person) == [], "hidden and shown again"


def test_a_double_click_faster_than_the_screen_opens_its_own_cell(person: Person) -> None:
    person.open("attention-intuition-F")
    spot, viewport = person.picture_point("scores", 0, 2), person.picture("scores").viewport()
    QTest.mouseClick(viewport, LEFT, NO_MODIFIER, spot)
    QTest.mouseDClick(viewport, LEFT, NO_MODIFIER, spot)
    person.settle()
    person.type("7")
    assert person.value("scores", 0, 2) == 7


@pytest.mark.parametrize("name", PICTURES)
def test_hovering_changes_nothing_in_the_store(person: Person, name: str) -> None:
    picture = person.picture(name)
    told: list[bool] = []
    end = person.store.subscribe(lambda: told.append(True))
    painted = picture.paint_count
    for point in (QPoint(5, 5), picture.viewport().rect().center(), picture.viewport().rect().bottomRight()):
        person.move(picture.viewport(), point, is_held=False)
    end()
    assert told == []
    if name in ("scores", "weights"):
        assert picture.paint_count > painted, "what would be chosen is shown"


def test_typed_scores_are_edited_in_place(person: Person) -> None:
    person.open("attention-intuition-F")
    person.double_click_picture("scores", 0, 2)
    assert person.editor is not None
    assert person.editor.text() == "2.4"
    person.type("1/3")
    assert person.value("scores", 0, 2) == 1 / 3
    assert person.editor is None
    assert person.picture("scores").hasFocus()
    person.press("F2")
    assert person.editor is not None
    assert person.editor.text() == "1/3"
    person.press("Escape")
    assert person.picture("scores").hasFocus()
    assert len(person.undo_all()) == 1


def test_a_digit_on_a_chosen_score_replaces_it(person: Person) -> None:
    person.open("attention-intuition-F")
    person.click_picture("scores", 0, 1)
    person.type("25")
    assert person.value("scores", 0, 1) == 25


def test_a_bad_score_is_refused_in_place(person: Person) -> None:
    person.open("attention-intuition-F")
    before = person.store.document
    person.double_click_picture("scores", 0, 1)
    person.type("1/0")
    assert person.sees_error
    assert "score row 1, column 2" in person.message
    assert person.store.document is before


def test_computed_scores_cannot_be_typed_over(person: Person) -> None:
    before = person.store.document
    person.double_click_picture("scores", 1, 1)
    assert person.editor is None
    assert person.sees_error
    assert "\n" not in person.message
    assert "choose source Scores" in person.message
    assert person.store.document is before


def test_dragging_a_bar_changes_its_score_in_one_step(person: Person) -> None:
    person.open("attention-intuition-F")
    before = person.store.snapshot.attention.weights[0]
    start = person.picture_point("bars", None, 1)
    way = [start - QPoint(0, length) for length in (8, 16, 24)]
    end = person.picture("bars").viewport()
    person.drag(end, start, *way)
    scores, weights = person.store.document.matrix("scores"), person.store.snapshot.attention.weights[0]
    assert scores is not None
    assert scores[0, 1] != 2.5
    assert scores[0, [0, 2, 3]].tolist() == [0.2, 2.4, 0.1]
    assert weights[1] != before[1]
    assert len(person.undo_all()) == 1
    assert person.value("scores", 0, 1) == 2.5


def test_a_bar_follows_the_mouse(person: Person) -> None:
    person.open("attention-intuition-F")
    picture = person.picture("bars")
    spots = [person.picture_point("bars", None, 0) - QPoint(0, up) for up in (0, 20, 30)]
    shares = []
    QTest.mousePress(picture.viewport(), LEFT, NO_MODIFIER, spots[0])
    for spot in spots[1:]:
        person.move(picture.viewport(), spot)
        shares.append(float(person.store.snapshot.attention.weights[0, 0]))
    QTest.mouseRelease(picture.viewport(), LEFT, NO_MODIFIER, spots[-1])
    person.settle()
    assert shares[1] > shares[0] > 0.048, "upwards is more"


def test_dragging_a_bar_of_computed_scores_changes_nothing(person: Person) -> None:
    before = person.store.document
    start = person.picture_point("bars", None, 1)
    person.drag(person.picture("bars").viewport(), start, start - QPoint(0, 20))
    assert person.store.document is before


def test_a_typed_minus_infinity_cannot_be_painted_visible(person: Person) -> None:
    person.open(HIDDEN_BY_TYPING)
    person.click_picture("weights", 0, 1)
    person.press("Space")
    assert person.sees_error
    assert "type a number here" in person.message
    assert person.store.document is HIDDEN_BY_TYPING
    assert hidden(person) == [(0, 1)]


def test_given_weights_cannot_be_masked(person: Person) -> None:
    person.open("attention-intuition-I")
    before = person.store.document
    person.focus("weights")
    person.press("Space")
    assert person.sees_error
    assert "used as typed" in person.message
    assert person.store.document is before


def test_one_edit_paints_every_picture_once_and_all_of_one_snapshot(person: Person) -> None:
    grid = person.click_cell("k", 1, 1)
    person.press("F2")
    person.type("3", then=None)
    counts = {name: person.picture(name).paint_count for name in PICTURES}
    person.press("Return")
    assert grid.place == (2, 1)
    assert person.value("k", 1, 1) == 3
    assert {name: person.picture(name).paint_count - counts[name] for name in PICTURES} == dict.fromkeys(PICTURES, 1)
    assert {id(person.picture(name).painted_snapshot) for name in PICTURES} == {id(person.store.snapshot)}


def test_a_burst_of_edits_is_painted_once(person: Person) -> None:
    counts = {name: person.picture(name).paint_count for name in PICTURES}
    for value in range(5):
        person.window.request(edits.set_cells("q", {(0, 0): (float(value), None)}))
    person.settle()
    assert {name: person.picture(name).paint_count - counts[name] for name in PICTURES} == dict.fromkeys(PICTURES, 1)


def test_no_picture_is_ever_older_than_another(person: Person) -> None:
    seen = []
    for value in (4.0, -2.0, 0.5):
        person.window.request(edits.set_cells("q", {(0, 1): (value, None)}))
        for _ in range(4):
            QApplication.processEvents()
            seen.append(len({id(person.picture(name).painted_snapshot) for name in PICTURES}))
    assert set(seen) == {1}


def test_undo_is_painted_everywhere(person: Person) -> None:
    person.click_cell("q")
    person.type("9")
    person.press("Ctrl+Z")
    for name in PICTURES:
        painted = person.picture(name).painted_snapshot
        assert painted is person.store.snapshot
    assert person.store.snapshot.attention.weights[0] == pytest.approx([0.401, 0.198, 0.401], abs=5e-4)


def test_the_stage_is_chosen_with_arrows(person: Person) -> None:
    person.focus("stage_scaled")
    person.press("Right")
    assert person.store.view.stage == "masked"
    person.press("Left", times=3)
    assert person.store.view.stage == "scores"
    assert person.find("stage_scores").hasFocus()


def test_pictures_leave_the_wheel_alone(person: Person) -> None:
    before = [person.picture(name).transform() for name in PICTURES]
    for name in PICTURES:
        person.turn_wheel(person.picture(name).viewport())
    assert [person.picture(name).transform() for name in PICTURES] == before
    assert person.picture("weights").focusPolicy() & Qt.FocusPolicy.StrongFocus
