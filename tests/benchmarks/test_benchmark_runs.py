"""The benchmark runs and prints what it promises; how long anything took is not looked at."""

from __future__ import annotations

import importlib.util
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("edit_to_paint.py")
TIMES = {"whole": 20.0, "editor": 1.0, "attend": 1.0, "display": 2.0, "pictures": 9.0, "grids": 4.0, "rest": 3.0}


@pytest.fixture
def bench() -> dict[str, Any]:
    """The names of the script, which measures nothing when it is only read."""
    return runpy.run_path(str(SCRIPT))


def rows(lines: list[str]) -> list[list[str]]:
    """The cells of the table's lines, one line a size."""
    return [cells for cells in map(str.split, lines) if cells and cells[0].isdigit()]


def test_it_prints_a_line_for_every_size() -> None:
    ran = subprocess.run(
        [sys.executable, str(SCRIPT), "--sizes", "2", "--repeats", "1"], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    (row,) = rows(ran.stdout.splitlines())
    assert row[0] == "2"
    window = float(row[1])
    assert sum(map(float, row[-6:])) == pytest.approx(window, abs=0.05)  # each is printed with two decimals
    if importlib.util.find_spec("matplotlib") is None:
        assert row[2:4] == ["not", "installed"]
    else:
        assert float(row[3]) == pytest.approx(float(row[2]) / window, abs=0.06)


def test_it_goes_on_without_matplotlib(bench: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    peer = bench["measure_peer"]([2], 1)
    (row,) = rows(list(bench["report"]({2: TIMES}, peer, 1)))
    assert row[:5] == ["2", "20.00", "not", "installed", "-"]


@pytest.mark.parametrize(("whole", "answer"), [(15.9, "yes"), (16.1, "no")])
def test_it_says_whether_eight_by_eight_fits_a_frame(bench: dict[str, Any], whole: float, answer: str) -> None:
    lines = list(bench["report"]({8: TIMES | {"whole": whole}}, {8: 160.0}, 1))
    assert lines[-1] == f"n = 8: within one frame of 16 ms: {answer}"


def test_medians_are_taken_of_each_part(bench: dict[str, Any]) -> None:
    runs = [{"whole": whole, "rest": rest} for whole, rest in ((9.0, 1.0), (1.0, 5.0), (2.0, 3.0))]
    assert bench["medians"](runs) == {"whole": 2.0, "rest": 3.0}


def test_a_call_inside_a_call_counts_once(bench: dict[str, Any]) -> None:
    clock = bench["Clock"]()
    inner = clock.timed("display", lambda: sum(range(1000)))
    outer = clock.timed("display", lambda: [clock.spent["display"], inner(), clock.spent["display"]])
    before, _, after = outer()
    assert (before, after) == (0.0, 0.0)
    assert clock.spent["display"] > 0
    assert clock.spent["attend"] == 0
