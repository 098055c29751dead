"""Every case that the onnx package carries for Softmax, LogSoftmax and Hardmax comes out of our softmax."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from explorer.core.softmax import softmax
from tests.core.onnx_cases import Case, assert_agree, expanded_names, names, read, same_numbers, show

pytestmark = pytest.mark.filterwarnings("error")
PREFIXES = ("test_softmax_", "test_logsoftmax_", "test_hardmax_")
SOFTMAX, LOGSOFTMAX, HARDMAX = (names(prefix) for prefix in PREFIXES)
CASES = [*SOFTMAX, *LOGSOFTMAX, *HARDMAX]
TIED = "test_hardmax_one_hot"
ran: set[str] = set()
agreed: set[str] = set()


@pytest.fixture(scope="module", autouse=True)
def _the_count_is_shown(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    skipped = len(set(CASES) - ran)
    show(request.config, f"{len(CASES)} Softmax, LogSoftmax and Hardmax cases, {skipped} skipped, {len(agreed)} agree")


def weights_of(case: Case, beta: float = 1.0) -> np.ndarray:
    """Our weights along the axis of a case, moved last and flattened to rows."""
    axis = case.attributes.get("axis", -1)
    x = np.moveaxis(case.inputs["x"].astype(float), axis, -1)
    rows = x.reshape(-1, x.shape[-1])
    weights = softmax(rows, np.ones(rows.shape, dtype=bool), beta=beta).weights
    return np.moveaxis(weights.reshape(x.shape), -1, axis)


def agree(case: Case, ours: np.ndarray) -> None:
    ran.add(case.name)
    assert_agree(case, {"y": ours})
    agreed.add(case.name)


@pytest.mark.parametrize("name", SOFTMAX)
def test_weights(name):
    case = read(name)
    agree(case, weights_of(case))


@pytest.mark.parametrize("name", LOGSOFTMAX)
def test_logarithm_of_weights(name):
    case = read(name)
    weights = weights_of(case)
    assert (weights > 1e-3).all()  # ln of a weight near underflow would lose what LogSoftmax keeps
    agree(case, np.log(weights))


@pytest.mark.parametrize("name", [name for name in HARDMAX if name != TIED])
def test_weights_at_infinite_beta(name):
    case = read(name)
    agree(case, weights_of(case, beta=math.inf))


def test_a_tie_is_shared_where_theirs_goes_to_the_first():
    case = read(TIED)
    ours = weights_of(case, beta=math.inf)
    assert case.inputs["x"].tolist() == [[3, 3, 3, 1]]
    assert ours.tolist() == [[1 / 3, 1 / 3, 1 / 3, 0]]
    first = np.zeros(ours.shape)
    first[0, np.argmax(ours[0] > 0)] = 1
    agree(case, first)


def test_there_are_7_cases_of_each_operator():
    assert [len(each) for each in (SOFTMAX, LOGSOFTMAX, HARDMAX)] == [7, 7, 7]
    assert [read(name).operator for name in CASES] == ["Softmax"] * 7 + ["LogSoftmax"] * 7 + ["Hardmax"] * 7


def test_the_folders_left_out_hold_the_same_numbers():
    expanded = [name for prefix in PREFIXES for name in expanded_names(prefix)]
    assert len(expanded) == 28
    assert [name for name in expanded if not same_numbers(name)] == []


def test_a_wrong_axis_would_be_noticed():
    case = read("test_softmax_axis_1")
    for wrong in (0, 2):
        case.attributes["axis"] = wrong
        with pytest.raises(AssertionError):
            assert_agree(case, {"y": weights_of(case)})
