"""Whatever line of saving a process is killed at, the old file or the new one is there, whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from explorer.formats import disk, leftovers, recovery, session
from explorer.library import examples
from explorer.state.document import Document

ROOT = Path(__file__).resolve().parent.parent
OLD, NEW = "attention-intuition-F", "cat-sat-mat"

# A process for each line of ours that is run: it kills itself when it comes there, told by the trace, and says before
# through a pipe where that is. One that gets to the end is the last. Forked, because importing takes far longer.
KILLED = """
import json, os, signal, sys
from datetime import datetime
from pathlib import Path
from explorer.formats import disk, recovery, session
from explorer.library import examples

HALVES = sys.argv[1] == "halves"
PLACE, FOLDER, SAVED = Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4] == "save"
IS_FIRST = sys.argv[4] == "keep first"
OURS = ("disk.py", "locking.py", "leftovers.py", "recovery.py")
old, new = ((document, view) for document, view in map(examples.load, sys.argv[5:7]))

def die(step, pipe):
    os.write(pipe, step.encode())
    os.kill(os.getpid(), signal.SIGKILL)

def traced(limit, pipe):
    reached = 0
    def trace(frame, event, argument):
        nonlocal reached
        name = os.path.basename(frame.f_code.co_filename)
        if name not in OURS:
            return None
        if event == "line":
            reached += 1
            if reached == limit:
                die(frame.f_code.co_name, pipe)
        return trace
    return trace

class Half:
    def __init__(self, file, size, pipe):
        self.file, self.size, self.pipe = file, size, pipe
    def write(self, data):
        self.file.write(data[: self.size])
        self.file.flush()
        die("half", self.pipe)
    def __getattr__(self, name):
        return getattr(self.file, name)
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.file.close()

def work(at):
    return recovery.write(recovery.Work(*at, datetime.now(), PLACE))

def run(limit, pipe):
    file = recovery.RecoveryFile(FOLDER)
    if not SAVED and not IS_FIRST:
        file.keep(work(old))
    data = session.write(*new) if SAVED else work(new)
    if HALVES:
        disk.open = lambda *given: Half(open(*given), limit * len(data) // 8, pipe)
    else:
        sys.settrace(traced(limit, pipe))
    if SAVED:
        disk.write_atomically(PLACE, data)
    else:
        file.keep(data)
        file.close()

for limit in range(9 if HALVES else 10_000):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            run(limit + (not HALVES), writing)
        finally:
            os._exit(0)
    os.close(writing)
    step = os.read(reading, 200).decode()
    os.close(reading)
    _, status = os.waitpid(child, 0)
    print(json.dumps([step, os.waitstatus_to_exitcode(status)]), flush=True)
    sys.stdin.readline()  # until what is left was looked at
    if not step:
        break
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes that are forked and killed")


def killed_at(way: str, what: str, place: Path, folder: Path, look: Any) -> list[str]:
    """Kill at one step after the other, look after each, and give the names of the steps."""
    command = [sys.executable, "-c", KILLED, way, str(place), str(folder), what, OLD, NEW]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    steps = []
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe, text=True
    ) as driver:  # fmt: skip
        assert driver.stdin is not None
        assert driver.stdout is not None
        assert driver.stderr is not None
        for line in driver.stdout:
            step, status = json.loads(line)
            assert status == (-9 if step else 0), f"at {step} it ended with {status}"
            look(step)
            steps.append(step)
            driver.stdin.write("\n")
            driver.stdin.flush()
        said = driver.stderr.read()
    assert driver.returncode == 0, said
    assert said == ""
    return steps


def document_in(data: bytes) -> str:
    document, view = session.read(data)
    return next(name for name in (OLD, NEW) if session.write(document, view) == session.write(*examples.load(name)))


def same(document: Document, example: str) -> bool:
    return document.title == examples.title(example)


@pytest.mark.parametrize("way", ["lines", "halves"])
def test_a_killed_save_leaves_the_old_file_or_the_new_one(tmp_path: Path, way: str) -> None:
    place = tmp_path / "lesson.json"
    before, seen = session.write(*examples.load(OLD)), []
    place.write_bytes(before)
    litter = tmp_path / ".explorer-0123456789abcdef.tmp"  # each time, so that each time the same lines are run
    litter.write_bytes(b"half")

    def look(step: str) -> None:
        seen.append(document_in(place.read_bytes()))
        left = set(tmp_path.iterdir()) - {place}
        assert len(left - {litter}) <= (step != "")
        for path in left:
            path.unlink()
        place.write_bytes(before)
        litter.write_bytes(b"half")

    steps = killed_at(way, "save", place, tmp_path / "none", look)
    if way == "halves":
        assert (seen, steps) == ([OLD] * 9, ["half"] * 9)
    else:
        assert seen == sorted(seen, key=[OLD, NEW].index), "once the new one is in place it stays there"
        assert {"replace_content", "_remove_if_dead", "_write_through", "_flush_folder"} <= set(steps)
        assert steps[-1] == ""
    disk.write_atomically(place, b"whole")
    assert os.listdir(tmp_path) == ["lesson.json"]


@pytest.mark.parametrize("way", ["lines", "halves"])
def test_killed_while_it_keeps_work_the_next_start_finds_it(tmp_path: Path, way: str) -> None:
    folder = tmp_path / "recovery"
    found: list[str] = []

    def look(step: str) -> None:
        orphan = recovery.newest_orphan(folder)
        if orphan is None:
            found.append("none")
        else:
            work = orphan.read()
            found.append(OLD if same(work.document, OLD) else NEW)
            assert work.path == tmp_path / "lesson.json"
            orphan.discard()
        assert recovery.newest_orphan(folder) is None, "one window, one file"
        recovery.sweep_locks(folder)

    steps = killed_at(way, "keep", tmp_path / "lesson.json", folder, look)
    if way == "halves":
        assert (found, steps) == ([OLD] * 9, ["half"] * 9)
    else:
        assert found == sorted(found, key=[OLD, NEW, "none"].index)
        assert {OLD, NEW, "none"} == set(found)
        assert {"keep", "_write_through", "drop", "remove"} <= set(steps)
    assert not (tmp_path / "lesson.json").exists()


def test_killed_at_the_very_first_keeping_there_is_all_or_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "recovery"
    found: set[str] = set()

    def look(step: str) -> None:
        orphan = recovery.newest_orphan(folder)
        if orphan is not None:
            assert same(orphan.read().document, NEW)
            orphan.discard()
        found.add("none" if orphan is None else NEW)
        recovery.sweep_locks(folder)
        leftovers.sweep(folder)
        if folder.exists():
            folder.rmdir()  # nothing at all is left of it

    steps = killed_at("lines", "keep first", tmp_path / "lesson.json", folder, look)
    assert found == {"none", NEW}
    assert {"_locked", "take", "hold", "_is_at", "_write_through", "close"} <= set(steps)
