"""The commands that need no window."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from explorer import __version__
from explorer.cli import check, compute, read
from explorer.cli.saying import DONE, INTERRUPTED, PROGRAM, complain, write_utf8
from explorer.cli.words import Parser, sorted_words
from explorer.errors import ExplorerError
from explorer.formats import disk
from explorer.library import examples

WITHOUT_COMMAND = (
    ("", "the window, with an example open"),
    ("FILE|EXAMPLE", "the window, with that open; a file wins over an example of the same name"),
)


def main(argv: Sequence[str]) -> int:
    """Run one command line and return the exit status: 0 done, 1 a check did not hold, 2 unusable input."""
    write_utf8()
    try:
        status = _run(list(argv))
        sys.stdout.flush()
    except ExplorerError as error:
        return complain(str(error))
    except BrokenPipeError:
        # Whoever read has seen enough; what is still buffered must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return complain(f"cannot write the result: {disk.reason(error)}: make room, or write elsewhere")
    except MemoryError:
        return complain("too large for the memory of this machine: use a smaller problem")
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _run(words: list[str]) -> int:
    if words and words[0] in COMMANDS:
        _, add_arguments, run = COMMANDS[words[0]]
        parser = _parser(words[0])
        add_arguments(parser)
        return run(parser.parse_args(sorted_words(words[1:], parser)))
    parser = Parser(
        PROGRAM, usage=argparse.SUPPRESS, description="See and compute softmax(Q K^T / scale) V, step by step.",
        epilog=_overview(), formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, add_help=False,
    )  # fmt: skip
    parser.add_argument("-h", "--help", action="help", help="say this")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}", help="say the version")
    parser.parse_args(words)
    raise ExplorerError("no command was given", f"see  {PROGRAM} --help")


def _parser(command: str) -> argparse.ArgumentParser:
    return Parser(f"{PROGRAM} {command}", description=COMMANDS[command][0], allow_abbrev=False)


def _overview() -> str:
    uses = [*WITHOUT_COMMAND, *((name, about) for name, (about, _, _) in COMMANDS.items())]
    lines = "".join(f"  {PROGRAM} {words:<14}{about}\n" for words, about in uses)
    return f"uses:\n{lines}\n{PROGRAM} COMMAND --help tells more about a command."


def _add_nothing(parser: argparse.ArgumentParser) -> None:
    del parser


def _list(options: argparse.Namespace) -> int:
    del options
    for example_id in examples.EXAMPLES:
        print(f"{example_id}\t{examples.title(example_id)}")
    return DONE


# name: what it does, its arguments, the function that runs it
COMMANDS: dict[
    str, tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]
] = {
    "list": ("name the examples: id, tab, title, one a line", _add_nothing, _list),
    "compute": ("compute every stage of files or examples", compute.add_arguments, compute.run),
    "read": ("say what the program would make of any file or pasted text", read.add_arguments, read.run),
    "check": ("mark a person's own working", check.add_arguments, check.run),
}  # fmt: skip
