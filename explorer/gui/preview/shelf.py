"""A scrolling place as high as what lies in it while there is room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QWidget
from shiboken6 import isValid


class Shelf(QScrollArea):
    """Holds a widget whose height follows from its width; ``least`` is the height that it can shrink to."""

    def __init__(self, content: QWidget, least: int) -> None:
        super().__init__()
        self._least = least
        self._revealed: QWidget | None = None
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        return QSize(300, self.widget().heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, min(self._least, self.sizeHint().height()))

    def reveal(self, widget: QWidget) -> None:
        """Scroll to a widget, now and once it has its place."""
        self._revealed = widget
        self._scroll()
        QTimer.singleShot(0, self, self._scroll)

    def _scroll(self) -> None:
        """Show the content from its beginning, or else as far down as the widget needs."""
        if self._revealed is not None and isValid(self._revealed):
            self.verticalScrollBar().setValue(0)
            self.ensureWidgetVisible(self._revealed, 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll()
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
