"""Words that a line strikes through: drawn on the page or laid over it by an annotation."""

from bisect import bisect_left
from collections.abc import Sequence

from ingest.page.raw import RawWord
from verify.domain.document import SpanKind
from verify.domain.geometry import Box

_FOOT, _TOP = 0.12, 0.50
"""Of the type's size above the baseline: a line between strikes through small letters. An underline lies below, the bar
of a fraction at the foot of its numerator, a rule over a sum above the letters."""
_MOST = 0.6
"""Of a word's width that a line must cross."""
_TALLEST = 200  # 1/100 pt: a thicker bar covers letters, and does not strike them


def with_struck(words: Sequence[RawWord], rules: Sequence[Box], quads: Sequence[Box]) -> list[RawWord]:
    """``rules`` are level lines and thin bars; ``quads`` the stretches of text that annotations strike out."""
    lines = sorted((b.y0 + b.y1) // 2 for b in rules if b.y1 - b.y0 <= _TALLEST)
    out: list[RawWord] = []
    for word in words:
        foot, top = word.baseline - int(_FOOT * word.size), word.baseline - int(_TOP * word.size)
        at = bisect_left(lines, top)
        near = at < len(lines) and lines[at] <= foot
        if (near and _crossed(word.box, rules, top, foot)) or any(quad.holds_centre_of(word.box) for quad in quads):
            word = word._replace(kinds=word.kinds | {SpanKind.STRUCK})
        out.append(word)
    return out


def _crossed(box: Box, rules: Sequence[Box], top: int, foot: int) -> bool:
    crossing = (b for b in rules if b.y1 - b.y0 <= _TALLEST and top <= (b.y0 + b.y1) // 2 <= foot)
    return sum(max(min(b.x1, box.x1) - max(b.x0, box.x0), 0) for b in crossing) >= _MOST * (box.x1 - box.x0)
