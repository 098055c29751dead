"""Copies from grids and pictures: true values, whatever the screen shows of them."""

import math

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from explorer.core.problem import QKV, Problem, Scores, Weights
from explorer.gui.grid import clipboard
from explorer.state.document import Document
from tests.person import Person

THIRDS = Document(
    Problem(QKV([[1 / 3, -1e-20], [1e300, 2.5]], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])),
    query_labels=("a", None), key_labels=("x", "y", "z"),
)  # fmt: skip
Q = "0.3333333333333333\t-1e-20\n1e+300\t2.5"


@pytest.fixture
def thirds(person: Person) -> Person:
    """Somebody at a Q whose numbers the screen shortens."""
    person.open(THIRDS)
    person.click_cell("q")
    return person


def test_a_cell_is_copied_in_full(thirds: Person) -> None:
    assert thirds.printed("q", 0, 0) == "0.333"
    assert thirds.copy() == "0.3333333333333333"
    assert thirds.message == "Q: 1 x 1 copied, Tab-separated"


def test_what_is_selected_is_copied_with_tabs(thirds: Person) -> None:
    assert thirds.copy("Shift+Right") == "0.3333333333333333\t-1e-20"
    assert thirds.copy("Shift+Down") == Q
    assert thirds.message == "Q: 2 x 2 copied, Tab-separated"


def test_all_of_a_grid_is_selected_and_copied(thirds: Person) -> None:
    thirds.press("Down", "Ctrl+A")
    assert len(thirds.grid("q").selectedIndexes()) == 4
    assert thirds.copy() == Q
    assert thirds.grid("q").place == (1, 0)


def test_the_menu_does_the_same(thirds: Person) -> None:
    thirds.choose("Edit", "Select all")
    QGuiApplication.clipboard().setText("something else")
    thirds.choose("Edit", "Copy")
    assert thirds.clipboard == Q


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Tab-separated", Q),
        ("Markdown table", "|  |  |  |\n| --- | ---: | ---: |\n| a | 0.333 | -1.00e-20 |\n| 2 | 1.00e+300 | 2.500 |"),
        ("LaTeX bmatrix", r"0.333 & -1.00 \times 10^{-20}"),
        ("NumPy array", "np.array([[0.3333333333333333, -1e-20],\n          [1e+300, 2.5]])"),
        ("Comma-separated rows", "0.3333333333333333, -1e-20\n1e+300, 2.5"),
    ],
)
def test_a_block_is_copied_as(thirds: Person, title: str, text: str) -> None:
    thirds.press("Ctrl+A")
    copied = thirds.copy_as(title)
    assert copied == text or (title.startswith("LaTeX") and text in copied)
    assert title in thirds.message


def test_the_context_menu_has_the_same_copies(person: Person) -> None:
    grid = person.click_cell("k")
    menu = next(action.menu() for action in grid.actions() if action.menu() is not None)
    assert [action.text() for action in menu.actions()] == [title for _, title in clipboard.KINDS]


def test_a_hidden_score_is_copied_and_pasted_back(person: Person) -> None:
    person.open(Document(Problem(Scores([[1.0, -math.inf], [2.0, 0.5]]), scale=1.0)))
    person.click_cell("scores")
    person.press("Ctrl+A")
    for title in ("Tab-separated", "NumPy array"):
        copied = person.copy_as(title)
        person.press("Delete")
        assert not person.store.document.matrix("scores").any()
        person.paste(copied)
        assert person.store.document.matrix("scores").tolist() == [[1, -math.inf], [2, 0.5]]
        person.press("Ctrl+A")


def test_what_waits_is_copied_as_it_is_seen(person: Person) -> None:
    person.click_cell("k")
    person.paste("4\t5\t6")
    assert person.copy("Ctrl+A") == "4\t5\t6\n0\t1\t0\n1\t1\t0"
    assert person.answers == ["Repair"]
    person.press("Escape")


@pytest.mark.parametrize("name", ["weights", "output"])
def test_a_picture_is_copied_whole(person: Person, name: str) -> None:
    person.focus(name)
    person.press("Down", "Right")
    copied = [[float(cell) for cell in line.split("\t")] for line in person.copy().splitlines()]
    assert copied == getattr(person.store.snapshot.attention, name).tolist()
    rows, columns = len(copied), len(copied[0])
    assert person.message == f"{name}: {rows} x {columns} copied, Tab-separated"


@pytest.mark.parametrize("stage", ["scores", "scaled", "masked", "logits"])
def test_the_stage_that_is_shown_is_copied(person: Person, stage: str) -> None:
    person.click("mask_causal")
    person.click(f"stage_{stage}")
    person.focus("scores")
    copied = [[float(cell) for cell in line.split("\t")] for line in person.copy().splitlines()]
    assert copied == getattr(person.store.snapshot.attention, stage).tolist()


def test_a_picture_is_copied_with_its_tokens(person: Person) -> None:
    person.focus("weights")
    lines = person.copy_as("Markdown table").splitlines()
    assert lines[0].replace(" ", "") == "||cat|sat|mat|"
    assert lines[2].replace(" ", "") == "|cat|0.401|0.198|0.401|"
    person.focus("output")
    assert person.copy_as("Markdown table").splitlines()[2].replace(" ", "") == "|cat|1.604|0.797|"


def test_a_stage_that_is_not_given_is_not_copied(person: Person) -> None:
    person.open(Document(Problem(Weights([[0.5, 0.5]]), scale=1.0)))
    for name, told in (("scores", "scores (scaled): not given here"), ("output", "output: not given here")):
        person.focus(name)
        assert person.copy() == "something else"
        assert told in person.message
        assert person.sees_error


@pytest.mark.parametrize("name", ["bars", "beta"])
def test_where_there_is_no_matrix_the_clipboard_stays(person: Person, name: str) -> None:
    person.focus(name)
    assert person.copy() == "something else"
    assert person.sees_error
    person.click_cell("q")
    person.copy()
    assert not person.sees_error


def test_a_line_copies_its_own_text(person: Person) -> None:
    box = person.focus("beta_box")
    assert isinstance(box, QLineEdit)
    assert person.copy("Ctrl+A") == "1"
    person.click_cell("q")
    person.type("1/7", None)
    assert person.copy("Ctrl+A") == "1/7"
    QGuiApplication.clipboard().setText("something else")
    person.choose("Edit", "Copy")
    assert person.clipboard == "1/7"
    assert person.editor is not None
    person.press("Escape")


def test_copying_as_finishes_what_is_being_typed(person: Person) -> None:
    person.click_cell("q")
    person.type("1/7", None)
    assert person.copy_as("NumPy array") == f"np.array([[{1 / 7!r}]])"
    assert person.value("q", 0, 0) == 1 / 7


def test_too_many_numbers_are_refused(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "MOST_COPIED", 8)
    person.focus("weights")
    assert person.copy() == "something else"
    assert "weights: 3 x 3 numbers are too many to copy" in person.message


def test_any_numbers_come_back_the_same(person: Person) -> None:
    random = np.random.default_rng(3)
    values = random.normal(size=(3, 2)) * 10.0 ** random.integers(-300, 300, size=(3, 2))
    person.open(Document(Problem(QKV(values, np.eye(2)))))
    person.click_cell("q")
    for title in ("Tab-separated", "NumPy array", "Comma-separated rows"):
        person.press("Ctrl+A")
        copied = person.copy_as(title)
        person.press("Delete")
        assert not person.store.document.matrix("q").any()
        person.paste(copied)
        assert person.store.document.matrix("q").tolist() == values.tolist(), title
