"""A row that goes on in the next line where the room ends, so that nothing is cut when the text is large."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """``spacing`` pixels between parts and between lines."""

    def __init__(self, *parts: QWidget, spacing: int = 6, left: int = 0) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(left, 0, 0, 0)
        for part in parts:
            self.addWidget(part)

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
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        margins = self.contentsMargins()
        sizes = [item.minimumSize() for item in self._items]
        width = max((s.width() for s in sizes), default=0)
        height = max((s.height() for s in sizes), default=0)
        return QSize(width + margins.left() + margins.right(), height + margins.top() + margins.bottom())

    def _place(self, rect: QRect, *, move: bool) -> int:
        """Puts each part where it belongs; returns the height that all of them take."""
        margins = self.contentsMargins()
        x, y, line = rect.x() + margins.left(), rect.y() + margins.top(), 0
        placed: list[tuple[QLayoutItem, int, int, QSize]] = []
        for item in self._items:
            size = item.sizeHint()
            if x + size.width() > rect.right() + 1 - margins.right() and line > 0:
                x, y, line = rect.x() + margins.left(), y + line + self.spacing(), 0
            if move:
                placed.append((item, x, y, size))
            x += size.width() + self.spacing()
            line = max(line, size.height())
        heights: dict[int, int] = {}
        for _, _, top, size in placed:
            heights[top] = max(heights.get(top, 0), size.height())
        for item, left, top, size in placed:  # middles in one line
            item.setGeometry(QRect(QPoint(left, top + (heights[top] - size.height()) // 2), size))
        return y + line - rect.y() + margins.bottom()
