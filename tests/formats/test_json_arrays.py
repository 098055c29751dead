"""Numbers out of JSON: nested lists, arrays by name, tables, and what other programs write."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from explorer.formats.arrays.json_arrays import is_json_object, read_json
from tests.formats.mutations import damaged, holds, refusal

SAMPLES = Path(__file__).parent.parent / "samples"
BERTVIZ = (SAMPLES / "93_bertviz_params.json").read_bytes()
MATRIX = [[0.7, 0.3], [0.1, 0.9]]


def read(value):
    return read_json(value if isinstance(value, str | bytes) else json.dumps(value))


def error(value):
    text = value if isinstance(value, str | bytes) else json.dumps(value)
    return refusal(read_json, text)


SEEDS = [
    BERTVIZ,
    (SAMPLES / "74_json_nested.json").read_bytes(),
    (SAMPLES / "session_v1.json").read_bytes(),
    json.dumps({"Q": [["1/3", 2]], "K": [[1, -5e-3]], "tokens": ["a"], "mask": [[True]]}).encode(),
    b'{"a": 0.5, "b": 1}\n{"a": 2, "b": NaN}\n',
    b'{"data": [{"z": {"dtype": "f4", "bdata": "AACAPw==", "shape": "1, 1"}, "x": ["a"]}]}',
    b'{"attention": [{"values": [[1, 0]], "info": {"layer": 0, "head": 0}}], "src_tokens": ["a"]}',
    b'{"columns": ["a"], "index": [0], "data": [[1]]}',
    b'{"a": {"x": 1}, "b": {"x": 2}}',
]


def test_nested_lists_are_a_matrix():
    made = read_json((SAMPLES / "74_json_nested.json").read_bytes(), "file")
    assert (made.kind, made.values.tolist(), made.name) == ("matrix", [[0.5, 0.5], [0.1, 0.9]], "file")
    assert made.texts is None


def test_a_ragged_list_names_the_row():
    line = refusal(read_json, (SAMPLES / "77_json_ragged.json").read_bytes())
    assert line.startswith("row 2 has 1 number, row 1 has 2")


@settings(max_examples=200)
@given(arrays.arrays("f8", arrays.array_shapes(min_dims=2, max_dims=5, max_side=3)))
def test_what_python_writes_is_read_back_exactly(values):
    made = read(values.tolist())
    assert np.array_equal(made.values, values + 0.0, equal_nan=True)
    assert made.kind == ("matrix" if values.ndim == 2 else "tensor")


def test_cells_keep_the_text_that_says_more():
    made = read([["1/3", 1.234], ["0,7", "-inf"]])
    assert made.values.tolist() == [[1 / 3, 1.234], [0.7, -np.inf]]
    assert made.texts.tolist() == [["1/3", None], [None, None]]


def test_labels_stand_around_the_numbers():
    made = read([["", "Je", "suis"], ["I", 0.7, 0.3], ["am", 1.234, "0,9"]])
    assert (made.row_labels, made.column_labels) == (("I", "am"), ("Je", "suis"))
    assert made.values.tolist() == [[0.7, 0.3], [1.234, 0.9]]


def test_one_list_is_one_row():
    made = read([1, 2, 3])
    assert (made.values.tolist(), made.notes) == ([[1, 2, 3]], ("one row",))


def test_booleans_are_a_mask():
    assert read([[True, False]]).kind == "mask"
    assert read([[[True, False]], [[True, True]]]).values.dtype == bool
    assert read({"attn_mask": [[1, 0], [1, 1]]}).kind == "mask"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[1, null]]", "row 1, column 2 is null"),
        ("[[1, 2], [true, 3]]", "row 2, column 1: true among numbers"),
        ('[["1/3", true]]', "row 1, column 2: true among numbers"),
        ("[[1, 2], [3, {}]]", "row 2, column 2: an object is not a number"),
        ("[[1, 2], [3, [4]]]", "row 2, column 2: a list is not a number"),
        ("[[1, 2], 3]", "row 2 is 3, not a list"),
        ('[[1, 2], [3, "n/a"]]', "row 2, column 2: 'n/a' is not a number"),
        ('[[1, 2], [3, ""]]', "row 2, column 2 is empty"),
        ('[["", 1], ["", 2]]', "row 2, column 1 is empty"),
        ('[["", 1]]', "row 1, column 1 is empty"),
        ('[["\u200b", 1]]', "row 1, column 1 is empty"),
        ("[[1, 1e400]]", "row 1, column 2: '1e400'"),
        ("[[1, -1e400], [1, 2]]", "row 1, column 2: '-1e400'"),
        (f"[[1, {'9' * 309}]]", "row 1, column 2: 99999999999999999999... is too large"),
        (f"[[1, {'9' * 400}]]", "too large"),
        ('[["01.Feb", 1], ["02.Mar", 2]]', "01.Feb"),
        ("[[[1, 2]], [[3]]]", "part 2, row 1 has 1 number, part 1, row 1 has 2"),
        ("[[[1, 2]], [[3, 4], [5, 6]]]", "part 2 has 2 rows, part 1 has 1"),
        ("[[[1, 2]], 3]", "part 2 is 3, not a list"),
        ("[[[[1, null]]]]", "part 1.1, row 1, column 2 is null"),
        ('[[["a", "b"], ["1", "2"]]]', "part 1, row 1, column 1"),
        ("[[[1]], [[true]]]", "part 2, row 1, column 1: true among numbers"),
        ("[[[[[[1]]]]]]", "nested more than 5 deep"),
        ("[" * 100_000, "line 1|nested"),
        ('{"a":' * 100_000, "line 1|nested"),
        ('{"a":' * 60 + "1" + "}" * 60, "nested more than 50 deep"),
        ("[]", "empty"),
        ("[[], []]", "empty: 2 x 0"),
        ("3", "single value"),
        ("", "empty"),
        ("[[1, 2], [3", "line 1: cut off|truncated"),
        ('{"Q": [[1]], "Q": [[2]]}', "'Q' stands twice"),
        ('{"title": "x", "size": 3}', "no matrix is in the object: it holds 'title', 'size'"),
        ("{}", "it holds nothing"),
        ('{"Q": [[1, null]]}', "'Q': row 1, column 2 is null"),
        (b"\xff\xfe[", "not UTF-8"),
        ('{"format": "attention-explorer", "version": 99}', "newer version"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(text, words):
    line = error(text)
    assert any(word in line for word in words.split("|")), line


def test_whole_numbers_that_are_rounded_are_said():
    assert read("[[9007199254740993, 1]]").notes == ("whole numbers beyond 2^53 are rounded to about 16 digits",)
    assert read("[[9007199254740992, -1e300]]").notes == ()


def test_nan_stays_and_is_said():
    made = read("[[NaN, -Infinity], [Infinity, 1]]")
    assert np.array_equal(made.values, [[np.nan, -np.inf], [np.inf, 1]], equal_nan=True)
    assert made.notes == ("1 cell is nan",)


def test_objects_give_arrays_by_name():
    made = read({"title": "x", "Q": MATRIX, "K": MATRIX, "V": [[1, "1/3"], [2, 3]], "tokens": ["I", "am"]})
    assert (made.kind, list(made.matrices), made.tokens) == ("named", ["Q", "K", "V"], ("I", "am"))
    assert made.matrices["V"].texts.tolist() == [[None, "1/3"], [None, None]]
    assert made.notes == ("left out: 'title'",)


def test_one_array_is_found_inside_anything():
    made = read({"model": {"layer 3": {"attn": MATRIX, "n": 2}}, "none": None})
    assert (made.kind, made.name, made.values.tolist()) == ("matrix", "attn", MATRIX)
    assert made.notes == ("left out: 'n'",)
    two = read({"first": {"attn": MATRIX}, "second": {"attn": MATRIX}})
    assert list(two.matrices) == ["attn", "second.attn"]


def test_our_own_files_are_sessions():
    made = read_json((SAMPLES / "session_v1.json").read_bytes())
    assert made.kind == "session"
    assert made.session[0].problem.n_q > 0


def test_bertviz_is_layers_and_heads_with_labels():
    made = read_json(BERTVIZ)
    assert (made.kind, made.axes, made.values.shape) == ("tensor", ("layer", "head", "query", "key"), (2, 2, 4, 4))
    assert made.row_labels == made.column_labels == ("[CLS]", "the", "cat", "[SEP]")
    assert made.values[1, 0, 3, 1] == 0.2538716495037079


def test_bertviz_of_two_sentences_is_named():
    parts = {key: {"attn": [[MATRIX]], "left_text": ["a", "b"], "right_text": ["c", "d"]} for key in ("all", "ab")}
    for top in ({"attention": parts, "default_filter": "all"}, parts):
        made = read(top)
        assert list(made.matrices) == ["all", "ab"]
        assert made.matrices["ab"].axes == ("layer", "head", "query", "key")
        assert (made.matrices["ab"].row_labels, made.matrices["ab"].column_labels) == (("a", "b"), ("c", "d"))


def test_circuitsvis_is_heads_with_tokens():
    made = read({"tokens": ["a", "b"], "attention": [MATRIX, MATRIX, MATRIX]})
    assert (made.axes, made.values.shape) == (("head", "query", "key"), (3, 2, 2))
    assert made.tokens == made.row_labels == made.column_labels == ("a", "b")


def entry_of(layer, head, values):
    return {"values": values, "info": {"layer": layer, "head": head}, "shape": [2, 2]}


def test_inspectus_is_put_together_by_layer_and_head():
    packed = base64.b64encode(np.float32(MATRIX).tobytes()).decode()
    entries = [entry_of(head // 2, head % 2, [[head, 0.5], [0, 1]]) for head in (3, 1, 2)] + [entry_of(0, 0, packed)]
    made = read({"attention": entries, "src_tokens": ["q1", "q2"], "tgt_tokens": ["k1", "k2"]})
    assert (made.axes, made.values.shape) == (("layer", "head", "query", "key"), (2, 2, 2, 2))
    assert made.values[:, :, 0, 0].tolist() == [[float(np.float32(0.7)), 1], [2, 3]]
    assert (made.row_labels, made.column_labels) == (("q1", "q2"), ("k1", "k2"))
    odd = read({"attention": entries[:3]})
    assert list(odd.matrices) == ["layer 1 head 2", "layer 2 head 1", "layer 2 head 2"]
    assert "another" in error({"attention": [entries[0], entries[0]]})
    assert "no base64" in error({"attention": [entry_of(0, 0, "?")]})
    assert "expected 16 bytes" in error({"attention": [entry_of(0, 0, "AAAA")]})


def test_attentions_of_transformers_are_layers_first():
    assert read({"attentions": [[MATRIX, MATRIX]]}).axes == ("layer", "head", "query", "key")
    assert read({"attentions": [[[MATRIX]]]}).axes == ("layer", "batch", "head", "query", "key")


def test_a_heatmap_has_labels_from_its_axes():
    made = read({"z": MATRIX, "x": ["k1", "k2"], "y": ["q1", "q2"], "type": "heatmap"})
    assert (made.row_labels, made.column_labels, made.values.tolist()) == (("q1", "q2"), ("k1", "k2"), MATRIX)
    packed = {"dtype": "f8", "bdata": base64.b64encode(np.array(MATRIX).tobytes()).decode(), "shape": "2, 2"}
    figure = {"data": [{"z": packed, "name": "head 1"}, {"z": MATRIX, "transpose": True}], "layout": {}}
    both = read(figure)
    assert both.matrices["head 1"].values.tolist() == MATRIX
    assert both.matrices["z 2"].values.tolist() == np.transpose(MATRIX).tolist()


def test_a_flat_list_takes_the_shape_beside_it():
    assert read({"dtype": "float32", "shape": [2, 3], "data": [1, 2, 3, 4, 5, 6]}).values.tolist() == [
        [1, 2, 3],
        [4, 5, 6],
    ]
    assert "do not fit" in error({"shape": [2, 2], "data": [1, 2, 3]})
    assert "too many" in error({"shape": [10**6, 10**6], "data": [1]})


def test_pandas_tables_in_every_orientation():
    split = {"columns": ["Je", "suis"], "index": ["I", "am"], "data": MATRIX}
    records = [{"t": "I", "Je": 0.7, "suis": 0.3}, {"t": "am", "Je": 0.1, "suis": 0.9}]
    table = {"schema": {"primaryKey": ["t"]}, "data": records}
    columns = {"t": ["I", "am"], "Je": [0.7, 0.1], "suis": [0.3, 0.9]}
    lines = "\n".join(map(json.dumps, records))
    for value in (split, records, table, columns, lines, {"rows": records}):
        made = read(value)
        assert made.values.tolist() == MATRIX
        assert (made.row_labels, made.column_labels) == (("I", "am"), ("Je", "suis"))


@pytest.mark.parametrize(
    "value", [{"Je": {"I": 0.7, "am": 0.1}, "suis": {"I": 0.3, "am": 0.9}}, {"Je": [0.7, 0.1], "suis": [0.3, 0.9]}]
)
def test_names_that_may_be_columns_or_rows_are_a_choice(value):
    made = read(value)
    assert [option.label for option in made.options] == ["'Je' is a column", "'Je' is a row"]
    first, second = (option.reading for option in made.options)
    assert (first.values.tolist(), first.column_labels) == (MATRIX, ("Je", "suis"))
    assert (second.values.tolist(), second.row_labels) == (np.transpose(MATRIX).tolist(), ("Je", "suis"))


def test_tables_with_gaps_name_them():
    assert "row 2 has no 'b'" in error([{"a": 1, "b": 2}, {"a": 1}])
    assert "row 1 has no 'b'" in error([{"a": 1}, {"a": 1, "b": 2}])
    assert "'b' has other names" in error({"a": {"x": 1}, "b": {"y": 1}})
    assert "row 2 has 1 number" in error({"columns": ["a", "b"], "data": [[1, 2], [3]]})
    assert "row 2, column 1 is null" in error([{"a": 1}, {"a": None}])


def test_lines_of_json_are_rows():
    assert read("[1, 2]\n[3, 4]\r\n\n").values.tolist() == [[1, 2], [3, 4]]
    assert error("[1, 2]\n[3, x]").startswith("line 2")


def test_a_mark_before_the_text_and_half_pairs_are_no_obstacle():
    assert read(b"\xef\xbb\xbf[[1]]").values.tolist() == [[1]]
    assert read('{"Q": [[1, 2]], "tokens": ["\\ud800"]}').tokens == ("?",)
    holds(read_json, "\ud800")


def test_objects_are_told_from_braces_of_other_languages():
    assert all(map(is_json_object, (' {"a": 1}', "{ }", '[\n {"a": 1}]')))
    assert not any(map(is_json_object, ("{{1, 2}}", "{1}", "[[1]]", "[{1}]", "")))


cells = st.sampled_from([1, 0.5, 1e300, 10**309, "1/3", "", "a", "\u200b", "1,234", "nan", "01.Feb", None, True])
names = st.sampled_from(
    [
        "Q",
        "tokens",
        "data",
        "columns",
        "index",
        "z",
        "x",
        "attention",
        "attn",
        "left_text",
        "values",
        "info",
        "shape",
        "a",
    ]
)
json_values = st.recursive(
    cells | st.lists(st.lists(cells, max_size=3), max_size=3) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=500)
@given(json_values)
def test_any_json_is_read_or_refused_in_one_line(value):
    holds(read_json, json.dumps(value).encode())


@settings(max_examples=500)
@given(st.binary(max_size=100) | st.text('[]{},:"1-.eE ntrufals\n', max_size=60).map(str.encode))
def test_random_text_is_refused_in_one_line(data):
    holds(read_json, data)


def test_damaged_files_are_read_or_refused():
    for data in damaged(SEEDS, 1000):
        holds(read_json, data)


@pytest.mark.fuzz
def test_many_damaged_files_are_read_or_refused():
    read_ = sum(holds(read_json, data) is not None for data in damaged(SEEDS, 20_000, seed=2))
    assert 0 < read_ < 20_000
