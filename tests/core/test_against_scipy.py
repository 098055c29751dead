"""Wherever a row has an allowed key, the weights are those of scipy."""

import numpy as np
import pytest
import scipy.special
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.core.attention import attend
from explorer.core.masks import MASKS, Mask
from explorer.core.problem import QKV, Problem, Scores

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=100, deadline=None, database=None)
CELLS = st.floats(-20, 20)


def assert_like_scipy(ours):
    """Compare with the softmax of the logits, hidden ones -inf, and with scipy's entropy."""
    logits = np.where(ours.allowed, ours.logits, -np.inf)
    has_key = ours.allowed.any(axis=1)
    theirs = scipy.special.softmax(logits[has_key], axis=1)
    np.testing.assert_allclose(ours.weights[has_key], theirs, rtol=1e-12, atol=1e-15)
    assert not ours.weights[~has_key].any()
    np.testing.assert_allclose(ours.entropy[has_key], scipy.stats.entropy(theirs, axis=1), rtol=1e-9, atol=1e-13)
    assert np.isnan(ours.entropy[~has_key]).all()
    if ours.output is not None:
        np.testing.assert_allclose(ours.output[has_key], theirs @ ours.v, rtol=1e-12, atol=1e-12)


@QUICK
@given(
    scores=hnp.arrays(float, (4, 5), elements=CELLS | st.just(-np.inf)), kind=st.sampled_from(list(dict(MASKS))),
    align=st.sampled_from(["start", "end"]), left=st.none() | st.integers(0, 4), right=st.none() | st.integers(0, 4),
    keys=st.none() | hnp.arrays(bool, 5), allowed=hnp.arrays(bool, (4, 5)), beta=st.floats(-3, 3),
    scale=st.floats(0.5, 9), shift=st.sampled_from([0, 3, -40]),
)  # fmt: skip
def test_typed_scores(scores, kind, align, left, right, keys, allowed, beta, scale, shift):
    mask = Mask(kind, align, left, right, keys, allowed)
    assert_like_scipy(attend(Problem(Scores(scores), beta=beta, scale=scale, shift=shift, mask=mask)))


@QUICK
@given(
    q=hnp.arrays(float, (3, 2), elements=st.floats(-4, 4)), k=hnp.arrays(float, (4, 2), elements=st.floats(-4, 4)),
    v=hnp.arrays(float, (4, 3), elements=CELLS), bias=st.none() | hnp.arrays(float, (3, 4), elements=CELLS),
    softcap=st.sampled_from([0, 2, 30]), allowed=hnp.arrays(bool, (3, 4)), beta=st.floats(-2, 2),
)  # fmt: skip
def test_queries_and_keys_with_bias_and_softcap(q, k, v, bias, softcap, allowed, beta):
    mask = Mask("custom", allowed=allowed)
    assert_like_scipy(attend(Problem(QKV(q, k, v), bias=bias, softcap=softcap, beta=beta, mask=mask)))
