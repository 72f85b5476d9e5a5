"""A saved report, read back to be shown and compared. It is never the ground of a decision: that is computed again."""

from typing import Any

from verify.domain.document import Parser, TextSource
from verify.domain.geometry import Box
from verify.domain.ids import CheckId, ClaimId, ElementId, Fingerprint, SourceId
from verify.report import (
    SCHEMA,
    Alteration,
    AlterationKind,
    CheckResult,
    Difference,
    DifferenceKind,
    Elsewhere,
    Evidence,
    Limitation,
    Match,
    Nearest,
    Reason,
    Region,
    Role,
    Status,
    VerificationReport,
    Verifier,
)


def report_from_json(d: dict[str, Any]) -> VerificationReport:
    """Raises KeyError, ValueError or TypeError for what ``VerificationReport.to_json`` did not make."""
    if d["schema"] != SCHEMA:
        raise ValueError("not a report of this version")
    v = d["verifier"]
    parsers = tuple(Parser(**p) for p in v["parser"])
    report = VerificationReport(
        d["request_id"],
        d["request_sha256"],
        Verifier(v["version"], tuple(v["normalization_profiles"]), parsers, v["ocr_engine"]),
        d["checked_at"],
        tuple(check_from_json(c) for c in d["checks"]),
    )
    if report.all_verified is not d["all_verified"]:
        raise ValueError("a report's summary does not follow from its checks")
    return report


def check_from_json(c: dict[str, Any]) -> CheckResult:
    return CheckResult(
        check_id=None if c["check_id"] is None else CheckId(c["check_id"]),
        claim_id=None if c["claim_id"] is None else ClaimId(c["claim_id"]),
        kind=c["kind"],
        status=Status(c["status"]),
        reason=None if c["reason"] is None else Reason(c["reason"]),
        match=None if c["match"] is None else Match(c["match"]),
        occurrences=c["occurrences"],
        limitations=tuple(map(Limitation, c["limitations"])),
        evidence=None if c["evidence"] is None else _evidence(c["evidence"]),
        found_elsewhere=tuple(_elsewhere(e) for e in c["found_elsewhere"]),
        difference=tuple(Difference(DifferenceKind(x["kind"]), x["expected"], x["found"]) for x in c["difference"]),
        nearest=None if c["nearest"] is None else _nearest(c["nearest"]),
        alterations=tuple(
            Alteration(AlterationKind(a["kind"]), a["expected"], a["found"], a["start"], a["end"])
            for a in c.get("alterations", ())
        ),
    )


def _evidence(e: dict[str, Any]) -> Evidence:
    return Evidence(
        source_id=SourceId(e["source_id"]),
        fingerprint=Fingerprint(e["fingerprint"]),
        page_index=e["page_index"],
        page_label=e["page_label"],
        element_ids=tuple(map(ElementId, e["element_ids"])),
        text=e["text"],
        sentence=e["sentence"],
        start=e["start"],
        end=e["end"],
        regions=tuple(region_from_json(r) for r in e["regions"]),
        text_source=None if e["text_source"] is None else TextSource(e["text_source"]),
        ocr_confidence=e["ocr_confidence"],
        before=e.get("before"),
        after=e.get("after"),
    )


def region_from_json(r: dict[str, Any]) -> Region:
    return Region(r["page_index"], Box(*r["bbox"]), Role(r["role"]))


def _element(value: str | None) -> ElementId | None:
    return None if value is None else ElementId(value)


def _elsewhere(e: dict[str, Any]) -> Elsewhere:
    return Elsewhere(e["page_index"], e["page_label"], _element(e["element_id"]))


def _nearest(n: dict[str, Any]) -> Nearest:
    return Nearest(n["page_index"], _element(n["element_id"]), n["text"])
