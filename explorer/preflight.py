"""Says in one sentence why Qt cannot start here, before importing it fails without one."""

import ctypes
import os
import re
import sys
from collections.abc import Iterable
from importlib import metadata

# Each library that Qt opens, and the Debian package that brings it.
LIBRARIES = (
    ("libGL.so.1", "libgl1"),
    ("libEGL.so.1", "libegl1"),
    ("libfontconfig.so.1", "libfontconfig1"),
    ("libdbus-1.so.3", "libdbus-1-3"),
    ("libglib-2.0.so.0", "libglib2.0-0"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
)
SCREEN_LIBRARIES = (
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("libxcb-cursor.so.0", "libxcb-cursor0"),
    ("libxcb-icccm.so.4", "libxcb-icccm4"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1"),
    ("libxcb-shape.so.0", "libxcb-shape0"),
)


def missing() -> str | None:
    """One sentence on what keeps Qt from starting, and what to do about it; None when nothing does."""
    return _unusable_qt() or (_unusable_system() if sys.platform == "linux" else None)


def _unusable_qt() -> str | None:
    version = _installed("PySide6-Essentials")
    if version is None:
        return "PySide6 is not installed: run  pip install -e .  in this folder."
    numbers = tuple(int(digits) for digits in re.findall(r"\d+", version)[:2])
    if numbers >= (6, 12) and sys.version_info < (3, 12):
        return (
            f"PySide6 {version} crashes under Python {sys.version_info[0]}.{sys.version_info[1]}: "
            'run  pip install "PySide6-Essentials<6.12"  or use Python 3.12 or newer.'
        )
    return None


def _installed(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _unusable_system() -> str | None:
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    wayland = bool(os.environ.get("WAYLAND_DISPLAY"))
    if not platform and not wayland and not os.environ.get("DISPLAY"):
        return (
            "There is no screen to open a window on, DISPLAY is not set: log in to a desktop, "
            "or use the commands that need none (attention-explorer --help)."
        )
    on_x11 = platform.startswith("xcb") or not (platform or wayland)
    wanted = LIBRARIES + (SCREEN_LIBRARIES if on_x11 else ())
    absent = [name for name, _ in wanted if not _can_load(name)]
    return _apt_line(absent, (package for _, package in wanted)) if absent else None


def _apt_line(absent: Iterable[str], packages: Iterable[str]) -> str:
    return (
        f"Qt needs system libraries that are not installed ({', '.join(absent)}): "
        f"on Debian or Ubuntu run  apt-get install {' '.join(packages)}"
    )


def _can_load(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True
