"""Panels as docks with a title line, and where they lie."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QDockWidget, QFrame, QHBoxLayout, QLabel, QMainWindow, QToolButton

from explorer.gui.panels import PANELS
from explorer.gui.panels.panel import Panel
from explorer.gui.pictures.style import Style
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.state.document import Snapshot

_PLACED = ("inputs", "scores", "weights", "output", "bars")  # any other panel shares the place of the bars
_LEAST = {"inputs": (190, 120), "bars": (200, 120)}


class _TitleLine(QFrame):
    """The name of a panel, what it shows, and a cross to close it; a double click maximises."""

    doubled = Signal()
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "title")
        self.name, self.words, self.shape = QLabel(), ElidedLabel(least=0.7), QLabel()
        self.name.setProperty("bold", True)
        self.name.setMinimumWidth(60)  # a long token is cut rather than widens the window
        for label in (self.words, self.shape):
            label.setProperty("quiet", True)
        for label in (self.name, self.shape):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        close = QToolButton()
        close.setText("×")
        close.setProperty("flat", True)
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        close.setToolTip("Close this panel (View brings it back)")
        close.setAccessibleName("close panel")
        close.clicked.connect(self.closing)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 4, 4, 2)
        layout.addWidget(self.name)
        layout.addWidget(self.words, 1)
        layout.addSpacing(6)
        layout.addWidget(self.shape)
        layout.addWidget(close)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.doubled.emit()
        event.accept()


class PanelDock(QDockWidget):
    """A panel that can be moved, closed and maximised."""

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel.TITLE)
        self.panel = panel
        self.setObjectName(f"panel_{panel.ID}")
        self.line = _TitleLine()
        self.setTitleBarWidget(self.line)
        panel.setProperty("card", "true")
        panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        panel.setMinimumSize(*_LEAST.get(panel.ID, (150, 120)))
        self.setWidget(panel)
        self.setAccessibleName(panel.TITLE)

    def display(self, snapshot: Snapshot, style: Style) -> None:
        """Show a snapshot, and what is shown in the title line."""
        self.line.name.setText(self.panel.title(snapshot))
        words, shape = self.panel.subtitle(snapshot)
        self.line.words.show_text(words)
        self.line.shape.setText(shape)
        self.panel.display(snapshot, style)


class DockGround(QMainWindow):
    """The area in which the panels lie."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setObjectName("dock_ground")
        self.setDockNestingEnabled(True)
        self.setAnimated(False)
        self.docks = {panel.ID: PanelDock(panel()) for panel in PANELS}
        for dock in self.docks.values():
            dock.line.doubled.connect(lambda dock=dock: self.toggle_maximized(dock))
            dock.line.closing.connect(lambda dock=dock: self._close(dock))
        self._before_maximising: QByteArray | None = None
        self.arrange()

    def arrange(self) -> None:
        """Put every panel back where it belongs: inputs left, stages beside each other, bars below."""
        self._before_maximising = None
        for dock in self.docks.values():
            dock.setFloating(False)
            self.removeDockWidget(dock)
        inputs, scores, weights, output, bars = (self.docks[name] for name in _PLACED)
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, inputs)
        self.splitDockWidget(inputs, scores, Qt.Orientation.Horizontal)
        self.splitDockWidget(scores, output, Qt.Orientation.Horizontal)
        self.splitDockWidget(scores, bars, Qt.Orientation.Vertical)
        self.splitDockWidget(scores, weights, Qt.Orientation.Horizontal)
        for name, dock in self.docks.items():
            if name not in _PLACED:
                self.tabifyDockWidget(bars, dock)
            dock.show()
        bars.raise_()
        self.resizeDocks([inputs, scores, weights, output], [280, 350, 370, 290], Qt.Orientation.Horizontal)
        self.resizeDocks([scores, bars], [360, 300], Qt.Orientation.Vertical)

    def toggle_maximized(self, dock: PanelDock) -> None:
        """Show one panel alone, or all as they were."""
        if self.is_maximized:
            self.restore()
            return
        self._before_maximising = self.saveState()
        for other in self.docks.values():
            other.setVisible(other is dock)

    @property
    def is_maximized(self) -> bool:
        """Whether one panel is shown alone."""
        return self._before_maximising is not None

    def restore(self) -> None:
        """Show all panels as they were before one was maximised."""
        if self._before_maximising is not None:
            self.restoreState(self._before_maximising)
            self._before_maximising = None

    def _close(self, dock: PanelDock) -> None:
        self.restore()
        dock.close()

    def layout_to_remember(self) -> QByteArray:
        """The layout for the next start; a maximised panel counts as the layout before."""
        return self._before_maximising or self.saveState()
