"""Spans of an element: what its words are beside text, and which raised and lowered ones are marks of notes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ingest.page.marks import SMALL, position
from ingest.page.raised import is_note_mark
from ingest.page.raw import RawWord
from ingest.structure.drafted import Drafted
from verify.domain.document import ElementKind, Span, SpanKind, Word

_PLACED = frozenset({SpanKind.NOTE_MARK, SpanKind.SUPERSCRIPT, SpanKind.SUBSCRIPT})


class Kinds(NamedTuple):
    """What a word of a page is; ``cut``: words were taken out after it."""

    kinds: frozenset[SpanKind]
    cut: bool


def kinds_of(words: Sequence[RawWord], drafts: Sequence[Drafted]) -> Mapping[int, Kinds]:
    """By the place of a word among those of the page's elements; empty for a page of plain text."""
    raised, lowered, opening = _off_the_line(words, drafts)
    if not raised and not lowered and not any([word[9] or word[10] for word in words]):  # noqa: C419
        return {}
    notes = {words[i].text.strip("()[].") for i in raised if i in opening}
    notes |= {draft.mark for draft in drafts if draft.kind is ElementKind.FOOTNOTE and draft.mark}
    order = [i for draft in drafts for line in draft.lines for i in line.words]
    found: dict[int, Kinds] = {}
    for place, i in enumerate(order):
        word, kinds = words[i], words[i].kinds
        if _PLACED.isdisjoint(kinds) and i in raised:
            mark = i in opening or is_note_mark([words[n] for n in order[max(place - 2, 0) : place + 2]], word, notes)
            kinds |= {SpanKind.NOTE_MARK if mark else SpanKind.SUPERSCRIPT}
        elif _PLACED.isdisjoint(kinds) and i in lowered:
            kinds |= {SpanKind.SUBSCRIPT}
        if kinds or word.cut:
            found[place] = Kinds(kinds, word.cut)
    return found


def _off_the_line(
    words: Sequence[RawWord], drafts: Sequence[Drafted]
) -> tuple[frozenset[int], frozenset[int], frozenset[int]]:
    """Words that are raised, that are lowered, and that open a line."""
    smallest = min([word[3] for word in words], default=0)
    raised: list[int] = []
    lowered: list[int] = []
    for draft in drafts:
        for line in draft.lines:
            if smallest >= SMALL * line.size or not line.upright:
                continue
            for i in [i for i in line.words if words[i][3] < SMALL * line.size]:
                at = position(words[i].baseline, words[i].size, line.baseline, line.size)
                (raised if at > 0 else lowered).extend([i] if at else [])
    opening = frozenset(line.words[0] for draft in drafts for line in draft.lines)
    return frozenset(raised), frozenset(lowered), opening


def spans_of(words: Sequence[Word], start: int, kinds: Mapping[int, Kinds], first: int) -> tuple[Span, ...]:
    """The spans of an element that holds these words, of which the first is number ``first`` of the page and whose text
    begins at ``start`` in the page's. Neighbouring words of one kind are one span, but marks are each their own."""
    return tuple(sorted(_spans(words, start, kinds, first)))


def _spans(words: Sequence[Word], start: int, kinds: Mapping[int, Kinds], first: int) -> Iterator[Span]:
    running: dict[SpanKind, Span] = {}
    for n, word in enumerate(words):
        own = kinds.get(first + n)
        for kind in [kind for kind in running if own is None or kind not in own.kinds or kind in _PLACED]:
            yield running.pop(kind)
        if own is None:
            continue
        begin, end = word.start - start, word.end - start
        for kind in own.kinds:
            running[kind] = Span(running[kind].start if kind in running else begin, end, kind)
        if own.cut and n + 1 < len(words):
            yield Span(end, end, SpanKind.DELETED)
    yield from running.values()
