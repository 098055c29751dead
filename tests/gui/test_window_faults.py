"""An unexpected error inside a panel: logged, told once with details, and the last good picture stays."""

from collections.abc import Iterator
from itertools import count

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton

from explorer import paths
from explorer.gui.panels.output_panel import OutputPanel
from explorer.gui.pictures.style import Style
from explorer.state.document import Snapshot
from tests.person import Person

BROKEN = 13.0  # the number that the output panel cannot show
_faults = count(1)


@pytest.fixture
def person(person: Person, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """At a window whose output panel breaks on one number."""
    display = OutputPanel.display
    told = f"planted fault {next(_faults)}"  # another each time: the same one is told once

    def displays(panel: OutputPanel, snapshot: Snapshot, style: Style) -> None:
        q = snapshot.document.matrix("q")
        if q is not None and q[0, 0] == BROKEN:
            raise RuntimeError(told)
        display(panel, snapshot, style)

    monkeypatch.setattr(OutputPanel, "display", displays)
    person.waits_for_pictures = False
    yield person
    monkeypatch.undo()


def breaks(person: Person) -> None:
    person.click_cell("q")
    person.type("13")


def test_it_is_told_in_one_line_and_logged(person: Person) -> None:
    breaks(person)
    assert person.sees_error
    assert "RuntimeError" in person.message
    assert "your numbers are safe" in person.message
    assert "\n" not in person.message
    assert person.find("btn_details").isVisible()
    log = paths.log_file().read_text(encoding="utf-8")
    assert log.count("RuntimeError: planted fault") == 1
    assert "Traceback" in log


def test_the_last_good_picture_stays_everywhere(person: Person) -> None:
    good = person.store.snapshot
    described = {name: person.described(name) for name in ("scores", "weights", "output")}
    breaks(person)
    assert person.value("q", 0, 0) == BROKEN, "the number itself is kept"
    for name, text in described.items():
        assert person.picture(name).painted_snapshot is good, name
        assert person.described(name) == text


def test_the_window_goes_on(person: Person) -> None:
    breaks(person)
    person.press("Ctrl+Z")
    assert not person.sees_error
    assert not person.find("btn_details").isVisible()
    assert person.picture("output").painted_snapshot is person.store.snapshot
    person.click_cell("q")
    person.type("2")
    assert person.picture("output").painted_snapshot is person.store.snapshot
    assert person.value("q", 0, 0) == 2


def test_the_details_can_be_read_and_copied(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    breaks(person)
    texts: list[str] = []

    def execute(dialog: QDialog) -> int:
        box, copy = dialog.findChild(QPlainTextEdit), dialog.findChild(QPushButton, "btn_copy")
        assert box is not None
        assert copy is not None
        texts.append(box.toPlainText())
        copy.click()
        return 0

    monkeypatch.setattr(QDialog, "exec", execute)
    person.click("btn_details")
    assert "RuntimeError: planted fault" in texts[0]
    assert "Attention Explorer" in texts[0]
    assert QGuiApplication.clipboard().text() == texts[0]


def test_the_same_fault_is_told_once(person: Person) -> None:
    breaks(person)
    person.focus("scores")
    person.press("Right")
    assert person.store.view.key == 1
    log = paths.log_file().read_text(encoding="utf-8")
    assert log.count("RuntimeError: planted fault") == 1


@pytest.mark.parametrize("is_zoom", [True, False], ids=["zoom", "theme"])
def test_another_look_meets_it_as_calmly(person: Person, is_zoom: bool) -> None:
    breaks(person)
    person.press("Ctrl++" if is_zoom else "F9")
    assert person.sees_error
    person.press("Ctrl+Z")
    person.press("Ctrl+0" if is_zoom else "F9")
    assert person.picture("output").painted_snapshot is person.store.snapshot
