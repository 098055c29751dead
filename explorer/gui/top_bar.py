"""The bar at the top: the example, back to it, undo and redo."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QToolButton

from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.state.document import Snapshot

_LONGEST = 40


class TopBar(QFrame):
    """Buttons for what is needed most, and what the document is about."""

    def __init__(self, examples: QMenu, actions: dict[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("top_bar")
        self._example = _button("example", "choose an example")
        self._example.setMenu(examples)
        self._example.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._note = ElidedLabel()
        self._note.setObjectName("note")
        self._note.setProperty("quiet", True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.addWidget(self._example)
        for name, text in (("reset", "⟲ Back to example"), ("undo", "↶"), ("redo", "↷")):
            button = _button(f"btn_{name}", actions[name].text().replace("&", ""))
            button.setText(text)
            button.clicked.connect(actions[name].trigger)
            actions[name].changed.connect(lambda button=button, action=actions[name]: _follow(button, action))
            _follow(button, actions[name])
            layout.addWidget(button)
        layout.addSpacing(8)
        layout.addWidget(self._note, 1)

    def display(self, snapshot: Snapshot) -> None:
        """Show what the document is called and about."""
        title = " ".join(snapshot.document.title.split()) or "untitled"
        title = title if len(title) <= _LONGEST else title[: _LONGEST - 1] + "…"
        self._example.setText(f"{title.replace('&', '&&')} ▾")
        self._note.show_text(" ".join(snapshot.document.note.split()))


def _button(name: str, title: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setAccessibleName(title)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _follow(button: QToolButton, action: QAction) -> None:
    button.setEnabled(action.isEnabled())
    button.setToolTip(action.toolTip())
    button.setAccessibleName(action.text().replace("&", ""))
