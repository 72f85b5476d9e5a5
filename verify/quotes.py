"""The checks of words: quotations and regions."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from verify.alterations import altered_forms, find_altered, without_marks
from verify.bodies import Altered, Body, Hit, PageView, Scope
from verify.differences import nearest
from verify.domain.document import Element
from verify.guards import doubt, number_after_unknown_sign
from verify.match import Place, Quotation, equal
from verify.normalize import normalize
from verify.qualifiers import left_out
from verify.reader import Reader
from verify.report import Alteration, AlterationKind, CheckResult, Elsewhere, Limitation, Match, Nearest, Reason
from verify.request import Check, Kind
from verify.results import Settings, element_at, failed, is_own, locate, on_page, verified
from verify.sentences import Span
from verify.targets import Stop, scope_of


def check_quote(check: Check, reader: Reader, view: PageView, settings: Settings) -> CheckResult:
    """Raises Stop if the locators name no target."""
    quotation = Quotation(check.expected_text or "")
    scope = scope_of(check, reader, view)
    last = check.page_index if check.end_page_index is None else check.end_page_index
    if last == check.page_index:
        body, ranges = scope.body, list(scope.ranges)
    else:
        if last - check.page_index > len(quotation.text):  # every page between holds a character of it
            return _not_found(check, reader, scope, quotation, None)
        over = reader.over_break(check.page_index, last)
        if over is None:
            raise Stop(Reason.DOCUMENT_UNREADABLE)
        body, ranges = over, [over.whole]
    hits = [h for h in _find(body, quotation, ranges) if last == check.page_index or _straddles(body, h, scope, last)]
    whole = [h for h in hits if h.place.whole]
    if whole and body is view.body:
        hits = whole = [h for h in whole if not _read_across(view, h)]
    if whole:
        return _found(check, reader, view, body, whole, settings)
    if hits:
        return _not_found(check, reader, scope, quotation, Reason.PARTIAL_WORD)
    return _not_found(check, reader, scope, quotation, _why(check, reader, scope, quotation, settings))


def _find(body: Body, quotation: Quotation, ranges: Sequence[Span]) -> list[Hit]:
    """As it is, else altered as lawyers mark it."""
    hits = body.find(quotation, ranges)
    if any(h.place.whole for h in hits):
        return hits
    texts = dict.fromkeys((quotation.text, without_marks(quotation.text, body)))
    forms = (find_altered(body, form, ranges) for text in texts for form in altered_forms(text))
    return next(filter(None, forms), hits)


def _straddles(body: Body, hit: Hit, scope: Scope, last: int) -> bool:
    """True for a hit that begins in the target and ends on page ``last``."""
    first_piece, last_piece = body.piece_at(hit.place.start), body.piece_at(hit.place.end - 1)
    ends_there = first_piece.page.index != last_piece.page.index == last
    return ends_there and _first_part_in(body, hit.place, scope)


def _read_across(view: PageView, hit: Hit) -> bool:
    """True if a piece runs from one block into another beside it, as no reader goes: signature blocks side by side.

    The next column of a page begins above the end of the one before; a block beside begins level with it or below.
    """
    for span in hit.spans:
        blocks = view.elements_in(*span)
        if any(_beside(view, a, b) for a, b in itertools.pairwise(blocks)):
            return True
    return False


_LEVEL = 200
"""By how much the tops of two words of one line may differ (2 pt)."""


def _beside(view: PageView, one: Element, two: Element) -> bool:
    if one.bbox.x0 < two.bbox.x1 and two.bbox.x0 < one.bbox.x1:
        return False
    ends = view.words_between(one.start or 0, one.end or 0)[-1:]
    begins = view.words_between(two.start or 0, two.end or 0)[:1]
    words = view.page.words
    return bool(ends and begins) and words[begins[0]].box.y0 >= words[ends[0]].box.y0 - _LEVEL


def _first_part_in(body: Body, place: Place, scope: Scope) -> bool:
    """True if all words on the first page lie in the target."""
    index = scope.view.page.index
    return (
        all(
            any(start <= word.start and word.end <= end for start, end in scope.ranges)
            for page, word in body.words_in(place.start, place.end)
            if page.index == index
        )
        and body.piece_at(place.start).page.index == index
    )


def _found(
    check: Check, reader: Reader, view: PageView, body: Body, hits: Sequence[Hit], settings: Settings
) -> CheckResult:
    """The first occurrence whose words can be relied on, else none verifies."""
    tried = hits[:_MOST_TRIED]
    doubts = [_doubt_of(body, h, settings.ocr_threshold) for h in tried]
    hit = next((h for h, reason in zip(tried, doubts, strict=True) if reason is None), None)
    found = locate(check, reader, view, body, (hit or hits[0]).spans, whole=True)
    if hit is None:
        return replace(failed(check, doubts[0] or Reason.OCR_LOW_CONFIDENCE), evidence=found.evidence)
    limitations = [*found.limitations, *([Limitation.MULTIPLE_OCCURRENCES] if len(hits) > 1 else [])]
    if hit.match is Match.ALTERED:
        limitations += [Limitation.ALTERED_QUOTATION, *_left_out(body, hit)]
    result = verified(check, found.evidence, hit.match, len(hits), limitations)
    return replace(result, alterations=tuple(_alteration(body, a) for a in hit.altered)) if hit.altered else result


_MOST_TRIED = 64
"""Occurrences that are looked at for one that can be relied on."""

_LEAVE_OUT = frozenset({AlterationKind.OMISSION, AlterationKind.REPLACEMENT})


def _left_out(body: Body, hit: Hit) -> list[Limitation]:
    gone = any(a.kind in _LEAVE_OUT and left_out(body.text[a.start : a.end]) for a in hit.altered)
    return [Limitation.QUALIFIER_LEFT_OUT] if gone else []


def _alteration(body: Body, altered: Altered) -> Alteration:
    """With offsets in the page's text, unless the body is the text of an annotation or field."""
    kind, expected, start, end = altered
    own = is_own(body)
    at = (None, None) if own else (on_page(body, start), on_page(body, max(start, end - 1)) + (end > start))
    return Alteration(kind, expected, body.text[start:end].strip(), *at)


def _doubt_of(body: Body, hit: Hit, threshold: int) -> Reason | None:
    if number_after_unknown_sign(body.text, hit.place.start):
        return Reason.GARBLED_TEXT
    return doubt([w for s in hit.spans for w in body.words_in(*s)], threshold)


def _why(check: Check, reader: Reader, scope: Scope, quotation: Quotation, settings: Settings) -> Reason | None:
    """The reason that the target itself gives; None leaves it to the rest of the document."""
    if _is_hidden(scope, quotation):
        return Reason.TEXT_NOT_VISIBLE
    doubted = _blocked_by_doubt(scope, quotation, settings.ocr_threshold)
    if doubted is not None:
        return doubted
    if not scope.own and not scope.view.visible:
        return Reason.NO_TEXT_LAYER
    if not scope.ranges:
        return Reason.NO_TEXT_IN_REGION
    return Reason.CONTINUES_ON_NEXT_PAGE if _continues(check, reader, scope, quotation) else None


def _is_hidden(scope: Scope, quotation: Quotation) -> bool:
    """True if the words stand in the target only where a reader can't see them, or only together with such."""
    if not scope.hidden or _whole(scope.view.body, quotation):
        return False
    return any(_whole(body, quotation) for body in scope.view.hidden_bodies(scope.hidden))


def _whole(body: Body, quotation: Quotation) -> bool:
    return any(h.place.whole for h in body.find(quotation, [body.whole]))


def _continues(check: Check, reader: Reader, scope: Scope, quotation: Quotation) -> bool:
    if scope.own or check.kind is not Kind.QUOTE or check.end_page_index is not None:
        return False
    if check.page_index + 1 >= reader.page_count:
        return False
    following = reader.view(check.page_index + 1)
    if following is None or not _may_straddle(quotation, scope.view, following):
        return False
    over = reader.over_break(check.page_index, check.page_index + 1)
    return over is not None and any(
        h.place.whole and _straddles(over, h, scope, check.page_index + 1) for h in over.find(quotation, [over.whole])
    )


def _may_straddle(quotation: Quotation, one: PageView, two: PageView) -> bool:
    """A cheap look: the first word begins on one page, the last ends on the next, each perhaps broken over the end."""
    first, *_, last = quotation.form(True).skeleton.split(" ") * 2
    if not one.running or not two.running:
        return False
    begins = first in one.body.normal(True).skeleton or first.startswith(_words_of(one.running[-1])[-1])
    return begins and (last in two.body.normal(True).skeleton or last.endswith(_words_of(two.running[0])[0]))


def _words_of(element: Element) -> list[str]:
    return normalize(element.text, typographic=True).skeleton.split(" ")


def _blocked_by_doubt(scope: Scope, quotation: Quotation, threshold: int) -> Reason | None:
    """Why the quotation may stand in the target all the same: it would if the words in doubt there were left open.

    At least half of its words must have been read surely and be the same: a page of noise blocks nothing.
    """
    wanted = [_letters(w) for w in quotation.form(True).skeleton.split(" ")]
    for start, end in scope.ranges:
        words = scope.body.words_in(start, end)
        if doubt(words, threshold) is None:
            continue
        doubts = [doubt([word], threshold) for word in words]
        shown = [
            _letters(normalize(word.text, True).skeleton) if reason is None else None
            for (_, word), reason in zip(words, doubts, strict=True)
        ]
        for i in range(len(shown) - len(wanted) + 1):
            reason = next(filter(None, doubts[i : i + len(wanted)]), None)
            if reason is not None and _fits(wanted, shown[i : i + len(wanted)]):
                return reason
    return None


def _letters(word: str) -> str:
    return word.strip(".,;:\"'()")


def _fits(wanted: Sequence[str], shown: Sequence[str | None]) -> bool:
    same = sum(a == b for a, b in zip(wanted, shown, strict=True))
    return 2 * same >= len(wanted) and all(b is None or a == b for a, b in zip(wanted, shown, strict=True))


def _not_found(check: Check, reader: Reader, scope: Scope, quotation: Quotation, reason: Reason | None) -> CheckResult:
    """A check that failed on its text: where else the words stand, and what stands here instead."""
    elsewhere = _elsewhere(check, reader, scope, quotation)
    if reason is None:
        other = any(e.page_index != check.page_index for e in elsewhere)
        reason = Reason.EVIDENCE_ON_OTHER_PAGE if other else Reason.TEXT_MISMATCH
    result = replace(failed(check, reason), found_elsewhere=elsewhere)
    return with_difference(result, scope, quotation.text) if reason is Reason.TEXT_MISMATCH else result


def with_difference(result: CheckResult, scope: Scope, text: str) -> CheckResult:
    near = nearest(scope.body, scope.ranges, text)
    if near is None:
        return result
    element = scope.element or element_at(scope.view, *near.span)
    shown = scope.body.text[near.span.start : near.span.end]
    where = Nearest(scope.view.page.index, element.element_id if element else None, shown)
    return replace(result, difference=near.differences, nearest=where)


def _elsewhere(check: Check, reader: Reader, scope: Scope, quotation: Quotation) -> tuple[Elsewhere, ...]:
    found: dict[Elsewhere, None] = {}
    for view in reader.pages_with(quotation):
        index = view.page.index
        for hit in view.body.find(quotation, [view.body.whole]):
            if hit.place.whole and not (index == check.page_index and _in_target(scope, hit.place)):
                element = element_at(view, hit.place.start, hit.place.end)
                found[Elsewhere(index, view.page.label, element.element_id if element else None)] = None
    if not found:
        found = dict.fromkeys(_altered_elsewhere(check, reader, quotation))
    return tuple(found)


def _altered_elsewhere(check: Check, reader: Reader, quotation: Quotation) -> Iterator[Elsewhere]:
    """Other pages on which the quotation stands as altered."""
    for form in altered_forms(quotation.text):
        for view in reader.pages_with(form.longest):
            if view.page.index != check.page_index:
                for hit in find_altered(view.body, form, [view.body.whole]):
                    element = element_at(view, hit.place.start, hit.place.end)
                    yield Elsewhere(view.page.index, view.page.label, element.element_id if element else None)


def _in_target(scope: Scope, place: Place) -> bool:
    return not scope.own and any(s <= place.start and place.end <= e for s, e in scope.ranges)


def check_region(check: Check, reader: Reader, view: PageView, settings: Settings) -> CheckResult:
    """The words must be all the text whose centres lie in the box. Raises Stop if there is none."""
    scope = scope_of(check, reader, view)
    quotation = Quotation(check.expected_text or "")
    match = match_of(" ".join(scope.texts), quotation)
    if match is None:
        inside = bool(scope.body.find(quotation, scope.ranges))
        why = Reason.TEXT_MISMATCH if inside else _why(check, reader, scope, quotation, settings)
        return _not_found(check, reader, scope, quotation, why)
    found = locate(check, reader, view, scope.body, scope.ranges)
    reason = doubt(found.words, settings.ocr_threshold)
    if reason is not None:
        return replace(failed(check, reason), evidence=found.evidence)
    return verified(check, found.evidence, match, 1, found.limitations)


def match_of(text: str, quotation: Quotation) -> Match | None:
    """How all of ``text`` equals the quotation; None if it does not."""
    if text == quotation.text:
        return Match.EXACT
    for typographic, match in ((False, Match.NORMALIZED), (True, Match.TYPOGRAPHIC)):
        if equal(normalize(text, typographic), quotation.form(typographic)):
            return match
    return None
