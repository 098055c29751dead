"""Every theme can be read: its text on its grounds, and numbers on every colour of every map."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QColor

from explorer.gui import theme
from explorer.gui.appearance import CHOICES
from explorer.gui.pictures.colours import is_light, lut_of
from explorer.state.document import COLORMAPS

ENOUGH = 4.5  # the contrast that WCAG asks of ordinary text
TEXTS = ("ink", "faint", "accent", "bad", "uniform", "query_text", "key_text", "value_text", "output_text")
SHAPES = ("query", "key", "value", "output", "weights")
PAIRS = (
    ("accent_ink", "accent"),
    ("bad", "bad_soft"),
    ("ink", "accent_soft"),
    ("ink", "bad_soft"),
    ("faint", "ground"),
)
ROLES = {*TEXTS, *SHAPES, "ground", "paper", "line", "grid", "accent_ink", "accent_soft", "bad_soft", "hatch",
         "hatch_ground"}  # fmt: skip
each_theme = pytest.mark.parametrize("chosen", [theme.load(name) for name in theme.THEMES], ids=theme.THEMES)


def luminance(rgb: NDArray[np.float64]) -> NDArray[np.float64]:
    """Relative luminance of colours (..., 3) in 0..255."""
    part = rgb / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def light(colour: QColor) -> float:
    return float(luminance(np.array([colour.red(), colour.green(), colour.blue()], dtype=float)))


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast(light(QColor("#000000")), light(QColor("#ffffff"))) == pytest.approx(21)


@each_theme
def test_every_role_has_a_colour(chosen: theme.Theme) -> None:
    assert set(chosen.colours) >= ROLES
    assert all(QColor(colour).isValid() for colour in chosen.colours.values())
    assert set(chosen.maps) == {"weights", "signed"}


@each_theme
def test_text_reads_on_paper(chosen: theme.Theme) -> None:
    paper = light(chosen.colour("paper"))
    faint = {role: contrast(light(chosen.colour(role)), paper) for role in TEXTS}
    assert {role: ratio for role, ratio in faint.items() if ratio < ENOUGH} == {}


@each_theme
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_reads_on_its_own_ground(chosen: theme.Theme, text: str, ground: str) -> None:
    assert contrast(light(chosen.colour(text)), light(chosen.colour(ground))) >= ENOUGH


@each_theme
def test_shapes_stand_out_from_paper(chosen: theme.Theme) -> None:
    paper = light(chosen.colour("paper"))
    assert {role for role in SHAPES if contrast(light(chosen.colour(role)), paper) < 3} == set()


@pytest.mark.parametrize("name", ["light", "projector"])
def test_roles_have_the_colours_agreed_on_light_grounds(name: str) -> None:
    colours = theme.load(name).colours
    shapes = {"query": "#D55E00", "key": "#0072B2", "value": "#009E73", "output": "#AA4499"}
    texts = {"query_text": "#B84A00", "key_text": "#0072B2", "value_text": "#00795A", "output_text": "#AA4499"}
    assert {role: colours[role].upper() for role in shapes | texts} == shapes | texts


@each_theme
@pytest.mark.parametrize("colormap", COLORMAPS)
def test_a_larger_weight_is_darker_or_on_dark_lighter(chosen: theme.Theme, colormap: str) -> None:
    steps = lut_of(chosen, colormap)[np.rint(np.linspace(0, 1023, 128)).astype(int)]  # steps that eight bits tell apart
    rising = np.diff(luminance(steps.astype(float)))
    assert (rising > 0).all() or (rising < 0).all()


@each_theme
def test_our_own_map_falls_evenly_from_the_ground(chosen: theme.Theme) -> None:
    table = lut_of(chosen, "ink").astype(float)
    assert QColor(*map(int, table[0])) == chosen.colour("paper")
    lightness = np.cbrt(luminance(table[:: len(table) // 16]))
    steps = np.diff(lightness) * (1 if chosen.is_dark else -1)
    assert (steps > 0).all()
    assert steps.max() < 2 * steps.min()


@each_theme
@pytest.mark.parametrize("colormap", [*COLORMAPS, None], ids=[*COLORMAPS, "signed"])
def test_numbers_read_on_every_colour(chosen: theme.Theme, colormap: str | None) -> None:
    table = lut_of(chosen, colormap)
    inks = [QColor("#000000" if is_black else "#FFFFFF") for is_black in is_light(table).tolist()]
    ratios = [contrast(light(QColor(*rgb)), light(ink)) for rgb, ink in zip(table.tolist(), inks, strict=True)]
    assert min(ratios) >= ENOUGH


@each_theme
def test_signed_numbers_are_palest_at_zero(chosen: theme.Theme) -> None:
    light_of = luminance(lut_of(chosen, None).astype(float))
    middle = len(light_of) // 2
    assert abs(int(light_of.argmax()) - middle) <= len(light_of) // 50
    assert light_of[0] < light_of[middle] / 2
    assert light_of[-1] < light_of[middle] / 2


def test_every_choice_is_a_theme_or_the_system() -> None:
    assert ("system", *theme.THEMES) == CHOICES


def test_the_projector_has_thick_lines_and_large_type() -> None:
    plain, projector = theme.load("light"), theme.load("projector")
    assert projector.line >= 1.5 * plain.line
    assert theme.base_size(projector, 100) >= 1.25 * theme.base_size(plain, 100)
    assert projector.colour("ground") == QColor("#ffffff")
