"""What every test gets: no screen, a home of its own, and a look at what it leaves behind."""

import itertools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Before anything imports Qt. A real screen can be asked for: QT_QPA_PLATFORM=xcb.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from explorer import preflight

_homes = itertools.count(1)

for _name, _derandomize in (("here", False), ("ci", True)):
    settings.register_profile(
        _name,
        deadline=None,
        derandomize=_derandomize,
        max_examples=40,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
settings.load_profile("ci" if os.environ.get("CI") == "true" else "here")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Stop with one plain sentence where Qt cannot start: skipped tests would look like passed ones."""
    complaint = preflight.missing()
    if complaint is not None:
        pytest.exit(complaint, returncode=1)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which every test has a home."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def home(homes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place of this test's own for settings, recovery files and the log; not made yet."""
    place = homes / str(next(_homes))
    monkeypatch.setenv("ATTENTION_EXPLORER_HOME", str(place))
    return place


@pytest.fixture(autouse=True)
def _no_window_left_open(home: Path) -> Iterator[None]:
    yield
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return
    left = [widget for widget in widgets.QApplication.topLevelWidgets() if _is_open(widget)]
    names = [f"{type(widget).__name__} {widget.objectName()!r}" for widget in left]
    for widget in left:
        widget.close()
        widget.deleteLater()
    if names:
        pytest.fail(f"left open: {', '.join(names)}", pytrace=False)


def _is_open(widget: object) -> bool:
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QWidget

    assert isinstance(widget, QWidget)
    return widget.isVisible() and widget.windowType() != Qt.WindowType.ToolTip
