"""Where a passage holds the words of a question, and the stretch of it that shows most of them."""

from bisect import bisect_right
from collections.abc import Sequence

from retrieval.words.literal import placed
from retrieval.words.tokenize import STOP_WORDS, stem, tokens

WIDTH = 300
"""Characters of an excerpt."""


def spans_of_words(question: str, text: str) -> list[tuple[int, int]]:
    """Half-open offsets of the words of ``text`` that are, in one of their forms, words of the question."""
    asked = frozenset(tokens(question))
    return [(start, end) for word, start, end in placed(text) if word not in STOP_WORDS and stem(word) in asked]


def excerpt(text: str, spans: Sequence[tuple[int, int]], width: int = WIDTH) -> tuple[int, int]:
    """Offsets of about ``width`` characters that hold as many spans as can be, cut between words; the beginning of the
    text where there are none."""
    if len(text) <= width:
        return 0, len(text)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    best = max(range(len(spans)), key=lambda n: (bisect_right(ends, starts[n] + width) - n, -n), default=None)
    if best is None:
        return 0, _between(text, width)
    last = max(bisect_right(ends, starts[best] + width) - 1, best)
    spare = max(width - (ends[last] - starts[best]), 0) // 2
    begin = max(min(starts[best] - spare, len(text) - width), 0)
    return _after_space(text, begin, starts[best]), _between(text, begin + max(width, ends[last] - begin))


def _between(text: str, end: int) -> int:
    """The end of the last whole word before ``end``."""
    if end >= len(text) or text[end].isspace():
        return min(end, len(text))
    space = max(text.rfind(" ", 0, end), text.rfind("\n", 0, end))
    return space if space > 0 else end


def _after_space(text: str, begin: int, latest: int) -> int:
    while 0 < begin < latest and not text[begin - 1].isspace():
        begin += 1
    return begin
