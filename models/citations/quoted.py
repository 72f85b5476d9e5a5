"""Quotations in a text: what stands between quotation marks, without those that only name a short form."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from models.citations.finding import DEFINED


class Quoted(NamedTuple):
    """Half-open offsets of the words inside the marks."""

    start: int
    end: int


_STRAIGHT = re.compile(r"(?<![\w\"])\"(?P<inside>[^\"]{2,4000}?)\"(?!\w)")
_SINGLE = re.compile(r"(?<![\w’'])[‘](?P<inside>(?:[^‘’]|’(?=\w)){8,2000})’(?!\w)")
_STRAIGHT_SINGLE = re.compile(r"(?<![\w'])'(?P<inside>[^']{15,2000})'(?!\w)")
_QUOTES_OPEN, _QUOTES_CLOSE = "“«„", "”»"


def quotations_in(text: str) -> tuple[Quoted, ...]:
    """In order, the outermost marks only; marks that are not closed end with the text ("as in a block quotation that
    goes on in the next paragraph"). Single marks count where no double ones enclose them, as English style has them."""
    named = [match.span() for match in DEFINED.finditer(text)]
    found = [q for q in _curly(text) if not _within(q, named)]
    found += [q for q in _by(_STRAIGHT, text) if not _overlaps(q, found) and not _within(q, named)]
    for pattern in (_SINGLE, _STRAIGHT_SINGLE):
        found += [q for q in _by(pattern, text) if not _overlaps(q, found) and not _within(q, named)]
    return tuple(sorted(q for q in found if any(map(str.isalnum, text[q.start : q.end]))))


def _by(pattern: re.Pattern[str], text: str) -> Iterator[Quoted]:
    return (Quoted(*match.span("inside")) for match in pattern.finditer(text))


def _curly(text: str) -> Iterator[Quoted]:
    depth, start = 0, 0
    for at, character in enumerate(text):
        if character in _QUOTES_OPEN:
            start = at + 1 if depth == 0 else start
            depth += 1
        elif character in _QUOTES_CLOSE and depth:
            depth -= 1
            if depth == 0:
                yield Quoted(start, at)
    if depth:
        yield Quoted(start, len(text))


def _overlaps(quoted: Quoted, others: list[Quoted]) -> bool:
    return any(o.start < quoted.end and quoted.start < o.end for o in others)


def _within(quoted: Quoted, spans: list[tuple[int, int]]) -> bool:
    return any(a <= quoted.start and quoted.end <= b for a, b in spans)
