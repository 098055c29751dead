"""Who takes back: a line its own typing, the window everything else."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

_HISTORY = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


def belongs_to_window(line: QLineEdit, event: QEvent) -> bool:
    """Whether a key asks to undo or redo, and the line has no typing of its own to take back."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    has_typing = line.isModified() and line.isUndoAvailable()
    return not has_typing and any(event.matches(key) for key in _HISTORY)
