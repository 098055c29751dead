"""What other programs do to a file is noticed by its content, and cheaply."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from explorer.formats import disk, known_file
from explorer.formats.known_file import KnownFile


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.json"
    path.write_bytes(b"ours")
    return path


def test_what_nobody_touched_is_the_same_and_is_read_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownFile(path, b"ours")
    reads: list[Path] = []
    real = disk.read_bytes
    monkeypatch.setattr(known_file.disk, "read_bytes", lambda name: reads.append(name) or real(name))
    assert [known.state for _ in range(5)] == ["same"] * 5
    assert reads == [path]


def test_the_same_content_written_again_is_the_same(path: Path) -> None:
    known = KnownFile(path, b"ours")
    os.utime(path, (1, 1))
    assert known.state == "same"
    disk.write_atomically(path, b"ours")
    assert known.state == "same"


@pytest.mark.parametrize("is_looked_at", [True, False])
def test_other_content_of_the_same_size_and_time_is_a_change(path: Path, is_looked_at: bool) -> None:
    known = KnownFile(path, b"ours")
    if is_looked_at:
        assert known.state == "same"
    found = path.stat()
    other = path.with_name("other")
    other.write_bytes(b"them")
    os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns))
    other.replace(path)
    assert [known.state, known.state] == ["changed", "changed"]


def test_a_writing_just_after_ours_is_a_change(path: Path) -> None:
    path.write_bytes(b"theirs")
    assert KnownFile(path, b"ours").state == "changed"


def test_a_change_that_is_taken_back_is_none(path: Path) -> None:
    known = KnownFile(path)
    path.write_bytes(b"theirs")
    assert known.state == "changed"
    path.write_bytes(b"ours")
    assert known.state == "same"


def test_a_file_that_goes_and_comes_back(path: Path) -> None:
    known = KnownFile(path)
    path.unlink()
    assert known.state == "gone"
    path.write_bytes(b"ours")
    assert known.state == "same"
    path.unlink()
    path.parent.rename(path.parent.with_name("away"))
    assert known.state == "gone"
    path.parent.write_bytes(b"no folder")
    assert known.state == "gone"


def test_what_it_held_in_an_earlier_run_can_be_told(path: Path) -> None:
    digest = hashlib.sha256(b"ours").hexdigest()
    assert KnownFile(path).digest == KnownFile(path, b"ours").digest == digest
    assert KnownFile(path, digest=digest).state == "same"
    path.write_bytes(b"theirs")
    assert KnownFile(path, digest=digest).state == "changed"


def test_where_nothing_can_be_read_nothing_is_claimed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = KnownFile(path)
    monkeypatch.setattr(known_file, "_digest_of", lambda _: None)
    assert known.state == "same"
    os.utime(path, (1, 1))
    assert known.state == "changed"

    def denied(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(known_file, "_stamp", denied)
    assert known.state == "same"
