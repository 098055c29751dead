"""Files of other kinds are refused with the line that makes them readable."""

import io
import pickle
import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.errors import ExplorerError
from explorer.formats.arrays.refused_files import KINDS, refuse

SAMPLES = Path(__file__).parent.parent / "samples"


def zipped(*names):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, b"content")
    return file.getvalue()


def line(data, file=""):
    with pytest.raises(ExplorerError) as refused:
        refuse(data, file)
    assert str(refused.value).isprintable()
    return str(refused.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (zipped("archive/data.pkl", "archive/data/0"), "torch.load"),
        (pickle.dumps({"Q": [[1]]}), "a pickle, which could run a program"),
        (pickle.dumps("torch"), "torch.load"),
        (b"\x89HDF\r\n\x1a\n\0\0", "h5py"),
        (b"MATLAB 5.0 MAT-file, Platform", "loadmat"),
        (b"MATLAB 7.3 MAT-file, Platform", "h5py"),
        (b"PAR1\x15\x04", "read_parquet"),
        (b"ARROW1\0\0", "read_feather"),
        (b"GGUF\3\0\0\0", "gguf"),
        (b"\x89PNG\r\n\x1a\n\0", "a picture"),
        (b"\xff\xd8\xff\xe0", "a picture"),
        (b"%PDF-1.7", "a picture"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "a picture"),
        (b"BM\x36\0\0\0\0\0\0\0", "a picture"),
        (b'<?xml version="1.0"?>\n<!-- made -->\n<svg xmlns="x">', "a picture"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "save it as CSV"),
        (zipped("mimetype", "content.xml"), "save it as CSV"),
        (zipped("xl/workbook.bin"), "save it as CSV"),
        (zipped("Index/Document.iwa"), "save it as CSV"),
        (zipped("word/document.xml"), "a document"),
        (zipped("a.csv"), "an archive: it is not read here: unpack it first"),
        (zipped("a.csv")[:-5], "truncated"),
        (b"\x1f\x8b\x08", "compressed"),
        (bytes(257) + b"ustar\0", "an archive"),
        (b"SQLite format 3\0", "a database"),
        (b"{\\rtf1", "a document"),
    ],
)
def test_is_known_by_its_content(data, words):
    assert words in line(data, "a.csv")


@pytest.mark.parametrize(
    "ending", ["pt", "PTH", "pkl", "ckpt", "joblib", "h5", "onnx", "parquet", "gguf", "xls", "png"]
)
def test_is_known_by_its_ending(ending):
    line(b"1,2\n3,4\n", f"a.{ending}")


def test_endings_of_text_and_numbers_alike_go_by_the_content():
    for file in ("a.bin", "a.mat"):
        refuse(b"1,2\n3,4\n", file)
        assert "python -c" in line(b"\1\0\2\0", file)


@pytest.mark.parametrize("data", [b"", b"1,2\n", b"[[1, 2]]", b"PK", b"BMI,1", b"<html><svg>", zipped("Q.npy")])
def test_lets_pass_what_may_be_read(data):
    refuse(data, "a.csv")
    refuse(data)


def test_lets_every_sample_pass():
    for path in SAMPLES.iterdir():
        refuse(path.read_bytes(), path.name)


def test_the_line_names_the_file_where_a_shell_takes_it():
    assert "torch.load('attn-2.pt'" in line(b"", "/home/me/attn-2.pt")
    assert "torch.load('FILE'" in line(b"", "it's; rm -rf.pt")


@pytest.mark.parametrize("kind", KINDS)
def test_every_line_of_python_compiles(kind):
    _, hint = KINDS[kind]
    found = re.search(r'python -c "([^"]*)"', hint)
    assert ("python -c" in hint) == bool(found)
    if found:
        compile(found[1].replace("{file}", "a.x"), kind, "exec")


def test_the_line_for_pickles_does_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.pkl").write_bytes(pickle.dumps([[1, 2], [3, 4]]))
    code = re.search(r'python -c "([^"]*)"', line(b"", "a.pkl"))[1]
    exec(code, {})
    assert np.load("a.npy").tolist() == [[1, 2], [3, 4]]


@settings(max_examples=500)
@given(st.binary(max_size=100), st.text(max_size=20))
def test_never_raises_anything_else(data, file):
    try:
        refuse(data, file)
        refuse(b"PK\3\4" + data, file)
    except ExplorerError as refused:
        shown = str(refused)
    else:
        shown = "read"
    assert shown.isprintable()
