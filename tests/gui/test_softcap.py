"""The softcap's box, used with real keystrokes, and the formula that names it."""

import pytest

from tests.gui.truth import assert_weights_are_true
from tests.person import Person


def test_a_softcap_is_typed(person: Person) -> None:
    before = person.store.document
    person.enter("softcap_box", "1/2")
    assert person.problem.softcap == 0.5
    assert_weights_are_true(person)
    assert person.store.view.stage == "masked"
    assert person.described("scores").startswith("masked scores with softcap 0.5, 3 queries")
    assert person.find("softcap_box").text() == "0.5"
    person.enter("softcap_box", "0")
    assert person.problem.softcap == 0
    assert person.undo_all() == ["Softcap off", "Softcap 0.5"]
    assert person.store.document is before


def test_leaving_the_softcap_takes_it(person: Person) -> None:
    person.focus("softcap_box")
    person.type("3", "Tab")
    assert person.problem.softcap == 3


@pytest.mark.parametrize("text", ["-1", "nan", "inf", "abc"])
def test_a_softcap_that_cannot_be_is_refused_in_place(person: Person, text: str) -> None:
    before = person.store.document
    person.enter("softcap_box", text)
    box = person.find("softcap_box")
    assert person.sees_error
    assert "softcap" in person.message
    assert (box.text(), box.is_bad) == (text, True)
    assert person.store.document is before
    person.press("Escape")
    assert (box.text(), box.is_bad) == ("0", False)
    assert not person.sees_error


def test_the_wheel_turns_no_softcap(person: Person) -> None:
    person.enter("softcap_box", "3")
    before = person.store.document
    person.turn_wheel(person.find("softcap_box"))
    assert person.store.document is before


def test_the_formula_names_what_is_there(person: Person) -> None:
    def formula() -> str:
        return person.panel("scores").subtitle(person.store.snapshot)[0]

    person.click("stage_masked")
    assert formula() == "QKᵀ / √dₖ, masked"
    person.click("btn_add_bias")
    assert formula() == "QKᵀ / √dₖ + B"
    person.enter("softcap_box", "2")
    assert formula() == "softcap(QKᵀ / √dₖ) + B"
    person.click("mask_causal")
    assert formula() == "softcap(QKᵀ / √dₖ) + B, masked"
    person.click("stage_scaled")
    assert formula() == "QKᵀ / √dₖ"
