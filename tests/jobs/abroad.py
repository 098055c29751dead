"""Where the decimal sign is a comma."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

GERMAN = "de_DE.UTF-8"

# Said where the German locale is not installed; Qt reads its conventions from the environment all the same.
UNKNOWN_LOCALE = pytest.mark.qt_log_ignore("Qt depends on a UTF-8 locale", extend=True)


@pytest.fixture(autouse=True)
def own_locale() -> Iterator[None]:
    """The locale of the environment, in a German one with a decimal comma."""
    before = QLocale()
    if os.environ.get("LC_ALL") == GERMAN:
        QLocale.setDefault(QLocale(QLocale.Language.German))
        assert QLocale().decimalPoint() == ","
    yield
    QLocale.setDefault(before)
