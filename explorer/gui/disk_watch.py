"""Notices that another program has changed or removed the open file."""

from __future__ import annotations

from collections.abc import Callable

from explorer.errors import ExplorerError
from explorer.formats.known_file import KnownFile
from explorer.gui.files import ON_DISK, Files
from explorer.gui.offers import Choice, Offer, OfferLine
from explorer.gui.reporting import Reporter


class DiskWatch:
    """Looks when the person comes back to the window; says what it finds once."""

    def __init__(self, files: Files, offers: OfferLine, reporter: Reporter, moved: Callable[[], None]) -> None:
        """``moved`` is called when the document is in no file any more."""
        self._files, self._offers, self._reporter, self._moved = files, offers, reporter, moved
        self._missed: KnownFile | None = None

    def look(self) -> None:
        """Compare the open file with what it held when it was read or written."""
        known = self._files.known
        state = "same" if known is None else known.state
        if known is None or state == "same":
            self._offers.withdraw(ON_DISK)
            self._missed = None
        elif state == "changed":
            self._offer(known)
        elif self._missed is not known:
            self._missed = known
            self._offers.withdraw(ON_DISK)
            self._reporter.complain(ExplorerError(f"{known.path.name} is no longer there", "Save writes it again"))
            self._drift()

    def _offer(self, known: KnownFile) -> None:
        self._offers.put(Offer(ON_DISK, f"{known.path.name} was changed on disk", (
            Choice("btn_reload", "&Reload", self._files.reload),
            Choice("btn_keep_mine", "&Keep mine", lambda: self._keep(known)),
        )))  # fmt: skip

    def _keep(self, known: KnownFile) -> None:
        if self._files.known is known:
            self._files.known = KnownFile(known.path)  # what is there now was seen and may be written over
            self._drift()

    def _drift(self) -> None:
        self._files.cast_adrift()
        self._moved()
