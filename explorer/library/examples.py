"""The worked examples that come with the program, by id."""

from __future__ import annotations

import difflib
import re
from functools import cache

from explorer.errors import ExplorerError
from explorer.formats import disk, session
from explorer.paths import resources
from explorer.state.document import Document, View

EXAMPLES: tuple[str, ...] = (
    "self-attention-C1",
    "self-attention-C2",
    "self-attention-C3",
    "self-attention-C4",
    "self-attention-C5",
    "self-attention-C6",
    "self-attention-C7",
    "self-attention-C8",
    "self-attention-C9",
    "single-head-numeric",
    "attention-intuition-A",
    "attention-intuition-B",
    "attention-intuition-C",
    "attention-intuition-D",
    "attention-intuition-E",
    "attention-intuition-F",
    "attention-intuition-G",
    "attention-intuition-H",
    "attention-intuition-I",
    "cat-sat-mat",
)

START = "cat-sat-mat"


@cache
def load(example_id: str) -> tuple[Document, View]:
    """The document and view of an example."""
    if example_id not in EXAMPLES:
        close = difflib.get_close_matches(example_id, EXAMPLES, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(close)}?" if close else f"the first of {len(EXAMPLES)} is {EXAMPLES[0]}"
        raise ExplorerError(f"there is no example {example_id!r}", hint)
    path = resources() / "examples" / f"{example_id}.json"
    return session.read(disk.read_bytes(path), path.name)


def title(example_id: str) -> str:
    """The title of an example."""
    return load(example_id)[0].title


def description(example_id: str) -> str:
    """What an example shows, in one line: the first sentence of its note."""
    return re.split(r"(?<=[.!?])\s", load(example_id)[0].note, maxsplit=1)[0]
