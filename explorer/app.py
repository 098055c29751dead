"""Builds the store and the window and joins them, or hands the command line over to cli."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from explorer import cli, preflight
from explorer.library.opening import open_or_start
from explorer.state.store import Store

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command, or open the window with what the first word names; returns the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words and (words[0] in cli.COMMANDS or words[0].startswith("-")):
        return cli.main(words)
    complaint = preflight.missing()
    if complaint is not None:
        print(f"attention-explorer: {complaint}", file=sys.stderr)
        return 2
    from explorer.gui.application import run

    return run(lambda: build_window(words))


def build_window(argv: Sequence[str] = ()) -> QMainWindow:
    """The window with the file or example that the first word names; the caller owns the QApplication."""
    from explorer.gui.main_window import MainWindow

    opened, error = open_or_start(argv)
    window = MainWindow(Store(opened.document, opened.view), path=opened.path)
    if error is not None and len(argv) == 1 and os.path.isfile(argv[0]):
        window.opening.open_path(Path(argv[0]))  # no session, but perhaps numbers
    elif error is not None:
        window.show_error(error)
    return window
