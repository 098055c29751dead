"""Where the keyboard is: the grid, the panel, the open editor, and the way to the next panel."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from explorer.gui.desk import Desk
from explorer.gui.docks import PanelDock
from explorer.gui.grid import Grid
from explorer.gui.widgets.label_editor import LabelEditor
from explorer.gui.widgets.picture_view import PictureView

W = TypeVar("W", bound=QWidget)


def around(kind: type[W]) -> W | None:
    """The widget of a kind that the keyboard is on or inside."""
    widget = QApplication.focusWidget()
    while widget is not None and not isinstance(widget, kind):
        widget = widget.parentWidget()
    return widget


def active_grid(window: Desk) -> Grid | None:
    """The grid that has the focus, or else the first that is shown."""
    shown = [grid for grid in window.ground.findChildren(Grid) if grid.isVisibleTo(window)]
    focused = around(Grid)
    return focused if focused in shown else next(iter(shown), None)


def active_dock(window: Desk) -> PanelDock | None:
    """The panel that has the focus, or else the first that is shown."""
    shown = [dock for dock in window.ground.docks.values() if dock.isVisibleTo(window)]
    focused = around(PanelDock)
    return focused if focused in shown else next(iter(shown), None)


def commit_editor(window: Desk) -> None:
    """Finish what is being typed into a cell or a label, so that it is not lost and lands where it belongs."""
    for grid in window.ground.findChildren(Grid):
        grid.commit()
    for labels in window.ground.findChildren(LabelEditor):
        labels.commit()


def go_to_panel(window: Desk, step: int) -> None:
    """Move the focus to the next panel, the dials, what is offered, the top bar or a preview, round and round."""
    docks = window.ground.docks.values()
    every = [*docks, window.dials, window.message_bar, window.top_bar, window.opening.preview]
    places: list[QWidget] = [place for place in every if place.isVisibleTo(window)]
    focused = QApplication.focusWidget()
    now = next((at for at, place in enumerate(places) if focused is not None and place.isAncestorOf(focused)), -1)
    if now < 0 and step < 0:
        now = 0
    for turn in range(1, len(places) + 1):
        target = first_stop(places[(now + step * turn) % len(places)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def first_stop(place: QWidget) -> QWidget | None:
    """What Tab reaches first inside a place: its grid or picture before its buttons."""
    stops = [
        child for child in place.findChildren(QWidget)
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisibleTo(place) and child.isEnabled()
    ]  # fmt: skip
    main = [child for child in stops if isinstance(child, Grid | PictureView)]
    return next(iter(main or stops), None)
