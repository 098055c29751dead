"""The commands that need no window."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from explorer import __version__
from explorer.core.attention import Attention, attend
from explorer.core.masks import Mask
from explorer.core.problem import Problem
from explorer.errors import ExplorerError
from explorer.formats import disk, plain_text, result_json, session
from explorer.formats.cells import parse_cell
from explorer.library import examples
from explorer.library.opening import Opened, open_named
from explorer.state.document import MOST_DECIMALS, Document

PROGRAM = "attention-explorer"
DONE, UNUSABLE, INTERRUPTED = 0, 2, 130
# Longer than any session file may be; the reader says so.
MOST_OF_STANDARD_INPUT = 64 * 2**20 + 1

MASKS = {"none": Mask(), "causal": Mask("causal"), "causal-end": Mask("causal", align="end")}
FORMATS: dict[str, Callable[[Document, Attention, int], str]] = {
    "text": plain_text.write,
    "json": lambda document, attention, decimals: result_json.write(attention) + "\n",
}
WITHOUT_COMMAND = (
    ("", "the window, with an example open"),
    ("FILE|EXAMPLE", "the window, with that open; a file wins over an example of the same name"),
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, as every other error."""

    def error(self, message: str) -> NoReturn:
        raise ExplorerError(message, f"see  {self.prog} --help")


def main(argv: Sequence[str]) -> int:
    """Run one command line and return the exit status: 0 done, 2 unusable input."""
    _write_utf8()
    try:
        status = _run(list(argv))
        sys.stdout.flush()
    except ExplorerError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # Whoever read has seen enough; what is still buffered must not raise again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain(f"cannot write the result: {disk.reason(error)}: make room, or write elsewhere")
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def _run(words: list[str]) -> int:
    if words and words[0] in COMMANDS:
        _, add_arguments, run = COMMANDS[words[0]]
        parser = _parser(words[0])
        add_arguments(parser)
        return run(parser.parse_args(_sorted_words(words[1:], parser)))
    parser = _Parser(
        PROGRAM, usage=argparse.SUPPRESS, description="See and compute softmax(Q K^T / scale) V, step by step.",
        epilog=_overview(), formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, add_help=False,
    )  # fmt: skip
    parser.add_argument("-h", "--help", action="help", help="say this")
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}", help="say the version")
    parser.parse_args(words)
    raise ExplorerError("no command was given", f"see  {PROGRAM} --help")


def _parser(command: str) -> argparse.ArgumentParser:
    return _Parser(f"{PROGRAM} {command}", description=COMMANDS[command][0], allow_abbrev=False)


def _overview() -> str:
    uses = [*WITHOUT_COMMAND, *((name, about) for name, (about, _, _) in COMMANDS.items())]
    lines = "".join(f"  {PROGRAM} {words:<14}{about}\n" for words, about in uses)
    return f"uses:\n{lines}\n{PROGRAM} COMMAND --help tells more about a command."


def _sorted_words(words: list[str], parser: argparse.ArgumentParser) -> list[str]:
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


def _add_nothing(parser: argparse.ArgumentParser) -> None:
    del parser


def _list(options: argparse.Namespace) -> int:
    del options
    for example_id in examples.EXAMPLES:
        print(f"{example_id}\t{examples.title(example_id)}")
    return DONE


def _add_compute_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs", nargs="+", metavar="FILE|EXAMPLE|-", help="a session file, an example, - for standard input"
    )
    parser.add_argument("--format", choices=FORMATS, default="text", help="text, or one JSON object a line")
    parser.add_argument("--decimals", type=_decimals, metavar="N", help="of the numbers in text; else as the file says")
    parser.add_argument("--variant", metavar="NAME", help="with the dials of one of the input's variants")
    _add_dials(parser)


def _add_dials(parser: argparse.ArgumentParser) -> None:
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


def _decimals(text: str) -> int:
    if len(text) != 1 or not text.isdecimal() or int(text) > MOST_DECIMALS:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number from 0 to {MOST_DECIMALS}")
    return int(text)


def _compute(options: argparse.Namespace) -> int:
    status = DONE
    for name in options.inputs:
        called = "standard input" if name == "-" else name
        try:
            opened = _opened(name, called)
            problem = _with_dials(opened.document, options)
            decimals = opened.view.decimals if options.decimals is None else options.decimals
            document = replace(opened.document, problem=problem)
            sys.stdout.write(FORMATS[options.format](document, attend(problem), decimals))
            _note_ignored_dials(called, problem)
        except ExplorerError as error:
            status = _complain(str(error), called)
        except MemoryError:
            status = _complain("too large for the memory of this machine: use a smaller problem", called)
    return status


def _opened(name: str, called: str) -> Opened:
    if name != "-":
        return open_named(name)
    if sys.stdin is None:
        raise ExplorerError("standard input is closed", "name a file, or pipe one in")
    return Opened(*session.read(sys.stdin.buffer.read(MOST_OF_STANDARD_INPUT), called))


def _with_dials(document: Document, options: argparse.Namespace) -> Problem:
    problem = document.problem
    if options.variant is not None:
        variants = {variant.name: variant for variant in document.variants}
        if options.variant not in variants:
            hint = f"there are {', '.join(variants)}" if variants else "it has none: leave --variant out"
            raise ExplorerError(f"variant {options.variant!r} is not known", hint)
        problem = variants[options.variant].apply(problem)
    dials: dict[str, Any] = {name: getattr(options, name) for name in ("beta", "scale", "shift")}
    dials["mask"] = None if options.mask is None else MASKS[options.mask]
    return replace(problem, **{name: value for name, value in dials.items() if value is not None})


def _note_ignored_dials(called: str, problem: Problem) -> None:
    if problem.source.kind != "weights":
        return
    turned = {
        "mask": problem.mask.kind != "none", "scale": problem.scale != 1, "softcap": problem.softcap != 0,
        "bias": problem.bias is not None, "beta": problem.beta != 1, "shift": problem.shift != 0,
    }  # fmt: skip
    names = ", ".join(name for name, is_turned in turned.items() if is_turned)
    if names:
        are = "are" if "," in names else "is"
        _say(f"{called}: weights were given, so {names} {are} kept but ignored: give scores to use them")


def _complain(message: str, called: str | None = None) -> int:
    """Print one line on standard error, that begins with the input's name whether the message does or not."""
    if called is not None:
        named = message.startswith((f"{called}: ", f"{called} "))
        message = f"{called}: {message[len(called) :].lstrip(': ') if named else message}"
    _say(message)
    return UNUSABLE


def _say(message: str) -> None:
    line = " ".join(f"{PROGRAM}: {message}".split())
    # A file, or its name, must not take over the terminal.
    print("".join(letter if letter.isprintable() else " " for letter in line), file=sys.stderr, flush=True)


def _write_utf8() -> None:
    """UTF-8 whatever the locale, so that a redirected file is the same everywhere."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


# name: what it does, its arguments, the function that runs it
COMMANDS: dict[
    str, tuple[str, Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], int]]
] = {
    "list": ("name the examples: id, tab, title, one a line", _add_nothing, _list),
    "compute": ("compute every stage of files or examples", _add_compute_arguments, _compute),
}  # fmt: skip
