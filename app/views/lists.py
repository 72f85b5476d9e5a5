"""Lists of two-line rows: documents, past questions. One model, one delegate."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.viewmodels.tokens import RADIUS
from app.viewmodels.wording import QUIET
from app.views.theme import Theme

Index = QModelIndex | QPersistentModelIndex
LINE_ROLE = Qt.ItemDataRole.UserRole + 1


@dataclass(frozen=True, slots=True)
class Line:
    """``key`` is what the row stands for; ``tone`` other than quiet shows a sign beside the second line."""

    key: str
    first: str
    second: str
    icon: str
    tone: str = QUIET
    hint: str = ""


class LineModel(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.lines: tuple[Line, ...] = ()

    def set_lines(self, lines: tuple[Line, ...]) -> None:
        """Keeps the selection where the rows are the same and only their words changed."""
        if [n.key for n in lines] == [n.key for n in self.lines]:
            changed = [i for i, line in enumerate(lines) if line != self.lines[i]]
            self.lines = lines
            for i in changed:
                self.dataChanged.emit(self.index(i), self.index(i))
            return
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() else len(self.lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        line = self.lines[index.row()]
        if role == LINE_ROLE:
            return line
        if role == Qt.ItemDataRole.DisplayRole:
            return line.first
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{line.first}, {line.second}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return line.hint or line.first
        return None


class LineDelegate(QStyledItemDelegate):
    PADDING = 7

    def __init__(self, theme: Theme, parent: QWidget, elide: Qt.TextElideMode) -> None:
        super().__init__(parent)
        self._theme, self._elide = theme, elide

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        height = QFontMetricsF(self._theme.font(1.0)).height() + QFontMetricsF(self._theme.font(0.9)).height()
        return QSize(120, round(height + 2 * self.PADDING + 2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        line: Line = index.data(LINE_ROLE)
        tokens = self._theme.tokens
        area = QRectF(option.rect).adjusted(4, 1, -4, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter, option, area)
        side = self._theme.pixels(18)
        top = area.y() + self.PADDING
        self._theme.icon(line.icon, tokens.muted).paint(painter, int(area.x() + 8), int(top), side, side)
        left = area.x() + side + 16
        room = area.right() - left - 8
        first, second = self._theme.font(1.0), self._theme.font(0.9)
        painter.setFont(first)
        painter.setPen(QColor(tokens.text))
        height = QFontMetricsF(first).height()
        self._words(painter, QRectF(left, top, room, height), line.first, self._elide)
        painter.setFont(second)
        shade = {"warn": tokens.warn, "bad": tokens.bad}.get(line.tone, tokens.muted)
        painter.setPen(QColor(shade))
        sign = "" if line.tone == QUIET else "! "
        below = QRectF(left, top + height + 1, room, QFontMetricsF(second).height())
        self._words(painter, below, sign + line.second, Qt.TextElideMode.ElideRight)
        painter.restore()

    def _ground(self, painter: QPainter, option: QStyleOptionViewItem, area: QRectF) -> None:
        tokens = self._theme.tokens
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.accent_ground if chosen else tokens.hover))
            painter.drawRoundedRect(area, RADIUS, RADIUS)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), RADIUS, RADIUS)

    def _words(self, painter: QPainter, area: QRectF, words: str, elide: Qt.TextElideMode) -> None:
        shown = QFontMetricsF(painter.font()).elidedText(words, elide, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class LineList(QListView):
    """``activated_key``: a row was clicked, or Enter pressed on it."""

    activated_key = Signal(str)

    def __init__(self, theme: Theme, name: str, elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle) -> None:
        super().__init__()
        self._model = LineModel(self)
        self.setModel(self._model)
        self.setItemDelegate(LineDelegate(theme, self, elide))
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setAccessibleName(f"Scroll {name}")
        self.clicked.connect(self._use)
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    def set_lines(self, lines: tuple[Line, ...]) -> None:
        self._model.set_lines(lines)

    @property
    def lines(self) -> tuple[Line, ...]:
        return self._model.lines

    def select_key(self, key: str) -> None:
        for i, line in enumerate(self._model.lines):
            if line.key == key:
                self.setCurrentIndex(self._model.index(i))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._use(self.currentIndex())
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Left out: single letters decide on claims; the filter box finds documents."""

    def _use(self, index: QModelIndex) -> None:
        self.activated_key.emit(self._model.lines[index.row()].key)
