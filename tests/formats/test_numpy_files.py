"""Arrays out of .npy and .npz files, and the files that are refused."""

import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explorer.formats.arrays.numpy_files import is_npy, is_npz, read_npy, read_npz
from tests.formats.mutations import damaged, holds, refusal

SAMPLES = Path(__file__).parent.parent / "samples"


def saved(values, **options):
    file = io.BytesIO()
    np.save(file, values, **options)
    return file.getvalue()


def packed(**values):
    file = io.BytesIO()
    np.savez_compressed(file, **values)
    return file.getvalue()


def headed(header, body=b"", version=1):
    text = header.encode("latin-1")
    length = len(text).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + body


def zipped(members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


SEEDS = [saved(np.eye(3)), saved(np.ones((2, 2), "f2"), allow_pickle=False), saved(np.array([["1", "2"]]))]
PACKED = [packed(Q=np.eye(2), tokens=np.array(["I", "am"])), zipped([("Q.npy", SEEDS[0])], zipfile.ZIP_STORED)]


def test_stacked_attentions_are_a_tensor():
    made = read_npy((SAMPLES / "81_hf_stacked.npy").read_bytes())
    assert (made.kind, made.axes) == ("tensor", ("layer", "batch", "head", "query", "key"))
    assert made.values.shape == (2, 1, 2, 4, 4)
    assert np.round(made.values[0, 0, 0, 0], 6).tolist() == [0.016189, 0.117721, 0.810742, 0.055348]
    assert np.allclose(made.values.sum(-1), 1, atol=1e-6)


def test_columns_first_is_not_transposed():
    made = read_npy((SAMPLES / "83_fortran_order.npy").read_bytes(), "a")
    assert made.values.tolist() == [[1, 2], [3, 4]]
    assert made.name == "a"


def test_objects_are_never_unpickled():
    assert "object" in refusal(read_npy, (SAMPLES / "86_object_array.npy").read_bytes())
    assert "'a': holds an object" in refusal(read_npz, packed(a=np.array([None]), b=np.eye(2)))


def test_a_file_cut_off_says_so():
    line = refusal(read_npy, (SAMPLES / "89_truncated.npy").read_bytes())
    assert line.startswith("truncated: expected 32 bytes of numbers, 23 are there")
    whole = saved(np.eye(2))
    assert all("truncated" in refusal(read_npy, whole[:length]) for length in range(7, len(whole)))


def test_named_arrays_with_unicode_tokens():
    made = read_npz((SAMPLES / "87_qkv.npz").read_bytes())
    assert made.kind == "named"
    assert {name: part.values.tolist() for name, part in made.matrices.items()} == {
        "Q": [[1, 0], [0, 1]], "K": [[1, 0], [0, 2]], "V": [[1, 0], [0, 1]],
    }  # fmt: skip
    assert made.tokens == ("I", "am")


@settings(max_examples=200)
@given(st.data())
def test_what_numpy_saves_is_read_as_numpy_reads_it(data):
    dtype = data.draw(st.sampled_from(["<f2", ">f4", "<f8", ">f8", "|i1", "<u2", ">i8", "|b1"]))
    shape = data.draw(arrays.array_shapes(min_dims=2, max_dims=5, max_side=3))
    values = data.draw(arrays.arrays(dtype, shape))
    if data.draw(st.booleans()):
        values = np.asfortranarray(values)
    made = read_npy(saved(values))
    if made.kind != "mask":
        assert made.values.shape == shape
    with np.errstate(all="ignore"):  # some nan of float32
        assert np.array_equal(made.values.reshape(shape), values.astype(made.values.dtype), equal_nan=True)


def test_every_version_of_the_header_is_read():
    for version in (1, 2, 3):
        file = io.BytesIO()
        np.lib.format.write_array(file, np.eye(2), version=(version, 0))
        assert read_npy(file.getvalue()).values.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 1L), }",
        "{'shape':(2,1),'descr':'<f8','fortran_order':False}\n",
        "{'descr': '=f8', 'fortran_order': False, 'shape': (2, 1)}   \n",
    ],
)
def test_headers_that_other_programs_write(header):
    assert read_npy(headed(header, np.array([1.0, 2.0]).tobytes())).values.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    ("descr", "shape", "words"),
    [
        ("'<f8'", "(1000000, 1000000)", "too many"),
        ("'<f8'", "(16000000, 1)", "truncated: expected 128000000 bytes"),
        ("'<f8'", "(" + "9" * 5000 + ",)", "header is damaged"),
        ("'<f8'", "(" + "1, " * 70 + ")", "70 dimensions"),
        ("'<f8'", "(0, 3)", "empty"),
        ("'<f8'", "()", "truncated"),
        ("'|V2'", "(1, 1)", "bfloat16"),
        ("'<f16'", "(1, 1)", "type <f16"),
        ("'<c16'", "(1, 1)", "complex"),
        ("'<U0'", "(99999999, 1)", "too many"),
        ("'<U0'", "(9, 1)", "type <U0"),
        ("'<M8[ns]'", "(1, 1)", "dates"),
        ("'|T16'", "(1, 1)", "type"),
        ("[('a', '<f8')]", "(1,)", "named fields"),
        ("'" + "f" * 99 + "'", "(1,)", "damaged"),
        ("'\x1b[31'", "(1,)", "unknown type"),
        ("__import__('os')", "(1,)", "damaged"),
        ("'<f8'", "((1,),)", "damaged"),
    ],
)
def test_headers_that_are_refused(descr, shape, words):
    header = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}"
    assert words in refusal(read_npy, headed(header))


def test_a_long_or_nested_header_is_refused():
    assert "too long" in refusal(read_npy, headed("{" * 20_000))
    assert "damaged" in refusal(read_npy, headed("(" * 9_000))
    assert "damaged" in refusal(read_npy, headed("{'descr': '<f8', 'fortran_order': False}"))
    assert "version" in refusal(read_npy, headed("{}", version=9))


def test_bytes_after_the_array_are_said():
    assert read_npy(saved(np.eye(2)) + saved(np.eye(2))).notes == ("160 bytes after the array left out",)


def test_a_byte_above_one_is_true():
    header = "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 3), }"
    assert read_npy(headed(header, b"\0\1\2")).values.tolist() == [[False, True, True]]


def test_texts_are_a_table_or_tokens():
    made = read_npy(saved(np.array([["", "a"], ["b", "1/3"]])))
    assert (made.values.tolist(), made.row_labels, made.column_labels) == ([[1 / 3]], ("b",), ("a",))
    assert "tokens" in refusal(read_npy, saved(np.array(["I", "am"])))
    assert read_npz(packed(Q=np.eye(2), tokens=np.array([b"I", b"am"]))).row_labels == ("I", "am")
    header = "{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }"
    assert "damaged" in refusal(read_npy, headed(header, b"\xff\xff\xff\x7f"))


def test_one_array_in_an_npz_is_itself():
    assert read_npz(packed(attn=np.eye(2)), "file").name == "attn"
    file = io.BytesIO()
    np.savez(file, np.eye(2))
    assert read_npz(file.getvalue(), "file").name == "file"


def test_an_npz_with_other_members_says_what_it_left():
    made = read_npz(zipped([("Q.npy", saved(np.eye(2))), ("remarks.txt", "x"), ("inner.npz", "y")]))
    assert made.notes == ("'remarks.txt' is no .npy file: left out", "'inner.npz' is no .npy file: left out")
    assert "no matrix" in refusal(read_npz, zipped([("remarks.txt", "x")]))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_zip_files_that_are_refused():
    whole = packed(Q=np.eye(2))
    assert "truncated" in refusal(read_npz, whole[:-30])
    assert "truncated" in refusal(read_npz, b"")
    assert "twice" in refusal(read_npz, zipped([("Q.npy", saved(np.eye(2)))] * 2))
    assert "unusual" in refusal(read_npz, zipped([("Q.npy", saved(np.eye(2)))], zipfile.ZIP_LZMA))
    locked = bytearray(whole)
    locked[whole.index(b"PK\1\2") + 8] |= 1
    assert "password" in refusal(read_npz, bytes(locked))


def test_a_zip_bomb_is_refused_before_it_is_unpacked():
    bomb = bytearray(zipped([("Q.npy", bytes(1000))]))
    entry = bomb.index(b"PK\1\2")
    bomb[entry + 24 : entry + 28] = (2**31).to_bytes(4, "little")
    assert "unpacked it takes 2147483648 bytes" in refusal(read_npz, bytes(bomb))
    many = zipped([(f"{name}.npy", saved(np.zeros((1500, 4000), "u1"))) for name in "abc"])
    assert "more than 16777216 numbers" in refusal(read_npz, many)


def test_a_member_that_lies_about_its_size_is_refused():
    whole = bytearray(zipped([("Q.npy", saved(np.eye(2)))], zipfile.ZIP_STORED))
    entry = whole.index(b"PK\1\2")
    whole[entry + 24 : entry + 28] = (90).to_bytes(4, "little")
    assert "truncated" in refusal(read_npz, bytes(whole))


def test_kinds_are_known_by_their_content():
    assert [is_npy(data) for data in (*SEEDS, *PACKED)] == [True] * 3 + [False] * 2
    assert [is_npz(data) for data in (*SEEDS, *PACKED, zipped([("a", "")]))] == [False] * 3 + [True] * 2 + [False]


@settings(max_examples=500)
@given(st.one_of(st.binary(max_size=200), st.binary(max_size=99).map(lambda body: b"\x93NUMPY\1\0" + body)))
def test_random_bytes_are_refused_in_one_line(data):
    holds(read_npy, data)
    holds(read_npz, data)


def test_damaged_files_are_read_or_refused():
    for data in damaged(SEEDS, 500):
        holds(read_npy, data)
    for data in damaged(PACKED, 500):
        holds(read_npz, data)


@pytest.mark.fuzz
def test_many_damaged_files_are_read_or_refused():
    read = sum(holds(read_npy, data) is not None for data in damaged(SEEDS, 20_000, seed=2))
    assert 0 < read < 20_000
    for data in damaged(PACKED, 20_000, seed=3):
        made = holds(read_npz, data)
        assert made is None or made.values is None or math.prod(made.values.shape) < 100
