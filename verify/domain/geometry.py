"""Boxes on the displayed page: integers in 1/100 point, origin top-left, x right, y down.

The displayed page is the CropBox after /Rotate and UserUnit. Nothing here clamps: a box that is wrong is rejected.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

UNITS_PER_POINT = 100


class Box(NamedTuple):
    """``x0 < x1`` and ``y0 < y1`` for a box with area."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def has_area(self) -> bool:
        return self.x0 < self.x1 and self.y0 < self.y1

    def within(self, width: int, height: int) -> bool:
        """True if the box has area and lies wholly on a page of this size."""
        return self.has_area and self.x0 >= 0 and self.y0 >= 0 and self.x1 <= width and self.y1 <= height

    def holds_centre_of(self, other: "Box", tolerance: int = 0) -> bool:
        """True if the centre of ``other`` lies in this box, widened by ``tolerance`` on each side.

        Doubled coordinates keep the centre an integer, so no rounding decides.
        """
        x, y = other.x0 + other.x1, other.y0 + other.y1
        return 2 * (self.x0 - tolerance) <= x <= 2 * (self.x1 + tolerance) and 2 * (self.y0 - tolerance) <= y <= 2 * (
            self.y1 + tolerance
        )

    def overlaps(self, other: "Box") -> bool:
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1


def union(boxes: Iterable[Box]) -> Box:
    """The smallest box around all. Raises ValueError for none."""
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def to_units(points: float) -> int:
    """Points to 1/100 point, half away from zero (contract, section 1). Raises ValueError if not finite."""
    if not math.isfinite(points):
        raise ValueError("coordinate is not finite")
    scaled = points * UNITS_PER_POINT
    return math.floor(scaled + 0.5) if scaled >= 0 else math.ceil(scaled - 0.5)
