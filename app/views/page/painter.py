"""Draws a page of the continuous view: its tiles, what is marked on it, what is selected."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen

from app.viewmodels.page_layout import DocumentLayout, Rect
from app.viewmodels.tiles import TILE, TileCache, TileKey, View, page_tiles
from app.viewmodels.tokens import HIT_EDGE, HIT_FILL, LIGHT, MARK_EDGE, SELECTION_FILL
from verify.domain.geometry import Box

ACTIVE_ALPHA, RESTING_ALPHA = 165, 105


@dataclass(frozen=True, slots=True)
class Mark:
    """A box over exact words. ``active`` is the citation being looked at; ``edge_only`` for a header of a cell."""

    page: int
    box: Box
    active: bool = True
    edge_only: bool = False


@dataclass(slots=True)
class Overlay:
    """What lies over the pages. ``hits`` are the places found, page and line boxes each; ``hit`` the current one."""

    marks: tuple[Mark, ...] = ()
    hits: tuple[tuple[int, tuple[Box, ...]], ...] = ()
    hit: int = -1
    colour: str = "#ffd54a"


@dataclass(slots=True)
class PagePainter:
    """For one painting of one page; ``rect`` is where the page lies in the viewport, in pixels."""

    painter: QPainter
    layout: DocumentLayout
    view: View
    page: int
    rect: Rect

    def paper(self) -> None:
        area = QRectF(*self.rect)
        self.painter.fillRect(area.translated(0, 2).adjusted(-1, 0, 1, 1), QColor(0, 0, 0, 45))
        self.painter.fillRect(area, QColor("white"))

    def say(self, words: str) -> None:
        self.painter.setPen(QColor(LIGHT.bad))  # on white paper in both themes
        self.painter.drawText(QRectF(*self.rect), Qt.AlignmentFlag.AlignCenter, words)

    def tiles(self, cache: TileCache[QImage], old_zoom: int | None) -> None:
        """Until a sharp tile comes, the pictures of the zoom before are stretched into its place."""
        ratio = self.view.ratio
        for key in page_tiles(self.layout, self.view, self.page, self.view.top, self.view.top + self.view.height):
            corner = QPointF(self.rect.x + key.column * TILE / ratio, self.rect.y + key.row * TILE / ratio)
            picture = cache.get(key)
            if picture is not None:
                self.painter.drawImage(QRectF(corner, picture.size().toSizeF() / ratio), picture)
            elif old_zoom is not None:
                self._stretched(cache, key, old_zoom, corner)

    def _stretched(self, cache: TileCache[QImage], key: TileKey, old_zoom: int, corner: QPointF) -> None:
        ratio, grown = key.ratio / 100, key.zoom / old_zoom
        side = TILE / ratio
        span = side * grown
        across, down = corner.x() - self.rect.x, corner.y() - self.rect.y
        self.painter.save()
        self.painter.setClipRect(QRectF(corner.x(), corner.y(), side, side).intersected(QRectF(*self.rect)))
        for column in range(int(across // span), int((across + side) // span) + 1):
            for row in range(int(down // span), int((down + side) // span) + 1):
                picture = cache.get(key._replace(zoom=old_zoom, column=column, row=row))
                if picture is not None:
                    size = picture.size().toSizeF() / ratio * grown
                    place = QPointF(self.rect.x + column * span, self.rect.y + row * span)
                    self.painter.drawImage(QRectF(place, size), picture)
        self.painter.restore()

    def overlay(self, overlay: Overlay) -> None:
        """Multiplied in, so that black letters stay black; with an outline, so that colour is not the only signal:
        solid for evidence, dotted for a cell's headers, dashed for what was searched."""
        marks = [mark for mark in overlay.marks if mark.page == self.page]
        hits = [(i, boxes) for i, (page, boxes) in enumerate(overlay.hits) if page == self.page]
        self.painter.save()
        self.painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        for mark in marks:
            if not mark.edge_only:
                self._fill(mark.box, _shade(overlay.colour, ACTIVE_ALPHA if mark.active else RESTING_ALPHA))
        for index, boxes in hits:
            for box in boxes:
                self._fill(box, QColor(*HIT_FILL[:3], HIT_FILL[3] * 2 if index == overlay.hit else HIT_FILL[3]))
        self.painter.restore()
        evidence = [mark.box for mark in marks if mark.active and not mark.edge_only]
        headers = [mark.box for mark in marks if mark.edge_only]
        current = [box for index, boxes in hits if index == overlay.hit for box in boxes]
        self._outline(evidence, MARK_EDGE, Qt.PenStyle.SolidLine)
        self._outline(headers, MARK_EDGE, Qt.PenStyle.DotLine)
        self._outline(current, HIT_EDGE, Qt.PenStyle.DashLine)

    def selection(self, boxes: Sequence[Box]) -> None:
        for box in boxes:
            self._fill(box, QColor(*SELECTION_FILL))

    def place(self, box: Box) -> QRectF:
        placed = self.layout.transform(self.page).box(box)
        return QRectF(self.rect.x + placed.x, self.rect.y + placed.y, placed.width, placed.height)

    def _fill(self, box: Box, colour: QColor) -> None:
        self.painter.fillRect(self.place(box), colour)

    def _outline(self, boxes: Sequence[Box], colour: tuple[int, int, int, int], style: Qt.PenStyle) -> None:
        """One line around what lies together, so that the lines of one quotation are seen as one."""
        path = QPainterPath()
        for box in boxes:
            one = QPainterPath()
            one.addRect(self.place(box).adjusted(-1.5, -1.5, 1.5, 1.5))
            path = path.united(one)
        if boxes:
            self.painter.setPen(QPen(QColor(*colour), 1, style))
            self.painter.setBrush(Qt.BrushStyle.NoBrush)
            self.painter.drawPath(path)


def _shade(colour: str, alpha: int) -> QColor:
    shade = QColor(colour)
    shade.setAlpha(alpha)
    return shade
