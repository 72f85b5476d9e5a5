"""The checks of words: quotations and regions."""

from collections.abc import Sequence
from dataclasses import replace

from verify.bodies import Body, Hit, PageView, Scope
from verify.differences import nearest
from verify.domain.document import Element
from verify.guards import doubt, number_after_unknown_sign
from verify.match import Place, Quotation, equal
from verify.normalize import normalize
from verify.reader import Reader
from verify.report import CheckResult, Elsewhere, Limitation, Match, Nearest, Reason
from verify.request import Check, Kind
from verify.results import Settings, element_at, failed, locate, verified
from verify.sentences import Span
from verify.targets import Stop, scope_of


def check_quote(check: Check, reader: Reader, view: PageView, settings: Settings) -> CheckResult:
    """Raises Stop if the locators name no target."""
    quotation = Quotation(check.expected_text or "")
    scope = scope_of(check, reader, view)
    last = check.page_index if check.end_page_index is None else check.end_page_index
    if last == check.page_index:
        body, hits = scope.body, scope.body.find(quotation, scope.ranges)
    else:
        if last - check.page_index > len(quotation.text):  # every page between holds a character of it
            return _not_found(check, reader, scope, quotation, None)
        over = reader.over_break(check.page_index, last)
        if over is None:
            raise Stop(Reason.DOCUMENT_UNREADABLE)
        body, hits = over, _straddling(over, quotation, scope, last)
    whole = [h for h in hits if h.place.whole]
    if whole:
        return _found(check, reader, view, body, whole, settings)
    if hits:
        return _not_found(check, reader, scope, quotation, Reason.PARTIAL_WORD)
    return _not_found(check, reader, scope, quotation, _why(check, reader, scope, quotation, settings))


def _straddling(body: Body, quotation: Quotation, scope: Scope, last: int) -> list[Hit]:
    """Hits that begin in the target and end on page ``last``."""
    hits = []
    for hit in body.find(quotation, [body.whole]):
        first_piece, last_piece = body.piece_at(hit.place.start), body.piece_at(hit.place.end - 1)
        ends_there = first_piece.page.index != last_piece.page.index == last
        if ends_there and _first_part_in(body, hit.place, scope):
            hits.append(hit)
    return hits


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
    doubts = [_doubt_of(body, h.place, settings.ocr_threshold) for h in hits]
    sure = [h for h, reason in zip(hits, doubts, strict=True) if reason is None]
    place = (sure or hits)[0].place
    found = locate(check, reader, view, body, [Span(place.start, place.end)])
    if doubts[0] is not None and not sure:
        return replace(failed(check, doubts[0]), evidence=found.evidence)
    several = [Limitation.MULTIPLE_OCCURRENCES] if len(hits) > 1 else []
    return verified(check, found.evidence, sure[0].match, len(hits), [*found.limitations, *several])


def _doubt_of(body: Body, place: Place, threshold: int) -> Reason | None:
    if number_after_unknown_sign(body.text, place.start):
        return Reason.GARBLED_TEXT
    return doubt(body.words_in(place.start, place.end), threshold)


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
    return over is not None and any(h.place.whole for h in _straddling(over, quotation, scope, check.page_index + 1))


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
    return tuple(found)


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
