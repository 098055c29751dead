"""The store: the only thing that changes what the program holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from explorer.core.attention import Attention, attend
from explorer.state.document import Document, Snapshot, View
from explorer.state.edits import Edit, Look
from explorer.state.history import History

Listener = Callable[[], None]


class Store:
    """Holds the document, the view and the history; listeners are called after every change.

    ``snapshot`` is computed when it is asked for, so that a burst of edits costs one computation.
    """

    def __init__(self, document: Document, view: View | None = None) -> None:
        self._listeners: list[Listener] = []
        self._history = History()
        self._attention: Attention | None
        self._open(document, view or View())

    def _open(self, document: Document, view: View) -> None:
        self._history.clear()
        self._document = self._saved = self._origin = document
        self._view = self._origin_view = view.fitted(document.problem)
        self._before: Attention | None = None
        self._attention = None
        self._is_edited = False
        self._notice = ""
        self._snapshot: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot:
        """The document, the view and every stage, as they are now."""
        if self._snapshot is None:
            previous = self._attention
            if self._is_edited:
                self._before, self._is_edited = previous, False
            if previous is None or previous.problem is not self._document.problem:
                self._attention = attend(self._document.problem, previous)
            assert self._attention is not None
            self._snapshot = Snapshot(self._document, self._view, self._attention, self._before, self._notice)
        return self._snapshot

    @property
    def document(self) -> Document:
        """The document as it is now."""
        return self._document

    @property
    def view(self) -> View:
        """The view as it is now."""
        return self._view

    @property
    def is_changed(self) -> bool:
        """Whether the document differs from what was last opened or saved."""
        return self._document is not self._saved

    @property
    def undo_label(self) -> str | None:
        """What undo would take back."""
        return self._history.undo_label

    @property
    def redo_label(self) -> str | None:
        """What redo would do again."""
        return self._history.redo_label

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` after every change; the answer ends that."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def apply(self, request: Edit | Look) -> None:
        """Carry out what was asked; an ExplorerError leaves everything as it was."""
        if isinstance(request, Look):
            self._show(request.change(self._view).fitted(self._document.problem))
            return
        before = self._document
        after = request.change(before)
        if after is before:
            return
        notice = request.notice(before, after) if request.notice else ""
        self._history.record(request.label, request.merge, before)
        self._set(after, notice)

    def undo(self) -> None:
        """Take the last step back, if there is one."""
        label = self._history.undo_label
        if label is not None:
            self._set(self._history.undo(self._document), f"Undone: {label}")

    def redo(self) -> None:
        """Do again what was last taken back, if anything was."""
        label = self._history.redo_label
        if label is not None:
            self._set(self._history.redo(self._document), f"Done again: {label}")

    def open(self, document: Document, view: View) -> None:
        """Start over with another document; nothing of the old one can be undone."""
        self._open(document, view)
        self._tell()

    def mark_saved(self) -> None:
        """The document as it is now is what the file holds, and what going back to the example means."""
        self._saved = self._origin = self._document
        self._origin_view = self._view
        self._tell()

    def reset(self) -> None:
        """Back to the document last opened, chosen or saved: one undoable edit, and its stage and decimals."""
        origin, view = self._origin, self._origin_view
        self.apply(Edit("Back to the example", lambda _: origin))
        self.apply(Look(lambda now: replace(now, stage=view.stage, decimals=view.decimals)))

    def _set(self, document: Document, notice: str) -> None:
        self._document = document
        self._is_edited = True
        self._view = self._view.fitted(document.problem)
        self._notice = notice
        self._snapshot = None
        self._tell()

    def _show(self, view: View) -> None:
        if view != self._view:
            self._view = view
            self._snapshot = None
            self._tell()

    def _tell(self) -> None:
        for listener in tuple(self._listeners):
            listener()
