"""Passages: runs of whole elements under one heading path, cut where a clause ends.

About 1,000 characters: short enough that a hit names a place, long enough that a clause keeps its conditions. A clause
that runs over a page break stays in one passage; only an element longer than the limit is cut, between sentences.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from verify.domain.document import FURNITURE, OWN_TEXT, Element, ElementKind, Page
from verify.domain.ids import Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart
from verify.sentences import sentences

WANTED = 1000
LIMIT = 1500
_JOIN = "\n\n"
_CLAUSE = re.compile(r"(?:\w++ )?[\w.§]*\d(?:(?!\d)[\w.])*(?:\([^)]+\))*|(?:\([^)]+\))+")
_ENDS = re.compile(r"[.:;?!][\"”’')\]]*$")


@dataclass(slots=True)
class _Piece:
    """A run of one element: ``page.text[start:end]`` is ``text``."""

    page_index: int
    element: Element
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

    ``title`` is the document's. Annotations and form fields are passages of their own kind of text and are left out;
    headers, footers, page numbers and stamps too. Every other visible character stands in exactly one passage, but for
    table headers, which are repeated with each part of a long table.
    """
    for ordinal, pieces in enumerate(_groups(_pieces(pages))):
        yield _passage(pieces, source_id, fingerprint, title, ordinal)


def _pieces(pages: Iterable[Page]) -> Iterator[_Piece]:
    last: Element | None = None
    for page in pages:
        notes: list[_Piece] = []
        for element in page.elements:
            if element.start is None or element.kind in OWN_TEXT or not element.text.strip():
                continue
            if element.kind is ElementKind.FOOTNOTE:
                notes.extend(_split(page, element))
                continue
            if element.kind in FURNITURE:
                continue
            pieces = _split(page, element)
            if last is not None and _runs_on(last, element):
                pieces[0].continues = True
            yield from pieces
            last = element
        yield from notes


def _runs_on(last: Element, element: Element) -> bool:
    """A paragraph parted by a page or column: the first part ends without a stop, the second begins small."""
    plain = (ElementKind.PARAGRAPH, ElementKind.LIST_ITEM)
    if last.kind not in plain or element.kind is not ElementKind.PARAGRAPH or element.mark is not None:
        return False
    return not _ENDS.search(last.text) and (element.text[:1].islower() or not element.text[:1].isupper())


def _split(page: Page, element: Element) -> list[_Piece]:
    if len(element.text) <= LIMIT:
        return [_piece(page, element, 0, len(element.text))]
    if element.kind is not ElementKind.TABLE:
        pieces = [_piece(page, element, a, b) for a, b in _sentence_spans(element.text)]
        for piece in pieces[1:]:
            piece.continues = True
        return pieces
    pieces = [_piece(page, element, a, b) for a, b in _row_spans(element.text)]
    head = _piece(page, element, 0, _head_end(page, element))
    for piece in pieces[1:]:
        piece.head = head
    return pieces


def _piece(page: Page, element: Element, start: int, end: int) -> _Piece:
    first = element.start or 0
    return _Piece(page.index, element, first + start, first + end, element.text[start:end])


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
    current = _Open()
    for piece in pieces:
        if current.pieces and not _fits(current, piece):
            kept = _trailing_headings(current)
            if current.pieces:
                yield current.pieces
            current = _Open()
            for heading in kept:
                current.add(heading)
        if piece.head is not None and not current.pieces:
            current.add(piece.head)
        current.add(piece)
    if current.pieces:
        yield current.pieces


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


def _section(piece: _Piece) -> tuple[str, ...]:
    """The headings without a last clause number: clauses of one section may share a passage."""
    path = piece.element.heading_path
    return path[:-1] if path and _CLAUSE.fullmatch(path[-1]) else path


def _trailing_headings(current: _Open) -> list[_Piece]:
    """Takes headings off the end, so that they stand with what follows them; never all of a passage."""
    kept: list[_Piece] = []
    while len(current.pieces) > 1 and current.pieces[-1].element.kind is ElementKind.HEADING:
        kept.insert(0, current.pieces.pop())
    return kept


def _passage(pieces: list[_Piece], source_id: SourceId, fingerprint: Fingerprint, title: str, ordinal: int) -> Passage:
    parts, at = [], 0
    for piece in pieces:
        parts.append(PassagePart(piece.page_index, piece.element.element_id, at, piece.start, piece.end))
        at += len(piece.text) + len(_JOIN)
    main = next((p for p in pieces if p.element.kind is not ElementKind.HEADING), pieces[0])
    path, text = main.element.heading_path, _JOIN.join(piece.text for piece in pieces)
    # An index compares passages by their ids alone, so what a passage says is part of its id.
    digest = hashlib.sha256("\n".join((*path, str(pieces[0].page_index), text)).encode()).hexdigest()[:10]
    key = PassageId(f"{source_id}:{ordinal}:{digest}")
    return Passage(key, source_id, fingerprint, ordinal, title, path, text, tuple(parts))
