"""The command that computes every stage of files and examples."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from explorer.cli.inputs import called, open_with_dials
from explorer.cli.saying import DONE, complain
from explorer.cli.words import add_dials, decimals
from explorer.core.attention import Attention, attend
from explorer.errors import ExplorerError
from explorer.formats import latex, markdown, plain_text, result_json
from explorer.state.document import Document

FORMATS: dict[str, Callable[[Document, Attention, int], str]] = {
    "text": plain_text.write,
    "json": lambda document, attention, decimals: result_json.write(attention) + "\n",
    "markdown": markdown.write,
    "latex": latex.write,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "inputs", nargs="+", metavar="FILE|EXAMPLE|-", help="a session file, an example, - for standard input"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="text",
        help="text, one JSON object a line, or the worked solution as markdown or latex",
    )  # fmt: skip
    parser.add_argument(
        "--decimals", type=decimals, metavar="N", help="of the numbers shown, but in JSON; else as the file says"
    )
    add_dials(parser)


def run(options: argparse.Namespace) -> int:
    """Print each input's stages; an unusable one is told, the others are done."""
    status = DONE
    for name in options.inputs:
        try:
            opened = open_with_dials(options, name)
            digits = opened.view.decimals if options.decimals is None else options.decimals
            sys.stdout.write(FORMATS[options.format](opened.document, attend(opened.document.problem), digits))
        except ExplorerError as error:
            status = complain(str(error), called(name))
        except MemoryError:
            status = complain("too large for the memory of this machine: use a smaller problem", called(name))
    return status
