"""Somebody's battery dies in the middle: nothing is lost, and the file is what it was until it is saved."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox

from explorer.formats import disk, session
from explorer.library import examples
from tests.person import OpenWindow, Person

ROOT = Path(__file__).resolve().parent.parent.parent
CHANGED = {(0, 0): 7.0, (0, 2): 1 / 3, (0, 3): -2.5}

# Types into the real window, lets the time for keeping pass, and is killed as by kill -9 as soon as it is kept.
KILLED = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from explorer.app import build_window
from tests.person import Person

app = QApplication([])
app.setStyle("Fusion")
window = build_window([])
window.show()
window.activateWindow()
person = Person(window, QtBot(None))
person.settle()
window.opening.open_path(Path(sys.argv[1]))
person.settle()
for column, text in ((0, "7"), (2, "1/3"), (3, "-2.5")):
    person.click_cell("scores", 0, column)
    person.type(text)
assert window.keeper.timer.isActive()
window.keeper._written.connect(lambda: os.kill(os.getpid(), signal.SIGKILL))
window.keeper.timer.setInterval(0)
QTimer.singleShot(20_000, app.quit)
app.exec()
"""

# Starts the program as a person does, and closes its window when it is shown.
STARTED = """
import sys
from PySide6.QtCore import QTimer
from explorer import app
from explorer.gui.main_window import MainWindow

def close_later(window, event, show=MainWindow.showEvent):
    show(window, event)
    QTimer.singleShot(0, lambda: (print(window.message_bar.offers.shown.text), window.close()))

MainWindow.showEvent = close_later
sys.exit(app.main([]))
"""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.json"
    path.write_bytes(session.write(*examples.load("attention-intuition-F")))
    return path


def in_child(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *words], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def assert_changed(person: Person) -> None:
    scores = person.store.document.matrix("scores")
    assert scores is not None
    assert {place: scores[place] for place in CHANGED} == CHANGED
    assert scores[0, 1] == 2.5
    assert person.store.document.typed_text("scores", 0, 2) == "1/3"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_nothing_is_lost_when_the_plug_is_pulled(
    open_window: OpenWindow, home: Path, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = lesson.read_bytes()
    ended = in_child(KILLED, str(lesson))
    assert ended.returncode == -9, ended.stderr
    assert lesson.read_bytes() == before
    assert len(list((home / "recovery").glob("*.json"))) == 1

    started = in_child(STARTED)
    assert started.returncode == 0, started.stderr
    assert "Traceback" not in started.stderr
    assert "was not saved" in started.stdout

    person = open_window()
    assert QApplication.activeModalWidget() is None
    assert person.find("message_bar").isAncestorOf(person.find("btn_restore"))
    assert "(lesson.json) was not saved" in person.window.findChild(QLabel, "offer_text").whole
    person.click("btn_restore")
    assert_changed(person)
    assert person.window.isWindowModified()
    assert lesson.read_bytes() == before

    asked: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or QMessageBox.StandardButton.Discard)
    person.window.close()
    assert not person.window.isVisible()
    assert len(asked) == 1
    assert lesson.read_bytes() == before
    assert list((home / "recovery").iterdir()) == []
    assert person.window.keeper.keep_now()


def test_half_a_file_is_refused_in_one_line_and_the_work_stays(
    open_window: OpenWindow, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = lesson.with_name("half.json")
    half.write_bytes(lesson.read_bytes()[: lesson.stat().st_size // 2])
    person = open_window(str(lesson))
    person.click_cell("scores")
    person.type("7")
    document = person.store.document
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(half), ""))
    person.press("Ctrl+O")
    assert person.sees_error
    assert person.message.startswith("half.json: ")
    assert "cut off" in person.message
    assert "\n" not in person.message
    assert person.store.document is document
    assert person.window.isWindowModified()


def test_a_read_only_folder_is_told_with_a_way_out(
    open_window: OpenWindow, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = lesson.read_bytes()
    person = open_window(str(lesson))
    person.click_cell("scores")
    person.type("7")

    def refuses(path: Path, mode: str) -> Any:  # nothing is read-only to the superuser
        if "x" in mode:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return open(path, mode)

    monkeypatch.setattr(disk, "open", refuses, raising=False)
    person.press("Ctrl+S")
    assert person.sees_error
    assert person.message == "cannot write lesson.json: no permission: save it elsewhere with Save as"
    assert person.find("btn_save_as").isVisible()
    assert not person.find("btn_details").isVisible()
    assert lesson.read_bytes() == before
    assert person.window.isWindowModified()
    assert person.value("scores", 0, 0) == 7
