"""The commands, as somebody at a terminal or a script uses them."""

from __future__ import annotations

import io
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import explorer
from explorer import app
from explorer.core.attention import attend
from explorer.core.problem import QKV, Problem
from explorer.library import examples

ROOT = Path(__file__).resolve().parent.parent
KEYS = [
    "q", "k", "v", "scores", "scaled", "masked", "logits", "exponentials", "row_sums",
    "weights", "output", "entropy", "status",
]  # fmt: skip


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    status: int
    out: str
    err: str

    @property
    def results(self) -> list[dict[str, Any]]:
        """The JSON objects, one a line; what strict JSON does not know is refused."""

        def refuse(literal: str) -> None:
            raise AssertionError(literal)

        return [json.loads(line, parse_constant=refuse) for line in self.out.splitlines()]


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> Ran:
        status = app.main(list(words))
        return Ran(status, *capsys.readouterr())

    return run


@pytest.fixture
def json_of(run: Run) -> Callable[..., dict[str, Any]]:
    def json_of(*words: str) -> dict[str, Any]:
        ran = run("compute", "--format", "json", *words)
        assert (ran.status, ran.err) == (0, "")
        (result,) = ran.results
        return result

    return json_of


@pytest.fixture
def saved(tmp_path: Path) -> Callable[..., str]:
    def saved(source: dict[str, Any], **rest: Any) -> str:
        path = tmp_path / f"given{len(list(tmp_path.iterdir()))}.json"
        path.write_text(json.dumps({"format": "attention-explorer", "version": 1, "source": source, **rest}))
        return str(path)

    return saved


def child(*words: str, **options: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "main.py", *words], cwd=ROOT, timeout=60, **options)


def test_list_prints_id_tab_title_of_every_example(run: Run) -> None:
    ran = run("list")
    assert ran.status == 0
    assert ran.out.splitlines() == [f"{name}\t{examples.title(name)}" for name in examples.EXAMPLES]
    assert ran.out.startswith("self-attention-C1\t")


def test_json_has_every_stage_in_order_at_full_precision(json_of: Callable[..., dict[str, Any]]) -> None:
    result = json_of("cat-sat-mat")
    assert list(result) == KEYS
    true = attend(examples.load("cat-sat-mat")[0].problem)
    for name in KEYS[:-1]:
        np.testing.assert_array_equal(result[name], getattr(true, name), err_msg=name)
    assert result["status"] == ["ok"] * 3
    assert result["weights"][0] == pytest.approx([0.401112, 0.197776, 0.401112], abs=1e-6)


def test_json_is_null_above_the_entry_and_at_the_limit(json_of: Callable[..., dict[str, Any]]) -> None:
    assert [name for name in KEYS if json_of("attention-intuition-I")[name] is None] == KEYS[:2] + KEYS[3:9]
    at_limit = json_of("self-attention-C1", "--beta", "inf")
    assert [name for name in KEYS if at_limit[name] is None] == ["logits", "exponentials", "row_sums"]
    assert at_limit["weights"] == [[0.5, 0.0, 0.5]]


def test_an_empty_row_has_no_entropy_and_hidden_logits(
    json_of: Callable[..., dict[str, Any]], saved: Callable[..., str]
) -> None:
    mask = {"kind": "custom", "allowed": [[False, False], [True, False]]}
    result = json_of(saved({"kind": "scores", "scores": [[1, 2], [3, 4]]}, mask=mask))
    assert result["status"] == ["empty", "ok"]
    assert result["entropy"] == [None, 0.0]
    assert result["logits"] == [["-inf", "-inf"], [3.0, "-inf"]]
    assert result["weights"] == [[0.0, 0.0], [1.0, 0.0]]


def test_an_invalid_row_reads_nan_and_spares_the_others(
    json_of: Callable[..., dict[str, Any]], saved: Callable[..., str]
) -> None:
    result = json_of(saved({"kind": "scores", "scores": [["nan", 2], ["inf", 0], [4, 4]], "v": [[1], [3]]}))
    assert result["status"] == ["invalid", "invalid", "ok"]
    assert result["entropy"] == ["nan", "nan", pytest.approx(math.log(2))]
    assert result["weights"] == [["nan", "nan"], ["nan", "nan"], [0.5, 0.5]]
    assert result["output"] == [["nan"], ["nan"], [2.0]]
    assert result["scores"][1] == ["inf", 0.0]


def test_an_overflowing_exponential_is_inf_and_its_weights_are_right(
    json_of: Callable[..., dict[str, Any]], saved: Callable[..., str]
) -> None:
    result = json_of(saved({"kind": "scores", "scores": [[1000, 1000]]}))
    assert result["exponentials"] == [["inf", "inf"]]
    assert result["weights"] == [[0.5, 0.5]]


def test_negative_given_weights_have_no_entropy(
    json_of: Callable[..., dict[str, Any]], saved: Callable[..., str]
) -> None:
    result = json_of(saved({"kind": "weights", "weights": [[-0.5, 1.5], [0.5, 0.5], ["nan", 1]]}))
    assert result["entropy"] == [None, pytest.approx(math.log(2)), "nan"]
    assert result["status"] == ["ok", "ok", "invalid"]


def test_dials_left_in_a_file_of_given_weights_are_noted_once(run: Run, saved: Callable[..., str]) -> None:
    source = {"kind": "weights", "weights": [[0.25, 0.75]]}
    name = saved(source, beta=5, mask={"kind": "causal", "align": "start"}, bias=[[1, 2]], shift=2, scale=3)
    ran = run("compute", "--format", "json", name)
    assert ran.status == 0
    assert ran.results[0]["weights"] == [[0.25, 0.75]]
    assert ran.err.count("\n") == 1
    assert ran.err.startswith(f"attention-explorer: {name}: weights were given")
    assert "mask, scale, bias, beta, shift are kept but ignored" in ran.err
    assert run("compute", saved(source)).err == ""
    assert "beta is kept but ignored" in run("compute", saved(source), "--beta", "2").err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--beta", "-1"], {"beta": -1}),
        (["--beta", "-inf"], {"beta": -math.inf}),
        (["--beta=-1/3"], {"beta": -1 / 3}),
        (["--beta", "-.5", "--shift", "-2,5"], {"beta": -0.5, "shift": -2.5}),
        (["--beta", "sqrt(2)"], {"beta": math.sqrt(2)}),
        (["--scale", "none"], {"scale": 1}),
        (["--scale", "sqrt_dk"], {"scale": "sqrt_dk"}),
        (["--scale", "1e-3"], {"scale": 0.001}),
    ],
)
def test_dials_go_over_the_file(
    words: list[str], problem: dict[str, Any], json_of: Callable[..., dict[str, Any]], saved: Callable[..., str]
) -> None:
    q, k = [[1, 2]], [[1, 0], [0, 1], [2, 2]]
    true = attend(Problem(QKV(q, k), **{"scale": 4, "beta": 7, "shift": 1} | problem))
    name = saved({"kind": "qkv", "q": q, "k": k, "v": None}, scale=4, beta=7, shift=1)
    for result in (json_of(name, *words), json_of(*words, name)):
        np.testing.assert_array_equal(result["weights"], true.weights)
        if true.logits is not None:
            np.testing.assert_array_equal(result["logits"], true.logits)


@pytest.mark.parametrize(
    ("mask", "hidden"),
    [
        ("none", [[0, 0, 0], [0, 0, 0]]),
        ("causal", [[0, 1, 1], [0, 0, 1]]),
        ("causal-end", [[0, 0, 1], [0, 0, 0]]),
    ],
)
def test_mask_goes_over_the_file(
    mask: str, hidden: list[list[int]], json_of: Callable[..., dict[str, Any]], saved: Callable[..., str]
) -> None:
    given = {"kind": "custom", "allowed": [[False, True, True], [True, True, True]]}
    result = json_of(saved({"kind": "scores", "scores": [[1, 2, 3], [4, 5, 6]]}, mask=given), "--mask", mask)
    assert [[int(cell == "-inf") for cell in row] for row in result["masked"]] == hidden


def test_a_dial_wins_over_the_variant_and_the_variant_over_the_file(json_of: Callable[..., dict[str, Any]]) -> None:
    document = examples.load("attention-intuition-H")[0]
    variant = next(variant for variant in document.variants if variant.beta not in (None, 1))
    scores = np.array(json_of("attention-intuition-H")["masked"])
    for words, beta in (([], variant.beta), (["--beta", "0.5"], 0.5)):
        result = json_of("attention-intuition-H", "--variant", variant.name, *words)
        np.testing.assert_allclose(result["logits"], beta * scores)


def test_an_unknown_variant_names_those_there_are(run: Run) -> None:
    ran = run("compute", "attention-intuition-H", "--variant", "beta 6")
    assert ran.status == 2
    for variant in examples.load("attention-intuition-H")[0].variants:
        assert variant.name in ran.err
    assert "it has none" in run("compute", "cat-sat-mat", "--variant", "x").err


def test_an_unusable_input_is_one_line_and_the_others_are_done(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    absent = str(tmp_path / "absent.json")
    ran = run("compute", "cat-sat-mat", str(broken), absent, "no-such", "self-attention-C2", "--format", "json")
    assert ran.status == 2
    assert len(ran.results) == 2
    for line, name in zip(ran.err.splitlines(), [str(broken), absent, "no-such"], strict=True):
        assert line.startswith(f"attention-explorer: {name}: ")
        assert line.count(name) == 1 + (name == "no-such")
        assert line.count(": ") >= 3


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["compute"], "FILE|EXAMPLE|-"),
        (["compute", "cat-sat-mat", "--beta", "nan"], "--beta"),
        (["compute", "cat-sat-mat", "--beta", "two"], "'two' is not a number"),
        (["compute", "cat-sat-mat", "--beta"], "--beta"),
        (["compute", "cat-sat-mat", "--shift", "inf"], "--shift"),
        (["compute", "cat-sat-mat", "--scale", "-1"], "scale is -1.0"),
        (["compute", "cat-sat-mat", "--mask", "padding"], "--mask"),
        (["compute", "cat-sat-mat", "--decimals", "9"], "--decimals"),
        (["compute", "cat-sat-mat", "--decimals", "-1"], "--decimals"),
        (["compute", "cat-sat-mat", "--format", "xml"], "--format"),
        (["compute", "cat-sat-mat", "--bet", "1"], "--bet"),
        (["list", "more"], "more"),
        (["--what"], "--what"),
        (["-"], "-"),
    ],
)
def test_misuse_is_one_line_and_status_2(words: list[str], what: str, run: Run) -> None:
    ran = run(*words)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith("attention-explorer: ")
    assert what in ran.err


def test_text_shows_each_stage_with_formula_shape_and_tokens(run: Run) -> None:
    out = run("compute", "cat-sat-mat").out
    for heading in (
        "cat sat mat", "K (3 x 2) = as given", "scores (3 x 3) = Q Kᵀ",
        "scaled (3 x 3) = scores / sqrt(d_k) = scores / 1.41421",
        "weights (3 x 3) = exponentials / row sum (row maximum subtracted first)",
        "output (3 x 2) = weights V", "status: every row is ok",
    ):  # fmt: skip
        assert heading in out.splitlines()
    assert "         cat    sat    mat\n  cat  0.401  0.198  0.401\n" in out
    assert "  mat  0.248  0.248  0.503   rounded; exact sum 1\n" in out
    assert "  cat  1.604  0.797\n" in out


def test_text_takes_decimals_from_the_option_else_from_the_file(run: Run, saved: Callable[..., str]) -> None:
    name = saved({"kind": "scores", "scores": [[2, 1]]}, view={"decimals": 5})
    assert "0.73106" in run("compute", name).out
    assert "0.7  0.3\n" in run("compute", name, "--decimals", "1").out


def test_text_never_shows_a_tiny_weight_as_zero(run: Run) -> None:
    out = run("compute", "attention-intuition-H", "--beta", "20").out
    assert "<0.001" in out
    assert ">0.999" in out


def test_text_names_empty_and_invalid_rows_counted_from_1(run: Run, saved: Callable[..., str]) -> None:
    mask = {"kind": "custom", "allowed": [[False, False], [True, True]]}
    source = {"kind": "scores", "scores": [[1, 2], [3, "nan"]]}
    out = run("compute", saved(source, mask=mask, query_labels=["cat", None])).out
    assert "status: query 1 (cat) is empty: it may attend to no key, its weights and output are 0\n" in out
    assert "status: query 2 is invalid: its score for key 2 is not a number\n" in out
    assert "  cat  undefined\n" in out


def test_text_of_projection_limit_and_empty_grids(run: Run, saved: Callable[..., str]) -> None:
    assert "Q (2 x 2) = X W_Q" in run("compute", "single-head-numeric").out
    assert "shared among the smallest" in run("compute", "self-attention-C1", "--beta", "-inf").out
    ran = run("compute", saved({"kind": "qkv", "q": [[1]], "k": [], "v": None}))
    assert ran.status == 0
    assert "query 1 is empty" in ran.out


def test_a_file_cannot_send_control_characters_to_the_terminal(run: Run, saved: Callable[..., str]) -> None:
    source = {"kind": "scores", "scores": [[1, 2]]}
    ran = run("compute", saved(source, title="a\x1b[2Jb\nc", query_labels=["\x1b]0;x\x07"]))
    assert "\x1b" not in ran.out
    assert ran.out.startswith("a [2Jb c\n")


def test_standard_input_is_an_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    data = (ROOT / "resources" / "examples" / "self-attention-C2.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    ran = run("compute", "--format", "json", "-", "self-attention-C2")
    assert ran.status == 0
    assert ran.results[0] == ran.results[1]
    again = run("compute", "-")
    assert (again.status, again.err.count("\n")) == (2, 1)
    assert again.err.startswith("attention-explorer: standard input: ")


def test_names_that_begin_with_a_dash_follow_two_dashes(run: Run) -> None:
    ran = run("compute", "--format", "json", "cat-sat-mat", "--", "-x.json", "--beta")
    assert (ran.status, len(ran.results)) == (2, 1)
    assert [line.split(": ")[1] for line in ran.err.splitlines()] == ["-x.json", "--beta"]


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for words, expected in (
        (["--version"], [f"attention-explorer {explorer.__version__}\n"]),
        (["--help"], ["FILE|EXAMPLE", "list", "compute", "--version"]),
        (["compute", "--help"], ["--beta", "--scale", "--shift", "--mask", "--variant", "--decimals", "--format"]),
    ):
        with pytest.raises(SystemExit) as ended:
            app.main(words)
        assert ended.value.code == 0
        out = capsys.readouterr().out
        assert all(part in out for part in expected)


def test_output_is_utf8_whatever_the_locale() -> None:
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "latin-1"}
    ended = child("compute", "cat-sat-mat", env=environment, capture_output=True)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "Q Kᵀ" in ended.stdout.decode("utf-8")


def test_a_closed_pipe_ends_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        ended = child("compute", *["cat-sat-mat"] * 50, stdout=pipe, stderr=subprocess.PIPE)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_the_worked_solution_is_written(run: Run, form: str) -> None:
    ran = run("compute", "single-head-numeric", "--format", form, "--decimals", "4")
    assert (ran.status, ran.err) == (0, "")
    for number in ("0.7071", "1.4142", "0.6698", "0.3302", "0.1956", "0.8044"):
        assert number in ran.out
    places = [
        ran.out.index(formula) for formula in ("X W_Q", "X W_K", "X W_V", "QK^T", r"\sqrt{d_k}", "softmax", "O = W V")
    ]
    assert places == sorted(places)


def test_worked_solutions_follow_one_another_under_the_dials(run: Run) -> None:
    ran = run("compute", "cat-sat-mat", "self-attention-C7", "--format", "markdown", "--beta", "inf")
    assert ran.status == 0
    assert ran.out.count("\n# ") == 1
    assert ran.out.count("In the limit") == 2
