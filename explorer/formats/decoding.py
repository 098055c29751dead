"""Bytes of a text file, or a pasted text, as text with one kind of line end."""

from __future__ import annotations

import codecs
import re

from explorer.errors import ExplorerError

LARGEST = 64 * 2**20  # bytes, and characters of a pasted text
_SAMPLE = 4096

# UTF-32 first: its mark begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# Joiners stay: words of some languages, thus labels, need them.
_INVISIBLE = re.compile("[\ufeff\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]")
# Between a digit and three more it may stand between thousands; elsewhere it is a space.
_SPACES = re.compile("[\u00a0\u2007-\u2009\u202f](?![0-9]{3}(?![0-9]))|(?<![0-9])[\u00a0\u2007-\u2009\u202f]")
_OTHER_SPACES = re.compile("[\u1680\u2000-\u2006\u200a\u205f\u3000]")
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_HINT = "open a text file such as CSV, or one of the array files that are read (.npy, .npz, .safetensors, .json)"


def text_of(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text in these bytes, and notes on how it was decoded; what is no text is refused."""
    if len(data) > LARGEST:
        raise ExplorerError("larger than 64 MiB", "take a part of it, or save it as .npy")
    if not data.strip():
        raise ExplorerError("empty", "there must be numbers in it")
    text, notes = _decoded(data)
    return clean(text), notes


def clean(text: str) -> str:
    """A text with \\n at line ends, ordinary spaces, and nothing invisible; control characters are refused."""
    if len(text) > LARGEST:
        raise ExplorerError("larger than 64 MiB", "take a part of it, or save it as .npy")
    if not text.isascii():
        text = _OTHER_SPACES.sub(" ", _SPACES.sub(" ", _INVISIBLE.sub("", text)))
    text = _LINE_ENDS.sub("\n", text).removesuffix("\x1a")  # DOS ended its files with that
    if control := _CONTROLS.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise ExplorerError(f"not text: control character {ord(control[0])} in line {line}", _HINT)
    if not text.strip():
        raise ExplorerError("empty", "there must be numbers in it")
    return text


def _decoded(data: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, encoding, called in _MARKS:
        if data.startswith(mark):
            return _strictly(data[len(mark) :], encoding, called), ()
    if encoding := _unmarked_utf16(data):
        return _strictly(data, encoding, "UTF-16"), ("read as UTF-16",)
    if b"\0" in data:
        raise ExplorerError("not text but binary data", _HINT)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError as error:
        try:
            return data.decode("cp1252"), ("not UTF-8: read as Windows-1252",)
        except UnicodeDecodeError:
            line = data.count(b"\n", 0, error.start) + 1
            raise ExplorerError(f"not text: line {line} is neither UTF-8 nor Windows-1252", _HINT) from None


def _strictly(data: bytes, encoding: str, called: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if error.end >= len(data):
            raise ExplorerError(f"truncated {called} text", "open a whole copy, or save it as UTF-8") from None
        raise ExplorerError(f"not text: byte {error.start + 1} is not {called}", "save it as UTF-8") from None


def _unmarked_utf16(data: bytes) -> str:
    """The byte order where every other byte, and no other, is 0: numbers in UTF-16 without a mark."""
    if len(data) < 4 or len(data) % 2:
        return ""
    even, odd = data[0:_SAMPLE:2], data[1:_SAMPLE:2]
    for zeros, others, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        # Labels of other scripts have no zeros: half of them is enough.
        if 0 not in others and 2 * zeros.count(0) > len(zeros):
            return encoding
    return ""
