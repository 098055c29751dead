"""A student pastes a 4 x 3 block from a spreadsheet into a K of two columns."""

import numpy as np
import pytest

from tests.jobs.abroad import UNKNOWN_LOCALE, own_locale
from tests.jobs.new_problem import make_new
from tests.person import OpenWindow, Person

__all__ = ["own_locale"]
pytestmark = UNKNOWN_LOCALE

COMMAS = "1,5\t0\t-2\n0,5\t1\t0\n2\t0\t1\n0\t0\t1"
NOTATIONS = {
    "decimal commas": COMMAS,
    "decimal dots": COMMAS.replace(",", "."),
    "a spreadsheet's line ends": COMMAS.replace("\n", "\r\n") + "\r\n",
    "a list": "[[1.5, 0, -2], [0.5, 1, 0], [2, 0, 1], [0, 0, 1]]",
    "bmatrix": "\\begin{bmatrix}\n1.5 & 0 & -2 \\\\\n0.5 & 1 & 0 \\\\\n2 & 0 & 1 \\\\\n0 & 0 & 1\n\\end{bmatrix}",
}
MEANT = [[1.5, 0, -2], [0.5, 1, 0], [2, 0, 1], [0, 0, 1]]


@pytest.fixture
def person(open_window: OpenWindow) -> Person:
    """At a new problem with a Q and a K of 2 x 2."""
    person = open_window()
    make_new(person, n_q=2, n_k=2)
    assert person.problem.source.q.shape == person.problem.source.k.shape == (2, 2)
    return person


def paste_into_k(person: Person, text: str) -> None:
    person.click_cell("k", 0, 0)
    person.paste(text)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_block_is_taken_with_its_repair_and_taken_back(person: Person, notation: str) -> None:
    start, attention = person.store.document, person.store.snapshot.attention
    old_q, old_v = start.matrix("q"), start.matrix("v")
    paste_into_k(person, NOTATIONS[notation])

    assert person.message == "Q is 2 x 2, K is 4 x 3: make Q 2 x 3 or K 4 x 2"
    assert person.store.document is start
    for picture in ("scores", "weights", "output", "bars"):
        assert person.picture(picture).painted_snapshot.attention is attention
    assert [person.printed("k", row, 0) for row in range(4)] == ["1.5", "0.5", "2", "0"]
    assert person.grid("k").marks.waiting.all()

    person.click("btn_repair")
    source = person.problem.source
    assert source.k.tolist() == MEANT
    assert source.q.tolist() == np.c_[old_q, [0, 0]].tolist()
    assert source.v.tolist() == np.r_[old_v, np.zeros((2, old_v.shape[1]))].tolist()
    assert person.grid("v").marks.changed.tolist() == [[False] * 2] * 2 + [[True] * 2] * 2
    assert "K: 4 x 3 pasted" in person.message
    assert "V rows 3 to 4 added" in person.message
    assert not person.sees_error

    person.press("Ctrl+Z")
    assert person.store.document is start
    assert person.store.undo_label is None
    assert person.grid("k").model().rowCount() == 2
    person.press("Ctrl+Shift+Z")
    assert person.problem.source.k.tolist() == MEANT


def test_the_keyboard_alone_is_enough(person: Person) -> None:
    start = person.store.document
    person.go_to("grid_k")
    person.paste(COMMAS)
    person.press("Return")
    assert person.problem.source.k.tolist() == MEANT
    assert person.grid("k").hasFocus()
    person.press("Ctrl+Z")
    assert person.store.document is start


def test_a_paste_that_was_not_meant_is_dropped(person: Person) -> None:
    start = person.store.document
    paste_into_k(person, COMMAS)
    person.press("Escape")
    assert person.store.document is start
    assert person.store.undo_label is None
    assert person.message == "Paste into K dropped"
    person.type("7")
    assert person.value("k", 0, 0) == 7
