"""What `compute` does at the edges: odd labels, extreme numbers, closed and full outputs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent


def compute(document: dict[str, Any], *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    given = json.dumps({"format": "attention-explorer", "version": 1, **document})
    command = [sys.executable, "main.py", "compute", "-", *words]
    return subprocess.run(command, cwd=ROOT, input=given, text=True, timeout=60, **options)


def captured(document: dict[str, Any], *words: str) -> subprocess.CompletedProcess[str]:
    return compute(document, *words, capture_output=True)


def test_given_weights_of_any_size_stay_strict_json() -> None:
    ran = captured({"source": {"kind": "weights", "weights": [[1e308, 1e308]], "v": None}}, "--format", "json")
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["entropy"] == ["-inf"]


def test_a_label_that_holds_the_letters_nan_is_left_alone() -> None:
    source = {"kind": "scores", "scores": [["-inf"], [1]], "v": None}
    out = captured({"source": source, "query_labels": ["banana", "Nancy nan"]}).stdout
    assert "baundefineda" not in out
    entropy = out[out.index("entropy") :]
    assert "banana     undefined" in entropy
    assert "Nancy nan" in entropy


def test_an_invalid_row_has_the_entropy_nan() -> None:
    out = captured({"source": {"kind": "scores", "scores": [["nan", 1]], "v": None}}).stdout
    assert "nan" in out[out.index("entropy") : out.index("status")]


@pytest.mark.parametrize(
    ("source", "note"),
    [
        ({"kind": "weights", "weights": [[0.5, 0.3]], "v": None}, "note: Weights row 1 sums to 0.8, not to 1"),
        ({"kind": "weights", "weights": [[-1, 2]], "v": None}, "note: Weights row 1 has a negative cell"),
        ({"kind": "scores", "scores": [[0.25, 0.75]], "v": None}, "note: Scores row 1 already sums to 1"),
    ],
)
def test_text_says_what_is_odd_about_the_numbers(source: dict[str, Any], note: str) -> None:
    assert note in captured({"source": source}).stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line_and_status_2() -> None:
    with Path("/dev/full").open("w") as full:
        ran = compute({"source": {"kind": "scores", "scores": [[1]], "v": None}}, stdout=full, stderr=subprocess.PIPE)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "no space left" in ran.stderr


def test_a_file_cannot_take_over_the_terminal() -> None:
    document = {
        "source": {"kind": "scores", "scores": [[1]], "v": None},
        "variants": [{"name": "\x1b[2J", "beta": 2}],
    }
    ran = captured(document, "--variant", "none such")
    assert ran.returncode == 2
    assert "\x1b" not in ran.stderr


def test_a_small_file_may_not_ask_for_a_huge_product() -> None:
    source = {"kind": "projection", "x": [[1]] * 300, "w_q": [[1] * 70_000], "w_k": [[1] * 70_000], "w_v": None}
    ran = captured({"source": source})
    assert ran.returncode == 2
    assert "300 x 70000 numbers in Q or K are too many" in ran.stderr
