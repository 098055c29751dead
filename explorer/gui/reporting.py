"""What is told to the person: what a change did, and once, with details, what went wrong."""

from __future__ import annotations

import traceback

from explorer import paths
from explorer.errors import ExplorerError
from explorer.gui import dialogs
from explorer.gui.messages import MessageBar
from explorer.state.document import Snapshot
from explorer.state.remarks import remarks

_LONGEST_LOG = 1_000_000


class Reporter:
    """Speaks through the message line."""

    def __init__(self, bar: MessageBar) -> None:
        self._bar = bar
        self._details = ""
        bar.details_asked.connect(self._show_details)

    def tell(self, snapshot: Snapshot, done: str | None) -> None:
        """Tell what the last change did, with what should be known of the numbers."""
        said = [snapshot.notice or done or "", *remarks(snapshot.document, snapshot.attention)]
        if said[0] and len(said) == 1 and snapshot.problem.source.kind != "weights":
            said.append("every row of weights sums to 1")
        hint = "Ctrl+Z takes it back" if done else "F1 lists the keys"
        self._bar.say("  ·  ".join(part for part in said if part), hint)

    def say(self, text: str) -> None:
        """Say what was done."""
        self._bar.say(text)

    def add(self, text: str, is_alone: bool) -> None:
        """Say what became of something, alone or after what was said last."""
        said = "" if is_alone or self._bar.is_error else self._bar.text
        self._bar.say("  ·  ".join(filter(None, (said, text))))

    def complain(self, error: ExplorerError | None) -> None:
        """Say in one line what did not work; None when that is settled."""
        if error is not None:
            self._bar.complain(str(error))
        elif self._bar.is_error:
            self._bar.say("")

    def report(self, error: BaseException) -> None:
        """Log an unexpected error and say so, the same one once."""
        details = "".join(traceback.format_exception(error))
        if details != self._details:
            self._details = details
            log(details)
        name = type(error).__name__
        self._bar.complain(f"Something unexpected went wrong ({name}); your numbers are safe", has_details=True)

    def _show_details(self) -> None:
        text = f"{dialogs.versions()}\n\n{self._details}"
        dialogs.text_dialog(self._bar.window(), "What went wrong", text, "details_dialog").exec()


def log(text: str) -> None:
    """Add a text to the log file, which starts over when it has grown long."""
    file = paths.log_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        is_long = file.exists() and file.stat().st_size > _LONGEST_LOG
        with file.open("w" if is_long else "a", encoding="utf-8") as stream:
            stream.write(text + "\n")
    except OSError:
        pass  # where nothing can be written, the message line still has the details
