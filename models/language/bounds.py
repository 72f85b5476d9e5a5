"""Whether a value is the least or the most that a sentence allows: "not less than 30 days", "up to $500", "by May 1".

Two sentences that state one value are compared by that, whatever words say it: "shall not exceed 60" is "at most 60".
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from models.language.values import Value, ValueKind, values


class Bound(StrEnum):
    LEAST = "least"
    MOST = "most"


_REACH = 60
"""Characters before a value in which words may bound it."""
_GAP = r"(?:\s+(?:of|a|an|the|about|than|is|are|be|to|total|aggregate|by)\b){0,3}[\s(]*(?:[A-Z]{2,3}|[$€£¥])?\s?$"
_GAP_OF_NOUN = rf"(?:\s+(?!not\b|no\b)[\w'’-]+){{0,4}}?{_GAP}"
_MORE = (
    r"\b(?:(?:more|greater|higher|longer|larger|later)\s+than|exceed(?:s|ed|ing)?|in\s+excess\s+of|above|over|beyond)"
)
_LESS = r"\b(?:(?:less|fewer|lower|shorter|smaller|earlier|sooner)\s+than|below|under)"
_LEAST = r"\b(?:at\s+(?:the\s+very\s+)?least|no\s+fewer\s+than)"
_MOST = r"\b(?:at\s+(?:the\s+very\s+)?most|up\s+to|within|limited\s+to|capped\s+at)"
_LEAST_NOUN, _MOST_NOUN = r"\b(?:minimum|floor)", r"\b(?:maximum|cap|ceiling)"
_FROM_DATE = r"\b(?:(?:on\s+or\s+)?after|following|since|from|(?:beginning|starting|commencing)(?:\s+on)?)"
_TO_DATE = r"\b(?:(?:on\s+or\s+)?before|prior\s+to|until|till|by|through)"
_DENIED = re.compile(
    r"\b(?:no|not|never|nor|cannot|\w+n['’]t)\b(?:\s+(?:be|to|in|at|any|event|be\s+\w+)\b){0,3}\s*$", re.I
)
_MODAL = re.compile(r"\b(?:shall|must|may|can|will)\s+(?:be\s+)?$", re.I)
_ENDED = re.compile(r"[;:.]\s")
_OTHER = {Bound.LEAST: Bound.MOST, Bound.MOST: Bound.LEAST}
_AFTERWARDS = (
    (Bound.LEAST, re.compile(r"^[\s)]*(?:\w+\s+){0,2}?(?:or\s+(?:more|greater|longer|above|over|later|after)|"
                             r"at\s+(?:the\s+)?(?:least|minimum|earliest)|minimum)\b", re.I)),
    (Bound.MOST, re.compile(r"^[\s)]*(?:\w+\s+){0,2}?(?:or\s+(?:less|fewer|lower|shorter|below|earlier|before)|"
                            r"at\s+(?:the\s+)?(?:most|maximum|latest)|maximum)\b", re.I)),
)  # fmt: skip


def _ending(*words: str, gap: str = _GAP) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words)}){gap}", re.I)


_COMPARED = ((Bound.LEAST, _ending(_MORE)), (Bound.MOST, _ending(_LESS)))
_FIXED = (
    (Bound.LEAST, _ending(_LEAST)), (Bound.MOST, _ending(_MOST)),
    (Bound.LEAST, _ending(_LEAST_NOUN, gap=_GAP_OF_NOUN)), (Bound.MOST, _ending(_MOST_NOUN, gap=_GAP_OF_NOUN)),
)  # fmt: skip
_DATED = ((Bound.LEAST, _ending(_FROM_DATE)), (Bound.MOST, _ending(_TO_DATE)))


class Bounded(NamedTuple):
    """``start`` and ``end`` are the offsets, half-open, of the value with the words that bound it; ``denied`` is true
    where they deny the other bound ("not exceed"), ``modal`` is where a modal begins that stands right before them."""

    value: Value
    bound: Bound
    start: int
    end: int
    denied: bool = False
    modal: int = 0


def bounded(text: str) -> list[Bounded]:
    """The values of a text that something bounds."""
    return [found for value in values(text) if (found := _bounded(text, value))]


def _bounded(text: str, value: Value) -> Bounded | None:
    for bound, pattern in _AFTERWARDS:
        if afterwards := pattern.search(text[value.end : value.end + _REACH // 2]):
            return Bounded(value, bound, value.start, value.end + afterwards.end(), modal=value.start)
    low = max(0, value.start - _REACH)
    low += next((m.end() for m in reversed([*_ENDED.finditer(text[low : value.start])])), 0)
    before = text[low : value.start]
    for bound, pattern in _COMPARED:
        if found := pattern.search(before):
            denied = _DENIED.search(before[: found.start()])
            start = denied.start() if denied else found.start()
            modal = low + _modal(before, start)
            return Bounded(value, _OTHER[bound] if denied else bound, low + start, value.end, bool(denied), modal)
    dated = _DATED if value.kind is ValueKind.DATE else ()
    for bound, pattern in (*_FIXED, *dated):
        if found := pattern.search(before):
            modal = low + _modal(before, found.start())
            return Bounded(value, bound, low + found.start(), value.end, modal=modal)
    return None


def _modal(before: str, start: int) -> int:
    """Where a modal begins that stands right before ("may be at most"), else ``start``."""
    modal = _MODAL.search(before[:start])
    return modal.start() if modal else start


def bounds_agree(claim: str, sentence: str) -> bool | None:
    """False where one value is the least in one and the most in the other, True where both bound it alike, None where
    they share no bounded value."""
    found = [
        ours.bound is theirs.bound
        for ours in bounded(claim)
        for theirs in bounded(sentence)
        if ours.value.agrees_with(theirs.value)
    ]
    return any(found) if found else None


def without_bounds(claim: str, sentence: str) -> tuple[str, str]:
    """Both with one word in the place of each value that they bound alike and of the words that bound it; and of a
    modal right before them, where one denies what the other states ("shall not exceed 60", "may be at most 60")."""
    ours, theirs = bounded(claim), bounded(sentence)
    pairs = [(a, b) for a in ours for b in theirs if a.bound is b.bound and a.value.agrees_with(b.value)]
    return (
        _replaced(claim, {a: a.denied != b.denied for a, b in pairs}),
        _replaced(sentence, {b: a.denied != b.denied for a, b in pairs}),
    )


def _replaced(text: str, voiced: Mapping[Bounded, bool]) -> str:
    """From the end, so that offsets before stay right; of two that overlap ("minimum of 5 or 10 days") the later."""
    left = len(text)
    for found in sorted(voiced, key=lambda one: one.end, reverse=True):
        if found.end <= left:
            left = found.modal if voiced[found] else found.start
            text = f"{text[:left]} quantity {text[found.end :]}"
    return text
