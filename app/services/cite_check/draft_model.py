"""What a draft is made of. Offsets are code points, half-open. Page indexes are 0-based."""

from dataclasses import dataclass
from enum import StrEnum

from verify.domain.document import Page
from verify.domain.ids import Fingerprint


class BlockKind(StrEnum):
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    BLOCK_QUOTE = "block_quote"
    NOTE = "note"
    CELL = "cell"


class DraftNote(StrEnum):
    """What a reader must know of how the draft was read."""

    CHANGES_ACCEPTED = "changes_accepted"
    SCANNED = "scanned"
    PARTLY_UNREAD = "partly_unread"
    NO_PAGES = "no_pages"


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters of a block from ``start`` on: those of a page's text from ``offset`` on, inside one element that
    begins at ``element_start`` of that text."""

    start: int
    page_index: int
    element_id: str
    offset: int
    element_start: int


@dataclass(frozen=True, slots=True)
class Block:
    """``page`` is where it begins, None in a draft without pages of its own; ``name`` is its place in words of the
    program ("p3-e4", "par-12", "footnote-2"). ``anchor`` is where a note's mark stands in the block before it."""

    text: str
    kind: BlockKind
    page: int | None
    name: str
    pieces: tuple[Piece, ...] = ()
    anchor: int | None = None

    @property
    def is_note(self) -> bool:
        return self.kind is BlockKind.NOTE

    def piece_at(self, offset: int) -> Piece | None:
        return next((piece for piece in reversed(self.pieces) if piece.start <= offset), None)


@dataclass(frozen=True, slots=True)
class Draft:
    """``pages`` are those of a draft that has some (not of DOCX), for marking a copy."""

    path: str
    fingerprint: Fingerprint
    media_type: str
    blocks: tuple[Block, ...]
    notes: tuple[DraftNote, ...] = ()
    pages: tuple[Page, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Offsets in the element's (paragraph's) text."""

    page: int | None
    element: str
    start: int
    end: int


def place_of(block: Block, start: int, end: int) -> Place:
    first = block.piece_at(start)
    if first is None:
        return Place(block.page, block.name, start, end)
    begin = first.offset - first.element_start + start - first.start
    return Place(first.page_index, first.element_id, begin, begin + end - start)
