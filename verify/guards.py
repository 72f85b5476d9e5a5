"""What a reader must know of a match: how its text came to be, and where on the page it is."""

import re
from collections.abc import Iterable, Iterator, Sequence

from verify.domain.document import Element, ElementKind, Origin, Page, SpanKind, Word
from verify.report import Limitation, Reason

_RUNNING = frozenset({ElementKind.HEADER, ElementKind.FOOTER, ElementKind.PAGE_NUMBER, ElementKind.STAMP})


def limitations_of_text(words: Sequence[tuple[Page, Word]], elements: Sequence[Element]) -> Iterator[Limitation]:
    """What the way the text came to be, and where on the page it stands, put on a match."""
    origins = {word.origin for _, word in words}
    if origins - {Origin.NATIVE}:
        yield Limitation.OCR_TEXT
    if Origin.EMBEDDED_OCR in origins:
        yield Limitation.EMBEDDED_OCR
    if any(e.kind in _RUNNING for e in elements):
        yield Limitation.HEADER_OR_FOOTER


_OF_KIND = {
    SpanKind.STRUCK: Limitation.STRUCK_THROUGH,
    SpanKind.DELETED: Limitation.DELETED_TEXT,
    SpanKind.INSERTED: Limitation.INSERTED_TEXT,
    SpanKind.COMMENT: Limitation.COMMENT_TEXT,
    SpanKind.QUOTED_REPLY: Limitation.QUOTED_REPLY,
}


def limitations_of_kinds(kinds: Iterable[SpanKind]) -> Iterator[Limitation]:
    """What the kinds of the text itself put on a match (rule 6)."""
    return (_OF_KIND[kind] for kind in kinds if kind in _OF_KIND)


_UNKNOWN_SIGN = re.compile("(?<!\ufffd)\ufffd{1,2}(?!\ufffd)")
"""A row of three or more is a leader of dots, which says nothing."""


_SIGN_BEFORE = re.compile(rf"{_UNKNOWN_SIGN.pattern}\s*\Z")


def number_after_unknown_sign(text: str, start: int) -> bool:
    """True if a number begins at ``start`` behind a sign that the file gives no character, which may be a minus."""
    return text[start : start + 1].isdigit() and _SIGN_BEFORE.search(text, max(start - 4, 0), start) is not None


def doubt(words: Sequence[tuple[Page, Word]], threshold: int) -> Reason | None:
    """Why what the words say has to be looked at; None if they can be relied on. ``threshold``: 0-1000."""
    if under_threshold(words, threshold):
        return Reason.OCR_LOW_CONFIDENCE
    # a sign that the file gives no character may be "<", or the tick of a form
    return Reason.GARBLED_TEXT if any(_UNKNOWN_SIGN.search(word.text) for _, word in words) else None


def under_threshold(words: Sequence[tuple[Page, Word]], threshold: int) -> bool:
    """True if any word that this program's OCR read has less confidence than ``threshold`` (0-1000)."""
    return any(word.origin is Origin.OCR and word.confidence < threshold for _, word in words)


def lowest_confidence(words: Sequence[tuple[Page, Word]]) -> int | None:
    return min((word.confidence for _, word in words if word.origin is Origin.OCR), default=None)


def speaks_english(page: Page) -> bool:
    """True unless the page's language is known to be another."""
    return page.language is None or page.language.lower().split("-")[0] == "en"
