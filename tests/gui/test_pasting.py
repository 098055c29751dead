"""Pasting into the grids: numbers at once, a new width as a proposal, what is ambiguous after an answer."""

import json

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QPushButton

from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Scores, Weights
from explorer.formats import session
from explorer.state.document import Document
from tests.person import Person

WIDER = "1,5\t0\t-2\n0,5\t1\t0\n2\t0\t1\n0\t0\t1"
MEANT = [[1.5, 0, -2], [0.5, 1, 0], [2, 0, 1], [0, 0, 1]]
TOLD = "Q is 3 x 2, K is 4 x 3: make Q 3 x 3 or K 4 x 2"
MASK = "True False True\nTrue True False\nFalse True True"
EITHER = "1,234\n5,678"


def numbers(person: Person, name: str) -> list[list[float]]:
    matrix = person.store.document.matrix(name)
    assert matrix is not None
    return matrix.tolist()


def shown(person: Person, name: str) -> list[list[str]]:
    model = person.grid(name).model()
    return [[person.printed(name, i, j) for j in range(model.columnCount())] for i in range(model.rowCount())]


def selected(person: Person, name: str) -> list[tuple[int, int]]:
    return [(index.row(), index.column()) for index in person.grid(name).selectedIndexes()]


def propose(person: Person, row: int = 0, column: int = 0) -> Document:
    """A paste into K that makes it wider; the document, which it leaves alone."""
    before = person.store.document
    person.click_cell("k", row, column)
    person.paste(WIDER)
    assert person.store.document is before
    return before


def test_a_block_goes_in_from_the_current_cell_on(person: Person) -> None:
    grid = person.click_cell("q", 1, 0)
    person.paste("5\t6\n7\t8")
    assert numbers(person, "q") == [[1, 0], [5, 6], [7, 8]]
    assert person.message.startswith("Q: 2 x 2 pasted")
    assert grid.marks.changed.tolist() == [[False, False], [True, True], [True, True]]
    assert grid.place == (1, 0)
    assert person.undo_all() == ["Paste 2 x 2 into Q"]


def test_a_block_goes_in_from_the_first_cell_that_is_selected(person: Person) -> None:
    person.click_cell("q", 2, 1)
    person.press("Shift+Up", "Shift+Left")
    person.paste("5 6\n7 8")
    assert numbers(person, "q") == [[1, 0], [5, 6], [7, 8]]


def test_a_single_number_keeps_what_was_written(person: Person) -> None:
    person.click_cell("q", 0, 1)
    person.paste("1/3")
    assert person.value("q", 0, 1) == 1 / 3
    assert person.store.document.typed_text("q", 0, 1) == "1/3"


def test_rows_of_keys_bring_rows_of_values_that_are_marked(person: Person) -> None:
    person.click_cell("k", 2, 0)
    person.paste("7 8\n9 10\n11 12")
    assert numbers(person, "k")[2:] == [[7, 8], [9, 10], [11, 12]]
    assert numbers(person, "v")[3:] == [[0, 0], [0, 0]]
    assert "K: 3 x 2 pasted, K rows 4 to 5 added: V rows 4 to 5 added, zeros" in person.message
    assert person.grid("v").marks.changed.tolist() == [[False, False]] * 3 + [[True, True]] * 2
    assert person.undo_all() == ["Paste 3 x 2 into K"]
    assert person.grid("v").model().rowCount() == 3


def test_labels_beside_the_numbers_become_tokens(person: Person) -> None:
    person.click_cell("k")
    person.paste("\ta\tb\nthe\t1\t2\ndog\t3\t4\nran\t5\t6")
    assert person.store.document.key_labels == ("the", "dog", "ran")
    assert numbers(person, "k") == [[1, 2], [3, 4], [5, 6]]
    assert "labels" in person.message


def test_decimal_commas_are_told(person: Person) -> None:
    person.click_cell("q")
    person.paste("1,5\t2,25")
    assert numbers(person, "q")[0] == [1.5, 2.25]
    assert "comma" in person.message


def test_the_menu_pastes_too(person: Person) -> None:
    person.click_cell("q")
    QGuiApplication.clipboard().setText("4 5")
    person.choose("Edit", "Paste")
    assert numbers(person, "q")[0] == [4, 5]


def test_what_is_pasted_right_after_typing_meets_the_newest_numbers(person: Person) -> None:
    person.click_cell("q", 1, 0)
    QGuiApplication.clipboard().setText("4 5")
    person.press_fast("Ctrl+R", "Ctrl+R", "Ctrl+V")
    person.settle()
    assert numbers(person, "q")[3] == [4, 5]


# A paste that would change d_k


def test_a_wider_block_waits_in_its_grid(person: Person) -> None:
    attention = person.store.snapshot.attention
    propose(person)
    grid = person.grid("k")
    assert shown(person, "k") == [["1.5", "0", "−2"], ["0.5", "1", "0"], ["2", "0", "1"], ["0", "0", "1"]]
    assert grid.marks.waiting.all()
    assert "not taken yet" in grid.accessibleName()
    assert person.message == TOLD
    assert person.sees_error
    repair = person.find("btn_repair")
    assert isinstance(repair, QPushButton)
    assert (repair.text(), repair.toolTip()) == ("Repair", "Repair: makes Q 3 x 3, V 4 x 2, with zeros")
    assert repair.accessibleName() == "Repair: makes Q 3 x 3, V 4 x 2, with zeros"
    assert person.picture("weights").painted_snapshot.attention is attention
    assert person.store.undo_label is None
    assert (grid.hasFocus(), grid.place) == (True, (0, 0))


def test_the_cells_that_wait_look_otherwise(person: Person) -> None:
    person.click_cell("k", 0, 0)
    before = cell_colour(person, "k", 2, 1)
    person.paste("1\t0\t0")  # as it is, but for a third column
    assert cell_colour(person, "k", 0, 2) != before
    assert cell_colour(person, "k", 2, 1) == before
    assert person.grid("k").marks.waiting.tolist() == [[True] * 3, [False, False, True], [False, False, True]]


def cell_colour(person: Person, name: str, row: int, column: int) -> str:
    """The ground of a cell, beside its number."""
    grid = person.grid(name)
    place = grid.visualRect(grid.model().index(row, column))
    image: QImage = grid.viewport().grab(place).toImage()
    return image.pixelColor(int(6 * image.devicePixelRatio()), image.height() // 2).name()


def click_repair(person: Person) -> None:
    person.click("btn_repair")


def press_enter(person: Person) -> None:
    person.press("Return")


def go_with_tab(person: Person) -> None:
    person.press("Tab")
    assert person.focused.objectName() == "btn_repair"
    person.press("Space")


@pytest.mark.parametrize("take", [click_repair, press_enter, go_with_tab])
def test_the_repair_is_one_edit(person: Person, take) -> None:
    before = propose(person)
    take(person)
    assert numbers(person, "k") == MEANT
    assert numbers(person, "q") == [[1, 0, 0], [0, 1, 0], [1, 1, 0]]
    assert numbers(person, "v") == [[2, 0], [0, 2], [2, 1], [0, 0]]
    assert "K: 4 x 3 pasted" in person.message
    assert "comma" in person.message
    assert not person.sees_error
    assert person.answers == []
    assert person.grid("k").marks.waiting is None
    assert person.grid("k").hasFocus()
    person.press("Ctrl+Z")
    assert person.store.document is before
    assert shown(person, "k") == [["1", "0"], ["0", "1"], ["1", "1"]]


def press_escape(person: Person) -> None:
    person.press("Escape")


def escape_from_the_button(person: Person) -> None:
    person.press("Tab", "Escape")


def click_the_cross(person: Person) -> None:
    person.click("btn_drop")


@pytest.mark.parametrize("drop", [press_escape, escape_from_the_button, click_the_cross])
def test_what_waits_can_be_dropped(person: Person, drop) -> None:
    person.click_cell("k", 1, 0)
    person.press("Shift+Right")
    before, chosen = person.store.document, selected(person, "k")
    person.paste("1 2 3")
    drop(person)
    assert person.store.document is before
    assert shown(person, "k") == [["1", "0"], ["0", "1"], ["1", "1"]]
    assert person.message == "Paste into K dropped"
    assert not person.sees_error
    assert person.answers == []
    assert selected(person, "k") == chosen
    assert person.grid("k").hasFocus()


def change_beta(person: Person) -> None:
    person.click("btn_limit")


def undo(person: Person) -> None:
    person.press("Ctrl+Z")


def type_elsewhere(person: Person) -> None:
    person.click_cell("v")
    person.type("9")


def change_source(person: Person) -> None:
    person.click("source_weights")


@pytest.mark.parametrize("change", [change_beta, undo, type_elsewhere, change_source])
def test_another_edit_drops_it_and_says_so(person: Person, change) -> None:
    person.click_cell("q")
    person.type("5")
    propose(person)
    change(person)
    assert person.answers == []
    assert person.grid("k").model().proposal is None
    assert person.message.endswith("Paste into K dropped")
    assert person.message != "Paste into K dropped"  # what the edit itself has to say stands before it


def test_another_document_drops_it(person: Person) -> None:
    propose(person)
    person.open("cat-sat-mat")  # though it is the same one
    assert person.answers == []
    assert shown(person, "k") == [["1", "0"], ["0", "1"], ["1", "1"]]


def test_looking_elsewhere_keeps_it(person: Person) -> None:
    propose(person)
    person.click_picture("weights", 2, 1)
    person.pick("scale", "sqrt_dk")
    assert person.answers == ["Repair"]
    assert person.message == TOLD
    assert person.grid("k").marks.waiting.all()


@pytest.mark.parametrize(
    "keys", [("3",), ("F2",), ("Delete",), ("Backspace",), ("Alt+Up",), ("Ctrl+R",), ("Ctrl+Shift+K",), ("Ctrl+T",)]
)
def test_nothing_is_typed_over_what_waits(person: Person, keys: tuple[str, ...]) -> None:
    before = propose(person)
    person.press("Down", times=3)
    person.press("Right", "Right")
    assert person.grid("k").place == (3, 2)
    person.press(*keys)
    assert person.message == "a paste is waiting in K: press Repair, or Esc to drop it"
    assert person.editor is None
    assert person.store.document is before
    assert person.answers == ["Repair"]


def test_the_mouse_changes_nothing_that_waits_either(person: Person) -> None:
    before = propose(person)
    grid, middle = person.grid("k"), person.cell_point("k", 3, 2)
    person.drag(grid.viewport(), middle, middle + QPoint(30, 0))
    person.double_click_at(grid.viewport(), middle)
    header = grid.verticalHeader()
    label = QPoint(header.width() // 2, header.sectionViewportPosition(3) + header.sectionSize(3) // 2)
    person.click_at(header.viewport(), label)
    person.double_click_at(header.viewport(), label)
    assert person.editor is None
    assert person.store.document is before
    assert person.answers == ["Repair"]


def test_a_paste_elsewhere_takes_the_place_of_what_waits(person: Person) -> None:
    propose(person)
    person.click_cell("q")
    person.paste("1 2 3")
    assert person.grid("k").model().proposal is None
    assert person.message == "K is 3 x 2, Q is 3 x 3: make K 3 x 3 or Q 3 x 2"
    assert person.answers == ["Repair"]


def test_a_better_paste_takes_the_place_of_what_waits(person: Person) -> None:
    propose(person)
    person.paste("9 8\n7 6")
    assert numbers(person, "k") == [[9, 8], [7, 6], [1, 1]]
    assert person.answers == []


def test_a_paste_into_a_cell_that_only_waits_is_refused(person: Person) -> None:
    before = propose(person)
    person.press("Down", times=3)
    person.paste("9")
    assert "a paste is waiting in K" in person.message
    assert (person.store.document, person.answers) == (before, ["Repair"])


def test_a_block_that_lies_beside_the_matrix_is_marked_where_it_lies(person: Person) -> None:
    person.click_cell("k", 1, 1)
    person.paste("1\t5")
    assert person.grid("k").marks.waiting.tolist() == [[False, False, True], [False, True, True], [False, False, True]]


# What cannot be taken


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 2\n3", "row 2"),
        ("1 n/a\n3 4", "n/a"),
        ("[[1, 2, ..., 3], [4, 5, ..., 6]]", "summarized"),
        ("[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", "open it as a file to choose a slice"),
        ("-inf 1", "K row 1, column 1: -inf cannot stand there"),
        (json.dumps({"weights": [[1]], "v": [[2]]}), "'weights' has no place among Q, K, V"),
        ("", "no text is on the clipboard"),
        ("\n \n", "no text is on the clipboard"),
    ],
)
@pytest.mark.parametrize("is_waiting", [False, True], ids=["plain", "while one waits"])
def test_what_cannot_be_taken_changes_nothing(person: Person, text: str, told: str, is_waiting: bool) -> None:
    if is_waiting:
        propose(person)
    person.click_cell("k", 0, 0)
    person.press("Shift+Right", "Shift+Down")
    before, chosen, cells = person.store.document, selected(person, "k"), shown(person, "k")
    person.paste(text)
    assert person.sees_error
    assert told in person.message
    assert person.store.document is before
    assert person.store.undo_label is None
    assert (selected(person, "k"), shown(person, "k")) == (chosen, cells)
    assert person.answers == (["Repair"] if is_waiting else [])


def test_a_session_is_for_the_file_menu(person: Person) -> None:
    person.click_cell("q")
    written = session.write(person.store.document, person.store.view)
    person.paste(written.decode() if isinstance(written, bytes) else written)
    assert "open it with File > Open" in person.message


def test_without_a_cell_there_is_nowhere_to_paste(person: Person) -> None:
    before = person.store.document
    person.focus("weights")
    person.paste("1 2")
    assert person.message == "no cell is chosen to paste into: click the one it should begin in"
    assert person.store.document is before


def test_a_pasted_minus_infinity_hides_a_score(person: Person) -> None:
    person.open(Document(Problem(Scores([[1.0, 2.0, 3.0]]), scale=1.0)))
    person.click_cell("scores", 0, 1)
    person.paste("-inf")
    assert person.store.snapshot.attention.allowed.tolist() == [[True, False, True]]
    assert person.weights[1] == 0


# Into an open editor


def test_an_open_editor_takes_the_first_line(person: Person) -> None:
    person.click_cell("q")
    person.press("F2")
    person.paste("1/4\n7\n")
    assert person.editor is not None
    assert person.editor.text() == "1/4"
    person.press("Return")
    assert (person.value("q", 0, 0), person.value("q", 1, 0)) == (0.25, 0)


def test_the_menu_pastes_into_an_open_editor(person: Person) -> None:
    person.click_cell("q")
    person.type("2", None)
    QGuiApplication.clipboard().setText("5\n6")
    person.choose("Edit", "Paste")
    assert person.editor is not None
    assert person.editor.text() == "25"
    person.press("Escape")
    assert person.store.undo_label is None


def test_a_box_takes_a_number(person: Person) -> None:
    person.focus("beta_box")
    person.press("Ctrl+A")
    person.paste("2.5")
    person.press("Return")
    assert person.problem.beta == 2.5


# A mask


def test_a_mask_asks_what_true_means(person: Person) -> None:
    before = person.store.document
    person.click_cell("q")
    person.paste(MASK)
    assert person.store.document is before
    assert person.answers == ["may attend", "hidden"]
    words = [person.find(f"btn_answer_{at}").accessibleName() for at in (1, 2)]
    assert words[0] == "Mask 3 x 3: True means: may attend: torch SDPA, JAX, Keras, ONNX: 3 of 9 hidden"
    assert words[1].endswith("torch MultiheadAttention: 6 of 9 hidden, a whole row or the diagonal")
    assert not person.sees_error
    person.click("btn_answer_1")
    expected = [[True, False, True], [True, True, False], [False, True, True]]
    assert person.store.snapshot.attention.allowed.tolist() == expected
    assert person.problem.mask.kind == "custom"
    assert "3 of 9 cells hidden" in person.message
    assert person.store.view.stage == "masked"
    assert person.undo_all() == ["Paste mask"]
    assert person.store.document is before


def test_the_likelier_meaning_stands_first(person: Person) -> None:
    person.click_cell("q")
    person.paste("False True True\nFalse False True\nFalse False False")
    assert person.answers == ["hidden", "may attend"]
    person.press("Return")
    assert person.focused.objectName() == "btn_answer_1"
    person.press("Return")
    assert person.store.snapshot.attention.allowed.tolist() == np.tri(3, dtype=bool).tolist()
    assert person.grid("q").hasFocus()


def test_a_mask_of_another_size_is_refused(person: Person) -> None:
    before = person.store.document
    person.click_cell("q")
    person.paste("True False\nTrue True")
    assert "the mask is 2 x 2, the scores are 3 x 3" in person.message
    assert (person.store.document, person.answers) == (before, [])


def test_given_weights_take_no_mask(person: Person) -> None:
    person.open(Document(Problem(Weights([[0.5, 0.5]]), scale=1.0)))
    person.click_cell("weights")
    person.paste("True False")
    assert person.sees_error
    assert person.answers == []


# What can be read in more than one way


def test_an_ambiguous_text_asks_in_place(person: Person) -> None:
    before = person.store.document
    person.click_cell("q")
    person.paste(EITHER)
    assert person.store.document is before
    assert person.answers == ["comma = separator", "decimal comma", "thousands"]
    assert person.find("btn_answer_2").toolTip() == "decimal comma: 2x1 [[1.234],[5.678]]"
    person.press("3")
    assert "choose one reading" in person.message
    person.press("Tab", "Tab", "Space")
    assert [row[0] for row in numbers(person, "q")] == [1.234, 5.678, 1]
    assert person.undo_all() == ["Paste 2 x 1 into Q"]


def test_escape_drops_the_question(person: Person) -> None:
    before = person.store.document
    person.click_cell("q")
    person.paste(EITHER)
    person.press("Escape")
    assert (person.store.document, person.answers) == (before, [])
    assert person.message == "Paste into Q dropped"


def test_an_answer_may_be_a_proposal(person: Person) -> None:
    person.click_cell("q", 0, 1)
    person.paste(EITHER)
    person.click("btn_answer_1")
    assert person.answers == ["Repair"]
    assert shown(person, "q")[0] == ["1", "1", "234"]


# Several by name


NAMED = json.dumps({"Q": [[1, 2]], "K": [[3, 4], [5, 6]], "V": [[7], [8]], "tokens": ["a", "b"]})


def test_named_matrices_go_where_they_belong(person: Person) -> None:
    before = person.store.document
    person.click_cell("v")
    person.paste(NAMED)
    assert [numbers(person, name) for name in "qkv"] == [[[1, 2]], [[3, 4], [5, 6]], [[7], [8]]]
    assert person.store.document.key_labels == ("a", "b")
    assert person.message.startswith("Q 1 x 2, K 2 x 2, V 2 x 1 pasted")
    assert person.undo_all() == ["Paste Q, K, V"]
    assert person.store.document is before


def test_named_matrices_that_do_not_fit_each_other_are_refused(person: Person) -> None:
    before = person.store.document
    person.click_cell("q")
    person.paste(json.dumps({"Q": [[1, 2]], "K": [[3, 4, 5]]}))
    assert "Q is 1 x 2, K is 1 x 3: make Q 1 x 3 or K 1 x 2" in person.message
    assert person.store.document is before


def test_a_named_mask_asks_what_true_means(person: Person) -> None:
    person.click_cell("q")
    person.paste(json.dumps({"Q": [[1, 2]], "K": [[3, 4], [5, 6]], "V": [[7], [8]], "mask": [[True, False]]}))
    assert sorted(person.answers) == ["hidden", "may attend"]
    person.click(next(f"btn_answer_{at}" for at in (1, 2) if person.find(f"btn_answer_{at}").whole == "may attend"))
    assert person.store.snapshot.attention.allowed.tolist() == [[True, False]]
    assert person.problem.shape == (1, 2)
    assert person.undo_all() == ["Paste Q, K, V, mask"]


def test_what_has_another_size_takes_mask_and_bias_away_and_says_so(person: Person) -> None:
    hiding = Mask("custom", allowed=np.tri(2, dtype=bool))
    person.open(Document(Problem(QKV(np.eye(2), np.eye(2)), mask=hiding, bias=np.ones((2, 2)))))
    person.click_cell("q")
    person.paste(json.dumps({"Q": [[1, 2]], "K": [[3, 4]]}))
    assert "bias and mask of the old size gone" in person.message
    assert person.problem.mask.kind == "none"
    person.press("Ctrl+Z")
    assert person.problem.bias is not None


def test_the_answers_are_named_and_reached(person: Person) -> None:
    person.click_cell("q")
    person.paste(MASK)
    strip = next(widget for widget in person.window.findChildren(QPushButton) if widget.isVisible()
                 and widget.objectName() == "btn_answer_1").parentWidget()  # fmt: skip
    assert strip.accessibleName() == "Mask 3 x 3: True means"
    person.press("Tab")
    seen = [person.focused.objectName()]
    for _ in range(2):
        person.press("Tab")
        seen.append(person.focused.objectName())
    assert seen == ["btn_answer_1", "btn_answer_2", "btn_drop"]
    assert all(person.find(name).accessibleName() for name in seen)
    assert Qt.FocusPolicy.TabFocus & person.find("btn_drop").focusPolicy()
