"""What has to be asked about a file before its numbers can be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.formats.imported import Booleans, Imported
from explorer.formats.mask_readings import FAMILIES, readings_of_mask
from explorer.gui.preview import wording
from explorer.gui.preview.card import Answer
from explorer.gui.preview.preview import Question
from explorer.gui.preview.tiles import tile_of, tile_of_reading
from explorer.library.placing import Placement


def about_readings(file: str, read: Imported) -> Question:
    """Which of several readings is meant."""
    answers = [Answer(*wording.card_of(option), tile_of_reading(option.reading)) for option in read.options]
    return Question(file, wording.heading(read), "Which is meant?", tuple(answers))


def about_use(
    file: str, read: Imported, found: Sequence[Placement], *, complaint: str = "", is_second: bool = False
) -> Question:
    """What a matrix is to be used as, or what True means in a mask; a complaint says why there is no answer."""
    meanings = _meanings(read)
    text = "In its mask" if read.kind == "named" else "In this mask" if meanings else "Use it as"
    answers = [
        _about_meaning(placement.id, meanings[placement.id])
        if placement.id in meanings else Answer(wording.capital(placement.label))
        for placement in found
    ]  # fmt: skip
    picture = None if meanings else tile_of_reading(read)
    return Question(file, wording.heading(read), complaint or text, tuple(answers), picture, is_second)


def about_slice(
    file: str, tensor: Imported, words: str, found: Sequence[Placement], *, complaint: str = "", is_second: bool = False
) -> Question:
    """What the chosen slice of a tensor is to be used as."""
    answers = [_short(FAMILIES.get(placement.id, wording.capital(placement.label))) for placement in found]
    text = complaint or (f"Use {words} as" if words else "Use it as")
    return Question(file, wording.heading(tensor), text, tuple(answers), is_second=is_second)


def _short(label: str) -> Answer:
    """An answer on one line, of which what grows is only told when it is pointed at."""
    title, _, more = label.partition(", which ")
    return Answer(title, hint=more)


def _about_meaning(meaning: str, allowed: Booleans) -> Answer:
    title, _, who = FAMILIES[meaning].partition(", ")
    return Answer(title, f"{who}\n{wording.hidden_in(allowed)}", tile_of(allowed))


def _meanings(read: Imported) -> Mapping[str, Booleans]:
    """What is allowed by what True may mean, of a mask or of the one among named matrices."""
    masks = [part for part in (read, *read.matrices.values()) if part.kind == "mask"]
    return dict(readings_of_mask(masks[0])) if masks else {}
