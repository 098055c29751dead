"""What a crash has left is offered at the next start, in the message bar, and no file of the person is touched."""

from __future__ import annotations

import errno
from datetime import datetime
from pathlib import Path
from typing import NoReturn

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox, QPushButton

from explorer.formats import disk, session
from explorer.library import examples
from tests.orphaned import TIME, leave, work_on
from tests.person import OpenWindow, Person

Answer = QMessageBox.StandardButton


@pytest.fixture
def folder(home: Path) -> Path:
    """Where windows that this test opens keep what is unsaved."""
    return home / "recovery"


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """A session file."""
    path = tmp_path / "lesson.json"
    path.write_bytes(session.write(*examples.load("attention-intuition-F")))
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that were asked; each was answered with Discard."""
    texts: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: texts.append(box.text()) or Answer.Discard)
    return texts


def type_number(person: Person, text: str) -> None:
    person.click_cell("q" if person.store.document.matrix("q") is not None else "scores")
    person.type(text)


def offered(person: Person) -> str | None:
    """What the line above the message line offers."""
    line = person.find("offer_line")
    return str(line.findChild(QLabel, "offer_text").whole) if line.isVisible() else None


def answer_by_key(person: Person, keys: str) -> None:
    """Press the letter of an answer; its button stays down for a moment, as under a mouse."""
    person.press(keys)
    person.qtbot.waitUntil(lambda: offered(person) is None, timeout=3000)
    person.settle()


def full(descriptor: int) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_nothing_is_offered_where_nothing_was_left(open_window: OpenWindow) -> None:
    person = open_window()
    assert offered(person) is None
    assert person.window.findChild(QPushButton, "btn_restore") is None


@pytest.mark.parametrize("words", [(), ("self-attention-C2",)])
def test_work_is_offered_in_the_message_bar(open_window: OpenWindow, folder: Path, words: tuple[str, ...]) -> None:
    leave(folder, work_on(Path("/nowhere/lesson.json")))
    person = open_window(*words)
    assert QApplication.activeModalWidget() is None
    title = examples.title("attention-intuition-F")
    assert offered(person) == f"Work from {TIME:%Y-%m-%d %H:%M} on “{title}” (lesson.json) was not saved"
    for name, text in (("btn_restore", "Restore"), ("btn_discard", "Discard")):
        button = person.find(name)
        assert person.find("message_bar").isAncestorOf(button)
        assert button.isVisible()
        assert button.accessibleName() == text
        assert "was not saved" in button.accessibleDescription()
    assert person.find("btn_restore").mapTo(person.window, person.find("btn_restore").rect().bottomRight()).x() < 1280
    type_number(person, "3")
    assert offered(person) is not None, "it waits"
    person.go_to("btn_discard")
    assert person.focused.objectName() == "btn_discard"


def test_work_of_today_is_told_by_the_hour(open_window: OpenWindow, folder: Path) -> None:
    now = datetime.now().astimezone()
    leave(folder, work_on(time=now))
    assert f"Work from {now:%H:%M} on" in str(offered(open_window()))


def test_restored_work_is_unsaved_and_saved_only_when_asked(
    open_window: OpenWindow, folder: Path, lesson: Path, asked: list[str]
) -> None:
    before = lesson.read_bytes()
    orphan = leave(folder, work_on(lesson, "attention-intuition-H"))
    person = open_window()
    answer_by_key(person, "Alt+R")
    assert person.store.document.title == examples.title("attention-intuition-H")
    assert person.window.windowTitle().startswith("lesson.json[*]")
    assert person.window.isWindowModified()
    assert offered(person) is None
    assert lesson.read_bytes() == before
    assert not orphan.exists()
    assert len(list(folder.glob("*.json"))) == 1, "still safe, as this window's own"
    person.press("Ctrl+S")
    assert session.read(lesson.read_bytes())[0].title == examples.title("attention-intuition-H")
    assert not person.window.isWindowModified()
    assert list(folder.glob("*.json")) == []
    assert asked == []


def test_restored_work_that_is_closed_is_asked_about_and_leaves_the_file_alone(
    open_window: OpenWindow, folder: Path, lesson: Path, asked: list[str]
) -> None:
    before = lesson.read_bytes()
    leave(folder, work_on(lesson, "attention-intuition-H"))
    person = open_window()
    person.click("btn_restore")
    person.window.close()
    assert len(asked) == 1
    assert lesson.read_bytes() == before
    assert list(folder.iterdir()) == []


def test_the_file_that_changed_since_the_crash_is_not_written_over_unasked(
    open_window: OpenWindow, folder: Path, lesson: Path, asked: list[str]
) -> None:
    leave(folder, work_on(lesson, "attention-intuition-H", digest="of what it was"))
    person = open_window()
    person.click("btn_restore")
    before = lesson.read_bytes()
    person.press("Ctrl+S")
    assert asked == ["lesson.json was changed on disk. Replace it?"]
    assert lesson.read_bytes() == before


def test_restored_work_without_a_file_asks_for_one(
    open_window: OpenWindow, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave(folder)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "new.json"), ""))
    person = open_window()
    person.click("btn_restore")
    assert person.window.isWindowModified()
    person.press("Ctrl+S")
    assert session.read((tmp_path / "new.json").read_bytes())[0].title == examples.title("attention-intuition-F")


def test_discarded_work_is_gone(open_window: OpenWindow, folder: Path) -> None:
    leave(folder)
    person = open_window()
    document = person.store.document
    answer_by_key(person, "Alt+D")
    assert offered(person) is None
    assert list(folder.iterdir()) == []
    assert person.store.document is document
    assert not person.window.isWindowModified()


def test_what_is_not_answered_is_offered_again(open_window: OpenWindow, folder: Path) -> None:
    orphan = leave(folder)
    person = open_window()
    person.window.close()
    assert orphan.exists()
    assert offered(open_window()) is not None


def test_two_windows_offer_it_once(open_window: OpenWindow, folder: Path) -> None:
    leave(folder)
    assert [offered(open_window()) is None for _ in range(2)] == [False, True]


def test_several_are_offered_the_newest_first(open_window: OpenWindow, folder: Path, asked: list[str]) -> None:
    for age, example in ((30, "attention-intuition-A"), (10, "attention-intuition-C"), (20, "self-attention-C1")):
        leave(folder, work_on(example=example), age)
    person = open_window()
    said = [str(offered(person))]
    person.click("btn_restore")
    assert person.store.document.title == examples.title("attention-intuition-C")
    said.append(str(offered(person)))
    person.click("btn_discard")
    said.append(str(offered(person)))
    assert [examples.title(example) in text for example, text in zip(
        ("attention-intuition-C", "self-attention-C1", "attention-intuition-A"), said, strict=True
    )] == [True] * 3  # fmt: skip
    person.window.close()
    assert len(list(folder.glob("*.json"))) == 1, "the one that was not answered"


def test_staying_with_what_is_open_keeps_the_offer(
    open_window: OpenWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orphan = leave(folder)
    person = open_window()
    type_number(person, "7")
    monkeypatch.setattr(QMessageBox, "exec", lambda box: Answer.Cancel)
    person.click("btn_restore")
    assert offered(person) is not None
    assert person.value("q", 0, 0) == 7
    assert orphan.exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\x00" * 100, None])
def test_what_cannot_be_read_is_set_aside_in_one_line(
    open_window: OpenWindow, folder: Path, content: bytes | None
) -> None:
    leave(folder, age=50)
    broken = leave(folder)
    broken.write_bytes(broken.read_bytes()[:300] if content is None else content)
    person = open_window()
    assert person.sees_error
    assert "\n" not in person.message
    assert f"unsaved work cannot be read: {broken.name}: " in person.message
    assert str(broken.with_suffix(".unreadable")) in person.message
    assert offered(person) is not None, "the next one is offered"
    person.window.close()
    assert broken.with_suffix(".unreadable").exists()
    assert not open_window().sees_error


def test_on_a_full_disk_restored_work_stays_where_it_is(
    open_window: OpenWindow, folder: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    orphan = leave(folder)
    person = open_window()
    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "fsync", full)
        person.click("btn_restore")
    assert person.store.document.title == examples.title("attention-intuition-F")
    assert person.sees_error
    assert orphan.exists()
    assert offered(person) is None
    person.window.close()


def test_a_folder_that_cannot_be_read_offers_nothing(open_window: OpenWindow, home: Path) -> None:
    home.mkdir()
    (home / "recovery").write_bytes(b"a file")
    person = open_window()
    assert offered(person) is None
    assert not person.sees_error


def test_f6_reaches_what_is_offered(open_window: OpenWindow, folder: Path) -> None:
    leave(folder)
    person = open_window()
    reached = set()
    for _ in range(12):
        person.press("F6")
        reached.add(person.focused.objectName())
    assert "btn_restore" in reached
