"""A lecturer plugs into an old projector: everything is on the screen, whole and side by side."""

import json
from itertools import combinations
from pathlib import Path

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QSlider, QSpinBox, QWidget

from explorer.gui.theme import ZOOMS
from explorer.gui.widgets.elided_label import ElidedLabel
from tests.jobs.conftest import assert_passed, start_in_child
from tests.person import OpenWindow, Person

PRIMARY = ("btn_undo", "btn_redo", "btn_reset", "mask", "beta", "decimals")
PARTS = (QAbstractButton, QComboBox, QLabel, QLineEdit, QSlider, QSpinBox)
SIZES = ((1024, 768), (1280, 800), (1920, 1080))


def place(widget: QWidget) -> QRect:
    """Where a widget is in its window."""
    return QRect(widget.mapTo(widget.window(), QPoint(0, 0)), widget.size())


def parts(around: QWidget) -> dict[str, QWidget]:
    """What is seen inside a strip, by what it is called."""
    found = {}
    for kind in PARTS:
        for widget in around.findChildren(kind):
            is_inner = isinstance(widget.parentWidget(), (QSpinBox, QComboBox))
            if widget.isVisible() and not is_inner:
                text = widget.text() if isinstance(widget, (QLabel, QAbstractButton)) else ""
                found[f"{widget.objectName() or type(widget).__name__} {text!r} {id(widget):x}"] = widget
    return found


def needed(widget: QWidget) -> int:
    """The width without which something of a widget is cut off."""
    if isinstance(widget, ElidedLabel):
        return 0
    if isinstance(widget, (QLineEdit, QSpinBox)):
        line = widget.lineEdit() if isinstance(widget, QSpinBox) else widget
        return widget.width() - line.width() + widget.fontMetrics().horizontalAdvance(widget.text()) + 4
    return widget.minimumSizeHint().width()


def assert_apart(places: dict[str, QRect]) -> None:
    for (one, here), (other, there) in combinations(places.items(), 2):
        assert not here.intersects(there), f"{one} at {here} lies over {other} at {there}"


def assert_whole(person: Person) -> None:
    """The primary controls, the strips and the panels are inside the window, whole and apart."""
    window = person.window
    inside = window.rect()
    primary = {name: place(person.find(name)) for name in PRIMARY}
    docks = {name: place(dock) for name, dock in window.ground.docks.items() if dock.isVisible()}
    strips = parts(window.top_bar) | parts(window.dials) | parts(window.message_bar)
    for name, there in (primary | docks | {name: place(widget) for name, widget in strips.items()}).items():
        assert inside.contains(there), f"{name} at {there} is not whole inside {inside}"
    for name in PRIMARY:
        assert person.find(name).isVisible(), f"{name} is hidden"
    assert_apart(primary)
    assert_apart(docks)
    assert_apart({name: place(widget) for name, widget in strips.items()})
    for name, widget in strips.items():
        assert widget.width() >= needed(widget), f"{name} is {widget.width()} wide and needs {needed(widget)}"
    for name in ("scores", "weights", "output", "bars"):
        seen = person.picture(name).size()
        assert min(seen.width(), seen.height()) >= 60, f"{name} is {seen}"


def resize(person: Person, size: tuple[int, int]) -> None:
    person.window.setGeometry(0, 0, *size)
    person.settle()
    assert person.window.size().toTuple() == size


def test_everything_is_whole_at_every_size(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-H")
    for size in SIZES:
        resize(person, size)
        assert_whole(person)


def test_everything_is_whole_at_every_zoom(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-H", size=(1024, 768))
    person.press("Ctrl+-", "Ctrl+-")
    for zoom in ZOOMS:
        assert person.window.appearance.zoom == zoom
        assert_whole(person)
        resize(person, (1024, 768))
        person.press("Ctrl++")


def test_the_strip_grows_with_what_a_mask_and_a_scale_need(open_window: OpenWindow) -> None:
    person = open_window("attention-intuition-H", size=(1024, 768))
    person.go_to("scale")
    person.press("Down")
    person.type("0.125")
    person.press("Ctrl+H")
    person.click("mask_window")
    for name in ("scale_box", "align", "window_left", "window_right", "padding_keys", "variant"):
        assert person.find(name).isVisible(), name
    assert_whole(person)
    person.press("F9", "Ctrl++", "Ctrl++", "Ctrl++")
    resize(person, (1024, 768))
    assert_whole(person)


def test_a_place_beyond_the_screen_is_corrected(open_window: OpenWindow, home: Path) -> None:
    home.mkdir()
    wanted = "[settings]\nversion=1\n[window]\nx=5000\ny=40\nwidth=1280\nheight=800\n"
    (home / "settings.ini").write_text(wanted, encoding="utf-8")
    person = open_window("self-attention-C9", size=None)
    screen = person.window.screen().availableGeometry()
    assert_whole(person)
    assert screen.contains(person.window.frameGeometry()), f"{person.window.frameGeometry()} is not on {screen}"


def test_the_same_on_other_screens(tmp_path: Path) -> None:
    children = []
    for width, height, factor in ((1024, 768, "1"), (1920, 1080, "2"), (1920, 1080, "1.25")):
        screen = {"name": "projector", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": 1}
        config = tmp_path / f"{width}x{height}-{factor}.json"
        config.write_text(json.dumps({"screens": [screen]}), encoding="utf-8")
        children.append(start_in_child(
            f"{__file__}::{test_a_place_beyond_the_screen_is_corrected.__name__}",
            QT_QPA_PLATFORM=f"offscreen:configfile={config}", QT_SCALE_FACTOR=factor,
        ))  # fmt: skip
    assert_passed(*children)
