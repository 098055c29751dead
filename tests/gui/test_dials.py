"""The strip of dials, by mouse, keyboard and box."""

import math

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem
from explorer.gui.widgets.stop_slider import BETA_STOPS
from explorer.state.document import Document
from tests.person import Person

VALUE_DIALS = ("beta", "beta_box", "btn_beta_zero", "btn_beta_one", "btn_limit", "scale", "shift", "shift_box")
MASK_DIALS = ("mask_none", "mask_causal", "mask_padding", "mask_window", "mask_custom", "btn_paint")
# Two queries, three keys, all that a mask dial can show at once.
LONG = Document(Problem(QKV([[1.0], [2.0]], [[1.0], [2.0], [0.0]], [[1.0], [0.0], [2.0]])))
WINDOW = Document(Problem(LONG.problem.source, mask=Mask("window", left=1, right=0, keys=[True, True, False])))


@pytest.mark.parametrize(("name", "way"), [("beta", 40), ("beta", -30), ("shift", 15)])
def test_dragging_a_knob_is_one_step(person: Person, name: str, way: int) -> None:
    before = person.store.document
    start = person.knob_point(name)
    person.drag(person.find(name), start, *(start + QPoint(way * part // 4, 0) for part in (1, 2, 3, 4)))
    value = getattr(person.problem, name)
    old = getattr(before.problem, name)
    assert (value > old) == (way > 0)
    assert person.find(f"{name}_box").text() not in ("", "1" if name == "beta" else "0")
    labels = person.undo_all()
    assert len(labels) == 1
    assert person.store.document is before


def test_two_drags_are_two_steps(person: Person) -> None:
    values = []
    for _ in range(2):
        start = person.knob_point("beta")
        person.drag(person.find("beta"), start, start + QPoint(10, 0), start + QPoint(20, 0))
        values.append(person.problem.beta)
    assert 1 < values[0] < values[1]
    assert len(person.undo_all()) == 2


def test_arrows_turn_beta_by_its_stops(person: Person) -> None:
    person.focus("beta")
    at = BETA_STOPS.index(1.0)
    person.press("Right")
    assert person.problem.beta == BETA_STOPS[at + 1]
    person.press("Left", times=2)
    assert person.problem.beta == BETA_STOPS[at - 1]
    assert len(person.undo_all()) == 3


def test_the_ends_of_beta_are_zero_and_the_limit(person: Person) -> None:
    person.focus("beta")
    person.press("Home")
    assert person.problem.beta == 0
    assert person.store.snapshot.attention.weights[0] == pytest.approx([1 / 3] * 3)
    person.press("End")
    assert person.problem.beta == math.inf
    assert person.find("btn_limit").isChecked()
    person.press("Left")
    assert person.problem.beta == 100


@pytest.mark.parametrize("key", ["PgUp", "PgDown"])
def test_a_presenter_s_keys_turn_no_dial(person: Person, key: str) -> None:
    before = person.store.document
    for name in ("beta", "shift"):
        person.focus(name)
        person.press(key)
    assert person.store.document is before


@pytest.mark.parametrize(
    "name", ["beta", "shift", "scale", "decimals", "align", "window_left", "window_right", "variant"]
)
def test_the_wheel_turns_a_dial_only_when_it_has_the_focus(person: Person, name: str) -> None:
    person.open("self-attention-C3" if name == "variant" else WINDOW)
    document, view = person.store.document, person.store.view
    person.focus("weights")
    dial = person.find(name)
    assert dial.isVisible()
    for widget in (dial, *dial.findChildren(QLineEdit)):
        person.turn_wheel(widget, 1)
        person.turn_wheel(widget, -1)
        person.turn_wheel(widget, -1)
    assert person.store.document is document
    assert person.store.view == view
    assert not dial.hasFocus(), "the wheel gives no focus"
    person.focus(name)
    person.turn_wheel(dial, -1)
    person.turn_wheel(dial, 1)
    person.turn_wheel(dial, 1)
    assert person.store.undo_label is not None or person.store.view != view


@pytest.mark.parametrize("name", ["beta_box", "shift_box"])
def test_the_wheel_turns_no_box(person: Person, name: str) -> None:
    before = person.store.document
    person.focus(name)
    person.turn_wheel(person.find(name))
    assert person.store.document is before


@pytest.mark.parametrize(
    ("text", "beta", "said"),
    [
        ("1/2", 0.5, "T = 2.00"), ("2,5", 2.5, "T = 0.40"), ("20", 20.0, "T = 0.05"), ("-1", -1.0, "T = −1.00"),
        ("0", 0.0, "T = ∞"), ("inf", math.inf, "T = 0: limit"), ("-inf", -math.inf, "limit: least"),
    ],
)  # fmt: skip
def test_any_beta_can_be_typed(person: Person, text: str, beta: float, said: str) -> None:
    person.enter("beta_box", text)
    assert person.problem.beta == beta
    assert not person.sees_error
    assert said in [label.text() for label in labels_beside(person.find("beta_box"))]
    assert person.find("btn_beta_zero").isChecked() == (beta == 0)
    assert person.find("btn_limit").isChecked() == (beta == math.inf)
    assert len(person.undo_all()) == 1


def labels_beside(widget: QWidget) -> list[QLabel]:
    return widget.parentWidget().findChildren(QLabel)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("beta_box", "abc", "beta: 'abc' is not a number"), ("beta_box", "nan", "beta: nan"),
        ("beta_box", "1/0", "beta: division by zero"), ("shift_box", "inf", "shift: inf cannot stand here"),
        ("shift_box", "", "shift: empty"),
    ],
)  # fmt: skip
def test_bad_text_is_refused_and_marked(person: Person, name: str, text: str, said: str) -> None:
    before = person.store.document
    box = person.focus(name)
    if not text:
        person.press("Delete")
    person.type(text)
    assert person.sees_error
    assert said in person.message
    assert box.property("bad") is True
    assert box.text() == text, "what was typed can be repaired"
    assert person.store.document is before
    box.selectAll()
    person.type("2")
    assert not box.property("bad")
    assert not person.sees_error
    assert getattr(person.problem, name.removesuffix("_box")) == 2


@pytest.mark.parametrize("name", ["beta_box", "shift_box", "decimals"])
def test_control_z_undoes_though_a_box_has_the_focus(person: Person, name: str) -> None:
    before = person.store.document
    person.click("btn_limit")
    person.focus(name)
    if name != "decimals":
        person.type("3")
    while person.store.undo_label is not None:
        label = person.store.undo_label
        person.press("Ctrl+Z")
        assert person.store.undo_label != label, "Ctrl+Z does nothing here"
    assert person.store.document is before


def test_escape_gives_a_box_its_number_back(person: Person) -> None:
    box = person.focus("beta_box")
    person.type("77", "Escape")
    assert box.text() == "1"
    person.press("Return")
    assert person.problem.beta == 1
    assert person.store.undo_label is None


def test_escape_takes_the_mark_off_a_box(person: Person) -> None:
    box = person.focus("beta_box")
    person.type("abc")
    assert box.property("bad") is True
    person.press("Escape")
    assert (box.text(), bool(box.property("bad"))) == ("1", False)


def test_leaving_a_box_takes_its_number(person: Person) -> None:
    person.focus("beta_box")
    person.type("3", "Tab")
    assert person.problem.beta == 3
    assert not person.find("beta_box").hasFocus()


@pytest.mark.parametrize(
    ("name", "beta"), [("btn_beta_zero", 0.0), ("btn_limit", math.inf), ("btn_beta_one", 1.0)]
)  # fmt: skip
def test_buttons_set_beta_and_stay_down(person: Person, name: str, beta: float) -> None:
    person.enter("beta_box", "7")
    for _ in range(2):
        person.click(name)
        assert person.problem.beta == beta
        assert person.find(name).isChecked()
    assert person.find("beta").value() == BETA_STOPS.index(beta)
    assert len(person.undo_all()) == 2


def test_the_limit_says_so(person: Person) -> None:
    person.open("attention-intuition-H")
    person.click("btn_limit")
    assert person.store.snapshot.attention.weights.tolist() == [[0, 1]]
    assert "no logits" in logits_of(person)


def logits_of(person: Person) -> str:
    person.click("stage_logits")
    return person.described("scores")


@pytest.mark.parametrize("where", ["shift_box", "shift"])
def test_a_shift_changes_no_weight(person: Person, where: str) -> None:
    weights = person.store.snapshot.attention.weights
    if where == "shift":
        person.focus("shift")
        person.press("Right", times=5)
    else:
        person.enter("shift_box", "5")
    assert person.problem.shift == 5
    assert (person.store.snapshot.attention.weights == weights).all()
    assert person.store.snapshot.attention.logits[0, 0] == pytest.approx(1 / math.sqrt(2) + 5)
    assert person.find("shift_box").text() == "5"


def test_decimals_are_a_look(person: Person) -> None:
    person.focus("decimals")
    person.press("Up")
    assert person.store.view.decimals == 4
    assert "0.4011" in person.described("weights")
    person.press("Down", times=6)
    assert person.store.view.decimals == 0
    assert person.store.undo_label is None
    assert not person.store.is_changed


def test_the_scale_is_chosen_with_arrows(person: Person) -> None:
    box = person.pick("scale", "none")
    assert person.problem.scale == 1
    assert not person.find("scale_box").isVisible()
    person.pick("scale", "sqrt_dk")
    assert person.problem.scale == "sqrt_dk"
    assert box.currentText() == "√dₖ = 1.414"
    assert len(person.undo_all()) == 2


def test_a_custom_scale_is_typed(person: Person) -> None:
    person.pick("scale", "custom")
    before = person.store.document
    box = person.find("scale_box")
    assert box.isVisible()
    assert box.hasFocus()
    person.type("1/2")
    assert person.problem.scale == 0.5
    assert person.store.snapshot.attention.scaled[0, 0] == 2
    assert person.find("scale").currentData() == "custom"
    person.click("btn_undo")
    assert person.store.document is before
    assert person.find("scale").currentData() == "none"
    assert not box.isVisible()


@pytest.mark.parametrize("text", ["0", "-1", "abc"])
def test_an_impossible_scale_is_refused(person: Person, text: str) -> None:
    person.pick("scale", "custom")
    before = person.store.document
    person.type(text)
    assert person.sees_error
    assert "scale" in person.message
    assert person.store.document is before


def test_typed_scores_without_d_k_have_no_root(person: Person) -> None:
    person.open("attention-intuition-F")
    before = person.store.document
    box = person.pick("scale", "sqrt_dk")
    assert person.sees_error
    assert "d_k" in person.message
    assert box.currentData() == "none"
    assert person.store.document is before


def test_typed_scores_with_d_k_have_one(person: Person) -> None:
    person.open("self-attention-C3")
    assert person.find("scale").currentText() == "√dₖ = 8.000"
    person.pick("scale", "none")
    assert person.store.snapshot.attention.weights[0, 0] == pytest.approx(0.99753, abs=1e-5)


def test_the_variants_of_a_beta_dial(person: Person) -> None:
    person.open("attention-intuition-H")
    box = person.focus("variant")
    assert [box.itemText(at) for at in range(box.count())] == ["beta 1", "beta 5", "beta 20", "beta inf", "beta 0"]
    assert box.currentText() == "beta 1"
    person.press("Down", times=2)
    assert person.problem.beta == 20
    assert "<0.001" in person.described("weights")
    assert ">0.999" in person.described("weights")
    assert person.find("beta_box").text() == "20"
    person.enter("beta_box", "3")
    assert box.currentIndex() == -1
    assert box.placeholderText() == "own values"
    assert len(person.undo_all()) == 3


def test_the_variants_of_a_scale(person: Person) -> None:
    person.open("self-attention-C3")
    box = person.focus("variant")
    assert box.currentText() == "scaled"
    person.press("Up")
    assert person.problem.divisor == 1
    assert person.store.snapshot.attention.weights[0, 0] == pytest.approx(0.99753, abs=1e-5)
    assert person.store.undo_label == "unscaled"


def test_without_variants_there_is_no_choice_of_them(person: Person) -> None:
    assert not person.find("variant").isVisible()


def test_a_page_on_the_groove_is_a_step_of_its_own(person: Person) -> None:
    slider = person.find("beta")
    person.click_at(slider, QPoint(slider.width() - 4, slider.height() // 2))
    assert person.problem.beta > 1
    assert len(person.undo_all()) == 1


@pytest.mark.parametrize("text", ["0", "-1", "inf", "x"])
def test_a_scale_that_cannot_be_is_refused_in_place(person: Person, text: str) -> None:
    person.pick("scale", "custom")
    before = person.store.document
    person.type(text)
    box = person.find("scale_box")
    assert person.sees_error
    assert "scale" in person.message
    assert (box.text(), box.is_bad, box.isVisible()) == (text, True, True)
    assert person.store.document is before
    person.press("Escape")
    assert not person.sees_error
    person.type("4")
    assert person.problem.scale == 4
