"""The mask, and the buttons that take the document elsewhere: source, values, undo, back to the example."""

import math

import pytest

from explorer.core.problem import QKV, Problem, Scores
from explorer.state.document import Document
from tests.person import Person

VALUE_DIALS = ("beta", "beta_box", "btn_beta_zero", "btn_beta_one", "btn_limit", "scale", "shift", "shift_box")
MASK_DIALS = ("mask_none", "mask_causal", "mask_padding", "mask_window", "mask_custom", "btn_paint")
LONG = Document(Problem(QKV([[1.0], [2.0]], [[1.0], [2.0], [0.0]], [[1.0], [0.0], [2.0]])))


def allowed(person: Person) -> list[list[int]]:
    return person.store.snapshot.attention.allowed.astype(int).tolist()


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("causal", [[1, 0, 0], [1, 1, 0], [1, 1, 1]]), ("window", [[1, 0, 0], [1, 1, 0], [0, 1, 1]]),
        ("padding", [[1, 1, 1]] * 3), ("custom", [[1, 1, 1]] * 3),
    ],
)  # fmt: skip
def test_a_click_chooses_the_mask(person: Person, kind: str, cells: list[list[int]]) -> None:
    before = person.store.document
    person.click(f"mask_{kind}")
    assert person.problem.mask.kind == kind
    assert allowed(person) == cells
    assert person.find("mask").value == kind
    assert person.find("window_left").isVisible() == (kind == "window")
    assert person.find("padding_keys").isVisible() == (kind == "padding")
    assert not person.find("align").isVisible()
    person.click(f"mask_{kind}")
    assert person.undo_all() == [f"Mask {kind}"]
    assert person.store.document is before
    assert person.find("mask").value == "none"


def test_the_mask_is_chosen_with_arrows(person: Person) -> None:
    person.focus("mask_none")
    person.press("Right")
    assert person.problem.mask.kind == "causal"
    person.press("Right", times=2)
    assert person.problem.mask.kind == "window"
    assert person.find("mask_window").hasFocus()
    person.press("Left")
    assert person.problem.mask.kind == "padding"


def test_custom_starts_from_what_is_shown(person: Person) -> None:
    person.click("mask_causal")
    person.click("mask_custom")
    assert allowed(person) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_window_widths(person: Person) -> None:
    person.click("mask_window")
    person.focus("window_left")
    person.press("Up")
    assert (person.problem.mask.left, allowed(person)) == (2, [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    person.press("Down", times=3)
    assert person.problem.mask.left is None
    assert person.find("window_left").text() == "all"
    person.focus("window_right")
    person.press("Up")
    assert (person.problem.mask.right, allowed(person)) == (1, [[1, 1, 0], [1, 1, 1], [1, 1, 1]])


@pytest.mark.parametrize(("kind", "end"), [("causal", [[1, 1, 0], [1, 1, 1]]), ("window", [[1, 1, 0], [0, 1, 1]])])
def test_masks_are_aligned_where_lengths_differ(person: Person, kind: str, end: list[list[int]]) -> None:
    person.open(LONG)
    person.click(f"mask_{kind}")
    assert person.find("align").isVisible()
    assert "2 queries, 3 keys" in person.message
    assert "torch" in person.message or "query 1 stands at key 1" in person.message
    assert allowed(person) == [[1, 0, 0], [1, 1, 0]]
    person.pick("align", "end")
    assert allowed(person) == end
    assert "the last query stands at the last key" in person.message
    person.press("Ctrl+Z")
    assert person.find("align").currentData() == "start"


def test_padded_keys_are_chosen_from_a_menu(person: Person) -> None:
    person.click("mask_padding")
    menu = person.find("padding_keys").menu()
    assert [action.text() for action in menu.actions()] == ["1  cat", "2  sat", "3  mat"]
    assert all(action.isChecked() for action in menu.actions())
    menu.actions()[2].trigger()
    person.settle()
    assert allowed(person) == [[1, 1, 0]] * 3
    assert [action.isChecked() for action in menu.actions()] == [True, True, False]
    person.click("mask_causal")
    assert allowed(person) == [[1, 0, 0], [1, 1, 0], [1, 1, 0]], "causal carries the padding along"
    assert person.find("padding_keys").isVisible()
    person.press("Ctrl+H")
    assert allowed(person)[2] == [0, 1, 0]


def test_given_weights_need_no_dials(person: Person) -> None:
    person.open("attention-intuition-I")
    assert [name for name in (*VALUE_DIALS, *MASK_DIALS) if person.find(name).isEnabled()] == []
    assert person.find("decimals").isEnabled()
    person.open("cat-sat-mat")
    assert [name for name in (*VALUE_DIALS, *MASK_DIALS) if not person.find(name).isEnabled()] == []


def test_back_to_the_example_is_one_step(person: Person) -> None:
    origin = person.store.document
    person.click_cell("q")
    person.type("9")
    person.enter("beta_box", "5")
    person.focus("decimals")
    person.press("Up")
    person.click("stage_logits")
    edited = person.store.document
    person.click("btn_reset")
    assert person.store.document is origin
    assert (person.store.view.decimals, person.store.view.stage) == (3, "scaled")
    assert person.store.undo_label == "Back to the example"
    person.click("btn_reset")
    assert person.store.document is origin
    person.press("Ctrl+Z")
    assert person.store.document is edited, "the second time did nothing more"
    assert person.find("beta_box").text() == "5"


def test_undo_and_redo_buttons_say_what_they_do(person: Person) -> None:
    undo, redo = person.find("btn_undo"), person.find("btn_redo")
    assert (undo.isEnabled(), redo.isEnabled()) == (False, False)
    person.click("btn_limit")
    assert undo.isEnabled()
    assert "Beta inf" in undo.accessibleName()
    person.click("btn_undo")
    assert person.problem.beta == 1
    assert (undo.isEnabled(), redo.isEnabled()) == (False, True)
    person.click("btn_redo")
    assert person.problem.beta == math.inf


def test_the_source_goes_down_and_comes_back(person: Person) -> None:
    weights = person.store.snapshot.attention.weights
    person.click("source_scores")
    assert person.problem.source.kind == "scores"
    assert person.store.snapshot.attention.weights == pytest.approx(weights, rel=1e-12)
    assert person.grid("scores").isVisible()
    assert not person.grid("q").isVisible()
    assert "unchanged" in person.message
    person.click("source_weights")
    assert person.store.snapshot.attention.weights == pytest.approx(weights, rel=1e-12)
    person.click("source_qkv")
    assert person.grid("q").isVisible()
    assert person.value("q", 2, 1) == 1
    assert len(person.undo_all()) == 3


def test_values_are_added_by_a_button(person: Person) -> None:
    person.open(Document(Problem(Scores([[1.0, 2.0]]), scale=1.0)))
    person.click("btn_add_values")
    assert person.store.document.matrix("v").tolist() == [[0, 0], [0, 0]]
    assert "V added, zeros" in person.message
    assert not person.find("btn_add_values").isVisible()
