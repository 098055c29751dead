"""Unsaved work is kept a few seconds after an edit, and nothing is left when it is saved or given up."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from threading import Event
from typing import NoReturn

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from explorer.formats import disk, recovery, session
from explorer.gui import keeper as keeping
from explorer.gui.keeper import Keeper
from explorer.library import examples
from tests.person import Person, process_events

Answer = QMessageBox.StandardButton


@pytest.fixture
def keeper(person: Person) -> Iterator[Keeper]:
    """The keeper of the window; in the end nothing is unsaved."""
    yield person.window.keeper
    person.open("cat-sat-mat")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that were asked; each was answered with Discard."""
    texts: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: texts.append(box.text()) or Answer.Discard)
    return texts


def type_number(person: Person, text: str) -> None:
    person.click_cell("q" if person.store.document.matrix("q") is not None else "scores")
    person.type(text)


def let_time_pass(keeper: Keeper) -> None:
    """What happens when the delay is over."""
    assert keeper.timer.isActive()
    keeper.timer.stop()
    keeper.timer.timeout.emit()
    keeper.wait()
    process_events()


def kept(keeper: Keeper) -> list[recovery.Work]:
    """What is in the folder of the session's window."""
    folder = keeper._file.path.parent
    return [recovery.read(path.read_bytes()) for path in folder.glob("*.json")]


def full(descriptor: int) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_an_edit_is_kept_before_five_seconds_are_over(person: Person, keeper: Keeper) -> None:
    assert not keeper.timer.isActive()
    type_number(person, "7")
    assert keeper.timer.isActive()
    assert keeper.timer.isSingleShot()
    assert keeper.timer.interval() == keeping.DELAY < 5000
    assert kept(keeper) == []
    let_time_pass(keeper)
    (work,) = kept(keeper)
    assert session.write(work.document, work.view) == session.write(person.store.document, person.store.view)
    assert work.path is None
    assert abs((datetime.now().astimezone() - work.time).total_seconds()) < 60
    assert not person.sees_error


def test_the_delay_counts_from_the_first_edit_and_starts_again_with_the_next(
    person: Person, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[int] = []

    class Timer:
        def start(self) -> None:
            starts.append(1)

        def stop(self) -> None:
            starts.clear()

        def isActive(self) -> bool:
            return bool(starts)

    with monkeypatch.context() as patch:
        patch.setattr(keeper, "timer", Timer())
        for text in ("7", "8", "9"):
            type_number(person, text)
        assert starts == [1]
        starts.clear()
        keeper._start()
        keeper.wait()
        person.focus("scores")
        person.press("Right")
        assert starts == [], "looking elsewhere is no work"
        type_number(person, "5")
        assert starts == [1]


def test_what_is_taken_back_leaves_nothing(person: Person, keeper: Keeper) -> None:
    type_number(person, "7")
    let_time_pass(keeper)
    assert len(kept(keeper)) == 1
    person.press("Ctrl+Z")
    assert kept(keeper) == []
    assert not keeper.timer.isActive()
    person.press("Ctrl+Shift+Z")
    assert keeper.timer.isActive()


def test_what_is_saved_leaves_nothing(
    person: Person, keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine.json"), ""))
    type_number(person, "7")
    let_time_pass(keeper)
    person.press("Ctrl+S")
    assert kept(keeper) == []
    type_number(person, "8")
    let_time_pass(keeper)
    (work,) = kept(keeper)
    assert work.path == tmp_path / "mine.json"
    assert work.digest == person.window.files.digest is not None


@pytest.mark.parametrize("is_closing", [True, False])
def test_what_is_discarded_leaves_nothing(person: Person, keeper: Keeper, asked: list[str], is_closing: bool) -> None:
    type_number(person, "7")
    let_time_pass(keeper)
    if is_closing:
        person.window.close()
        assert list(keeper._file.path.parent.iterdir()) == [], "not even a lock"
    else:
        person.choose("Examples", examples.title("attention-intuition-H"))
        assert kept(keeper) == []
    assert len(asked) == 1
    assert keeper.keep_now(), "the end of the program brings nothing back"
    assert kept(keeper) == []


def test_an_end_without_a_question_keeps_what_was_just_typed(person: Person, keeper: Keeper) -> None:
    type_number(person, "7")
    assert keeper.keep_now()
    assert len(kept(keeper)) == 1
    assert not keeper.timer.isActive()


def test_a_failure_is_told_once_and_every_edit_tries_again(
    person: Person, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "fsync", full)
        type_number(person, "7")
        let_time_pass(keeper)
        assert person.sees_error
        assert person.message == "unsaved work cannot be kept safe from a crash: no space left: save it soon"
        type_number(person, "8")
        assert not person.sees_error
        let_time_pass(keeper)
        assert not person.sees_error, "told once"
        type_number(person, "9")
    let_time_pass(keeper)
    assert kept(keeper)[0].document is not None
    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "fsync", full)
        type_number(person, "6")
        let_time_pass(keeper)
        assert person.sees_error, "another failure is told again"
    assert kept(keeper)[0].document.matrix("q")[0, 0] == 9


def test_an_unexpected_failure_is_told_with_details(
    person: Person, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(work: recovery.Work) -> NoReturn:
        raise RuntimeError("planted in the writer")

    monkeypatch.setattr(keeping.recovery, "write", broken)
    type_number(person, "7")
    let_time_pass(keeper)
    assert person.sees_error
    assert person.find("btn_details").isVisible()


def test_the_window_goes_on_while_it_is_written(
    person: Person, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, real = Event(), recovery.write

    def slow(work: recovery.Work) -> bytes:
        assert go_on.wait(20)
        return real(work)

    monkeypatch.setattr(keeping.recovery, "write", slow)
    type_number(person, "7")
    keeper.timer.stop()
    keeper.timer.timeout.emit()
    type_number(person, "8")
    assert person.value("q", 0, 0) == 8
    keeper.timer.stop()
    keeper.timer.timeout.emit()  # the slow one is not over
    assert keeper.timer.isActive()
    go_on.set()
    keeper.wait()
    assert kept(keeper)[0].document.matrix("q")[0, 0] == 7
    let_time_pass(keeper)
    assert kept(keeper)[0].document.matrix("q")[0, 0] == 8
