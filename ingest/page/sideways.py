"""Pages whose text runs up or down or stands on its head: turned, so that they are read as a person turns them.

A page that lies as a whole is read turned. Where only most of it lies, as a wide table bound into a paper whose heads
stand upright, it is turned for the search for tables alone. Boxes stay where the page shows them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ingest.page.raw import RawPage, RawWord
from ingest.page.words import TypeLine
from verify.domain.geometry import Box

_FEWEST = 20  # words
_SHARE = 0.6  # of the page's words
_WHOLE = 0.95  # of them: a page's number may stand upright
_SLANTED = 1.6  # times the type's size
_TELLING = 3  # signs
_DESCENT = 0.2
"""Of a word's height: how far its box reaches below the baseline, which a line that lies does not tell."""

_Way = Literal["down", "up", "over"]


class Turned(NamedTuple):
    """``page`` as it is read, its words one for one, with ``lines``; ``shown`` tells where a box on it is shown."""

    page: RawPage
    lines: list[TypeLine]
    shown: Callable[[Box], Box | None]
    whole: bool
    """True if hardly anything stands upright."""


def turned_to_read(raw: RawPage, lines: Sequence[TypeLine]) -> Turned | None:
    """The page turned so that most of its text is level; None if it is."""
    lying = [line for line in lines if not line.upright and _is_straight(line)]
    count = sum(line.end - line.first for line in lying)
    if count < _FEWEST or count < _SHARE * len(raw.words):
        return None
    ways = [_way(raw.words[line.first], line) for line in lying]
    sure = Counter(way for way, line in zip(ways, lying, strict=True) if way for _ in range(line.first, line.end))
    if not sure:
        return None
    way = sure.most_common(1)[0][0]
    turn = _turn(way, raw.width, raw.height)
    alike = (line for own, line in zip(ways, lying, strict=True) if own in (way, None))
    read = {i for line in alike for i in range(line.first, line.end)}
    words = tuple(_turned(word, turn(word.box), way, raw.height, i in read) for i, word in enumerate(raw.words))
    width, height = (raw.width, raw.height) if way == "over" else (raw.height, raw.width)
    rules = (raw.horizontals, raw.verticals) if way == "over" else (raw.verticals, raw.horizontals)
    horizontals, verticals, pictures = (tuple(map(turn, boxes)) for boxes in (*rules, raw.pictures))
    page = RawPage(raw.index, width, height, raw.rotation, words, horizontals, verticals, pictures)
    back: dict[_Way, _Way] = {"down": "up", "up": "down", "over": "over"}
    typed = [_typed(words, line, turn(line.box)) for line in lines]
    return Turned(page, typed, _turn(back[way], width, height), count >= _WHOLE * len(raw.words))


def _is_straight(line: TypeLine) -> bool:
    """What is written at an angle has a box much wider and higher than its type."""
    return min(line.box.x1 - line.box.x0, line.box.y1 - line.box.y0) <= _SLANTED * line.size


def _way(first: RawWord, line: TypeLine) -> _Way | None:
    """A line's origin, which its words keep as their baseline, is where it begins: above what runs down. A lone sign
    or figure, about as wide as high, does not tell."""
    if line.end - line.first == 1 and len(first.text) < _TELLING:
        return None
    if line.box.x1 - line.box.x0 > line.box.y1 - line.box.y0:
        return "over"
    return "down" if 2 * first.baseline < first.box.y0 + first.box.y1 else "up"


def _turn(way: _Way, width: int, height: int) -> Callable[[Box], Box]:
    """Makes level what runs that way on a page of this width and height."""
    if way == "down":
        return lambda box: Box(box.y0, width - box.x1, box.y1, width - box.x0)
    if way == "up":
        return lambda box: Box(height - box.y1, box.x0, height - box.y0, box.x1)
    return lambda box: Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0)


def _turned(word: RawWord, box: Box, way: _Way, height: int, lies: bool) -> RawWord:
    """What stands another way (a page number) is no part of a table that is read."""
    baseline = height - word.baseline if way == "over" else box.y1 - int(_DESCENT * (box.y1 - box.y0))
    return word._replace(box=box, baseline=baseline, visible=word.visible and lies)


def _typed(words: Sequence[RawWord], line: TypeLine, box: Box) -> TypeLine:
    main = max(words[line.first : line.end], key=lambda word: len(word.text) * word.size)
    return line._replace(box=box, baseline=main.baseline, upright=not line.upright)
