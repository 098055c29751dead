"""Takes pictures of the real window: `python tests/screenshots.py FOLDER`, or `--readme` for the README's own."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SIZES = ((1280, 800), (1024, 768), (1920, 1080))
THEMES = ("light", "dark", "projector")
CASES = (
    *("cat-sat-mat", "self-attention-C1", "single-head-numeric", "single-head-numeric/weights"),
    *("attention-intuition-F", "cat-sat-mat/bias"),
    *("cat-sat-mat/paste-wider", "cat-sat-mat/paste-mask"),
    *("self-attention-C9/causal", "self-attention-C5", "attention-intuition-I"),
)
PASTES = {
    "paste-wider": ("grid_k", "1,5\t0\t-2\n0,5\t1\t0\n2\t0\t1\n0\t0\t1"),
    "paste-mask": ("grid_q", "True False True\nTrue True False\nFalse True True"),
}


def main() -> int:
    """Write every case at every size in every theme."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--readme", action="store_true", help="write resources/screenshot.png")
    parser.add_argument("--case", action="append", help="only these")
    parser.add_argument("--size", action="append", help="only these, as 1280x800")
    parser.add_argument("--theme", action="append", choices=THEMES, help="only these")
    asked = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["ATTENTION_EXPLORER_HOME"] = tempfile.mkdtemp()
    sys.path.insert(0, str(ROOT))
    from PySide6.QtWidgets import QApplication

    app = QApplication([])
    app.setStyle("Fusion")
    if asked.readme:
        _take("cat-sat-mat", (1280, 800), "light", ROOT / "resources" / "screenshot.png")
    if asked.folder is not None:
        asked.folder.mkdir(parents=True, exist_ok=True)
        for case, size, theme in _wanted(asked):
            name = f"{case.replace('/', '_')}-{size[0]}x{size[1]}-{theme}.png"
            _take(case, size, theme, asked.folder / name)
            print(asked.folder / name)
    return 0


def _wanted(asked: argparse.Namespace) -> Iterator[tuple[str, tuple[int, int], str]]:
    sizes = [tuple(map(int, size.split("x"))) for size in asked.size] if asked.size else SIZES
    for case in asked.case or CASES:
        for size in sizes:
            for theme in asked.theme or THEMES:
                yield case, size, theme


def _take(case: str, size: tuple[int, int], theme: str, path: Path) -> None:
    """Open an example, change it as the case says, and save what the window shows."""
    from PySide6.QtWidgets import QApplication, QWidget

    from explorer.app import build_window
    from explorer.state import bias, edits, sources

    example, _, change = case.partition("/")
    window = build_window([example])
    window.choose_theme(theme)
    window.setGeometry(0, 0, *size)
    window.show()
    window.ground.arrange()
    if change == "causal":
        window.request(edits.set_mask("causal"))
        window.request(edits.look(stage="masked", query=6, key=3))
    elif change == "bias":
        window.request(bias.set_alibi(0.5))
        window.request(bias.set_softcap(2.0))
        window.request(edits.set_cells("bias", {(0, 2): (float("-inf"), None)}))
        window.request(edits.look(stage="masked"))
    elif change in PASTES:
        grid, text = PASTES[change]
        window.activateWindow()
        QApplication.processEvents()
        window.findChild(QWidget, grid).setFocus()
        QApplication.clipboard().setText(text)
        window.menus.actions["paste"].trigger()
    elif change in sources.KINDS:
        window.request(sources.change_source(change))
    for _ in range(8):
        QApplication.processEvents()
    window.grab().save(str(path))
    window.store.mark_saved()
    window.close()
    window.deleteLater()


if __name__ == "__main__":
    sys.exit(main())
