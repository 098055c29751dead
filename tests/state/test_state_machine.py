"""Whatever is done in whatever order, the store keeps its promises."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from explorer.core.attention import attend
from explorer.core.masks import MASKS
from explorer.errors import ExplorerError
from explorer.formats import session
from explorer.state import edits, resizing, sources
from explorer.state.document import Document, View
from explorer.state.edits import Edit, look
from explorer.state.store import Store
from tests.state import documents as some
from tests.state.documents import BETAS, KINDS, SCALES, documents

LARGEST = 5
cells = st.one_of(some.hiding.map(lambda number: (number, None)), some.typed_numbers)
indices = st.integers(0, 3)
flags = st.booleans()


class StoreMachine(RuleBasedStateMachine):
    """A store beside the plainest model of one: the lists of earlier and later documents."""

    @initialize(document=documents())
    def start(self, document: Document) -> None:
        self.store = Store(document, View(query=9, key=9))
        self.heard = 0
        self.gesture = 0
        self.stop = self.store.subscribe(self.hear)
        self._opened(document)

    def hear(self) -> None:
        self.heard += 1

    def _opened(self, document: Document) -> None:
        self.first = self.now = self.saved = self.origin = document
        self.past: list[Document] = []
        self.future: list[Document] = []
        self.origin_view = self.store.view

    def _state(self) -> tuple[Any, ...]:
        store = self.store
        return store.document, store.view, store.undo_label, store.redo_label, self.heard

    def _apply(self, edit: Edit, *, continues: bool = False) -> bool:
        """Apply and compare with the model; True when the document changed."""
        before = self._state()
        try:
            self.store.apply(edit)
        except ExplorerError:
            assert self._state() == before
            return False
        if self.store.document is self.now:
            assert self._state() == before
            return False
        if not continues:
            self.past.append(self.now)
        self.future.clear()
        self.now = self.store.document
        assert self.heard == before[-1] + 1
        assert (self.store.undo_label, self.store.redo_label) == (edit.label, None)
        return True

    def _matrix(self, data: st.DataObject, *, with_bias: bool = True) -> tuple[str, tuple[int, int]]:
        given = dict(self.now.problem.source.matrices)
        if with_bias and self.now.problem.bias is not None:
            given["bias"] = self.now.problem.bias
        name = data.draw(st.sampled_from(sorted(given)))
        return name, given[name].shape

    def _place(self, data: st.DataObject, shape: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(data.draw(st.integers(0, length - 1)) for length in shape)

    @rule(data=st.data(), cell=cells)
    def type_a_cell(self, data: st.DataObject, cell: tuple[float, str | None]) -> None:
        name, shape = self._matrix(data)
        row, column = self._place(data, shape)
        self._apply(edits.set_cells(name, {(row, column): cell}))
        matrix = self.store.document.matrix(name)
        assert matrix is not None
        np.testing.assert_equal(matrix[row, column], cell[0])
        assert self.store.document.typed_text(name, row, column) == cell[1]

    @rule(data=st.data(), values=st.lists(cells, min_size=1, max_size=4))
    def scrub_a_cell(self, data: st.DataObject, values: list[tuple[float, str | None]]) -> None:
        name, shape = self._matrix(data)
        place = self._place(data, shape)
        self._drag([edits.set_cells(name, {(place[0], place[1]): value}, merge=self._word()) for value in values])

    @rule(betas=st.lists(st.sampled_from(BETAS), min_size=1, max_size=4))
    def drag_beta(self, betas: list[float]) -> None:
        self._drag([edits.set_beta(beta, merge=self._word()) for beta in betas])

    @rule(data=st.data(), is_visible=flags, steps=st.integers(1, 4))
    def paint(self, data: st.DataObject, is_visible: bool, steps: int) -> None:
        places = [self._place(data, self.now.problem.shape) for _ in range(steps)]
        self._drag([edits.paint(row, column, is_visible, merge=self._word()) for row, column in places])

    def _word(self) -> str:
        return f"gesture-{self.gesture}"

    def _drag(self, gesture: list[Edit]) -> None:
        """One gesture is one step, however many edits changed something."""
        deep, has_begun = len(self.past), False
        for edit in gesture:
            has_begun = self._apply(edit, continues=has_begun) or has_begun
        self.gesture += 1
        assert len(self.past) == deep + has_begun

    @rule(before=st.sampled_from(BETAS), after=st.sampled_from(BETAS))
    def drag_a_redone_step_on(self, before: float, after: float) -> None:
        if self._apply(edits.set_beta(before, merge=self._word())):
            self.undo()
            self.redo()
            self._apply(edits.set_beta(after, merge=self._word()))  # a step of its own
        self.gesture += 1

    @rule(axis=st.sampled_from(["query", "key"]), data=st.data(), name=some.names)
    def name_a_token(self, axis: str, data: st.DataObject, name: str | None) -> None:
        index = data.draw(st.integers(0, getattr(self.now.problem, {"query": "n_q", "key": "n_k"}[axis]) - 1))
        self._apply(edits.set_label(axis, index, name or " "))
        document = self.store.document
        assert getattr(document, f"{axis}_labels")[index] == name
        assert not document.problem.has_shared_tokens or document.query_labels == document.key_labels

    @rule(beta=st.sampled_from([*BETAS, math.nan]))
    def set_beta(self, beta: float) -> None:
        assert not self._apply(edits.set_beta(beta)) or self.now.problem.beta == beta

    @rule(scale=st.sampled_from([*SCALES, 0.0, -1.0]))
    def set_scale(self, scale: str | float) -> None:
        assert not self._apply(edits.set_scale(scale)) or self.now.problem.scale == scale

    @rule(shift=st.sampled_from([0.0, 5.0, -800.0, math.inf]))
    def set_shift(self, shift: float) -> None:
        assert not self._apply(edits.set_shift(shift)) or self.now.problem.shift == shift

    @rule(number=st.integers(0, 1))
    def use_a_variant(self, number: int) -> None:
        variant = self.now.variants[number]
        self._apply(edits.use_variant(variant))
        assert variant.is_shown_by(self.now.problem)

    @rule(kind=st.sampled_from([kind for kind, _ in MASKS]))
    def choose_a_mask(self, kind: str) -> None:
        shown = self.now.problem.masked_in
        self._apply(edits.set_mask(kind))
        assert self.now.problem.mask.kind == kind
        if kind == "custom":
            np.testing.assert_array_equal(self.now.problem.masked_in, shown)

    @rule(align=st.sampled_from(["start", "end"]), twice=flags)
    def align(self, align: str, twice: bool) -> None:
        self._apply(edits.set_alignment(align))
        assert not (twice and self._apply(edits.set_alignment(align)))

    @rule(left=st.sampled_from([None, 0, 1, -1]), right=st.sampled_from([None, 0, 2]))
    def set_a_window(self, left: int | None, right: int | None) -> None:
        is_window = self.now.problem.mask.kind == "window"
        assert not self._apply(edits.set_window(left, right)) or is_window
        assert not self._apply(edits.set_window(left, right))

    @rule(data=st.data())
    def hide_or_show_a_key(self, data: st.DataObject) -> None:
        column = data.draw(st.integers(0, self.now.problem.n_k - 1))
        self._apply(edits.toggle_key(column))

    @rule(data=st.data(), axis=st.integers(0, 1))
    def add_a_line(self, data: st.DataObject, axis: int) -> None:
        name, shape = self._matrix(data)
        at = data.draw(st.integers(0, shape[axis]))
        if shape[axis] < LARGEST:
            self._apply((resizing.add_row, resizing.add_column)[axis](name, at))
            matrix = self.now.matrix(name)
            assert matrix is not None
            assert matrix.shape[axis] == shape[axis] + 1
            assert not matrix.take(at, axis).any()

    @rule(data=st.data(), axis=st.integers(0, 1))
    def remove_a_line(self, data: st.DataObject, axis: int) -> None:
        name, shape = self._matrix(data)
        at = data.draw(st.integers(0, shape[axis] - 1))
        is_changed = self._apply((resizing.remove_row, resizing.remove_column)[axis](name, at))
        assert is_changed == (shape[axis] > 1)

    @rule(width=st.integers(1, 2))
    def add_values(self, width: int) -> None:
        had = self.now.problem.d_v
        self._apply(resizing.add_values(width))
        assert self.now.problem.d_v == (had or width)

    @rule(kind=st.sampled_from(KINDS))
    def change_the_source(self, kind: str) -> None:
        was, before = self.now.problem.source.kind, self.store.snapshot.attention
        self._apply(sources.change_source(kind))
        assert self.now.problem.source.kind == kind
        after = self.store.snapshot.attention
        if KINDS.index(kind) >= KINDS.index(was):
            np.testing.assert_array_equal(after.weights, before.weights)
            assert (after.output is None) == (before.output is None)
            if after.output is not None:
                np.testing.assert_array_equal(after.output, before.output)

    @rule(query=indices, key=indices, decimals=st.integers(-1, 12), stage=st.sampled_from(["scores", "masked"]))
    def look_elsewhere(self, query: int, key: int, decimals: int, stage: str) -> None:
        before, heard = self._state(), self.heard
        self.store.apply(look(query=query, key=key, decimals=decimals, stage=stage))
        assert self._state()[2:4] == before[2:4]
        assert self.store.document is before[0]
        assert self.heard == heard + (self.store.view != before[1])

    @rule()
    def undo(self) -> None:
        heard = self.heard
        if self.past:
            self.future.append(self.now)
            self.now = self.past.pop()
            heard += 1
        self.store.undo()
        assert self.heard == heard

    @rule()
    def redo(self) -> None:
        heard = self.heard
        if self.future:
            self.past.append(self.now)
            self.now = self.future.pop()
            heard += 1
        self.store.redo()
        assert self.heard == heard

    @precondition(lambda self: self.past)
    @rule()
    def undo_then_redo(self) -> None:
        document = self.store.document
        self.store.undo()
        assert self.store.document is not document
        self.store.redo()
        assert self.store.document is document

    @rule()
    def back_to_the_example(self) -> None:
        self.store.reset()
        if self.now is not self.origin:
            self.past.append(self.now)
            self.future.clear()
            self.now = self.origin
        state = self._state()
        assert (self.store.view.stage, self.store.view.decimals) == (self.origin_view.stage, self.origin_view.decimals)
        self.store.reset()
        assert self._state() == state

    @rule()
    def save(self) -> None:
        data = session.write(self.store.document, self.store.view)
        document, view = session.read(data, "saved.json")
        assert some.content(document) == some.content(self.store.document)
        assert view == self.store.view
        assert session.write(document, view) == data
        self.store.mark_saved()
        self.saved = self.origin = self.now
        self.origin_view = self.store.view

    @rule(document=documents())
    def open_another(self, document: Document) -> None:
        self.store.open(document, View(query=9, key=9))
        self._opened(document)
        assert (self.store.undo_label, self.store.redo_label) == (None, None)
        assert self.store.snapshot.before is None

    @invariant()
    def the_store_is_where_the_model_is(self) -> None:
        assert self.store.document is self.now
        assert self.store.is_changed == (self.now is not self.saved)
        assert (self.store.undo_label is None) == (not self.past)
        assert (self.store.redo_label is None) == (not self.future)

    @invariant()
    def the_snapshot_is_computed_afresh(self) -> None:
        snapshot = self.store.snapshot
        assert snapshot is self.store.snapshot
        assert snapshot.document is self.now
        some.assert_same_stages(snapshot.attention, attend(self.now.problem))

    @invariant()
    def the_view_is_inside(self) -> None:
        view, problem = self.store.view, self.now.problem
        assert view == view.fitted(problem)
        assert 0 <= view.query < problem.n_q
        assert 0 <= view.key < problem.n_k
        assert 0 <= view.decimals <= 8

    @invariant()
    def the_document_is_sound(self) -> None:
        some.assert_sound(self.now)

    def teardown(self) -> None:
        if not hasattr(self, "store"):
            return
        self.stop()
        heard, documents = self.heard, [*self.past, self.now, *reversed(self.future)]
        for earlier in reversed(self.past):
            self.store.undo()
            assert self.store.document is earlier
        assert self.store.document is self.first
        assert self.store.undo_label is None
        for later in documents[1:]:
            self.store.redo()
            assert self.store.document is later
        assert self.store.redo_label is None
        assert self.heard == heard


@pytest.mark.usefixtures("home")
class TestStore(StoreMachine.TestCase):
    """Runs the machine."""

    settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
