"""The one way in: whatever the bytes are, they are read or refused in one line, and what we write reads back."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer import app
from explorer.errors import ExplorerError
from explorer.formats import copying, latex, markdown, session
from explorer.formats.reading import read_file, read_text
from explorer.library import examples
from tests.formats.mutations import damaged, holds

pytestmark = pytest.mark.filterwarnings("error")
FILES = [path.read_bytes() for path in sorted((Path(__file__).parent.parent / "samples").iterdir())]
SAMPLES = [data for data in FILES if data]
NAMES = ("a.csv", "a.json", "a.npy", "a.txt", "a.safetensors", "a.npz", "a.xlsx", "a")
# What a person can see in a matrix; -0 is 0 here.
CELLS = st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.0)
MATRICES = hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=5), elements=CELLS)


def test_five_hundred_damaged_files_are_read_or_refused():
    for i, data in enumerate(damaged(SAMPLES, 500)):
        holds(lambda given_: read_file(given_, NAMES[i % len(NAMES)]), data)  # noqa: B023


@pytest.mark.fuzz
def test_twenty_thousand_damaged_files_are_read_or_refused():
    for i, data in enumerate(damaged(SAMPLES, 20_000, seed=2)):
        holds(lambda given_: read_file(given_, NAMES[i % len(NAMES)]), data)  # noqa: B023


@given(st.binary(max_size=300), st.sampled_from(NAMES))
def test_random_bytes_are_read_or_refused(data, name):
    holds(lambda given_: read_file(given_, name), data)


@given(st.text(max_size=300))
def test_random_text_is_read_or_refused(text):
    holds(lambda given_: read_text(given_.decode("utf-8", "surrogatepass")), text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("copy", [copying.as_tsv, copying.as_numpy], ids=["tsv", "numpy"])
@given(values=MATRICES)
def test_a_copy_at_full_precision_reads_back_to_the_same(copy, values):
    assert read_text(copy(values)).values.tolist() == values.tolist()


@given(hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5), elements=CELLS))
def test_a_row_copy_reads_back_to_the_same(values):
    read_ = read_text(copying.as_row(values))
    assert read_.kind == "matrix"
    assert read_.values.tolist() == values.tolist()


@given(MATRICES, st.one_of(st.none(), st.integers(0, 8)))
def test_a_latex_matrix_reads_back_to_what_it_says(values, decimals):
    text = latex.matrix(values, decimals)
    again = read_text(text)
    assert latex.matrix(again.values, decimals) == text
    if decimals is None:
        assert again.values.tolist() == values.tolist()


@given(MATRICES, st.one_of(st.none(), st.integers(0, 8)))
def test_a_markdown_table_reads_back_to_what_it_says(values, decimals):
    rows, columns = values.shape
    labels = [f"row {i}" for i in range(rows)], [f"column {j}" for j in range(columns)]
    text = markdown.table(values, *labels, decimals)
    again = read_text(text)
    assert (list(again.row_labels), list(again.column_labels)) == labels
    assert markdown.table(again.values, *labels, decimals) == text
    if decimals is None:
        assert again.values.tolist() == values.tolist()


@pytest.mark.parametrize("example", examples.EXAMPLES)
def test_a_session_is_read_as_one(example):
    document, view = examples.load(example)
    made = read_file(session.write(document, view), "mine.json")
    assert made.kind == "session"
    assert session.write(*made.session) == session.write(document, view)


def test_the_command_says_what_it_reads(capsys, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1/2;0,25\n-inf;3\n", encoding="utf-8")
    assert app.main(["read", str(path)]) == 0
    assert capsys.readouterr().out.startswith("matrix 2 x 2\n")
    assert app.main(["read", str(path), "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["values"] == [[0.5, 0.25], ["-inf", 3]]
    assert set(made) <= {"kind", "shape", "values", "notes"}


@pytest.mark.parametrize("content", ["", "1 2\n3", "n/a", "\x00\x01"])
def test_a_refusal_is_one_line_that_names_the_file(capsys, tmp_path, content):
    path = tmp_path / "odd.csv"
    path.write_text(content, encoding="utf-8")
    assert app.main(["read", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "odd.csv: " in err


def test_missing_files_and_folders_are_one_line(capsys, tmp_path):
    for path in (tmp_path, tmp_path / "nothing.csv"):
        assert app.main(["read", str(path)]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_dictionary_of_arrays_is_no_broken_json():
    made = read_text('{"Q": array([[1., 2.]]), "K": array([[3., 4.]])}')
    assert {name: each.values.tolist() for name, each in made.matrices.items()} == {"Q": [[1, 2]], "K": [[3, 4]]}
    with pytest.raises(ExplorerError, match="not JSON"):
        read_text('{"Q": [[1, 2]] "K": 3}')
