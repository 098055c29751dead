"""The strip under the top bar that asks what a file is meant as, while everything else can be used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayoutItem,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.gui.pictures.style import Style
from explorer.gui.preview.axis_picker import AxisPicker
from explorer.gui.preview.card import Answer, Card, TilePicture
from explorer.gui.preview.shelf import Shelf
from explorer.gui.preview.tiles import Tile
from explorer.gui.widgets.elided_label import ElidedLabel
from explorer.gui.widgets.flow_layout import FlowLayout

_HIGHEST = 0.45  # of what is below the menus


@dataclass(frozen=True, eq=False)
class Question:
    """What is asked about a file.

    ``heading`` says what it holds, ``picture`` shows it where all answers mean the same numbers; ``is_second`` when
    an answer before can be taken back.
    """

    file: str
    heading: str
    text: str
    answers: tuple[Answer, ...]
    picture: Tile | None = None
    is_second: bool = False


class ImportPreview(QFrame):
    """Hidden until something is asked; ``answered`` carries the position of the answer.

    ``dropped`` says that there is none, ``went_back`` that the answer before is taken back, ``turned`` that another
    slice is chosen. Tab goes from answer to answer, Enter or Space gives one, Esc drops the question.
    """

    answered = Signal(int)
    dropped = Signal()
    went_back = Signal()
    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("import_preview")
        self._file, self._heading = QLabel(), ElidedLabel()
        self._file.setTextFormat(Qt.TextFormat.PlainText)
        bold = self._file.font()
        bold.setBold(True)
        self._file.setFont(bold)
        self._heading.setObjectName("import_heading")
        self._heading.setProperty("quiet", True)
        self._back = _button("import_back", "‹ Other reading", "choose another reading")
        self._back.clicked.connect(self.went_back)
        self._cross = _button("import_drop", "×", "drop the file")
        self._cross.setToolTip("Drop the file (Esc)")
        self._cross.clicked.connect(self.dropped)
        self.picker = AxisPicker()
        self.picker.changed.connect(self.turned)
        self.picker.entered.connect(lambda: self.answered.emit(0))
        self._text = QLabel()
        self._text.setObjectName("import_question")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._picture, self._cards = QHBoxLayout(), QWidget()
        self._flow = FlowLayout(self._cards, gap=6)
        self._flow.setContentsMargins(0, 0, 0, 0)
        self._shelf = Shelf(self._cards, least=80)
        self._asked: Question | None = None
        self._style: tuple[Style, str] | None = None
        self._put_together()
        self.hide()

    def _put_together(self) -> None:
        head, below, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        below.setSpacing(12)
        below.addLayout(self._picture)
        below.addWidget(self._shelf, 1)
        column.setContentsMargins(12, 6, 12, 8)
        column.setSpacing(4)
        column.addWidget(self.picker)
        column.addLayout(below)
        column.insertLayout(0, head)  # afterwards, so that the keyboard comes to an answer first
        head.setSpacing(10)
        for widget in (self._file, self._heading, self._back, self._cross):
            head.addWidget(widget, int(widget is self._heading))

    @property
    def has_keyboard(self) -> bool:
        """Whether the keyboard is inside."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def ask(self, question: Question, *, has_slices: bool = False) -> None:
        """Ask in place of what was asked before; with slices the picker is shown, as it stands."""
        is_news = self._asked is None or self._asked.file != question.file
        self._asked = question
        self._file.setText(question.file)
        self._heading.show_text(question.heading)
        self._back.setVisible(question.is_second)
        self.picker.setVisible(has_slices)
        self._show_answers(question)
        self.setAccessibleName(f"open {question.file}")
        self.setAccessibleDescription(f"{question.heading}. {question.text}")
        self.show()
        if is_news:
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _show_answers(self, question: Question) -> None:
        """Put new cards in the place of the old ones; the keyboard stays on the same answer."""
        assert self._style is not None
        old = self._cleared()
        focused = next((widget.objectName() for widget in old if widget.hasFocus()), "")
        self._text.setText(question.text)
        self._flow.addWidget(self._text)
        if question.picture is not None:
            self._picture.addWidget(TilePicture(question.picture, *self._style))
        for at, answer in enumerate(question.answers):
            card = Card(at, answer, question.text, *self._style)
            card.clicked.connect(lambda _on, at=at: self.answered.emit(at))
            self._flow.addWidget(card)
            card.show()
            if card.objectName() == focused:
                card.setFocus(Qt.FocusReason.OtherFocusReason)
        _discard(old)
        cards = [self._flow.itemAt(at).widget() for at in range(1, self._flow.count())]
        for before, after in pairwise([*self.picker.stops, *cards, self._back, self._cross]):
            self.setTabOrder(before, after)
        self._shelf.updateGeometry()

    def _cleared(self) -> list[QWidget]:
        """Take picture and cards out of their layouts."""
        taken: list[QWidget] = []
        for layout in (self._picture, self._flow):
            while (item := layout.takeAt(0)) is not None:
                taken.append(item.widget())
        return [widget for widget in taken if widget is not self._text]

    def close_question(self) -> None:
        """Ask nothing any more."""
        self._asked = None
        self.hide()
        _discard(self._cleared())

    def show_style(self, style: Style, colormap: str) -> None:
        """Paint in a style."""
        if (style, colormap) == self._style:
            return
        self._style = style, colormap
        self.picker.show_style(style, colormap)
        if self._asked is not None:
            self._show_answers(self._asked)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return done

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.parentWidget().installEventFilter(self)

    def eventFilter(self, _around: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fit()
        return False

    def fit(self) -> None:
        """Be as high as the question needs, but leave the panels their least height, or else the window would grow."""
        around = self.parentWidget()
        if around is None or around.layout() is None or self.isHidden():
            return
        items = [around.layout().itemAt(at) for at in range(around.layout().count())]
        rest = sum(_least_height(item, around.width()) for item in items if item.widget() is not self)
        most = min(around.height() - rest, round(around.height() * _HIGHEST))
        self.setFixedHeight(max(min(self.layout().sizeHint().height(), most), self.layout().minimumSize().height()))

    def enter(self) -> None:
        """Bring the keyboard to the chosen slice or the first answer."""
        if self.picker.isVisibleTo(self):
            self.picker.enter()
            return
        first = self._flow.itemAt(1)
        if first is not None:
            first.widget().setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        focused = self.focusWidget()
        if event.key() == Qt.Key.Key_Escape:
            self.dropped.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QPushButton | QToolButton):
            focused.click()
        else:
            super().keyPressEvent(event)


def _discard(widgets: Sequence[QWidget]) -> None:
    for widget in widgets:
        widget.setParent(None)
        widget.deleteLater()


def _least_height(item: QLayoutItem, width: int) -> int:
    return item.minimumHeightForWidth(width) if item.hasHeightForWidth() else item.minimumSize().height()


def _button(name: str, text: str, title: str) -> QToolButton:
    button = QToolButton()
    button.setObjectName(name)
    button.setText(text)
    button.setAccessibleName(title)
    button.setProperty("flat", True)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button
