"""The command that marks a person's own working."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from explorer.cli.inputs import called, open_with_dials, standard_input
from explorer.cli.saying import DONE, WRONG
from explorer.cli.words import add_dials
from explorer.core.attention import attend
from explorer.core.checking import check, first_wrong
from explorer.errors import ExplorerError
from explorer.formats import answers, disk, marking


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("input", metavar="FILE|EXAMPLE", help="the problem: a session file or an example")
    parser.add_argument(
        "answers", metavar="ANSWERS.json",
        help='stages by the names that compute gives them, {"weights": [["0.67", "0.33"]]}, null for what is not given;'
        " - for standard input",
    )  # fmt: skip
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text, or one JSON object")
    add_dials(parser)


def run(options: argparse.Namespace) -> int:
    """Print a verdict for each row given; 1 when one is wrong."""
    if options.input == "-" and options.answers == "-":
        raise ExplorerError("standard input cannot be both the problem and the answers", "put one into a file")
    opened = open_with_dials(options, options.input)
    name = called(options.answers)
    data = standard_input() if options.answers == "-" else disk.read_bytes(Path(options.answers))
    given = answers.read(data, name)
    try:
        verdicts = check(attend(opened.document.problem), given)
    except ExplorerError as error:
        raise ExplorerError(f"{name}: {error.message}", error.hint) from None
    if options.format == "json":
        sys.stdout.write(marking.write_json(verdicts) + "\n")
    else:
        sys.stdout.write(marking.write_text(opened.document, verdicts))
    return DONE if first_wrong(verdicts) is None else WRONG
