"""What other programs do to the open file is told, and never written over unasked."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox

from explorer.formats import disk, session
from explorer.library import examples
from tests.person import OpenWindow, Person, process_events

Answer = QMessageBox.StandardButton
OURS, THEIRS = "attention-intuition-F", "attention-intuition-C"


def put(path: Path, example: str) -> bytes:
    data = session.write(*examples.load(example))
    path.write_bytes(data)
    return data


@pytest.fixture
def lesson(person: Person, tmp_path: Path) -> Iterator[Path]:
    """The file that is open; in the end it is closed."""
    path = tmp_path / "lesson.json"
    put(path, OURS)
    person.window.opening.open_path(path)
    person.settle()
    yield path
    person.window.files._is_adrift = False
    person.open("cat-sat-mat")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that were asked; each was answered with Cancel."""
    texts: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: texts.append(box.text()) or Answer.Cancel)
    return texts


def come_back(person: Person) -> None:
    """Come back to the window from another program."""
    QApplication.sendEvent(person.window, QEvent(QEvent.Type.WindowActivate))
    process_events()


def offered(person: Person) -> str | None:
    line = person.find("offer_line")
    return str(line.findChild(QLabel, "offer_text").whole) if line.isVisible() else None


def type_number(person: Person, text: str = "9") -> None:
    person.click_cell("scores")
    person.type(text)


def title_shown(person: Person) -> str:
    return person.store.document.title


def test_what_nobody_changed_is_not_told(person: Person, lesson: Path) -> None:
    come_back(person)
    os.utime(lesson, (1, 1))
    put(lesson, OURS)
    come_back(person)
    assert offered(person) is None
    assert not person.sees_error
    assert not person.window.isWindowModified()


def test_a_change_is_told_once_and_changes_nothing_by_itself(person: Person, lesson: Path) -> None:
    put(lesson, THEIRS)
    come_back(person)
    come_back(person)
    assert offered(person) == "lesson.json was changed on disk"
    assert (person.find("btn_reload").text(), person.find("btn_keep_mine").text()) == ("&Reload", "&Keep mine")
    assert title_shown(person) == examples.title(OURS)
    put(lesson, OURS)
    come_back(person)
    assert offered(person) is None, "it was taken back"


def test_reload_shows_it_and_can_be_taken_back(person: Person, lesson: Path) -> None:
    type_number(person)
    put(lesson, THEIRS)
    come_back(person)
    person.click("btn_reload")
    assert title_shown(person) == examples.title(THEIRS)
    assert not person.window.isWindowModified()
    assert offered(person) is None
    assert person.message.startswith("Reloaded lesson.json")
    person.press("Ctrl+Z")
    assert title_shown(person) == examples.title(OURS)
    assert person.value("scores", 0, 0) == 9, "nothing that was typed is lost"
    assert person.window.isWindowModified()


def test_what_cannot_be_read_is_not_reloaded_and_offered_again(person: Person, lesson: Path) -> None:
    lesson.write_bytes(b"{")
    come_back(person)
    person.click("btn_reload")
    assert person.sees_error
    assert "lesson.json: line 1: " in person.message
    assert title_shown(person) == examples.title(OURS)
    come_back(person)
    assert offered(person) is not None


def test_keep_mine_makes_it_unsaved_and_saving_writes_over(person: Person, lesson: Path, asked: list[str]) -> None:
    put(lesson, THEIRS)
    come_back(person)
    person.click("btn_keep_mine")
    assert person.window.isWindowModified()
    assert offered(person) is None
    come_back(person)
    assert offered(person) is None, "it was answered"
    person.press("Ctrl+S")
    assert asked == []
    assert lesson.read_bytes() == session.write(*examples.load(OURS))
    assert not person.window.isWindowModified()


def test_what_is_kept_is_asked_about_at_the_end_and_safe_from_a_crash(
    person: Person, lesson: Path, asked: list[str]
) -> None:
    put(lesson, THEIRS)
    come_back(person)
    person.click("btn_keep_mine")
    assert person.window.keeper.timer.isActive()
    person.window.close()
    assert person.window.isVisible()
    assert len(asked) == 1


def test_another_change_after_keep_mine_is_told_again(person: Person, lesson: Path) -> None:
    put(lesson, THEIRS)
    come_back(person)
    person.click("btn_keep_mine")
    put(lesson, "attention-intuition-A")
    come_back(person)
    assert offered(person) == "lesson.json was changed on disk"


@pytest.mark.parametrize("answer", [Answer.Yes, Answer.Cancel])
@pytest.mark.parametrize("has_come_back", [True, False])
def test_saving_over_a_changed_file_asks_first(
    person: Person, lesson: Path, monkeypatch: pytest.MonkeyPatch, answer: Answer, has_come_back: bool
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or answer)
    type_number(person)
    theirs = put(lesson, THEIRS)
    if has_come_back:
        come_back(person)
    person.press("Ctrl+S")
    assert asked == ["lesson.json was changed on disk. Replace it?"]
    if answer == Answer.Yes:
        assert session.read(lesson.read_bytes())[0].matrix("scores")[0, 0] == 9
        assert offered(person) is None
        assert not person.window.isWindowModified()
    else:
        assert lesson.read_bytes() == theirs
        assert person.window.isWindowModified()


def test_a_file_that_vanished_is_told_once_and_saving_writes_it_again(
    person: Person, lesson: Path, asked: list[str]
) -> None:
    before = lesson.read_bytes()
    lesson.unlink()
    come_back(person)
    assert person.sees_error
    assert person.message == "lesson.json is no longer there: Save writes it again"
    assert person.window.isWindowModified(), "it is nowhere else"
    type_number(person)
    come_back(person)
    assert not person.sees_error, "told once"
    person.press("Ctrl+Z")
    assert person.window.isWindowModified()
    person.press("Ctrl+S")
    assert lesson.read_bytes() == before
    assert not person.window.isWindowModified()
    assert asked == []


def test_another_file_takes_the_offer_back(person: Person, lesson: Path) -> None:
    put(lesson, THEIRS)
    come_back(person)
    assert offered(person) is not None
    person.open("cat-sat-mat")
    assert offered(person) is None
    come_back(person)
    assert offered(person) is None


def test_a_file_of_the_command_line_is_watched_too(open_window: OpenWindow, tmp_path: Path) -> None:
    path = tmp_path / "lesson.json"
    put(path, OURS)
    person = open_window(str(path))
    come_back(person)
    assert offered(person) is None
    put(path, THEIRS)
    come_back(person)
    assert offered(person) == "lesson.json was changed on disk"


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_save_that_fails_offers_another_place_and_loses_nothing(
    person: Person, lesson: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, code: int
) -> None:
    def fails(*given: Any) -> NoReturn:
        raise OSError(code, os.strerror(code))

    def opens(path: Path, mode: str) -> Any:
        return fails() if "x" in mode else open(path, mode)

    before = lesson.read_bytes()
    type_number(person)
    with monkeypatch.context() as patch:
        if step == "open":
            patch.setattr(disk, "open", opens, raising=False)
        else:
            patch.setattr(disk.os, step, fails)
        person.press("Ctrl+S")
    assert person.sees_error
    assert person.message == f"cannot write lesson.json: {disk.REASONS[code]}: save it elsewhere with Save as"
    assert person.find("btn_save_as").isVisible()
    assert lesson.read_bytes() == before
    assert os.listdir(tmp_path) == ["lesson.json"]
    assert person.window.isWindowModified()
    assert person.value("scores", 0, 0) == 9
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "other.json"), ""))
    person.click("btn_save_as")
    assert session.read((tmp_path / "other.json").read_bytes())[0].matrix("scores")[0, 0] == 9
    assert not person.sees_error
    assert not person.find("btn_save_as").isVisible()
    assert lesson.read_bytes() == before
    assert not person.window.isWindowModified()


def test_save_finishes_what_is_being_typed_however_it_is_called(person: Person, lesson: Path) -> None:
    person.click_cell("scores")
    person.type("8", then=None)
    assert person.window.files.save(person.window)
    assert session.read(lesson.read_bytes())[0].matrix("scores")[0, 0] == 8
