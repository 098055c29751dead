"""What is said when Qt cannot start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer import app, preflight

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def on_linux(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(preflight.sys, "platform", "linux")
    return monkeypatch


def test_nothing_is_missing_where_the_tests_run() -> None:
    assert preflight.missing() is None


@pytest.mark.parametrize("version", ["6.12.0", "6.12.1", "6.13.0a1", "7.0"])
def test_qt_that_aborts_is_refused_in_one_sentence(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "_installed", lambda _: version)
    monkeypatch.setattr(preflight.sys, "version_info", (3, 11, 7))
    complaint = preflight.missing()
    assert complaint is not None
    assert version in complaint
    assert "\n" not in complaint
    monkeypatch.setattr(preflight.sys, "version_info", (3, 12, 0))
    assert preflight.missing() is None


def test_absent_qt_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "_installed", lambda _: None)
    assert "PySide6 is not installed" in (preflight.missing() or "")


def test_absent_libraries_give_the_apt_line(on_linux: pytest.MonkeyPatch) -> None:
    on_linux.setenv("QT_QPA_PLATFORM", "offscreen")
    on_linux.setattr(preflight, "_can_load", lambda name: name != "libGL.so.1")
    assert preflight.missing() == (
        "Qt needs system libraries that are not installed (libGL.so.1): on Debian or Ubuntu run  "
        "apt-get install libgl1 libegl1 libfontconfig1 libdbus-1-3 libglib2.0-0 libxkbcommon0"
    )


@pytest.mark.parametrize(
    ("platform", "display", "wayland", "is_wanted"),
    [("", ":0", "", True), ("xcb", "", "", True), ("", ":0", "wayland-0", False), ("offscreen", ":0", "", False)],
)
def test_x11_libraries_are_wanted_for_an_x11_window_only(
    platform: str, display: str, wayland: str, is_wanted: bool, on_linux: pytest.MonkeyPatch
) -> None:
    for name, value in (("QT_QPA_PLATFORM", platform), ("DISPLAY", display), ("WAYLAND_DISPLAY", wayland)):
        on_linux.setenv(name, value)
    on_linux.setattr(preflight, "_can_load", lambda name: name != "libxcb-cursor.so.0")
    complaint = preflight.missing()
    assert (complaint is not None) == is_wanted
    assert ("libxcb-cursor0" in (complaint or "")) == is_wanted


def test_no_screen_is_said_instead_of_an_abort(
    on_linux: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        on_linux.delenv(name, raising=False)
    assert app.main([]) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("attention-explorer: There is no screen")
    assert printed.err.count("\n") == 1


def test_a_test_run_without_qt_fails_with_the_sentence(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "from importlib import metadata\n"
        "real = metadata.version\n"
        "metadata.version = lambda name: '6.12.0' if name == 'PySide6-Essentials' else real(name)\n"
        "import sys\n"
        "sys.version_info = (3, 11, 0, 'final', 0)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_signals.py"],
        cwd=ROOT, env=os.environ | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "PySide6 6.12.0 crashes under Python 3.11" in ended.stdout + ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
