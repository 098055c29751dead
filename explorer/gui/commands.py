"""What can be done from the menus and the keyboard, in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt

from explorer.gui import dialogs, exchange
from explorer.gui.desk import Desk
from explorer.gui.focus import active_dock, active_grid, go_to_panel
from explorer.gui.grid.bias_block import BiasBlock
from explorer.state import bias, edits, resizing
from explorer.state.document import View

Run = Callable[[Desk], object]


@dataclass(frozen=True)
class Command:
    """A menu entry: ``keys`` are its shortcuts, an empty ``text`` is a line between entries.

    What is being typed is finished before it runs, unless it ``is_for_lines`` too.
    """

    id: str
    menu: str
    text: str = ""
    keys: tuple[str, ...] = ()
    run: Run = lambda window: None
    is_for_lines: bool = False


def _new(window: Desk) -> None:
    dialog = dialogs.NewDialog(window)
    if dialog.exec():
        window.files.open_document(window, dialog.document(), View())


def _resize(axis: int, *, is_added: bool) -> Run:
    def run(window: Desk) -> None:
        grid = active_grid(window)
        if grid is None or not grid.pasting.is_settled():
            return
        at = grid.place[axis]
        if is_added:
            add = (resizing.add_row, resizing.add_column)[axis]
            window.request(add(grid.name, at + 1))
            window.refresh()
            row, column = grid.place
            grid.setCurrentIndex(grid.model().index(row + (axis == 0), column + (axis == 1)))
        else:
            remove = (resizing.remove_row, resizing.remove_column)[axis]
            window.request(remove(grid.name, at))

    return run


def _rename(window: Desk) -> None:
    grid = active_grid(window)
    if grid is not None:
        grid.rename(Qt.Orientation.Vertical, grid.place[0])


def _hide_key(window: Desk) -> None:
    window.request(edits.toggle_key(window.store.view.key))


def _add_bias(window: Desk) -> None:
    window.request(bias.add_bias())
    window.request(bias.SHOW_IT)


def _alibi(window: Desk) -> None:
    block = window.ground.findChild(BiasBlock)
    block.write_alibi()
    window.refresh()
    block.slope_box.setFocus(Qt.FocusReason.TabFocusReason)  # Enter there writes it anew with another slope


def _maximize(window: Desk) -> None:
    dock = active_dock(window)
    if window.ground.is_maximized:
        window.ground.restore()
    elif dock is not None:
        window.ground.toggle_maximized(dock)


def _arrange(window: Desk) -> None:
    window.ground.arrange()
    go_to_panel(window, 1)


def _zoom(step: int) -> Run:
    def run(window: Desk) -> None:
        window.appearance.step_zoom(step)
        window.restyle()

    return run


def _projector(window: Desk) -> None:
    window.appearance.toggle_projector()
    window.restyle()


def _keys(window: Desk) -> None:
    dialogs.keys_dialog(window, key_rows()).exec()


def _about(window: Desk) -> None:
    dialogs.about_dialog(window).exec()


COMMANDS: tuple[Command, ...] = (
    Command("new", "&File", "&New…", ("Ctrl+N",), _new),
    Command("open", "&File", "&Open…", ("Ctrl+O",), lambda window: window.opening.ask_and_open()),
    Command("slice", "&File", "C&hoose slice…", (), lambda window: window.opening.choose_slice()),
    Command("recent", "&File", "Open &recent"),
    Command("line", "&File"),
    Command("save", "&File", "&Save", ("Ctrl+S",), lambda window: window.files.save(window)),
    Command("save_as", "&File", "Save &as…", ("Ctrl+Shift+S",), lambda window: window.files.ask_and_save(window)),
    Command("line", "&File"),
    Command("quit", "&File", "&Quit", ("Ctrl+Q",), lambda window: window.close()),
    Command("undo", "&Edit", "&Undo", ("Ctrl+Z",), lambda window: window.store.undo()),
    Command("redo", "&Edit", "&Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), lambda window: window.store.redo()),
    Command("reset", "&Edit", "&Back to example", ("Ctrl+B",), lambda window: window.store.reset()),
    Command("line", "&Edit"),
    Command("copy", "&Edit", "&Copy", ("Ctrl+C",), exchange.copy, is_for_lines=True),
    Command("copy_as", "&Edit", "Copy a&s"),
    Command("paste", "&Edit", "&Paste", ("Ctrl+V",), exchange.paste, is_for_lines=True),
    Command("select_all", "&Edit", "Select &all", ("Ctrl+A",), exchange.select_all, is_for_lines=True),
    Command("line", "&Edit"),
    Command("add_row", "&Edit", "Add ro&w below", ("Ctrl+R",), _resize(0, is_added=True)),
    Command("remove_row", "&Edit", "Remove row", ("Ctrl+Shift+R",), _resize(0, is_added=False)),
    Command("add_column", "&Edit", "Add &column to the right", ("Ctrl+K",), _resize(1, is_added=True)),
    Command("remove_column", "&Edit", "Remove column", ("Ctrl+Shift+K",), _resize(1, is_added=False)),
    Command("add_values", "&Edit", "Add &values", (), lambda window: window.request(resizing.add_values())),
    Command("add_bias", "&Edit", "Add b&ias B", (), _add_bias),
    Command("alibi", "&Edit", "Bias B from A&LiBi", (), _alibi),
    Command("remove_bias", "&Edit", "Remove bias B", (), lambda window: window.request(bias.remove_bias())),
    Command("line", "&Edit"),
    Command("rename", "&Edit", "Rename &token", ("Ctrl+T",), _rename),
    Command("hide_key", "&Edit", "&Hide or show the chosen key", ("Ctrl+H",), _hide_key),
    Command("maximize", "&View", "&Maximise or restore panel", ("Ctrl+M",), _maximize),
    Command("arrange", "&View", "&Reset layout", (), _arrange),
    Command("line", "&View"),
    Command("theme", "&View", "&Theme"),
    Command("projector", "&View", "&Projector theme", ("F9",), _projector),
    Command("colormap", "&View", "&Colours of the weights"),
    Command("line", "&View"),
    Command("zoom_in", "&View", "Zoom &in", ("Ctrl++", "Ctrl+="), _zoom(1)),
    Command("zoom_out", "&View", "Zoom &out", ("Ctrl+-",), _zoom(-1)),
    Command("zoom_reset", "&View", "&Ordinary size", ("Ctrl+0",), _zoom(0)),
    Command("line", "&View"),
    Command("next_panel", "&View", "&Next panel", ("F6",), lambda window: go_to_panel(window, 1)),
    Command("previous_panel", "&View", "Pre&vious panel", ("Shift+F6",), lambda window: go_to_panel(window, -1)),
    Command("keys", "&Help", "&Keys", ("F1",), _keys),
    Command("about", "&Help", "&About Attention Explorer", (), _about),
)

GRID_COMMANDS = (
    "copy",
    "copy_as",
    "paste",
    "select_all",
    "add_row",
    "remove_row",
    "add_column",
    "remove_column",
    "rename",
)

_MORE_KEYS: tuple[tuple[str, str], ...] = (
    ("", "In a grid"),
    ("any number", "replaces the cell: 2,5 · 1/3 · sqrt(2) · -.5 · 1e-3 · 2^-3 · pi · exp(1) · -inf in scores, bias"),
    ("F2, Enter, double click", "edit what was typed"),
    ("Enter, Shift+Enter", "commit and go down, up"),
    ("Tab, Shift+Tab", "commit and go right, left; from the last cell out of the grid"),
    ("Ctrl+Enter", "commit and stay"),
    ("Esc", "restore the old number"),
    ("Delete", "set 0"),
    ("Alt+Up, Alt+Down", "a tenth more or less; with Shift a hundredth"),
    ("drag a number", "change it; with Shift finely"),
    ("double click a label", "rename the token"),
    ("Enter, Esc while a paste waits", "take it with its repair, drop it"),
    ("", "In a picture"),
    ("arrows, click", "choose a query and a key"),
    ("Space", "hide or show the chosen cell"),
    ("F2, a digit", "with typed scores: edit the score in place"),
    ("Ctrl+C", "copy all its numbers, in full"),
)


def key_rows() -> list[tuple[str, str]]:
    """Every key with what it does, under headings."""
    rows: list[tuple[str, str]] = []
    menu = ""
    for command in COMMANDS:
        if not command.keys:
            continue
        if command.menu != menu:
            menu = command.menu
            rows.append(("", menu.replace("&", "")))
        rows.append((", ".join(command.keys), command.text.replace("&", "").rstrip("…")))
    return [*_MORE_KEYS, *rows]
