"""Checks a bundle with nothing but the file: hashes, report logic, every match, pictures' bindings, the memo.

What is wrong is named by its member; the first fault never hides the others.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from app.services.answers.answer_json import answer_from_json
from app.services.answers.answers import Answer
from app.services.answers.release import release
from app.services.answers.reports import report_from_json
from app.services.bundle.file import (
    CONTAINER,
    MANIFEST,
    MEMOS,
    Manifest,
    audit_head,
    core_hash,
    load_json,
    manifest_from_json,
    pack,
    read_members,
)
from app.services.bundle.lock import signature_holds
from app.services.bundle.memo_check import memo_differences
from app.services.evidence.crops import CropDescriptor, crop_from_json, crop_id
from app.services.evidence.verifying import parse
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.ids import CheckId
from verify.evidence import contradictions, recheck
from verify.report import CheckResult, VerificationReport

Part = TypeVar("Part")

CHECK_SCHEMA = "pincite.bundle-check/1"
_NEEDED = ("answer.json", "report.json", "sources.json", "evidence.json", "audit.jsonl", *MEMOS)
_CROP = re.compile(r"crops/[^/]+\.(json|png)")


class Fault(StrEnum):
    """What can be wrong with a bundle; worded in ``app.messages``."""

    NOT_READABLE = "not_readable"
    MISSING = "missing"
    NOT_LISTED = "not_listed"
    HASH_DIFFERS = "hash_differs"
    CORE_HASH_DIFFERS = "core_hash_differs"
    CONTAINER_DIFFERS = "container_differs"
    SIGNATURE_WRONG = "signature_wrong"
    REPORT_DIFFERS = "report_differs"
    RELEASE_DIFFERS = "release_differs"
    MATCH_DIFFERS = "match_differs"
    PICTURE_DIFFERS = "picture_differs"
    AUDIT_BROKEN = "audit_broken"
    MEMO_DIFFERS = "memo_differs"
    DOCUMENT_DIFFERS = "document_differs"


@dataclass(frozen=True, slots=True)
class BundleFinding:
    """``detail`` is ids and hashes, never text of a document."""

    member: str
    code: Fault
    detail: str


@dataclass(frozen=True, slots=True)
class BundleCheck:
    """``signed_by`` is the public key (hex) of a signature that holds; whose it is a person has to know."""

    findings: tuple[BundleFinding, ...]
    core_sha256: str | None
    signed_by: str | None
    against_documents: bool

    @property
    def ok(self) -> bool:
        return not self.findings

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": CHECK_SCHEMA,
            "ok": self.ok,
            "core_sha256": self.core_sha256,
            "signed_by": self.signed_by,
            "against_documents": self.against_documents,
            "findings": [{"member": f.member, "code": f.code.value, "detail": f.detail} for f in self.findings],
        }


@dataclass(frozen=True, slots=True)
class Opened:
    """A bundle whose parts could be read. ``sources`` is its list of the documents cited, as it was found."""

    answer: Answer
    report: VerificationReport
    request: bytes
    ocr_threshold: int
    evidence: list[dict[str, Any]]
    sources: bytes


def check_bundle(data: bytes) -> tuple[BundleCheck, Opened | None]:
    """``data`` is decrypted. Raises InputUnreadable for what is no ZIP file at all."""
    unpacked = read_members(data)
    findings = [BundleFinding(name, Fault.NOT_READABLE, why) for name, why in unpacked.broken]
    members = unpacked.members
    raw_manifest = members.pop(MANIFEST, None)
    if raw_manifest is None:
        if not findings:
            findings.append(BundleFinding(MANIFEST, Fault.MISSING, "every bundle has it"))
        return BundleCheck(tuple(findings), None, None, False), None
    try:
        manifest = _part(MANIFEST, raw_manifest, manifest_from_json)
    except _BrokenPart:
        findings.append(BundleFinding(MANIFEST, Fault.NOT_READABLE, "not the manifest of a bundle"))
        return BundleCheck(tuple(findings), None, None, False), None
    broken = {name for name, _ in unpacked.broken}
    findings += [
        f
        for f in _of_manifest(manifest, raw_manifest, members, data)
        if not (f.code is Fault.MISSING and f.member in broken)
    ]
    try:
        opened = _open(members)
    except _BrokenPart as error:
        if error.name in members:  # one that is not there was named already
            findings.append(BundleFinding(error.name, Fault.NOT_READABLE, error.why))
        return BundleCheck(tuple(findings), manifest.core_sha256, None, False), None
    findings += _of_answer(opened)
    findings += _of_evidence(opened)
    findings += _of_crops(opened, members)
    findings += _of_audit(opened, manifest, members.get("audit.jsonl", b""))
    findings += _of_memo(opened, manifest, members)
    signed = manifest.signature[0] if manifest.signature and signature_holds(manifest) else None
    return BundleCheck(tuple(findings), manifest.core_sha256, signed, False), opened


def _of_manifest(manifest: Manifest, raw: bytes, members: Mapping[str, bytes], data: bytes) -> Iterator[BundleFinding]:
    listed = {name: (digest, size) for name, digest, size in manifest.members}
    for name in sorted(listed.keys() - members.keys()):
        yield BundleFinding(name, Fault.MISSING, "named in the manifest")
    for name in sorted(members.keys() - listed.keys()):
        yield BundleFinding(name, Fault.NOT_LISTED, "not named in the manifest")
    for name in sorted(listed.keys() & members.keys()):
        found = sha256_of(members[name])
        if (found, len(members[name])) != listed[name]:
            yield BundleFinding(name, Fault.HASH_DIFFERS, f"is {found}, the manifest says {listed[name][0]}")
    for name in _NEEDED:
        if name not in members and name not in listed:
            yield BundleFinding(name, Fault.MISSING, "every bundle has it")
    core = core_hash(members)
    if core != manifest.core_sha256:
        yield BundleFinding(MANIFEST, Fault.CORE_HASH_DIFFERS, f"is {core}, the manifest says {manifest.core_sha256}")
    if not signature_holds(manifest):
        yield BundleFinding(MANIFEST, Fault.SIGNATURE_WRONG, "the signature is not of this manifest")
    if canonical_json(manifest.to_json()) != raw:
        yield BundleFinding(MANIFEST, Fault.NOT_READABLE, "not in the one form that is written")
    elif pack(manifest, members) != data:
        yield BundleFinding(CONTAINER, Fault.CONTAINER_DIFFERS, "bytes between or around the members")


class _BrokenPart(Exception):
    def __init__(self, name: str, why: str) -> None:
        super().__init__(name)
        self.name, self.why = name, why


def _part(name: str, data: bytes | None, read: Callable[[Any], Part]) -> Part:
    """Raises _BrokenPart for a member that is not there or is not what its name says."""
    try:
        return read(load_json(data or b""))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise _BrokenPart(name, type(error).__name__) from error


def _open(members: Mapping[str, bytes]) -> Opened:
    answer = _part("answer.json", members.get("answer.json"), answer_from_json)
    report = _part("report.json", members.get("report.json"), report_from_json)
    request, threshold, pages = _part("evidence.json", members.get("evidence.json"), _evidence)
    return Opened(answer, report, request, threshold, pages, members.get("sources.json", b"[]"))


def _evidence(d: Any) -> tuple[bytes, int, list[dict[str, Any]]]:
    return canonical_json(d["request"]), int(d["ocr_threshold"]), list(d["pages"])


def _of_answer(opened: Opened) -> Iterator[BundleFinding]:
    answer = opened.answer
    if answer.report != opened.report:
        yield BundleFinding("report.json", Fault.REPORT_DIFFERS, "answer.json holds another report")
    known = {c.check_id for c in answer.report.checks}
    for claim in answer.claims:
        if not known.issuperset(claim.check_ids):
            yield BundleFinding(
                "answer.json", Fault.REPORT_DIFFERS, f"{claim.claim_id} names a check that is not there"
            )
        due = release(answer.checks_of(claim), claim.support.label, faulty=claim.fault is not None)
        if claim.release is not due:
            detail = f"{claim.claim_id} is {claim.release.value}, its checks and support say {due.value}"
            yield BundleFinding("answer.json", Fault.RELEASE_DIFFERS, detail)


def _of_evidence(opened: Opened) -> Iterator[BundleFinding]:
    """Each match again, over the pages that the bundle keeps."""
    report = opened.report
    try:
        again = recheck(
            opened.evidence,
            parse(opened.request),
            checked_at=report.checked_at,
            ocr_threshold=opened.ocr_threshold,
            ocr_engine=report.verifier.ocr_engine,
        )
    except Exception as error:  # a hand-made page can break any assumption; whatever it is, the bundle does not hold
        yield BundleFinding("evidence.json", Fault.NOT_READABLE, type(error).__name__)
        return
    if again.request_sha256 != report.request_sha256:
        yield BundleFinding("evidence.json", Fault.REPORT_DIFFERS, "the report answers another request")
    for stored, repeated in contradictions(report.checks, again.checks):
        named = stored or repeated
        now = "nothing" if repeated is None else f"{repeated.status.value}/{repeated.reason or '-'}"
        detail = f"{named.check_id if named else None} gives {now} over the pages that the bundle keeps"
        yield BundleFinding("evidence.json", Fault.MATCH_DIFFERS, detail)


def _of_crops(opened: Opened, members: Mapping[str, bytes]) -> Iterator[BundleFinding]:
    checks = {c.check_id: c for c in opened.report.checks if c.check_id is not None}
    for name in sorted(n for n in members if n.startswith("crops/")):
        if _CROP.fullmatch(name) is None:
            yield BundleFinding(name, Fault.NOT_LISTED, "no picture or description of one")
        elif name.endswith(".png") and name.removesuffix(".png") + ".json" not in members:
            yield BundleFinding(name, Fault.PICTURE_DIFFERS, "nothing describes it")
        elif name.endswith(".json"):
            yield from _of_crop(name, members, checks)


def _of_crop(name: str, members: Mapping[str, bytes], checks: Mapping[CheckId, CheckResult]) -> Iterator[BundleFinding]:
    try:
        descriptor = crop_from_json(load_json(members[name]))
    except (KeyError, TypeError, ValueError) as error:
        yield BundleFinding(name, Fault.NOT_READABLE, type(error).__name__)
        return
    picture = name.removesuffix(".json") + ".png"
    if picture not in members:
        yield BundleFinding(picture, Fault.MISSING, f"{name} describes it")
    elif sha256_of(members[picture]) != descriptor.image_sha256:
        yield BundleFinding(picture, Fault.PICTURE_DIFFERS, f"{name} describes another picture")
    check = checks.get(CheckId(descriptor.check_id or ""))
    if check is None or not _is_bound(descriptor, check):
        yield BundleFinding(name, Fault.PICTURE_DIFFERS, f"not bound to the evidence of {descriptor.check_id}")


def _is_bound(descriptor: CropDescriptor, check: CheckResult) -> bool:
    evidence = check.evidence
    return (
        evidence is not None
        and descriptor.document_fingerprint == evidence.fingerprint
        and descriptor.source_id == evidence.source_id
        and descriptor.regions == tuple(r for r in evidence.regions if r.page_index == descriptor.page_index)
        and descriptor.text_sha256 == sha256_of((evidence.text or "").encode())
        and descriptor.crop_id == crop_id(descriptor)
    )


def _of_audit(opened: Opened, manifest: Manifest, lines: bytes) -> Iterator[BundleFinding]:
    for number, line in enumerate(lines.splitlines(), start=1):
        try:
            entry = load_json(line)
            mine = canonical_json(entry) == line and entry["subject"]["answer_id"] == manifest.answer_id
        except (KeyError, TypeError, ValueError):
            mine = False
        if not mine:
            yield BundleFinding("audit.jsonl", Fault.AUDIT_BROKEN, f"line {number} is no entry of this answer")
    if manifest.audit_head != audit_head(lines):
        yield BundleFinding("audit.jsonl", Fault.AUDIT_BROKEN, "the last line is not the one that the manifest names")
    if manifest.answer_id != opened.answer.answer_id:
        yield BundleFinding(MANIFEST, Fault.REPORT_DIFFERS, "the manifest is of another answer")


def _of_memo(opened: Opened, manifest: Manifest, members: Mapping[str, bytes]) -> Iterator[BundleFinding]:
    """Whoever reads only the memo must read what the rest of the bundle says, word for word."""
    try:
        differences = list(memo_differences(opened.answer, manifest.core_sha256, members))
    except Exception as error:  # an altered picture can break any library that sets it
        differences = [("memo.pdf", f"it cannot be set again from the bundle's parts ({type(error).__name__})")]
    for name, detail in differences:
        yield BundleFinding(name, Fault.MEMO_DIFFERS, detail)
