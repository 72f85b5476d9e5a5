"""Pictures of pages for the views: asks the page process for tiles, keeps what came, forgets the rest."""

import itertools
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from app.backend.page_worker import (
    BytesChecked,
    CheckBytes,
    CloseDocument,
    OpenDocument,
    Opened,
    PageFailed,
    RenderTile,
    Saved,
    SavePages,
    Tile,
    serve,
)
from app.jobs import ProcessLink
from app.viewmodels.page_layout import PIXELS_PER_UNIT, PageTransform
from app.viewmodels.tiles import IN_FLIGHT, TILE, TileCache, TileKey, TileQueue
from verify.domain.geometry import UNITS_PER_POINT

TILE_SECONDS = 20.0
"""A page that takes longer is given up and said to have failed; the process is replaced."""
RECHECK_MS = 3_000
POINTS_PER_INCH = 72
LONGEST_PICTURE = 4_000
"""Pixels along the longer side of a page for paper."""


class PageSource(QObject):
    """One document at a time. ``opened`` and ``failed`` follow ``open``; ``changed`` when its bytes are others."""

    opened = Signal(object)
    failed = Signal(str)
    changed = Signal()
    tile_ready = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cache: TileCache[QImage] = TileCache()
        self.generation = 0
        self.sizes: tuple[tuple[int, int], ...] = ()
        self.unusable: set[int] = set()
        self._queues = {"view": TileQueue(), "thumbnails": TileQueue()}
        self._link = ProcessLink(serve, (), "pincite-pages", self)
        self._link.received.connect(self._received)
        self._link.ended.connect(self._ended)
        self._tickets = itertools.count(1)
        self._flying: dict[int, tuple[TileKey, float]] = {}
        self._waiting: dict[int, Callable[[Any], object]] = {}
        self._request: OpenDocument | None = None
        self._watch = QTimer(self, interval=RECHECK_MS)
        self._watch.timeout.connect(self._look_again)

    @property
    def document(self) -> str:
        return "" if self._request is None else self._request.document

    def start(self) -> None:
        self._link.start()

    def stop(self) -> None:
        self._watch.stop()
        self._link.stop()

    def open(self, request: OpenDocument) -> None:
        self.close()
        self._request = request
        self.generation += 1
        self._ask(request, self._opened)

    def close(self) -> None:
        if self._request is not None:
            self._link.send((0, CloseDocument(self._request.document)))
        self._request = None
        self._forget_pictures()
        self.sizes = ()
        self._watch.stop()

    def want(self, who: str, keys: list[TileKey]) -> None:
        """Replaces what ``who`` ("view" or "thumbnails") wants drawn, first things first."""
        usable = range(len(self.sizes))  # none while a document is being opened
        self._queues[who].want([key for key in keys if key not in self.cache and key.page in usable])
        self._pump()

    def save(self, request: SavePages, then: Callable[[Saved | PageFailed], object]) -> None:
        self._ask(request, then)

    def picture(self, page: int, dpi: int, then: Callable[[Tile | PageFailed], object]) -> None:
        """The whole page as it is displayed, unturned, for paper."""
        if page < len(self.sizes):
            width, height = (side / UNITS_PER_POINT for side in self.sizes[page])
            scale = min(dpi / POINTS_PER_INCH, LONGEST_PICTURE / max(width, height))
            across, down = max(1, round(width * scale)), max(1, round(height * scale))
            matrix = (scale, 0.0, 0.0, scale, 0.0, 0.0)
            self._ask(RenderTile(self.document, page, matrix, 0, 0, across, down), then)

    def _ask(self, request: object, then: Callable[[Any], object]) -> None:
        ticket = next(self._tickets)
        self._waiting[ticket] = then
        self._link.send((ticket, request))

    def _opened(self, reply: Opened | PageFailed) -> None:
        if self._request is None or reply.document != self._request.document:
            return
        if isinstance(reply, PageFailed):
            self.failed.emit(reply.code)
            return
        self.sizes = reply.sizes
        self._watch.start()
        self.opened.emit(reply)

    def _pump(self) -> None:
        while len(self._flying) < IN_FLIGHT and self._request is not None:
            flying = {key for key, _ in self._flying.values()}
            key = self._queues["view"].next(flying) or self._queues["thumbnails"].next(flying)
            if key is None:
                return
            ticket = next(self._tickets)
            self._flying[ticket] = (key, time.monotonic())
            self._link.send((ticket, self._tile_request(key)))
            QTimer.singleShot(int(TILE_SECONDS * 1000), self, lambda t=ticket: self._give_up(t))

    def _tile_request(self, key: TileKey) -> RenderTile:
        width, height = self.sizes[key.page]
        transform = PageTransform(width, height, key.rotation, key.zoom / 1000 * PIXELS_PER_UNIT * key.ratio / 100)
        a, b, c, d, e, f = transform.matrix()
        across, down = (max(1, round(side)) for side in transform.size)
        x, y = key.column * TILE, key.row * TILE
        points = (a * UNITS_PER_POINT, b * UNITS_PER_POINT, c * UNITS_PER_POINT, d * UNITS_PER_POINT, e, f)
        return RenderTile(key.document, key.page, points, x, y, min(TILE, across - x), min(TILE, down - y))

    def _received(self, message: tuple[int, Any]) -> None:
        ticket, reply = message
        if ticket in self._flying:
            key, _ = self._flying.pop(ticket)
            self._tile(key, reply)
            self._pump()
        elif ticket in self._waiting:
            self._waiting.pop(ticket)(reply)

    def _tile(self, key: TileKey, reply: Tile | PageFailed) -> None:
        if key.generation != self.generation:
            return
        if isinstance(reply, PageFailed):
            if reply.code == "changed":
                self.changed.emit()
                return
            self._fail(key)
            return
        image = QImage(reply.samples, reply.width, reply.height, reply.width * 3, QImage.Format.Format_RGB888)
        # converted here once, not at every paint; the copy also lets the bytes go
        picture = image.convertToFormat(QImage.Format.Format_RGB32)
        self.cache.put(key, picture, reply.width * reply.height * 4)
        self.tile_ready.emit(key)

    def _fail(self, key: TileKey) -> None:
        for waiting in self._queues.values():
            waiting.failed.add(key)
        self.unusable.add(key.page)
        self.tile_ready.emit(key)

    def _give_up(self, ticket: int) -> None:
        if ticket in self._flying and min(self._flying) == ticket:
            self._fail(self._flying[ticket][0])
            self._link.kill()

    def _ended(self) -> None:
        """The page process is gone (killed, or MuPDF crashed on a page): start another and open the document again."""
        for key, _ in list(self._flying.values())[:1]:
            self._fail(key)
        self._flying.clear()
        self._waiting.clear()
        self._link.stop()
        self._link.start()
        if self._request is not None:
            self._ask(self._request, lambda reply: self._pump())

    def _look_again(self) -> None:
        if self._request is not None:
            self._ask(CheckBytes(self._request.document), self._checked)

    def _checked(self, reply: BytesChecked | PageFailed) -> None:
        if self._request is None or reply.document != self._request.document:
            return
        if isinstance(reply, BytesChecked) and reply.changed:
            self._watch.stop()
            self.changed.emit()

    def _forget_pictures(self) -> None:
        self.cache.clear()
        self.unusable.clear()
        for waiting in self._queues.values():
            waiting.want([])
            waiting.failed.clear()
