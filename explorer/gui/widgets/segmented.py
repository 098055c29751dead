"""A row of buttons of which one is down."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QWidget

from explorer.gui.widgets.flow_layout import FlowLayout


class Segmented(QWidget):
    """Choices side by side; ``chosen`` carries the id a person picked, by click or arrow keys."""

    chosen = Signal(str)

    def __init__(self, name: str, title: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self._ids = [choice for choice, _ in choices]
        self._group = QButtonGroup(self)
        layout = FlowLayout(self, gap=2, line_gap=2)
        layout.setContentsMargins(0, 0, 0, 0)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._buttons: dict[str, QToolButton] = {}
        for choice, text in choices:
            button = QToolButton()
            button.setObjectName(f"{name}_{choice}")
            button.setText(text)
            button.setAccessibleName(f"{title}: {text}")
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _checked, choice=choice: self.chosen.emit(choice))
            self._group.addButton(button)
            self._buttons[choice] = button
            layout.addWidget(button)

    @property
    def value(self) -> str:
        """The id of the button that is down."""
        return next((choice for choice, button in self._buttons.items() if button.isChecked()), "")

    def show_value(self, choice: str) -> None:
        """Press a button down without asking for anything; only that one is reached with Tab."""
        for other, button in self._buttons.items():
            button.setChecked(other == choice)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus if other == choice else Qt.FocusPolicy.ClickFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        at = next((i for i, choice in enumerate(self._ids) if self._buttons[choice].hasFocus()), None)
        if step is None or at is None or not 0 <= at + step < len(self._ids):
            super().keyPressEvent(event)
            return
        choice = self._ids[at + step]
        self._buttons[choice].setFocus(Qt.FocusReason.TabFocusReason)
        self.chosen.emit(choice)
