"""A page before its structure is known: words in content order, and the rules and pictures drawn around them."""

from dataclasses import dataclass
from typing import NamedTuple

from ingest.rendition.inks import NO_KINDS
from verify.domain.document import Origin, SpanKind
from verify.domain.geometry import Box


class RawWord(NamedTuple):
    """``baseline`` (1/100 pt from the top), ``size`` (font size, 1/100 pt) and ``bold`` serve layout only.

    ``joined`` is True where no space parts the word from the one before: a raised footnote mark ("1,860" and "2") is a
    word of its own, so that neither a quotation nor a table cell takes the mark for a digit. ``kinds`` are what is
    known of the word beside its text; ``cut`` says that words were taken out after it.
    """

    text: str
    box: Box
    baseline: int
    size: int
    bold: bool
    origin: Origin
    confidence: int
    visible: bool
    joined: bool = False
    kinds: frozenset[SpanKind] = NO_KINDS
    cut: bool = False


@dataclass(frozen=True, slots=True)
class RawPage:
    """``words`` as the file draws them (OCR words in the engine's order). ``horizontals``/``verticals`` are ruled
    lines and thin bars clipped to the page, as boxes; ``pictures`` are placed images."""

    index: int
    width: int
    height: int
    rotation: int
    words: tuple[RawWord, ...]
    horizontals: tuple[Box, ...] = ()
    verticals: tuple[Box, ...] = ()
    pictures: tuple[Box, ...] = ()


class CellDraft(NamedTuple):
    """``words`` index into ``RawPage.words``. ``box`` is the cell's own area, ruled or from its words. ``text`` is what
    the cell says: its words without footnote ``marks`` and without the dots that lead to a value."""

    row: int
    col: int
    row_span: int
    col_span: int
    box: Box
    words: tuple[int, ...]
    is_header: bool
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    marks: tuple[str, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table found on a raw page. ``title_words`` and each note's words stay running text beside the table."""

    box: Box
    row_count: int
    col_count: int
    cells: tuple[CellDraft, ...]
    title_words: tuple[int, ...]
    header_words: tuple[int, ...]
    notes: tuple[tuple[str | None, tuple[int, ...]], ...]
    header_rows: int
    uncertain: bool
