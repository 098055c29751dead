"""What a command says on standard error."""

from __future__ import annotations

import io
import sys

from explorer.formats.printable import printable

PROGRAM = "attention-explorer"
DONE, WRONG, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


def complain(message: str, called: str | None = None) -> int:
    """Print one line, that begins with the input's name whether the message does or not; the status to end with."""
    if called is not None:
        named = message.startswith((f"{called}: ", f"{called} "))
        message = f"{called}: {message[len(called) :].lstrip(': ') if named else message}"
    say(message)
    return UNUSABLE


def say(message: str) -> None:
    """Print one line."""
    line = " ".join(f"{PROGRAM}: {message}".split())
    # A file, or its name, must not take over the terminal.
    print(printable(line), file=sys.stderr, flush=True)


def write_utf8() -> None:
    """UTF-8 whatever the locale, so that a redirected file is the same everywhere."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
