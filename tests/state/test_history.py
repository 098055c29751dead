"""Undo and redo go back and forth over steps, where one gesture is one step."""

import numpy as np
import pytest

from explorer.core.problem import QKV, Problem
from explorer.state.document import Document
from explorer.state.history import History


def document(number: float = 0.0) -> Document:
    return Document(Problem(QKV(np.full((1, 1), number), np.ones((1, 1)))))


@pytest.fixture
def pages() -> list[Document]:
    return [document(number) for number in range(5)]


def test_nothing_is_earlier_or_later_at_first() -> None:
    history = History()
    assert (history.undo_label, history.redo_label) == (None, None)


def test_undo_and_redo_give_the_very_same_documents(pages: list[Document]) -> None:
    history = History()
    for number, page in enumerate(pages[:-1]):
        history.record(f"step {number}", None, page)
    now = pages[-1]
    for number in (3, 2, 1, 0):
        assert history.undo_label == f"step {number}"
        now = history.undo(now)
        assert now is pages[number]
    assert history.undo_label is None
    for number in (1, 2, 3, 4):
        assert history.redo_label == f"step {number - 1}"
        now = history.redo(now)
        assert now is pages[number]
    assert history.redo_label is None


def test_edits_of_one_gesture_are_one_step_under_the_last_label(pages: list[Document]) -> None:
    history = History()
    for number in range(3):
        history.record(f"Beta {number}", "beta-1", pages[number])
    assert history.undo_label == "Beta 2"
    assert history.undo(pages[3]) is pages[0]
    assert (history.undo_label, history.redo_label) == (None, "Beta 2")
    assert history.redo(pages[0]) is pages[3]


def test_two_gestures_are_two_steps(pages: list[Document]) -> None:
    history = History()
    history.record("first", "beta-1", pages[0])
    history.record("second", "beta-2", pages[1])
    assert history.undo(pages[2]) is pages[1]
    assert history.undo(pages[1]) is pages[0]


def test_edits_without_a_gesture_never_melt(pages: list[Document]) -> None:
    history = History()
    history.record("first", None, pages[0])
    history.record("second", None, pages[1])
    assert history.undo(pages[2]) is pages[1]


def test_something_in_between_ends_a_gesture(pages: list[Document]) -> None:
    history = History()
    history.record("drag", "beta-1", pages[0])
    history.record("type", None, pages[1])
    history.record("drag on", "beta-1", pages[2])
    assert history.undo(pages[3]) is pages[2]
    assert history.undo(pages[2]) is pages[1]


def test_an_undone_drag_does_not_go_on(pages: list[Document]) -> None:
    history = History()
    history.record("type", "beta-1", pages[0])
    history.record("drag", "beta-2", pages[1])
    now = history.undo(pages[2])
    history.record("drag on", "beta-1", now)
    assert history.redo_label is None
    assert history.undo(pages[3]) is pages[1]
    assert history.undo_label == "type"


def test_a_redone_step_does_not_melt_with_a_later_drag_of_the_same_word(pages: list[Document]) -> None:
    history = History()
    history.record("drag", "beta-1", pages[0])
    now = history.redo(history.undo(pages[1]))
    history.record("drag again", "beta-1", now)
    assert history.undo(pages[2]) is pages[1]
    assert history.undo(pages[1]) is pages[0]


def test_a_new_step_forgets_what_was_undone(pages: list[Document]) -> None:
    history = History()
    history.record("first", None, pages[0])
    history.undo(pages[1])
    history.record("other", None, pages[0])
    assert (history.undo_label, history.redo_label) == ("other", None)


def test_a_thousand_steps_are_kept() -> None:
    history, first = History(), document()
    for number in range(1001):
        history.record(str(number), None, first)
    steps = 0
    while history.undo_label is not None:
        oldest = history.undo_label
        history.undo(first)
        steps += 1
    assert (steps, oldest) == (1000, "1")


def test_clear_forgets_both_ways(pages: list[Document]) -> None:
    history = History()
    history.record("first", None, pages[0])
    history.record("second", None, pages[1])
    history.undo(pages[2])
    history.clear()
    assert (history.undo_label, history.redo_label) == (None, None)
