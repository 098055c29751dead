"""A new problem, asked for in its dialog with the keyboard alone."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QDialog

from tests.jobs.conftest import in_dialog
from tests.person import Person

_MOST_KEYS = 30


def make_new(person: Person, source: str = "qkv", **sizes: int) -> None:
    """Press Ctrl+N, choose a source and type sizes; nothing is asked about the work before."""
    person.store.mark_saved()
    in_dialog(lambda dialog: _fill(person, dialog, source, sizes))
    person.press("Ctrl+N")
    assert person.problem.source.kind == source


def _fill(person: Person, dialog: QDialog, source: str, sizes: dict[str, int]) -> None:
    _reach(person, dialog, "new_source")
    box = person.focused
    assert isinstance(box, QComboBox)
    person.press_fast(*["Down"] * (box.findData(source) - box.currentIndex()))
    for name, size in sizes.items():
        _reach(person, dialog, f"new_{name}")
        person.press_fast("Ctrl+A", *str(size))
    person.press_fast("Return")


def _reach(person: Person, dialog: QDialog, name: str) -> None:
    for _ in range(_MOST_KEYS):
        assert dialog.isAncestorOf(person.focused)
        if person.focused.objectName() == name:
            return
        person.press_fast("Tab")
    raise AssertionError(f"the dialog does not lead to {name}")
