"""Typing numbers into the grids, with real keystrokes."""

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from tests.person import Person


def test_typing_replaces_and_enter_goes_down(person: Person) -> None:
    grid = person.click_cell("q")
    person.type("7")
    assert person.value("q", 0, 0) == 7
    assert person.printed("q", 0, 0) == "7"
    assert grid.place == (1, 0)
    assert person.editor is None


def test_shift_enter_goes_up(person: Person) -> None:
    grid = person.click_cell("q", 2, 1)
    person.type("4", "Shift+Return")
    assert person.value("q", 2, 1) == 4
    assert grid.place == (1, 1)


def test_enter_in_the_last_row_stays(person: Person) -> None:
    grid = person.click_cell("q", 2, 0)
    person.type("4")
    assert (person.value("q", 2, 0), grid.place) == (4, (2, 0))


def test_control_enter_stays(person: Person) -> None:
    grid = person.click_cell("q", 1, 1)
    person.type("3", "Ctrl+Return")
    assert person.value("q", 1, 1) == 3
    assert grid.place == (1, 1)
    assert person.editor is None


@pytest.mark.parametrize("key", ["Return", "Enter", "F2"])
def test_a_key_opens_the_cell_with_its_number(person: Person, key: str) -> None:
    person.click_cell("k", 2, 1)
    person.press(key)
    assert person.editor is not None
    assert person.editor.text() == "1"
    person.press("Escape")


def test_a_double_click_opens_the_cell(person: Person) -> None:
    grid = person.click_cell("k", 2, 1)
    person.double_click_at(grid.viewport(), person.cell_point("k", 2, 1))
    assert person.editor is not None
    person.type("5")
    assert person.value("k", 2, 1) == 5


def test_f2_shows_what_was_typed(person: Person) -> None:
    grid = person.click_cell("k")
    person.type("1/3", "Ctrl+Return")
    assert person.value("k", 0, 0) == 1 / 3
    assert person.printed("k", 0, 0) == "0.333"
    person.press("F2")
    assert person.editor is not None
    assert person.editor.text() == "1/3"
    person.press("Return")
    assert person.value("k", 0, 0) == 1 / 3
    assert grid.place == (1, 0)
    assert person.undo_all() == ["K row 1, column 1"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("2,5", 2.5), ("-.5", -0.5), ("1e-3", 0.001), ("sqrt(2)", math.sqrt(2)), ("2^-3", 0.125), ("−1", -1.0)],
)
def test_numbers_are_taken_as_people_write_them(person: Person, text: str, value: float) -> None:
    person.click_cell("v", 1, 0)
    # Keys of a keyboard cannot type every sign: the editor is open, the rest is put in.
    person.press("F2")
    assert person.editor is not None
    person.editor.selectAll()
    person.editor.insert(text)
    person.press("Return")
    assert person.value("v", 1, 0) == value
    assert not person.sees_error


def test_tab_goes_right_and_on_into_the_next_row(person: Person) -> None:
    grid = person.click_cell("q", 0, 0)
    person.type("5", "Tab")
    assert grid.place == (0, 1)
    person.type("6", "Tab")
    assert grid.place == (1, 0)
    person.press("Tab")
    assert grid.place == (1, 1)
    assert [person.value("q", 0, column) for column in (0, 1)] == [5, 6]


def test_shift_tab_goes_left_and_back_into_the_row_before(person: Person) -> None:
    grid = person.click_cell("q", 1, 1)
    person.type("5", "Shift+Tab")
    assert (person.value("q", 1, 1), grid.place) == (5, (1, 0))
    person.press("Shift+Tab")
    assert grid.place == (0, 1)


def test_tab_from_the_last_cell_leaves_the_grid(person: Person) -> None:
    grid = person.click_cell("q", 2, 1)
    person.press("Tab")
    assert not grid.hasFocus()
    assert person.grid("k").hasFocus()


def test_shift_tab_from_the_first_cell_leaves_the_grid(person: Person) -> None:
    grid = person.click_cell("k", 0, 0)
    person.press("Shift+Tab")
    assert not grid.hasFocus()


def test_tab_from_the_editor_of_the_last_cell_takes_the_number_and_leaves(person: Person) -> None:
    grid = person.click_cell("q", 2, 1)
    person.type("9", "Tab")
    assert person.value("q", 2, 1) == 9
    assert person.editor is None
    assert not grid.hasFocus()


def test_escape_restores(person: Person) -> None:
    before = person.store.document
    grid = person.click_cell("q")
    person.type("123", "Escape")
    assert person.store.document is before
    assert person.printed("q", 0, 0) == "1"
    assert grid.hasFocus()


@pytest.mark.parametrize("key", ["Delete", "Backspace"])
def test_delete_sets_zero(person: Person, key: str) -> None:
    person.click_cell("k", 2, 0)
    person.press(key)
    assert person.value("k", 2, 0) == 0


def test_delete_on_a_block_is_one_step(person: Person) -> None:
    person.click_cell("q", 0, 0)
    person.press("Shift+Right")
    person.press("Shift+Down", times=2)
    person.press("Delete")
    assert not person.store.document.matrix("q").any()
    assert len(person.undo_all()) == 1


def test_arrows_move_without_changing(person: Person) -> None:
    before = person.store.document
    grid = person.click_cell("q")
    for key, place in (("Down", (1, 0)), ("Right", (1, 1)), ("Up", (0, 1)), ("Left", (0, 0))):
        person.press(key)
        assert grid.place == place
    assert person.store.document is before


def test_alt_and_arrows_nudge_by_exact_decimals(person: Person) -> None:
    grid = person.click_cell("q")
    person.press("Alt+Up", times=3)
    assert person.value("q", 0, 0) == 1.3
    person.press("Alt+Shift+Down", times=2)
    assert person.value("q", 0, 0) == 1.28
    person.press("Alt+Down")
    assert person.value("q", 0, 0) == 1.18
    assert grid.place == (0, 0)
    assert person.printed("q", 0, 0) == "1.18"


def test_nudges_that_come_faster_than_the_screen_all_count(person: Person) -> None:
    person.click_cell("q")
    person.press_fast("Alt+Up", "Alt+Up", "Alt+Up")
    person.settle()
    assert person.value("q", 0, 0) == 1.3


def test_a_nudge_of_what_was_typed_forgets_the_text(person: Person) -> None:
    person.click_cell("q")
    person.type("1/4", "Ctrl+Return")
    person.press("Alt+Up")
    assert person.value("q", 0, 0) == 0.35
    person.press("F2")
    assert person.editor is not None
    assert person.editor.text() == "0.35"
    person.press("Escape")


def test_dragging_a_number_is_one_step(person: Person) -> None:
    person.click_cell("q", 2, 0)
    start = person.cell_point("q", 2, 0)
    way = [start + QPoint(x, 0) for x in (3, 6, 9, 12, 15)]
    person.drag(person.grid("q").viewport(), start, *way)
    assert person.value("q", 2, 0) == 1.5
    assert person.editor is None
    assert len(person.undo_all()) == 1
    assert person.value("q", 2, 0) == 1


def test_two_drags_are_two_steps_and_shift_is_fine(person: Person) -> None:
    person.click_cell("q", 2, 0)
    start, viewport = person.cell_point("q", 2, 0), person.grid("q").viewport()
    person.drag(viewport, start, start + QPoint(0, -15), start + QPoint(0, -30))
    assert person.value("q", 2, 0) == 2
    person.drag(viewport, start, start + QPoint(-30, 0), modifiers=Qt.KeyboardModifier.ShiftModifier)
    assert person.value("q", 2, 0) == 1.9
    assert len(person.undo_all()) == 2


def test_a_drag_starts_after_four_pixels(person: Person) -> None:
    before = person.store.document
    start = person.cell_point("q", 2, 0)
    person.drag(person.grid("q").viewport(), start, start + QPoint(3, 0), start + QPoint(0, -3))
    assert person.store.document is before
    person.drag(person.grid("q").viewport(), start, start + QPoint(4, 0))
    assert person.value("q", 2, 0) == 1.1


def test_minus_infinity_is_refused_in_q_and_taken_as_a_score(person: Person) -> None:
    person.click_cell("q", 1, 0)
    person.type("-inf")
    assert person.sees_error
    assert "Q row 2, column 1" in person.message
    assert "-inf cannot stand here" in person.message
    assert person.value("q", 1, 0) == 0
    person.open("attention-intuition-F")
    person.click_cell("scores", 0, 1)
    person.type("-inf")
    assert person.value("scores", 0, 1) == -math.inf
    assert person.store.snapshot.attention.weights[0, 1] == 0
    assert not person.sees_error


def test_a_bad_entry_is_marked_and_nothing_else_changes(person: Person) -> None:
    before = person.store.document
    painted = person.picture("weights").painted_snapshot
    grid = person.click_cell("k", 1, 1)
    ordinary = grid.model().index(1, 1).data(Qt.ItemDataRole.BackgroundRole)
    person.type("1/0")
    index = grid.model().index(1, 1)
    assert person.sees_error
    assert person.message.startswith("K row 2, column 2: ")
    assert person.store.document is before
    assert person.store.undo_label is None
    assert person.printed("k", 1, 1) == "1"
    assert index.data(Qt.ItemDataRole.BackgroundRole) not in (None, ordinary)
    assert index.data(Qt.ItemDataRole.ToolTipRole) in person.message
    assert grid.place == (1, 1), "the place of the mistake is kept"
    assert person.picture("weights").painted_snapshot.attention.weights is painted.attention.weights
    person.press("F2")
    assert person.editor is not None
    assert person.editor.text() == "1/0", "what was typed can be repaired"
    person.press("Escape")


def test_the_next_good_entry_takes_the_mark_off(person: Person) -> None:
    grid = person.click_cell("k", 1, 1)
    person.type("abc")
    marked = grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "abc" in marked
    person.type("5", "Ctrl+Return")
    assert person.value("k", 1, 1) == 5
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "5"
    assert not person.sees_error


def test_typing_the_old_number_takes_the_mark_off(person: Person) -> None:
    grid = person.click_cell("k", 1, 1)
    person.type("abc")
    person.type("1", "Ctrl+Return")
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "1"
    assert not person.sees_error


def test_escape_takes_the_mark_off(person: Person) -> None:
    grid = person.click_cell("k", 1, 1)
    person.type("abc")
    assert person.sees_error
    person.press("Escape")
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "1"
    assert not person.sees_error


def test_opening_another_document_takes_the_mark_off(person: Person) -> None:
    grid = person.click_cell("k", 1, 1)
    person.type("abc")
    person.open("single-head-numeric")
    person.open("cat-sat-mat")
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "1"


@pytest.mark.parametrize("key", ["PgUp", "PgDown", "Space"])
def test_a_presenter_s_keys_are_no_text(person: Person, key: str) -> None:
    before = person.store.document
    person.click_cell("q")
    person.press(key)
    assert person.editor is None
    assert person.store.document is before
    assert not person.sees_error


def test_global_undo_takes_the_open_editor_along(person: Person) -> None:
    person.click_cell("q", 0, 0)
    person.type("5", "Return")
    person.type("8", then=None)
    assert person.editor is not None
    person.find("btn_undo").click()
    person.settle()
    assert person.value("q", 1, 0) == 0
    assert person.value("q", 0, 0) == 5
    assert QApplication.activePopupWidget() is None


def test_ctrl_home_and_end_go_to_the_first_and_last_cell(person: Person) -> None:
    person.click_cell("q", 1, 0)
    for keys, place in (("Ctrl+End", (2, 1)), ("Ctrl+Home", (0, 0))):
        person.press(keys)
        assert person.grid("q").place == place, keys
    assert person.store.undo_label is None
