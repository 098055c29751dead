"""A layout that starts a new line where the groups no longer fit beside each other."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget


class FlowLayout(QLayout):
    """Places its widgets in lines; the height follows from the width. Stretching widgets share what is left."""

    def __init__(self, parent: QWidget, gap: int = 14, line_gap: int = 6) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap, self._line_gap = gap, line_gap

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return max(self._place(QRect(0, 0, width, 0), is_trial=True), 0)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, is_trial=False)

    def sizeHint(self) -> QSize:
        """As wide as one line of everything."""
        shown = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = sum(size.width() for size in shown) + self._gap * max(len(shown) - 1, 0)
        margins = self.contentsMargins()
        return QSize(width + margins.left() + margins.right(), self.minimumSize().height())

    def minimumSize(self) -> QSize:
        margins = self.contentsMargins()
        visible = [item.sizeHint() for item in self._items if not item.isEmpty()]
        width = max((size.width() for size in visible), default=0)
        height = max((size.height() for size in visible), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def _place(self, rect: QRect, *, is_trial: bool) -> int:
        area = rect.marginsRemoved(self.contentsMargins())
        y = area.top()
        for line in self._lines(area.width()):
            height = max(item.sizeHint().height() for item in line)
            if not is_trial:
                self._place_line(line, QRect(area.left(), y, area.width(), height))
            y += height + self._line_gap
        return y - self._line_gap - area.top() + rect.height() - area.height() if self._items else 0

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        used = 0
        for item in self._items:
            if item.isEmpty():
                continue
            wide = item.sizeHint().width()
            if lines and used + self._gap + wide <= width:
                lines[-1].append(item)
                used += self._gap + wide
            else:
                lines.append([item])
                used = wide
        return lines

    def _place_line(self, line: list[QLayoutItem], area: QRect) -> None:
        spare = area.width() - sum(item.sizeHint().width() for item in line) - self._gap * (len(line) - 1)
        elastic = [item for item in line if item.expandingDirections() & Qt.Orientation.Horizontal]
        more = max(spare, 0) // len(elastic) if elastic else 0
        x = area.left()
        for item in line:
            size = item.sizeHint()
            width = min(size.width() + (more if item in elastic else 0), area.width())
            item.setGeometry(QRect(QPoint(x, area.top()), QSize(width, area.height())))
            x += width + self._gap


def group(*widgets: QWidget, is_elastic: bool = False) -> QWidget:
    """Some widgets side by side that stay together on one line."""
    from PySide6.QtWidgets import QHBoxLayout

    box = QWidget()
    layout = QHBoxLayout(box)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(4)
    for widget in widgets:
        layout.addWidget(widget)
    policy = QSizePolicy.Policy.Expanding if is_elastic else QSizePolicy.Policy.Maximum
    box.setSizePolicy(policy, QSizePolicy.Policy.Preferred)
    return box
