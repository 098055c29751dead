"""The words of a command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NoReturn

from explorer.core.masks import Mask
from explorer.errors import ExplorerError
from explorer.formats.cells import parse_cell
from explorer.state.document import MOST_DECIMALS

MASKS = {"none": Mask(), "causal": Mask("causal"), "causal-end": Mask("causal", align="end")}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every other error."""

    def error(self, message: str) -> NoReturn:
        raise ExplorerError(message, f"see  {self.prog} --help")


def sorted_words(words: list[str], parser: argparse.ArgumentParser) -> list[str]:
    """Options first and joined to their values, "--beta=-inf": argparse takes a value like -inf for an option."""
    takers = {name for action in parser._actions if action.nargs is None for name in action.option_strings}
    options: list[str] = []
    inputs: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            inputs += rest
        elif word == "-" or not word.startswith("-"):
            inputs.append(word)
        else:
            value = next(rest, None) if word in takers else None
            options.append(word if value is None else f"{word}={value}")
    has_dashes = any(word.startswith("-") and word != "-" for word in inputs)
    return [*options, *(["--"] if has_dashes else []), *inputs]


def add_dials(parser: argparse.ArgumentParser) -> None:
    """The options that go over what an input says."""
    parser.add_argument("--variant", metavar="NAME", help="with the dials of one of the input's variants")
    dials = parser.add_argument_group("dials, over what the file and the variant say")
    dials.add_argument("--beta", type=_number(allow_infinite=True), help="inverse temperature: any number, inf, -inf")
    dials.add_argument("--scale", type=_scale, help="divisor of the scores: sqrt_dk, none, or a number above 0")
    dials.add_argument("--shift", type=_number(allow_infinite=False), help="a number added to every logit")
    dials.add_argument("--mask", choices=MASKS, help="which keys are seen; causal-end lines up the last positions")


def _number(*, allow_infinite: bool) -> Callable[[str], float]:
    def number(text: str) -> float:
        try:
            return parse_cell(text, allow_infinite=allow_infinite)
        except ExplorerError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return number


def _scale(text: str) -> str | float:
    named: dict[str, str | float] = {"sqrt_dk": "sqrt_dk", "none": 1.0}
    return named[text] if text in named else _number(allow_infinite=False)(text)


def decimals(text: str) -> int:
    """The number of decimals shown."""
    if len(text) != 1 or not text.isdecimal() or int(text) > MOST_DECIMALS:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number from 0 to {MOST_DECIMALS}")
    return int(text)
