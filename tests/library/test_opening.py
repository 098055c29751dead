"""A file, or else an example."""

from pathlib import Path

import pytest

from explorer.errors import ExplorerError
from explorer.formats import session
from explorer.library import examples
from explorer.library.opening import open_named, open_or_start


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def save(path: Path, example_id: str) -> None:
    path.write_bytes(session.write(*examples.load(example_id)))


def test_an_example_opens_by_its_id(folder: Path) -> None:
    opened = open_named("self-attention-C4")
    assert opened.document is examples.load("self-attention-C4")[0]
    assert opened.path is None


def test_a_file_wins_over_an_example_of_the_same_name(folder: Path) -> None:
    save(folder / "cat-sat-mat", "self-attention-C4")
    opened = open_named("cat-sat-mat")
    assert opened.document.title == examples.title("self-attention-C4")
    assert opened.path == Path("cat-sat-mat")


def test_a_folder_does_not_win_over_an_example(folder: Path) -> None:
    (folder / "cat-sat-mat").mkdir()
    assert open_named("cat-sat-mat").path is None


def test_a_folder_is_refused_by_name(folder: Path) -> None:
    (folder / "lessons").mkdir()
    with pytest.raises(ExplorerError, match="lessons: it is a folder"):
        open_named("lessons")


@pytest.mark.parametrize("name", ["lesson.json", "folder/lesson", "./cat-sat-mat"])
def test_what_looks_like_a_file_is_missed_as_a_file(name: str, folder: Path) -> None:
    with pytest.raises(ExplorerError, match="does not exist: check the name") as caught:
        open_named(name)
    assert caught.value.message.startswith(name)


@pytest.mark.parametrize("name", ["cat-sat", "", "a\0b", "x" * 5000])
def test_what_looks_like_an_example_is_missed_as_an_example(name: str, folder: Path) -> None:
    with pytest.raises(ExplorerError, match="there is no example"):
        open_named(name)


def test_an_unreadable_file_falls_back_to_the_start_and_says_why(folder: Path) -> None:
    (folder / "cut.json").write_text('{"format": "attention-explorer", "ver')
    opened, error = open_or_start(["cut.json"])
    assert opened.document is examples.load(examples.START)[0]
    assert opened.path is None
    assert str(error).startswith("cut.json: line 1")
