"""The bias grid with ALiBi, used with real keystrokes through the window."""

import math
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel

from explorer.core.problem import QKV, Problem, Projection, Scores, Weights
from explorer.formats import session
from explorer.gui.grid.model import Role
from explorer.state import edits
from explorer.state.document import Document
from tests.gui.truth import assert_weights_are_true
from tests.person import Person

GIVEN = Document(
    Problem(Weights([[0.25, 0.75], [0.5, 0.5]], [[1.0], [2.0]]), scale=1.0, bias=[[1.0, 2.0], [3.0, 4.0]], softcap=3)
)  # fmt: skip
SCORES = Document(Problem(Scores([[1.0, 2.0, 3.0]], [[1.0], [2.0], [3.0]]), scale=1.0))
SELF = Document(Problem(Projection([[1.0, 0.0], [0.0, 1.0]], np.eye(2), np.eye(2), np.eye(2))))
BIASED = Document(
    Problem(QKV([[1.0], [2.0]], [[1.0], [2.0], [0.0]], [[1.0], [2.0], [3.0]]), bias=[[0.0, 1.0, -1.0], [2.0, 0.0, 0.5]])
)


def bias_of(person: Person) -> list[list[float]]:
    matrix = person.store.document.matrix("bias")
    assert matrix is not None
    return matrix.tolist()


def test_there_is_no_bias_until_it_is_asked_for(person: Person) -> None:
    assert not person.grid("bias").isVisible()
    assert not person.find("alibi_slope").isVisible()
    assert person.find("btn_add_bias").isVisible()


def test_a_button_adds_a_bias_and_numbers_are_typed_at_once(person: Person) -> None:
    before, weights = person.store.document, person.store.snapshot.attention.weights
    person.go_to("btn_add_bias")
    person.window.request(edits.look(query=0, key=0))
    person.press("Space")
    assert bias_of(person) == [[0, 0, 0]] * 3
    np.testing.assert_array_equal(person.store.snapshot.attention.weights, weights)
    assert "Bias B added, zeros" in person.message
    grid = person.grid("bias")
    assert grid.isVisible()
    assert grid.hasFocus(), "the keyboard went from the button to the new cells"
    assert grid.place == (0, 0)
    assert not person.find("btn_add_bias").isVisible()
    assert person.store.view.stage == "masked", "where the bias can be seen"
    person.type("1/3", "Tab")
    person.type("-2,5", "Tab")
    person.type("2")
    assert bias_of(person)[0] == [1 / 3, -2.5, 2]
    assert grid.place == (1, 2)
    assert_weights_are_true(person)
    assert person.store.document.typed_text("bias", 0, 0) == "1/3"
    person.press("Up")
    grid.setCurrentIndex(grid.model().index(0, 0))
    person.press("F2")
    assert person.editor is not None
    assert person.editor.text() == "1/3"
    person.press("Escape")
    assert person.undo_all()[-1] == "Add bias"
    assert person.store.document is before
    assert not grid.isVisible()


def test_the_bias_is_named_for_everybody(person: Person) -> None:
    person.open(BIASED)
    grid = person.grid("bias")
    assert grid.accessibleName() == "bias (2 x 3), queries × keys"
    assert grid.model().index(1, 2).data(Role.AccessibleTextRole) == "2, column 3: 0.5"
    titles = [label.text() for label in grid.parentWidget().findChildren(QLabel)]
    assert "<b>bias B<sub></sub></b>" in titles
    assert any(title.startswith("2 × 3") for title in titles)
    names = ("alibi_slope", "btn_alibi", "btn_remove_bias", "softcap_box")
    assert all(person.find(name).accessibleName() for name in names)
    assert person.find("btn_add_bias").accessibleName() == "add bias B"
    person.click("stage_masked")
    assert person.described("scores").startswith("masked scores with bias B, 2 queries by 3 keys")
    person.click("stage_scaled")
    assert "bias" not in person.described("scores"), "the scaled scores have none"


def test_a_cell_of_the_bias_chooses_query_and_key(person: Person) -> None:
    person.open(BIASED)
    person.click_cell("bias", 1, 2)
    assert (person.store.view.query, person.store.view.key) == (1, 2)
    person.press("Left")
    assert (person.store.view.query, person.store.view.key) == (1, 1)


def test_a_typed_minus_infinity_hides_its_cell(person: Person) -> None:
    person.click("btn_add_bias")
    person.type("-inf", "Ctrl+Return")
    assert bias_of(person)[0][0] == -math.inf
    assert person.printed("bias", 0, 0) == "−∞"
    assert not person.store.snapshot.attention.allowed[0, 0]
    assert person.weights[0] == 0
    assert_weights_are_true(person)
    before = person.store.document
    person.click_picture("weights", 0, 0)
    person.press("Space")
    assert person.sees_error
    assert "type a number here" in person.message
    assert person.store.document is before
    person.click_cell("bias", 0, 0)
    person.type("0")
    assert person.store.snapshot.attention.allowed.all()


def test_nudges_and_drags_work_as_in_every_grid(person: Person) -> None:
    person.open(BIASED)
    before = person.store.document
    grid = person.click_cell("bias", 0, 0)
    person.press("Alt+Up", "Alt+Shift+Down")
    assert bias_of(person)[0][0] == 0.09
    start = person.cell_point("bias", 1, 0)
    person.drag(grid.viewport(), start, *(start + QPoint(step, 0) for step in (6, 12, 30)))
    assert bias_of(person)[1][0] == 3
    assert_weights_are_true(person)
    assert len(person.undo_all()) == 3
    assert person.store.document is before


@pytest.mark.parametrize("text", ["abc", "nan", "1/0"])
def test_what_is_no_bias_is_refused_in_its_cell(person: Person, text: str) -> None:
    person.open(BIASED)
    before = person.store.document
    grid = person.click_cell("bias")
    person.type(text)
    assert person.store.document is before
    assert (0, 0) in grid.marks.refused
    assert person.sees_error
    assert "bias row 1, column 1" in person.message


@pytest.mark.parametrize("way", ["cross", "menu"])
def test_the_bias_is_removed_in_one_step(person: Person, way: str) -> None:
    person.open(BIASED)
    before = person.store.document
    if way == "menu":
        person.choose("Edit", "Remove bias")
    else:
        person.go_to("btn_remove_bias")
        person.press("Space")
        assert person.find("btn_add_bias").hasFocus(), "the keyboard is where the bias comes back"
    assert person.problem.bias is None
    assert "Bias B removed" in person.message
    assert_weights_are_true(person)
    assert person.undo_all() == ["Remove bias"]
    assert person.store.document is before
    assert person.grid("bias").isVisible()


def test_the_menu_offers_what_can_be_done(person: Person) -> None:
    def offered() -> list[bool]:
        entries = ("Add bias", "Bias B from ALiBi", "Remove bias")
        return [person.entry("Edit", entry).isEnabled() for entry in entries]

    assert offered() == [True, True, False]
    person.choose("Edit", "Add bias")
    assert offered() == [False, True, True]
    person.open(GIVEN)
    assert offered() == [False] * 3


def test_alibi_by_keyboard(person: Person) -> None:
    person.click("btn_add_bias")
    before = person.store.document
    person.go_to("alibi_slope")
    person.type("2^-2", "Tab")
    assert bias_of(person) == [[0, 0, 0]] * 3, "leaving the box writes nothing"
    assert person.find("btn_alibi").hasFocus()
    person.press("Space")
    assert bias_of(person) == [[0, -0.25, -0.5], [-0.25, 0, -0.25], [-0.5, -0.25, 0]]
    assert [person.printed("bias", 0, column) for column in range(3)] == ["0", "−0.25", "−0.5"]
    assert "-0.25 |i - j|" in person.message
    assert_weights_are_true(person)
    person.press("Ctrl+Z")
    assert person.store.document is before


def test_enter_in_the_slope_writes_alibi(person: Person) -> None:
    person.click("btn_add_bias")
    person.go_to("alibi_slope")
    assert person.find("alibi_slope").text() == "0.5"
    person.press("Return")
    assert bias_of(person)[0] == [0, -0.5, -1]
    person.type("1")
    assert bias_of(person)[0] == [0, -1, -2]
    assert len(person.undo_all()) == 3


def test_alibi_from_the_menu_goes_on_with_the_slope(person: Person) -> None:
    before = person.store.document
    person.choose("Edit", "Bias B from ALiBi")
    assert bias_of(person)[0] == [0, -0.5, -1]
    assert person.find("alibi_slope").hasFocus()
    person.type("1/8")
    assert bias_of(person)[0] == [0, -0.125, -0.25]
    assert len(person.undo_all()) == 2
    assert person.store.document is before


def test_the_slope_is_that_of_the_bias_shown(person: Person) -> None:
    box = person.find("alibi_slope")
    person.choose("Edit", "Bias B from ALiBi")
    person.type("1/8")
    person.press("Ctrl+Z")
    assert box.text() == "0.5"
    person.press("Ctrl+Shift+Z")
    assert box.text() == "0.125"
    person.click_cell("bias", 0, 0)
    person.type("7")
    assert box.text() == "0.125", "a bias that was changed by hand keeps the last one"
    person.open(BIASED)
    assert box.text() == "0.5"


@pytest.mark.parametrize("text", ["0", "-1", "abc", "inf"])
def test_a_slope_that_cannot_be_is_refused_in_place(person: Person, text: str) -> None:
    person.click("btn_add_bias")
    before = person.store.document
    box = person.focus("alibi_slope")
    person.type(text)
    assert person.sees_error
    assert "slope" in person.message
    assert (box.text(), box.is_bad) == (text, True)
    person.click("btn_alibi")
    assert person.store.document is before
    box.selectAll()
    person.focus("alibi_slope")
    person.type("1")
    assert not person.sees_error
    assert bias_of(person)[0] == [0, -1, -2]


def test_rows_and_columns_keep_the_bias_in_step(person: Person) -> None:
    person.choose("Edit", "Bias B from ALiBi")
    person.click_cell("k", 2, 0)
    person.press("Ctrl+R")
    assert [row[-1] for row in bias_of(person)] == [0, 0, 0]
    assert "bias column 4 added" in person.message
    person.click_cell("bias", 2, 3)
    person.press("Ctrl+R")
    assert np.shape(bias_of(person)) == (4, 4)
    assert person.store.document.matrix("q").shape == (4, 2)
    person.press("Ctrl+Shift+K")
    assert person.store.document.matrix("v").shape == (3, 2)
    assert_weights_are_true(person)


def test_one_sequence_has_a_square_bias(person: Person) -> None:
    person.open(SELF)
    person.click("btn_add_bias")
    person.press("Ctrl+K")
    assert np.shape(bias_of(person)) == (3, 3)
    assert person.store.document.matrix("x").shape == (3, 2)


def test_typed_scores_take_a_bias_too(person: Person) -> None:
    person.open(SCORES)
    person.click("btn_add_bias")
    person.type("2")
    assert bias_of(person) == [[2, 0, 0]]
    assert_weights_are_true(person)
    person.click("source_weights")
    assert person.problem.bias is None, "weights that were taken along need no bias"
    assert not person.grid("bias").isVisible()
    assert not person.find("btn_add_bias").isVisible()


def test_given_weights_keep_a_bias_without_using_it(person: Person) -> None:
    person.open(GIVEN)
    assert person.problem.bias is not None
    for name in ("grid_bias", "alibi_slope", "btn_alibi", "btn_remove_bias", "btn_add_bias"):
        assert not person.find(name).isVisible(), name
    assert person.find("bias_unused").isVisible()
    assert "not used" in person.find("bias_unused").text()
    box = person.find("softcap_box")
    assert (box.isVisible(), box.isEnabled(), box.text()) == (True, False, "3")


def test_tab_goes_through_the_bias_and_on(person: Person) -> None:
    person.open(BIASED)
    person.click_cell("bias", 1, 2)
    reached = []
    for _ in range(4):
        person.press("Tab")
        reached.append(person.focused.objectName())
    assert reached[:3] == ["alibi_slope", "btn_alibi", "btn_remove_bias"]
    assert reached[3] not in ("grid_bias", "")


def test_bias_softcap_and_texts_come_back_from_the_file(person: Person, tmp_path: Path) -> None:
    person.click("btn_add_bias")
    person.type("1/3", "Tab")
    person.type("-inf")
    person.enter("softcap_box", "2")
    weights, path = person.weights, tmp_path / "biased.json"
    path.write_bytes(session.write(person.store.document, person.store.view))
    person.open("self-attention-C3")
    person.store.mark_saved()
    person.window.opening.open_path(path)
    person.settle()
    assert bias_of(person)[0] == [1 / 3, -math.inf, 0]
    assert person.store.document.typed_text("bias", 0, 0) == "1/3"
    assert person.find("softcap_box").text() == "2"
    assert person.weights == weights
