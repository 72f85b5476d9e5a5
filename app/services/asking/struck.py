"""Sentences without the words that are struck through on the page: these say nothing, and are named as struck."""

from collections.abc import Iterator, Mapping, Sequence

from models.answering.drafts import ShownSentence
from verify.domain.document import Page, SourceRecord, SpanKind, WarningCode
from verify.domain.passage import Passage

Stretch = tuple[int, int]


def has_struck(record: SourceRecord) -> bool:
    return any(warning.code is WarningCode.HAS_STRUCK_TEXT for warning in record.warnings)


def struck_in(passage: Passage, pages: Mapping[int, Page]) -> tuple[Stretch, ...]:
    """Half-open offsets in the passage's text, in order."""
    return tuple(sorted(_stretches(passage, pages)))


def _stretches(passage: Passage, pages: Mapping[int, Page]) -> Iterator[Stretch]:
    for part in passage.parts:
        page = pages.get(part.page_index)
        element = None if page is None else next((e for e in page.elements if e.element_id == part.element_id), None)
        if element is None:
            continue
        shift = part.at - part.start + (element.start or 0)
        least, most = part.at, part.at + part.end - part.start
        for span in element.spans:
            start, end = max(span.start + shift, least), min(span.end + shift, most)
            if span.kind is SpanKind.STRUCK and start < end:
                yield start, end


def live(sentence: ShownSentence, passage: Passage, struck: Sequence[Stretch]) -> ShownSentence:
    """``sentence`` with only its live words as its text, and the others as ``struck``. Where no word but its number is
    left, nothing is."""
    inside = [(max(a, sentence.start), min(b, sentence.end)) for a, b in struck]
    inside = [(a, b) for a, b in inside if passage.text[a:b].strip()] if sentence.cell is None else []
    if not inside:
        return sentence
    kept, at = [], sentence.start
    for start, end in inside:
        kept.append(passage.text[at:start])
        at = max(at, end)
    text = "".join([*kept, passage.text[at : sentence.end]])
    gone = " … ".join(passage.text[a:b].strip() for a, b in inside)
    left = any(sum(map(str.isalpha, word)) > 1 for word in text.split())
    if not left:
        return sentence._replace(text="", struck=passage.text[sentence.start : sentence.end])
    return sentence._replace(text=text, struck=gone)
