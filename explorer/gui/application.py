"""Runs the window as a program of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import TracebackType

from PySide6.QtWidgets import QApplication

from explorer.gui.main_window import MainWindow
from explorer.paths import APP_ID


def run(build: Callable[[], MainWindow]) -> int:
    """Build the window, show it, and return the exit status when it is closed."""
    app = QApplication(sys.argv[:1])
    app.setApplicationName(APP_ID)
    app.setApplicationDisplayName("Attention Explorer")
    app.setStyle("Fusion")
    window = build()

    def report(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            app.quit()
        else:
            window.reporter.report(error.with_traceback(trace))

    sys.excepthook = report
    app.aboutToQuit.connect(window.keeper.keep_now)  # an end that asks nobody, as by Ctrl+C in a terminal
    window.show()
    return app.exec()
