"""A worded claim laid against the words that it cites, part by part; what cannot be aligned is named.

It fails closed: a claim is borne out only if every word of it that says anything has its counterpart in the cited
words, in a place that says the same of the same, and if nothing of the cited words that could change it is left out.
It compares wording and reads no meaning. One alignment serves release, triage and the difference that a card shows.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from models.triage.laid import Laid, lay
from models.triage.marked import Kind, Word, marked
from verify.domain.claim import WordingDifference

_NUMBERING = re.compile(
    r"\s*(?:(?:section|clause|article|sec\.|art\.|§)\s*)?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|\(?[a-z]{1,4}\)|[ivx]+\.)\s+(?=[\W]*[A-Z])",
    re.I,
)
"""The number of a clause before its sentence."""
METHOD = "alignment"
"""The method by which a worded claim is held against the words that it cites."""


class Part(StrEnum):
    """What of a claim differs; the name of its signal."""

    WORDS = "other_words"
    LEFT_OUT = "left_out"
    ORDER = "who_and_what"
    VALUE = "value"
    REPORT = "who_says"
    BOUND = "bound"
    CONDITION = "condition"
    EXCEPTION = "exception"
    MODAL = "modality"
    NEGATION = "negation"
    ONLY = "only"
    QUANTITY = "quantity"
    RELATION = "order"
    JOIN = "and_or"
    TENSE = "tense"


_OF_KIND = {
    Kind.CONTENT: Part.WORDS, Kind.VALUE: Part.VALUE, Kind.REPORT: Part.REPORT, Kind.BOUND: Part.BOUND,
    Kind.CONDITION: Part.CONDITION, Kind.EXCEPTION: Part.EXCEPTION, Kind.MODAL: Part.MODAL,
    Kind.NEGATION: Part.NEGATION, Kind.ONLY: Part.ONLY, Kind.QUANTITY: Part.QUANTITY, Kind.RELATION: Part.RELATION,
    Kind.JOIN: Part.JOIN,
}  # fmt: skip


class Alignment(NamedTuple):
    """``held`` is the share of the claim's content words and values that the cited words have, 0-1. ``denies`` is true
    where all that differs is that one denies, or forbids, what the other states, or allows."""

    differences: tuple[WordingDifference, ...]
    held: float
    denies: bool = False

    @property
    def bears_out(self) -> bool:
        return not self.differences


def align(claim: str, cited: Sequence[str]) -> Alignment:
    """The claim against the cited sentences: each by itself, each two that follow each other, and all of them together;
    the one that leaves the least is taken. No cited words bear out nothing."""
    texts = [text for text in cited if text.strip()]
    tried = [*texts, *(("; ".join(texts),) if len(texts) > 1 else ())]
    found = [_aligned(claim, text) for text in tried]
    nothing = Alignment((WordingDifference(Part.WORDS.value, claim, "", 0, len(claim)),), 0.0)
    return min(found, key=lambda one: (not one.bears_out, -one.held, len(one.differences)), default=nothing)


@lru_cache(maxsize=4096)
def _aligned(claim: str, cited: str) -> Alignment:
    number = _NUMBERING.match(cited)
    cited = cited[number.end() :] if number else cited
    ours, theirs = marked(claim), marked(cited)
    laid = lay(ours, theirs)
    said = [n for n, word in enumerate(ours) if word.kind in (Kind.CONTENT, Kind.VALUE)]
    held = sum(n in laid.pairs for n in said) / max(1, len(said))
    found = tuple(_differences(claim, cited, laid))
    return Alignment(found, held if said else 0.0, _denies(laid, found))


def _denies(laid: Laid, found: Sequence[WordingDifference]) -> bool:
    if not found or laid.misplaced or laid.other_time is not None:
        return False
    left = [laid.ours[n] for n in laid.unmatched] + [laid.theirs[m] for m in laid.lacking]
    if any(word.kind not in (Kind.NEGATION, Kind.MODAL, Kind.JOIN) for word in left):
        return False
    ours, theirs = ([w for w in words if w in left] for words in (laid.ours, laid.theirs))
    denials = [sum(w.kind is Kind.NEGATION or w.key in ("forbid", "free") for w in words) for words in (ours, theirs)]
    return denials[0] % 2 != denials[1] % 2


def _differences(claim: str, cited: str, laid: Laid) -> Iterator[WordingDifference]:
    ours, theirs = laid.ours, laid.theirs
    lacking = list(laid.lacking)
    for n in laid.unmatched:
        word = ours[n]
        instead = next((m for m in lacking if theirs[m].kind is word.kind), None)
        if instead is not None:
            lacking.remove(instead)
        yield _difference(_OF_KIND[word.kind], claim, cited, word, None if instead is None else theirs[instead])
    for n, m in laid.misplaced:
        yield _difference(Part.ORDER, claim, cited, ours[n], theirs[m])
    for n, m in laid.joined_otherwise:
        yield _difference(Part.JOIN, claim, cited, ours[n], theirs[m])
    for m in lacking:
        kind = theirs[m].kind
        part = Part.LEFT_OUT if kind in (Kind.CONTENT, Kind.VALUE) else _OF_KIND[kind]
        yield _difference(part, claim, cited, None, theirs[m])
    if laid.other_time is not None:
        n, m = laid.other_time
        yield _difference(Part.TENSE, claim, cited, ours[n], theirs[m])


def _difference(part: Part, claim: str, cited: str, ours: Word | None, theirs: Word | None) -> WordingDifference:
    start, end = (ours.start, ours.end) if ours else (len(claim), len(claim))
    page = cited[theirs.start : theirs.end] if theirs else ""
    return WordingDifference(part.value, claim[start:end], " ".join(page.split()), start, end)
