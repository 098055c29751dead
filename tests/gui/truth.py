"""The weights that a window shows, held against the formula written plainly."""

import numpy as np
import pytest

from explorer.core.attention import attend
from tests.person import Person


def assert_weights_are_true(person: Person) -> None:
    """The weights shown are those of the problem computed afresh, and of the formula written plainly."""
    problem, shown = person.problem, person.store.snapshot.attention
    np.testing.assert_array_equal(shown.weights, attend(problem).weights)
    assert shown.scaled is not None
    x = shown.scaled if not problem.softcap else problem.softcap * np.tanh(shown.scaled / problem.softcap)
    x = np.where(problem.masked_in, x if problem.bias is None else x + problem.bias, -np.inf)
    e = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(shown.weights, e / e.sum(axis=1, keepdims=True), rtol=1e-12, atol=1e-15)
    decimals = person.store.view.decimals
    assert [float(text) for text in person.read_weights()] == pytest.approx(person.weights, abs=0.51 * 10**-decimals)
