"""The window around the panels: how it starts, its menus and its dialogs."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QSpinBox,
    QToolButton,
)

from explorer import __version__
from explorer.gui.commands import COMMANDS
from explorer.gui.docks import PanelDock
from explorer.gui.main_window import MainWindow
from explorer.gui.panels import PANELS
from explorer.library import examples
from explorer.library.blank import blank
from explorer.state.document import COLORMAPS
from tests.person import LEFT, OpenWindow, Person, process_events


@pytest.fixture
def in_dialog(monkeypatch: pytest.MonkeyPatch, built: MainWindow) -> Callable[[Callable[[Any], object]], list[str]]:
    """Uses the next dialogs in some way, and keeps their names."""

    def use(drive: Callable[[Any], object]) -> list[str]:
        names: list[str] = []

        def execute(dialog: QDialog) -> int:
            names.append(dialog.objectName())
            dialog.show()
            process_events()
            try:
                drive(dialog)
            finally:
                dialog.hide()
            built.activateWindow()
            return dialog.result()

        monkeypatch.setattr(QDialog, "exec", execute)
        return names

    return use


def dock(person: Person, panel: str) -> PanelDock:
    return person.window.ground.docks[panel]


def type_size() -> int:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application.font().pixelSize()


def test_it_starts_with_numbers_and_without_a_dialog(open_window: OpenWindow) -> None:
    person = open_window(size=None)
    assert QApplication.activeModalWidget() is None
    assert [top for top in QApplication.topLevelWidgets() if top.isVisible()] == [person.window]
    assert person.store.document.title == examples.title("cat-sat-mat")
    assert person.panels_shown == [panel.ID for panel in PANELS]
    assert person.focused is person.find("grid_q")
    assert person.read_weights()
    assert not person.sees_error
    assert person.store.undo_label is None


@pytest.mark.parametrize("words", [["nowhere.json"], ["one.json", "two.json"]])
def test_an_unusable_name_opens_the_start_example_and_says_why(open_window: OpenWindow, words: list[str]) -> None:
    person = open_window(*words)
    assert person.store.document.title == examples.title(examples.START)
    assert person.sees_error
    assert person.message
    assert "\n" not in person.message


def test_the_examples_are_offered_with_what_they_show(person: Person) -> None:
    entries = person.entries("Examples")
    assert [entry.data() for entry in entries] == list(examples.EXAMPLES)
    assert len(entries) == 20
    for entry in entries:
        title, _, words = entry.text().partition("\t")
        assert title
        assert len(words) > 10
    entries[examples.EXAMPLES.index("attention-intuition-H")].trigger()
    person.settle()
    assert person.store.document is examples.load("attention-intuition-H")[0]
    assert person.find("example").text().startswith(person.store.document.title)
    assert person.described("weights").endswith("1 0.269, 2 0.731")


@pytest.mark.parametrize(("kind", "text"), [
    ("qkv", "Q, K, V"), ("projection", "X and projections W"), ("scores", "scores"), ("weights", "ready-made weights"),
])  # fmt: skip
@pytest.mark.parametrize(("fill", "fill_text"), [("zeros", "zeros"), ("identity", "id"), ("integers", "small")])
def test_a_new_problem_is_what_was_asked_for(
    person: Person, in_dialog: Callable[..., list[str]], kind: str, text: str, fill: str, fill_text: str
) -> None:
    sizes = {"n_q": 2, "n_k": 4, "d_k": 3, "d_v": 1, "d_model": 5}

    def fill_in(dialog: QDialog) -> None:
        for name, start in (("new_source", text), ("new_fill", fill_text)):
            box = dialog.findChild(QComboBox, name)
            assert box is not None
            QTest.keyClicks(box, start[0])
        memory = dialog.findChild(QCheckBox, "new_memory")
        if memory.isVisible():
            QTest.keyClick(memory, Qt.Key.Key_Space)
        for name, size in [*sizes.items(), ("seed", 3)]:
            box = dialog.findChild(QSpinBox, f"new_{name}")
            if box.isVisible():
                box.selectAll()
                QTest.keyClicks(box, str(size))
        buttons = dialog.findChild(QDialogButtonBox)
        QTest.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Ok), LEFT)

    names = in_dialog(fill_in)
    person.press("Ctrl+N")
    assert names == ["new_dialog"]
    wanted = blank(kind, fill=fill, seed=3, has_memory=kind == "projection", **sizes)
    made = person.store.document
    assert made.problem.source.kind == kind
    for name, matrix in wanted.problem.source.matrices.items():
        assert np.array_equal(made.matrix(name), matrix), name
    assert not person.store.is_changed


def test_a_new_problem_can_be_left_unmade(person: Person, in_dialog: Callable[..., list[str]]) -> None:
    document = person.store.document
    names = in_dialog(lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape))
    person.press("Ctrl+N")
    assert names == ["new_dialog"]
    assert person.store.document is document


def test_panels_are_closed_and_put_back(person: Person) -> None:
    everything = person.panels_shown
    close = next(button for button in dock(person, "output").line.findChildren(QToolButton))
    person.click_at(close, close.rect().center())
    assert person.panels_shown == [name for name in everything if name != "output"]
    person.choose("View", "Output")
    assert person.panels_shown == everything
    person.choose("View", "Scores")
    person.choose("View", "Softmax")
    assert person.panels_shown == ["inputs", "weights", "output"]
    person.choose("View", "Reset layout")
    assert person.panels_shown == everything


def test_a_double_click_on_its_title_maximises_a_panel_and_back(person: Person) -> None:
    everything, width = person.panels_shown, dock(person, "weights").width()
    for alone in (True, False):
        title = dock(person, "weights").line.words
        person.double_click_at(title, title.rect().center())
        assert person.panels_shown == (["weights"] if alone else everything)
    assert dock(person, "weights").width() == width


def test_f9_is_the_projector_and_back(person: Person) -> None:
    size, before = type_size(), person.screenshot()
    person.press("F9")
    assert type_size() > 1.2 * size
    assert person.window.palette().window().color().name() == "#ffffff"
    person.press("F9")
    assert type_size() == size
    assert person.screenshot() == before


def test_zoom_in_out_and_back(person: Person) -> None:
    sizes = []
    for keys in ("Ctrl++", "Ctrl+-", "Ctrl+-", "Ctrl+0"):
        person.press(keys)
        sizes.append(type_size())
    assert sizes == [round(13 * zoom / 100) for zoom in (110, 100, 90, 100)]
    assert person.store.undo_label is None


def test_the_weights_take_other_colours(person: Person) -> None:
    entries = person.entries("View", "Colours")
    assert [entry.data() for entry in entries] == list(COLORMAPS)
    looks = []
    for entry in (*entries[1:], entries[0]):
        entry.trigger()
        person.settle()
        assert [one.data() for one in entries if one.isChecked()] == [entry.data()]
        looks.append(bytes(person.picture("weights").grab().toImage().constBits()))
    assert len(set(looks)) == len(COLORMAPS)
    assert not person.store.is_changed


def test_f1_lists_every_shortcut(person: Person, in_dialog: Callable[..., list[str]]) -> None:
    texts: list[str] = []
    names = in_dialog(lambda dialog: texts.extend(label.text() for label in dialog.findChildren(QLabel)))
    person.press("F1")
    assert names == ["keys_dialog"]
    for command in COMMANDS:
        for keys in command.keys:
            assert keys in texts[0], f"{keys} of {command.id}"
            assert command.text.replace("&", "").rstrip("…") in texts[0]


def test_about_shows_versions(person: Person, in_dialog: Callable[..., list[str]]) -> None:
    texts: list[str] = []
    names = in_dialog(lambda dialog: texts.append(dialog.findChild(QPlainTextEdit).toPlainText()))
    person.choose("Help", "About")
    assert names == ["about_dialog"]
    for part in (f"Attention Explorer {__version__}", "Python 3", "Qt 6", "PySide6 6", "pyqtgraph", np.__version__):
        assert part in texts[0]
