"""The continuous view of a document's pages: tiles, highlights, selection, zoom to the pointer.

It draws what is there and asks for the rest; it never waits. Pictures, highlight boxes and the pointer all go through
``PageTransform``, so that a box lies on the words it was made from.
"""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QMenu, QWidget

from app.viewmodels.page_layout import DocumentLayout, Rect, zoom_to_fit
from app.viewmodels.page_text import PageText, Spot
from app.viewmodels.selection import Selection
from app.viewmodels.tiles import TileKey, View, plan
from app.viewmodels.tokens import Tokens
from app.views.page import keys as page_keys
from app.views.page.painter import Mark, Overlay, PagePainter
from app.views.page.source import PageSource
from verify.domain.geometry import Box

ZOOM_RANGE = (0.1, 8.0)
LINE_PIXELS = 48
FIT_WIDTH, FIT_PAGE, FIXED = "width", "page", "fixed"


class PageView(QAbstractScrollArea):
    """Units of ``Mark`` and ``PageText`` are 1/100 pt. ``words_wanted`` asks for a page's words."""

    page_changed = Signal(int)
    zoom_changed = Signal(float)
    words_wanted = Signal(int)
    selection_changed = Signal(bool)
    copy_wanted = Signal(bool)

    def __init__(self, source: PageSource, tokens: Tokens, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._tokens = tokens
        self._layout = DocumentLayout((), 1.0, 0)
        self._fit = FIT_WIDTH
        self._rotation = 0
        self._page = -1
        self._overlay = Overlay()
        self.selection = Selection()
        self._hand = False
        self._fitting = False
        self._drag: QPoint | None = None
        self._old_zoom: int | None = None
        self._message = ""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Document pages")
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalScrollBar().setAccessibleName("Scroll across the page")
        self.verticalScrollBar().setAccessibleName("Scroll through the document")
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.horizontalScrollBar().valueChanged.connect(self._scrolled)
        source.tile_ready.connect(self._tile_ready)

    @property
    def page(self) -> int:
        """The page that fills the upper part of the view; -1 without a document."""
        return self._page

    @property
    def page_count(self) -> int:
        return len(self._layout.sizes)

    @property
    def zoom(self) -> float:
        return self._layout.zoom

    @property
    def marks(self) -> tuple[Mark, ...]:
        return self._overlay.marks

    def show_document(self) -> None:
        """Lays out what the source has opened, from its first page, with nothing marked."""
        self.selection.forget()
        self._overlay = Overlay(colour=self._overlay.colour)
        self._page, self._old_zoom, self._rotation, self._message = -1, None, 0, ""
        # always there: a bar that came and went with the fitted width would change that width, without end
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._relayout(self._layout.zoom, self._source.sizes)
        self._apply_fit()
        self.verticalScrollBar().setValue(0)
        self._note_page()
        self._request()

    def say(self, message: str) -> None:
        """Shows words in place of pages."""
        self._message = message
        self._layout = DocumentLayout((), self._layout.zoom, 0)
        self._page = -1
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._update_bars()
        self.setAccessibleDescription(message)
        self.viewport().update()

    def set_look(self, tokens: Tokens, highlight: str) -> None:
        self._tokens = tokens
        self._overlay.colour = highlight
        self.viewport().update()

    def set_marks(self, marks: tuple[Mark, ...]) -> None:
        self._overlay.marks = marks
        self.viewport().update()

    def set_hits(self, hits: tuple[tuple[int, tuple[Box, ...]], ...], current: int) -> None:
        self._overlay.hits, self._overlay.hit = hits, current
        self.viewport().update()

    def set_words(self, words: PageText) -> None:
        self.selection.put(words)

    def set_hand(self, hand: bool) -> None:
        self._hand = hand
        self._set_cursor(QPointF(-1, -1))

    def go_to_page(self, page: int) -> None:
        if 0 <= page < self.page_count:
            self.verticalScrollBar().setValue(int(self._layout.rect(page).y) - 6)

    def reveal(self, page: int, box: Box | None) -> None:
        """Brings a box to the upper third of the view; leaves the view alone if it shows already."""
        if not 0 <= page < self.page_count:
            return
        if box is None:
            self.go_to_page(page)
            return
        rect, placed = self._layout.rect(page), self._layout.transform(page).box(box)
        top, left = rect.y + placed.y, rect.x + placed.x
        down, across = self.verticalScrollBar(), self.horizontalScrollBar()
        height, width = self.viewport().height(), self.viewport().width()
        if not (down.value() + 8 <= top and top + placed.height <= down.value() + height - 8):
            down.setValue(int(top - height / 3))
        if not (across.value() <= left and left + placed.width <= across.value() + width):
            across.setValue(int(left - 24))

    def set_fit(self, fit: str) -> None:
        self._fit = fit
        self._apply_fit()

    def set_zoom(self, zoom: float, at: QPointF | None = None) -> None:
        """Zooms so that what lies under ``at`` (viewport pixels; the middle by default) stays there."""
        self._fit = FIXED
        self._zoom_about(zoom, at or QPointF(self.viewport().width() / 2, self.viewport().height() / 2))

    def rotate(self) -> None:
        """Turns all pages clockwise by a quarter. Only the view turns; the file is never touched."""
        page = max(self._page, 0)
        self._rotation = (self._rotation + 90) % 360
        self._old_zoom = None
        self._relayout(self._layout.zoom)
        self._apply_fit()
        self.go_to_page(page)
        self._request()

    def _zoom_about(self, zoom: float, point: QPointF) -> None:
        zoom = round(min(max(zoom, ZOOM_RANGE[0]), ZOOM_RANGE[1]), 3)
        if not self.page_count or zoom == self._layout.zoom:
            return
        page, x, y = self._page_point(point)
        self._old_zoom = round(self._layout.zoom * 1000)
        self._relayout(zoom)
        rect = self._layout.rect(page)
        px, py = self._layout.transform(page).to_view(x, y)
        self.horizontalScrollBar().setValue(round(rect.x + px - point.x()))
        self.verticalScrollBar().setValue(round(rect.y + py - point.y()))
        self.zoom_changed.emit(zoom)
        self._note_page()
        self._request()

    def _apply_fit(self) -> None:
        if self._fit == FIXED or not self.page_count or self._fitting:
            return
        self._fitting = True
        try:
            room = (self.viewport().width(), self.viewport().height())
            size = self._layout.sizes[max(self._page, 0)]
            zoom = zoom_to_fit(size, self._rotation, room, self._fit == FIT_PAGE)
            self._zoom_about(zoom, QPointF(self.viewport().width() / 2, 0))
        finally:
            self._fitting = False

    def _relayout(self, zoom: float, sizes: tuple[tuple[int, int], ...] | None = None) -> None:
        """``sizes``: of another document; None keeps those shown, whatever the source is opening meanwhile."""
        self._layout = DocumentLayout(self._layout.sizes if sizes is None else sizes, zoom, self._rotation)
        self._update_bars()
        self.viewport().update()

    def _update_bars(self) -> None:
        for bar, whole, room in (
            (self.verticalScrollBar(), self._layout.height, self.viewport().height()),
            (self.horizontalScrollBar(), self._layout.width, self.viewport().width()),
        ):
            bar.setRange(0, max(0, int(whole) - room))
            bar.setPageStep(max(1, room - LINE_PIXELS))
            bar.setSingleStep(LINE_PIXELS)

    def _origin(self) -> tuple[float, float]:
        """Viewport position of the column's top-left corner."""
        spare = self.viewport().width() - self._layout.width
        left = round(spare / 2) if spare > 0 else -self.horizontalScrollBar().value()
        return left, -self.verticalScrollBar().value()

    def page_rect(self, page: int) -> Rect:
        """Where a page lies in the viewport, in pixels."""
        x, y = self._origin()
        rect = self._layout.rect(page)
        return Rect(rect.x + x, rect.y + y, rect.width, rect.height)

    def box_rect(self, page: int, box: Box) -> QRectF:
        """Where a box of a page lies in the viewport, in pixels."""
        rect, placed = self.page_rect(page), self._layout.transform(page).box(box)
        return QRectF(rect.x + placed.x, rect.y + placed.y, placed.width, placed.height)

    def _page_point(self, point: QPointF) -> tuple[int, float, float]:
        page = self._layout.page_at(point.y() - self._origin()[1])
        rect = self.page_rect(page)
        x, y = self._layout.transform(page).to_page(point.x() - rect.x, point.y() - rect.y)
        return page, x, y

    def _view(self) -> View:
        top, room = self.verticalScrollBar().value(), self.viewport()
        source, ratio = self._source, self.devicePixelRatioF()
        return View(source.document, source.generation, -self._origin()[0], top, room.width(), room.height(), ratio)

    def _visible(self) -> range:
        top = self.verticalScrollBar().value()
        return self._layout.visible(top, top + self.viewport().height())

    def _scrolled(self) -> None:
        self._note_page()
        self._request()
        self.viewport().update()

    def _note_page(self) -> None:
        if not self.page_count:
            return
        page = self._layout.page_at(self.verticalScrollBar().value() + self.viewport().height() / 3)
        if page != self._page:
            self._page = page
            self.setAccessibleDescription(f"PDF page {page + 1} of {self.page_count}")
            self.page_changed.emit(page)

    def _request(self) -> None:
        if not self.page_count:
            return
        shown, ahead = plan(self._layout, self._view())
        self._source.want("view", shown + ahead)
        for page in self._visible():
            if self.selection.wanted(page):
                self.words_wanted.emit(page)

    def _tile_ready(self, key: TileKey) -> None:
        if key.page in self._visible():
            self.viewport().update()

    @property
    def complete(self) -> bool:
        """True if every tile that shows has come, or failed."""
        shown, _ = plan(self._layout, self._view())
        return all(key in self._source.cache or key.page in self._source.unusable for key in shown)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), QColor(self._tokens.desk))
        if not self.page_count:
            painter.setPen(QColor(self._tokens.on_desk))
            room = self.viewport().rect().adjusted(40, 40, -40, -40)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._message)
            return
        view = self._view()
        for page in self._visible():
            paper = PagePainter(painter, self._layout, view, page, self.page_rect(page))
            paper.paper()
            if page in self._source.unusable:
                paper.say(f"PDF page {page + 1} cannot be drawn.")
                continue
            paper.tiles(self._source.cache, self._old_zoom)
            paper.overlay(self._overlay)
            paper.selection(self.selection.boxes(page))

    def _spot(self, point: QPointF, nearest: bool) -> Spot | None:
        if not self.page_count:
            return None
        page, x, y = self._page_point(point)
        return self.selection.spot(page, x, y, nearest)

    def clear_selection(self) -> None:
        if self.selection.started:
            self.selection.clear()
            self._selected()

    def select_page(self) -> None:
        self.selection.select_page(self._page)
        self._selected()

    def _selected(self) -> None:
        self.selection_changed.emit(bool(self.selection.text))
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        if event.button() == Qt.MouseButton.MiddleButton or (left and self._hand):
            self._drag = event.position().toPoint()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left:
            self.clear_selection()
            self.selection.start(self._spot(event.position(), nearest=True))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.position().toPoint()
        if self._drag is not None:
            moved = position - self._drag
            self._drag = position
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().value() - moved.x())
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() - moved.y())
        elif event.buttons() & Qt.MouseButton.LeftButton and self.selection.started:
            self.selection.extend(self._spot(event.position(), nearest=True))
            self._scroll_at_edge(position)
            self.viewport().update()
        else:
            self._set_cursor(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            self._drag = None
            self._set_cursor(event.position())
        elif not self.selection.text:
            self.selection.clear()
        else:
            self._selected()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        spot = self._spot(event.position(), nearest=False)
        if spot is not None:
            self.selection.start(spot)
            self.selection.extend(spot)
            self._selected()

    def _scroll_at_edge(self, position: QPoint) -> None:
        bar, height = self.verticalScrollBar(), self.viewport().height()
        beyond = min(position.y(), 0) + max(position.y() - height, 0)
        bar.setValue(bar.value() + beyond)

    def _set_cursor(self, position: QPointF) -> None:
        if self._hand:
            shape = Qt.CursorShape.OpenHandCursor
        elif self._spot(position, nearest=False) is not None:
            shape = Qt.CursorShape.IBeamCursor
        else:
            shape = Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self.zoom * page_keys.ZOOM_STEP ** (event.angleDelta().y() / 120), event.position())
            event.accept()
            return
        super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not (page_keys.command(self, event) if control else page_keys.move(self, event.key())):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        for words, cited in (("Copy", False), ("Copy with citation", True)):
            action = menu.addAction(words)
            action.setEnabled(bool(self.selection.text))
            action.triggered.connect(lambda _=False, cited=cited: self.copy_wanted.emit(cited))
        menu.exec(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_bars()
        self._apply_fit()
        self._note_page()
        self._request()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._request()
