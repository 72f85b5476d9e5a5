"""Passages: what retrieval ranks and a model is shown, with references that map every offset back to the page."""

from dataclasses import dataclass
from typing import NamedTuple

from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId


class PassagePart(NamedTuple):
    """``page.text[start:end]`` stands in the passage's text from offset ``at``; parts are joined by a blank line."""

    page_index: int
    element_id: ElementId
    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of whole elements (or a sentence-cut part of a long one) under one heading path.

    ``text`` is verbatim page text. ``title`` is the document's (declared title, first heading, else file name).
    """

    passage_id: PassageId
    source_id: SourceId
    fingerprint: Fingerprint
    ordinal: int
    title: str
    heading_path: tuple[str, ...]
    text: str
    parts: tuple[PassagePart, ...]

    @property
    def page_index(self) -> int:
        return self.parts[0].page_index

    @property
    def end_page_index(self) -> int:
        return self.parts[-1].page_index
