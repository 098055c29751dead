"""Prints how long it takes from the key that enters a number into Q to the last picture painted, beside matplotlib.

Run it from the project's folder:

    python tests/benchmarks/edit_to_paint.py [--sizes 2 8 32 512] [--repeats 15]

The window is the real one at 1280 x 800, without a screen unless QT_QPA_PLATFORM says otherwise. The keystroke is the
Enter that ends the typing of "3" in the first cell of Q; it is over when every picture in sight has painted the new
numbers. The peer
computes the same attention and redraws scores, weights and bars alone on a canvas of that size, keeping its artists;
it has no grids, no dials, no output and no typing to do. It prints numbers into its cells up to n = 32; the window does
where they can be read. Above n = 256 the window waits 16 ms for further keys: they are part of its time.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np

if TYPE_CHECKING:
    from explorer.gui.main_window import MainWindow
    from explorer.state.document import Document

FRAME = 16.0  # milliseconds
WIDTH, HEIGHT = 1280, 800
MOST_NUMBERS = 32
WARM_UPS = 3
PATIENCE = 30.0  # seconds
PARTS = ("editor", "attend", "display", "pictures", "grids")
Times = dict[str, float]


def document_of(n: int) -> Document:
    """A Q, K, V problem of n queries and n keys in small whole numbers."""
    from explorer.library.blank import blank

    width = min(n, 64)
    return blank("qkv", n_q=n, n_k=n, d_k=width, d_v=width)


def medians(runs: Sequence[Times]) -> Times:
    """The median of each time."""
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


class Clock:
    """Adds up, in milliseconds, what is spent inside the functions it wraps; a call inside a call counts once."""

    def __init__(self) -> None:
        self.spent = dict.fromkeys(PARTS, 0.0)
        self._depth = dict.fromkeys(PARTS, 0)

    def timed(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its time added to a part."""

        def run(*args: Any, **options: Any) -> Any:
            self._depth[part] += 1
            start = perf_counter()
            try:
                return function(*args, **options)
            finally:
                self._depth[part] -= 1
                if not self._depth[part]:
                    self.spent[part] += 1000 * (perf_counter() - start)

        return run

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the window's parts; a window built in here is the one that is measured."""
        from explorer.gui.dials import Dials
        from explorer.gui.docks import PanelDock
        from explorer.gui.grid import Grid
        from explorer.gui.menus import Menus
        from explorer.gui.top_bar import TopBar
        from explorer.gui.widgets.picture_view import PictureView
        from explorer.state import store

        watched: list[tuple[str, Any, str]] = [("attend", store, "attend")]
        watched += [("display", shown, "display") for shown in (PanelDock, Dials, TopBar, Menus)]
        watched += [("pictures", PictureView, "paintEvent"), ("grids", Grid, "paintEvent")]
        with contextlib.ExitStack() as stack:
            for part, owner, name in watched:
                stack.enter_context(patch.object(owner, name, self.timed(part, getattr(owner, name))))
            yield


class Bench:
    """A window that is typed into."""

    def __init__(self, clock: Clock) -> None:
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        from explorer.app import build_window

        app = QApplication.instance() or QApplication(sys.argv[:1])
        assert isinstance(app, QApplication)
        app.setStyle("Fusion")
        self._app, self._clock = app, clock
        window: Any = build_window()
        self.window: MainWindow = window
        self.window.setGeometry(0, 0, WIDTH, HEIGHT)
        self.window.show()
        QTest.qWaitForWindowActive(self.window)

    def close(self) -> None:
        """Leave without being asked about unsaved changes."""
        self.window.store.mark_saved()
        self.window.close()

    def measure(self, n: int, repeats: int) -> Times:
        """The median milliseconds of an edit at n x n, as a whole and by part."""
        from explorer.state.document import View

        self.window.store.open(document_of(n), View())
        self._until_painted()
        runs = [self._edit() for _ in range(WARM_UPS + repeats)]
        return medians(runs[WARM_UPS:])

    def _edit(self) -> Times:
        """Type 3 and Enter into the first cell of Q, where another number stood."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QApplication

        from explorer.gui.grid import Grid
        from explorer.state import edits

        grid = self.window.findChild(Grid, "grid_q")
        assert grid is not None
        grid.setFocus()
        grid.setCurrentIndex(grid.model().index(0, 0))
        self.window.request(edits.set_cells("q", {(0, 0): (-1.0, None)}))
        self._until_painted()
        QTest.keyClick(grid, "3")  # type: ignore[call-overload]
        editor = QApplication.focusWidget()
        assert editor is not None
        for _ in range(3):
            self._app.processEvents()
        spent = self._clock.spent = dict.fromkeys(PARTS, 0.0)
        start = perf_counter()
        QTest.keyClick(editor, Qt.Key.Key_Return)
        spent["editor"] = 1000 * (perf_counter() - start)
        self._until_painted()
        whole = 1000 * (perf_counter() - start)
        if self.window.store.document.problem.source.matrices["q"][0, 0] != 3:
            sys.exit("edit_to_paint: what was typed did not reach Q")
        return {"whole": whole, **spent, "rest": whole - sum(spent.values())}

    def _until_painted(self) -> None:
        """Let events through until every picture in sight shows the document as it is now."""
        from explorer.gui.widgets.picture_view import PictureView

        pictures = [view for view in self.window.findChildren(PictureView) if view.isVisible()]
        end = perf_counter() + PATIENCE
        while not pictures or any(self._is_late(view) for view in pictures):
            if perf_counter() > end:
                sys.exit(f"edit_to_paint: the pictures were not painted within {PATIENCE:g} s")
            self._app.processEvents()

    def _is_late(self, view: Any) -> bool:
        painted = view.painted_snapshot
        now = self.window.store
        return painted is None or painted.document is not now.document or painted.view != now.view


def measure_window(sizes: Sequence[int], repeats: int) -> dict[int, Times]:
    """The window's times by size."""
    clock = Clock()
    with clock.watching():
        bench = Bench(clock)
        found = {n: bench.measure(n, repeats) for n in sizes}
        bench.close()
    return found


def attention_of(q: Any, k: Any) -> tuple[Any, Any]:
    """Scaled scores and weights, as a script would compute them."""
    scaled = q @ k.T / np.sqrt(k.shape[1])
    e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return scaled, e / e.sum(axis=1, keepdims=True)


class Peer:
    """Scores, weights and bars on a matplotlib canvas, its artists kept from edit to edit."""

    def __init__(self, n: int) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        matrices = document_of(n).problem.source.matrices
        self._q, self._k = matrices["q"].copy(), matrices["k"]
        figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100)
        self._canvas = FigureCanvasAgg(figure)
        left, middle, right = figure.subplots(1, 3)
        scaled, weights = attention_of(self._q, self._k)
        most = float(np.abs(scaled).max())
        self._images = [left.imshow(scaled, "RdBu", vmin=-most, vmax=most), middle.imshow(weights, vmin=0, vmax=1)]
        self._numbers = []
        if n <= MOST_NUMBERS:
            for axes, matrix in ((left, scaled), (middle, weights)):
                numbered = np.ndenumerate(matrix)
                self._numbers.append([axes.text(j, i, f"{x:.3f}", ha="center", va="center") for (i, j), x in numbered])
        self._bars = right.bar(np.arange(n), weights[0])

    def edit(self, value: float) -> None:
        """Put a number into the first cell of Q and redraw."""
        self._q[0, 0] = value
        matrices = attention_of(self._q, self._k)
        for image, matrix in zip(self._images, matrices, strict=True):
            image.set_data(matrix)
        for texts, matrix in zip(self._numbers, matrices, strict=bool(self._numbers)):
            for text, x in zip(texts, matrix.flat, strict=True):
                text.set_text(f"{x:.3f}")
        for bar, share in zip(self._bars, matrices[1][0], strict=True):
            bar.set_height(share)
        self._canvas.draw()


def measure_peer(sizes: Sequence[int], repeats: int) -> dict[int, float]:
    """Matplotlib's median milliseconds by size; nothing where it is not installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return {}
    found = {}
    for n in sizes:
        peer, times = Peer(n), []
        for at in range(1 + repeats):
            start = perf_counter()
            peer.edit(3.0 - 4.0 * (at % 2))
            times.append(1000 * (perf_counter() - start))
        found[n] = statistics.median(times[1:])
    return found


def report(window: dict[int, Times], peer: dict[int, float], repeats: int) -> Iterator[str]:
    """The lines to print."""
    yield f"median milliseconds of {repeats} edits in Q, n x n, d_k = min(n, 64), {WIDTH} x {HEIGHT}"
    yield "".join(f"{head:>14}" for head in ("n", "window", "matplotlib", "ratio", *PARTS, "rest"))
    for n, times in window.items():
        beside = ("not installed", "-")
        if n in peer:
            beside = (f"{peer[n]:.2f}", f"{peer[n] / times['whole']:.1f}")
        parts = (f"{times[part]:.2f}" for part in (*PARTS, "rest"))
        yield "".join(f"{cell:>14}" for cell in (str(n), f"{times['whole']:.2f}", *beside, *parts))
    yield "ratio: matplotlib / window; editor, attend, display, pictures, grids and rest make up the window's time"
    if 8 in window:
        yield f"n = 8: within one frame of {FRAME:g} ms: {'yes' if window[8]['whole'] <= FRAME else 'no'}"


def main() -> None:
    """Measure the window, then matplotlib, and print both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 8, 32, 512], choices=range(1, 513), metavar="N")
    parser.add_argument("--repeats", type=int, default=15, choices=range(1, 1001), metavar="N")
    asked = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    with tempfile.TemporaryDirectory() as home:
        os.environ["ATTENTION_EXPLORER_HOME"] = home
        window = measure_window(asked.sizes, asked.repeats)
    for line in report(window, measure_peer(asked.sizes, asked.repeats), asked.repeats):
        print(line)


if __name__ == "__main__":
    main()
