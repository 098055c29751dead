"""Typing numbers into the grids, with real keystrokes."""

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.person import ALT, CONTROL, LEFT, NONE, SHIFT, Key, Person, move, settle


def test_typing_replaces_and_enter_goes_down(person: Person) -> None:
    grid = person.go("q")
    person.write("7")
    assert person.value("q", 0, 0) == 7
    assert person.printed("q", 0, 0) == "7"
    assert grid.place == (1, 0)
    assert person.editor is None


def test_shift_enter_goes_up(person: Person) -> None:
    grid = person.go("q", 2, 1)
    person.write("4", Key.Key_Return, SHIFT)
    assert person.value("q", 2, 1) == 4
    assert grid.place == (1, 1)


def test_enter_in_the_last_row_stays(person: Person) -> None:
    grid = person.go("q", 2, 0)
    person.write("4")
    assert (person.value("q", 2, 0), grid.place) == (4, (2, 0))


def test_control_enter_stays(person: Person) -> None:
    grid = person.go("q", 1, 1)
    person.write("3", Key.Key_Return, CONTROL)
    assert person.value("q", 1, 1) == 3
    assert grid.place == (1, 1)
    assert person.editor is None


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter, Key.Key_F2], ids=str)
def test_a_key_opens_the_cell_with_its_number(person: Person, key: Qt.Key) -> None:
    person.go("k", 2, 1)
    person.press(key)
    assert person.editor is not None
    assert person.editor.text() == "1"
    person.press(Key.Key_Escape)


def test_a_double_click_opens_the_cell(person: Person) -> None:
    grid = person.go("k", 2, 1)
    QTest.mouseDClick(grid.viewport(), LEFT, NONE, person.place("k", 2, 1))
    settle()
    assert person.editor is not None
    person.write("5")
    assert person.value("k", 2, 1) == 5


def test_f2_shows_what_was_typed(person: Person) -> None:
    grid = person.go("k")
    person.write("1/3", Key.Key_Return, CONTROL)
    assert person.value("k", 0, 0) == 1 / 3
    assert person.printed("k", 0, 0) == "0.333"
    person.press(Key.Key_F2)
    assert person.editor is not None
    assert person.editor.text() == "1/3"
    person.press(Key.Key_Return)
    assert person.value("k", 0, 0) == 1 / 3
    assert grid.place == (1, 0)
    assert person.undo_all() == ["K row 1, column 1"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("2,5", 2.5), ("-.5", -0.5), ("1e-3", 0.001), ("sqrt(2)", math.sqrt(2)), ("2^-3", 0.125), ("−1", -1.0)],
)
def test_numbers_are_taken_as_people_write_them(person: Person, text: str, value: float) -> None:
    person.go("v", 1, 0)
    # Keys of a keyboard cannot type every sign: the editor is open, the rest is put in.
    person.press(Key.Key_F2)
    assert person.editor is not None
    person.editor.selectAll()
    person.editor.insert(text)
    person.press(Key.Key_Return)
    assert person.value("v", 1, 0) == value
    assert not person.complains()


def test_tab_goes_right_and_on_into_the_next_row(person: Person) -> None:
    grid = person.go("q", 0, 0)
    person.write("5", Key.Key_Tab)
    assert grid.place == (0, 1)
    person.write("6", Key.Key_Tab)
    assert grid.place == (1, 0)
    person.press(Key.Key_Tab)
    assert grid.place == (1, 1)
    assert [person.value("q", 0, column) for column in (0, 1)] == [5, 6]


def test_shift_tab_goes_left_and_back_into_the_row_before(person: Person) -> None:
    grid = person.go("q", 1, 1)
    person.write("5", Key.Key_Backtab, SHIFT)
    assert (person.value("q", 1, 1), grid.place) == (5, (1, 0))
    person.press(Key.Key_Backtab, SHIFT)
    assert grid.place == (0, 1)


def test_tab_from_the_last_cell_leaves_the_grid(person: Person) -> None:
    grid = person.go("q", 2, 1)
    person.press(Key.Key_Tab)
    assert not grid.hasFocus()
    assert person.grid("k").hasFocus()


def test_shift_tab_from_the_first_cell_leaves_the_grid(person: Person) -> None:
    grid = person.go("k", 0, 0)
    person.press(Key.Key_Backtab, SHIFT)
    assert not grid.hasFocus()


def test_tab_from_the_editor_of_the_last_cell_takes_the_number_and_leaves(person: Person) -> None:
    grid = person.go("q", 2, 1)
    person.write("9", Key.Key_Tab)
    assert person.value("q", 2, 1) == 9
    assert person.editor is None
    assert not grid.hasFocus()


def test_escape_restores(person: Person) -> None:
    before = person.store.document
    grid = person.go("q")
    person.write("123", Key.Key_Escape)
    assert person.store.document is before
    assert person.printed("q", 0, 0) == "1"
    assert grid.hasFocus()


@pytest.mark.parametrize("key", [Key.Key_Delete, Key.Key_Backspace], ids=str)
def test_delete_sets_zero(person: Person, key: Qt.Key) -> None:
    person.go("k", 2, 0)
    person.press(key)
    assert person.value("k", 2, 0) == 0


def test_delete_on_a_block_is_one_step(person: Person) -> None:
    person.go("q", 0, 0)
    person.press(Key.Key_Right, SHIFT)
    person.press(Key.Key_Down, SHIFT, times=2)
    person.press(Key.Key_Delete)
    assert not person.store.document.matrix("q").any()
    assert len(person.undo_all()) == 1


def test_arrows_move_without_changing(person: Person) -> None:
    before = person.store.document
    grid = person.go("q")
    for key, place in ((Key.Key_Down, (1, 0)), (Key.Key_Right, (1, 1)), (Key.Key_Up, (0, 1)), (Key.Key_Left, (0, 0))):
        person.press(key)
        assert grid.place == place
    assert person.store.document is before


def test_alt_and_arrows_nudge_by_exact_decimals(person: Person) -> None:
    grid = person.go("q")
    person.press(Key.Key_Up, ALT, times=3)
    assert person.value("q", 0, 0) == 1.3
    person.press(Key.Key_Down, ALT | SHIFT, times=2)
    assert person.value("q", 0, 0) == 1.28
    person.press(Key.Key_Down, ALT)
    assert person.value("q", 0, 0) == 1.18
    assert grid.place == (0, 0)
    assert person.printed("q", 0, 0) == "1.18"


def test_nudges_that_come_faster_than_the_screen_all_count(person: Person) -> None:
    grid = person.go("q")
    for _ in range(3):
        QTest.keyClick(grid, Key.Key_Up, ALT)
    settle()
    assert person.value("q", 0, 0) == 1.3


def test_a_nudge_of_what_was_typed_forgets_the_text(person: Person) -> None:
    person.go("q")
    person.write("1/4", Key.Key_Return, CONTROL)
    person.press(Key.Key_Up, ALT)
    assert person.value("q", 0, 0) == 0.35
    person.press(Key.Key_F2)
    assert person.editor is not None
    assert person.editor.text() == "0.35"
    person.press(Key.Key_Escape)


def test_dragging_a_number_is_one_step(person: Person) -> None:
    person.go("q", 2, 0)
    start = person.place("q", 2, 0)
    way = [start + QPoint(x, 0) for x in (3, 6, 9, 12, 15)]
    person.drag(person.grid("q").viewport(), start, *way)
    assert person.value("q", 2, 0) == 1.5
    assert person.editor is None
    assert len(person.undo_all()) == 1
    assert person.value("q", 2, 0) == 1


def test_two_drags_are_two_steps_and_shift_is_fine(person: Person) -> None:
    person.go("q", 2, 0)
    start, viewport = person.place("q", 2, 0), person.grid("q").viewport()
    person.drag(viewport, start, start + QPoint(0, -15), start + QPoint(0, -30))
    assert person.value("q", 2, 0) == 2
    QTest.mousePress(viewport, LEFT, NONE, start)
    move(viewport, start + QPoint(-30, 0), SHIFT)
    QTest.mouseRelease(viewport, LEFT, NONE, start + QPoint(-30, 0))
    settle()
    assert person.value("q", 2, 0) == 1.9
    assert len(person.undo_all()) == 2


def test_a_drag_starts_after_four_pixels(person: Person) -> None:
    before = person.store.document
    start = person.place("q", 2, 0)
    person.drag(person.grid("q").viewport(), start, start + QPoint(3, 0), start + QPoint(0, -3))
    assert person.store.document is before
    person.drag(person.grid("q").viewport(), start, start + QPoint(4, 0))
    assert person.value("q", 2, 0) == 1.1


def test_minus_infinity_is_refused_in_q_and_taken_as_a_score(person: Person) -> None:
    person.go("q", 1, 0)
    person.write("-inf")
    assert person.complains()
    assert "Q row 2, column 1" in person.message
    assert "-inf cannot stand here" in person.message
    assert person.value("q", 1, 0) == 0
    person.open("attention-intuition-F")
    person.go("scores", 0, 1)
    person.write("-inf")
    assert person.value("scores", 0, 1) == -math.inf
    assert person.store.snapshot.attention.weights[0, 1] == 0
    assert not person.complains()


def test_a_bad_entry_is_marked_and_nothing_else_changes(person: Person) -> None:
    before = person.store.document
    painted = person.picture("weights").painted_snapshot
    grid = person.go("k", 1, 1)
    ordinary = grid.model().index(1, 1).data(Qt.ItemDataRole.BackgroundRole)
    person.write("1/0")
    index = grid.model().index(1, 1)
    assert person.complains()
    assert person.message.startswith("K row 2, column 2: ")
    assert person.store.document is before
    assert person.store.undo_label is None
    assert person.printed("k", 1, 1) == "1"
    assert index.data(Qt.ItemDataRole.BackgroundRole) not in (None, ordinary)
    assert index.data(Qt.ItemDataRole.ToolTipRole) in person.message
    assert grid.place == (1, 1), "the place of the mistake is kept"
    assert person.picture("weights").painted_snapshot.attention.weights is painted.attention.weights
    person.press(Key.Key_F2)
    assert person.editor is not None
    assert person.editor.text() == "1/0", "what was typed can be repaired"
    person.press(Key.Key_Escape)


def test_the_next_good_entry_takes_the_mark_off(person: Person) -> None:
    grid = person.go("k", 1, 1)
    person.write("abc")
    marked = grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole)
    assert "abc" in marked
    person.write("5", Key.Key_Return, CONTROL)
    assert person.value("k", 1, 1) == 5
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "5"
    assert not person.complains()


def test_typing_the_old_number_takes_the_mark_off(person: Person) -> None:
    grid = person.go("k", 1, 1)
    person.write("abc")
    person.write("1", Key.Key_Return, CONTROL)
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "1"
    assert not person.complains()


def test_escape_takes_the_mark_off(person: Person) -> None:
    grid = person.go("k", 1, 1)
    person.write("abc")
    assert person.complains()
    person.press(Key.Key_Escape)
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "1"
    assert not person.complains()


def test_opening_another_document_takes_the_mark_off(person: Person) -> None:
    grid = person.go("k", 1, 1)
    person.write("abc")
    person.open("single-head-numeric")
    person.open("cat-sat-mat")
    assert grid.model().index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "1"


@pytest.mark.parametrize("key", [Key.Key_PageUp, Key.Key_PageDown, Key.Key_Space], ids=str)
def test_a_presenter_s_keys_are_no_text(person: Person, key: Qt.Key) -> None:
    before = person.store.document
    person.go("q")
    person.press(key)
    assert person.editor is None
    assert person.store.document is before
    assert not person.complains()


def test_global_undo_takes_the_open_editor_along(person: Person) -> None:
    person.go("q", 0, 0)
    person.write("5", Key.Key_Return)
    person.write("8", None)
    assert person.editor is not None
    person.find("btn_undo").click()
    settle()
    assert person.value("q", 1, 0) == 0
    assert person.value("q", 0, 0) == 5
    assert QApplication.activePopupWidget() is None
