"""What the strip says of a file."""

from __future__ import annotations

from explorer.formats.imported import Booleans, Imported, Option
from explorer.gui.grid.pasted import preview


def times(shape: tuple[int, ...]) -> str:
    """A shape as it stands on the screen."""
    return " × ".join(map(str, shape))


def capital(text: str) -> str:
    """A text as it stands on a card: with a capital at its start."""
    return text[:1].upper() + text[1:].replace(" x ", " × ")


def heading(read: Imported) -> str:
    """Kind and shape, the first row, and what was done to read it."""
    return "  ·  ".join(filter(None, (_kind(read), _first_row(read), *read.notes)))


def _kind(read: Imported) -> str:
    if read.kind == "choice":
        return f"can be read in {len(read.options)} ways"
    if read.kind == "named":
        return ", ".join(_named(name, part) for name, part in read.matrices.items())
    assert read.values is not None
    if read.kind == "tensor":
        sizes = zip(read.axes, read.values.shape, strict=True)
        return f"array of {times(read.values.shape)} numbers ({', '.join(f'{axis} {size}' for axis, size in sizes)})"
    what = "mask of true and false" if read.kind == "mask" else "matrix"
    return f"{times(read.values.shape)} {what}"


def _named(name: str, part: Imported) -> str:
    return name if part.values is None else f"{name} {times(part.values.shape)}"


def _first_row(read: Imported) -> str:
    return f"first row {numbers(read)}" if read.kind == "matrix" else ""


def numbers(read: Imported) -> str:
    """The first numbers of a reading."""
    return preview(read).partition(": ")[2] or preview(read)


def card_of(option: Option) -> tuple[str, str]:
    """Title and words of one way to read something: how, then what that gives."""
    label, reading = option.label, option.reading
    what = capital(preview(reading))
    if label.endswith(")") and " (" in label:
        how = label.removesuffix(")").rpartition(" (")[2]
        return capital(how), what
    return capital(label), what


def hidden_in(allowed: Booleans) -> str:
    """How much a mask hides, and what is odd about it."""
    said = f"{int((~allowed).sum())} of {allowed.size} cells hidden"
    empty = (~allowed).all(axis=1).nonzero()[0]
    if len(empty):
        more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        return f"{said}; hides all of row {empty[0] + 1}{more}"
    if min(allowed.shape) and (~allowed.diagonal()).all():
        return f"{said}; hides the whole diagonal"
    return said
