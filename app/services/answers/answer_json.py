"""Answers, claims and reviews as JSON, both ways (contract, section 6)."""

from dataclasses import asdict
from typing import Any

from app.services.answers.answers import (
    Answer,
    AnsweredClaim,
    Calculation,
    Conflict,
    Decision,
    FoundPassage,
    Reopening,
    ReopenReason,
    Retrieval,
    Review,
    ReviewState,
    Searched,
    ShownPassage,
    Unanswered,
    UnmatchedWord,
    UnreadSource,
)
from app.services.answers.reports import region_from_json, report_from_json
from models.answering.drafts import Answers
from models.answering.found import Found, Note, Premise, PremiseState, Row, State
from models.language.kinds import Kind
from verify.domain.claim import ClaimType, Release, Support, SupportLabel, WordingDifference
from verify.domain.ids import AnswerId, CheckId, ClaimId, ElementId, PassageId, SourceId
from verify.report import region_json

ANSWER_SCHEMA = "pincite.answer/1"


def answer_to_json(answer: Answer) -> dict[str, Any]:
    return {
        "schema": ANSWER_SCHEMA,
        "answer_id": answer.answer_id,
        "question": answer.question,
        "after": answer.after,
        "read_as": answer.read_as,
        "asked_at": answer.asked_at,
        "answer": None if answer.given is None else given_to_json(answer.given, answer.retrieval.searched),
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
        given=None if d.get("answer") is None else _given_from_json(d["answer"]),
        after=None if d.get("after") is None else AnswerId(d["after"]),
        read_as=d.get("read_as"),
    )


def given_to_json(found: Found, searched: Searched) -> dict[str, Any]:
    return {
        "kind": found.kind.value,
        "state": found.state.value,
        "text": found.text,
        "claim_ids": list(found.claim_ids),
        "rows": [_row_to_json(row) for row in found.rows],
        "premise": None if found.premise is None else _premise_to_json(found.premise),
        "searched": _searched_to_json(searched),
    } | ({} if found.note is None else {"note": found.note.value})


def _row_to_json(row: Row) -> dict[str, Any]:
    return {
        "source_id": row.source_id,
        "title": row.title,
        "date": row.date,
        "state": row.state.value,
        "text": row.text,
        "claim_ids": list(row.claim_ids),
    }


def _premise_to_json(premise: Premise) -> dict[str, Any]:
    return {"state": premise.state.value, "text": premise.text, "claim_ids": list(premise.claim_ids)}


def _given_from_json(d: dict[str, Any]) -> Found:
    premise = d["premise"]
    return Found(
        kind=Kind(d["kind"]),
        state=State(d["state"]),
        text=d["text"],
        claim_ids=tuple(ClaimId(i) for i in d["claim_ids"]),
        rows=tuple(_row_from_json(row) for row in d["rows"]),
        premise=None
        if premise is None
        else Premise(PremiseState(premise["state"]), premise["text"], tuple(ClaimId(i) for i in premise["claim_ids"])),
        note=None if d.get("note") is None else Note(d["note"]),
    )


def _row_from_json(d: dict[str, Any]) -> Row:
    ids = tuple(ClaimId(i) for i in d["claim_ids"])
    return Row(SourceId(d["source_id"]), d["title"], d["date"], State(d["state"]), d["text"], ids)


def passage_to_json(p: FoundPassage) -> dict[str, Any]:
    return {
        "rank": p.rank,
        "passage_id": p.passage_id,
        "source_id": p.source_id,
        "path": p.path,
        "page_index": p.page_index,
        "end_page_index": p.end_page_index,
        "page_label": p.page_label,
        "kind": p.kind,
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
        kind=d.get("kind", "text"),
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
    out = {"reason": u.reason, "searched": _searched_to_json(u.searched), "nearest": nearest}
    return out | ({"unmatched": [unmatched_to_json(one) for one in u.unmatched]} if u.unmatched else {})


def unmatched_to_json(one: UnmatchedWord) -> dict[str, Any]:
    return {"word": one.word, "nearest": list(one.nearest)}


def _unanswered_from_json(d: dict[str, Any]) -> Unanswered:
    nearest = tuple(_passage_from_json(p) for p in d["nearest"])
    unmatched = tuple(UnmatchedWord(one["word"], tuple(one["nearest"])) for one in d.get("unmatched", ()))
    return Unanswered(d["reason"], _searched_from_json(d["searched"]), nearest, unmatched)


def claim_to_json(c: AnsweredClaim) -> dict[str, Any]:
    out: dict[str, Any] = {
        "claim_id": c.claim_id,
        "text": c.text,
        "text_sha256": c.text_sha256,
        "claim_type": c.claim_type.value,
        "check_ids": list(c.check_ids),
        "support": support_to_json(c.support),
        "release": c.release.value,
        "answers": c.answers.value,
        "review": None if c.review is None else review_to_json(c.review),
    }
    if c.fault is not None:
        out["fault"] = c.fault
    if c.superseded:
        out["superseded"] = list(c.superseded)
    if c.places:
        out["places"] = dict(c.places)
    if c.calculation is not None:
        out["calculation"] = {
            "operation": c.calculation.operation,
            "operands": list(c.calculation.operands),
            "result": c.calculation.result,
            "unit": c.calculation.unit,
        }
    return out


def support_to_json(s: Support) -> dict[str, Any]:
    out: dict[str, Any] = {
        "label": s.label.value, "score": s.score, "method": s.method, "signals": dict(s.signals)
    }  # fmt: skip
    if s.differences:
        out["differences"] = [asdict(difference) for difference in s.differences]
    return out


def _support_from_json(d: dict[str, Any]) -> Support:
    differences = tuple(WordingDifference(**row) for row in d.get("differences", ()))
    return Support(SupportLabel(d["label"]), d["score"], d["method"], tuple(d["signals"].items()), differences)


def _claim_from_json(d: dict[str, Any]) -> AnsweredClaim:
    calculation = d.get("calculation")
    claim = AnsweredClaim(
        claim_id=ClaimId(d["claim_id"]),
        text=d["text"],
        claim_type=ClaimType(d["claim_type"]),
        check_ids=tuple(CheckId(i) for i in d["check_ids"]),
        support=_support_from_json(d["support"]),
        release=Release(d["release"]),
        review=None if d["review"] is None else review_from_json(d["review"]),
        calculation=None if calculation is None else _calculation_from_json(calculation),
        fault=d.get("fault"),
        superseded=tuple(d.get("superseded", ())),
        places=tuple((CheckId(check), str(words)) for check, words in d.get("places", {}).items()),
        answers=Answers(d.get("answers", "yes")),
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
