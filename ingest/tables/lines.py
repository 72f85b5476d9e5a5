"""Visual rows with their phrases, and the columns that phrases stand in."""

from collections.abc import Sequence
from typing import NamedTuple

from ingest.page.raw import RawPage
from ingest.tables.text import Phrase, TextRow, phrases

NEAR_ROWS = 2.6
"""Rows of one block lie no farther apart than this many sizes of type."""

SECTION_GAP = 5
"""A section of the same table may begin this many sizes below the last."""


class Line(NamedTuple):
    """A visual row with its phrases."""

    row: TextRow
    phrases: tuple[Phrase, ...]

    @property
    def is_seed(self) -> bool:
        """A label (or nothing) and then values."""
        return len(self.phrases) >= 2 and any(p.is_value for p in self.phrases[1:])


class Column(NamedTuple):
    x0: int
    x1: int


def lines_of(raw: RawPage, rows: Sequence[TextRow]) -> list[Line]:
    return [Line(row, tuple(phrases(raw.words, row))) for row in rows]


def near(upper: Line, lower: Line) -> bool:
    size = max(upper.row.size, lower.row.size)
    return lower.row.baseline - upper.row.baseline <= NEAR_ROWS * size


def column_at(columns: Sequence[Column], x0: int, x1: int) -> int:
    """The column that shares most with an extent, else the nearest."""
    common = [min(x1, c.x1) - max(x0, c.x0) for c in columns]
    return max(range(len(columns)), key=lambda n: (common[n], -n))
