"""Saving says so, and replaces no file that was not asked about."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from explorer.formats import session
from tests.person import Person


@pytest.mark.parametrize("answer", [QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.Cancel])
def test_a_name_without_ending_asks_before_it_replaces(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: QMessageBox.StandardButton
) -> None:
    there = tmp_path / "mine.json"
    there.write_bytes(b"precious")
    asked: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or answer)
    person.begin()
    saved = person.window.files.ask_and_save(person.window)
    assert asked == ["mine.json exists. Replace it?"]
    assert saved == (answer == QMessageBox.StandardButton.Yes)
    if saved:
        assert session.read(there.read_bytes())[0].title == "cat sat mat"
    else:
        assert there.read_bytes() == b"precious"


def test_saving_says_so_and_settles_an_earlier_failure(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person.begin()
    names = iter([str(tmp_path / "no such folder" / "a.json"), str(tmp_path / "b.json")])
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (next(names), ""))
    assert not person.window.files.ask_and_save(person.window)
    assert person.sees_error
    assert person.window.files.ask_and_save(person.window)
    person.settle()
    assert not person.sees_error
    assert person.message.startswith("Saved b.json")
