"""An author copies weights as LaTeX, Markdown, NumPy and tabs, and pastes them into another problem."""

import numpy as np

from tests.jobs.abroad import UNKNOWN_LOCALE, own_locale
from tests.jobs.new_problem import make_new
from tests.person import OpenWindow, Person

__all__ = ["own_locale"]
pytestmark = UNKNOWN_LOCALE


def copies(person: Person) -> dict[str, str]:
    """The weights in every notation, from their picture."""
    person.go_to("weights")
    return {title: person.copy_as(title) for title in ("LaTeX", "Markdown", "NumPy", "Tab", "Comma")}


def paste_into_new(person: Person, size: int, *texts: str) -> np.ndarray:
    """Paste texts, one over the other, into new given weights of that size; the numbers there now."""
    make_new(person, "weights", n_q=size, n_k=size, d_v=0)
    person.go_to("grid_weights")
    for text in texts:
        person.paste(text)
    return np.array(person.problem.source.weights)


def test_weights_go_to_paper_and_come_back(open_window: OpenWindow) -> None:
    person = open_window("single-head-numeric")
    weights = np.array(person.store.snapshot.attention.weights)
    made = copies(person)
    assert made["LaTeX"].startswith(r"\begin{bmatrix}")
    assert r"0.670 & 0.330 \\" in made["LaTeX"]
    assert "| 0.670 | 0.330 |" in made["Markdown"]
    assert made["NumPy"].startswith("np.array([[0.66976")
    for text in made.values():
        assert "0,6" not in text
        assert "0.6" in text

    back = paste_into_new(person, 2, made["NumPy"])
    np.testing.assert_allclose(back, weights, rtol=0, atol=1e-15)
    assert "sums to" not in person.message
    for title in ("Tab", "Comma"):
        assert np.array_equal(paste_into_new(person, 2, made[title]), weights)
    rounded = paste_into_new(person, 2, made["NumPy"], made["LaTeX"])
    assert rounded.tolist() == np.round(weights, 3).tolist()
    assert paste_into_new(person, 2, made["Markdown"]).tolist() == np.round(weights, 3).tolist()


def test_a_sum_that_rounding_has_changed_is_noted_as_such(open_window: OpenWindow) -> None:
    person = open_window("cat-sat-mat")
    weights = np.array(person.store.snapshot.attention.weights)
    made = copies(person)
    rounded = paste_into_new(person, 3, made["LaTeX"])
    assert rounded.tolist() == np.round(weights, 3).tolist()
    assert "Weights row 3 sums to 0.999: rounded" in person.message
    person.paste(made["NumPy"])
    assert np.array_equal(person.problem.source.weights, weights)
    assert "rounded" not in person.message
