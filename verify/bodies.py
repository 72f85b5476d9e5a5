"""The texts in which evidence is sought, each with its map back to pages, words and boxes."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from verify.domain.document import (
    FURNITURE,
    OWN_TEXT,
    Element,
    ElementKind,
    Origin,
    Page,
    SpanKind,
    TextSource,
    Word,
)
from verify.domain.geometry import union
from verify.domain.ids import ElementId
from verify.match import Place, Quotation, glued, loosened, places, raised_unit
from verify.normalize import BARRIER, TYPOGRAPHIC_CHARACTERS, Normal, normalize
from verify.numbers import Convention, convention_of, extents
from verify.report import AlterationKind, Match, Region, Role
from verify.sentences import Span, sentences

_TOKEN = re.compile(r"\w+(?:[.,:/'’‐-]\w+)*|[^\w\s]")


class Piece(NamedTuple):
    """A slice of a page's text, or of an element's own text, that stands in a body from offset ``at``.

    ``words`` are indexes into the page's words, in text order. ``end`` is ``start`` plus the slice's length.
    """

    page: Page
    element: Element | None
    at: int
    start: int
    end: int
    words: Sequence[int]


class Altered(NamedTuple):
    """What a quotation changes or leaves out; ``start``/``end`` are offsets in the body, half-open."""

    kind: AlterationKind
    expected: str
    start: int
    end: int


class Hit(NamedTuple):
    """A quotation found in a body: ``spans`` are the places of its unaltered pieces, in order."""

    place: Place
    match: Match
    spans: tuple[Span, ...]
    altered: tuple[Altered, ...] = ()


class Kinded(NamedTuple):
    """A stretch of a body that is of a kind, as the spans of its elements say."""

    start: int
    end: int
    kind: SpanKind


class Body:
    """A text with its normal forms, words and tokens, each made when first asked for.

    ``marks`` are those of the footnotes of its pages.
    """

    def __init__(self, text: str, pieces: Sequence[Piece], marks: frozenset[str] = frozenset()) -> None:
        self.text = text
        self.marks = marks
        self.pieces = tuple(pieces)
        self._normal: list[Normal | None] = [None, None]
        self._starts = [p.at for p in pieces]

    @cached_property
    def kinded(self) -> tuple[Kinded, ...]:
        """The spans of its elements, in order."""
        return tuple(sorted(k for p in self.pieces for k in _kinded(p)))

    def kinds_in(self, spans: Iterable[Span]) -> frozenset[SpanKind]:
        """Kinds of the stretches that the spans touch."""
        if not self.kinded:
            return frozenset()
        return frozenset(k.kind for s in spans for k in self.kinded if k.start < s.end and s.start < k.end)

    @cached_property
    def reading(self) -> str:
        """``text`` as it is compared, of the same length: digits that are raised behind a digit as raised characters,
        a vertical tab before each cell, and nothing that this program wrote."""
        if not self.kinded and not any(p.page.tables for p in self.pieces):
            return self.text
        chars = list(self.text)
        for start, end, kind in self.kinded:
            if kind is SpanKind.GENERATED:
                chars[start:end] = BARRIER * (end - start)
            elif kind is SpanKind.SUPERSCRIPT and start and chars[start - 1].isdigit():
                chars[start:end] = self.text[start:end].translate(_RAISED)
        for at in self._cells:
            if at and chars[at - 1] in " \n":
                chars[at - 1] = "\v"
        return "".join(chars)

    @cached_property
    def _cells(self) -> tuple[int, ...]:
        """Where cells of tables begin."""
        return tuple(sorted(at for piece in self.pieces for at in _cell_starts(piece)))

    def cells_in(self, start: int, end: int) -> int:
        """How many cells begin inside a span."""
        return bisect_left(self._cells, end) - bisect_right(self._cells, start)

    @cached_property
    def unmarked(self) -> str:
        """``reading`` with a zero-width character for each character of a note's mark, and a space for the last one
        where the mark alone parts two words ("goods¹by")."""
        chars = list(self.reading)
        for start, end in self.note_marks:
            parts = start > 0 and chars[start - 1].isalpha() and self.reading[end : end + 1].isalpha()
            chars[start:end] = "\u200b" * (end - start - 1) + (" " if parts else "\u200b")
        return "".join(chars)

    @cached_property
    def note_marks(self) -> tuple[Span, ...]:
        """Marks of notes: by the spans of elements, by signs that touch a word, by the page's own footnotes."""
        found = {Span(k.start, k.end) for k in self.kinded if k.kind is SpanKind.NOTE_MARK}
        found.update(
            Span(*m.span()) for m in _NOTE_SIGN.finditer(self.reading) if not raised_unit(self.reading, m.start())
        )
        if self.marks:
            found.update(Span(*m.span()) for m in _NOTE_DIGITS.finditer(self.reading) if m.group() in self.marks)
        return tuple(sorted(found))

    @cached_property
    def loose(self) -> Normal:
        """For altered quotations: without marks of notes, with one quotation mark for all."""
        return normalize(loosened(self.unmarked), typographic=True)

    @cached_property
    def convention(self) -> Convention:
        language = next((p.page.language for p in self.pieces), None)
        return convention_of(self.unmarked, language)

    @cached_property
    def _numbers(self) -> tuple[list[int], list[int]]:
        return _columns([(n.start, n.end) for n in extents(self.unmarked)])

    @cached_property
    def _mark_edges(self) -> frozenset[int]:
        return frozenset(edge for k in self.kinded if k.kind is SpanKind.NOTE_MARK for edge in (k.start, k.end))

    def inside(self, at: int) -> bool:
        """True if an offset lies inside a word or number. The edges of a note's mark do not."""
        if at in self._mark_edges:
            return False
        starts, ends = self._numbers
        before = bisect_left(starts, at) - 1
        if before >= 0 and at < ends[before]:
            return True
        return glued(self.reading, at) and not _marked(self.reading, at, self.marks)

    @cached_property
    def _words(self) -> "_WordTable":
        return _WordTable(self.pieces)

    @cached_property
    def tokens(self) -> list[re.Match[str]]:
        """Words, numbers and single marks, in order."""
        return list(_TOKEN.finditer(self.text))

    def normal(self, typographic: bool) -> Normal:
        known = self._normal[typographic]
        if known is None:
            same = typographic and not TYPOGRAPHIC_CHARACTERS.search(self.reading)
            known = self._normal[typographic] = self.normal(False) if same else normalize(self.reading, typographic)
        return known

    def find(self, quotation: Quotation, ranges: Iterable[Span]) -> list[Hit]:
        """Every place in the ranges, whole or not, under the first profile that finds a whole one, else under both."""
        ranges = list(ranges)
        plain = self._find(quotation, ranges, False)
        if any(h.place.whole for h in plain):
            return plain
        typographic = self._find(quotation, ranges, True)
        return typographic if any(h.place.whole for h in typographic) else plain or typographic

    def _find(self, quotation: Quotation, ranges: list[Span], typographic: bool) -> list[Hit]:
        query = quotation.form(typographic)
        normal = self.normal(typographic)
        hits = []
        for start, end in ranges:
            for place in places(normal, query, start, end, self.inside):
                exact = not typographic and self.text[place.start : place.end] == quotation.text
                match = Match.TYPOGRAPHIC if typographic else Match.EXACT if exact else Match.NORMALIZED
                hits.append(Hit(place, match, (Span(place.start, place.end),)))
        return hits

    @property
    def whole(self) -> Span:
        return Span(0, len(self.text))

    def piece_at(self, offset: int) -> Piece:
        return self.pieces[bisect_right(self._starts, offset) - 1]

    def words_in(self, start: int, end: int) -> list[tuple[Page, Word]]:
        """Words that a span touches."""
        return self._words.between(start, end)


_RAISED = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_NOTE_SIGN = re.compile(r"(?<=[^\W\d_])[*†‡¹²³⁴⁵⁶⁷⁸⁹⁰]+(?!\w)|(?<=[.,;:?!)\]”’\"'])[†‡¹²³⁴⁵⁶⁷⁸⁹⁰]+(?!\w)")
"""A sign or raised digits behind a letter or a closing mark. Units with a raised 2 or 3 are no words with a note."""
_NOTE_DIGITS = re.compile(r"(?<=[^\W\d_])\d{1,3}(?!\w)")


def _kinded(piece: Piece) -> Iterable[Kinded]:
    if piece.element is not None:
        base = piece.element.start or 0
        elements, shift = [piece.element], piece.at - piece.start + base
        return (Kinded(s.start + shift, s.end + shift, s.kind) for e in elements for s in e.spans)
    shift = piece.at - piece.start
    elements = [e for e in piece.page.elements if e.start is not None and e.spans]
    return (Kinded(s.start + shift + (e.start or 0), s.end + shift + (e.start or 0), s.kind)
            for e in elements for s in e.spans)  # fmt: skip


def _cell_starts(piece: Piece) -> Iterable[int]:
    words, shift = piece.page.words, piece.at - piece.start
    for table in piece.page.tables:
        for cell in table.cells:
            starts = [words[i].start for i in cell.words if words[i].visible]
            if starts and piece.start <= min(starts) < piece.end:
                yield min(starts) + shift


def _marked(text: str, at: int, marks: frozenset[str]) -> bool:
    """True if the digits at ``at`` end a word of letters and are the mark of a footnote on the page."""
    found = _NOTE_DIGITS.match(text, at) if marks else None
    return found is not None and found.group() in marks


class _WordTable:
    """The words of a body as columns: where they begin and end in its text, their pages and their indexes there."""

    __slots__ = ("_ends", "_ids", "_pages", "_starts")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._pages: list[Page] = []
        self._ids: list[int] = []
        for piece in pieces:
            shift, words = piece.at - piece.start, piece.page.words
            self._starts += [words[i].start + shift for i in piece.words]
            self._ends += [words[i].end + shift for i in piece.words]
            self._pages += [piece.page] * len(piece.words)
            self._ids += piece.words

    def between(self, start: int, end: int) -> list[tuple[Page, Word]]:
        low, high = bisect_right(self._ends, start), bisect_left(self._starts, end)
        return [(page, page.words[i]) for page, i in zip(self._pages[low:high], self._ids[low:high], strict=True)]


def regions_of(words: Iterable[tuple[Page, Word]], role: Role) -> tuple[Region, ...]:
    """One box for each line that the words stand on, in their order."""
    lines: dict[tuple[int, int], list[Word]] = {}
    for page, word in words:
        lines.setdefault((page.index, word.line), []).append(word)
    return tuple(Region(index, union(w.box for w in line), role) for (index, _), line in lines.items())


def source_of(words: Sequence[tuple[Page, Word]]) -> TextSource:
    origins = {word.origin for _, word in words}
    if origins == {Origin.NATIVE}:
        return TextSource.NATIVE
    return TextSource.MIXED if Origin.NATIVE in origins else TextSource.OCR


class PageView:
    """A page with its text as a body and the orders that checks need.

    ``visible`` are indexes of the words of the page's text, in its order, ``rank`` the way back; ``running`` are the
    elements that are no furniture.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.elements = tuple(e for e in page.elements if e.start is not None)
        own = {i for e in page.elements if e.kind in OWN_TEXT for i in range(e.first_word, e.end_word)}
        shown = ((w.start, i) for i, w in enumerate(page.words) if w.visible and i not in own)
        self._word_starts, visible = _columns(sorted(shown))
        self.visible = visible
        self.body = Body(page.text, [Piece(page, None, 0, 0, len(page.text), visible)], _marks(page))
        self._by_start = sorted(self.elements, key=lambda e: (e.start or 0, e.end or 0))
        self._starts = [e.start or 0 for e in self._by_start]
        self.running = [e for e in self._by_start if e.kind not in FURNITURE]
        self.running_rank = {e.element_id: n for n, e in enumerate(self.running)}
        self._own: dict[ElementId, Body] = {}
        self._sentences: dict[ElementId, tuple[Span, ...]] = {}
        self.hidden = [i for i, w in enumerate(page.words) if not w.visible]
        self._hidden_bodies: dict[tuple[int, ...], list[Body]] = {}

    @cached_property
    def rank(self) -> dict[int, int]:
        return {i: n for n, i in enumerate(self.visible)}

    def words_between(self, start: int, end: int) -> list[int]:
        """Indexes of the words of the page's text that begin in a span of it."""
        return self.visible[bisect_left(self._word_starts, start) : bisect_left(self._word_starts, end)]

    def element(self, element_id: str) -> Element | None:
        return next((e for e in self.page.elements if e.element_id == element_id), None)

    def elements_in(self, start: int, end: int) -> list[Element]:
        """Elements of the page's text that a span touches, in text order."""
        first = max(0, bisect_right(self._starts, start) - 1)
        last = bisect_left(self._starts, end)
        return [e for e in self._by_start[first:last] if (e.end or 0) > start]

    def own_body(self, element: Element) -> Body:
        """The body of an annotation or form field."""
        if element.element_id not in self._own:
            words = [i for i in range(element.first_word, element.end_word) if self.page.words[i].visible]
            piece = Piece(self.page, element, 0, 0, len(element.text), words)
            self._own[element.element_id] = Body(element.text, [piece])
        return self._own[element.element_id]

    def sentences(self, element: Element) -> tuple[Span, ...]:
        """Sentences of an element, as offsets in its own text."""
        if element.element_id not in self._sentences:
            self._sentences[element.element_id] = sentences(element.text)
        return self._sentences[element.element_id]

    def hidden_bodies(self, words: Sequence[int]) -> list[Body]:
        """Texts that hold hidden words: the visible text with them in their places, and they alone."""
        key = tuple(words)
        if key not in self._hidden_bodies:
            self._hidden_bodies[key] = [Body(self._merged(words), []), Body(self._alone(words), [])]
        return self._hidden_bodies[key]

    def _merged(self, words: Sequence[int]) -> str:
        parts, at, text = [], 0, self.page.text
        for i in sorted(words, key=lambda i: (self.page.words[i].start, i)):
            word = self.page.words[i]
            parts += [text[at : word.start], " ", word.text, " "]
            at = word.start
        return "".join([*parts, text[at:]])

    def _alone(self, words: Sequence[int]) -> str:
        return " ".join(self.page.words[i].text for i in words)


def _marks(page: Page) -> frozenset[str]:
    """Marks of the page's footnotes."""
    return frozenset(e.mark for e in page.elements if e.kind is ElementKind.FOOTNOTE and e.mark)


def _columns(pairs: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    return [a for a, _ in pairs], [b for _, b in pairs]


def run_ranges(view: PageView, words: Iterable[int]) -> list[Span]:
    """Spans of the page's text that runs of neighbouring words cover: nothing is stitched over a word left out."""
    ranges: list[Span] = []
    last = -2
    for rank in sorted(view.rank[i] for i in words):
        word = view.page.words[view.visible[rank]]
        if rank == last + 1:
            ranges[-1] = Span(ranges[-1].start, word.end)
        else:
            ranges.append(Span(word.start, word.end))
        last = rank
    return ranges


@dataclass(frozen=True, slots=True)
class Scope:
    """The target of a check: ranges of a body, all of it one element's own text where ``own`` names it."""

    view: PageView
    body: Body
    ranges: tuple[Span, ...]
    hidden: tuple[int, ...]
    """Hidden words that lie in the target."""
    element: Element | None = None

    @property
    def own(self) -> bool:
        return self.element is not None and self.element.start is None

    @property
    def texts(self) -> list[str]:
        return [self.body.text[start:end] for start, end in self.ranges]


def break_body(views: Sequence[PageView]) -> Body:
    """The running text of pages in a row, without the furniture between its halves."""
    parts: list[str] = []
    pieces: list[Piece] = []
    at = 0
    for view in views:
        for element in view.running:
            start, end = element.start or 0, element.end or 0
            pieces.append(Piece(view.page, element, at, start, end, view.words_between(start, end)))
            parts += [view.page.text[start:end], "\n\n"]
            at += end - start + 2
    return Body("".join(parts[:-1]), pieces, frozenset().union(*(view.body.marks for view in views)))
