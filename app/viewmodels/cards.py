"""A claim as its card shows it: the sentence, what the check found, where it stands, what was left out."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from app import messages
from app.services.answers.answers import Answer, AnsweredClaim, Decision, FoundPassage, Review, ReviewState, Searched
from app.viewmodels.wording import BAD, GOOD, WARN, Chip, chip, citation_chip, count, file_name, support_chip
from verify.domain.claim import ClaimType, Release
from verify.domain.document import TextSource
from verify.domain.ids import CheckId, ClaimId, SourceId
from verify.report import CheckResult, Limitation, Status

Names = Callable[[SourceId], str]
_LONGEST_HEADING = 40


@dataclass(frozen=True, slots=True)
class CitationLine:
    """``words``: ``MSA.pdf, p. 15 (PDF page 18), § 7.1``, or with the row and column of a cell. ``quotation`` is what
    stands there, or stands nearest."""

    check_id: CheckId | None
    words: str
    quotation: str
    chip: Chip
    can_show: bool
    differences: tuple[str, ...]
    elsewhere: str


@dataclass(frozen=True, slots=True)
class ReviewLine:
    """``reopened``: why the decision no longer stands, in words; empty while it does."""

    decision: Decision
    chip: Chip
    by: str
    note: str
    authority: str
    relevance: str
    reopened: str


@dataclass(frozen=True, slots=True)
class ClaimCard:
    """``qualifiers`` are the whole sentences of which a quotation left out a condition or exception. ``wording`` says
    where a worded claim could not be aligned with its citation; ``marks`` are those words, as offsets in ``text``."""

    claim_id: ClaimId
    number: int
    text: str
    kind: str
    chip: Chip
    support: Chip
    citations: tuple[CitationLine, ...]
    qualifiers: tuple[str, ...]
    cautions: tuple[str, ...]
    review: ReviewLine | None
    blocked: bool
    wording: tuple[str, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    said_above: bool = False
    """The answer's line is this very sentence, so the card need not print it again."""


def card_of(
    claim: AnsweredClaim, checks: tuple[CheckResult, ...], number: int, name_of: Names, headings: dict[str, str]
) -> ClaimCard:
    """``headings``: from an element's place (``source element``) to the clause that it stands under."""
    cautions = [messages.LIMITATIONS.get(code, "") for code in dict.fromkeys(c for k in checks for c in k.limitations)]
    if claim.release is Release.NEEDS_REVIEW:
        cautions.insert(0, f"{messages.RELEASES[claim.release]}.")
    if claim.fault is not None:
        cautions.append(messages.FAULTS.get(claim.fault, claim.fault))
    qualifiers = [
        check.evidence.sentence
        for check in checks
        if Limitation.QUALIFIER_OUTSIDE_QUOTE in check.limitations and check.evidence and check.evidence.sentence
    ]
    return ClaimCard(
        claim.claim_id,
        number,
        claim.text,
        _kind(claim),
        _whole_chip(claim, checks),
        support_chip(claim.support.label, claim.support.method),
        tuple(citation_of(check, name_of, headings, claim) for check in checks),
        tuple(dict.fromkeys(qualifiers)),
        tuple(c for c in dict.fromkeys(cautions) if c and c != messages.LIMITATIONS["qualifier_outside_quote"]),
        None if claim.review is None else review_line(claim.review),
        claim.release is Release.BLOCKED,
        tuple(dict.fromkeys(messages.wording_line(d) for d in claim.support.differences)),
        tuple((d.start, d.end) for d in claim.support.differences if d.start < d.end),
    )


def _kind(claim: AnsweredClaim) -> str:
    """Said only where it is not the usual case."""
    if claim.calculation is not None:
        sum_of = messages.CALCULATIONS.get(claim.calculation.operation, claim.calculation.operation)
        unit = f" {claim.calculation.unit}" if claim.calculation.unit else ""
        return f"Calculated ({sum_of}): {claim.calculation.result}{unit}"
    return "" if claim.claim_type is ClaimType.SOURCE_FACT else messages.CLAIM_TYPES[claim.claim_type].capitalize()


def _whole_chip(claim: AnsweredClaim, checks: tuple[CheckResult, ...]) -> Chip:
    """The worst of its checks, so that one good citation never hides a bad one."""
    if not checks:
        return chip("No citation", BAD, "Nothing was cited for this sentence, so nothing could be checked.")
    order = {BAD: 0, WARN: 1, GOOD: 2}
    return min((_check_chip(check) for check in checks), key=lambda c: order.get(c.tone, 1))


def _check_chip(check: CheckResult) -> Chip:
    return citation_chip(check.status, check.reason, bool({"ocr_text", "embedded_ocr"} & set(check.limitations)))


def citation_of(check: CheckResult, name_of: Names, headings: dict[str, str], claim: AnsweredClaim) -> CitationLine:
    """Without the quotation where the claim says nothing but these very words."""
    evidence, nearest = check.evidence, check.nearest
    if evidence is not None:
        place = messages.page_name(evidence.page_label, evidence.page_index)
        heading = next((h for e in evidence.element_ids if (h := headings.get(f"{evidence.source_id} {e}"))), "")
        where = claim.place_of(check.check_id) or own_clause(evidence.text or "") or section(heading)
        words = ", ".join(filter(None, (name_of(evidence.source_id), place, where)))
        quotation = "" if _bare(evidence.text or "") == _bare(claim.text) else (evidence.text or "")
    else:
        words = f"Nearest on PDF page {nearest.page_index + 1}" if nearest else "The cited place was not found"
        quotation = nearest.text if nearest else ""
    return CitationLine(
        check.check_id,
        words,
        _bare(quotation),
        _check_chip(check),
        evidence is not None and bool(evidence.regions) and check.status is not Status.STALE,
        tuple(map(messages.difference_words, check.difference)),
        messages.elsewhere_words(check),
    )


def own_clause(text: str) -> str:
    """``§ 12.2`` of words that begin with their own clause number, else nothing."""
    number = re.match(r"[\"“]?(\d{1,3}(?:\.\d{1,3})+\.?|\d{1,3}\.)\s+(?=[\"“(]?[A-Z])", text)
    return f"§ {number[1].rstrip('.')}" if number else ""


def section(heading: str) -> str:
    """``§ 7.1 Termination`` of a numbered heading, a short heading itself, nothing of a long one."""
    number = re.match(r"(?:§\s*|Section\s+|Clause\s+|Article\s+)?(\d+(?:\.\d+)*)\.?(?:\s+(.*))?$", heading)
    if number:
        title = number[2] or ""
        return f"§ {number[1]} {title if len(title) <= _LONGEST_HEADING else ''}".strip()
    return heading if len(heading) <= _LONGEST_HEADING else ""


def _bare(words: str) -> str:
    """One line, without the quotation marks around the whole."""
    line = " ".join(words.split())
    return line[1:-1] if len(line) > 1 and line[0] in '“"' and line[-1] in '”"' else line


def review_line(review: Review) -> ReviewLine:
    tone = {Decision.ACCEPTED: GOOD, Decision.REJECTED: BAD, Decision.NEEDS_WORK: WARN}[review.decision]
    reopened = review.state is ReviewState.REOPENED
    reasons = dict.fromkeys(messages.REOPEN_REASONS[b.reason] for b in review.reopened_because)
    words = messages.DECISIONS[review.decision]
    return ReviewLine(
        review.decision,
        chip(f"{words}: look again" if reopened else words, WARN if reopened else tone),
        f"by {review.reviewer or 'an unnamed reviewer'}, {moment(review.at)}",
        review.note or "",
        review.authority or "",
        review.relevance or "",
        f"This was decided before something changed: {' and '.join(reasons)}." if reopened else "",
    )


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day(at: str) -> str:
    """The day of an RFC 3339 time: ``30 Nov 2026``."""
    year, month, number = at.partition("T")[0].split("-")
    return f"{int(number)} {_MONTHS[int(month) - 1]} {year}"


def moment(at: str) -> str:
    """RFC 3339 in UTC as people write it: ``30 Nov 2026, 10:31 UTC``."""
    return f"{day(at)}, {at.partition('T')[2][:5]} UTC"


@dataclass(frozen=True, slots=True)
class NearestPassage:
    source_id: SourceId
    page_index: int
    words: str
    text: str


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """What to say when nothing answers: why, what was looked through, what could not be, what came nearest, and which
    words of the question stand nowhere."""

    reason: str
    searched: str
    not_read: tuple[str, ...]
    nearest: tuple[NearestPassage, ...]
    unmatched: tuple[str, ...]


def no_answer(answer: Answer) -> NoAnswer | None:
    found = answer.unanswered
    if found is None:
        return None
    return NoAnswer(
        messages.UNANSWERED.get(found.reason, "No answer was found."),
        searched_words(found.searched),
        not_read_words(found.searched),
        tuple(map(nearest_passage, found.nearest)),
        tuple(map(messages.unmatched_word, found.unmatched)),
    )


def nearest_passage(passage: FoundPassage) -> NearestPassage:
    """Its clause is named where it is of one element alone: of several the heading tells the first's."""
    heading = passage.heading_path[-1] if passage.heading_path and len(passage.element_ids) == 1 else ""
    place = messages.page_name(passage.page_label, passage.page_index)
    words = ", ".join(filter(None, (file_name(passage.path), place, section(heading))))
    return NearestPassage(passage.source_id, passage.page_index, words, " ".join(passage.text.split()))


def searched_words(searched: Searched) -> str:
    return f"{count(searched.sources, 'document')}, {count(searched.pages, 'page')} searched"


def not_read_words(searched: Searched) -> tuple[str, ...]:
    return tuple(f"{file_name(u.path)}: {messages.unread_status(u)}" for u in searched.not_read)


def headings_of(answer: Answer) -> dict[str, str]:
    """The clause of each element that was shown to the model, by ``source element``. A passage of several elements
    tells the clause of its first alone, so it tells none."""
    return {
        f"{shown.passage.source_id} {element}": shown.passage.heading_path[-1]
        for shown in answer.retrieval.passages
        if shown.passage.heading_path and len(shown.passage.element_ids) == 1
        for element in shown.passage.element_ids
    }


def lowest_word(check: CheckResult) -> str:
    """``lowest word 71 %`` for a match on a scan, else empty."""
    evidence = check.evidence
    if evidence is None or evidence.text_source not in (TextSource.OCR, TextSource.MIXED):
        return ""
    return "" if evidence.ocr_confidence is None else f"lowest word {evidence.ocr_confidence // 10} %"
