"""Small pictures of all pages, drawn only when they show."""

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.viewmodels.page_layout import PIXELS_PER_UNIT
from app.viewmodels.tiles import TILE, TileKey
from app.views.page.source import PageSource
from app.views.theme import Theme

Index = QModelIndex | QPersistentModelIndex
WIDTH, HEIGHT = 96, 126
"""Room for one picture, in pixels; a page is fitted into it."""


class _PageModel(QAbstractListModel):
    def __init__(self, source: PageSource, parent: QWidget) -> None:
        super().__init__(parent)
        self._source = source

    def reset(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's own default)
        return 0 if parent.isValid() else len(self._source.sizes)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"PDF page {index.row() + 1}"
        return None


class _ThumbnailDelegate(QStyledItemDelegate):
    def __init__(self, view: "Thumbnails", theme: Theme) -> None:
        super().__init__(view)
        self._view, self._theme = view, theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH + 20, HEIGHT + 14 + self._theme.pixels(16))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens = self._theme.tokens
        frame = QRect(option.rect.x() + 10, option.rect.y() + 6, WIDTH, HEIGHT)
        picture = self._view.picture(index.row())
        size = self._view.shown_size(index.row())
        place = QRect(
            frame.center().x() - size.width() // 2, frame.bottom() - size.height(), size.width(), size.height()
        )
        painter.fillRect(place, QColor("white"))
        if picture is not None:
            painter.drawImage(place, picture)
        here = index.row() == self._view.current_page
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(QPen(QColor(tokens.accent if here or focused else tokens.control_border), 3 if here else 1))
        painter.drawRect(place)
        painter.setPen(QColor(tokens.accent if here else tokens.muted))
        painter.setFont(self._theme.font(0.85))
        below = QRect(option.rect.x(), frame.bottom() + 2, option.rect.width(), self._theme.pixels(18))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(index.row() + 1))


class Thumbnails(QListView):
    page_chosen = Signal(int)

    def __init__(self, source: PageSource, theme: Theme) -> None:
        super().__init__()
        self._source = source
        self.current_page = -1
        self._pages = _PageModel(source, self)
        self.setModel(self._pages)
        self.setItemDelegate(_ThumbnailDelegate(self, theme))
        self.setAccessibleName("Page thumbnails")
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setAccessibleName("Scroll the thumbnails")
        self.setFixedWidth(WIDTH + 36)
        self._later = QTimer(self, singleShot=True, interval=60)
        self._later.timeout.connect(self._want)
        self.verticalScrollBar().valueChanged.connect(self._later.start)
        self.clicked.connect(lambda index: self.page_chosen.emit(index.row()))
        self.activated.connect(lambda index: self.page_chosen.emit(index.row()))
        source.tile_ready.connect(self._ready)

    def show_document(self) -> None:
        self._pages.reset()
        self._later.start()

    def set_page(self, page: int) -> None:
        self.current_page = page
        if self.isVisible():
            self.scrollTo(self._pages.index(page))
            self.viewport().update()

    def keyboardSearch(self, search: str) -> None:
        """Left out: single letters decide on claims."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._later.start()

    def picture(self, page: int) -> QImage | None:
        return self._source.cache.get(self._key(page))

    def shown_size(self, page: int) -> QSize:
        width, height = self._source.sizes[page]
        fit = self._zoom(page) / 1000 * PIXELS_PER_UNIT
        return QSize(max(1, round(width * fit)), max(1, round(height * fit)))

    def _zoom(self, page: int) -> int:
        """In 1/1000, so that the whole page is one tile even at twice the pixels."""
        width, height = self._source.sizes[page]
        return max(1, int(1000 * min(WIDTH / (width * PIXELS_PER_UNIT), HEIGHT / (height * PIXELS_PER_UNIT))))

    def _key(self, page: int) -> TileKey:
        ratio = min(round(self.devicePixelRatioF() * 100), 100 * TILE // HEIGHT)
        return TileKey(self._source.document, self._source.generation, page, self._zoom(page), ratio, 0, 0, 0)

    def _want(self) -> None:
        count = self._pages.rowCount()
        if not count or not self.isVisible():
            return
        first, last = self.indexAt(self.viewport().rect().topLeft()).row(), 0
        bottom = self.indexAt(self.viewport().rect().bottomLeft()).row()
        first = max(first, 0)
        last = count - 1 if bottom < 0 else bottom
        self._source.want("thumbnails", [self._key(page) for page in range(first, min(last + 3, count))])

    def _ready(self, key: TileKey) -> None:
        if self.isVisible() and key.page < self._pages.rowCount() and key == self._key(key.page):
            self.update(self._pages.index(key.page))
