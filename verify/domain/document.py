"""A source as it was read: its record, pages, words, lines, elements and tables.

Offsets are code points, half-open. Boxes are as in ``geometry``. Page indexes are 0-based.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from verify.domain.geometry import Box
from verify.domain.ids import CellId, ElementId, Fingerprint, SourceId, TableId


class Origin(StrEnum):
    """Where a word's characters come from."""

    NATIVE = "native"
    OCR = "ocr"
    EMBEDDED_OCR = "embedded_ocr"  # an OCR layer that came with the file; it has no confidence


class TextSource(StrEnum):
    NATIVE = "native"
    OCR = "ocr"
    MIXED = "mixed"
    NONE = "none"


class LabelOrigin(StrEnum):
    DECLARED = "declared"
    PRINTED = "printed"
    NONE = "none"


class ElementKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    FOOTNOTE = "footnote"
    TABLE = "table"
    CAPTION = "caption"
    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    STAMP = "stamp"
    ANNOTATION = "annotation"
    FORM_FIELD = "form_field"


FURNITURE = frozenset(
    {ElementKind.HEADER, ElementKind.FOOTER, ElementKind.PAGE_NUMBER, ElementKind.STAMP, ElementKind.FOOTNOTE}
)
"""What a quotation over a page break passes over (contract, section 5, rule 2)."""

OWN_TEXT = frozenset({ElementKind.ANNOTATION, ElementKind.FORM_FIELD})
"""Elements whose text is their own and never part of the page's text."""


class WarningCode(StrEnum):
    NO_TEXT = "no_text"
    OCR_USED = "ocr_used"
    OCR_LOW_CONFIDENCE = "ocr_low_confidence"
    OCR_LANGUAGE_MISSING = "ocr_language_missing"
    GARBLED_TEXT = "garbled_text"
    HIDDEN_TEXT = "hidden_text"
    COVERED_TEXT = "covered_text"
    OFF_PAGE_TEXT = "off_page_text"
    READING_ORDER_UNCERTAIN = "reading_order_uncertain"
    TABLE_UNCERTAIN = "table_uncertain"
    LABELS_INCONSISTENT = "labels_inconsistent"
    HAS_ANNOTATIONS = "has_annotations"
    HAS_FORM_FIELDS = "has_form_fields"
    HAS_ATTACHMENTS = "has_attachments"
    HAS_REVISIONS = "has_revisions"
    HAS_STRUCK_TEXT = "has_struck_text"
    FAILED_REDACTION = "failed_redaction"
    BATES_GAP = "bates_gap"
    BATES_DUPLICATE = "bates_duplicate"
    REPAIRED = "repaired"
    ENCRYPTED_OWNER_ONLY = "encrypted_owner_only"
    PAGE_FAILED = "page_failed"
    TRUNCATED = "truncated"


class SourceWarning(NamedTuple):
    """``detail`` is in words and never quotes document text. ``page_index`` is None for the whole source."""

    code: WarningCode
    page_index: int | None
    detail: str


WITHOUT_TEXT = frozenset({WarningCode.NO_TEXT, WarningCode.GARBLED_TEXT, WarningCode.PAGE_FAILED})
"""Of a page: nothing of it, or not all, was read as text that can be searched."""


def pages_without_text(warnings: Iterable[SourceWarning]) -> int:
    """How many pages the warnings name as not read, each counted once."""
    return len({w.page_index for w in warnings if w.code in WITHOUT_TEXT and w.page_index is not None})


NO_CONFIDENCE = -1


class Word(NamedTuple):
    """One word as the page shows it.

    ``start``/``end`` are offsets in the page's text, or in the element's own text for an annotation or form field.
    A word that a reader cannot see (``visible`` False) is not part of any text: its ``start == end`` is the place in
    the page's text where it would stand, and ``text`` holds its characters.
    ``line`` is the index into ``Page.lines``; -1 for a hidden word that lies on no visible line.
    ``confidence`` is 0-1000 for OCR, else ``NO_CONFIDENCE``.
    """

    text: str
    start: int
    end: int
    box: Box
    line: int
    confidence: int
    origin: Origin
    visible: bool


class SpanKind(StrEnum):
    """What a stretch of an element's text is, beside being text (contract, section 3)."""

    NOTE_MARK = "note_mark"
    SUPERSCRIPT = "superscript"
    SUBSCRIPT = "subscript"
    STRUCK = "struck"
    INSERTED = "inserted"
    DELETED = "deleted"
    COMMENT = "comment"
    QUOTED_REPLY = "quoted_reply"
    GENERATED = "generated"


class Span(NamedTuple):
    """Half-open offsets in the text of an element. Spans of different kinds may overlap. A deleted one without length
    is a place where tracked changes took words out of the text; they stand below it."""

    start: int
    end: int
    kind: SpanKind


class Line(NamedTuple):
    """A visual line of one element. Words ``first_word`` to ``end_word`` (half-open) of the page lie on it.

    ``number`` is the number printed beside the line of a transcript or pleading; it is in no text.
    """

    box: Box
    first_word: int
    end_word: int
    number: int | None


@dataclass(frozen=True, slots=True)
class Element:
    """A block in reading order. ``page.text[start:end] == text`` unless the text is its own (``start`` is None).

    Word and line ranges are half-open indexes into the page's. Inside ``text`` lines are parted by one line feed and
    words by one space; a hyphen printed at a line end stays ("termi-\\nnation").
    """

    element_id: ElementId
    kind: ElementKind
    bbox: Box
    text: str
    start: int | None
    end: int | None
    first_word: int
    end_word: int
    first_line: int
    end_line: int
    text_source: TextSource
    ocr_confidence: int | None = None
    heading_path: tuple[str, ...] = ()
    mark: str | None = None
    """Of a footnote: the mark that its text refers to ("3", "*"). Of a list item or heading: its number as printed."""
    warnings: tuple[SourceWarning, ...] = ()
    spans: tuple[Span, ...] = ()
    """In order of start, then end. A table's are in the text of its element, as of every other kind."""


@dataclass(frozen=True, slots=True)
class Cell:
    """``words`` are indexes into the page's words. Paths name headers from the outermost in; header cells have none
    of their own direction. ``marks`` are the footnote marks that stand beside the value."""

    cell_id: CellId
    row: int
    col: int
    row_span: int
    col_span: int
    bbox: Box
    text: str
    words: tuple[int, ...]
    is_header: bool
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    marks: tuple[str, ...] = ()
    address: str | None = None


class StatementKind(StrEnum):
    TITLE = "title"
    HEADER = "header"
    NOTE = "note"


class Statement(NamedTuple):
    """Words of a table's own title, headers or notes, which may state unit and scale. ``mark`` ties a note to cells."""

    kind: StatementKind
    text: str
    bbox: Box
    mark: str | None


@dataclass(frozen=True, slots=True)
class Table:
    """``unit`` and ``scale`` are what the table's own statements say of all its cells, None where they say nothing."""

    table_id: TableId
    element_id: ElementId
    bbox: Box
    title: str | None
    unit: str | None
    scale: int | None
    continued_from: TableId | None
    row_count: int
    col_count: int
    cells: tuple[Cell, ...]
    statements: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """``label`` is what the document declares, else what the page prints; ``label_origin`` says which.

    ``text`` is the visible running text: elements in reading order, parted by a blank line. ``garbled`` means that
    the characters are not what the page shows (and no OCR replaced them). ``language`` is an ISO 639-1 code or None.
    """

    index: int
    label: str | None
    label_origin: LabelOrigin
    printed_label: str | None
    bates: str | None
    width: int
    height: int
    rotation: int
    text_source: TextSource
    ocr_confidence: int | None
    text: str
    words: tuple[Word, ...]
    lines: tuple[Line, ...]
    elements: tuple[Element, ...]
    tables: tuple[Table, ...] = ()
    warnings: tuple[SourceWarning, ...] = ()
    garbled: bool = False
    language: str | None = None


class SourceStatus(StrEnum):
    INDEXED = "indexed"
    PARTIAL = "partial"
    NEEDS_PASSWORD = "needs_password"  # noqa: S105 (a status, not a password)
    UNREADABLE = "unreadable"
    UNSUPPORTED = "unsupported"
    SUPERSEDED = "superseded"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Parser:
    """What read the source; ids of elements and tables are stable for one fingerprint and one of these."""

    name: str
    version: str
    profile: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """None until a person sets it or the file declares it; never guessed."""

    title: str | None = None
    document_type: str | None = None
    issuer: str | None = None
    jurisdiction: str | None = None
    dated: str | None = None
    revision: str | None = None
    authority_status: str | None = None
    privilege: str | None = None
    access_class: str | None = None


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """``path`` is relative to the matter, POSIX, NFC. A child of an e-mail or archive has ``parent`` and a path of
    ``{parent path}!/{member}``. ``unread_pages`` counts the pages ``WITHOUT_TEXT``, also beyond the warnings kept."""

    source_id: SourceId
    path: str
    fingerprint: Fingerprint
    media_type: str
    page_count: int
    status: SourceStatus
    parser: Parser
    other_paths: tuple[str, ...] = ()
    ocr_pages: int = 0
    chunk_count: int = 0
    parent: SourceId | None = None
    metadata: Metadata = field(default_factory=Metadata)
    warnings: tuple[SourceWarning, ...] = ()
    unread_pages: int = 0
