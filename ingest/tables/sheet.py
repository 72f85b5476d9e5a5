"""A table before its meaning is known: slots with words, by row and column."""

from dataclasses import dataclass
from typing import NamedTuple

from verify.domain.geometry import Box


class Slot(NamedTuple):
    """A place in a table before anything is known of its meaning. ``words`` are in reading order."""

    row: int
    col: int
    row_span: int
    col_span: int
    box: Box
    words: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Slots by row and column. ``uncertain`` means that rows or columns were not clear."""

    box: Box
    rows: int
    cols: int
    slots: tuple[Slot, ...]
    ruled: bool
    uncertain: bool
    head_rows: int | None = None
    """The number of header rows where rules show it."""
