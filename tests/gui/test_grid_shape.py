"""Tokens, rows, columns and the cursor of the grids."""

import pytest
from PySide6.QtCore import QPoint, Qt

from explorer.core.problem import QKV, Problem
from explorer.state.document import Document
from tests.person import Person


def test_tokens_are_renamed_at_the_header(person: Person) -> None:
    header = person.grid("q").verticalHeader()
    spot = QPoint(header.width() // 2, header.sectionViewportPosition(1) + header.sectionSize(1) // 2)
    person.click_cell("q", 1, 0)
    person.double_click_at(header.viewport(), spot)
    assert person.editor is not None
    assert person.editor.text() == "sat"
    person.type("sang")
    assert person.store.document.query_labels == ("cat", "sang", "mat")
    assert person.editor is None, "Enter names the token and opens nothing"
    assert (person.grid("q").hasFocus(), person.grid("q").place) == (True, (1, 0))
    assert person.undo_all() == ["Name query 2"]
    assert person.store.document.query_labels == ("cat", "sat", "mat")


def test_escape_leaves_the_token_and_comes_back_to_the_grid(person: Person) -> None:
    before = person.store.document
    grid = person.click_cell("q", 1, 0)
    person.press("Ctrl+T")
    assert person.editor is not None
    person.type("sang", "Escape")
    assert person.store.document is before
    assert person.editor is None
    assert (grid.hasFocus(), grid.place) == (True, (1, 0))


def test_a_position_as_name_is_no_name(person: Person) -> None:
    person.click_cell("k", 2, 0)
    person.press("Ctrl+T")
    person.type("3")
    assert person.store.document.key_labels == ("cat", "sat", None)
    assert person.grid("v").model().headerData(2, Qt.Orientation.Vertical) == "3"


def test_the_context_menu_offers_what_a_grid_can(person: Person) -> None:
    grid = person.click_cell("k", 1, 1)
    offered = {action.text().replace("&", ""): action for action in grid.actions()}
    assert grid.contextMenuPolicy() == Qt.ContextMenuPolicy.ActionsContextMenu
    assert set(offered) == {
        "Copy", "Copy as", "Paste", "Select all",
        "Add row below", "Remove row", "Add column to the right", "Remove column", "Rename token",
    }  # fmt: skip
    offered["Remove row"].trigger()
    person.settle()
    assert person.store.document.key_labels == ("cat", "mat")


@pytest.mark.parametrize(
    ("keys", "shapes", "said"),
    [
        ("Ctrl+R", {"q": (3, 2), "k": (4, 2), "v": (4, 2)}, "K row 3 added: V row 3 added, zeros"),
        ("Ctrl+Shift+R", {"q": (3, 2), "k": (2, 2), "v": (2, 2)}, "K row 2 removed: V row 2 removed"),
        ("Ctrl+K", {"q": (3, 3), "k": (3, 3), "v": (3, 2)}, "K column 2 added: Q column 2 added, zeros"),
        ("Ctrl+Shift+K", {"q": (3, 1), "k": (3, 1), "v": (3, 2)}, "K column 1 removed: Q column 1 removed"),
    ],
    ids=["row added", "row removed", "column added", "column removed"],
)
def test_rows_and_columns_by_shortcut(person: Person, keys: str, shapes: dict[str, tuple[int, int]], said: str) -> None:
    grid = person.click_cell("k", 1, 0)
    person.press(keys)
    for name, shape in shapes.items():
        matrix = person.store.document.matrix(name)
        assert matrix is not None
        assert matrix.shape == shape
        model = person.grid(name).model()
        assert (model.rowCount(), model.columnCount()) == shape
    assert said in person.message
    assert not person.sees_error
    assert grid.hasFocus()
    assert len(person.undo_all()) == 1


def test_the_last_row_cannot_be_removed(person: Person) -> None:
    person.open("self-attention-C5")
    person.click_cell("k")
    person.press("Ctrl+Shift+R")
    assert person.sees_error
    assert "K has one row" in person.message
    assert person.store.undo_label is None


def test_the_row_that_has_the_focus_is_the_chosen_query(person: Person) -> None:
    person.click_cell("q", 2, 0)
    assert person.store.view.query == 2
    person.press("Up")
    assert person.store.view.query == 1
    person.click_cell("k", 2, 1)
    assert (person.store.view.query, person.store.view.key) == (1, 2)
    person.click_cell("v", 1, 0)
    assert person.store.view.key == 1
    assert person.store.undo_label is None


def test_clicking_the_current_cell_chooses_its_row_again(person: Person) -> None:
    person.click_cell("q", 0, 0)
    person.click_picture("weights", 2, 2)
    assert person.store.view.query == 2
    person.click_cell("q", 0, 0)
    assert person.store.view.query == 0


def test_typed_scores_choose_query_and_key(person: Person) -> None:
    person.open("attention-intuition-F")
    person.click_cell("scores", 0, 3)
    assert (person.store.view.query, person.store.view.key) == (0, 3)


def test_the_layout_follows_a_larger_matrix(person: Person) -> None:
    wide = Document(Problem(QKV([[0.0] * 64] * 9, [[1.0] * 64] * 9)))
    person.open(wide)
    grid = person.click_cell("q", 8, 63)
    person.type("2")
    assert person.value("q", 8, 63) == 2
    assert grid.viewport().rect().contains(grid.visualRect(grid.model().index(8, 63)).center())
