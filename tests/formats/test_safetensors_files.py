"""Tensors out of safetensors files, and the files that are refused."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explorer.formats.arrays.safetensors_files import is_safetensors, read_safetensors
from tests.formats.mutations import damaged, holds, refusal

SAMPLE = (Path(__file__).parent.parent / "samples" / "91_f32.safetensors").read_bytes()
TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip


def headed(header, body=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def file_of(**tensors):
    """A file as the format's own writer makes it, of (type, array) by name."""
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, (kind, values) in tensors.items():
        end = len(body) + values.nbytes
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [len(body), end]}
        body += values.tobytes()
    return headed(header, body)


def entry(dtype="F32", shape=(1, 2), offsets=(0, 8)):
    return {"a": {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}}


SEEDS = [SAMPLE, file_of(Q=("F64", np.eye(2)), m=("BOOL", np.ones((2, 2), bool)), s=("I8", np.int8([3])))]


def test_one_tensor_is_a_matrix_with_its_name():
    made = read_safetensors(SAMPLE)
    assert (made.kind, made.name, made.values.tolist()) == ("matrix", "attn", [[0.25, 0.75], [0.5, 0.5]])


def test_several_are_named_and_single_numbers_left_out():
    made = read_safetensors(file_of(Q=("F64", np.eye(2)), K=("F32", np.float32([[0.1, 2]])), d=("I64", np.array(64))))
    assert made.kind == "named"
    assert made.matrices["K"].values.tolist() == [[float(np.float32(0.1)), 2]]
    assert made.notes == ("'d' is a single number: left out",)


@settings(max_examples=200)
@given(st.data())
def test_numbers_widen_exactly(data):
    kind = data.draw(st.sampled_from(sorted(TYPES)))
    values = data.draw(arrays.arrays(TYPES[kind], arrays.array_shapes(min_dims=2, max_dims=5, max_side=3)))
    made = read_safetensors(file_of(a=(kind, values)))
    with np.errstate(all="ignore"):  # some nan of float32
        expected = values.astype(made.values.dtype)
    assert np.array_equal(made.values.reshape(values.shape), expected, equal_nan=True)


def test_bfloat16_is_the_upper_half_of_a_float32():
    values = np.array([[1.0, -2.5, 3.140625, np.inf]], dtype=np.float32)
    halves = (values.view(np.uint32) >> 16).astype(np.uint16)
    assert read_safetensors(file_of(a=("BF16", halves))).values.tolist() == values.tolist()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (SAMPLE[:-1], "truncated: expected 16 bytes of numbers, 15 are there"),
        (SAMPLE[:30], "truncated: expected a header of 64 bytes, 22 are there"),
        (SAMPLE[:7], "truncated"),
        (b"\xff" * 8, "too long"),
        (headed(b'{"a": 1}'), "'a': 1 is not an object"),
        (headed(b"[]"), "the header: a list"),
        (headed(b'{"a": {}, "a": {}}'), "twice"),
        (headed(b"{" * 9999), "line 1"),
        (headed(b"[" * 9999), "line 1|nested"),
        (headed({}), "no matrix"),
        (headed(entry("F8_E4M3", (1, 8)), bytes(8)), "type F8_E4M3"),
        (headed(entry("C64", (1, 1)), bytes(8)), "complex"),
        (headed(entry(shape=(1, 3)), bytes(8)), "expected 12 bytes of numbers, 8 are named"),
        (headed(entry(shape=(10**6, 10**6)), bytes(8)), "too many"),
        (headed(entry(shape=(2**53, 2**53)), bytes(8)), "too many"),
        (headed(entry(shape=(0, 3), offsets=(0, 0))), "empty"),
        (headed(entry(shape=(-1, 2)), bytes(8)), "out of range"),
        (headed(entry(shape=(True, 2)), bytes(8)), "not a whole number"),
        (headed(entry(shape=[1] * 99), bytes(8)), "99 dimensions"),
        (headed(entry(shape=[1] * 6, offsets=(0, 4)), bytes(8)), "6 dimensions"),
        (headed(entry(offsets=(8, 0)), bytes(8)), "backwards"),
        (headed(entry(offsets=(0, 8, 9)), bytes(9)), "3 entries"),
        (headed(entry(offsets=(0, 2**60)), bytes(8)), "out of range"),
        (headed({"a": {"dtype": "F32"}}), "missing"),
        (headed({**entry(), "b": entry(offsets=(4, 12))["a"]}, bytes(12)), "'b' and 'a' share bytes"),
        (headed({f"t{i}": {} for i in range(5000)}), "5000 tensors"),
    ],
)
def test_refuses_what_is_not_in_order(data, words):
    line = refusal(read_safetensors, data)
    assert any(word in line for word in words.split("|")), line


def test_many_numbers_together_are_refused():
    tensors = {name: ("U8", np.zeros((3000, 3000), "u1")) for name in "ab"}
    assert "18000000 numbers are too many" in refusal(read_safetensors, file_of(**tensors))


def test_is_known_by_its_beginning():
    assert is_safetensors(SAMPLE)
    assert not any(map(is_safetensors, (b"", b"1,2\n3,4\n{", b"\x93NUMPY\1\0{{", SAMPLE[:8])))


@settings(max_examples=500)
@given(st.one_of(st.binary(max_size=200), st.binary(max_size=99).map(lambda text: headed(b'{"a":' + text))))
def test_random_bytes_are_refused_in_one_line(data):
    holds(read_safetensors, data)


def test_damaged_files_are_read_or_refused():
    for data in damaged(SEEDS, 500):
        holds(read_safetensors, data)


@pytest.mark.fuzz
def test_many_damaged_files_are_read_or_refused():
    read = sum(holds(read_safetensors, data) is not None for data in damaged(SEEDS, 20_000, seed=2))
    assert 0 < read < 20_000
