"""Where pages lie in a continuous view, and the one transform that places pictures, highlights and the pointer.

Page units are 1/100 pt from the displayed page's top-left corner. View units are device-independent pixels.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import NamedTuple

from verify.domain.geometry import UNITS_PER_POINT, Box

PIXELS_PER_UNIT = 96 / 72 / UNITS_PER_POINT
"""At 100 % a printed inch is 96 device-independent pixels (the CSS reference pixel)."""
GAP = 14
"""Pixels between pages and around the column of pages; it does not grow with zoom."""
ROTATIONS = (0, 90, 180, 270)


class Rect(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    def overlaps(self, top: float, bottom: float) -> bool:
        return self.y < bottom and self.y + self.height > top


@dataclass(frozen=True, slots=True)
class PageTransform:
    """A page of ``width`` × ``height`` units, turned clockwise by ``rotation``, ``scale`` pixels a unit."""

    width: int
    height: int
    rotation: int
    scale: float

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in pixels, as turned."""
        w, h = self.width * self.scale, self.height * self.scale
        return (w, h) if self.rotation in (0, 180) else (h, w)

    def matrix(self) -> tuple[float, float, float, float, float, float]:
        """(a, b, c, d, e, f) with x' = a·x + c·y + e and y' = b·x + d·y + f, from units to pixels."""
        s, w, h = self.scale, self.width * self.scale, self.height * self.scale
        return {
            0: (s, 0.0, 0.0, s, 0.0, 0.0),
            90: (0.0, s, -s, 0.0, h, 0.0),
            180: (-s, 0.0, 0.0, -s, w, h),
            270: (0.0, -s, s, 0.0, 0.0, w),
        }[self.rotation]

    def to_view(self, x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = self.matrix()
        return a * x + c * y + e, b * x + d * y + f

    def to_page(self, x: float, y: float) -> tuple[float, float]:
        """The inverse of ``to_view``."""
        a, b, c, d, e, f = self.matrix()
        determinant = a * d - b * c
        return (d * (x - e) - c * (y - f)) / determinant, (a * (y - f) - b * (x - e)) / determinant

    def box(self, box: Box) -> Rect:
        x0, y0 = self.to_view(box.x0, box.y0)
        x1, y1 = self.to_view(box.x1, box.y1)
        return Rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0))


class DocumentLayout:
    """Pages under one another, each centred in the widest. ``sizes`` in units; a change of zoom makes a new layout."""

    def __init__(self, sizes: tuple[tuple[int, int], ...], zoom: float, rotation: int) -> None:
        self.sizes = sizes
        self.zoom = zoom
        self.rotation = rotation
        self._scale = zoom * PIXELS_PER_UNIT
        self._tops: list[float] = []
        top, widest = float(GAP), 0.0
        for width, height in sizes:
            self._tops.append(top)
            w, h = (width, height) if rotation in (0, 180) else (height, width)
            top += round(h * self._scale) + GAP
            widest = max(widest, w * self._scale)
        self.width = round(widest) + 2 * GAP
        self.height = top

    def transform(self, page: int) -> PageTransform:
        width, height = self.sizes[page]
        return PageTransform(width, height, self.rotation, self._scale)

    def rect(self, page: int) -> Rect:
        width, height = self.transform(page).size
        return Rect(round((self.width - width) / 2), self._tops[page], width, height)

    def visible(self, top: float, bottom: float) -> range:
        """The pages that show between two heights of the column."""
        first = max(0, bisect_right(self._tops, top) - 1)
        if first < len(self.sizes) and not self.rect(first).overlaps(top, bottom):
            first += 1
        return range(first, max(first, bisect_left(self._tops, bottom)))

    def page_at(self, y: float) -> int:
        """The page at this height, or the nearest above a gap. Raises IndexError for a document without pages."""
        if not self.sizes:
            raise IndexError("no pages")
        return max(0, bisect_right(self._tops, y) - 1)


def zoom_to_fit(size: tuple[int, int], rotation: int, room: tuple[int, int], whole_page: bool) -> float:
    """The zoom at which a page of ``size`` units fills the width of ``room`` (pixels), or lies whole in it."""
    width, height = size if rotation in (0, 180) else (size[1], size[0])
    across = (room[0] - 2 * GAP) / (width * PIXELS_PER_UNIT)
    if not whole_page:
        return across
    return min(across, (room[1] - 2 * GAP) / (height * PIXELS_PER_UNIT))
