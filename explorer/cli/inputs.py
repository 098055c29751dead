"""The document that a command is about, under the dials it names."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

from explorer.cli.saying import say
from explorer.cli.words import MASKS
from explorer.core.problem import Problem
from explorer.errors import ExplorerError
from explorer.formats import session
from explorer.library.opening import Opened, open_named

# Longer than any file we read may be; the reader says so.
_MOST_OF_STANDARD_INPUT = 64 * 2**20 + 1


def called(name: str) -> str:
    """An input as messages name it."""
    return "standard input" if name == "-" else name


def open_with_dials(options: argparse.Namespace, name: str) -> Opened:
    """What the name means, an example, a file or "-", with the dials of the command line."""
    opened = Opened(*session.read(standard_input(), called(name))) if name == "-" else open_named(name)
    problem = _turned(opened, options)
    _note_ignored_dials(called(name), problem)
    return opened._replace(document=replace(opened.document, problem=problem))


def standard_input() -> bytes:
    """All that is piped in."""
    if sys.stdin is None:
        raise ExplorerError("standard input is closed", "name a file, or pipe one in")
    return sys.stdin.buffer.read(_MOST_OF_STANDARD_INPUT)


def _turned(opened: Opened, options: argparse.Namespace) -> Problem:
    problem = opened.document.problem
    if options.variant is not None:
        variants = {variant.name: variant for variant in opened.document.variants}
        if options.variant not in variants:
            hint = f"there are {', '.join(variants)}" if variants else "it has none: leave --variant out"
            raise ExplorerError(f"variant {options.variant!r} is not known", hint)
        problem = variants[options.variant].apply(problem)
    dials: dict[str, Any] = {name: getattr(options, name) for name in ("beta", "scale", "shift")}
    dials["mask"] = None if options.mask is None else MASKS[options.mask]
    return replace(problem, **{name: value for name, value in dials.items() if value is not None})


def _note_ignored_dials(name: str, problem: Problem) -> None:
    if problem.source.kind != "weights":
        return
    turned = {
        "mask": problem.mask.kind != "none", "scale": problem.scale != 1, "softcap": problem.softcap != 0,
        "bias": problem.bias is not None, "beta": problem.beta != 1, "shift": problem.shift != 0,
    }  # fmt: skip
    names = ", ".join(dial for dial, is_turned in turned.items() if is_turned)
    if names:
        are = "are" if "," in names else "is"
        say(f"{name}: weights were given, so {names} {are} kept but ignored: give scores to use them")
