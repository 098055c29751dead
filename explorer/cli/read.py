"""The command that says what the program would make of any file or pasted text."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from explorer.cli.inputs import called, standard_input
from explorer.cli.saying import DONE
from explorer.formats import disk, reading, reading_json, reading_text


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("input", metavar="FILE|-", help="any file, or - for what is pasted into standard input")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="text, or one JSON object")


def run(options: argparse.Namespace) -> int:
    """Print the reading; what cannot be read is one line on standard error."""
    data = standard_input() if options.input == "-" else disk.read_bytes(Path(options.input))
    imported = reading.read_file(data, called(options.input))
    written = reading_json.write(imported) + "\n" if options.format == "json" else reading_text.write(imported)
    sys.stdout.write(written)
    return DONE
