"""Which words may stand in one table where the page is set in columns: none from the other side of a gutter."""

from collections.abc import Sequence
from dataclasses import replace

from ingest.page.lines import Gutter
from ingest.page.raw import RawPage
from verify.domain.geometry import Box

_REACH = 4000
"""A gutter goes on for so much (1/100 pt) above its first row and below its last: titles, short last lines."""


def by_column(raw: RawPage, words: Sequence[int], gutters: Sequence[Gutter]) -> list[tuple[list[int], RawPage]]:
    """The words parted by the sides of the gutters that they stand on, each part with the page as it sees it: without
    the rules that cross its gutters. Words that cross one or lie beyond its ends are one part."""
    parts: dict[tuple[int, ...], list[int]] = {}
    for i in words:
        sides = tuple(_side(raw.words[i].box, gutter) for gutter in gutters)
        parts.setdefault(sides, []).append(i)
    return [(part, _seen_from(raw, sides, gutters)) for sides, part in parts.items()]


def _seen_from(raw: RawPage, sides: tuple[int, ...], gutters: Sequence[Gutter]) -> RawPage:
    parting = [(gutter, side) for gutter, side in zip(gutters, sides, strict=True) if side]
    if not parting:
        return raw
    rules = tuple(rule for rule in raw.horizontals if all(_side(rule, gutter) == side for gutter, side in parting))
    return replace(raw, horizontals=rules)


def near_column(raw: RawPage, words: Sequence[int], box: Box, gutters: Sequence[Gutter]) -> Sequence[int]:
    """The words without those that stand on the other side of a gutter than ``box`` does."""
    sides = [(gutter, _side(box, gutter)) for gutter in gutters]
    parting = [(gutter, side) for gutter, side in sides if side]
    if not parting:
        return words
    return [i for i in words if all(_side(raw.words[i].box, gutter) in (0, side) for gutter, side in parting)]


def _side(box: Box, gutter: Gutter) -> int:
    """1 left of the gutter, 2 right of it, 0 across or beyond its ends."""
    if not gutter.y0 - _REACH <= (box.y0 + box.y1) // 2 <= gutter.y1 + _REACH:
        return 0
    middle = (gutter.x0 + gutter.x1) // 2
    return 1 if box.x1 <= middle else 2 if box.x0 >= middle else 0
