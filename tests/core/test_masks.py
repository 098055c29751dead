"""Masks say which keys each query may attend to, True = may."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.core.masks import MASKS, Mask, allowed_cells
from explorer.errors import ExplorerError

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=100, deadline=None, database=None)
SIZES = st.integers(0, 6)
WIDTHS = st.none() | st.integers(0, 7)
ALIGNS = st.sampled_from(["start", "end"])


def cells(mask, n_q, n_k):
    return allowed_cells(mask, n_q, n_k).astype(int).tolist()


def test_none_hides_nothing():
    assert cells(Mask(), 2, 3) == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize(
    ("align", "n_q", "n_k", "expected"),
    [
        ("start", 3, 3, [[1, 0, 0], [1, 1, 0], [1, 1, 1]]),
        ("end", 3, 3, [[1, 0, 0], [1, 1, 0], [1, 1, 1]]),
        ("start", 2, 4, [[1, 0, 0, 0], [1, 1, 0, 0]]),
        ("end", 2, 4, [[1, 1, 1, 0], [1, 1, 1, 1]]),
        ("start", 4, 2, [[1, 0], [1, 1], [1, 1], [1, 1]]),
        ("end", 4, 2, [[0, 0], [0, 0], [1, 0], [1, 1]]),
    ],
)
def test_causal_aligned_to_the_start_or_the_end(align, n_q, n_k, expected):
    assert cells(Mask("causal", align=align), n_q, n_k) == expected


@pytest.mark.parametrize(
    ("left", "right", "align", "expected"),
    [
        (1, 0, "start", [[1, 0, 0, 0], [1, 1, 0, 0]]),
        (1, 0, "end", [[0, 1, 1, 0], [0, 0, 1, 1]]),
        (0, 1, "start", [[1, 1, 0, 0], [0, 1, 1, 0]]),
        (None, 0, "start", [[1, 0, 0, 0], [1, 1, 0, 0]]),
        (0, None, "start", [[1, 1, 1, 1], [0, 1, 1, 1]]),
        (None, None, "end", [[1, 1, 1, 1], [1, 1, 1, 1]]),
        (0, 0, "start", [[1, 0, 0, 0], [0, 1, 0, 0]]),
    ],
)
def test_window_counts_keys_to_both_sides_of_the_aligned_position(left, right, align, expected):
    assert cells(Mask("window", left=left, right=right, align=align), 2, 4) == expected


def test_padding_hides_whole_keys_and_none_when_first_chosen():
    assert cells(Mask("padding", keys=[True, False, True]), 2, 3) == [[1, 0, 1], [1, 0, 1]]
    assert cells(Mask("padding"), 2, 3) == [[1, 1, 1], [1, 1, 1]]


def test_custom_is_the_matrix_itself():
    assert cells(Mask("custom", allowed=[[1, 0], [0, 0]]), 2, 2) == [[1, 0], [0, 0]]


@QUICK
@given(kind=st.sampled_from(["causal", "window"]), n_q=SIZES, n_k=SIZES, left=WIDTHS, right=WIDTHS, align=ALIGNS,
       data=st.data())  # fmt: skip
def test_causal_and_window_follow_their_inequality_with_and_without_padding(kind, n_q, n_k, left, right, align, data):
    keys = data.draw(st.none() | st.lists(st.booleans(), min_size=n_k, max_size=n_k))
    allowed = allowed_cells(Mask(kind, align=align, left=left, right=right, keys=keys), n_q, n_k)
    assert allowed.shape == (n_q, n_k)
    for i in range(n_q):
        place = i + (n_k - n_q if align == "end" else 0)
        for j in range(n_k):
            causal = j <= place
            window = (left is None or j >= place - left) and (right is None or j <= place + right)
            assert allowed[i, j] == ((causal if kind == "causal" else window) and (keys is None or keys[j]))


@QUICK
@given(n_q=SIZES, n_k=SIZES, align=ALIGNS)
def test_causal_is_the_window_open_to_the_left_that_ends_at_the_query(n_q, n_k, align):
    window = Mask("window", right=0, align=align)
    assert cells(Mask("causal", align=align), n_q, n_k) == cells(window, n_q, n_k)


@QUICK
@given(n=st.integers(1, 6), fresh=st.integers(1, 3))
def test_end_alignment_is_what_a_cache_needs(n, fresh):
    # The last queries of a sequence, computed alone against all its keys, see what they saw in the whole.
    whole = allowed_cells(Mask("causal"), n + fresh, n + fresh)
    assert np.array_equal(allowed_cells(Mask("causal", align="end"), fresh, n + fresh), whole[n:])


@pytest.mark.parametrize("kind", [kind for kind, _ in MASKS])
def test_every_mask_is_boolean_and_read_only_in_every_size(kind):
    for n_q, n_k in ((0, 0), (0, 3), (3, 0), (2, 3)):
        given_matrix = np.ones((n_q, n_k), dtype=bool) if kind == "custom" else None
        allowed = allowed_cells(Mask(kind, allowed=given_matrix), n_q, n_k)
        assert (allowed.shape, allowed.dtype) == ((n_q, n_k), np.bool_)
        assert not allowed.flags.writeable


def test_the_arrays_of_a_mask_are_copied_in_and_read_only():
    keys, matrix = np.array([True, True]), np.array([[True, True]])
    padding, custom = Mask("padding", keys=keys), Mask("custom", allowed=matrix)
    keys[0] = matrix[0, 0] = False
    assert cells(padding, 1, 2) == cells(custom, 1, 2) == [[1, 1]]
    for array in (padding.keys, custom.allowed):
        with pytest.raises(ValueError, match="read-only"):
            array[..., 0] = False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "diagonal"}, "mask kind 'diagonal' is not known"),
        ({"kind": "causal", "align": "middle"}, "mask align 'middle' is not known"),
        ({"kind": "window", "left": -1}, "window left is -1"),
        ({"kind": "window", "right": -2}, "window right is -2"),
        ({"kind": "window", "left": 1.5}, "window left is 1.5"),
        ({"kind": "window", "right": "2"}, "window right is '2'"),
        ({"kind": "window", "right": True}, "window right is True"),
        ({"kind": "custom"}, "a custom mask has no matrix"),
        ({"kind": "custom", "allowed": [True]}, "mask allowed has 1 dimensions"),
        ({"kind": "custom", "allowed": [[True], [True, False]]}, "mask allowed is not rows of true and false"),
        ({"kind": "padding", "keys": [[True]]}, "mask keys has 2 dimensions"),
    ],
)
def test_an_impossible_mask_is_refused_by_name_with_a_repair(options, message):
    with pytest.raises(ExplorerError) as caught:
        Mask(**options)
    assert caught.value.message == message
    assert caught.value.hint


@pytest.mark.parametrize("kind", ["padding", "causal", "window"])
def test_a_padding_list_of_another_length_is_refused(kind):
    with pytest.raises(ExplorerError, match="the padding list has 2 keys, there are 3: give 3"):
        allowed_cells(Mask(kind, keys=[True, False]), 2, 3)


def test_a_matrix_of_another_shape_is_refused_with_both_shapes():
    with pytest.raises(ExplorerError, match="the mask is 1 x 2, the scores are 2 x 3: make it 2 x 3"):
        allowed_cells(Mask("custom", allowed=[[True, False]]), 2, 3)
