"""What a person is told before anything leaves: the list of what goes, and what speaks against it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.services.answers.answers import Answer, AnsweredClaim, ReviewState
from app.services.answers.history import SavedAnswer
from app.services.evidence import looking
from app.services.evidence.verifying import parse
from app.services.matter.matter import Matter
from verify.domain.claim import Release
from verify.domain.document import SourceRecord, SourceStatus, WarningCode
from verify.evidence import evidence_document


class Concern(StrEnum):
    """A closed list, worded in ``app.messages``."""

    UNREVIEWED = "unreviewed"
    REOPENED = "reopened"
    NOT_SUPPORTED = "not_supported"
    PRIVILEGED = "privileged"
    RESTRICTED = "restricted"
    HIDDEN_TEXT = "hidden_text"
    FAILED_REDACTION = "failed_redaction"
    SOURCE_CHANGED = "source_changed"


_OF_WARNING = {
    WarningCode.HIDDEN_TEXT: Concern.HIDDEN_TEXT,
    WarningCode.COVERED_TEXT: Concern.HIDDEN_TEXT,
    WarningCode.OFF_PAGE_TEXT: Concern.HIDDEN_TEXT,
    WarningCode.FAILED_REDACTION: Concern.FAILED_REDACTION,
}
_OPEN = frozenset({"", "none", "no", "not privileged", "public", "open"})
"""What a person writes into ``privilege`` or ``access_class`` to say that nothing stands against sharing."""


@dataclass(frozen=True, slots=True)
class Finding:
    """``subject`` is a claim id, or a source id with the page's index after "#"."""

    concern: Concern
    subject: str


@dataclass(frozen=True, slots=True)
class Leaving:
    """What a bundle carries out of the house, counted. The text of ``pages`` goes along whole: a check rests on it."""

    claims: int
    quotations: int
    pictures: int
    pages: int
    passages: int
    documents: tuple[str, ...]
    whole_documents: bool


@dataclass(frozen=True, slots=True)
class Preflight:
    findings: tuple[Finding, ...]
    leaving: Leaving


def preflight(matter: Matter, saved: SavedAnswer, *, include_sources: bool) -> Preflight:
    answer = saved.answer
    kept = evidence_document(parse(saved.request), looking.view(matter), saved.ocr_threshold)
    cited = cited_sources(matter, answer)
    findings = [f for claim in answer.claims for f in _of_claim(claim)]
    findings += [f for record in cited for f in _of_source(record)]
    findings += sorted({f for record in cited for f in _of_pages(matter, answer, record)}, key=lambda f: f.subject)
    with_evidence = [c for c in answer.report.checks if c.evidence is not None]
    leaving = Leaving(
        claims=len(answer.claims),
        quotations=len(with_evidence),
        pictures=sum(len({r.page_index for r in c.evidence.regions}) for c in with_evidence if c.evidence),
        pages=sum(len(entry["pages"]) for entry in kept),
        passages=len(answer.retrieval.passages) + (len(answer.unanswered.nearest) if answer.unanswered else 0),
        documents=tuple(record.path for record in cited),
        whole_documents=include_sources,
    )
    return Preflight(tuple(findings), leaving)


def cited_sources(matter: Matter, answer: Answer) -> tuple[SourceRecord, ...]:
    """The documents that a check found evidence in, by path."""
    wanted = {c.evidence.source_id for c in answer.report.checks if c.evidence is not None}
    return tuple(sorted((r for r in matter.sources() if r.source_id in wanted), key=lambda r: r.path))


def _of_claim(claim: AnsweredClaim) -> Iterator[Finding]:
    if claim.release is Release.BLOCKED:
        yield Finding(Concern.NOT_SUPPORTED, claim.claim_id)
    if claim.review is None:
        yield Finding(Concern.UNREVIEWED, claim.claim_id)
    elif claim.review.state is ReviewState.REOPENED:
        yield Finding(Concern.REOPENED, claim.claim_id)


def _of_source(record: SourceRecord) -> Iterator[Finding]:
    if (record.metadata.privilege or "").strip().lower() not in _OPEN:
        yield Finding(Concern.PRIVILEGED, record.source_id)
    if (record.metadata.access_class or "").strip().lower() not in _OPEN:
        yield Finding(Concern.RESTRICTED, record.source_id)
    if record.status in (SourceStatus.SUPERSEDED, SourceStatus.MISSING):
        yield Finding(Concern.SOURCE_CHANGED, record.source_id)


def _of_pages(matter: Matter, answer: Answer, record: SourceRecord) -> Iterator[Finding]:
    """A picture of a page shows no hidden text, but the document that it leads to holds it."""
    for index in sorted(cited_pages(answer, record)):
        page = matter.pages.get(record, index)
        codes = {w.code for w in page.warnings} if page is not None else set()
        codes |= {w.code for w in record.warnings if w.page_index == index}
        yield from (Finding(_OF_WARNING[code], f"{record.source_id}#{index}") for code in codes if code in _OF_WARNING)


def cited_pages(answer: Answer, record: SourceRecord) -> Sequence[int]:
    evidence = [c.evidence for c in answer.report.checks if c.evidence and c.evidence.source_id == record.source_id]
    return sorted({r.page_index for e in evidence for r in e.regions} | {e.page_index for e in evidence})
