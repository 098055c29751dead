"""Damaged and random files for readers, which may only refuse them."""

import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from explorer.errors import ExplorerError
from explorer.formats import reading_json
from explorer.formats.imported import Imported

Read = Callable[[bytes], Imported]


def holds(read: Read, data: bytes) -> Imported | None:
    """What is read, checked for being of one piece; None for a refusal in one printable line."""
    made: Imported | None = None
    line = "read"
    try:
        made = read(data)
    except ExplorerError as refused:
        line = str(refused)
    assert line
    assert line.isprintable(), repr(line)
    assert len(line) < 600, line
    if made is not None and made.kind != "session":
        reading_json.write(made)
    return made


def refusal(read: Read, data: bytes) -> str:
    """The line with which data is refused."""
    assert holds(read, data) is None
    with pytest.raises(ExplorerError) as refused:
        read(data)
    return str(refused.value)


def damaged(seeds: Sequence[bytes], count: int, seed: int = 1) -> Iterator[bytes]:
    """Copies with bytes changed, cut out, doubled, or exchanged between two of them; every tenth is random."""
    chance = random.Random(seed)
    for i in range(count):
        data = bytearray(chance.choice(seeds))
        if i % 10 == 0:
            data[chance.randrange(len(data)) :] = chance.randbytes(chance.randrange(200))
        for _ in range(chance.randint(1, 4)):
            start, length = chance.randrange(len(data) + 1), chance.randrange(1, 9)
            kind = chance.randrange(5)
            if kind == 0:
                data[start : start + 1] = chance.randbytes(1)
            elif kind == 1:
                data[start : start + length] = b""
            elif kind == 2:
                data[start:start] = data[start : start + length]
            elif kind == 3:
                other = chance.choice(seeds)
                place = chance.randrange(len(other))
                data[start : start + length] = other[place : place + length]
            else:
                data[start : start + length] = chance.choice([b"0", b"9" * 20, b'"', b"[", b"]", b"{", b",", b"\xff"])
        yield bytes(data)
