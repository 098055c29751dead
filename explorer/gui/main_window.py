"""The window: joins the store with panels, dials, menus and the message line."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from explorer import paths
from explorer.errors import ExplorerError
from explorer.gui.appearance import Appearance
from explorer.gui.commands import GRID_COMMANDS
from explorer.gui.desk import Desk
from explorer.gui.dials import Dials
from explorer.gui.disk_watch import DiskWatch
from explorer.gui.docks import DockGround
from explorer.gui.drops import DropTarget
from explorer.gui.files import Files
from explorer.gui.focus import commit_editor, go_to_panel
from explorer.gui.fresh import Fresh
from explorer.gui.grid import Grid
from explorer.gui.keeper import Keeper
from explorer.gui.menus import Menus
from explorer.gui.messages import MessageBar
from explorer.gui.opening import Opening
from explorer.gui.panels.panel import PicturePanel
from explorer.gui.recovery import Recovery
from explorer.gui.reporting import Reporter
from explorer.gui.settings import Settings
from explorer.gui.top_bar import TopBar
from explorer.gui.widgets.picture_view import PictureView
from explorer.state.document import Document, Snapshot
from explorer.state.edits import Edit, Look
from explorer.state.store import Store

_SOON = 256  # up to this many queries or keys every change is shown at once
_REFRESH = QEvent.Type(QEvent.registerEventType())


class MainWindow(Desk):
    """Shows every snapshot of the store in all panels, and takes what they ask for to the store."""

    def __init__(self, store: Store, path: Path | None = None) -> None:
        super().__init__()
        self.setObjectName("main_window")
        self.store = store
        self.settings = Settings()
        self.appearance = Appearance(self.settings)
        self.ground = DockGround()
        self.dials, self.message_bar = Dials(), MessageBar()
        self.reporter = Reporter(self.message_bar)
        self.files = Files(store, self.settings, path, self.reporter, self.message_bar, lambda: commit_editor(self))
        folder, offers = paths.recovery_folder(), self.message_bar.offers
        self.keeper = Keeper(self, folder, store, self.files, self.reporter)
        self.recovery = Recovery(
            folder, offers, self.reporter, self.keeper, lambda work: self.files.restore(self, work)
        )
        self._watch = DiskWatch(self.files, offers, self.reporter, self._entitle)
        self.opening = Opening(
            self, store, self.files, self.settings, self.reporter, self.request, self.refresh,
            lambda: go_to_panel(self, 1),
        )  # fmt: skip
        self.menus = Menus(self)
        self.top_bar = TopBar(self.menus.examples, self.menus.actions)
        self._shown: Snapshot | None = None
        self._told: Document | None = None
        self._is_displaying = self._is_due = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.refresh)
        self._fresh = Fresh(self, self._catch_up)
        self._drops = DropTarget(self, self.opening.open_path)
        self._put_together()
        self._connect()
        self._style = self.appearance.apply()  # last: a style sheet is worked out again for each widget that is moved
        self.setGeometry(self.settings.window_place())
        self._was_restored = False
        self.refresh()
        self.recovery.offer_next()

    def _put_together(self) -> None:
        central = QWidget()
        central.setObjectName("central")
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.top_bar)
        column.addWidget(self.opening.preview)
        self.ground.setContentsMargins(8, 8, 8, 8)
        column.addWidget(self.ground, 1)
        column.addWidget(self.dials)
        column.addWidget(self.message_bar)
        self.setCentralWidget(central)
        grid_actions = [self.menus.actions[name] for name in GRID_COMMANDS]
        for grid in self.ground.findChildren(Grid):
            grid.addActions(grid_actions)
            self._fresh.watch(grid)
        for picture in self.ground.findChildren(PictureView):
            self._fresh.watch(picture)

    def _connect(self) -> None:
        self.store.subscribe(self._schedule)
        for dock in self.ground.docks.values():
            dock.panel.requested.connect(self.request)
            dock.panel.refused.connect(self.show_error)
            dock.panel.told.connect(self.reporter.add)
            if isinstance(dock.panel, PicturePanel):
                self.dials.painting.connect(dock.panel.paint_by_mouse)
        self.dials.requested.connect(self.request)
        self.dials.refused.connect(self.show_error)
        self.message_bar.save_as_asked.connect(lambda: self.files.ask_and_save(self))
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.restyle)

    def request(self, wanted: Edit | Look) -> None:
        """Carry out what a panel or a command asks for; what cannot be done is said and changes nothing."""
        if self._is_displaying:
            raise RuntimeError("a display asked for a change")
        try:
            self.store.apply(wanted)
            if isinstance(wanted, Edit):
                self.show_error(None)
        except ExplorerError as error:
            self.show_error(error)
            self._schedule()

    def _schedule(self) -> None:
        """Show the change before the next repainting, or of a large problem within a frame, many changes at once."""
        if max(self.store.document.problem.shape) > _SOON:
            if not self._timer.isActive():
                self._timer.start(16)
        elif not self._is_due:
            self._is_due = True
            QApplication.postEvent(self, QEvent(_REFRESH))

    def event(self, event: QEvent) -> bool:
        if event.type() == _REFRESH:
            self._catch_up()
            return True
        if event.type() == QEvent.Type.WindowActivate:
            self._watch.look()
        return super().event(event)

    def _catch_up(self) -> None:
        if self._is_due:
            self.refresh()

    def refresh(self) -> None:
        """Show the snapshot everywhere; if a panel cannot, the last good one stays everywhere."""
        self._timer.stop()
        self._is_due = False
        try:
            snapshot = self.store.snapshot
            self._display(snapshot)
        except Exception as error:  # whatever it is, the window goes on with what it last showed
            if self._shown is None:
                raise
            self._told = None
            self._display(self._shown)
            self.reporter.report(error)
            return
        self._shown = snapshot
        if self._told is not snapshot.document:
            self._told = snapshot.document
            self.reporter.tell(snapshot, self.store.undo_label)

    def _display(self, snapshot: Snapshot) -> None:
        self._is_displaying = True
        try:
            for dock in self.ground.docks.values():
                dock.display(snapshot, self._style)
            self.dials.display(snapshot)
            self.opening.display(snapshot, self._style)
            self.top_bar.display(snapshot)
            self.menus.display()
            self._entitle()
        finally:
            self._is_displaying = False

    def _entitle(self) -> None:
        """Say in the title what is open and whether a file holds it, and keep safe what none does."""
        name = self.files.path.name if self.files.path else self.store.document.title or "untitled"
        self.setWindowTitle(f"{name}[*] — Attention Explorer")
        self.setWindowModified(self.files.is_changed)
        self.keeper.follow()

    def show_error(self, error: ExplorerError | None) -> None:
        """Say in one line what did not work; None when that is settled."""
        self.reporter.complain(error)

    def choose_theme(self, choice: str) -> None:
        """Choose a theme, or "system" to follow the platform."""
        self.appearance.choose(choice)
        self.restyle()

    def restyle(self) -> None:
        """Put theme and size on again, after either has changed."""
        self._style = self.appearance.apply()
        self.refresh()

    def showEvent(self, event: object) -> None:
        super().showEvent(event)
        if not self._was_restored:
            self._was_restored = True
            state = self.settings.window_state()
            if state is not None:
                self.ground.restoreState(state)
            if self.settings.was_maximized:
                self.showMaximized()
            go_to_panel(self, 1)

    def closeEvent(self, event: QCloseEvent) -> None:
        commit_editor(self)
        if self.files.may_leave(self):
            self.settings.save_window(self, self.ground.layout_to_remember())
            self.recovery.end()
            self.keeper.end()
            event.accept()
        else:
            event.ignore()
