"""Joining a store and a window, and handing the command line over."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from explorer import app
from explorer.errors import ExplorerError
from explorer.formats import session
from explorer.library import examples
from explorer.state.store import Store


class RecordingWindow:
    """Stands in for the window: keeps what it is given."""

    def __init__(self, store: Store, path: Path | None = None) -> None:
        self.store = store
        self.path = path
        self.errors: list[ExplorerError] = []
        self.opened: list[Path] = []
        self.opening = self

    def open_path(self, path: Path) -> None:
        self.opened.append(path)

    def show_error(self, error: ExplorerError) -> None:
        self.errors.append(error)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[RecordingWindow]:
    """The windows that the stand-in for the application was asked to run."""
    asked: list[RecordingWindow] = []
    window = ModuleType("explorer.gui.main_window")
    window.MainWindow = RecordingWindow  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "explorer.gui.main_window", window)
    application = ModuleType("explorer.gui.application")
    application.run = lambda build: asked.append(build()) or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "explorer.gui.application", application)
    return asked


def built(*words: str) -> RecordingWindow:
    window = app.build_window(words)
    assert isinstance(window, RecordingWindow)
    return window


def test_the_window_opens_with_the_start_example(runs: list[RecordingWindow]) -> None:
    window = built()
    assert window.store.document is examples.load(examples.START)[0]
    assert (window.path, window.errors) == (None, [])


def test_the_window_opens_with_a_named_example(runs: list[RecordingWindow]) -> None:
    assert built("attention-intuition-H").store.document.title == examples.title("attention-intuition-H")


def test_the_window_opens_with_a_file_and_knows_where_it_is(runs: list[RecordingWindow], tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_bytes(session.write(*examples.load("self-attention-C2")))
    window = built(str(path))
    assert window.path == path
    assert window.store.document.title == examples.title("self-attention-C2")


@pytest.mark.parametrize("words", [("no-such-thing",), ("missing.json",), ("cat-sat-mat", "self-attention-C1")])
def test_an_unusable_name_opens_the_start_example_and_says_so(
    words: tuple[str, ...], runs: list[RecordingWindow]
) -> None:
    window = built(*words)
    assert window.store.document is examples.load(examples.START)[0]
    assert len(window.errors) == 1
    assert window.errors[0].hint


@pytest.mark.parametrize("words", [[], ["cat-sat-mat"], ["some.json"]])
def test_anything_but_a_command_runs_the_window(words: list[str], runs: list[RecordingWindow]) -> None:
    assert app.main(words) == 0
    assert len(runs) == 1
    assert len(runs[0].errors) == (words == ["some.json"])


@pytest.mark.parametrize("words", [["list"], ["compute", "cat-sat-mat"], ["-x"]])
def test_a_command_or_an_option_runs_no_window(words: list[str], runs: list[RecordingWindow]) -> None:
    app.main(words)
    assert runs == []


def test_words_come_from_the_command_line_when_none_are_given(
    runs: list[RecordingWindow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["main.py", "cat-sat-mat"])
    app.main()
    assert [window.store.document.title for window in runs] == [examples.title("cat-sat-mat")]


def test_a_file_of_numbers_is_read_by_the_window(runs: list[RecordingWindow], tmp_path: Path) -> None:
    path = tmp_path / "numbers.csv"
    path.write_text("1,2,3\n", encoding="utf-8")
    window = built(str(path))
    assert window.store.document is examples.load(examples.START)[0]
    assert (window.opened, window.errors) == ([path], [])
