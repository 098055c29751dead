"""Files that people really bring are read as their index says, by the command that the window shares its code with."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer import app

SAMPLES = Path(__file__).parent.parent / "samples"
INDEX = {each["file"]: each for each in json.loads((SAMPLES / "index.json").read_text(encoding="utf-8"))["files"]}
IS_TEXT = {".csv", ".tsv", ".txt", ".m", ".tex", ".md", ".json"}


def read(name: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    status = app.main(["read", str(SAMPLES / name), "--format", "json"])
    out, err = capsys.readouterr()
    return status, json.loads(out) if out else {}, err


def numbers(rows: Any) -> np.ndarray:
    return np.array([[float(cell) for cell in row] for row in rows])


def agree(ours: Any, theirs: Any, name: str) -> None:
    rtol = 1e-12 if Path(name).suffix in IS_TEXT else 0
    np.testing.assert_allclose(numbers(ours), numbers(theirs), rtol=rtol, atol=0)


@pytest.mark.parametrize("name", INDEX)
def test_the_sample_reads_as_its_index_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    expected = INDEX[name]["expect"]
    status, made, err = read(name, capsys)
    if expected["result"] == "error":
        assert (status, made) == (2, {})
        assert err.count("\n") == 1
        for words in expected["message_must_name"]:
            assert any(word.lower() in err.lower() for word in words.split("|")), (words, err)
        return
    assert (status, err) == (0, "")
    kind = {"named matrices": "named", "ask": "choice"}.get(expected["result"], expected["result"])
    assert made["kind"] == kind
    CHECKS[kind](made, expected, name)


def check_matrix(made: dict[str, Any], expected: dict[str, Any], name: str) -> None:
    assert made["shape"] == expected["shape"]
    agree(made["values"], expected["values"], name)
    assert made.get("row_labels") == expected.get("query_labels")
    assert made.get("column_labels") == expected.get("key_labels")
    if "name" in expected:
        assert made["name"] == expected["name"]


def check_mask(made: dict[str, Any], expected: dict[str, Any], name: str) -> None:
    check_matrix(made, expected, name)
    assert {type(cell) for row in made["values"] for cell in row} == {bool}
    assert [option["label"] for option in made["options"]] == ["attend", "hide"]


def check_tensor(made: dict[str, Any], expected: dict[str, Any], name: str) -> None:
    assert made["shape"] == expected["shape"]
    assert made["axes"][:-2] == expected["pick"]
    first = expected.get("default_slice") or expected.get("slice_0_0_0")
    if first is not None:
        np.testing.assert_allclose(numbers(made["values"]), numbers(first), rtol=0, atol=5e-7)
    for side in ("query", "key"):
        path = expected.get(f"{side}_labels_path")
        if path is not None:
            labels = json.loads((SAMPLES / name).read_text(encoding="utf-8"))["attention"][0][path.rpartition(".")[2]]
            assert made[{"query": "row_labels", "key": "column_labels"}[side]] == labels


def check_choice(made: dict[str, Any], expected: dict[str, Any], name: str) -> None:
    shapes = [option["shape"] for option in made["options"]]
    assert shapes == [[2, 2], [2, 1], [2, 1]]
    assert [option["values"] for option in made["options"]] == [
        [[1, 234], [5, 678]], [[1.234], [5.678]], [[1234], [5678]],
    ]  # fmt: skip


def check_named(made: dict[str, Any], expected: dict[str, Any], name: str) -> None:
    assert {matrix: each["values"] for matrix, each in made["matrices"].items()} == expected["matrices"]
    assert made["tokens"] == expected["tokens"]


CHECKS = {
    "matrix": check_matrix,
    "mask": check_mask,
    "tensor": check_tensor,
    "choice": check_choice,
    "named": check_named,
}


def test_a_file_of_our_own_is_a_session(capsys: pytest.CaptureFixture[str]) -> None:
    status, made, _ = read("session_v1.json", capsys)
    assert (status, made["kind"]) == (0, "session")


def test_infinities_are_texts_in_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, made, _ = read("17_infinities.txt", capsys)
    assert made["values"][0] == [2, 3, "-inf"]
    assert math.isinf(float(made["values"][1][0]))
