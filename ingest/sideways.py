"""Pages whose text runs up or down, as wide tables are bound into papers: turned for the search for tables alone.

Lines, furniture and boxes stay where the page shows them.
"""

from collections.abc import Callable, Sequence

from ingest.raw import RawPage, RawWord
from ingest.words import TypeLine
from verify.domain.geometry import Box

_FEWEST = 20  # words
_SHARE = 0.6  # of the page's words
_DESCENT = 0.2
"""Of a word's height: how far its box reaches below the baseline, which a line that lies does not tell."""


def turned_to_read(raw: RawPage, lines: Sequence[TypeLine]) -> tuple[RawPage, Callable[[Box], Box | None]] | None:
    """The page as it is read, its words one for one, and where a box on it is shown; None if it stands upright."""
    lying = [line for line in lines if not line.upright]
    count = sum(line.end - line.first for line in lying)
    if count < _FEWEST or count < _SHARE * len(raw.words):
        return None
    down = 2 * sum(_runs_down(raw.words[line.first]) for line in lying) >= len(lying)
    turn = _down(raw) if down else _up(raw)
    read = {i for line in lying for i in range(line.first, line.end)}
    words = tuple(_turned(word, turn(word.box), i in read) for i, word in enumerate(raw.words))
    horizontals, verticals = (tuple(map(turn, rules)) for rules in (raw.verticals, raw.horizontals))
    pictures = tuple(map(turn, raw.pictures))
    page = RawPage(raw.index, raw.height, raw.width, raw.rotation, words, horizontals, verticals, pictures)
    return page, _up(page) if down else _down(page)


def _runs_down(word: RawWord) -> bool:
    """A line's origin, which its words keep as their baseline, is where it begins: above what runs down."""
    return 2 * word.baseline < word.box.y0 + word.box.y1


def _down(raw: RawPage) -> Callable[[Box], Box]:
    """Turns what runs down level: what was on the right is above."""
    return lambda box: Box(box.y0, raw.width - box.x1, box.y1, raw.width - box.x0)


def _up(raw: RawPage) -> Callable[[Box], Box]:
    """Turns what runs up level: what was on the left is above."""
    return lambda box: Box(raw.height - box.y1, box.x0, raw.height - box.y0, box.x1)


def _turned(word: RawWord, box: Box, lies: bool) -> RawWord:
    """What stands upright beside (a page number) is no part of what is read."""
    return word._replace(box=box, baseline=box.y1 - int(_DESCENT * (box.y1 - box.y0)), visible=word.visible and lies)
