"""The strip that asks what a file is meant as: its answers, the keyboard, the way back, and how it looks."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from explorer.formats.imported import Imported
from explorer.gui.preview import wording
from explorer.gui.preview.tiles import MOST_CELLS, kind_of, place_in, pooled, tile_of, tile_of_reading
from tests.person import Person

SAMPLES = Path(__file__).parent.parent / "samples"


@pytest.fixture(autouse=True)
def _nothing_waits(person: Person) -> Iterator[None]:
    """The window is that of other tests too."""
    yield
    if person.find("import_preview").isVisible():
        person.click("import_drop")


def ask(person: Person, file: str | Path) -> None:
    person.window.opening.open_path(SAMPLES / file)
    person.settle()
    assert person.find("import_preview").isVisible()


def cards(person: Person) -> list[str]:
    strip = person.find("import_preview")
    found = [card for card in strip.findChildren(QPushButton) if card.objectName().startswith("import_option")]
    return [card.accessibleName() for card in sorted(found, key=lambda card: str(card.objectName()))]


def heading(person: Person) -> str:
    return str(person.find("import_heading").whole)


def test_esc_drops_the_file_and_the_keyboard_goes_back(person: Person) -> None:
    person.click_cell("k", 1, 1)
    document = person.store.document
    ask(person, "labels.xlsx")
    assert person.is_on(person.find("import_option_0"))
    person.press("Escape")
    assert not person.find("import_preview").isVisible()
    assert person.is_on(person.grid("k"))
    assert person.store.document is document
    assert person.message == "labels.xlsx is not taken"


def test_nothing_is_blocked_while_it_asks(person: Person) -> None:
    ask(person, "labels.xlsx")
    person.click_cell("q")
    person.type("7")
    assert person.value("q", 0, 0) == 7
    assert person.find("import_preview").isVisible()
    person.press("Ctrl+Z")
    person.click("import_drop")
    assert not person.find("import_preview").isVisible()
    assert person.is_on(person.grid("q"))


def test_f6_reaches_it(person: Person) -> None:
    ask(person, "labels.xlsx")
    person.focus("grid_q")
    for _ in range(9):
        person.press("F6")
        if person.find("import_preview").isAncestorOf(person.focused):
            break
    assert person.find("import_preview").isAncestorOf(person.focused)
    person.press("Escape")


def test_tab_goes_from_answer_to_answer(person: Person) -> None:
    ask(person, "labels.xlsx")
    person.press("Tab")
    assert person.is_on(person.find("import_option_1"))
    person.press("Space")
    assert person.store.document.problem.source.kind == "scores"


def test_what_is_ambiguous_is_asked_the_likelier_first(person: Person) -> None:
    ask(person, "05_ambiguous_comma.txt")
    assert heading(person) == "can be read in 3 ways"
    assert cards(person) == ["Comma = separator", "Decimal comma", "Thousands"]
    assert "2 × 1: 1.234" in person.find("import_option_1").accessibleDescription()
    assert not person.find("import_back").isVisible()


def test_a_reading_can_be_taken_back(person: Person) -> None:
    ask(person, "05_ambiguous_comma.txt")
    person.click("import_option_1")
    assert heading(person).startswith("2 × 1 matrix  ·  first row 1.234")
    person.click("import_back")
    assert cards(person)[0] == "Comma = separator"
    person.click("import_option_2")
    assert cards(person)[0] == "Scores, in a new document"
    person.click("import_option_0")
    source = person.store.document.problem.source
    assert source.matrices["scores"].tolist() == [[1234], [5678]]


@pytest.mark.parametrize(("answer", "means"), [("import_option_0", "attend"), ("import_option_1", "hide")])
def test_a_mask_asks_its_polarity(person: Person, answer: str, means: str) -> None:
    ask(person, "67_mask_bool.txt")
    assert cards(person) == ["True = may attend", "True = hidden"]
    first, second = (person.find(f"import_option_{at}").accessibleDescription() for at in (0, 1))
    assert "torch SDPA, JAX, Keras, ONNX" in first
    assert "torch MultiheadAttention" in second
    assert "hides all of row 3" in second
    person.click(answer)
    as_written = np.tril(np.ones((3, 3), dtype=bool))
    allowed = person.store.snapshot.attention.allowed
    assert allowed.tolist() == (as_written if means == "attend" else ~as_written).tolist()
    assert person.store.view.stage == "masked"
    assert len(person.undo_all()) == 1


def test_a_mask_that_hides_a_whole_row_as_written_suggests_the_other(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "mask.txt"
    path.write_text("False True True\nFalse False True\nFalse False False\n", encoding="utf-8")
    ask(person, path)
    assert cards(person) == ["True = hidden", "True = may attend"]


def test_a_mask_of_another_size_is_refused(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "mask.txt"
    path.write_text("True False\nTrue True\n", encoding="utf-8")
    person.window.opening.open_path(path)
    person.settle()
    assert person.sees_error
    assert person.message.startswith("mask.txt: the mask is 2 x 2, the scores are 3 x 3")
    assert not person.find("import_preview").isVisible()


def test_a_mask_among_named_matrices_is_asked_about(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "all.npz"
    eye = np.eye(3)
    np.savez(path, Q=eye, K=eye, V=eye, mask=np.tril(np.ones((3, 3), dtype=bool)))
    ask(person, path)
    assert cards(person) == ["True = may attend", "True = hidden"]
    person.press("Return")
    assert person.store.snapshot.attention.allowed.tolist() == np.tril(np.ones((3, 3), dtype=bool)).tolist()
    assert person.store.document.problem.d_k == 3


def test_the_answers_follow_the_document(person: Person, tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("1\t2\n3\t4\n5\t6\n", encoding="utf-8")
    ask(person, path)
    assert "Q of the open document" in cards(person)
    person.open("attention-intuition-F")
    assert "Q of the open document" not in cards(person)


def test_an_answer_that_does_not_fit_any_more_is_told(person: Person) -> None:
    ask(person, "67_mask_bool.txt")
    person.choose("Edit", "Add row below")
    person.settle()
    assert person.store.document.problem.shape != (3, 3)
    assert cards(person) == []
    assert "the mask is 3 x 3" in person.find("import_question").text()


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_it_fits_into_a_small_window(person: Person, theme: str, tmp_path: Path) -> None:
    path = tmp_path / "many.npy"
    np.save(path, np.arange(64.0 * 12).reshape(64, 4, 3))
    try:
        person.window.choose_theme(theme)
        person.window.setGeometry(0, 0, 1024, 768)
        ask(person, path)
        assert person.window.size().toTuple() == (1024, 768)
        strip = person.find("import_preview")
        for name in ("import_option_0", "import_drop", "axes_query"):
            widget = person.find(name)
            corner = widget.mapTo(strip, widget.rect().bottomRight())
            assert strip.rect().contains(corner), f"{name} is cut off"
        person.press("Escape")
    finally:
        person.window.choose_theme("system")


def test_a_change_of_theme_repaints_it(person: Person) -> None:
    ask(person, "67_mask_bool.txt")

    def ground() -> QColor:
        card = person.find("import_option_0")
        image = card.grab().toImage()
        return image.pixelColor(image.width() - 6, image.height() // 2)

    try:
        person.window.choose_theme("light")
        person.settle()
        light = ground().lightness()
        person.window.choose_theme("dark")
        person.settle()
        assert ground().lightness() < light - 100
        assert person.is_on(person.find("import_option_0")), "the keyboard stays on its answer"
    finally:
        person.window.choose_theme("system")


def test_names_for_assistive_tools(person: Person) -> None:
    ask(person, "labels.xlsx")
    strip = person.find("import_preview")
    assert strip.accessibleName() == "open labels.xlsx"
    assert "2 × 2 matrix" in strip.accessibleDescription()
    assert person.find("import_drop").accessibleName() == "drop the file"
    QTest.keyClick(strip, Qt.Key.Key_Escape)
    assert not strip.isVisible()


def test_pooling_keeps_the_cell_farthest_from_0() -> None:
    values = np.zeros((300, 2))
    values[123, 1], values[7, 0] = -5, 3
    small = pooled(values)
    assert small.shape == (MOST_CELLS, 2)
    assert (small[:, 1].min(), small[:, 0].max()) == (-5, 3)
    assert pooled(np.full((200, 200), np.nan)).tolist() == np.zeros((MOST_CELLS, MOST_CELLS)).tolist()


def test_tiles_choose_their_colours() -> None:
    assert kind_of(np.array([[0.25, 0.75], [np.nan, 1]])) == "weights"
    assert kind_of(np.array([[0.25, -0.75]])) == "signed"
    assert tile_of(np.array([[True, False]])).values.tolist() == [[1, 0]]
    assert tile_of(np.array([[1.0, -np.inf]])).largest == 1
    tensor = Imported("tensor", np.arange(24.0).reshape(2, 3, 4), axes=("head", "query", "key"))
    first = tile_of_reading(tensor)
    assert first is not None
    assert first.values.tolist() == np.arange(12.0).reshape(3, 4).tolist()


def test_a_tile_lies_in_the_middle_and_is_never_too_thin() -> None:
    from PySide6.QtCore import QRect

    box = QRect(10, 10, 90, 90)
    assert place_in(box, tile_of(np.zeros((3, 1)))) == QRect(40, 10, 30, 90)
    thin = place_in(box, tile_of(np.zeros((1, 96))))
    assert (thin.width(), thin.height()) == (90, 6)


def test_what_a_mask_hides_in_words() -> None:
    assert wording.hidden_in(np.array([[True, False], [True, True]])) == "1 of 4 cells hidden"
    assert wording.hidden_in(np.zeros((3, 2), dtype=bool)) == "6 of 6 cells hidden; hides all of row 1 and 2 more"
    assert wording.hidden_in(~np.eye(2, dtype=bool)) == "2 of 4 cells hidden; hides the whole diagonal"
