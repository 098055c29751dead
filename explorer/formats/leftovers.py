"""Temporary files that a killed process left beside what it was saving."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

from explorer.formats.locking import hold

_NAME = re.compile(r"\.explorer-[0-9a-f]{16}\.tmp")


def fresh_name() -> str:
    """A name that nothing else in the folder has."""
    return f".explorer-{secrets.token_hex(8)}.tmp"


def sweep(folder: Path) -> None:
    """Take away what is left in the folder, but nothing that a living process is writing, which holds a lock on it."""
    with suppress(OSError), os.scandir(folder) as entries:
        left = [entry.path for entry in entries if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)]
        for path in left:
            with suppress(OSError):
                _remove_if_dead(path)


def _remove_if_dead(path: str) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        is_dead = hold(descriptor)
    finally:
        os.close(descriptor)  # before it is removed: some systems remove no open file
    if is_dead:
        os.unlink(path)
