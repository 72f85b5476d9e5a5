"""Passages: runs of whole elements under one heading path, cut where a clause ends.

About 1,000 characters: short enough that a hit names a place, long enough that a clause keeps its conditions. A clause
that runs over a page break stays in one passage; only an element longer than the limit is cut, between sentences.

What is no running text has passages of its own kind, after the running text that it stands beside: footnotes, comments,
form fields, annotations; headers, footers and stamps once a document.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from verify.domain.document import Element, ElementKind, Page, SpanKind
from verify.domain.ids import Fingerprint, PassageId, SourceId
from verify.domain.passage import FURNITURE_KINDS, Passage, PassageKind, PassagePart
from verify.sentences import sentences

WANTED = 1000
LIMIT = 1500
_JOIN = "\n\n"
_NO_WIDTH = "\u200b"
"""Stands for each character of a note's mark in a passage: every offset stays, no word or amount grows by a digit, and
in a quotation it is passed over (contract, section 5, rule 3)."""
_CLAUSE = re.compile(r"(?:\w++ )?[\w.§]*\d(?:(?!\d)[\w.])*(?:\([^)]+\))*|(?:\([^)]+\))+")
_ENDS = re.compile(r"[.:;?!][\"”’')\]]*$")
_FIGURES = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?<=page )\d+|(?<=p\. )\d+|\d+(?= of \d)|(^\d+\b|\b\d+$)")
"""What is said to be a page's number; at either end (group 1) only if it is this page's."""
_MOST_BESIDE = 64
"""Pieces of other kinds that are held until the running text beside them ends."""
_KINDS = {
    ElementKind.FOOTNOTE: PassageKind.FOOTNOTE,
    ElementKind.HEADER: PassageKind.HEADER,
    ElementKind.FOOTER: PassageKind.FOOTER,
    ElementKind.STAMP: PassageKind.STAMP,
    ElementKind.FORM_FIELD: PassageKind.FORM_FIELD,
    ElementKind.ANNOTATION: PassageKind.ANNOTATION,
}


@dataclass(slots=True)
class _Piece:
    """A run of one element: ``page.text[start:end]`` is ``text`` (marks of notes apart); of own text
    ``element.text[start:end]``."""

    page_index: int
    bates: str | None
    element: Element
    kind: PassageKind
    start: int
    end: int
    text: str
    continues: bool = False
    """True if it goes on from the last piece: the same element, or a paragraph that a page break parted."""
    head: "_Piece | None" = None
    """Of a later part of a table: the rows of its headers, which come along."""


@dataclass(slots=True)
class _Open:
    pieces: list[_Piece] = field(default_factory=list)
    size: int = 0

    def add(self, piece: _Piece) -> None:
        self.pieces.append(piece)
        self.size += len(piece.text) + len(_JOIN)


def cut_passages(pages: Iterable[Page], source_id: SourceId, fingerprint: Fingerprint, title: str) -> Iterator[Passage]:
    """Passages in reading order, streamed: no more than a page or two is held.

    ``title`` is the document's. Every visible character stands in exactly one passage, but for page numbers, which
    stand in none, table headers, which are repeated with each part of a long table, and headers, footers and stamps: of
    those that are said on many pages the first stands in one.
    """
    for ordinal, pieces in enumerate(_groups(_pieces(pages))):
        yield _passage(pieces, source_id, fingerprint, title, ordinal)


def _pieces(pages: Iterable[Page]) -> Iterator[_Piece]:
    last: dict[PassageKind, Element] = {}
    printed: set[str] = set()
    for page in pages:
        for element in page.elements:
            kind = _kind(element)
            if kind is None or (kind in FURNITURE_KINDS and not _is_new(page, element, printed)):
                continue
            pieces = _split(page, element, kind)
            if kind in last and _runs_on(last[kind], element):
                pieces[0].continues = True
            yield from pieces
            last[kind] = element


def _kind(element: Element) -> PassageKind | None:
    """None for what stands in no passage."""
    if element.kind is ElementKind.PAGE_NUMBER or not element.text.strip():
        return None
    if _is_all(element, SpanKind.GENERATED, SpanKind.COMMENT):
        said = any(span.kind is SpanKind.COMMENT for span in element.spans)
        return PassageKind.COMMENT if said else None  # a label of this program's own says nothing of the document
    return _KINDS.get(element.kind, PassageKind.TEXT)


def _is_all(element: Element, *kinds: SpanKind) -> bool:
    """Whether every word of an element is of one of the kinds."""
    letters = list(element.text)
    for span in element.spans:
        if span.kind in kinds:
            letters[span.start : span.end] = " " * (span.end - span.start)
    return bool(element.spans) and not "".join(letters).strip()


def _is_new(page: Page, element: Element, printed: set[str]) -> bool:
    """Whether no page before had the same words in its margin, the number of the page aside; of stamps any figures
    aside. Figures alone are no words, and a page's Bates number is kept with its passages."""
    words = " ".join(element.text.split()).lower()
    if element.kind is ElementKind.STAMP:
        words = _FIGURES.sub("#", words)
    else:
        own = (page.label, page.printed_label, str(page.index + 1))
        words = _PAGE_NUMBER.sub(lambda m: m[0] if m[1] and m[1] not in own else "#", words)
    if words in printed or element.text.strip() == page.bates or not any(map(str.isalpha, words)):
        return False
    printed.add(words)
    return True


def _runs_on(last: Element, element: Element) -> bool:
    """A paragraph parted by a page or column: the first part ends without a stop, the second begins small. A note that
    goes on has no mark of its own there."""
    plain = (ElementKind.PARAGRAPH, ElementKind.LIST_ITEM)
    note = last.kind is element.kind is ElementKind.FOOTNOTE
    if not note and (last.kind not in plain or element.kind is not ElementKind.PARAGRAPH):
        return False
    if element.mark is not None:
        return False
    return not _ENDS.search(last.text) and (element.text[:1].islower() or not element.text[:1].isupper())


def _split(page: Page, element: Element, kind: PassageKind) -> list[_Piece]:
    if len(element.text) <= LIMIT:
        return [_piece(page, element, kind, 0, len(element.text))]
    if element.kind is not ElementKind.TABLE:
        pieces = [_piece(page, element, kind, a, b) for a, b in _sentence_spans(element.text)]
        for piece in pieces[1:]:
            piece.continues = True
        return pieces
    pieces = [_piece(page, element, kind, a, b) for a, b in _row_spans(element.text)]
    head = _piece(page, element, kind, 0, _head_end(page, element))
    for piece in pieces[1:]:
        piece.head = head
    return pieces


def _piece(page: Page, element: Element, kind: PassageKind, start: int, end: int) -> _Piece:
    first, text = element.start or 0, element.text
    for mark in element.spans:
        if mark.kind is SpanKind.NOTE_MARK and mark.start > 0:  # at the head of a note it is the note's own
            text = text[: mark.start] + _NO_WIDTH * (mark.end - mark.start) + text[mark.end :]
    return _Piece(page.index, page.bates, element, kind, first + start, first + end, text[start:end])


def _head_end(page: Page, element: Element) -> int:
    """Where the rows of column headers end in a table's text; after its first row where none are known, and never so
    far down that little else would fit."""
    first_row = (element.text + "\n").index("\n")
    table = next((t for t in page.tables if t.element_id == element.element_id), None)
    if table is None:
        return min(first_row, WANTED // 2)
    body = min((c.row for c in table.cells if c.column_path or c.row_path), default=1)
    ends = [page.words[i].end for c in table.cells if c.row < body for i in c.words]
    end = max(ends, default=0) - (element.start or 0)
    return end if 0 < end <= WANTED // 2 else min(first_row, WANTED // 2)


def _sentence_spans(text: str) -> list[tuple[int, int]]:
    """Runs of sentences of about the wanted size; a sentence over the limit is cut between words."""
    return _packed(text, [span for a, b in sentences(text) for span in _bounded(text, a, b)])


def _row_spans(text: str) -> list[tuple[int, int]]:
    """Runs of whole rows."""
    rows, at = [], 0
    for row in text.split("\n"):
        rows.append((at, at + len(row)))
        at += len(row) + 1
    return _packed(text, [span for a, b in rows for span in _bounded(text, a, b)])


def _bounded(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > LIMIT:
        at = max(text.rfind(" ", start + 1, start + LIMIT), text.rfind("\n", start + 1, start + LIMIT))
        at = at if at > start else start + LIMIT
        yield start, at
        start = at + (text[at : at + 1] in (" ", "\n"))
    if start < end:
        yield start, end


def _packed(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in spans:
        if out and end - out[-1][0] <= WANTED:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out


def _groups(pieces: Iterator[_Piece]) -> Iterator[list[_Piece]]:
    """The pieces of each passage. What is no running text waits until the text beside it ends, which may be on the next
    page."""
    current = _Open()
    beside: list[_Piece] = []
    for piece in pieces:
        if piece.kind is not PassageKind.TEXT:
            beside.append(piece)
            if len(beside) < _MOST_BESIDE or current.pieces:
                continue
            yield from _by_kind(beside)
            beside = []
            continue
        if current.pieces and not _fits(current, piece):
            kept = _trailing_headings(current)
            if current.pieces:
                yield current.pieces
            yield from _by_kind([one for one in beside if one.page_index < piece.page_index])
            beside = [one for one in beside if one.page_index >= piece.page_index]
            current = _Open()
            for heading in kept:
                current.add(heading)
        if piece.head is not None and not current.pieces:
            current.add(piece.head)
        current.add(piece)
    if current.pieces:
        yield current.pieces
    yield from _by_kind(beside)


def _by_kind(pieces: list[_Piece]) -> Iterator[list[_Piece]]:
    """Pieces of one kind and page together, up to the wanted size; a note that goes on overleaf is kept whole."""
    for kind in dict.fromkeys(piece.kind for piece in pieces):
        current = _Open()
        for piece in (one for one in pieces if one.kind is kind):
            size = current.size + len(piece.text)
            near = not current.pieces or _beside(current.pieces[-1], piece)
            if current.pieces and not (size <= LIMIT if piece.continues else near and size <= WANTED):
                yield current.pieces
                current = _Open()
            current.add(piece)
        yield current.pieces


def _beside(last: _Piece, piece: _Piece) -> bool:
    """On one page, and of annotations typed beside labels each with its own."""
    return last.page_index == piece.page_index and last.element.heading_path == piece.element.heading_path


def _fits(current: _Open, piece: _Piece) -> bool:
    size = current.size + len(piece.text)
    if piece.continues and piece.element is not current.pieces[-1].element:
        return size <= LIMIT
    if all(p.element.kind is ElementKind.HEADING for p in current.pieces):
        return size <= LIMIT
    if piece.page_index != current.pieces[-1].page_index:
        return False  # a passage that begins on another page than its answer sends the reader to the wrong one
    if piece.element.kind is ElementKind.HEADING or _section(piece) != _section(current.pieces[-1]):
        return False
    if ElementKind.TABLE in (piece.element.kind, current.pieces[-1].element.kind):
        return current.pieces[-1].element.kind is ElementKind.CAPTION and size <= LIMIT
    return size <= WANTED


def _clause(element: Element) -> str:
    """The element's own number, with those that it stands under."""
    path = element.heading_path
    return path[-1] if path and _CLAUSE.fullmatch(path[-1]) else ""


def _section(piece: _Piece) -> tuple[str, ...]:
    """The headings without a last clause number: clauses of one section may share a passage."""
    path = piece.element.heading_path
    return path[:-1] if _clause(piece.element) else path


def _trailing_headings(current: _Open) -> list[_Piece]:
    """Takes headings off the end, so that they stand with what follows them; never all of a passage."""
    kept: list[_Piece] = []
    while len(current.pieces) > 1 and current.pieces[-1].element.kind is ElementKind.HEADING:
        kept.insert(0, current.pieces.pop())
    return kept


def _passage(pieces: list[_Piece], source_id: SourceId, fingerprint: Fingerprint, title: str, ordinal: int) -> Passage:
    parts, at = [], 0
    for piece in pieces:
        parts.append(
            PassagePart(piece.page_index, piece.element.element_id, at, piece.start, piece.end, _clause(piece.element))
        )
        at += len(piece.text) + len(_JOIN)
    main = next((p for p in pieces if p.element.kind is not ElementKind.HEADING), pieces[0])
    path, text = main.element.heading_path, _JOIN.join(piece.text for piece in pieces)
    # An index compares passages by their ids alone, so what a passage says is part of its id.
    about = (*path, main.kind, pieces[0].bates or "", str(pieces[0].page_index), text)
    digest = hashlib.sha256("\n".join(about).encode()).hexdigest()[:10]
    key = PassageId(f"{source_id}:{ordinal}:{digest}")
    kind = PassageKind.HEADING if main.element.kind is ElementKind.HEADING else main.kind
    return Passage(key, source_id, fingerprint, ordinal, title, path, text, tuple(parts), kind, pieces[0].bates)
