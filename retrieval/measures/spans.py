"""Plain text without pages cut into passages by character spans, for measuring on sets that are labelled so."""

import re
from collections.abc import Iterator
from itertools import pairwise

LENGTH = 500
"""Characters of a passage at most, the length that LegalBench-RAG measures with."""
_LEAST = 0.4
_MOST_OVER = 1.4
"""A clause up to so many times LENGTH is cut once at the end of a passage; no piece is shorter than this share."""
_CLAUSE = re.compile(r"(?=\n\s*(?:ARTICLE|Article|SECTION|Section)\s+[\dIVX]+|\n\s*\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]"
                     r"|\n\s*\([a-z]{1,3}\)\s+[A-Z])")  # fmt: skip


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of at most LENGTH characters, together the whole text, in order: at clause beginnings, else sentence ends,
    else spaces. Text that is white space only gives spans too."""
    open_from, open_to = 0, 0
    for start, end in _clauses(text):
        if end - open_from > LENGTH and open_to > open_from:
            yield from _fixed(open_from, open_to)
            open_from = start
        open_to = end
    yield from _fixed(open_from, open_to)


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Clauses, those that are much too long cut at ends of sentences."""
    bounds = sorted({0, len(text), *(match.start() for match in _CLAUSE.finditer(text))})
    for start, end in pairwise(bounds):
        at = start
        while end - at > LENGTH * _MOST_OVER:
            window = text[at : at + LENGTH]
            stops = [max((match.end() for match in re.finditer(r"[.;:]\s", window)), default=0)]
            stops += [window.rfind("\n") + 1, window.rfind(" ") + 1, LENGTH]
            stop = next(one for one in stops if one >= LENGTH * _LEAST)
            yield at, at + stop
            at += stop
        yield at, end


def _fixed(start: int, end: int) -> Iterator[tuple[int, int]]:
    yield from ((at, min(at + LENGTH, end)) for at in range(start, end, LENGTH))
