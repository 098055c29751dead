"""The choice of a slice out of an array of three to five dimensions."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QSpinBox

from explorer.gui.preview.slices import MOST, SliceGrid, SliceTile
from tests.person import Person

STACKED = Path(__file__).parent.parent / "samples" / "81_hf_stacked.npy"


@pytest.fixture(autouse=True)
def _nothing_waits(person: Person) -> Iterator[None]:
    """The window is that of other tests too."""
    yield
    if person.find("import_preview").isVisible():
        person.click("import_drop")


def ask(person: Person, path: Path) -> None:
    person.window.opening.open_path(path)
    person.settle()
    assert person.find("axis_picker").isVisible()


def ask_about(person: Person, folder: Path, values: np.ndarray) -> None:
    np.save(folder / "array.npy", values)
    ask(person, folder / "array.npy")


@pytest.fixture
def numbered(person: Person, tmp_path: Path) -> np.ndarray:
    """An array (layer 2, batch 1, head 3, query 4, key 5) in which every number is another, being asked about."""
    values = np.arange(120.0).reshape(2, 1, 3, 4, 5)
    ask_about(person, tmp_path, values)
    return values


def take(person: Person, name: str) -> np.ndarray:
    """The scores or weights that the slice becomes in a new document."""
    strip = person.find("import_preview")
    found = [card for card in strip.findChildren(QPushButton) if card.accessibleName() == f"{name}, in a new document"]
    person.click(found[0].objectName())
    return np.asarray(person.store.document.problem.source.matrices[name.lower()])


def test_layer_2_head_2_by_the_boxes(person: Person) -> None:
    ask(person, STACKED)
    for name in ("axis_layer", "axis_head"):
        person.focus(name)
        person.press("Up")
    assert person.find("axis_layer").text() == "layer 2 of 2"
    assert person.find("import_question").text() == "Use layer 2, head 2 as"
    weights = take(person, "Weights")
    assert weights.tolist() == np.load(STACKED)[1, 0, 1].astype(float).tolist()
    assert person.store.document.title == "81_hf_stacked, layer 2, head 2"
    assert person.store.snapshot.attention.weights.tolist() == weights.tolist()


def test_layer_2_head_2_by_keys_alone(person: Person) -> None:
    ask(person, STACKED)
    assert person.is_on(person.find("slice_0"))
    person.press("Right")
    assert person.is_on(person.find("slice_1"))
    person.press("Shift+Tab", times=3)
    assert person.is_on(person.find("axis_head"))
    person.press("Shift+Tab", "Up")
    assert person.find("axis_layer").value() == 2
    person.press("Tab", times=4)
    assert person.is_on(person.find("slice_1"))
    person.press("Return")
    assert person.store.document.problem.source.matrices["weights"].tolist() == np.load(STACKED)[1, 0, 1].tolist()


def test_layer_1_head_2_by_a_click(person: Person) -> None:
    ask(person, STACKED)
    person.click("slice_1")
    assert person.find("axis_head").value() == 2
    QTest.mouseDClick(person.find("slice_1"), Qt.MouseButton.LeftButton)
    person.settle()
    assert person.store.document.problem.source.matrices["weights"].tolist() == np.load(STACKED)[0, 0, 1].tolist()


def test_a_slice_can_be_scores(person: Person) -> None:
    ask(person, STACKED)
    scores = take(person, "Scores")
    assert scores.tolist() == np.load(STACKED)[0, 0, 0].tolist()
    assert person.store.document.problem.source.kind == "scores"


def test_rows_that_sum_to_1_are_only_offered_as_weights_and_scores(person: Person) -> None:
    ask(person, STACKED)
    strip = person.find("import_preview")
    names = [card.accessibleName() for card in strip.findChildren(QPushButton)]
    assert names == ["Weights, in a new document", "Scores, in a new document"]


def test_only_axes_with_several_places_have_a_box(person: Person, numbered: np.ndarray) -> None:
    boxes = {box.objectName(): box.isVisible() for box in person.find("axis_picker").findChildren(QSpinBox)}
    assert boxes == {
        "axis_layer": True, "axis_batch": False, "axis_head": True, "axis_query": False, "axis_key": False
    }  # fmt: skip
    assert person.find("axis_head").text() == "head 1 of 3"


def test_queries_and_keys_can_change_places(person: Person, numbered: np.ndarray) -> None:
    box = person.find("axes_query")
    person.focus("axes_query")
    person.press("Down")
    assert (box.currentText(), person.find("axes_key").currentText()) == ("key (5)", "query (4)")
    assert take(person, "Scores").tolist() == numbered[0, 0, 0].T.tolist()


def test_other_axes_can_be_queries_and_keys(person: Person, numbered: np.ndarray) -> None:
    person.find("axes_query").setCurrentIndex(2)
    person.find("axes_key").setCurrentIndex(0)
    person.settle()
    assert person.find("axis_query").isVisible()
    person.find("axis_query").setValue(4)
    person.find("axis_key").setValue(2)
    person.settle()
    assert person.find("import_question").text() == "Use query 4, key 2 as"
    assert take(person, "Scores").tolist() == numbered[:, 0, :, 3, 1].T.tolist()


def test_the_slices_of_the_chosen_layer_are_shown(person: Person, numbered: np.ndarray) -> None:
    def shown() -> list[list[list[float]]]:
        person.find("slices").grab()
        return [tile.tile.values.tolist() for tile in person.find("slices").findChildren(SliceTile)]

    assert shown() == numbered[0, 0].tolist()
    person.find("axis_layer").setValue(2)
    person.settle()
    assert shown() == numbered[1, 0].tolist()


def test_arrow_keys_go_along_and_across_the_lines(person: Person, tmp_path: Path) -> None:
    ask_about(person, tmp_path, np.random.default_rng(0).normal(size=(40, 2, 2)))
    grid = person.find("slices")
    first = grid.findChildren(SliceTile)[0]
    columns = sum(tile.y() == first.y() for tile in grid.findChildren(SliceTile))
    assert 5 < columns < 40
    for key, at in (("Down", columns), ("Right", columns + 1), ("Up", 1), ("Up", 1), ("End", 39), ("Home", 0)):
        person.press(key)
        assert person.find("axis_head").value() == at + 1
        assert person.is_on(person.find(f"slice_{at}"))


def test_at_most_64_pictures_are_shown_and_those_unseen_are_not_made(person: Person, tmp_path: Path) -> None:
    ask_about(person, tmp_path, np.random.default_rng(0).normal(size=(150, 3, 3)))
    grid: SliceGrid = person.find("slices")
    assert len(grid.findChildren(SliceTile)) == MOST
    assert "head 1 to 64 of 150" in person.find("slices_caption").text()
    assert 0 < grid.made < MOST
    person.find("axis_head").setValue(101)
    person.settle()
    assert "head 65 to 128 of 150" in person.find("slices_caption").text()
    assert grid.chosen_tile is not None
    assert grid.chosen_tile.at == 100
    assert not grid.chosen_tile.visibleRegion().isEmpty(), "the chosen one is scrolled into view"


def test_a_boolean_array_asks_what_true_means(person: Person, tmp_path: Path) -> None:
    values = np.zeros((2, 3, 3), dtype=bool)
    values[1] = np.tril(np.ones((3, 3), dtype=bool))
    ask_about(person, tmp_path, values)
    person.press("Right")
    strip = person.find("import_preview")
    names = [card.accessibleName() for card in strip.findChildren(QPushButton)]
    assert [name.partition(",")[0] for name in names] == ["True = may attend", "True = hidden"]
    person.press("Return")
    assert person.store.snapshot.attention.allowed.tolist() == values[1].tolist()


def test_a_slice_that_fits_nowhere_says_so_and_the_others_can_be_looked_at(person: Person, tmp_path: Path) -> None:
    ask_about(person, tmp_path, np.ones((2, 4, 4), dtype=bool))
    assert "the mask is 4 x 4" in person.find("import_question").text()
    person.press("Right", "Return")
    assert person.find("import_preview").isVisible()


def test_another_slice_can_be_chosen_later(person: Person) -> None:
    ask(person, STACKED)
    person.press("Right", "Return")
    person.choose("File", "Choose slice")
    assert person.find("axis_head").value() == 2
    person.press("Left", "Return")
    assert person.store.document.problem.source.matrices["weights"].tolist() == np.load(STACKED)[0, 0, 0].tolist()


def test_tokens_come_along(person: Person) -> None:
    ask(person, STACKED.with_name("93_bertviz_params.json"))
    person.press("Return")
    assert person.store.document.query_labels[:3] == ("[CLS]", "the", "cat")


def test_the_wheel_leaves_boxes_alone_that_have_no_focus(person: Person) -> None:
    ask(person, STACKED)
    person.turn_wheel(person.find("axis_layer"), -1)
    assert person.find("axis_layer").value() == 1
