"""The command that marks a person's working, as somebody at a terminal or a script uses it."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from explorer import app
from explorer.library import examples


class Ran(NamedTuple):
    """How the command ended and what it printed."""

    status: int
    out: str
    err: str


Mark = Callable[..., Ran]


@pytest.fixture
def mark(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Mark:
    def mark(stages: Any, *words: str, example: str = "single-head-numeric") -> Ran:
        path = tmp_path / "mine.json"
        path.write_text(stages if isinstance(stages, str) else json.dumps(stages), encoding="utf-8")
        status = app.main(["check", example, str(path), *words])
        return Ran(status, *capsys.readouterr())

    return mark


def test_a_wrong_softmax_is_named_and_its_output_carried(mark: Mark) -> None:
    ran = mark({"weights": [["0.73", "0.27"], None], "output": [["0.73", "0.27"], None]}, "--format", "json")
    assert (ran.status, ran.err) == (1, "")
    marks = json.loads(ran.out)
    assert list(marks) == ["ok", "first_wrong", "stages"]
    assert (marks["ok"], marks["first_wrong"]) == (False, "weights")
    assert [stage for stage in marks["stages"] if stage["verdict"] != "missing"] == [
        {
            "name": "weights", "row": 0, "verdict": "wrong", "mistake": "unscaled",
            "message": "matches the unscaled scores",
        },
        {
            "name": "output", "row": 0, "verdict": "carried", "mistake": None,
            "message": "follows from your own earlier numbers",
        },
    ]  # fmt: skip
    assert {stage["verdict"] for stage in marks["stages"]} <= {"right", "rounded", "wrong", "carried", "missing"}


def test_rounding_to_two_decimals_is_accepted(mark: Mark) -> None:
    ran = mark({"weights": [["0.67", "0.33"]], "output": [["0.67", "0.33"]]}, "--format", "json")
    assert ran.status == 0
    marks = json.loads(ran.out)
    assert (marks["ok"], marks["first_wrong"]) == (True, None)
    assert [stage["verdict"] for stage in marks["stages"] if stage["row"] == 0] == ["rounded", "rounded"]


def test_text_names_rows_and_tokens_and_never_the_right_number(mark: Mark) -> None:
    ran = mark({"weights": [["0.73", "0.27"], ["0.2", "0.8"]], "k": [[1, 0], [0, 3]]})
    assert ran.status == 1
    assert ran.out.splitlines() == [
        "k, key 1 (token 1): right",
        "k, key 2 (token 2): wrong: column 2 is off",
        "weights, query 1 (token 1): wrong: matches the unscaled scores",
        "weights, query 2 (token 2): rounded: right to the digits given",
        "not given: q, v, scores, scaled, masked, logits, exponentials, row_sums, output, entropy",
        "first wrong: k",
    ]
    assert "0.33" not in ran.out


@pytest.mark.parametrize("example", examples.EXAMPLES)
def test_what_compute_prints_is_right(mark: Mark, capsys: pytest.CaptureFixture[str], example: str) -> None:
    assert app.main(["compute", example, "--format", "json"]) == 0
    printed = capsys.readouterr().out
    ran = mark(printed, "--format", "json", example=example)
    assert ran.status == 0
    assert {stage["verdict"] for stage in json.loads(ran.out)["stages"]} <= {"right", "missing"}


def test_dials_go_over_the_problem(mark: Mark) -> None:
    stages = {"weights": [["0.73", "0.27"]]}
    assert mark(stages, "--scale", "none").status == 0
    assert mark(stages, "--beta=-inf").status == 1
    assert mark({"weights": [[0, 1]]}, "--beta=-inf").status == 0
    assert mark({"weights": [["1", "0"]]}, "--mask", "causal").status == 0


def test_the_answers_may_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"output": [[0.67, 0.33]]}')))
    assert app.main(["check", "single-head-numeric", "-"]) == 0
    assert capsys.readouterr().out.endswith("nothing is wrong\n")
    assert app.main(["check", "-", "-"]) == 2
    assert "cannot be both" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ({"softmax": [[1]]}, "the stage 'softmax' is not known: use q, k, v"),
        ({"weights": [["n/a"]]}, "weights, row 1, column 1: 'n/a' is not a number"),
        ('{"weights": [[0.7', "cut off in the middle"),
        ("[]", "is not an object"),
    ],
)
def test_unusable_answers_are_one_line_and_status_2(mark: Mark, stages: Any, message: str) -> None:
    ran = mark(stages)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert ran.err.startswith("attention-explorer: ")
    assert "mine.json: " in ran.err
    assert message in ran.err


def test_a_stage_that_the_problem_lacks_is_unusable(mark: Mark) -> None:
    ran = mark({"q": [[1]]}, example="attention-intuition-C")
    assert ran.status == 2
    assert "this problem has no q: leave it out" in ran.err


def test_missing_words_and_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["check", "single-head-numeric"]) == 2
    assert "ANSWERS.json" in capsys.readouterr().err
    assert app.main(["check", "single-head-numeric", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err
    assert app.main(["check", "no-such-example", "nowhere.json"]) == 2
    assert "no-such-example" in capsys.readouterr().err


def test_rows_alike_are_told_in_one_line(mark: Mark) -> None:
    ran = mark({"k": [[1, 0], [0, 2]], "weights": [["0.61", "0.39"], ["0.31", "0.69"]]})
    assert ran.out.splitlines()[:2] == ["k, keys 1 to 2: right", "weights, queries 1 to 2: wrong: columns 1, 2 are off"]


def test_an_empty_hand_in_is_unusable(mark: Mark) -> None:
    ran = mark({})
    assert ran.status == 2
    assert "no number is given" in ran.err
