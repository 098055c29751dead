"""Problems with more cells than pixels, and with more rows than a grid shows."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QColor, QImage, QPainter

from explorer.core.masks import Mask
from explorer.core.problem import Problem, Scores, Weights
from explorer.gui import theme
from explorer.gui.pictures import heatmap, scores_picture, weights_picture
from explorer.gui.pictures.picture import Picture
from explorer.gui.pictures.style import Style
from explorer.library.blank import blank
from explorer.state import edits
from explorer.state.document import Document, Snapshot, View
from explorer.state.store import Store
from tests.person import Person

SIZE = QSizeF(420, 380)


def painted(picture: Picture, snapshot: Snapshot, style: Style) -> QImage:
    image = QImage(SIZE.toSize(), QImage.Format.Format_RGB32)
    image.fill(style.colour("paper"))
    painter = QPainter(image)
    picture.paint(painter, SIZE, snapshot, style)
    painter.end()
    return image


def snapshot_of(problem: Problem, view: View | None = None) -> Snapshot:
    return Store(Document(problem), view).snapshot


@pytest.fixture
def style(app: object) -> Style:
    return Style(theme.load("light"))


@pytest.mark.parametrize("n", [300, 777, 1500])
def test_a_single_large_weight_is_never_lost_between_pixels(n: int, style: Style) -> None:
    rng = np.random.default_rng(n)
    weights = np.zeros((n, n))
    hot = [(int(i), int(j)) for i, j in rng.integers(n // 8, n, size=(20, 2))]
    for place in hot:
        weights[place] = 1.0
    snapshot = snapshot_of(Problem(Weights(weights), scale=1.0))
    image = painted(weights_picture.WEIGHTS, snapshot, style)
    table = heatmap.place(weights_picture.build(snapshot, style), SIZE, style)
    for i, j in hot:
        at = table.cell(i, j).center()
        near = [
            QColor(image.pixel(int(at.x()) + dx, int(at.y()) + dy)).lightness()
            for dx in range(-2, 3)
            for dy in range(-2, 3)
        ]
        assert min(near) < 90, f"weight {i}, {j} of {n} is not to be seen"


def test_of_negative_scores_the_one_farthest_from_zero_is_kept() -> None:
    values = np.array([[0.1, -9.0, 0.2, 0.3, 5.0], [1.0, 2.0, -0.5, 0.0, -1.0], [0.0, 0.0, 0.0, -3.0, 2.0]])
    by_rows = heatmap._largest(values, 2, 0)
    assert by_rows.tolist() == [[1.0, -9.0, -0.5, 0.3, 5.0], [0.0, 0.0, 0.0, -3.0, 2.0]]
    assert heatmap._largest(by_rows, 2, 1).tolist() == [[-9.0, -0.5, 5.0], [0.0, -3.0, 2.0]]


def test_hidden_cells_keep_their_ground(style: Style) -> None:
    n = 600
    problem = Problem(Scores(np.full((n, n), -4.0)), scale=1.0, mask=Mask("causal"))
    snapshot = snapshot_of(problem, View(stage="masked"))
    drawn = scores_picture.build(snapshot, style)
    assert drawn is not None
    image, table = painted(scores_picture.SCORES, snapshot, style), heatmap.place(drawn, SIZE, style)
    future, past = table.cell(100, 500).center(), table.cell(500, 100).center()
    assert QColor(image.pixel(future.toPoint())) == style.colour("hatch_ground")
    assert QColor(image.pixel(past.toPoint())).blue() > QColor(image.pixel(past.toPoint())).red()


def test_a_row_chosen_elsewhere_comes_into_sight(person: Person) -> None:
    person.open(blank("qkv", n_q=60, n_k=60, d_k=2, d_v=2))
    grid = person.grid("q")
    assert not grid.viewport().rect().intersects(grid.visualRect(grid.model().index(50, 0)))
    person.focus("weights")
    person.window.request(edits.look(query=50))
    person.settle()
    assert grid.viewport().rect().contains(grid.visualRect(grid.model().index(50, 0)).center())
