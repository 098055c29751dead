"""What no test may get away with, planted in a test run of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PLANTED = """
import warnings
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

class Emitter(QObject):
    emitted = Signal()

left = []

def test_closed_window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

def test_window_left_open(qtbot):
    left.append(QWidget(objectName="stray"))
    left[0].show()

def test_slot_that_raises(qtbot):
    emitter = Emitter()
    emitter.emitted.connect(lambda: 1 / 0)
    emitter.emitted.emit()

def test_warning():
    warnings.warn("planted")
"""


def test_windows_slots_and_warnings_are_watched(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "test_planted.py").write_text(PLANTED)
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_planted.py"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert "2 failed, 2 passed, 1 error" in ended.stdout, ended.stdout + ended.stderr
    assert "left open: QWidget 'stray'" in ended.stdout
    assert "ZeroDivisionError" in ended.stdout
    assert "UserWarning: planted" in ended.stdout
