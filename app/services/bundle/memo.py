"""What the memo says: each claim with its status words, the quotation in its sentence, its place and its picture."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.messages import (
    CONFLICTS,
    DECISIONS,
    FAULTS,
    LIMITATIONS,
    REASONS,
    RELEASES,
    REOPEN_REASONS,
    STATUSES,
    SUPPORT_LABELS,
    UNANSWERED,
    page_name,
    source_status,
    unread_status,
)
from app.services.answers.answers import Answer, AnsweredClaim, Review, ReviewState
from app.services.bundle.memo_blocks import Block, Heading, Paragraph, Picture, Rows, Run, plain
from verify.domain.claim import Release
from verify.domain.document import SourceRecord
from verify.domain.ids import CheckId, SourceId
from verify.report import CheckResult

TITLE = "Answer with checked citations"
_PICTURE_POINTS = 420
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
NO_PICTURE = "No picture: the document could not be drawn when this was written (changed, gone or under a password)."
_CAUTION = (
    "A program compared each quotation with the document's own bytes. It does not say that a claim is right in law: "
    "passage verified; legal conclusion pending review."
)


@dataclass(frozen=True, slots=True)
class CropImage:
    """``width`` in 1/100 pt, so that a picture is never shown larger than the page that it was cut from."""

    check_id: CheckId
    page_index: int
    png: bytes
    width: int


def memo_blocks(
    answer: Answer, sources: Sequence[SourceRecord], crops: Sequence[CropImage], core_sha256: str
) -> list[Block]:
    """Reviewed claims first, then those that await review, then those that failed; no claim is left out."""
    paths = {record.source_id: record.path for record in sources}
    blocks: list[Block] = [
        Heading(1, TITLE),
        Paragraph((Run("Question: ", bold=True), Run(answer.question))),
        plain(_CAUTION, italic=True),
    ]
    if answer.unanswered is not None:
        blocks.append(plain(UNANSWERED[answer.unanswered.reason], bold=True))
    for title, claims in _groups(answer):
        if claims:
            blocks.append(Heading(2, title))
            for claim in claims:
                blocks += _claim(claim, answer, paths, crops)
    blocks += _conflicts(answer)
    blocks += _searched(answer)
    blocks += _documents(sources)
    blocks += _hashes(answer, core_sha256)
    return blocks


def _groups(answer: Answer) -> Iterator[tuple[str, list[AnsweredClaim]]]:
    failed = [c for c in answer.claims if c.release is Release.BLOCKED]
    standing = [c for c in answer.claims if c.release is not Release.BLOCKED]
    current = {id(c) for c in standing if c.review is not None and c.review.state is ReviewState.CURRENT}
    yield "Reviewed claims", [c for c in standing if id(c) in current]
    yield "Claims not reviewed", [c for c in standing if id(c) not in current]
    yield "Claims that are not supported", failed


def _claim(
    claim: AnsweredClaim, answer: Answer, paths: Mapping[SourceId, str], crops: Sequence[CropImage]
) -> Iterator[Block]:
    yield Heading(3, f"{claim.claim_id}. {claim.text}")
    yield plain(f"{RELEASES[claim.release]}. Support by the passage: {SUPPORT_LABELS[claim.support.label]}.")
    if claim.fault is not None:
        yield plain(FAULTS[claim.fault])
    yield from (plain(f"Superseded: {words}") for words in claim.superseded)
    yield from _review(claim.review)
    for check in answer.checks_of(claim):
        yield from _check(check, paths, claim)
        if check.evidence is not None and not any(c.check_id == check.check_id for c in crops):
            yield Paragraph((Run(NO_PICTURE, italic=True),), indented=True)
        yield from (
            Picture(c.png, min(_PICTURE_POINTS, c.width // 100), f"The cited words of {check.check_id}, marked")
            for c in crops
            if c.check_id == check.check_id
        )


def _review(review: Review | None) -> Iterator[Block]:
    if review is None:
        yield plain("Not reviewed.", bold=True)
        return
    yield Paragraph(
        (Run(f"{DECISIONS[review.decision]}", bold=True), Run(f" by {review.reviewer}, {_moment(review.at)}."))
    )
    for name, text in (("Note", review.note), ("Authority", review.authority), ("Relevance", review.relevance)):
        if text:
            yield Paragraph((Run(f"{name}: ", bold=True), Run(text)), indented=True)
    for reopened in review.reopened_because:
        yield plain(f"To be decided again: {REOPEN_REASONS[reopened.reason]} ({reopened.check_id}).", bold=True)


def _check(check: CheckResult, paths: Mapping[SourceId, str], claim: AnsweredClaim) -> Iterator[Block]:
    words = STATUSES[check.status] + (f": {REASONS[check.reason]}" if check.reason else "")
    evidence = check.evidence
    if evidence is None:
        yield Paragraph((Run(f"{check.check_id}: {words}."),), indented=True)
        return
    path, page = paths.get(evidence.source_id, evidence.source_id), page_name(evidence.page_label, evidence.page_index)
    place = ", ".join(filter(None, (path, page, claim.place_of(check.check_id))))
    yield Paragraph((Run(f"{check.check_id}: {place}. ", bold=True), Run(f"{words}.")), indented=True)
    runs = tuple(_in_its_sentence(evidence.text or "", evidence.sentence))
    if "".join(run.text for run in runs).strip("“”") != " ".join(claim.text.split()).strip("“”"):
        yield Paragraph(runs, indented=True)  # an extract that is its own quotation is not printed twice
    yield from (plain(LIMITATIONS[code], indented=True, italic=True) for code in check.limitations)


def _moment(rfc3339: str) -> str:
    """ "30 November 2026, 09:15 UTC"."""
    moment = datetime.fromisoformat(rfc3339)
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment:%Y, %H:%M} UTC"


def _in_its_sentence(text: str, sentence: str | None) -> Iterator[Run]:
    """The quotation in bold with what its sentence says around it. White space is that of the memo."""
    quoted, whole = " ".join(text.split()), " ".join((sentence or "").split())
    before, found, after = whole.partition(quoted)
    if not found:
        yield Run(f"“{quoted}”", bold=True)
        return
    yield from (Run(part, bold=bold) for part, bold in ((before, False), (quoted, True), (after, False)) if part)


def _conflicts(answer: Answer) -> Iterator[Block]:
    if answer.conflicts:
        yield Heading(2, "Claims that conflict")
    yield from (plain(f"{c.earlier} and {c.later}: {CONFLICTS[c.kind]}") for c in answer.conflicts)


def _searched(answer: Answer) -> Iterator[Block]:
    searched = answer.retrieval.searched
    yield Heading(2, "What was searched")
    yield plain(f"{searched.sources:,} documents, {searched.pages:,} pages.")
    if searched.not_read:
        yield plain("Not searched:")
        yield from (plain(f"{u.path} ({unread_status(u)})", indented=True) for u in searched.not_read)


def _documents(sources: Sequence[SourceRecord]) -> Iterator[Block]:
    yield Heading(2, "Documents cited")
    rows = [("Document", "State", "SHA-256 of its bytes")]
    rows += [(r.path, source_status(r), r.fingerprint.removeprefix("sha256:")) for r in sources]
    yield Rows(tuple(rows)) if sources else plain("None.")


def _hashes(answer: Answer, core_sha256: str) -> Iterator[Block]:
    yield Heading(2, "To check this bundle")
    yield plain("Run “pincite check-bundle” on the file that this memo came in. It must name this hash:")
    yield Paragraph((Run(core_sha256, quiet=True),))
    asked, verifier = _moment(answer.asked_at), answer.report.verifier.version
    made = f"Answer {answer.answer_id}, asked {asked}, model {answer.model}, verifier {verifier}."
    yield Paragraph((Run(made, quiet=True),))
