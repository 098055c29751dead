"""Opening, saving and leaving: nothing is lost, and unsaved work is asked about once."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from explorer.formats import disk, session
from explorer.library import examples
from tests.person import Person, process_events

Answer = QMessageBox.StandardButton
Answers = Callable[[QMessageBox.StandardButton], list[str]]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Gives one answer to every question about unsaved work, and keeps the questions."""

    def always(answer: QMessageBox.StandardButton) -> list[str]:
        asked: list[str] = []

        def execute(box: QMessageBox) -> QMessageBox.StandardButton:
            asked.append(box.text())
            return answer

        monkeypatch.setattr(QMessageBox, "exec", execute)
        return asked

    return always


@pytest.fixture
def picks(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path | None], list[str]]:
    """Picks one file, or none, in every dialog for files, and keeps what the dialogs proposed."""

    def always(path: Path | None) -> list[str]:
        proposed: list[str] = []

        def pick(_parent: QWidget, _title: str, start: str, _filter: str) -> tuple[str, str]:
            proposed.append(start)
            return ("" if path is None else str(path)), ""

        monkeypatch.setattr(QFileDialog, "getOpenFileName", staticmethod(pick))
        monkeypatch.setattr(QFileDialog, "getSaveFileName", staticmethod(pick))
        return proposed

    return always


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """A session file."""
    path = tmp_path / "lesson.json"
    path.write_bytes(session.write(*examples.load("attention-intuition-F")))
    return path


def edit(person: Person, text: str = "7") -> None:
    person.click_cell("q" if person.store.document.matrix("q") is not None else "scores")
    person.type(text)
    assert person.store.is_changed


def saved(path: Path) -> Any:
    return session.read(path.read_bytes())[0].problem.source


def test_the_title_marks_unsaved_work(person: Person) -> None:
    title = examples.title("cat-sat-mat")
    assert person.window.windowTitle() == f"{title}[*] — Attention Explorer"
    assert not person.window.isWindowModified()
    edit(person)
    assert person.window.isWindowModified()
    person.press("Ctrl+Z")
    assert not person.window.isWindowModified()


def test_what_is_saved_is_not_asked_about(person: Person, answers: Answers, lesson: Path) -> None:
    asked = answers(Answer.Cancel)
    person.window.opening.open_path(lesson)
    person.window.close()
    assert not person.window.isVisible()
    assert asked == []


def test_cancel_stays_with_the_work(person: Person, answers: Answers) -> None:
    edit(person)
    document, asked = person.store.document, answers(Answer.Cancel)
    person.choose("Examples", examples.title("attention-intuition-H"))
    assert person.store.document is document
    person.window.close()
    assert person.window.isVisible()
    assert asked == [f"Save the changes to “{document.title}”?"] * 2


def test_discard_asks_once_and_goes_on(person: Person, answers: Answers) -> None:
    edit(person)
    asked = answers(Answer.Discard)
    person.choose("Examples", examples.title("attention-intuition-H"))
    assert person.store.document.title == examples.title("attention-intuition-H")
    person.window.close()
    assert not person.window.isVisible()
    assert len(asked) == 1


def test_save_asks_for_a_name_writes_and_goes_on(
    person: Person, answers: Answers, picks: Callable[[Path | None], list[str]], tmp_path: Path
) -> None:
    edit(person)
    asked = answers(Answer.Save)
    picks(tmp_path / "mine.json")
    person.choose("Examples", examples.title("attention-intuition-H"))
    assert saved(tmp_path / "mine.json").q[0, 0] == 7
    assert person.store.document.title == examples.title("attention-intuition-H")
    assert len(asked) == 1


def test_save_without_a_name_stays(person: Person, answers: Answers, picks: Callable[[Path | None], list[str]]) -> None:
    edit(person)
    document = person.store.document
    answers(Answer.Save)
    picks(None)
    person.choose("Examples", examples.title("attention-intuition-H"))
    assert person.store.document is document
    person.window.close()
    assert person.window.isVisible()


def test_open_change_save(person: Person, picks: Callable[[Path | None], list[str]], lesson: Path) -> None:
    picks(lesson)
    person.press("Ctrl+O")
    assert person.window.windowTitle().startswith("lesson.json[*]")
    assert not person.window.isWindowModified()
    edit(person, "1/3")
    proposed = picks(None)
    person.press("Ctrl+S")
    assert proposed == [], "a document with a file is saved without asking"
    assert saved(lesson).scores[0, 0] == 1 / 3
    assert b'"1/3"' in lesson.read_bytes()
    assert not person.window.isWindowModified()


def test_saving_takes_what_is_still_being_typed(
    person: Person, picks: Callable[[Path | None], list[str]], lesson: Path
) -> None:
    picks(lesson)
    person.press("Ctrl+O")
    person.click_cell("scores")
    person.type("9", then=None)
    assert person.editor is not None
    person.press("Ctrl+S")
    assert saved(lesson).scores[0, 0] == 9


def test_save_as_proposes_the_title_and_adds_the_ending(
    person: Person, picks: Callable[[Path | None], list[str]], tmp_path: Path
) -> None:
    edit(person)
    proposed = picks(tmp_path / "copy")
    person.press("Ctrl+Shift+S")
    assert saved(tmp_path / "copy.json").q[0, 0] == 7
    assert Path(proposed[0]).suffix == ".json"
    assert person.window.windowTitle().startswith("copy.json[*]")
    edit(person, "8")
    person.press("Ctrl+S")
    assert saved(tmp_path / "copy.json").q[0, 0] == 8


def test_a_dialog_that_is_cancelled_changes_nothing(person: Person, picks: Callable[[Path | None], list[str]]) -> None:
    picks(None)
    document = person.store.document
    person.press("Ctrl+O")
    person.press("Ctrl+S")
    assert person.store.document is document
    assert not person.sees_error


def test_recent_files_are_offered_the_last_first(
    person: Person, picks: Callable[[Path | None], list[str]], lesson: Path
) -> None:
    other = lesson.with_name("other.json")
    other.write_bytes(session.write(*examples.load("self-attention-C2")))
    for path in (lesson, other):
        picks(path)
        person.press("Ctrl+O")
    recent = person.entries("File", "Open recent")[:2]
    assert [action.text().partition("\t")[0] for action in recent] == ["other.json", "lesson.json"]
    person.choose("File", "Open recent", "lesson.json")
    assert person.store.document.title == examples.title("attention-intuition-F")


def test_a_recent_file_that_vanished_is_named_and_forgotten(
    person: Person, picks: Callable[[Path | None], list[str]], lesson: Path
) -> None:
    picks(lesson)
    person.press("Ctrl+O")
    person.open("cat-sat-mat")
    document = person.store.document
    lesson.unlink()
    person.choose("File", "Open recent", "lesson.json")
    assert person.sees_error
    assert "lesson.json" in person.message
    assert "no such file" in person.message
    assert person.store.document is document
    assert lesson not in person.window.settings.recent


@pytest.mark.parametrize("content", [b"", b"{", b"[1, [2]]", b'{"format": "attention-explorer", "version": 99}'])
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    person: Person, picks: Callable[[Path | None], list[str]], lesson: Path, content: bytes
) -> None:
    lesson.write_bytes(content)
    document = person.store.document
    picks(lesson)
    person.press("Ctrl+O")
    assert person.sees_error
    assert "lesson.json" in person.message
    assert "\n" not in person.message
    assert person.store.document is document
    edit(person)
    assert not person.sees_error


def test_a_read_only_folder_keeps_file_and_work(
    person: Person, picks: Callable[[Path | None], list[str]], lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picks(lesson)
    person.press("Ctrl+O")
    before = lesson.read_bytes()
    edit(person)

    def refuse(path: Path, mode: str, *rest: Any) -> None:  # nothing is read-only to the superuser
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(disk, "open", refuse, raising=False)
    person.press("Ctrl+S")
    assert person.sees_error
    assert "cannot write lesson.json: no permission" in person.message
    assert "Save as" in person.message
    assert lesson.read_bytes() == before
    assert person.window.isWindowModified()
    assert person.store.is_changed


@pytest.mark.parametrize("target", ["main_window", "scores", "grid_q", "beta_box"])
def test_a_session_dropped_on_the_window_is_opened(person: Person, lesson: Path, target: str) -> None:
    widget = person.window if target == "main_window" else person.find(target)
    widget = widget.viewport() if hasattr(widget, "viewport") else widget
    drop(widget, QUrl.fromLocalFile(str(lesson)))
    assert person.store.document.title == examples.title("attention-intuition-F")


def test_an_address_dropped_on_the_window_is_left(person: Person) -> None:
    document = person.store.document
    drop(person.window, QUrl("https://example.org/lesson.json"))
    assert person.store.document is document
    assert not person.sees_error


def drop(widget: QWidget, url: QUrl) -> None:
    """Carry something over a widget and let it go there, if it is welcome."""
    data = QMimeData()
    data.setUrls([url])
    data.setText(url.toString())
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(5, 5), copy, data, left, none)
    entering.ignore()
    QApplication.sendEvent(widget, entering)
    if entering.isAccepted():
        QApplication.sendEvent(widget, QDropEvent(QPointF(5, 5), copy, data, left, none))
    process_events()
