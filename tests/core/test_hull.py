"""The nearest point of a hull is the nearest, whatever the rows, and says where the given point lies."""

import math

import numpy as np
import pytest
import scipy.optimize
import scipy.spatial
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.core import hull
from explorer.core.hull import MOST_ROWS, nearest_in_hull
from explorer.errors import ExplorerError

pytestmark = pytest.mark.filterwarnings("error")
QUICK = settings(max_examples=80, deadline=None, database=None)
TRIANGLE = np.array([[0.0, 0], [4, 0], [0, 3]])
SETS = ("cloud", "sphere", "cube", "duplicates", "nearly_duplicates", "flat", "thin", "scattered")


def rows(kind, n, d, seed=0):
    """Value rows that make trouble in one way each."""
    rng = np.random.default_rng([seed, n, d, SETS.index(kind)])
    v = rng.standard_normal((n, d))
    sphere = v / np.linalg.norm(v, axis=1, keepdims=True)
    repeated = sphere[rng.integers(0, max(1, n // 3), n)]
    return {
        "cloud": v,
        "sphere": sphere,
        "cube": rng.integers(0, 2, (n, d)).astype(float),
        "duplicates": repeated,
        "nearly_duplicates": repeated + 1e-12 * v,
        "flat": v[:, : max(1, d // 2)] @ rng.standard_normal((max(1, d // 2), d)),  # coplanar
        "thin": v * np.geomspace(1, 1e-12, d),
        "scattered": v * 10.0 ** -rng.uniform(0, 14, (n, 1)),
    }[kind]


def diameter(v):
    return max(np.linalg.norm(v - row, axis=1).max() for row in v)


def assert_nearest(v, x, found):
    """Shares are shares, and no row is beyond the plane through the point (Karush, Kuhn and Tucker)."""
    assert (found.shares >= 0).all()
    assert found.shares.sum() == pytest.approx(1, abs=1e-14)
    assert np.array_equal(found.shares @ v, found.point)
    size = diameter(v) or np.abs(v).max() or np.abs(x).max() or 1.0
    # Seen from the first row, so that the test itself loses nothing.
    u, t = (v - v[0]) / size, (x - v[0]) / size
    rest = t - found.shares @ u
    assert np.linalg.norm(rest) == pytest.approx(found.distance, rel=1e-9, abs=4e-15)
    if found.distance > 1e-12:
        beyond = (u - found.shares @ u) @ rest  # (n_k,)
        assert beyond.max() <= 1e-9 * found.distance + 4e-15


@pytest.mark.parametrize("d", [1, 2, 3, 8, 64])
@pytest.mark.parametrize("n", [1, 2, 4, 20, 60])
@pytest.mark.parametrize("kind", SETS)
def test_blends_are_inside_and_other_points_get_their_nearest(kind, n, d):
    v = rows(kind, n, d)
    rng = np.random.default_rng(n + d)
    for concentration in (1.0, 0.05):
        blend = rng.dirichlet(np.full(n, concentration)) @ v
        found = nearest_in_hull(v, blend)
        assert found.verdict == "inside"
        assert_nearest(v, blend, found)
    for x in (v.mean(axis=0) + 0.7 * rng.standard_normal(d), 5 * rng.standard_normal(d), v[0] * 1.0001, 0 * v[0]):
        assert_nearest(v, x, nearest_in_hull(v, x))


@pytest.mark.parametrize("kind", ["cloud", "duplicates", "sphere", "thin"])
def test_the_largest_allowed_set_comes_to_an_end_long_before_the_limit(kind, monkeypatch):
    cycles = []
    minor_cycles = hull._minor_cycles
    monkeypatch.setattr(hull, "_minor_cycles", lambda *given: cycles.append(1) or minor_cycles(*given))
    v = rows(kind, MOST_ROWS, 8)
    x = np.random.default_rng(4).dirichlet(np.ones(MOST_ROWS)) @ v
    assert nearest_in_hull(v, x).verdict == "inside"
    assert_nearest(v, 1.5 * v[0], nearest_in_hull(v, 1.5 * v[0]))
    assert len(cycles) < 10 * (MOST_ROWS + 8)


def test_at_the_limit_there_is_an_answer_too(monkeypatch):
    monkeypatch.setattr(hull, "_MOST_CYCLES", 0)
    assert nearest_in_hull(TRIANGLE, [9, 2]).shares.tolist() == [0, 1, 0]


@QUICK
@given(hnp.arrays(float, (6, 2), elements=st.integers(-2, 2)), hnp.arrays(float, 2, elements=st.integers(-5, 5)))
def test_grid_points_against_a_linear_program_and_least_squares(v, x):
    found = nearest_in_hull(v, x / 2)
    assert_nearest(v, x / 2, found)
    equations, right = np.vstack([v.T, np.ones(6)]), np.append(x / 2, 1)
    is_feasible = scipy.optimize.linprog(np.zeros(6), A_eq=equations, b_eq=right).status == 0
    assert (found.verdict == "inside") == is_feasible
    in_box = ((v.min(axis=0) <= x / 2) & (x / 2 <= v.max(axis=0))).all()
    assert (found.verdict != "outside") == in_box
    # Least squares with the sum as a heavy row; its shares are off by about 1e-8.
    shares, _ = scipy.optimize.nnls(np.vstack([v.T, np.full(6, 1e4)]), np.append(x / 2, 1e4))
    reached = np.linalg.norm(x / 2 - shares @ v / shares.sum())
    assert found.distance * (diameter(v) or np.abs(v).max() or np.abs(x / 2).max()) == pytest.approx(reached, abs=1e-6)


@pytest.mark.parametrize("d", [2, 3, 5])
@pytest.mark.parametrize("kind", ["cloud", "sphere", "scattered"])
@pytest.mark.parametrize("push", [1e-6, 1e-8])
def test_a_point_pushed_out_of_a_facet_is_outside_by_the_push(kind, d, push):
    v = rows(kind, 30, d)
    facets = scipy.spatial.ConvexHull(v)
    for corners, normal in list(zip(facets.simplices, facets.equations[:, :-1], strict=True))[:12]:
        middle = v[corners].mean(axis=0)
        out = nearest_in_hull(v, middle + push * diameter(v) * normal)
        assert out.distance == pytest.approx(push, abs=1e-13)
        assert out.verdict != "inside"
        assert nearest_in_hull(v, middle - push * diameter(v) * normal).verdict == "inside"
        assert nearest_in_hull(v, middle + 0.9e-9 * diameter(v) * normal).verdict == "inside"
        assert nearest_in_hull(v, middle + 1.1e-9 * diameter(v) * normal).verdict != "inside"


@pytest.mark.parametrize("height", [1e-5, 1e-7, 1e-8, 3e-9])
def test_a_flat_triangle_is_not_taken_for_its_edge(height):
    # Close to the hull the direction to it is rounding; the apex must be tried all the same.
    turn = np.array([[math.cos(1), -math.sin(1)], [math.sin(1), math.cos(1)]])
    v = np.array([[0, 0], [1, 0], [0.5, height]]) @ turn
    for level in (0.1, 0.5, 0.9):
        assert nearest_in_hull(v, np.array([0.5, level * height]) @ turn).distance < 1e-12
    above = nearest_in_hull(v, np.array([0.5, height + 1e-8]) @ turn)
    assert above.distance == pytest.approx(1e-8, rel=1e-6)


def test_known_points():
    found = nearest_in_hull(TRIANGLE, [4, 3])
    np.testing.assert_allclose(found.shares, [0, 0.64, 0.36], atol=1e-15)
    np.testing.assert_allclose(found.point, [2.56, 1.08], rtol=1e-15)
    assert found.distance == pytest.approx(2.4 / 5, rel=1e-15)
    assert found.verdict == "in the box only"
    assert nearest_in_hull(TRIANGLE, [5, 3]).verdict == "outside"
    np.testing.assert_allclose(nearest_in_hull(TRIANGLE, [1, 1]).shares, [5 / 12, 1 / 4, 1 / 3], rtol=1e-14)
    assert nearest_in_hull(TRIANGLE, [4, 0]).shares.tolist() == [0, 1, 0]
    assert nearest_in_hull(TRIANGLE, [0, -1]).shares.tolist() == [1, 0, 0]


@pytest.mark.parametrize("size", [1e-300, 5e-318, 1e-9, 1e9, 1e300, 4e307])
def test_size_changes_nothing(size):
    rtol = 1e-3 if size < 1e-310 else 1e-14  # the smallest numbers have few digits themselves
    found = nearest_in_hull(TRIANGLE * size, np.array([4, 3]) * size)
    assert found.distance == pytest.approx(0.48, rel=rtol)
    np.testing.assert_allclose(found.point, np.array([2.56, 1.08]) * size, rtol=rtol)
    assert found.verdict == "in the box only"
    assert nearest_in_hull(TRIANGLE * size, np.array([1, 1]) * size).verdict == "inside"
    assert nearest_in_hull(TRIANGLE * size, -TRIANGLE[2] * size).verdict == "outside"


@pytest.mark.parametrize("far", [1e10, 1e17, 1e90, 1e200, 1.7e308])
def test_a_point_far_off_gets_the_corner_on_its_side(far):
    found = nearest_in_hull(TRIANGLE, [far, far / 4])
    assert found.shares.tolist() == [0, 1, 0]
    assert found.verdict == "outside"
    assert found.distance == pytest.approx(far * (math.sqrt(17) / 4 / 5), rel=1e-9)
    assert nearest_in_hull(TRIANGLE * 1e-300, [far, far / 4]).distance == math.inf


def test_the_longest_line_there_is():
    found = nearest_in_hull([[1.7e308], [-1.7e308]], [0.85e308])
    np.testing.assert_allclose(found.shares, [0.75, 0.25], rtol=1e-15)
    assert found.verdict == "inside"


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e11])
def test_a_blend_of_large_close_values_is_inside_by_its_own_rounding(offset):
    rng = np.random.default_rng(8)
    for _ in range(30):
        v = offset + 1e-4 * rng.standard_normal((12, 4))
        weights = rng.dirichlet(np.ones(12))
        assert nearest_in_hull(v, weights @ v).verdict == "inside"
    assert nearest_in_hull(v, v.max(axis=0) + 1e-14 * offset * 12).verdict == "outside"


def test_a_column_in_which_nothing_differs_adds_no_rounding():
    assert nearest_in_hull([[1, 1e-300], [1, 2e-300]], [1, 5e-300]).verdict == "outside"
    assert nearest_in_hull([[1, 1e-300], [1, 2e-300]], [1, 1.5e-300]).verdict == "inside"


def test_equal_rows_are_a_point():
    same = [[2, 3], [2, 3], [2, 3]]
    assert nearest_in_hull(same, [2, 3]).verdict == "inside"
    assert nearest_in_hull(same, [2, np.nextafter(3, 4)]).verdict == "inside"  # as their blend may be rounded
    beside = nearest_in_hull(same, [2, 3.3])
    assert (beside.verdict, beside.point.tolist()) == ("outside", [2, 3])
    assert beside.distance == pytest.approx(0.1)  # of 3, the largest number, as there is no diameter
    assert nearest_in_hull([[0, 0]], [0, 0]).distance == 0
    assert nearest_in_hull([[0, 0]], [0, 1e-300]).verdict == "outside"
    assert nearest_in_hull([[0, 0]], [0, 1e-300]).distance == 1
    assert nearest_in_hull(np.zeros((3, 0)), []).verdict == "inside"


def test_the_result_is_read_only():
    found = nearest_in_hull(TRIANGLE, [1, 1])
    for array in (found.point, found.shares):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize(
    ("v", "x", "message"),
    [
        (np.zeros((201, 2)), [0, 0], "V has 201 rows: the hull is of 1 to 200 rows"),
        (np.zeros((0, 2)), [0, 0], "V has 0 rows"),
        ([[1, 2]], [1, 2, 3], "the point has 3 coordinates: give 2"),
        ([[1, 2], [np.nan, 2]], [1, 2], "row 2 of V is not finite"),
        ([[1, np.inf], [1, 2]], [1, 2], "row 1 of V is not finite"),
        ([[1, 2]], [1, -np.inf], "the point is not finite"),
        ([[1, 2]], [[1, 2]], "the point has 3 dimensions"),
    ],
)
def test_what_has_no_hull_is_refused_in_words(v, x, message):
    with pytest.raises(ExplorerError, match=message):
        nearest_in_hull(v, x)
