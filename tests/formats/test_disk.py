"""Files on the disk: the old one stays whole until the new one is."""

import errno
import os
import stat
import sys
from pathlib import Path
from typing import IO, NoReturn, cast

import pytest

from explorer.errors import ExplorerError
from explorer.formats import disk, leftovers
from explorer.formats.locking import hold

posix = pytest.mark.skipif(sys.platform == "win32", reason="permissions, links and pipes of POSIX")


def no_space(*arguments: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "lesson.json"
    path.write_bytes(b"old")
    return path


def test_new_file(tmp_path: Path) -> None:
    path = tmp_path / "Vorlesung über 注意.json"
    disk.write_atomically(path, b"new")
    assert disk.read_bytes(path) == b"new"
    assert os.listdir(tmp_path) == [path.name]


@posix
def test_new_file_has_usual_permissions(tmp_path: Path) -> None:
    disk.write_atomically(tmp_path / "ours", b"")
    (tmp_path / "theirs").write_bytes(b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "theirs").stat().st_mode


@posix
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o755])
def test_permissions_are_kept(old: Path, mode: int) -> None:
    old.chmod(mode)
    disk.write_atomically(old, b"new")
    assert stat.S_IMODE(old.stat().st_mode) == mode
    assert old.read_bytes() == b"new"


@posix
@pytest.mark.parametrize("is_relative", [True, False])
def test_link_is_followed(old: Path, is_relative: bool) -> None:
    folder = old.parent / "links"
    folder.mkdir()
    link = folder / "link.json"
    link.symlink_to(Path("..") / old.name if is_relative else old)
    disk.write_atomically(link, b"new")
    assert link.is_symlink()
    assert old.read_bytes() == b"new"
    assert disk.read_bytes(link) == b"new"
    assert os.listdir(folder) == ["link.json"]


@posix
def test_link_to_nothing_makes_its_target(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("target")
    disk.write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_failure_leaves_the_old_file_whole(old: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    monkeypatch.setattr(disk.os, step, no_space)
    with pytest.raises(ExplorerError) as caught:
        disk.write_atomically(old, b"new and longer")
    assert caught.value.message == "cannot write lesson.json: no space left"
    assert caught.value.hint == "save it elsewhere with Save as"
    assert old.read_bytes() == b"old"
    assert os.listdir(old.parent) == [old.name]


def test_interruption_leaves_no_temporary(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*arguments: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(disk.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        disk.write_atomically(old, b"new")
    assert old.read_bytes() == b"old"
    assert os.listdir(old.parent) == [old.name]


def test_flushed_before_renamed(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(disk.os, name, lambda *given, name=name, real=real: (steps.append(name), real(*given)))
    disk.write_atomically(old, b"new")
    assert steps[:2] == ["fsync", "replace"]


def test_cannot_write_there(old: Path, tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "absent" / "a.json", "there is no such file or folder"),
        (tmp_path, "it is a folder"),
        (tmp_path / ("a" * 300), "the name is too long"),
        (tmp_path / "a\0b", "null"),
    ):
        with pytest.raises(ExplorerError, match=f"cannot write .*: .*{reason}") as caught:
            disk.write_atomically(path, b"new")
        assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == [old.name]


def test_write_protected_file_is_not_replaced(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk.os, "access", lambda path, mode: False)  # the administrator may write anything
    with pytest.raises(ExplorerError, match="no permission"):
        disk.write_atomically(old, b"new")
    assert old.read_bytes() == b"old"


def test_cannot_read_that(old: Path, tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "absent.json", "there is no such file or folder"),
        (tmp_path, "it is a folder"),
        (old / "inside", "there is no such"),
        (str(tmp_path) + "/a\0b", "null"),
        (tmp_path / "two\nlines", "there is no such file"),
    ):
        with pytest.raises(ExplorerError, match=f"cannot read .*: .*{reason}") as caught:
            disk.read_bytes(path)
        assert "\n" not in str(caught.value)
        assert caught.value.hint


def test_no_permission_to_read(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(disk.os, "stat", denied)
    with pytest.raises(ExplorerError, match=r"cannot read lesson\.json: no permission"):
        disk.read_bytes(old)


@posix
def test_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ExplorerError, match="not a regular file"):
        disk.read_bytes(tmp_path / "pipe")
    with pytest.raises(ExplorerError, match="not a regular file"):
        disk.write_atomically(tmp_path / "pipe", b"new")


def test_size_is_limited(old: Path) -> None:
    assert disk.read_bytes(old, limit=3) == b"old"
    with pytest.raises(ExplorerError, match="larger than 2 bytes"):
        disk.read_bytes(old, limit=2)


def test_large_file_is_refused_unread(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.truncate(old, disk.LARGEST + 1)
    monkeypatch.setattr("builtins.open", no_space)
    with pytest.raises(ExplorerError, match="larger than 64 MiB"):
        disk.read_bytes(old)


def test_half_a_write_leaves_the_old_file_whole(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = open

    def open_on_full_disk(path: Path, mode: str) -> IO[bytes]:
        file = real(path, mode)
        write = file.write

        class Full:
            def write(self, data: bytes) -> None:
                write(data[: len(data) // 2])
                file.flush()
                no_space()

            def __getattr__(self, name: str) -> object:
                return getattr(file, name)

            def __enter__(self) -> "Full":
                return self

            def __exit__(self, *error: object) -> None:
                file.close()

        return cast("IO[bytes]", Full())

    monkeypatch.setattr(disk, "open", open_on_full_disk, raising=False)
    with pytest.raises(ExplorerError, match=r"cannot write lesson\.json: no space left"):
        disk.write_atomically(old, b"new and longer")
    assert old.read_bytes() == b"old"
    assert os.listdir(old.parent) == [old.name]


LEFT = ".explorer-0123456789abcdef.tmp"


def test_what_a_killed_process_left_is_swept_at_the_next_save(old: Path) -> None:
    left = old.with_name(LEFT)
    left.write_bytes(b"half")
    left.chmod(0o600)
    disk.write_atomically(old, b"new")
    assert os.listdir(old.parent) == [old.name]


@posix
def test_what_a_living_process_writes_is_not_swept(old: Path) -> None:
    left = old.with_name(LEFT)
    with left.open("xb") as file:
        assert hold(file.fileno())
        disk.write_atomically(old, b"new")
        assert left.exists()
    disk.write_atomically(old, b"newer")
    assert not left.exists()


@posix
def test_a_file_is_locked_until_it_is_in_place(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace
    seen: list[bool] = []

    def replace(source: Path, target: Path) -> None:
        leftovers.sweep(source.parent)
        seen.append(source.exists())
        real(source, target)

    monkeypatch.setattr(disk.os, "replace", replace)
    disk.write_atomically(old, b"new")
    assert seen == [True]


def test_nothing_else_is_swept(old: Path) -> None:
    names = [".explorer-0123.tmp", "explorer-0123456789abcdef.tmp", LEFT + "~", "notes.tmp"]
    for name in names:
        old.with_name(name).write_bytes(b"precious")
    old.with_name(LEFT).mkdir()
    if sys.platform != "win32":
        old.with_name(LEFT.replace("0", "f")).symlink_to(old)
        os.mkfifo(old.with_name(LEFT.replace("0", "e")))
    before = set(os.listdir(old.parent))
    disk.write_atomically(old, b"new")
    assert set(os.listdir(old.parent)) == before
