"""Copy, paste and select all, wherever the keyboard is."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QLineEdit

from explorer.errors import ExplorerError
from explorer.gui.desk import Desk
from explorer.gui.focus import around
from explorer.gui.grid import Copied, Grid, clipboard
from explorer.gui.grid.block import Block
from explorer.gui.panels.panel import PicturePanel


def copy(window: Desk) -> None:
    """Copy the selected text of a line, the selected block of a grid, or all numbers of a picture, in full."""
    line = _line()
    if line is not None:
        line.copy()
    else:
        copy_as(window, "tsv")


def copy_as(window: Desk, kind: str) -> None:
    """Copy the selected block of a grid, or all numbers of a picture, as text of a kind."""
    try:
        window.reporter.complain(None)
        window.reporter.say(clipboard.put(_here(), kind, window.store.view.decimals))
    except ExplorerError as error:
        window.reporter.complain(error)


def _here() -> Copied:
    grid, panel = _grid(), around(PicturePanel)
    if grid is not None:
        return grid.block
    if panel is not None:
        return panel.copied()
    raise ExplorerError("nothing is chosen to copy", "go to a grid, or to a picture for all of its numbers")


def paste(window: Desk) -> None:
    """Paste into an open line its first line, into a grid the whole block."""
    line = _line()
    if line is not None:
        clipboard.paste_line(line)
        return
    window.refresh()  # what was typed last may have changed the shape
    grid = _grid()
    if grid is not None:
        grid.pasting.paste()
    else:
        window.reporter.complain(ExplorerError("no cell is chosen to paste into", "click the one it should begin in"))


def select_all(_window: Desk) -> None:
    """Select a whole line or grid."""
    chosen = _line() or _grid()
    if chosen is not None:
        chosen.selectAll()


def _line() -> QLineEdit | None:
    focused = QApplication.focusWidget()
    return focused if isinstance(focused, QLineEdit) else None


def _grid() -> Grid | None:
    """The grid that the keyboard is in, or in whose strip it is."""
    block = around(Block)
    return None if block is None else block.grid
