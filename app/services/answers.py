"""A saved answer: what was asked, shown, claimed, checked and decided (contract, section 6)."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from app.services.reports import region_from_json, report_from_json
from verify.domain.canonical import sha256_of
from verify.domain.claim import ClaimType, Release, Support, SupportLabel
from verify.domain.ids import AnswerId, CheckId, ClaimId, ElementId, PassageId, SourceId
from verify.report import CheckResult, Region, VerificationReport, region_json

LONGEST_QUESTION = 4_000
"""Characters; what is longer is a document, not a question."""


class Decision(StrEnum):
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NEEDS_WORK = "needs_work"


class ReviewState(StrEnum):
    CURRENT = "current"
    REOPENED = "reopened"


class ReopenReason(StrEnum):
    """Why a decision no longer stands on what the reviewer saw."""

    SOURCE_CHANGED = "source_changed"  # other bytes on disk, or the file is gone
    TEXT_LAYER_CHANGED = "text_layer_changed"  # same bytes, read by another parser or OCR
    VERDICT_CHANGED = "verdict_changed"  # same text, another status, reason or evidence


@dataclass(frozen=True, slots=True)
class Reopening:
    """The difference that reopened a decision. ``before``/``after`` are fingerprints, parser profiles or verdicts
    ("verified", "stale/fingerprint_changed"), never document text."""

    reason: ReopenReason
    check_id: CheckId
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Review:
    """``report_sha256`` is of the canonical JSON of the claim's check results that the reviewer saw."""

    decision: Decision
    reviewer: str
    at: str
    note: str | None
    authority: str | None
    relevance: str | None
    report_sha256: str
    state: ReviewState = ReviewState.CURRENT
    reopened_because: tuple[Reopening, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """One ranked passage. ``start``/``end`` are code-point offsets: in the text of ``page_index`` and of
    ``end_page_index``. ``score`` counts millionths of the ranking's own score. Ranks count from 1."""

    rank: int
    passage_id: PassageId
    source_id: SourceId
    path: str
    page_index: int
    end_page_index: int
    page_label: str | None
    element_ids: tuple[ElementId, ...]
    heading_path: tuple[str, ...]
    text: str
    start: int
    end: int
    regions: tuple[Region, ...]
    score: int
    lexical_rank: int | None
    dense_rank: int | None


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage that the model was shown, under the handle by which it could cite it."""

    handle: str
    passage: FoundPassage


@dataclass(frozen=True, slots=True)
class UnreadSource:
    """``status`` is that of the source, or "not_yet_read" for a file (without an id) that no reading has met.
    ``unread_pages`` of its ``page_count`` pages gave no text; where it is 0 the status says why it was not searched."""

    source_id: SourceId | None
    path: str
    status: str
    unread_pages: int = 0
    page_count: int = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """What an answer rests on: how much was read, and what could not be or was not yet."""

    sources: int
    pages: int
    passages: int
    not_read: tuple[UnreadSource, ...]


@dataclass(frozen=True, slots=True)
class Unanswered:
    """``reason`` is a code ("not_found" …), worded in ``app.messages``."""

    reason: str
    searched: Searched
    nearest: tuple[FoundPassage, ...]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """``embedder`` is None where only words were compared. ``left_out`` counts passages that did not fit the prompt."""

    mode: str
    k: int
    embedder: str | None
    passages: tuple[ShownPassage, ...]
    left_out: int
    searched: Searched


@dataclass(frozen=True, slots=True)
class Calculation:
    """``operands`` are checks of the same answer; ``result`` is a decimal string, exact."""

    operation: str
    operands: tuple[CheckId, ...]
    result: str
    unit: str | None


@dataclass(frozen=True, slots=True)
class AnsweredClaim:
    """A claim with its verified state. ``fault`` is a code: why a claim failed before any check (an unknown handle …).
    ``superseded`` names, in words, what replaced a cited source."""

    claim_id: ClaimId
    text: str
    claim_type: ClaimType
    check_ids: tuple[CheckId, ...]
    support: Support
    release: Release
    review: Review | None = None
    calculation: Calculation | None = None
    fault: str | None = None
    superseded: tuple[str, ...] = ()

    @property
    def text_sha256(self) -> str:
        return sha256_of(self.text.encode())


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two claims that cannot both hold as they stand; ``kind`` is a code. For "amended" ``later`` changes the other."""

    kind: str
    earlier: ClaimId
    later: ClaimId


@dataclass(frozen=True, slots=True)
class Answer:
    """``warnings`` are codes about how it was made. ``conflicts`` are shown, never resolved."""

    answer_id: AnswerId
    question: str
    asked_at: str
    model: str
    prompt_sha256: str | None
    retrieval: Retrieval
    claims: tuple[AnsweredClaim, ...]
    unanswered: Unanswered | None
    report: VerificationReport
    conflicts: tuple[Conflict, ...] = ()
    warnings: tuple[str, ...] = ()

    def claim(self, claim_id: ClaimId) -> AnsweredClaim | None:
        return next((c for c in self.claims if c.claim_id == claim_id), None)

    def check(self, check_id: CheckId) -> CheckResult | None:
        return next((c for c in self.report.checks if c.check_id == check_id), None)

    def checks_of(self, claim: AnsweredClaim) -> tuple[CheckResult, ...]:
        return tuple(c for c in self.report.checks if c.check_id in claim.check_ids)

    def with_claim(self, changed: AnsweredClaim) -> "Answer":
        return replace(self, claims=tuple(changed if c.claim_id == changed.claim_id else c for c in self.claims))


ANSWER_SCHEMA = "pincite.answer/1"


def answer_to_json(answer: Answer) -> dict[str, Any]:
    return {
        "schema": ANSWER_SCHEMA,
        "answer_id": answer.answer_id,
        "question": answer.question,
        "asked_at": answer.asked_at,
        "model": answer.model,
        "prompt_sha256": answer.prompt_sha256,
        "retrieval": _retrieval_to_json(answer.retrieval),
        "claims": [claim_to_json(c) for c in answer.claims],
        "unanswered": None if answer.unanswered is None else _unanswered_to_json(answer.unanswered),
        "conflicts": [{"kind": c.kind, "earlier": c.earlier, "later": c.later} for c in answer.conflicts],
        "warnings": list(answer.warnings),
        "report": answer.report.to_json(),
    }


def answer_from_json(d: dict[str, Any]) -> Answer:
    """Raises KeyError, ValueError or TypeError for what ``answer_to_json`` did not make."""
    if d["schema"] != ANSWER_SCHEMA:
        raise ValueError("not an answer of this version")
    return Answer(
        answer_id=AnswerId(d["answer_id"]),
        question=d["question"],
        asked_at=d["asked_at"],
        model=d["model"],
        prompt_sha256=d["prompt_sha256"],
        retrieval=_retrieval_from_json(d["retrieval"]),
        claims=tuple(_claim_from_json(c) for c in d["claims"]),
        unanswered=None if d["unanswered"] is None else _unanswered_from_json(d["unanswered"]),
        report=report_from_json(d["report"]),
        conflicts=tuple(Conflict(c["kind"], ClaimId(c["earlier"]), ClaimId(c["later"])) for c in d["conflicts"]),
        warnings=tuple(d["warnings"]),
    )


def passage_to_json(p: FoundPassage) -> dict[str, Any]:
    return {
        "rank": p.rank,
        "passage_id": p.passage_id,
        "source_id": p.source_id,
        "path": p.path,
        "page_index": p.page_index,
        "end_page_index": p.end_page_index,
        "page_label": p.page_label,
        "element_ids": list(p.element_ids),
        "heading_path": list(p.heading_path),
        "text": p.text,
        "start": p.start,
        "end": p.end,
        "regions": [region_json(r) for r in p.regions],
        "score": p.score,
        "lexical_rank": p.lexical_rank,
        "dense_rank": p.dense_rank,
    }


def _passage_from_json(d: dict[str, Any]) -> FoundPassage:
    return FoundPassage(
        rank=d["rank"],
        passage_id=PassageId(d["passage_id"]),
        source_id=SourceId(d["source_id"]),
        path=d["path"],
        page_index=d["page_index"],
        end_page_index=d["end_page_index"],
        page_label=d["page_label"],
        element_ids=tuple(ElementId(e) for e in d["element_ids"]),
        heading_path=tuple(d["heading_path"]),
        text=d["text"],
        start=d["start"],
        end=d["end"],
        regions=tuple(region_from_json(r) for r in d["regions"]),
        score=d["score"],
        lexical_rank=d["lexical_rank"],
        dense_rank=d["dense_rank"],
    )


def _searched_to_json(s: Searched) -> dict[str, Any]:
    not_read = [_unread_to_json(u) for u in s.not_read]
    return {"sources": s.sources, "pages": s.pages, "passages": s.passages, "not_read": not_read}


def _unread_to_json(u: UnreadSource) -> dict[str, Any]:
    counts = {"unread_pages": u.unread_pages, "page_count": u.page_count} if u.unread_pages else {}
    return {"source_id": u.source_id, "path": u.path, "status": u.status, **counts}


def _searched_from_json(d: dict[str, Any]) -> Searched:
    not_read = tuple(UnreadSource(**u) for u in d["not_read"])
    return Searched(d["sources"], d["pages"], d["passages"], not_read)


def _retrieval_to_json(r: Retrieval) -> dict[str, Any]:
    return {
        "mode": r.mode,
        "k": r.k,
        "embedder": r.embedder,
        "passages": [{"handle": s.handle, **passage_to_json(s.passage)} for s in r.passages],
        "left_out": r.left_out,
        "searched": _searched_to_json(r.searched),
    }


def _retrieval_from_json(d: dict[str, Any]) -> Retrieval:
    shown = tuple(ShownPassage(p["handle"], _passage_from_json(p)) for p in d["passages"])
    return Retrieval(d["mode"], d["k"], d["embedder"], shown, d["left_out"], _searched_from_json(d["searched"]))


def _unanswered_to_json(u: Unanswered) -> dict[str, Any]:
    nearest = [passage_to_json(p) for p in u.nearest]
    return {"reason": u.reason, "searched": _searched_to_json(u.searched), "nearest": nearest}


def _unanswered_from_json(d: dict[str, Any]) -> Unanswered:
    nearest = tuple(_passage_from_json(p) for p in d["nearest"])
    return Unanswered(d["reason"], _searched_from_json(d["searched"]), nearest)


def claim_to_json(c: AnsweredClaim) -> dict[str, Any]:
    out: dict[str, Any] = {
        "claim_id": c.claim_id,
        "text": c.text,
        "text_sha256": c.text_sha256,
        "claim_type": c.claim_type.value,
        "check_ids": list(c.check_ids),
        "support": support_to_json(c.support),
        "release": c.release.value,
        "review": None if c.review is None else review_to_json(c.review),
    }
    if c.fault is not None:
        out["fault"] = c.fault
    if c.superseded:
        out["superseded"] = list(c.superseded)
    if c.calculation is not None:
        out["calculation"] = {
            "operation": c.calculation.operation,
            "operands": list(c.calculation.operands),
            "result": c.calculation.result,
            "unit": c.calculation.unit,
        }
    return out


def support_to_json(s: Support) -> dict[str, Any]:
    return {"label": s.label.value, "score": s.score, "method": s.method, "signals": dict(s.signals)}


def _claim_from_json(d: dict[str, Any]) -> AnsweredClaim:
    s, calculation = d["support"], d.get("calculation")
    claim = AnsweredClaim(
        claim_id=ClaimId(d["claim_id"]),
        text=d["text"],
        claim_type=ClaimType(d["claim_type"]),
        check_ids=tuple(CheckId(i) for i in d["check_ids"]),
        support=Support(SupportLabel(s["label"]), s["score"], s["method"], tuple(s["signals"].items())),
        release=Release(d["release"]),
        review=None if d["review"] is None else review_from_json(d["review"]),
        calculation=None if calculation is None else _calculation_from_json(calculation),
        fault=d.get("fault"),
        superseded=tuple(d.get("superseded", ())),
    )
    if claim.text_sha256 != d["text_sha256"]:
        raise ValueError("a claim's text does not have the hash that was saved with it")
    return claim


def _calculation_from_json(d: dict[str, Any]) -> Calculation:
    return Calculation(d["operation"], tuple(CheckId(i) for i in d["operands"]), d["result"], d["unit"])


def review_to_json(r: Review) -> dict[str, Any]:
    return {
        "decision": r.decision.value,
        "reviewer": r.reviewer,
        "at": r.at,
        "note": r.note,
        "authority": r.authority,
        "relevance": r.relevance,
        "report_sha256": r.report_sha256,
        "state": r.state.value,
        "reopened_because": [_reopening_to_json(b) for b in r.reopened_because] or None,
    }


def review_from_json(d: dict[str, Any]) -> Review:
    return Review(
        decision=Decision(d["decision"]),
        reviewer=d["reviewer"],
        at=d["at"],
        note=d["note"],
        authority=d["authority"],
        relevance=d["relevance"],
        report_sha256=d["report_sha256"],
        state=ReviewState(d["state"]),
        reopened_because=tuple(
            Reopening(ReopenReason(b["reason"]), CheckId(b["check_id"]), b["before"], b["after"])
            for b in d["reopened_because"] or ()
        ),
    )


def _reopening_to_json(b: Reopening) -> dict[str, Any]:
    return {"reason": b.reason.value, "check_id": b.check_id, "before": b.before, "after": b.after}
