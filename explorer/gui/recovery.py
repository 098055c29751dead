"""Offers the work that windows have left that did not end as they should."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from explorer.errors import ExplorerError
from explorer.formats.recovery import Orphan, Work, newest_orphan, sweep_locks
from explorer.gui.keeper import Keeper
from explorer.gui.offers import Choice, Offer, OfferLine
from explorer.gui.reporting import Reporter

_LONGEST = 40


class Recovery:
    """Offers one after the other, the newest first; what is not answered is offered again at the next start."""

    def __init__(
        self, folder: Path, offers: OfferLine, reporter: Reporter, keeper: Keeper, restore: Callable[[Work], bool]
    ) -> None:
        """``restore`` shows the work as unsaved; False when the person rather stays with what is open."""
        self._folder, self._offers, self._reporter = folder, offers, reporter
        self._keeper, self._restore = keeper, restore
        self._orphan: Orphan | None = None
        self._seen: set[Path] = set()
        sweep_locks(folder)

    def offer_next(self) -> None:
        """Offer the newest that was not answered yet; what cannot be read is set aside and told of."""
        while (orphan := newest_orphan(self._folder, self._seen)) is not None:
            self._seen.add(orphan.path)
            try:
                work = orphan.read()
            except ExplorerError as error:
                aside = orphan.set_aside()
                hint = f"it is kept as {aside}"
                self._reporter.complain(ExplorerError(f"unsaved work cannot be read: {error.message}", hint))
                continue
            self._orphan = orphan
            self._offer(orphan, work)
            return

    def end(self) -> None:
        """The window goes; what it offers stays for the next start."""
        self._offers.withdraw("recovery")
        if self._orphan is not None:
            self._orphan.release()
            self._orphan = None

    def _offer(self, orphan: Orphan, work: Work) -> None:
        text = f"Work from {_spoken(work.time)} on {_named(work)} was not saved"
        self._offers.put(Offer("recovery", text, (
            Choice("btn_restore", "&Restore", lambda: self._accept(orphan, work)),
            Choice("btn_discard", "&Discard", lambda: self._discard(orphan)),
        )))  # fmt: skip

    def _accept(self, orphan: Orphan, work: Work) -> None:
        if not self._restore(work):
            self._offer(orphan, work)  # the person stays with what is open
            return
        if self._keeper.keep_now():
            orphan.discard()
        else:
            orphan.release()  # it is the only copy: as if it had not been answered
        self._orphan = None
        self.offer_next()

    def _discard(self, orphan: Orphan) -> None:
        orphan.discard()
        self._orphan = None
        self.offer_next()


def _spoken(time: datetime) -> str:
    now = datetime.now().astimezone()
    return time.strftime("%H:%M" if time.date() == now.date() else "%Y-%m-%d %H:%M")


def _named(work: Work) -> str:
    title = " ".join(work.document.title.split()) or "untitled"
    title = title if len(title) <= _LONGEST else title[: _LONGEST - 1] + "…"
    return f"“{title}”" if work.path is None else f"“{title}” ({work.path.name})"
