"""A typed text to a number with the text to keep, or an error that names its place."""

from __future__ import annotations

from explorer.errors import ExplorerError
from explorer.formats.cells import cell_text, parse_cell, says_more

full_text = cell_text


def read_number(text: str, place: str, *, allow_infinite: bool = False) -> tuple[float, str | None]:
    """The number and the text to keep, None when it says nothing more; errors name ``place``."""
    try:
        value = parse_cell(text, allow_infinite=allow_infinite)
    except ExplorerError as error:
        raise ExplorerError(f"{place}: {error.message}", error.hint) from None
    return value, text.strip() if says_more(text, value) else None
