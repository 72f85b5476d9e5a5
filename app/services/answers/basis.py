"""What a decision rested on, check by check, and how it differs from what is there now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.services.answers.answer_json import review_from_json, review_to_json
from app.services.answers.answers import Reopening, ReopenReason, Review, ReviewState
from app.store.views import MatterSources
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.codec import page_json
from verify.domain.ids import CheckId
from verify.report import CheckResult, VerificationReport, check_json
from verify.request import Check, Request

ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class Basis:
    """``bytes_hash`` of the file on disk, ``text_hash`` of the cited pages as they were read, ``verdict`` in codes, and
    ``result_hash`` of the whole check result."""

    check_id: CheckId
    bytes_hash: str
    text_hash: str
    verdict: str
    result_hash: str


def report_hash(report: VerificationReport) -> str:
    """Of the canonical report without the time of checking, which alone differs between two equal runs."""
    return sha256_of(canonical_json({k: v for k, v in report.to_json().items() if k != "checked_at"}))


def review_hash(review: Review) -> str:
    """Of a decision as it was taken, whatever reopened it later. The audit log keeps it in place of the words."""
    taken = replace(review, state=ReviewState.CURRENT, reopened_because=())
    return sha256_of(canonical_json(review_to_json(taken)))


def basis_of(checks: Iterable[CheckResult], request: Request, view: MatterSources) -> tuple[Basis, ...]:
    asked = {check.check_id: check for check in request.checks if isinstance(check, Check)}
    return tuple(_basis(check, asked[check.check_id], view) for check in checks if check.check_id in asked)


def _basis(check: CheckResult, asked: Check, view: MatterSources) -> Basis:
    verdict = check.status.value + (f"/{check.reason.value}" if check.reason else "")
    bytes_hash, text_hash = _source_now(asked, view)
    return Basis(asked.check_id, bytes_hash, text_hash, verdict, sha256_of(canonical_json(check_json(check))))


def _source_now(asked: Check, view: MatterSources) -> tuple[str, str]:
    found = view.find(asked.source_id)
    if found is None:
        return ABSENT, ABSENT
    last = asked.page_index if asked.end_page_index is None else asked.end_page_index
    pages = [found.page(index) for index in range(asked.page_index, last + 1)]
    parser = found.record.parser
    text = [parser.name, parser.version, parser.profile, *(sha256_of(page_json(p)) if p else ABSENT for p in pages)]
    return found.bytes_now() or ABSENT, sha256_of(canonical_json(text))


def basis_to_json(basis: Iterable[Basis]) -> list[dict[str, str]]:
    return [
        {
            "check_id": b.check_id,
            "bytes_hash": b.bytes_hash,
            "text_hash": b.text_hash,
            "verdict": b.verdict,
            "result_hash": b.result_hash,
        }
        for b in basis
    ]


def basis_from_json(rows: list[dict[str, Any]]) -> tuple[Basis, ...]:
    return tuple(
        Basis(CheckId(r["check_id"]), r["bytes_hash"], r["text_hash"], r["verdict"], r["result_hash"]) for r in rows
    )


def reviewed(document: dict[str, Any], then: Sequence[Basis], now: Sequence[Basis]) -> Review:
    """The decision, reopened with the difference where what it rested on has changed."""
    review = review_from_json(document)
    by_id = {b.check_id: b for b in now}
    because = tuple(d for old in then if (d := _difference(old, by_id.get(old.check_id))) is not None)
    if not because:
        return replace(review, state=ReviewState.CURRENT, reopened_because=())
    return replace(review, state=ReviewState.REOPENED, reopened_because=because)


def _difference(old: Basis, new: Basis | None) -> Reopening | None:
    """The first cause: other bytes explain another text, and another text another verdict."""
    if new is None:
        return Reopening(ReopenReason.VERDICT_CHANGED, old.check_id, old.verdict, ABSENT)
    if old.bytes_hash != new.bytes_hash:
        return Reopening(ReopenReason.SOURCE_CHANGED, old.check_id, old.bytes_hash, new.bytes_hash)
    if old.text_hash != new.text_hash:
        return Reopening(ReopenReason.TEXT_LAYER_CHANGED, old.check_id, old.text_hash, new.text_hash)
    if old.result_hash != new.result_hash:
        return Reopening(ReopenReason.VERDICT_CHANGED, old.check_id, old.verdict, new.verdict)
    return None
