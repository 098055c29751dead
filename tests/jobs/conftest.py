"""What the jobs need besides somebody at the window: a dialog driven, pixels, another process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog

from tests.person import open_window

__all__ = ["assert_passed", "in_dialog", "open_window", "pixels", "start_in_child"]

ROOT = Path(__file__).resolve().parent.parent.parent


def pixels(image: QImage) -> np.ndarray:
    """An image as numbers (height, width, 4)."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4).copy()


def in_dialog(drive: Callable[[QDialog], object]) -> None:
    """Have the next modal dialog driven; whatever happens, it does not stay open."""

    def act(tries: int = 200) -> None:
        dialog = QApplication.activeModalWidget()
        is_ready = dialog is not None and dialog.isActiveWindow() and dialog.focusWidget() is not None
        if not is_ready and tries:
            QTimer.singleShot(5, lambda: act(tries - 1))
        if dialog is None or (not is_ready and tries):
            return
        try:
            drive(dialog)
        finally:
            if dialog.isVisible():
                dialog.reject()

    QTimer.singleShot(0, act)


def start_in_child(*tests: str, **environment: str) -> subprocess.Popen[str]:
    """Start some tests of these jobs in a process of its own, under another environment."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.Popen(
        command, cwd=ROOT, env=os.environ | environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def assert_passed(*children: subprocess.Popen[str]) -> None:
    """The tests that were started have run and passed, in every process."""
    ended = [(child.communicate(timeout=120)[0], child.returncode) for child in children]
    for said, status in ended:
        assert status == 0, said
        assert " passed" in said
        assert "skipped" not in said
