"""The menu bar, built from the table of commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMenu

from explorer.gui import appearance, exchange
from explorer.gui.commands import COMMANDS, Command
from explorer.gui.desk import Desk
from explorer.gui.focus import commit_editor
from explorer.gui.grid import clipboard
from explorer.library import examples
from explorer.state import edits
from explorer.state.document import COLORMAPS


class Menus:
    """All menus of a window; ``actions`` by command id."""

    def __init__(self, window: Desk) -> None:
        self._window = window
        self.actions: dict[str, QAction] = {}
        self.examples = QMenu("E&xamples", window)
        self._choices: dict[str, tuple[QActionGroup, Callable[[], str]]] = {}
        self._fill_examples()
        self._build()

    def _fill_examples(self) -> None:
        for example_id in examples.EXAMPLES:
            text = f"{examples.title(example_id)}\t{examples.description(example_id)}"
            action = self.examples.addAction(text.replace("&", "&&"))
            action.setData(example_id)
            action.triggered.connect(lambda _on, name=example_id: self._window.files.open_example(self._window, name))

    def _build(self) -> None:
        window, bar = self._window, self._window.menuBar()
        menus: dict[str, QMenu] = {}
        for command in COMMANDS:
            if command.menu not in menus:
                if command.menu == "&Help":
                    bar.addMenu(self.examples)
                menus[command.menu] = bar.addMenu(command.menu)
            menu = menus[command.menu]
            if not command.text:
                menu.addSeparator()
            elif command.id in ("recent", "theme", "colormap", "copy_as"):
                self.actions[command.id] = self._submenu(command.id, menu.addMenu(command.text))
            else:
                action = menu.addAction(command.text)
                action.setShortcuts([QKeySequence(keys) for keys in command.keys])
                action.triggered.connect(lambda _on, command=command: self._run(command))
                self.actions[command.id] = action
        view = menus["&View"]
        first = view.actions()[0]
        for dock in window.ground.docks.values():
            view.insertAction(first, dock.toggleViewAction())
        view.insertSeparator(first)

    def _run(self, command: Command) -> None:
        if not command.is_for_lines:
            commit_editor(self._window)
        command.run(self._window)

    def _submenu(self, name: str, menu: QMenu) -> QAction:
        window = self._window
        if name == "copy_as":
            for kind, title in clipboard.KINDS:
                action = menu.addAction(title)
                action.setData(kind)
                action.triggered.connect(lambda _on, kind=kind: self._copy_as(kind))
        elif name == "recent":
            menu.aboutToShow.connect(lambda: self._fill_recent(menu))
            self._fill_recent(menu)
        elif name == "theme":
            self._choice(name, menu, appearance.CHOICES, lambda: window.appearance.choice, window.choose_theme)
        else:
            self._choice(name, menu, COLORMAPS, lambda: window.store.view.colormap,
                         lambda colours: window.request(edits.look(colormap=colours)))  # fmt: skip
        return menu.menuAction()

    def _copy_as(self, kind: str) -> None:
        commit_editor(self._window)
        self._window.refresh()
        exchange.copy_as(self._window, kind)

    def _choice(
        self, name: str, menu: QMenu, choices: Sequence[str], now: Callable[[], str], choose: Callable[[str], object]
    ) -> None:
        group = QActionGroup(menu)
        for choice in choices:
            action = menu.addAction(choice.capitalize())
            action.setCheckable(True)
            action.setData(choice)
            action.triggered.connect(lambda _on, choice=choice: choose(choice))
            group.addAction(action)
        self._choices[name] = (group, now)

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        for path in self._window.settings.recent:
            action = menu.addAction(f"{path.name}\t{path.parent}")
            action.triggered.connect(lambda _on, path=path: self._window.opening.open_path(path))
        if menu.isEmpty():
            menu.addAction("no files yet").setEnabled(False)

    def display(self) -> None:
        """Show what can be undone and what is chosen."""
        store = self._window.store
        for name, label in (("undo", store.undo_label), ("redo", store.redo_label)):
            action = self.actions[name]
            action.setEnabled(label is not None)
            word = name.capitalize()
            shown = (label or "").replace("&", "&&")
            action.setText(f"&{word} {shown}" if label else f"&{word}")
            action.setToolTip(f"{word} {label or ''}".strip())
        has_values = any(store.document.matrix(name) is not None for name in ("v", "w_v"))
        self.actions["add_values"].setEnabled(not has_values)
        problem = store.document.problem
        can_run = {"add_bias": problem.bias is None, "alibi": True, "remove_bias": problem.bias is not None}
        for name, is_possible in can_run.items():
            self.actions[name].setEnabled(is_possible and problem.source.kind != "weights")
        for group, now in self._choices.values():
            for action in group.actions():
                action.setChecked(action.data() == now())
