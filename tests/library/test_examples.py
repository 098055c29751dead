"""Every number that a source prints, and exact values, against what the program computes."""

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from explorer.core.attention import Attention, attend
from explorer.core.problem import QKV, Problem, Scores
from explorer.errors import ExplorerError
from explorer.formats import session
from explorer.library import examples
from explorer.paths import resources
from explorer.state.document import Document

EXACT: dict[str, dict[str, dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "exact_values.json").read_text(encoding="utf-8")
)
STATED_NUMBERS = 249

# Printed numbers that are wrong in their source: (example, quantity, position, printed, right at these decimals).
SLIPS = (
    ("self-attention-C3", "weights", (0, 0), "0.67917", "0.67918"),
    ("attention-intuition-B", "row_sums", (0,), "21.8956", "21.8958"),
    ("attention-intuition-D", "row_sums", (0,), "571.928", "571.927"),
    ("attention-intuition-F", "row_sums", (0,), "25.5323", "25.5322"),
    ("attention-intuition-F", "top2_mass", (), "0.9088", "0.9089"),
    ("attention-intuition-F", "entropy_lnw", (0, 0), "-3.041", "-3.040"),
    ("attention-intuition-F", "entropy_lnw", (0, 1), "-0.7401", "-0.7399"),
    ("attention-intuition-F", "entropy_lnw", (0, 2), "-0.8401", "-0.8399"),
    ("attention-intuition-F", "entropy_lnw", (0, 3), "-3.139", "-3.140"),
    ("attention-intuition-F", "entropy_terms", (0, 2), "-0.3627", "-0.3626"),
    ("attention-intuition-F", "entropy", (0,), "0.9971", "0.9970"),
    ("attention-intuition-F", "weight_total", (0,), "0.9999", "1.0000"),
)
RIGHT = {slip[:4]: slip[4] for slip in SLIPS}


def noted(document: Document, name: str) -> int:
    """A whole number that the note gives, as in "heads = 8"."""
    found = re.search(rf"\b{name} = (\d+)", document.note)
    assert found, f"the note does not give {name}"
    return int(found[1])


def top_two(values: Any) -> list[float]:
    return sorted(values.ravel().tolist())[-2:]


def divided_by_sum(scores: Any) -> Any:
    total = scores.sum(axis=1, keepdims=True)
    return np.divide(scores, total, out=np.full_like(scores, np.nan), where=total != 0)


@cache
def softmaxed_again(weights: bytes, columns: int) -> Attention:
    return attend(Problem(Scores(np.frombuffer(weights).reshape(-1, columns)), scale=1))


def again(a: Attention) -> Attention:
    return softmaxed_again(a.weights.tobytes(), a.weights.shape[1])


DERIVED: dict[str, Callable[[Attention, Document], Any]] = {
    "scale": lambda a, d: a.problem.divisor,
    "partial": lambda a, d: a.weights[0][:, None] * a.v,
    "weights_pct": lambda a, d: 100 * a.weights,
    "weight_total": lambda a, d: a.weights.sum(axis=1),
    "argmax": lambda a, d: a.weights.argmax(axis=1),
    "ratio_top2": lambda a, d: top_two(a.weights)[1] / top_two(a.weights)[0],
    "exp_of_1.6": lambda a, d: math.exp(top_two(a.logits)[1] - top_two(a.logits)[0]),
    "top2_mass": lambda a, d: sum(top_two(a.weights)),
    "naive_sum": lambda a, d: a.scores.sum(axis=1),
    "divide_by_sum": lambda a, d: divided_by_sum(a.scores),
    "double_exps": lambda a, d: again(a).exponentials,
    "double_sum": lambda a, d: again(a).row_sums,
    "double_weights": lambda a, d: again(a).weights,
    "entropy_lnw": lambda a, d: np.log(a.weights),
    "entropy_terms": lambda a, d: a.weights * np.log(a.weights),
    "max_entropy": lambda a, d: math.log(a.weights.shape[1]),
    "d_k": lambda a, d: noted(d, "d_model") / noted(d, "heads"),
    "shape_Q": lambda a, d: a.q.shape,
    "shape_KT": lambda a, d: a.k.T.shape,
    "shape_scores": lambda a, d: a.scores.shape,
    "n_squared": lambda a, d: noted(d, "n") ** 2,
}
STAGES = ("q", "k", "v", "scores", "masked", "logits", "exponentials", "row_sums", "weights", "output", "entropy")


@cache
def attention(example: str, variant: str | None) -> Attention:
    document = examples.load(example)[0]
    problem = document.problem
    if variant is not None:
        problem = {known.name: known for known in document.variants}[variant].apply(problem)
    return attend(problem)


def quantity(example: str, name: str, variant: str | None) -> Any:
    a = attention(example, variant)
    values = getattr(a, name) if name in STAGES else DERIVED[name](a, examples.load(example)[0])
    assert values is not None, f"{name} is not computed"
    return np.asarray(values, dtype=float)


def numbers(value: Any, position: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], str]]:
    if isinstance(value, str):
        yield position, value
    else:
        for index, item in enumerate(value):
            yield from numbers(item, (*position, index))


def stated() -> Iterator[tuple[str, str, str | None, tuple[int, ...], str]]:
    for example in examples.EXAMPLES:
        for entry in examples.load(example)[0].stated:
            for position, printed in numbers(entry["v"], tuple(entry.get("at", ()))):
                yield example, entry["q"], entry.get("variant"), position, printed


STATED = list(stated())


def roundings(value: float, like: str) -> set[Decimal]:
    """The value at the decimals of a printed number, a tie rounded either way."""
    digits = Decimal(like).as_tuple().exponent
    assert isinstance(digits, int)
    unit = Decimal(1).scaleb(digits)
    return {Decimal(float(value)).quantize(unit, rounding) for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP)}


def prints_as(value: float, printed: str) -> bool:
    if "/" in printed:
        return math.isclose(value, Fraction(printed), rel_tol=1e-15)
    if printed == "-inf":
        return value == -math.inf
    return Decimal(printed) in roundings(value, printed)


def test_no_stated_number_is_left_out() -> None:
    assert len(STATED) == STATED_NUMBERS
    found = {(example, name, position, printed) for example, name, _, position, printed in STATED}
    assert set(RIGHT) <= found
    assert len(RIGHT) == 12


@pytest.mark.parametrize(
    ("example", "name", "variant", "position", "printed"),
    STATED,
    ids=[f"{example}-{name}{list(at)}-{variant}-{printed}" for example, name, variant, at, printed in STATED],
)
def test_stated_number(example: str, name: str, variant: str | None, position: tuple[int, ...], printed: str) -> None:
    values = quantity(example, name, variant)
    assert len(position) == values.ndim
    value = float(values[position])
    slip = (example, name, position, printed)
    if slip in RIGHT:
        assert not prints_as(value, printed)
        assert prints_as(value, RIGHT[slip])
    else:
        assert prints_as(value, printed), f"{value!r} does not print as {printed}"


def test_a_wrong_number_would_be_noticed() -> None:
    assert prints_as(0.4011, "0.401")
    assert not prints_as(0.4016, "0.401")
    assert prints_as(0.0625, "0.062")
    assert prints_as(0.0625, "0.063")
    assert not prints_as(0.333, "1/3")


@pytest.mark.parametrize("example", EXACT)
def test_exact_values(example: str) -> None:
    for variant, quantities in EXACT[example].items():
        for name, exact in quantities.items():
            values = quantity(example, name, None if variant == "base" else variant)
            rows = exact if isinstance(exact, list) else [exact]
            for row, found in zip(rows, np.atleast_1d(values), strict=True):
                if row is None:  # undefined: the scores add up to 0
                    assert np.isnan(found).all()
                else:
                    expected = np.array(row, dtype=float)
                    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15, err_msg=f"{variant} {name}")


def test_every_variant_has_exact_values() -> None:
    for example in examples.EXAMPLES[:-1]:
        variants = [variant.name for variant in examples.load(example)[0].variants]
        assert list(EXACT[example]) == (variants or ["base"])


@pytest.mark.parametrize("example", examples.EXAMPLES)
def test_file_is_what_the_program_writes(example: str) -> None:
    data = (resources() / "examples" / f"{example}.json").read_bytes()
    assert session.write(*session.read(data)) == data


def test_list_and_folder_agree() -> None:
    assert sorted(examples.EXAMPLES) == sorted(path.stem for path in (resources() / "examples").glob("*.json"))
    assert len(set(examples.EXAMPLES)) == 20


@pytest.mark.parametrize("example", examples.EXAMPLES)
def test_title_and_description_fit_a_menu(example: str) -> None:
    document = examples.load(example)[0]
    assert 3 <= len(examples.title(example)) <= 45
    assert 20 <= len(examples.description(example)) <= 90
    assert document.note.startswith(examples.description(example))
    assert 1 <= len(re.findall(r"[.!?](?:\s|$)", document.note)) <= 4


def test_titles_differ() -> None:
    assert len({examples.title(example) for example in examples.EXAMPLES}) == 20


def test_start() -> None:
    document, _ = examples.load(examples.START)
    assert document.query_labels == document.key_labels == ("cat", "sat", "mat")
    np.testing.assert_array_equal(attend(document.problem).scores, [[1, 0, 1], [0, 1, 1], [1, 1, 2]])


@pytest.mark.parametrize(
    ("wanted", "close"), [("attention-intuition-Z", "attention-intuition-"), ("cat", "cat-sat-mat")]
)
def test_unknown_example_names_close_ones(wanted: str, close: str) -> None:
    with pytest.raises(ExplorerError, match=f"no example '{wanted}'") as caught:
        examples.load(wanted)
    assert close in caught.value.hint


def test_unknown_example_that_is_close_to_none() -> None:
    with pytest.raises(ExplorerError, match="20"):
        examples.load("???")


def test_masked_score_cannot_leak() -> None:
    document, _ = examples.load("self-attention-C7")
    for lost in (1000.0, -1000.0, np.inf, np.nan):
        a = attend(replace(document.problem, source=Scores([[2.0, 3.0, lost]])))
        np.testing.assert_array_equal(a.weights, attention("self-attention-C7", None).weights)
        assert a.weights[0, 2] == 0


def test_shift_changes_no_weight() -> None:
    shifted, plain = attention("attention-intuition-D", None), attention("attention-intuition-C", None)
    np.testing.assert_array_equal(shifted.weights, plain.weights)


def test_seeded_values_follow_the_rule_in_the_note() -> None:
    document, _ = examples.load("self-attention-C9")
    source = document.problem.source
    assert "random.Random(9).uniform(-1.7, 1.7)" in document.note
    assert isinstance(source, QKV)
    draw = random.Random(9)
    n, width = noted(document, "n"), noted(document, "d_model") // noted(document, "heads")
    assert (document.problem.d_k, document.problem.n_q) == (width, n)
    for matrix in (source.q, source.k, source.v):
        expected = [[round(draw.uniform(-1.7, 1.7), 2) for _ in range(width)] for _ in range(n)]
        np.testing.assert_array_equal(matrix, expected)
