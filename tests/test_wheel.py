"""The wheel holds the whole program and runs without the checkout."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from explorer import paths
from explorer.library import examples

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.long


def python(*words: str, cwd: Path, path: Path | None = None) -> str:
    environment = os.environ | {"PYTHONPATH": "" if path is None else str(path), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run(
        [sys.executable, *words], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", timeout=300
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, so that nothing is left in the checkout."""
    source = tmp_path_factory.mktemp("source")
    for folder in ("explorer", "resources"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, source)
    python("-m", "pip", "wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", "dist", ".", cwd=source)
    (built,) = (source / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content."""
    target = tmp_path_factory.mktemp("installed")
    python(
        "-m", "pip", "install", "--no-index", "--no-deps", "--no-compile", "--target", str(target), str(wheel),
        cwd=target,
    )  # fmt: skip
    return target


def run(installed: Path, *words: str) -> str:
    program = "import sys; from explorer.app import main; sys.exit(main(sys.argv[1:]))"
    return python("-c", program, *words, cwd=installed.parent, path=installed)


def test_the_wheel_has_every_module_and_resource(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "explorer").rglob("*.py")}
    resources = {
        f"explorer/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "resources").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert modules | resources <= packed
    assert not {name for name in packed if name.startswith(("resources/", "tests/"))}


def test_the_wheel_names_the_command(installed: Path) -> None:
    (entries,) = installed.glob("attention_explorer-*.dist-info/entry_points.txt")
    assert "attention-explorer = explorer.app:main" in entries.read_text()


def test_resources_are_found_in_the_checkout_and_in_the_wheel(installed: Path) -> None:
    assert paths.resources() == ROOT / "resources"
    found = python("-c", "from explorer import paths; print(paths.resources())", cwd=installed.parent, path=installed)
    assert Path(found.strip()) == installed / "explorer" / "resources"


def test_the_commands_run_from_the_wheel(installed: Path) -> None:
    assert [line.split("\t")[0] for line in run(installed, "list").splitlines()] == list(examples.EXAMPLES)
    assert "  cat  0.401  0.198  0.401\n" in run(installed, "compute", "cat-sat-mat")
