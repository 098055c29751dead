"""Earlier and later documents, with labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.state.document import Document

_DEEPEST = 1000


@dataclass(frozen=True, eq=False)
class Step:
    """One thing that was done: its label, the gesture it belongs to, the document on the other side of it."""

    label: str
    merge: str | None
    document: Document


class History:
    """What undo and redo go back and forth between; steps of one gesture count as one."""

    def __init__(self) -> None:
        self._earlier: list[Step] = []
        self._later: list[Step] = []

    @property
    def undo_label(self) -> str | None:
        """What undo would take back; None when there is nothing."""
        return self._earlier[-1].label if self._earlier else None

    @property
    def redo_label(self) -> str | None:
        """What redo would do again; None when there is nothing."""
        return self._later[-1].label if self._later else None

    def record(self, label: str, merge: str | None, before: Document) -> None:
        """Remember the document before an edit, unless the edit continues the last gesture."""
        continues = merge is not None and not self._later and self._earlier and self._earlier[-1].merge == merge
        self._later.clear()
        if continues:
            self._earlier[-1] = replace(self._earlier[-1], label=label)
        else:
            self._earlier.append(Step(label, merge, before))
            del self._earlier[:-_DEEPEST]

    def undo(self, current: Document) -> Document:
        """The document before the last step."""
        return _move(self._earlier, self._later, current)

    def redo(self, current: Document) -> Document:
        """The document after the step last undone."""
        return _move(self._later, self._earlier, current)

    def clear(self) -> None:
        """Forget everything, as for a document newly opened."""
        self._earlier.clear()
        self._later.clear()


def _move(source: list[Step], target: list[Step], current: Document) -> Document:
    step = source.pop()
    # A step that was undone and redone is finished: a later drag of the same name must not melt into it.
    target.append(Step(step.label, None, current))
    return step.document
