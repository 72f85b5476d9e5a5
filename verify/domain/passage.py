"""Passages: what retrieval ranks and a model is shown, with references that map every offset back to the page."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId


class PassageKind(StrEnum):
    """What a passage is made of. Only ``TEXT`` is running text; the others are named as what they are wherever they
    are shown."""

    TEXT = "text"
    HEADING = "heading"  # headings without the text below them
    FOOTNOTE = "footnote"
    COMMENT = "comment"
    HEADER = "header"
    FOOTER = "footer"
    STAMP = "stamp"
    FORM_FIELD = "form_field"
    ANNOTATION = "annotation"


FURNITURE_KINDS = frozenset({PassageKind.HEADER, PassageKind.FOOTER, PassageKind.STAMP})
"""What is printed on many pages and stands in one passage for all of them: on the first."""

OWN_TEXT_KINDS = frozenset({PassageKind.FORM_FIELD, PassageKind.ANNOTATION})
"""Text that is no part of the page's: offsets of these passages' parts count in the element's own text."""


class PassagePart(NamedTuple):
    """``page.text[start:end]`` stands in the passage's text from offset ``at``; parts are joined by a blank line. Of an
    annotation or form field, ``element.text[start:end]`` does. ``clause`` is the part's own number as lawyers cite it
    ("7.2(b)"), "" where it has none of its own."""

    page_index: int
    element_id: ElementId
    at: int
    start: int
    end: int
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of whole elements (or a sentence-cut part of a long one) under one heading path.

    ``text`` is verbatim page text, with a zero-width space for each character of a note's mark. ``title`` is the
    document's (declared title, first heading, else file name). ``bates`` is the number stamped on the page that it
    begins on.
    """

    passage_id: PassageId
    source_id: SourceId
    fingerprint: Fingerprint
    ordinal: int
    title: str
    heading_path: tuple[str, ...]
    text: str
    parts: tuple[PassagePart, ...]
    kind: PassageKind = PassageKind.TEXT
    bates: str | None = None

    @property
    def page_index(self) -> int:
        return self.parts[0].page_index

    @property
    def end_page_index(self) -> int:
        return self.parts[-1].page_index
