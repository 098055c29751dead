"""What the pictures say to those who do not see them, number by number."""

import re

import pytest

from explorer.core.attention import attend
from explorer.library import examples
from explorer.state import edits
from tests.person import Person


def rounded(value: float, decimals: int = 3) -> str:
    """A weight as it should be printed, from its definition: never 0 nor 1 where it is not."""
    text = f"{value:.{decimals}f}"
    unit = 10.0**-decimals
    if value == 0:
        return "0"
    if float(text) == 0:
        return f"<{unit:.{decimals}f}"
    return f">{1 - unit:.{decimals}f}" if float(text) == 1 and value < 1 else text


@pytest.mark.parametrize("example_id", examples.EXAMPLES)
def test_pictures_say_the_true_numbers(person: Person, example_id: str) -> None:
    person.open(example_id)
    truth = attend(person.problem)
    last = person.problem.n_q - 1
    person.window.request(edits.look(query=last))
    person.settle()
    document, weights = person.store.document, truth.weights[last].tolist()
    said = person.described("weights")
    for j, weight in enumerate(weights[:12]):
        assert f"{document.key_name(j)} {rounded(weight)}" in said
        assert f"{document.key_name(j)} {rounded(weight)}" in person.described("bars")
    if truth.row_sums is not None:
        assert f"= {truth.row_sums[last]:.3f}" in person.described("bars")
    if truth.scaled is not None:
        number = float(re.findall(r": (\S+?)(?:,|$)", person.described("scores"))[-1])
        assert number == pytest.approx(float(truth.scaled[last, 0]), abs=5e-4)
    if truth.output is not None:
        row = person.described("output").rpartition(": ")[2].partition(" and ")[0].split(", ")
        assert [float(text) for text in row] == pytest.approx(truth.output[last, :12].tolist(), abs=5e-4)


@pytest.mark.parametrize("stage", ["scores", "scaled", "masked", "logits"])
def test_each_stage_is_shown_as_computed(person: Person, stage: str) -> None:
    person.click("mask_causal")
    person.enter("beta_box", "2")
    person.enter("shift_box", "1")
    person.click(f"stage_{stage}")
    assert person.store.view.stage == stage
    person.click_picture("scores", 2, 1)
    values = getattr(attend(person.problem), stage)
    assert person.described("scores").endswith(f"key sat: {values[2, 1]:.3f}")
    person.click_picture("scores", 0, 2)
    said = person.described("scores").rpartition(": ")[2]
    assert said == {"scores": "1.000, hidden", "scaled": "0.707, hidden"}.get(stage, "-inf, hidden")


def test_a_stage_that_is_not_given_says_so(person: Person) -> None:
    person.open("attention-intuition-I")
    assert person.described("scores") == "not given: the weights were typed"
    person.open("self-attention-C6")
    assert person.described("output") == "no values, so no output"
