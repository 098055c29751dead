"""Bytes as text: encodings, line ends, spaces, and what is no text."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.formats.decoding import LARGEST, clean, text_of

SAMPLES = Path(__file__).parents[1] / "samples"
TEXT = "0.7\té\n-1\t2\n"


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"), ("utf-32-be", b"\0\0\xfe\xff"),
    ],
)  # fmt: skip
def test_marked_encodings_and_utf8(encoding: str, mark: bytes) -> None:
    assert text_of(mark + TEXT.encode(encoding)) == (TEXT, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_seen_by_its_zeros(encoding: str) -> None:
    assert text_of(TEXT.encode(encoding)) == (TEXT, ("read as UTF-16",))
    assert text_of("\tЯ\n1\t2".encode(encoding))[0] == "\tЯ\n1\t2"


def test_what_is_not_utf8_is_windows_1252_and_said_to_be() -> None:
    assert text_of("é;1–2…\n".encode("cp1252")) == ("é;1–2…\n", ("not UTF-8: read as Windows-1252",))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_every_line_end_becomes_one(end: str) -> None:
    assert text_of(f"1{end}2{end}".encode())[0] == "1\n2\n"


def test_invisible_characters_go_and_rare_spaces_become_ordinary() -> None:
    assert clean("\ufeff1\u200b\u00a00.5\u2003x\u3000\u202f7") == "1 0.5 x  7"


@pytest.mark.parametrize("space", ["\u00a0", "\u202f", "\u2009", "\u2007"])
def test_a_space_that_may_stand_between_thousands_stays(space: str) -> None:
    assert clean(f"1{space}234,5{space}6{space}{space}789") == f"1{space}234,5 6  789"


def test_joiners_of_words_stay() -> None:
    assert clean("می\u200cخواهم") == "می\u200cخواهم"


def test_a_dos_end_of_file_goes() -> None:
    assert clean("1 2\n\x1a") == "1 2\n"


REFUSED = [
    (b"", "empty"),
    (b" \r\n\t ", "empty"),
    (b"\xef\xbb\xbf", "empty"),
    ("\u00a0\u200b\n".encode(), "empty"),
    (bytes(range(256)), "not text but binary data"),
    (b"\x93NUMPY\x01\0v\0{'descr'", "not text"),
    (b"1,2\n3,\x01\n", "not text: control character 1 in line 2"),
    (b"1\x1b[31m2", "not text: control character 27 in line 1"),
    (b"1\n\x81\xff 2", "not text: line 2 is neither UTF-8 nor Windows-1252"),
    (b"\xff\xfe1\0002", "truncated UTF-16 text"),
    (b"\xff\xfe\0\xd81\0", "not text: byte 1 is not UTF-16"),
]


@pytest.mark.parametrize(("data", "message"), REFUSED)
def test_what_is_no_text_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ExplorerError) as caught:
        text_of(data)
    assert str(caught.value).startswith(message)


def test_the_sample_of_binary_data_is_refused_as_no_text() -> None:
    with pytest.raises(ExplorerError, match="text"):
        text_of((SAMPLES / "a0_binary_junk.csv").read_bytes())


def test_sizes_are_bounded() -> None:
    with pytest.raises(ExplorerError, match="larger than 64 MiB"):
        text_of(bytes(LARGEST + 1))
    with pytest.raises(ExplorerError, match="larger than 64 MiB"):
        clean("1" * (LARGEST + 1))


def decoded(data: bytes) -> None:
    """Bytes become a clean text, which stays as it is when cleaned again, or an error."""
    try:
        text, _ = text_of(data)
    except ExplorerError as refused:
        text = refused.message
    assert text.strip()
    assert not {"\r", "\0", "\ufeff"} & set(text)
    assert clean(text) == text


@given(st.one_of(st.binary(max_size=60), st.text(max_size=30).map(lambda t: t.encode("utf-16", "surrogatepass"))))
@settings(max_examples=500)
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    decoded(data)


@pytest.mark.fuzz
@given(st.one_of(st.binary(max_size=200), st.text(max_size=80).map(lambda t: t.encode("utf-8", "surrogatepass"))))
@settings(max_examples=20_000)
def test_no_bytes_raise_anything_else_at_length(data: bytes) -> None:
    decoded(data)


@given(st.text(min_size=1, max_size=40))
def test_no_pasted_text_raises_anything_else(text: str) -> None:
    try:
        cleaned = clean(text)
    except ExplorerError as refused:
        cleaned = refused.message
    assert cleaned.strip()
