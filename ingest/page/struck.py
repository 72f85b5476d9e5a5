"""Words that a line strikes through: drawn on the page or laid over it by an annotation."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ingest.page.raw import RawWord
from ingest.page.words import PageWords
from verify.domain.document import SpanKind
from verify.domain.geometry import Box

_FOOT, _TOP = 0.12, 0.50
"""Of the type's size above the baseline: a line between strikes through small letters. An underline lies below, the bar
of a fraction at the foot of its numerator, a rule over a sum above the letters."""
_MOST = 0.6
"""Of a word's width that a line must cross."""
_TALLEST = 200  # 1/100 pt: a thicker bar covers letters, and does not strike them


def struck_words(page: PageWords, rules: Sequence[Box], strikes: Sequence[Box]) -> frozenset[int]:
    """Numbers of the words. ``rules`` are level lines and thin bars; ``strikes`` the stretches of text that annotations
    strike out."""
    if not rules and not strikes:
        return frozenset()
    thin = sorted([((b.y0 + b.y1) // 2, b) for b in rules if b.y1 - b.y0 <= _TALLEST])
    heights = [height for height, _ in thin]
    found: set[int] = set()
    for line in page.lines:
        low, high = bisect_left(heights, line.box.y0), bisect_left(heights, line.box.y1)
        if low < high:
            near = thin[low:high]
            found.update(i for i in range(line.first, line.end) if _is_crossed(page.words[i], near))
        for quad in strikes:
            if quad.overlaps(line.box):
                found.update(_inside(page.words, range(line.first, line.end), quad))
    return frozenset(found)


def _is_crossed(word: RawWord, near: Sequence[tuple[int, Box]]) -> bool:
    foot, top = word.baseline - _FOOT * word.size, word.baseline - _TOP * word.size
    box = word.box
    across = sum(max(min(b.x1, box.x1) - max(b.x0, box.x0), 0) for height, b in near if top <= height <= foot)
    return across >= _MOST * (box.x1 - box.x0)


def _inside(words: Sequence[RawWord], among: range, quad: Box) -> Iterator[int]:
    return (i for i in among if quad.holds_centre_of(words[i].box))


def with_struck(page: PageWords, struck: frozenset[int]) -> PageWords:
    words = list(page.words)
    for i in struck:
        words[i] = words[i]._replace(kinds=words[i].kinds | {SpanKind.STRUCK})
    return page._replace(words=words)
