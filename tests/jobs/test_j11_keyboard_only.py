"""A student without a mouse types fractions and expressions, is refused once, and reaches every control."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import QAbstractButton, QDialog, QLineEdit, QWidget

from explorer.gui.grid import Grid
from tests.jobs.abroad import GERMAN, UNKNOWN_LOCALE, own_locale
from tests.jobs.conftest import assert_passed, in_dialog, pixels, start_in_child
from tests.person import OpenWindow, Person

__all__ = ["own_locale"]

TYPED = ("1/3", "sqrt(2)", "-.5", "1e-3", "2,5")
MEANT = (1 / 3, math.sqrt(2), -0.5, 0.001, 2.5)
READ = ("0.333", "1.414", "−0.5", "0.001", "2.5")
MOST_KEYS = 30
STRIPS = {
    "dials": ("btn_paint", "align", "window_left", "window_right", "padding_keys", "btn_beta_zero", "btn_beta_one",
              "btn_limit", "beta", "beta_box", "scale", "scale_box", "shift", "shift_box", "decimals", "mask_window"),
    "top_bar": ("example", "btn_reset", "btn_undo", "btn_redo"),
}  # fmt: skip
pytestmark = UNKNOWN_LOCALE


def ask_for_keys(person: Person, dialog: QDialog) -> None:
    """Five keys in the dialog for a new problem, with Tab and the keyboard alone."""
    for _ in range(MOST_KEYS):
        assert dialog.isAncestorOf(person.focused)
        if person.focused.objectName() == "new_n_k":
            break
        person.press_fast("Tab")
    else:
        pytest.fail("the dialog does not lead to the number of keys")
    person.press_fast("Ctrl+A", str(len(TYPED)), "Return")


@pytest.fixture
def person(open_window: OpenWindow) -> Person:
    """At a new problem with five keys, made with Ctrl+N."""
    person = open_window()
    assert person.focused is person.find("grid_q")
    in_dialog(lambda dialog: ask_for_keys(person, dialog))
    person.press("Ctrl+N")
    assert person.problem.shape[:2] == (3, 5)
    return person


def reach_k(person: Person) -> Grid:
    person.press("F6")
    while person.focused is not person.find("grid_q"):
        person.press("F6")
    keys = 0
    while person.focused is not person.find("grid_k"):
        person.press("Tab")
        keys += 1
        assert keys <= MOST_KEYS, "Tab does not lead from Q to K"
    return person.grid("k")


def test_numbers_are_typed_and_read_back(person: Person) -> None:
    grid = reach_k(person)
    person.press("Ctrl+Home")
    for text in TYPED:
        person.type(text)
    assert person.problem.source.k[:, 0].tolist() == list(MEANT)
    assert [person.printed("k", row, 0) for row in range(grid.model().rowCount())] == list(READ)
    assert not person.sees_error

    person.press("Up", "Up", "Up", "Up", "F2")
    assert isinstance(person.focused, QLineEdit)
    assert person.focused.text() == "1/3"
    assert person.focused.accessibleName() == "row 1, column 1"
    person.press("Escape")


def test_a_division_by_zero_is_refused_in_its_cell(person: Person) -> None:
    grid = reach_k(person)
    person.press("Ctrl+Home")
    person.type("1/3")
    person.press("Up")
    weights = person.store.snapshot.attention.weights
    person.type("1/0")
    assert person.sees_error
    assert "K row 1, column 1: division by zero" in person.message
    assert person.problem.source.k[0, 0] == 1 / 3
    assert person.store.snapshot.attention.weights is weights
    assert person.printed("k", 0, 0) == "0.333"
    cell = grid.model().index(0, 0)
    assert "division by zero" in cell.data(Qt.ItemDataRole.ToolTipRole)
    assert QBrush(cell.data(Qt.ItemDataRole.BackgroundRole)).color() != person.window.palette().base().color()
    assert grid.place == (0, 0)

    person.press("F2")
    assert person.focused.text() == "1/0"
    person.press("Escape", "Escape", "F2")
    assert person.focused.text() == "1/3"
    person.press("Escape")


def show_all_dials(person: Person) -> None:
    """A window mask with a hidden key over 3 x 5, a custom scale, and something to undo and to redo."""
    person.go_to("mask")
    person.press("Right", "Right")
    while person.problem.mask.kind != "window":
        person.press("Right")
    person.press("Ctrl+H")
    person.go_to("scale")
    while not person.find("scale_box").isVisible():
        person.press("Down")
    person.type("2")
    person.go_to("beta_box")
    person.press("Ctrl+A")
    person.type("1/2")
    person.press("Tab", "Ctrl+Z")
    for name in ("align", "window_left", "window_right", "padding_keys", "scale_box"):
        assert person.find(name).isVisible(), name
    assert person.find("btn_undo").isEnabled()
    assert person.find("btn_redo").isEnabled()


def controls(place: QWidget) -> dict[QWidget, str]:
    """What Tab should reach in a place, with a name for messages; of a row of choices the one that is down."""
    found = {}
    for widget in place.findChildren(QWidget):
        takes_tab = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None
        is_inner = widget.focusProxy() is not None or widget.parentWidget().focusProxy() is not None
        if takes_tab and not is_inner and widget.isVisible() and widget.isEnabled():
            found[widget] = widget.objectName() or type(widget).__name__
    return found


def looks(person: Person, widget: QWidget) -> np.ndarray:
    """The pixels of a widget and of a narrow band around it, in the window."""
    place = QRect(widget.mapTo(person.window, QPoint(0, 0)), widget.size()).adjusted(-3, -3, 3, 3)
    return pixels(person.window.grab(place & person.window.rect()).toImage())


def walk(person: Person) -> dict[QWidget, int]:
    """Tab from where the keyboard is until it leaves the place: each stop, and in how many pixels focus shows there."""
    place = person.place_of(person.focused)
    shown: dict[QWidget, int] = {}
    for _ in range(MOST_KEYS):
        stop = person.focused
        with_focus = looks(person, stop)
        person.press("Tab")
        if person.focused is not stop:
            without = looks(person, stop)
            assert with_focus.shape == without.shape
            shown[stop] = int((with_focus != without).any(axis=2).sum())
        if person.place_of(person.focused) is not place:
            return shown
    pytest.fail(f"Tab does not leave {place.objectName()}: {[stop.objectName() for stop in shown]}")


def test_every_control_is_reached_named_and_seen(person: Person) -> None:
    show_all_dials(person)
    places = [*person.window.ground.docks.values(), person.window.dials, person.window.top_bar]
    person.press("F6")
    while person.place_of(person.focused) is not places[0]:
        person.press("F6")
    for place in places:
        assert person.place_of(person.focused) is place, f"F6 does not lead to {place.objectName()}"
        first, expected = person.focused, controls(place)
        person.press("Shift+F6", "F6")
        assert person.focused is first
        while person.place_of(person.focused) is place:
            person.press("Shift+Tab")
        person.press("Tab")
        shown = walk(person)
        missed = [name for widget, name in expected.items() if widget not in shown]
        missed += {*STRIPS.get(place.objectName(), ())} - {stop.objectName() for stop in shown}
        assert not missed, f"Tab does not reach {missed} in {place.objectName()}"
        for stop, changed in shown.items():
            assert stop.accessibleName().strip(), f"{expected.get(stop, stop)} has no accessible name"
            assert changed >= 8, f"focus on {expected.get(stop, stop)} shows in {changed} pixels"
        person.press("Shift+Tab", "F6")
    assert person.place_of(person.focused) is places[0]


def test_choices_are_walked_with_the_arrow_keys(person: Person) -> None:
    for name, least in (("mask", 5), ("stage", 4), ("source", 2)):
        row = person.find(name)
        person.go_to(name)
        buttons = [button for button in row.findChildren(QAbstractButton) if button.isVisible()]
        for _ in buttons:
            person.press("Left")
        reached = []
        for button in buttons:
            assert button.hasFocus(), f"{button.objectName()} is not reached"
            assert button.accessibleName().strip()
            reached.append(button.isChecked())
            person.press("Right")
        assert sum(reached) >= least, f"the arrow keys choose {sum(reached)} of {len(buttons)} in {name}"


def test_the_same_in_german() -> None:
    tests = (test_numbers_are_typed_and_read_back, test_a_division_by_zero_is_refused_in_its_cell)
    child = start_in_child(*(f"{__file__}::{test.__name__}" for test in tests), LANG=GERMAN, LC_ALL=GERMAN)
    assert_passed(child)
