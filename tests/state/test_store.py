"""The store changes in one place, tells everybody, and leaves everything as it was after an error."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from explorer.core.attention import attend
from explorer.core.problem import QKV, Problem
from explorer.errors import ExplorerError
from explorer.state.document import Document, View
from explorer.state.edits import Edit, look, set_beta, set_cells, set_label, set_scale
from explorer.state.resizing import add_row, remove_row
from explorer.state.store import Store
from tests.state.documents import assert_same_stages


def some_document(n_q: int = 3) -> Document:
    return Document(Problem(QKV(np.eye(n_q, 2), np.eye(3, 2), np.ones((3, 1)))), title="Some")


@pytest.fixture
def store() -> Store:
    return Store(some_document())


@pytest.fixture
def heard(store: Store) -> list[Document]:
    """The documents that a listener found, one for each call."""
    calls: list[Document] = []
    store.subscribe(lambda: calls.append(store.document))
    return calls


def test_it_holds_what_it_was_given() -> None:
    document, view = some_document(), View(query=1, decimals=5)
    store = Store(document, view)
    assert store.document is document
    assert store.view == view
    assert (store.undo_label, store.redo_label, store.is_changed) == (None, None, False)
    snapshot = store.snapshot
    assert snapshot.document is document
    assert snapshot.problem is document.problem
    assert (snapshot.view, snapshot.before, snapshot.notice) == (view, None, "")


def test_a_view_is_fitted_to_what_there_is() -> None:
    store = Store(some_document(), View(query=9, key=-2, decimals=99))
    assert store.view == View(query=2, key=0, decimals=8)
    store.apply(look(key=7))
    assert store.view.key == 2
    store.apply(look(query=2))
    store.apply(remove_row("q", 0))
    assert store.view.query == 1


def test_an_edit_is_told_once_and_undone(store: Store, heard: list[Document]) -> None:
    first = store.document
    store.apply(set_beta(5.0))
    second = store.document
    assert heard == [second]
    assert (store.undo_label, store.is_changed) == ("Beta 5", True)
    store.undo()
    assert store.document is first
    assert (store.undo_label, store.redo_label, store.is_changed) == (None, "Beta 5", False)
    store.redo()
    assert store.document is second
    assert heard == [second, first, second]


def test_an_edit_that_changes_nothing_is_no_step(store: Store, heard: list[Document]) -> None:
    store.apply(set_beta(1.0))
    store.apply(look(query=0))
    store.undo()
    store.redo()
    assert heard == []
    assert store.undo_label is None


def test_one_drag_is_one_step_and_two_are_two(store: Store) -> None:
    first = store.document
    for beta in (2.0, 3.0, 7.0):
        store.apply(set_beta(beta, merge="beta-1"))
    middle = store.document
    for beta in (6.0, 5.0):
        store.apply(set_beta(beta, merge="beta-2"))
    assert store.undo_label == "Beta 5"
    store.undo()
    assert store.document is middle
    assert store.undo_label == "Beta 7"
    store.undo()
    assert store.document is first
    assert store.redo_label == "Beta 7"


def test_a_look_is_told_and_never_undone(store: Store, heard: list[Document]) -> None:
    store.apply(look(query=2, stage="masked"))
    assert len(heard) == 1
    assert (store.undo_label, store.is_changed) == (None, False)
    store.apply(set_beta(2.0))
    store.undo()
    assert (store.view.query, store.view.stage) == (2, "masked")
    assert store.snapshot.view is store.view


@pytest.mark.parametrize("edit", [set_beta(math.nan), set_scale(-1.0), set_cells("x", {(0, 0): (1.0, None)})])
def test_an_error_leaves_everything_as_it_was(store: Store, heard: list[Document], edit: Edit) -> None:
    store.apply(set_beta(2.0))
    store.apply(set_beta(3.0))
    store.undo()
    snapshot, heard_before = store.snapshot, len(heard)
    with pytest.raises(ExplorerError):
        store.apply(edit)
    assert store.snapshot is snapshot
    assert (store.undo_label, store.redo_label) == ("Beta 2", "Beta 3")
    assert len(heard) == heard_before


def test_an_error_of_the_notice_leaves_everything_as_it_was(store: Store, heard: list[Document]) -> None:
    def fail(before: Document, after: Document) -> str:
        raise ExplorerError("cannot say")

    first = store.document
    with pytest.raises(ExplorerError, match="cannot say"):
        store.apply(Edit("Beta 2", set_beta(2.0).change, notice=fail))
    assert store.document is first
    assert (store.undo_label, heard) == (None, [])


def test_an_error_does_not_end_a_drag_or_its_undo(store: Store) -> None:
    first = store.document
    store.apply(set_beta(2.0, merge="beta-1"))
    with pytest.raises(ExplorerError):
        store.apply(set_beta(math.nan, merge="beta-1"))
    store.apply(set_beta(3.0, merge="beta-1"))
    store.undo()
    assert store.document is first


def test_every_snapshot_is_what_a_fresh_computation_gives(store: Store) -> None:
    for edit in (
        set_cells("q", {(1, 0): (0.3, None)}), set_cells("v", {(2, 0): (5.0, None)}), add_row("k", 1),
        set_beta(math.inf), set_label("query", 0, "a"),
    ):  # fmt: skip
        store.apply(edit)
        assert_same_stages(store.snapshot.attention, attend(store.document.problem))
    assert store.snapshot is store.snapshot


def test_a_burst_of_edits_is_computed_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def counting(*given: object) -> object:
        counted.append(given)
        return attend(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("explorer.state.store.attend", counting)
    for beta in (2.0, 3.0, 4.0):
        store.apply(set_beta(beta))
    store.apply(look(query=1))
    assert store.snapshot.attention.problem.beta == 4.0
    store.apply(look(query=2))
    store.apply(set_label("key", 0, "cat"))
    assert store.snapshot.document.key_labels[0] == "cat"
    assert len(counted) == 1


def test_the_snapshot_knows_what_the_last_edit_replaced(store: Store) -> None:
    before = store.snapshot.attention
    store.apply(set_beta(2.0))
    assert store.snapshot.before is before
    after = store.snapshot.attention
    store.undo()
    assert store.snapshot.before is after


def test_looking_elsewhere_keeps_what_the_last_edit_replaced(store: Store) -> None:
    before = store.snapshot.attention
    store.apply(set_beta(2.0))
    store.apply(look(query=1))
    assert store.snapshot.before is before


def test_an_edit_that_changes_no_number_ends_the_outlines_of_the_one_before(store: Store) -> None:
    store.snapshot  # noqa: B018
    store.apply(set_beta(2.0))
    store.snapshot  # noqa: B018
    store.apply(set_label("key", 0, "cat"))
    assert store.snapshot.before in (None, store.snapshot.attention)


def test_another_document_is_not_compared_with_the_one_before(store: Store) -> None:
    store.apply(set_beta(2.0))
    assert store.snapshot.before is None or store.snapshot.before.problem.beta == 1.0
    store.open(some_document(2), View())
    store.apply(set_beta(3.0))
    before = store.snapshot.before
    assert before is None or before.problem.shape == (2, 3)


def test_notices_belong_to_the_last_step(store: Store) -> None:
    store.apply(add_row("k", 3))
    assert store.snapshot.notice == "K row 4 added: V row 4 added, zeros"
    store.undo()
    assert store.snapshot.notice == "Undone: Add K row 4"
    store.redo()
    assert store.snapshot.notice == "Done again: Add K row 4"
    store.apply(set_beta(2.0))
    assert store.snapshot.notice == ""


def test_listeners_come_and_go(store: Store) -> None:
    first: list[int] = []
    second: list[int] = []
    stop = store.subscribe(lambda: first.append(1))
    store.subscribe(lambda: second.append(1))
    store.apply(set_beta(2.0))
    stop()
    store.apply(set_beta(3.0))
    assert (len(first), len(second)) == (1, 2)
    stop()  # ending it again does no harm
    store.undo()
    assert (len(first), len(second)) == (1, 3)


def test_a_listener_may_leave_while_it_is_told(store: Store) -> None:
    calls: list[str] = []
    stops: list[Callable[[], None]] = []

    def once() -> None:
        calls.append("once")
        stops[0]()

    stops.append(store.subscribe(once))
    store.subscribe(lambda: calls.append("always"))
    store.apply(set_beta(2.0))
    store.apply(set_beta(3.0))
    assert calls == ["once", "always", "always"]


def test_saving_is_the_new_place_to_be_unchanged_from(store: Store, heard: list[Document]) -> None:
    store.apply(set_beta(2.0))
    saved = store.document
    store.mark_saved()
    assert not store.is_changed
    assert heard[-1] is saved
    store.undo()
    assert store.is_changed
    store.redo()
    assert not store.is_changed
    store.apply(set_beta(4.0))
    store.reset()
    assert store.document is saved


def test_back_to_the_example_is_one_step_that_undo_takes_back(store: Store, heard: list[Document]) -> None:
    first = store.document
    store.apply(set_beta(2.0))
    store.apply(set_cells("q", {(0, 0): (9.0, None)}))
    changed = store.document
    store.apply(look(query=2, decimals=6, stage="logits"))
    store.reset()
    assert store.document is first
    assert store.view == View(query=2)
    assert (store.undo_label, store.is_changed) == ("Back to the example", False)
    told = len(heard)
    store.reset()
    assert len(heard) == told
    store.undo()
    assert store.document is changed
    assert store.undo_label == "Q row 1, column 1"


def test_opening_starts_over(store: Store, heard: list[Document]) -> None:
    store.apply(set_beta(2.0))
    other = some_document(2)
    store.open(other, View(query=5, decimals=1))
    assert heard[-1] is other
    assert store.view == View(query=1, decimals=1)
    assert (store.undo_label, store.redo_label, store.is_changed) == (None, None, False)
    assert (store.snapshot.before, store.snapshot.notice) == (None, "")
    store.apply(set_beta(7.0))
    store.reset()
    assert store.document is other
