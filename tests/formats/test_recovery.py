"""Unsaved work comes back as it was, from whichever window died, and never from one that lives."""

from __future__ import annotations

import errno
import json
import os
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

from explorer.errors import ExplorerError
from explorer.formats import disk, recovery, session
from explorer.formats.locking import Lock
from explorer.formats.recovery import Orphan, RecoveryFile, Work, newest_orphan
from explorer.library import examples
from tests.orphaned import TIME, leave, work_on


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    return tmp_path / "lesson.json"


def claim(folder: Path, *seen: Path) -> Orphan:
    orphan = newest_orphan(folder, seen)
    assert orphan is not None
    return orphan


@pytest.mark.parametrize("name", ["lesson.json", "Vorlesung 注意.json", "a\nb.json", "\udcff.json"])
def test_work_comes_back_whole(tmp_path: Path, name: str) -> None:
    work = work_on(tmp_path / name, digest="abc")
    again = recovery.read(recovery.write(work))
    assert (again.time, again.path, again.digest) == (TIME, tmp_path / name, "abc")
    assert session.write(again.document, again.view) == session.write(work.document, work.view)


def test_work_without_a_file_has_none() -> None:
    again = recovery.read(recovery.write(work_on()))
    assert (again.path, again.digest) == (None, None)


def test_a_relative_path_is_made_whole() -> None:
    assert recovery.read(recovery.write(work_on(Path("lesson.json")))).path == Path.cwd() / "lesson.json"


def test_what_we_do_not_know_is_kept_and_only_our_own_name_taken_out() -> None:
    document, view = session.read(session.write(*examples.load("cat-sat-mat")).replace(b"{", b'{"mine": [1],', 1))
    again = recovery.read(recovery.write(Work(document, view, TIME)))
    assert dict(again.document.extra) == {"mine": [1]}


def test_a_recovery_file_is_a_session_file() -> None:
    work = work_on()
    document, _ = session.read(recovery.write(work))
    assert np.array_equal(document.problem.source.matrices["scores"], work.document.problem.source.matrices["scores"])


@pytest.mark.parametrize("about", [
    None, 7, [], {}, {"time": None}, {"time": 5}, {"time": "yesterday"}, {"time": "0001-01-01T00:00:00"},
    {"time": "2026-03-01T14:05:09", "path": "lesson.json"}, {"time": "2026-03-01T14:05:09", "path": "/a\0b"},
    {"time": "2026-03-01T14:05:09", "path": ["/etc/passwd"]},
])  # fmt: skip
def test_a_file_that_says_nonsense_about_itself_is_refused(about: Any) -> None:
    top = json.loads(recovery.write(work_on())) | {recovery.KEY: about}
    with pytest.raises(ExplorerError, match=r"x\.json: does not say when and where"):
        recovery.read(json.dumps(top).encode(), "x.json")


def test_a_truncated_file_is_refused_wherever_it_ends() -> None:
    data = recovery.write(work_on(Path("/lesson.json")))
    for end in range(0, len(data) - 2, 23):
        with pytest.raises(ExplorerError) as caught:
            recovery.read(data[:end], "x.json")
        assert str(caught.value).startswith("x.json: ")
        assert "\n" not in str(caught.value)


def test_nothing_is_made_before_there_is_something_to_keep(folder: Path) -> None:
    file = RecoveryFile(folder)
    file.drop()
    file.close()
    assert not folder.exists()
    assert newest_orphan(folder) is None


def test_a_clean_end_leaves_nothing(folder: Path) -> None:
    file = RecoveryFile(folder)
    for _ in range(2):
        file.keep(b"1")
        file.drop()
        file.keep(b"2")
        file.close()
        assert os.listdir(folder) == []


def test_windows_do_not_overwrite_each_other(folder: Path) -> None:
    files = [RecoveryFile(folder) for _ in range(3)]
    for at, file in enumerate(files):
        file.keep(str(at).encode())
    assert [file.path.read_bytes() for file in files] == [b"0", b"1", b"2"]
    for file in files:
        file.close()


def test_what_a_living_window_keeps_is_not_offered(folder: Path) -> None:
    file = RecoveryFile(folder)
    file.keep(recovery.write(work_on()))
    assert newest_orphan(folder) is None
    dead = leave(folder)
    orphan = claim(folder)
    assert orphan.path == dead
    orphan.release()
    file.close()


def test_all_that_dead_windows_left_is_offered_the_newest_first(folder: Path) -> None:
    paths = [leave(folder, age=age) for age in (20, 10, 30)]
    found: list[Path] = []
    while (orphan := newest_orphan(folder, found)) is not None:
        found.append(orphan.path)
        orphan.release()
    assert found == [paths[1], paths[0], paths[2]]


def test_what_one_window_offers_no_other_does(folder: Path) -> None:
    leave(folder)
    orphan = claim(folder)
    assert newest_orphan(folder) is None
    orphan.release()
    again = claim(folder)
    assert again.read().document.title == work_on().document.title
    again.discard()
    assert os.listdir(folder) == []


def test_a_file_whose_lock_is_gone_is_offered(folder: Path) -> None:
    path = leave(folder)
    path.with_suffix(".lock").unlink()
    claim(folder).discard()
    assert os.listdir(folder) == []


def test_a_file_that_its_window_takes_away_meanwhile_is_not_offered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = leave(folder)
    take = Lock.take

    def take_late(lock: Path) -> Lock | None:
        path.unlink(missing_ok=True)
        return take(lock)

    monkeypatch.setattr(Lock, "take", take_late)
    assert newest_orphan(folder) is None
    assert os.listdir(folder) == []


def test_what_cannot_be_read_is_set_aside_and_kept(folder: Path) -> None:
    path = leave(folder)
    path.write_bytes(b"{")
    orphan = claim(folder)
    with pytest.raises(ExplorerError, match="cut off"):
        orphan.read()
    aside = orphan.set_aside()
    assert aside.read_bytes() == b"{"
    assert os.listdir(folder) == [aside.name]
    assert newest_orphan(folder) is None


def test_locks_without_work_are_swept_but_no_living_one(folder: Path) -> None:
    file = RecoveryFile(folder)
    file.keep(b"1")
    file.drop()
    kept = leave(folder)
    (folder / "0123456789abcdef.lock").write_bytes(b"")
    recovery.sweep_locks(folder)
    left = {file.path.with_suffix(".lock").name, kept.name, kept.with_suffix(".lock").name}
    assert set(os.listdir(folder)) == left
    file.close()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
def test_a_lock_that_is_swept_at_the_wrong_moment_is_taken_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, real = RecoveryFile(folder), os.open
    swept: list[Path] = []

    def open_and_lose(path: Path, *rest: Any) -> int:
        descriptor = real(path, *rest)
        if not swept and str(path).endswith(".lock"):
            swept.append(Path(path))
            Path(path).unlink()
        return descriptor

    monkeypatch.setattr("explorer.formats.locking.os.open", open_and_lose)
    file.keep(b"1")
    assert swept != [file.path.with_suffix(".lock")]
    assert newest_orphan(folder) is None, "its new lock is held"
    file.close()


def test_a_failure_is_said_in_one_line_and_the_old_copy_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = RecoveryFile(folder)
    file.keep(b"old")

    def full(descriptor: int) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "fsync", full)
        with pytest.raises(ExplorerError) as caught:
            file.keep(b"new")
    assert str(caught.value) == "unsaved work cannot be kept safe from a crash: no space left: save it soon"
    assert file.path.read_bytes() == b"old"
    file.keep(b"new")
    assert file.path.read_bytes() == b"new"
    file.close()


def test_a_folder_that_cannot_be_made_is_a_failure_too(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ExplorerError, match="cannot be kept safe"):
        RecoveryFile(tmp_path / "file" / "recovery").keep(b"")
    with pytest.raises(ExplorerError, match="cannot be kept safe"):
        RecoveryFile(tmp_path / "file").keep(b"")


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of POSIX")
def test_nobody_else_may_look_into_the_folder(folder: Path) -> None:
    file = RecoveryFile(folder)
    file.keep(b"1")
    assert folder.stat().st_mode & 0o077 == 0
    file.close()


def test_the_time_is_that_of_the_work() -> None:
    for shift in (timedelta(0), timedelta(days=-400)):
        assert recovery.read(recovery.write(work_on(time=TIME + shift))).time == TIME + shift
