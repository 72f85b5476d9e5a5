"""The grid of a table of questions: a row for each document, a column for each question."""

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter, QPen, QResizeEvent, QTextOption
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.viewmodels.table import CellView, Place, TableModel
from app.views.theme import Theme

Index = QModelIndex | QPersistentModelIndex
VIEW_ROLE = Qt.ItemDataRole.UserRole + 1
_LINES = 5
_COLUMN, _NAMES = 180, 140


class CellModel(QAbstractTableModel):
    """A row for each document, a column for each question."""

    def __init__(self, model: TableModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._model = model

    def reset(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() or not self._model.questions else len(self._model.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._model.questions)

    def place(self, index: Index) -> Place:
        return self._model.questions[index.column()], self._model.rows[index.row()].source_id

    def show_cell(self, place: Place) -> None:
        question, source_id = place
        at = next((i for i, r in enumerate(self._model.rows) if r.source_id == source_id), None)
        if at is not None and question in self._model.questions:
            index = self.index(at, self._model.questions.index(question))
            self.dataChanged.emit(index, index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        view = self._model.view(self.place(index))
        if role == VIEW_ROLE:
            return view
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{view.head}\n{view.words}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            question, _ = self.place(index)
            return f"{self._model.rows[index.row()].name}, {question}: {view.head}. {view.words}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return view.chip.hint or None
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        across = orientation == Qt.Orientation.Horizontal
        if role == Qt.ItemDataRole.DisplayRole:
            return self._model.questions[section] if across else self._model.rows[section].name
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._model.questions[section] if across else self._model.rows[section].path
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        return None


class CellDelegate(QStyledItemDelegate):
    """How a cell stands, in words and with a sign; below it the page, and what it says as far as there is room."""

    PADDING = 7

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        line = QFontMetricsF(self._theme.font(1.0)).lineSpacing()
        return QSize(120, round(_LINES * line + 2 * self.PADDING + 4))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        view: CellView = index.data(VIEW_ROLE)
        tokens = self._theme.tokens
        area = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, QColor(tokens.accent_ground))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRect(area.adjusted(1, 1, -2, -2))
        inside = area.adjusted(self.PADDING + 1, self.PADDING, -self.PADDING, -self.PADDING)
        head = self._theme.font(0.9)
        shades = {"good": tokens.good, "warn": tokens.warn, "bad": tokens.bad}
        painter.setFont(head)
        painter.setPen(QColor(shades.get(view.chip.tone, tokens.muted)))
        top, line = inside.y(), QFontMetricsF(head).lineSpacing()
        for words in filter(None, (view.chip.shown, view.where)):
            shown = QFontMetricsF(head).elidedText(words, Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(QRectF(inside.x(), top, inside.width(), line), Qt.AlignmentFlag.AlignLeft, shown)
            painter.setPen(QColor(tokens.muted))
            top += line
        self._words(painter, QRectF(inside.x(), top + 1, inside.width(), inside.bottom() - top - 1), view.words)
        painter.restore()

    def _words(self, painter: QPainter, area: QRectF, words: str) -> None:
        font = self._theme.font(1.0)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.tokens.text))
        metrics = QFontMetricsF(font)
        whole = QTextOption(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        whole.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        text = " ".join(words.split())
        lines = max(int(area.height() / metrics.lineSpacing()), 1)
        needed = metrics.boundingRect(QRectF(0, 0, area.width(), 1e6), int(Qt.TextFlag.TextWordWrap), text).height()
        if needed > lines * metrics.lineSpacing() + 2:
            # a little less than the lines hold, as words do not fill them to the end
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width() * lines * 0.86)
        painter.drawText(QRectF(area.x(), area.y(), area.width(), lines * metrics.lineSpacing() + 2), text, whole)


class Grid(QTableView):
    """``opened``: a cell was clicked, or Enter pressed on it."""

    opened = Signal(QModelIndex)

    def __init__(self, cells: CellModel, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setModel(cells)
        self.setItemDelegate(CellDelegate(theme, self))
        self._set_headers()
        self.setAccessibleName("Answers by document and question")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        corner = self.findChild(QAbstractButton)  # selects everything, of which there is no use
        if corner is not None:
            corner.setAccessibleName("Documents by questions")
            corner.setEnabled(False)
        self.horizontalScrollBar().setAccessibleName("Scroll questions")
        self.verticalScrollBar().setAccessibleName("Scroll documents")
        self.clicked.connect(self.opened)

    def _set_headers(self) -> None:
        across, down = self.horizontalHeader(), self.verticalHeader()
        across.setTextElideMode(Qt.TextElideMode.ElideRight)
        across.setAccessibleName("Questions")
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        down.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        down.setAccessibleName("Documents")
        for header in (across, down):
            header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
            header.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def restyle(self) -> None:
        """Rows as high as their lines, at every size of text."""
        down, across = self.verticalHeader(), self.horizontalHeader()
        line = QFontMetricsF(self._theme.font(1.0)).lineSpacing()
        down.setDefaultSectionSize(round(_LINES * line + 18))
        down.setFixedWidth(self._theme.pixels(_NAMES))
        self.fit_columns()
        across.setFixedHeight(round(line + 14))
        self.setStyleSheet(f"QTableView {{ gridline-color: {self._theme.tokens.border}; }}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()

    def fit_columns(self) -> None:
        """They share the room that there is, and are never too narrow to read."""
        room = self.viewport().width() // max(self.model().columnCount(), 1)
        self.horizontalHeader().setDefaultSectionSize(max(self._theme.pixels(_COLUMN), room))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Left out: single letters decide on claims."""
