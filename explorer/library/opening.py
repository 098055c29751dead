"""Opens what the command line names: a file, or else an example."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from explorer.errors import ExplorerError
from explorer.formats import disk, session
from explorer.library import examples
from explorer.state.document import Document, View


class Opened(NamedTuple):
    """A document, how to look at it, and the file it came from, if any."""

    document: Document
    view: View
    path: Path | None = None


def open_named(name: str) -> Opened:
    """The file of that name, or else the example of that id."""
    is_example = name in examples.EXAMPLES
    if os.path.isfile(name) or (os.path.lexists(name) and not is_example):
        return Opened(*session.read(disk.read_bytes(Path(name)), name), Path(name))
    if not is_example and (os.path.dirname(name) or os.path.splitext(name)[1]):
        raise ExplorerError(
            f"{name} does not exist", "check the name of the file, or take an example that the command list names"
        )
    return Opened(*examples.load(name))


def open_or_start(words: Sequence[str]) -> tuple[Opened, ExplorerError | None]:
    """What the one word names, or the example to start with, and why it could not be opened."""
    try:
        if len(words) > 1:
            raise ExplorerError(f"{len(words)} names were given", "open one file or example at a time")
        return open_named(words[0] if words else examples.START), None
    except ExplorerError as error:
        return Opened(*examples.load(examples.START)), error
