"""Who may import whom, what stays without Qt, and how large things may be."""

from __future__ import annotations

import ast
import graphlib
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent

# What each part may import of ours, itself included. The longest name that fits a module decides.
LEFT_OF_GUI = {"errors", "paths", "core", "state", "formats", "library"}
PANEL_MAY = {
    *("gui.panels.panel", "gui.pictures", "gui.widgets", "gui.theme", "gui.grid", "gui.typeset"),
    *("state", "core", "errors"),
}
MAY_IMPORT: dict[str, set[str]] = {
    "": set(),
    "errors": set(),
    "paths": set(),
    "preflight": set(),
    "core": {"errors", "core"},
    "state": {"errors", "paths", "core", "state"},
    "formats": {"errors", "paths", "core", "state", "formats"},
    "library": LEFT_OF_GUI,
    "gui": LEFT_OF_GUI | {"gui", ""},
    "gui.panels": {"gui.panels"},
    "cli": LEFT_OF_GUI | {"", "cli"},
    "app": LEFT_OF_GUI | {"", "cli", "preflight", "gui"},
}
FOREIGN_FOR_CORE = {"numpy"}
QT = {"PySide6", "shiboken6", "pyqtgraph"}
FORBIDDEN_WORDS = {"utils", "util", "common", "helpers", "helper", "base", "manager"}
MOST_LINES, MOST_FUNCTION_LINES, MOST_METHODS = 350, 50, 15
MEDIAN_LINES, MEDIAN_FUNCTION_LINES = 120, 10


@cache
def _parsed(text: str) -> ast.Module:
    """The syntax of a file; of the copies that faults are planted in, all but one are as they were."""
    return ast.parse(text)


def modules(root: Path) -> dict[str, ast.Module]:
    """Every module of the package below root, by its name without "explorer."; "" is the package itself."""
    found = {}
    for path in sorted((root / "explorer").rglob("*.py")):
        parts = path.relative_to(root / "explorer").with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = _parsed(path.read_text(encoding="utf-8"))
    return found


@cache
def nodes(tree: ast.Module, *kinds: type[ast.AST]) -> list[Any]:
    """The nodes of some kinds, wherever in a module they stand."""
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def imported(name: str, tree: ast.Module, ours: dict[str, ast.Module]) -> Iterator[tuple[str, ast.stmt]]:
    """The full names of what a module imports, wherever in it the import stands."""
    for node in nodes(tree, ast.Import, ast.ImportFrom):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = node.module or ""
            if node.level:
                is_package = any(other.startswith(f"{name}.") for other in ours) or not name
                parts = ["explorer", *filter(None, name.split("."))]
                parts = parts[: len(parts) - node.level + is_package]
                source = ".".join([*parts, *filter(None, [source])])
            for alias in node.names:
                full = f"{source}.{alias.name}"
                yield (full if full.removeprefix("explorer.") in ours else source), node


def our_name(full: str) -> str | None:
    """The name inside our package, None for somebody else's module."""
    if full == "explorer":
        return ""
    return full.removeprefix("explorer.") if full.startswith("explorer.") else None


def is_within(name: str, part: str) -> bool:
    return name == part or (bool(part) and name.startswith(f"{part}."))


def permitted(name: str) -> set[str]:
    if name.startswith("gui.panels."):
        return PANEL_MAY
    return MAY_IMPORT[max((part for part in MAY_IMPORT if is_within(name, part)), key=len)]


def import_offences(root: Path) -> list[str]:
    ours = modules(root)
    offences = []
    for name, tree in ours.items():
        if not any(is_within(name, part) for part in MAY_IMPORT):
            offences.append(f"{name} has no place in MAY_IMPORT")
            continue
        for full, node in imported(name, tree, ours):
            target = our_name(full)
            if target is None:
                offences += foreign_offences(name, full)
            elif not is_permitted(name, target):
                offences.append(f"{name or 'explorer'} imports {target or 'explorer'}")
            elif name == "app" and is_within(target, "gui") and node in tree.body:
                offences.append(f"app imports {target} outside a call")
    return offences


def is_permitted(name: str, target: str) -> bool:
    if target == "formats.cells" and is_within(name, "gui"):
        return is_within(name, "gui.grid")
    if target == "state.store" and name.startswith("gui.panels."):
        return False
    return any(is_within(target, part) for part in permitted(name))


def foreign_offences(name: str, full: str) -> list[str]:
    top = full.partition(".")[0]
    if is_within(name, "core") and top not in FOREIGN_FOR_CORE | sys.stdlib_module_names:
        return [f"{name} imports {full}"]
    # app names Qt's classes for the type checker only; importing it in a child process shows that it loads none.
    if top in QT and not is_within(name, "gui") and name != "app":
        return [f"{name} imports {full}"]
    return []


def cycle(root: Path) -> list[str]:
    """Modules that import each other in a ring, lazy imports included; empty when there is none."""
    ours = modules(root)
    graph = {
        name: {target for full, _ in imported(name, tree, ours) if (target := our_name(full)) in ours} - {name}
        for name, tree in ours.items()
    }
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def lines_of(node: ast.AST) -> int:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return nodes(tree, ast.FunctionDef, ast.AsyncFunctionDef)


def file_lengths(root: Path) -> dict[str, int]:
    paths = (root / "explorer").rglob("*.py")
    return {str(path.relative_to(root)): len(path.read_text(encoding="utf-8").splitlines()) for path in paths}


def is_method(part: ast.stmt) -> bool:
    """A function of a class that does something: a property is a name for what it holds."""
    names = {getattr(mark, "id", "") for mark in getattr(part, "decorator_list", [])}
    return isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and not names & {"property", "cached_property"}


def size_offences(root: Path) -> list[str]:
    offences = [f"{path} has {length} lines" for path, length in file_lengths(root).items() if length > MOST_LINES]
    for name, tree in modules(root).items():
        offences += [
            f"{name}.{node.name} has {lines_of(node)} lines"
            for node in functions(tree)
            if lines_of(node) > MOST_FUNCTION_LINES
        ]
        for node in nodes(tree, ast.ClassDef):
            methods = sum(map(is_method, node.body))
            offences += [f"{name}.{node.name} has {methods} methods"] if methods > MOST_METHODS else []
    return offences


def name_offences(root: Path) -> list[str]:
    return [name for name in modules(root) if FORBIDDEN_WORDS & set(name.replace(".", "_").split("_"))]


def test_nothing_imports_to_its_right() -> None:
    assert import_offences(ROOT) == []


def test_no_module_imports_itself_round_a_corner() -> None:
    assert cycle(ROOT) == []


def test_files_functions_and_classes_stay_small() -> None:
    assert size_offences(ROOT) == []


def test_half_of_all_files_and_functions_are_short() -> None:
    lengths = [lines_of(node) for tree in modules(ROOT).values() for node in functions(tree)]
    assert statistics.median(file_lengths(ROOT).values()) <= MEDIAN_LINES
    assert statistics.median(lengths) <= MEDIAN_FUNCTION_LINES


def test_names_say_what_is_inside() -> None:
    assert name_offences(ROOT) == []


def test_nothing_outside_gui_loads_qt() -> None:
    names = [f"explorer.{name}".rstrip(".") for name in modules(ROOT) if not is_within(name, "gui")]
    assert "explorer.cli" in names
    program = (
        "import importlib, sys\n"
        f"for name in {names!r}:\n"
        "    importlib.import_module(name)\n"
        "    loaded = {'PySide6', 'shiboken6', 'pyqtgraph', 'scipy', 'matplotlib', 'ziamath'} & set(sys.modules)\n"
        "    assert not loaded, f'{name} loads {loaded}'\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "explorer", tmp_path / "explorer", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def plant(root: Path, module: str, text: str) -> None:
    path = root / "explorer" / f"{module.replace('.', '/')}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "line", "target"),
    [
        ("core.planted", "def f():\n    from explorer.state import document", "state.document"),
        ("core.planted", "from explorer import paths", "paths"),
        ("core.planted", "import scipy.special", "scipy.special"),
        ("core.planted", "from ..formats import cells", "formats.cells"),
        ("state.planted", "import explorer.formats.cells", "formats.cells"),
        ("formats.planted", "import explorer.library.opening", "library.opening"),
        ("library.planted", "from explorer.cli import main", "cli"),
        ("library.planted", "def f():\n    import PySide6.QtCore", "PySide6.QtCore"),
        ("cli", "def f():\n    from explorer.gui import main_window", "gui"),
        ("gui.planted", "from explorer.app import build_window", "app"),
        ("gui.planted", "from explorer.formats.cells import parse_cell", "formats.cells"),
        ("gui.panels.one_panel", "from explorer.gui.panels.two_panel import Two", "gui.panels.two_panel"),
        ("gui.panels.one_panel", "from explorer.gui.main_window import MainWindow", "gui.main_window"),
        ("gui.panels.one_panel", "from explorer.state.store import Store", "state.store"),
        ("errors", "from explorer.core import problem", "core.problem"),
    ],
)
def test_a_planted_import_is_caught(module: str, line: str, target: str, copy: Path) -> None:
    plant(copy, "gui.panels.two_panel", "")
    plant(copy, "gui.main_window", "")
    plant(copy, module, line)
    assert [offence for offence in import_offences(copy) if offence.startswith(f"{module} imports {target}")]


def test_a_planted_gui_import_at_the_top_of_app_is_caught(copy: Path) -> None:
    plant(copy, "app", "from explorer.gui import main_window")
    assert [offence for offence in import_offences(copy) if "outside a call" in offence]


def test_a_planted_part_without_a_place_is_caught(copy: Path) -> None:
    plant(copy, "extras.planted", "")
    assert "extras.planted has no place in MAY_IMPORT" in import_offences(copy)


def test_a_planted_ring_is_caught_though_lazy(copy: Path) -> None:
    plant(copy, "core.first", "import explorer.core.second")
    plant(copy, "core.second", "def f():\n    from explorer.core import first\n    return first")
    assert {"core.first", "core.second"} <= set(cycle(copy))


@pytest.mark.parametrize(
    ("text", "offence"),
    [
        ("\n" * 351, "has 351 lines"),
        ("def f():\n" + "    x = 1\n" * 50, "planted.f has 51 lines"),
        ("class C:\n" + "".join(f"    def m{i}(self): ...\n" for i in range(16)), "planted.C has 16 methods"),
    ],
)
def test_planted_bulk_is_caught(text: str, offence: str, copy: Path) -> None:
    plant(copy, "core.planted", text)
    assert [found for found in size_offences(copy) if found.endswith(offence)]


def test_a_planted_grab_bag_is_caught(copy: Path) -> None:
    plant(copy, "gui.table_utils", "")
    assert name_offences(copy) == ["gui.table_utils"]
