"""Which tiles to draw next and which to keep. Knows no Qt and no renderer: it deals in keys, sizes and priorities."""

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from app.viewmodels.page_layout import DocumentLayout

TILE = 512
"""Side of a tile in device pixels."""
CACHE_BYTES = 192 * 1024 * 1024
IN_FLIGHT = 2
"""Requests at the worker at once: one being drawn and one waiting, so that a fling never leaves a queue behind."""

V = TypeVar("V")


class TileKey(NamedTuple):
    """``zoom`` in 1/1000, ``ratio`` (device pixels a pixel) in 1/100; column and row in tiles of ``TILE`` pixels.
    ``generation`` tells the openings of a document apart, so that changed bytes never meet old pictures."""

    document: str
    generation: int
    page: int
    zoom: int
    ratio: int
    rotation: int
    column: int
    row: int


class TileCache(Generic[V]):
    """Least recently used goes first once the pictures take more than ``limit`` bytes."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self.limit = limit
        self.bytes = 0
        self._kept: OrderedDict[TileKey, tuple[V, int]] = OrderedDict()

    def get(self, key: TileKey) -> V | None:
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def put(self, key: TileKey, value: V, size: int) -> None:
        old = self._kept.pop(key, None)
        if old is not None:
            self.bytes -= old[1]
        self._kept[key] = (value, size)
        self.bytes += size
        while self.bytes > self.limit and len(self._kept) > 1:
            _, (_, dropped) = self._kept.popitem(last=False)
            self.bytes -= dropped

    def clear(self) -> None:
        self._kept.clear()
        self.bytes = 0

    def __contains__(self, key: TileKey) -> bool:
        return key in self._kept

    def __len__(self) -> int:
        return len(self._kept)


@dataclass(slots=True)
class TileQueue:
    """What is wanted now, in order; whatever is no longer wanted is simply forgotten. A tile that failed is not asked
    for again until the document is opened anew."""

    wanted: list[TileKey] = field(default_factory=list)
    failed: set[TileKey] = field(default_factory=set)

    def want(self, keys: list[TileKey]) -> None:
        self.wanted = keys

    def next(self, flying: Collection[TileKey]) -> TileKey | None:
        """The next to send that is not under way, or None."""
        while self.wanted:
            key = self.wanted.pop(0)
            if key not in flying and key not in self.failed:
                return key
        return None


@dataclass(frozen=True, slots=True)
class View:
    """What the window shows of a document: the column's offset and the viewport's size, in pixels."""

    document: str
    generation: int
    left: float
    top: float
    width: int
    height: int
    ratio: float


def page_pixels(layout: DocumentLayout, page: int, ratio: float) -> tuple[int, int]:
    """Size of a page in device pixels, at least one by one."""
    width, height = layout.transform(page).size
    return max(1, round(width * ratio)), max(1, round(height * ratio))


def page_tiles(layout: DocumentLayout, view: View, page: int, top: float, bottom: float) -> list[TileKey]:
    """The tiles of a page that show between two heights of the column and in the viewport's width."""
    rect = layout.rect(page)
    width, height = page_pixels(layout, page, view.ratio)
    rows = _span((top - rect.y) * view.ratio, (bottom - rect.y) * view.ratio, height)
    left = (view.left - rect.x) * view.ratio
    columns = _span(left, left + view.width * view.ratio, width)
    zoom, ratio = round(layout.zoom * 1000), round(view.ratio * 100)
    return [
        TileKey(view.document, view.generation, page, zoom, ratio, layout.rotation, column, row)
        for row in rows
        for column in columns
    ]


def _span(low: float, high: float, size: int) -> range:
    first = max(0, int(low // TILE))
    last = min((size - 1) // TILE, int(high // TILE))
    return range(first, last + 1)


def plan(layout: DocumentLayout, view: View) -> tuple[list[TileKey], list[TileKey]]:
    """Tiles that show now, top first; then what a scroll by one screen down or up would show."""
    bottom = view.top + view.height
    shown = _between(layout, view, view.top, bottom)
    ahead = _between(layout, view, bottom, bottom + view.height) + _between(
        layout, view, view.top - view.height, view.top
    )
    seen = set(shown)
    return shown, [key for key in dict.fromkeys(ahead) if key not in seen]


def _between(layout: DocumentLayout, view: View, top: float, bottom: float) -> list[TileKey]:
    return [key for page in layout.visible(top, bottom) for key in page_tiles(layout, view, page, top, bottom)]
