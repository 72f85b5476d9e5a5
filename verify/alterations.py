"""Quotations altered as lawyers mark them (contract section 5, rule 11): parsed, then found piece by piece.

Every unaltered piece must stand in the target, whole words, in order. A bracket never stands for a number, a negation
or a modal verb, nor puts one in. What the rule does not name is not altered: the quotation is then not found.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

from verify.bodies import Altered, Body, Hit
from verify.match import Place, Quotation, loosened, places
from verify.normalize import IGNORED, QUOTATION_MARKS, Normal, normalize
from verify.report import AlterationKind, Match
from verify.sentences import Span
from verify.wordlists import WORDS, either, phrases

MOST_PIECES = 64
"""A quotation with more is not looked for: the work is pieces by page."""

_MOST_WORDS = 8
"""In place of a bracket."""

_LISTS = WORDS["alterations"]
_REMARK = phrases(_LISTS["remarks"])
_OMITTED = phrases(_LISTS["omitted"])
_ANY_REMARK = rf"(?:{_REMARK}|{_OMITTED})"
_DOTS = r"(?:…|(?<!\.)(?<!\.\s)\.(?:\s?\.){2,3}(?!\s?\.)|(?<!\*)(?<!\*\s)\*(?:\s?\*){2,3}(?!\s?\*))"
"""Three or four; a longer row is a leader of a list."""

_MARKUP = re.compile(
    rf"""(?P<sic>[\[(]\s*sic[.!]?\s*[\])])
    | (?P<remark>[\[(]\s*{_ANY_REMARK}(?:\s*(?:[;,]|,?\s+and)\s*{_ANY_REMARK})*\s*\.?[\])])
    | (?P<omission>\[\s*{_DOTS}\s*\]|\(\s*{_DOTS}\s*\)|{_DOTS})
    | (?P<bracket>\[(?P<content>[^\[\]]{{1,200}})\])""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAVES_OUT = re.compile(_OMITTED, re.IGNORECASE)
_NEVER_WORDS = phrases(word for name in ("modals", "negations", "number_words") for word in _LISTS[name])
_NEVER = re.compile(
    rf"\d|n['’]t\b|(?<![^\W_])(?:{_NEVER_WORDS})(?![^\W_])",
    re.IGNORECASE,
)
"""What a bracket may neither stand for nor bring in."""

_WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
_ENCLOSED = re.compile(
    rf"\s*[{QUOTATION_MARKS}](?P<inside>.*?)(?P<stop>[.,]?)[{QUOTATION_MARKS}](?P<after>[.,]?)\s*", re.DOTALL
)


class Link(Enum):
    """What may stand between a piece and the one before it."""

    ADJACENT = auto()  # white space
    BRACKET = auto()  # up to eight words
    OMISSION = auto()  # anything


@dataclass(frozen=True, slots=True)
class Piece:
    """An unaltered piece: its text, or two that differ in the case of the bracketed first letter."""

    texts: tuple[str, ...]
    link: Link
    marks: tuple[tuple[AlterationKind, str], ...]
    """What is marked between the piece before and this one, as quoted."""


@dataclass(frozen=True)
class AlteredQuotation:
    """``tail`` is what is marked behind the last piece."""

    pieces: tuple[Piece, ...]
    tail: tuple[tuple[AlterationKind, str], ...]

    @cached_property
    def forms(self) -> tuple[tuple[Normal, ...], ...]:
        return tuple(tuple(normalize(loosened(t), typographic=True) for t in p.texts) for p in self.pieces)

    @cached_property
    def longest(self) -> Quotation:
        """The piece that says most about where the quotation may stand."""
        return Quotation(max((p.texts[0] for p in self.pieces), key=len))


def altered_forms(text: str) -> Iterator[AlteredQuotation]:
    """The ways to read the marks of a quotation, the least altered first; none if it is altered as no rule allows."""
    for variant, tail in _variants(text):
        parsed = _parse(variant, tail)
        if parsed is not None:
            yield parsed


def _variants(text: str) -> Iterator[tuple[str, tuple[tuple[AlterationKind, str], ...]]]:
    """As it is; without its enclosing marks; without its final stop; without either."""
    body, remarks = _without_remarks(text)
    yield text, ()
    inside = _ENCLOSED.fullmatch(body)
    marks = ((AlterationKind.QUOTATION_MARK, body[:1]), *remarks)
    for core, tail in ((body, remarks), *([(inside["inside"] + inside["stop"], marks)] if inside else [])):
        if tail:
            yield core, tail
        stripped = core.rstrip()
        if stripped[-1:] in {".", ","} and not stripped.endswith(".."):
            yield stripped[:-1], ((AlterationKind.FINAL_STOP, stripped[-1]), *tail)


_MOST_REMARKS, _LONGEST_REMARK = 4, 200
_BETWEEN_MARKS = frozenset(" \t\r\n\u00a0\u2009\u202f.,;:!?…-–—\"'“”‘’„‚«»‹›")
"""What may stand alone beside a mark: spaces, stops and quotation marks. Half a bracket is no mark and no words."""


def _without_remarks(text: str) -> tuple[str, tuple[tuple[AlterationKind, str], ...]]:
    """The text without remarks at its end: they stand behind the closing quotation mark."""
    text = text.strip()
    remarks: list[tuple[AlterationKind, str]] = []
    while len(remarks) < _MOST_REMARKS:
        last = [m for m in _MARKUP.finditer(text, max(0, len(text) - _LONGEST_REMARK)) if m["remark"]][-1:]
        if not last or text[last[0].end() :].strip(" ."):
            break
        remarks.append((AlterationKind.REMARK, last[0].group()))
        text = text[: last[0].start()].rstrip()
    return text, tuple(remarks)


def _parse(text: str, tail: tuple[tuple[AlterationKind, str], ...]) -> AlteredQuotation | None:
    """None for what is altered as no rule allows, or holds more bracketed words than quoted ones."""
    pieces: list[Piece] = []
    bracketed = 0
    at, link, marks, prefix = 0, Link.ADJACENT, list[tuple[AlterationKind, str]](), ""
    for found in (*_MARKUP.finditer(text), None):
        end = found.start() if found else len(text)
        plain = text[at:end]
        if prefix or any(c.isalnum() for c in plain):
            texts = (prefix + plain, prefix.swapcase() + plain) if prefix else (plain,)
            pieces.append(Piece(texts, link, tuple(marks)))
            link, marks, prefix = Link.ADJACENT, [], ""
        elif not _BETWEEN_MARKS.issuperset(plain):
            return None
        if found is None:
            continue
        at = found.end()
        content = found["content"]
        if content is not None and _is_case(content, text, found.start(), at):
            prefix = content
            marks.append((AlterationKind.CASE, found.group()))
            continue
        if content is not None and not _may_stand(content, text, at):
            return None
        bracketed += len(_WORD.findall(content or ""))
        link = max(link, _link_of(found), key=_STRENGTH.index)
        marks.append((_kind_of(found), found.group()))
    quoted = sum(len(_WORD.findall(piece.texts[0])) for piece in pieces)
    if not pieces or len(pieces) > MOST_PIECES or quoted < bracketed:
        return None
    return AlteredQuotation(tuple(pieces), (*marks, *tail))


_STRENGTH = [Link.ADJACENT, Link.BRACKET, Link.OMISSION]


def _is_case(content: str, text: str, start: int, end: int) -> bool:
    """A bracketed letter at the beginning of a word."""
    begins = start == 0 or not text[start - 1].isalnum()
    return len(content) == 1 and content.isalpha() and begins and text[end : end + 1].isalpha()


def _may_stand(content: str, text: str, end: int) -> bool:
    """False for a bracket without words, that brings in what it may not, or that changes the beginning of a word
    ("[un]lawful")."""
    words = any(c.isalpha() for c in content) and "*" not in content
    return words and not _NEVER.search(content) and not text[end : end + 1].isalnum()


def _link_of(found: re.Match[str]) -> Link:
    if found["omission"] or (found["remark"] and _LEAVES_OUT.search(found["remark"])):
        return Link.OMISSION
    return Link.BRACKET if found["bracket"] else Link.ADJACENT


def _kind_of(found: re.Match[str]) -> AlterationKind:
    if found["sic"]:
        return AlterationKind.SIC
    if found["remark"]:
        return AlterationKind.REMARK
    return AlterationKind.OMISSION if found["omission"] else AlterationKind.REPLACEMENT


def find_altered(body: Body, quotation: AlteredQuotation, ranges: Sequence[Span]) -> list[Hit]:
    """Every place of the first piece from which all the others follow, each the nearest that can."""
    found = [
        sorted({p for form in forms for s in ranges for p in places(body.loose, form, *s, body.inside) if p.whole})
        for forms in quotation.forms
    ]
    if not all(found):
        return []
    chains = _follow(body, quotation, found)
    return [_hit(body, quotation, chain) for chain in chains if _ends_fairly(body, quotation, chain)]


def _ends_fairly(body: Body, quotation: AlteredQuotation, chain: Sequence[Place]) -> bool:
    """False if a bracket before the first or behind the last piece takes the place of what it never may."""
    start, end = chain[0].start, chain[-1].end
    before, after = _LAST.search(body.unmarked, max(0, start - _WORD_REACH), start), _NEXT.match(body.unmarked, end)
    first = quotation.pieces[0].marks if before and _NEVER.search(before.group()) else ()
    last = quotation.tail if after and _NEVER.search(after.group()) else ()
    return not any(kind is AlterationKind.REPLACEMENT for kind, _ in (*first, *last))


_WORD_REACH = 40
_LAST = re.compile(r"[^\W_]+(?:['’][^\W_]+)*\W*\Z")
_NEXT = re.compile(r"\W*[^\W_]+(?:['’][^\W_]+)*")


def without_marks(text: str, body: Body) -> str:
    """A quotation without those marks of notes that the body has behind a word."""
    marks = {body.text[start:end] for start, end in body.note_marks}
    if not marks:
        return text
    return re.sub(rf"(?<=[^\s\d])(?:{either(marks)})(?!\w)", "", text)


def _follow(body: Body, quotation: AlteredQuotation, found: Sequence[Sequence[Place]]) -> Iterator[list[Place]]:
    """Chains of places, worked out from the last piece back so that no place is tried twice."""
    steps: list[dict[Place, Place]] = []
    ahead = sorted(found[-1])
    for piece, here in zip(reversed(quotation.pieces[1:]), reversed(found[:-1]), strict=True):
        starts = [p.start for p in ahead]
        step: dict[Place, Place] = {}
        for place in here:
            for following in ahead[bisect_left(starts, place.end) :][:_MOST_TRIED]:
                allowed = _allowed(body, piece.link, place.end, following.start)
                if allowed:
                    step[place] = following
                if allowed is not False:
                    break
        steps.append(step)
        ahead = sorted(step)
    for first in ahead[:_MOST_FOUND]:
        chain = [first]
        for step in reversed(steps):
            chain.append(step[chain[-1]])
        yield chain


def _allowed(body: Body, link: Link, end: int, start: int) -> bool | None:
    """True if a link may bridge the gap, None if nothing further on can be bridged either."""
    if link is Link.OMISSION:
        return True
    if start - end > _FARTHEST:
        return None
    gap = body.unmarked[end:start]
    words = _WORD.findall(gap)
    if link is Link.ADJACENT:
        return True if not gap.strip(IGNORED + " \t\r\n\v\f\u00a0\u202f") else None
    if len(words) > _MOST_WORDS:
        return None
    return not _NEVER.search(gap)


_MOST_TRIED = 32
"""Places of the next piece that are looked at for one that a bracket may bridge to."""

_MOST_FOUND = 64
"""Occurrences of an altered quotation that are counted."""

_FARTHEST = 400
"""Characters that eight words and what is between them may take."""


def _hit(body: Body, quotation: AlteredQuotation, chain: Sequence[Place]) -> Hit:
    spans = tuple(Span(p.start, p.end) for p in chain)
    altered = [*_between(quotation, spans), *_tail(quotation, spans[-1].end)]
    altered += (
        Altered(AlterationKind.NOTE_MARK, "", mark.start, mark.end)
        for mark in body.note_marks
        if any(s.start <= mark.start and mark.end <= s.end for s in spans)
    )
    altered += _quotation_marks(body, quotation, spans)
    place = Place(spans[0].start, spans[-1].end, True)
    return Hit(place, Match.ALTERED, spans, tuple(sorted(altered, key=lambda a: (a.start, a.end, a.kind))))


def _between(quotation: AlteredQuotation, spans: Sequence[Span]) -> Iterator[Altered]:
    """What is marked before each piece, with what the page has there; nothing is known before the first."""
    at = spans[0].start
    for piece, span in zip(quotation.pieces, spans, strict=True):
        for kind, expected in piece.marks:
            if kind is AlterationKind.CASE:
                yield Altered(kind, expected, span.start, span.start + 1)
            elif kind in (AlterationKind.OMISSION, AlterationKind.REPLACEMENT):
                filled = kind is AlterationKind.OMISSION or at < span.start - 1
                yield Altered(kind if filled else AlterationKind.INSERTION, expected, at, span.start)
            else:
                yield Altered(kind, expected, span.start, span.start)
        at = span.end


def _tail(quotation: AlteredQuotation, end: int) -> Iterator[Altered]:
    for kind, expected in quotation.tail:
        yield Altered(AlterationKind.INSERTION if kind is AlterationKind.REPLACEMENT else kind, expected, end, end)


def _quotation_marks(body: Body, quotation: AlteredQuotation, spans: Sequence[Span]) -> Iterator[Altered]:
    """Marks of another kind than the page's: single for double, straight ones aside."""
    for piece, span in zip(quotation.pieces, spans, strict=True):
        asked = (c for c in piece.texts[0] if c in QUOTATION_MARKS)
        shown = (i for i in range(*span) if body.text[i] in QUOTATION_MARKS)
        for mark, i in zip(asked, shown, strict=False):
            if normalize(mark, True).skeleton != normalize(body.text[i], True).skeleton:
                yield Altered(AlterationKind.QUOTATION_MARK, mark, i, i + 1)
