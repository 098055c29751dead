"""What every panel keeps to, whatever it shows."""

import math

import numpy as np
import pytest
from PySide6.QtCore import QObject, QPointF, QSize, QSizeF, Qt
from PySide6.QtGui import QAccessible, QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.core.attention import attend
from explorer.core.masks import Mask
from explorer.core.problem import QKV, Problem, Scores, Weights
from explorer.gui import theme
from explorer.gui.grid import Grid
from explorer.gui.panels import PANELS
from explorer.gui.panels.panel import Panel, PicturePanel
from explorer.gui.pictures.style import Style
from explorer.library import examples
from explorer.state import edits
from explorer.state.document import COLORMAPS, STAGES, Document, Snapshot, View
from explorer.state.edits import Edit, Look
from explorer.state.store import Store
from tests.person import Person, process_events

PICTURES = tuple(kind for kind in PANELS if issubclass(kind, PicturePanel))
SIZES = ((1280, 800), (1024, 768), (120, 90))
NAN, INF = math.nan, math.inf
random = np.random.default_rng(7)


def numbers(rows: int, columns: int) -> np.ndarray:
    return random.normal(size=(rows, columns))


def hiding(*rows: tuple[int, ...]) -> Mask:
    return Mask("custom", allowed=np.array(rows, dtype=bool))


PROBLEMS: dict[str, Problem] = {
    "1 x 1": Problem(QKV([[2.0]], [[3.0]], [[4.0]])),
    "10 x 10 causal": Problem(QKV(numbers(10, 64), numbers(10, 64), numbers(10, 64)), mask=Mask("causal")),
    "64 keys": Problem(QKV(numbers(2, 3), numbers(64, 3), numbers(64, 3))),
    "64 queries": Problem(QKV(numbers(64, 3), numbers(2, 3))),
    "300 x 300": Problem(QKV(numbers(300, 4), numbers(300, 4), numbers(300, 4))),
    "an empty row": Problem(Scores([[1.0, 2.0], [3.0, 4.0]], [[1.0], [2.0]]), scale=1.0, mask=hiding((0, 0), (1, 0))),
    "only empty rows": Problem(Scores([[1.0, 2.0]], [[1.0], [2.0]]), scale=1.0, mask=hiding((0, 0))),
    "an invalid row": Problem(Scores([[NAN, 2.0], [3.0, INF]], [[1.0], [2.0]]), scale=1.0),
    "invalid values": Problem(Scores([[1.0, 2.0]], [[NAN, INF], [2.0, -INF]]), scale=1.0),
    "given weights": Problem(Weights([[0.25, 0.75], [0.5, 0.6]], [[1.0, 2.0], [3.0, 4.0]]), scale=1.0),
    "invalid weights": Problem(Weights([[-0.5, 1.5], [NAN, 1.0]]), scale=1.0),
    "the limit": Problem(QKV(numbers(3, 2), numbers(3, 2), numbers(3, 2)), beta=INF),
    "the other limit": Problem(Scores([[1.0, 1.0, 2.0]]), scale=1.0, beta=-INF),
    "overflow": Problem(Scores([[800.0, 799.0], [-800.0, -900.0]], [[1.0], [2.0]]), scale=1.0),
    "huge": Problem(QKV([[1e200, 0.0]], [[1e200, 0.0], [-1e200, 0.0]], [[1e308], [-1e308]])),
    "no keys": Problem(Scores(np.zeros((2, 0)), np.zeros((0, 2))), scale=1.0),
    "no queries": Problem(Scores(np.zeros((0, 2)), np.zeros((2, 2))), scale=1.0),
    "bias and softcap": Problem(
        Scores([[1.0, 2.0], [0.0, 5.0]]), scale=1.0, bias=[[-INF, 1.0], [0.5, -2.0]], softcap=3.0, beta=-2.0, shift=9.0
    ),
}


def style(theme_id: str = "light") -> Style:
    chosen = theme.load(theme_id)
    return Style(chosen, theme.base_size(chosen, 100))


def snapshot_of(problem: Problem, view: View | None = None, document: Document | None = None) -> Snapshot:
    document = document or Document(problem)
    return Snapshot(document, (view or View()).fitted(problem), attend(problem))


@pytest.fixture(params=PANELS, ids=lambda kind: kind.ID)
def panel(request: pytest.FixtureRequest, app: QApplication, qtbot: QtBot) -> Panel:
    """A panel of its own, without a window."""
    made = request.param()
    qtbot.addWidget(made)
    return made


def listen(panel: Panel) -> list[object]:
    heard: list[object] = []
    panel.requested.connect(heard.append)
    panel.refused.connect(heard.append)
    return heard


def test_a_display_asks_for_nothing(panel: Panel) -> None:
    heard = listen(panel)
    panel.show()
    for example_id in examples.EXAMPLES:
        document, view = examples.load(example_id)
        panel.display(Snapshot(document, view, attend(document.problem)), style())
        process_events()
    panel.hide()
    assert heard == []


def test_a_display_of_another_shape_asks_for_nothing_while_a_grid_has_the_focus(panel: Panel, qtbot: QtBot) -> None:
    heard = listen(panel)
    panel.display(snapshot_of(PROBLEMS["10 x 10 causal"]), style())
    panel.show()
    qtbot.waitExposed(panel)
    grids = [grid for grid in panel.findChildren(Grid) if grid.isVisible()]
    for grid in grids:
        grid.setCurrentIndex(grid.model().index(9, 0))
        grid.setFocus()
    heard.clear()
    for name in ("1 x 1", "an empty row", "given weights", "64 keys"):
        panel.display(snapshot_of(PROBLEMS[name]), style())
        process_events()
    panel.hide()
    assert heard == []


def test_names_and_descriptions(panel: Panel, person: Person) -> None:
    dock = person.window.ground.docks[panel.ID]
    assert dock.objectName() == f"panel_{panel.ID}"
    assert dock.accessibleName() == panel.TITLE != ""
    shown = dock.panel
    assert type(shown) is type(panel)
    if not isinstance(shown, PicturePanel):
        return
    assert shown.picture.objectName() == panel.ID
    assert person.window.findChild(QWidget, panel.ID) is shown.picture
    assert shown.picture.accessibleName() != ""
    before = shown.picture.accessibleDescription()
    assert before != ""
    person.click_cell("k", 0, 0)
    person.type("7")
    assert shown.picture.accessibleDescription() not in ("", before), "the description is renewed after an edit"
    person.click("btn_undo")
    person.click_picture("scores", 0, 0)
    assert shown.picture.accessibleDescription() == before


def test_grids_say_their_names_and_shapes(person: Person) -> None:
    assert person.grid("k").accessibleName() == "K (3 x 2), keys"
    person.click_cell("k", 2, 1)
    cell = QAccessible.queryAccessibleInterface(person.grid("k"))
    assert cell.text(QAccessible.Text.Name) == "K (3 x 2), keys"
    said = person.grid("k").model().index(2, 1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "mat, column 2: 1"


def test_everything_that_takes_the_focus_has_a_name(person: Person) -> None:
    person.click("mask_window")
    nameless = [
        f"{type(widget).__name__} {widget.objectName()!r}"
        for widget in person.window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.focusProxy() is None
        and not QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    ]  # fmt: skip
    assert nameless == []


@pytest.mark.parametrize("theme_id", theme.THEMES)
def test_every_panel_takes_every_problem_and_size(panel: Panel, theme_id: str) -> None:
    heard = listen(panel)
    for name, problem in PROBLEMS.items():
        panel.display(snapshot_of(problem), style(theme_id))
        for width, height in SIZES if name != "300 x 300" else SIZES[1:]:
            panel.resize(width // 3, height // 3) if width > 200 else panel.resize(width, height)
            assert not panel.grab().isNull()
    assert heard == []


def painted(kind: type[PicturePanel], size: tuple[int, int], snapshot: Snapshot, style: Style) -> QImage:
    """A picture as it is painted on paper of this size."""
    image = QImage(QSize(*size), QImage.Format.Format_RGB32)
    image.fill(style.colour("paper"))
    painter = QPainter(image)
    kind.PICTURE.paint(painter, QSizeF(*size), snapshot, style)
    assert painter.end()
    return image


def colours(image: QImage) -> set[int]:
    return {image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("kind", PICTURES, ids=lambda kind: kind.ID)
def test_a_picture_shows_something_at_every_size(app: QApplication, kind: type[PicturePanel], name: str) -> None:
    snapshot = snapshot_of(PROBLEMS[name])
    for size in ((400, 260), (120, 90), (60, 60), (13, 7)):
        image = painted(kind, size, snapshot, style())
        assert size == (13, 7) or len(colours(image)) > 1, "nothing is drawn"
    assert kind.PICTURE.describe(snapshot) != ""
    for x in (-5, 0, 30, 119, 500):
        for y in (-5, 0, 30, 89, 500):
            cell = kind.PICTURE.cell_at(QPointF(x, y), QSizeF(120, 90), snapshot, style())
            assert cell is None or is_inside(cell, PROBLEMS[name])


def is_inside(cell: tuple[int | None, int | None], problem: Problem) -> bool:
    query, key = cell
    return (query is None or 0 <= query < problem.n_q) and (key is None or 0 <= key < problem.n_k)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("theme_id", theme.THEMES)
def test_every_stage_is_painted_in_every_theme(app: QApplication, theme_id: str, stage: str) -> None:
    (scores,) = (kind for kind in PICTURES if kind.ID == "scores")
    for name in ("10 x 10 causal", "an invalid row", "the limit", "given weights", "bias and softcap"):
        image = painted(scores, (300, 220), snapshot_of(PROBLEMS[name], View(stage=stage)), style(theme_id))
        assert len(colours(image)) > 1


@pytest.mark.parametrize("colormap", COLORMAPS)
def test_every_colour_map_paints_the_weights(app: QApplication, colormap: str) -> None:
    (weights,) = (kind for kind in PICTURES if kind.ID == "weights")
    snapshot = snapshot_of(PROBLEMS["10 x 10 causal"], View(colormap=colormap))
    other = snapshot_of(PROBLEMS["10 x 10 causal"], View(colormap=next(name for name in COLORMAPS if name != colormap)))
    assert painted(weights, (300, 220), snapshot, style()) != painted(weights, (300, 220), other, style())


def test_a_picture_follows_its_numbers(app: QApplication) -> None:
    store = Store(examples.load("cat-sat-mat")[0])
    for kind in PICTURES:
        before = painted(kind, (400, 260), store.snapshot, style())
        assert painted(kind, (400, 260), store.snapshot, style()) == before, "the same snapshot, the same picture"
        store.apply(edits.set_cells("k", {(0, 0): (5.0, None)}))
        assert painted(kind, (400, 260), store.snapshot, style()) != before
        store.undo()


def test_a_lost_cell_is_kept_where_cells_are_smaller_than_pixels(app: QApplication) -> None:
    """One hot cell among 160 000 in a picture of 300 pixels must still be seen."""
    (kind,) = (kind for kind in PICTURES if kind.ID == "weights")
    weights = np.zeros((400, 400))
    cold = painted(kind, (300, 300), snapshot_of(Problem(Weights(weights), scale=1.0), View(query=1, key=1)), style())
    weights[201, 203] = 1.0
    hot = painted(kind, (300, 300), snapshot_of(Problem(Weights(weights), scale=1.0), View(query=1, key=1)), style())
    darkest = min(
        QColor(hot.pixel(x, y)).lightness() for x in range(80, 230) for y in range(100, 220)
        if hot.pixel(x, y) != cold.pixel(x, y)
    )  # fmt: skip
    assert darkest < 80


@pytest.mark.parametrize("theme_id", theme.THEMES)
@pytest.mark.parametrize("size", SIZES[:2], ids=str)
def test_the_window_takes_every_problem(person: Person, qtbot: QtBot, theme_id: str, size: tuple[int, int]) -> None:
    window = person.window
    window.choose_theme(theme_id)
    window.resize(*size)
    person.settle()
    assert (window.width(), window.height()) == size, "the window cannot be made this small"
    try:
        for problem in PROBLEMS.values():
            person.open(Document(problem))
            pictures = [person.picture(kind.ID) for kind in PICTURES]
            qtbot.waitUntil(
                lambda shown=pictures: all(view.painted_snapshot is person.store.snapshot for view in shown),
                timeout=3000,
            )
            assert "went wrong" not in person.message
    finally:
        window.choose_theme("system")


def test_what_a_panel_asks_for_is_an_edit_or_a_look(person: Person) -> None:
    heard: dict[str, list[object]] = {}
    connections = []
    for name, dock in person.window.ground.docks.items():
        heard[name] = []
        connections.append(dock.panel.requested.connect(heard[name].append))
    person.click_cell("q", 1, 1)
    person.type("2")
    person.click_picture("scores", 2, 2)
    person.click_picture("weights", 1, 1)
    person.click_picture("output", 0, None)
    person.click_picture("bars", None, 2)
    for connection in connections:
        QObject.disconnect(connection)
    for name, asked in heard.items():
        assert asked, f"{name} asked for nothing"
        assert all(isinstance(wanted, Edit | Look) for wanted in asked)
