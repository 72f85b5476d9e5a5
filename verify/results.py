"""How a check's verdict is written down."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verify.bodies import Body, PageView, regions_of, source_of
from verify.domain.document import Element, Page, Word
from verify.guards import limitations_of_kinds, limitations_of_text, lowest_confidence, speaks_english
from verify.reader import Reader
from verify.report import CheckResult, Evidence, Limitation, Match, Reason, Role, Status
from verify.request import Check, Kind
from verify.sentences import Span
from verify.surroundings import Surroundings, Touched, surroundings


class Settings(NamedTuple):
    """``ocr_threshold`` is 0-1000: a word that OCR read with less confidence never verifies."""

    ocr_threshold: int


_ORDER = {limitation: i for i, limitation in enumerate(Limitation)}


def failed(check: Check, reason: Reason) -> CheckResult:
    return CheckResult(check.check_id, check.claim_id, check.kind.value, reason.status, reason)


def verified(
    check: Check, evidence: Evidence, match: Match | None, occurrences: int, limitations: Sequence[Limitation]
) -> CheckResult:
    return CheckResult(
        check.check_id, check.claim_id, check.kind.value, Status.VERIFIED, None, match, occurrences,
        tuple(sorted(set(limitations), key=_ORDER.__getitem__)), evidence,
    )  # fmt: skip


class Found(NamedTuple):
    """Evidence at a place in a body, with what it puts on the match."""

    evidence: Evidence
    limitations: tuple[Limitation, ...]
    words: Sequence[tuple[Page, Word]]


def locate(
    check: Check, reader: Reader, view: PageView, body: Body, spans: Sequence[Span], *, whole: bool = False
) -> Found:
    """Evidence at spans of a body, with the sentence around. Several spans have no offsets of their own, unless
    ``whole`` says that they are pieces of one quotation: its text then runs from the first to the last."""
    start, end = spans[0].start, spans[-1].end
    words = [w for span in spans for w in body.words_in(*span)]
    touched = _touched(reader, view, body, [Span(start, end)] if whole else spans)
    ids = _touched(reader, view, body, spans) if whole else touched
    limitations = [*limitations_of_text(words, [e for _, e in touched]), *limitations_of_kinds(body.kinds_in(spans))]
    page_start, page_end = on_page(body, start), on_page(body, end - 1) + 1
    around = None
    if touched:
        first, last = touched[0][1].start or 0, touched[-1][1].start or 0
        around = surroundings(reader, touched, page_start - first, page_end - last)
        limitations += _qualifying(view.page, around.qualified)
        if check.kind is not Kind.VALUE:
            limitations += _crossing(body, touched, around, start, end)
    if body is view.body and any(start < view.page.words[i].start < end for i in view.hidden):
        limitations.append(Limitation.HIDDEN_TEXT_INSIDE)
    placed = (len(spans) == 1 or whole) and not is_own(body)
    shown = body.text[start:end] if whole else " ".join(body.text[s:e] for s, e in spans)
    evidence = Evidence(
        check.source_id, check.fingerprint, view.page.index, view.page.label,
        tuple(e.element_id for _, e in ids), shown, around.sentence if around else None,
        page_start if placed else None, page_end if placed else None, regions_of(words, Role.TEXT), source_of(words),
        lowest_confidence(words), around.before if around else None, around.after if around else None,
    )  # fmt: skip
    return Found(evidence, tuple(limitations), words)


def _crossing(
    body: Body, touched: Sequence[Touched], around: Surroundings, start: int, end: int
) -> Iterator[Limitation]:
    """What a quotation runs over, or leaves out of its sentence (rule 12). A row of a table is no sentence."""
    if len({(view.page.index, e.element_id) for view, e in touched}) > 1:
        yield Limitation.CROSSES_ELEMENTS
    if body.cells_in(start, end):
        yield Limitation.CROSSES_CELLS
    elif around.partial:
        yield Limitation.PARTIAL_SENTENCE


def on_page(body: Body, offset: int) -> int:
    piece = body.piece_at(offset)
    return offset - piece.at + piece.start


def is_own(body: Body) -> bool:
    """True for the text of an annotation or form field."""
    element = body.pieces[0].element if body.pieces else None
    return element is not None and element.start is None


def _qualifying(page: Page, qualified: bool) -> list[Limitation]:
    if not speaks_english(page):
        return [Limitation.QUALIFIERS_NOT_CHECKED]
    return [Limitation.QUALIFIER_OUTSIDE_QUOTE] if qualified else []


def _touched(reader: Reader, view: PageView, body: Body, spans: Sequence[Span]) -> list[Touched]:
    """The elements that the spans run over, in text order, each with its page."""
    if body is view.body:
        return [(view, e) for span in spans for e in view.elements_in(*span)]
    start, end = spans[0].start, spans[-1].end
    pieces = (p for p in body.pieces if p.at < end and start < p.at + p.end - p.start)
    return [(reader.view(p.page.index) or view, p.element) for p in pieces if p.element is not None]


def element_at(view: PageView, start: int, end: int) -> Element | None:
    return next(iter(view.elements_in(start, end)), None)
