"""Files dropped on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QWidget


class DropTarget(QObject):
    """Takes the first local file dropped on a window and opens it once the drop is over."""

    def __init__(self, window: QWidget, opened: Callable[[Path], object]) -> None:
        super().__init__(window)
        self._opened = opened
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, _window: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragEnterEvent) and _file_of(event.mimeData()) is not None:
            event.acceptProposedAction()
            return True
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            path = _file_of(event.mimeData())
            if path is not None:
                event.acceptProposedAction()
                # A question inside the drop would hold up the program that the file comes from.
                QTimer.singleShot(0, self, lambda: self._opened(path))
            return True
        return False


def _file_of(data: QMimeData) -> Path | None:
    return next((Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()), None)
