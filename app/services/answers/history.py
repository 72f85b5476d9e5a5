"""Saved answers as they stand now: their checks done again, their claims released anew, their reviews compared."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any

from app.errors import InputMissing, StoreFault
from app.services.answers.answer_json import answer_from_json, answer_to_json
from app.services.answers.answers import Answer, AnsweredClaim
from app.services.answers.basis import Basis, basis_from_json, basis_of, reviewed
from app.services.answers.calculating import holds
from app.services.answers.release import release
from app.services.evidence import looking
from app.services.evidence.verifying import checked, parse
from app.services.matter.matter import Matter
from app.store.settling import sources_named
from app.store.views import MatterSources
from verify.domain.ids import AnswerId, ClaimId, SourceId
from verify.report import VerificationReport
from verify.request import Request


@dataclass(frozen=True, slots=True)
class AnswerSummary:
    """``decided`` counts the claims with a standing decision. ``scope``: the documents it was asked of alone; empty
    for the whole matter."""

    answer_id: AnswerId
    question: str
    asked_at: str
    model: str
    claims: int
    decided: int
    scope: tuple[SourceId, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    """An answer as it stands now with the request that its report answers, and what it was checked with."""

    answer: Answer
    request: bytes
    ocr_threshold: int


def save_answer(
    matter: Matter, answer: Answer, request: bytes, ocr_threshold: int, scope: Sequence[SourceId] = ()
) -> None:
    """``scope``: the documents that it was asked of alone, so that the answer lies under their access classes even
    where nothing was found in them."""
    document = {
        "answer": answer_to_json(answer),
        "request": request.decode(),
        "ocr_threshold": ocr_threshold,
        "scope": [{"source_id": source_id} for source_id in scope],
    }
    classes = matter.store.registry.classes_of_sources(sources_named(document))
    matter.store.answers.put(answer.answer_id, document, classes)


def saved_answers(matter: Matter) -> tuple[AnswerSummary, ...]:
    """Newest first."""
    return tuple(_summary(matter, document) for document in matter.store.answers.all())


def _summary(matter: Matter, document: dict[str, Any]) -> AnswerSummary:
    answer = document["answer"]
    answer_id = AnswerId(answer["answer_id"])
    return AnswerSummary(
        answer_id,
        answer["question"],
        answer["asked_at"],
        answer["model"],
        len(answer["claims"]),
        len(matter.store.answers.standing_reviews(answer_id)),
        tuple(SourceId(named["source_id"]) for named in document.get("scope", ())),
    )


def summaries_to_json(summaries: Sequence[AnswerSummary]) -> dict[str, Any]:
    return {
        "schema": "pincite.answers/1",
        "answers": [
            {
                "answer_id": s.answer_id,
                "question": s.question,
                "asked_at": s.asked_at,
                "model": s.model,
                "claim_count": s.claims,
                "decided_count": s.decided,
            }
            for s in summaries
        ],
    }


def load_answer(matter: Matter, answer_id: AnswerId) -> Answer:
    """Raises InputMissing for an unknown id, StoreFault for one that does not read."""
    return load_saved(matter, answer_id).answer


def load_saved(matter: Matter, answer_id: AnswerId, view: MatterSources | None = None) -> SavedAnswer:
    """``view`` is that of a request over many answers, which hashes each file once."""
    document = matter.store.answers.get(answer_id)
    if document is None:
        raise InputMissing(f"there is no answer {answer_id}; run: pincite answers {quote(str(matter.root))}")
    try:
        saved = answer_from_json(document["answer"])
        request, threshold = document["request"].encode(), int(document["ocr_threshold"])
    except (KeyError, TypeError, ValueError) as error:
        raise StoreFault(f"the saved answer {answer_id} is damaged") from error
    view = view or looking.view(matter)
    parsed = parse(request)
    report = checked(matter, parsed, view, threshold)
    answer = replace(saved, report=_settled(saved.report, report))
    reviews = matter.store.answers.standing_reviews(answer_id)
    claims = tuple(_as_it_stands(c, answer, parsed, view, reviews) for c in answer.claims)
    return SavedAnswer(replace(answer, claims=claims), request, threshold)


def _settled(saved: VerificationReport, again: VerificationReport) -> VerificationReport:
    """The saved report where checking again gives the same, so that an unchanged answer stays the same bytes."""
    return saved if replace(again, checked_at=saved.checked_at) == saved else again


def _as_it_stands(
    claim: AnsweredClaim,
    answer: Answer,
    request: Request,
    view: MatterSources,
    reviews: dict[ClaimId, dict[str, Any]],
) -> AnsweredClaim:
    checks = answer.checks_of(claim)
    calculated = holds(claim.claim_type, claim.calculation, request, checks)
    due = release(checks, claim.support.label, faulty=claim.fault is not None, calculated=calculated)
    claim = replace(claim, release=due)
    document = reviews.get(claim.claim_id)
    if document is None:
        return claim
    then: tuple[Basis, ...] = basis_from_json(document["basis"])
    return replace(claim, review=reviewed(document["review"], then, basis_of(checks, request, view)))
