"""What windows that were killed have left in the folder for recovery files."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

from explorer.formats import recovery
from explorer.formats.recovery import RecoveryFile, Work
from explorer.library import examples

TIME = datetime(2026, 3, 1, 14, 5, 9).astimezone()


def work_on(path: Path | None = None, example: str = "attention-intuition-F", **about: Any) -> Work:
    """Work on an example."""
    document, view = examples.load(example)
    return Work(document, view, **{"time": TIME, "path": path, **about})


def leave(folder: Path, work: Work | None = None, age: int = 0) -> Path:
    """Leave the file of a window that was killed, and its lock file, but no lock."""
    file = RecoveryFile(folder)
    file.keep(recovery.write(work or work_on()))
    assert file._lock is not None
    file._lock.release()
    when = 1_700_000_000 - age
    os.utime(file.path, (when, when))
    return file.path
