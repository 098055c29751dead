"""Where resources, settings, recovery files and the log are."""

import os
import sys
from pathlib import Path

APP_ID = "attention-explorer"
_PACKAGE = Path(__file__).resolve().parent


def resources() -> Path:
    """The folder of examples, themes and icons: inside an installed package, beside it in a checkout."""
    installed = _PACKAGE / "resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


def home() -> Path:
    """The one folder for all that is remembered: ATTENTION_EXPLORER_HOME, or the platform's own place."""
    given = os.environ.get("ATTENTION_EXPLORER_HOME")
    if given:
        return Path(given).expanduser()
    user = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", user / "AppData" / "Roaming")) / APP_ID
    if sys.platform == "darwin":
        return user / "Library" / "Application Support" / APP_ID
    return Path(os.environ.get("XDG_CONFIG_HOME") or user / ".config") / APP_ID


def settings_file() -> Path:
    """The INI file of remembered settings."""
    return home() / "settings.ini"


def recovery_folder() -> Path:
    """Where unsaved work is kept until it is saved."""
    return home() / "recovery"


def log_file() -> Path:
    """Where unexpected errors are written in full."""
    return home() / "log.txt"
