"""A person's decisions about claims: bound to the report that they saw, kept with their history, undone by record."""

import getpass
from dataclasses import dataclass
from datetime import UTC, datetime

from app.errors import InputMissing, Usage
from app.services.answers.answer_json import review_from_json, review_to_json
from app.services.answers.answers import Answer, Decision, Review
from app.services.answers.basis import basis_of, basis_to_json, report_hash, review_hash
from app.services.answers.history import load_answer, load_saved
from app.services.custody import auditing
from app.services.evidence.verifying import parse
from app.services.matter.matter import Matter
from verify.domain.ids import AnswerId, ClaimId


@dataclass(frozen=True, slots=True)
class ReviewInput:
    """``reviewer`` None: the name in the settings, else the user's. The texts are the reviewer's own words."""

    decision: Decision
    reviewer: str | None = None
    note: str | None = None
    authority: str | None = None
    relevance: str | None = None


@dataclass(frozen=True, slots=True)
class PastReview:
    review: Review
    undone: bool


def review(
    matter: Matter, answer_id: AnswerId, claim_id: ClaimId, decided: ReviewInput, at: datetime | None = None
) -> Answer:
    """Records the decision on the claim as it stands now. Raises InputMissing for an unknown answer or claim."""
    saved = load_saved(matter, answer_id)
    claim = saved.answer.claim(claim_id)
    if claim is None:
        raise InputMissing(f"the answer {answer_id} has no claim {claim_id}")
    report_sha256 = report_hash(saved.answer.report)
    moment = at or datetime.now(UTC)
    recorded = Review(
        decision=decided.decision,
        reviewer=(decided.reviewer or matter.settings.reviewer or _user()).strip(),
        at=moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        note=decided.note,
        authority=decided.authority,
        relevance=decided.relevance,
        report_sha256=report_sha256,
    )
    if not recorded.reviewer:
        raise Usage("a decision needs a reviewer's name; give --reviewer")
    basis = basis_of(saved.answer.checks_of(claim), parse(saved.request), matter.view())
    subject = {
        "answer_id": answer_id,
        "claim_id": claim_id,
        "decision": decided.decision.value,
        "report_sha256": report_sha256,
        "review_sha256": review_hash(recorded),
    }
    auditing.record(matter, auditing.AuditEvent.DECIDED, subject, at=moment)
    document = {"review": review_to_json(recorded), "basis": basis_to_json(basis)}
    matter.store.answers.add_review(answer_id, claim_id, document)
    return load_answer(matter, answer_id)


def undo(matter: Matter, answer_id: AnswerId, claim_id: ClaimId) -> Answer:
    """Takes back the newest standing decision; the one before it stands again. Raises InputMissing if none stands."""
    if claim_id not in matter.store.answers.standing_reviews(answer_id):
        raise InputMissing(f"no decision stands on {claim_id} of {answer_id}")
    auditing.record(matter, auditing.AuditEvent.UNDONE, {"answer_id": answer_id, "claim_id": claim_id})
    matter.store.answers.undo_review(answer_id, claim_id)
    return load_answer(matter, answer_id)


def history(matter: Matter, answer_id: AnswerId, claim_id: ClaimId) -> tuple[PastReview, ...]:
    """Every decision on the claim, oldest first, those that were undone marked."""
    past = matter.store.answers.all_reviews(answer_id, claim_id)
    return tuple(PastReview(review_from_json(document["review"]), undone) for undone, document in past)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
