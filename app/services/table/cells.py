"""A cell of a table of questions by documents: what an answer of one document says, in values without any machinery."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.errors import Usage
from app.services.answers.answers import LONGEST_QUESTION, Answer, AnsweredClaim, Decision, ReviewState
from verify.domain.claim import Release, SupportLabel
from verify.domain.ids import AnswerId, CheckId, ClaimId, SourceId
from verify.report import CheckResult

MOST_QUESTIONS = 100


class CellState(StrEnum):
    """``LOOK``: there is an answer, and a person has to look before it is relied on."""

    ANSWERED = "answered"
    LOOK = "look"
    NOT_FOUND = "not_found"
    NOT_SUPPORTED = "not_supported"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CellCitation:
    """``page_index`` counts from 0, None where the cited place was not found. ``status``, ``reason`` and
    ``limitations`` are the check's codes; ``quotation`` is what stands on the page, ``place`` where a table's cell
    stands, in words."""

    check_id: CheckId | None
    status: str
    reason: str | None
    page_label: str | None
    page_index: int | None
    quotation: str
    limitations: tuple[str, ...]
    place: str = ""


@dataclass(frozen=True, slots=True)
class CellClaim:
    """``decision``: the reviewer's, None where there is none or it was reopened."""

    claim_id: ClaimId
    text: str
    release: Release
    support: SupportLabel
    decision: Decision | None
    citations: tuple[CellCitation, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """``text`` is the answer's line, empty where it is silent. ``claims``: those that stand first. ``reason``: the
    code why nothing answers; for a failed cell, a sentence."""

    question: str
    source_id: SourceId
    state: CellState
    answer_id: AnswerId | None = None
    model: str = ""
    claims: tuple[CellClaim, ...] = ()
    reason: str = ""
    text: str = ""


def questions_of(lines: Iterable[str]) -> tuple[str, ...]:
    """One a line, blanks settled, each once. Raises Usage for none, too many, or one that is overlong."""
    found = tuple(dict.fromkeys(words for line in lines if (words := " ".join(line.split()))))
    if not found:
        raise Usage("Write at least one question, each on a line of its own.")
    if len(found) > MOST_QUESTIONS:
        raise Usage(f"A table has at most {MOST_QUESTIONS} questions; there are {len(found)}.")
    if any(len(question) > LONGEST_QUESTION for question in found):
        raise Usage(f"A question has at most {LONGEST_QUESTION:,} characters.")
    return found


def cell_of(answer: Answer, source_id: SourceId) -> Cell:
    claims = sorted((_claim(answer, c) for c in answer.claims), key=lambda c: _ORDER[c.release])
    reason = "" if answer.unanswered is None else answer.unanswered.reason
    state = _STATES[claims[0].release] if claims else CellState.NOT_FOUND
    return Cell(answer.question, source_id, state, answer.answer_id, answer.model, tuple(claims), reason,
                "" if answer.given is None else answer.given.text)  # fmt: skip


_ORDER = {Release.SHOW: 0, Release.NEEDS_REVIEW: 1, Release.BLOCKED: 2}
_STATES = {
    Release.SHOW: CellState.ANSWERED,
    Release.NEEDS_REVIEW: CellState.LOOK,
    Release.BLOCKED: CellState.NOT_SUPPORTED,
}


def _claim(answer: Answer, claim: AnsweredClaim) -> CellClaim:
    standing = claim.review is not None and claim.review.state is ReviewState.CURRENT
    return CellClaim(
        claim.claim_id,
        claim.text,
        claim.release,
        claim.support.label,
        claim.review.decision if claim.review is not None and standing else None,
        tuple(_citation(check, claim) for check in answer.checks_of(claim)),
    )


def _citation(check: CheckResult, claim: AnsweredClaim) -> CellCitation:
    evidence = check.evidence
    return CellCitation(
        check.check_id,
        check.status,
        check.reason,
        None if evidence is None else evidence.page_label,
        None if evidence is None else evidence.page_index,
        "" if evidence is None else " ".join((evidence.text or "").split()),
        tuple(check.limitations),
        claim.place_of(check.check_id),
    )
