"""Checks a bundle with nothing but the file: hashes, report logic, every match, pictures' bindings, the memo.

What is wrong is named by its member; the first fault never hides the others.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from app.services.answers.answer_json import answer_from_json
from app.services.answers.reports import report_from_json
from app.services.bundle.check_audit import audit_findings
from app.services.bundle.check_claims import claim_findings
from app.services.bundle.check_sources import INCLUDED, source_findings
from app.services.bundle.file import (
    CONTAINER,
    MANIFEST,
    MEMOS,
    Manifest,
    core_hash,
    load_json,
    manifest_from_json,
    pack,
    read_members,
)
from app.services.bundle.findings import BundleCheck, BundleFinding, Fault, Opened
from app.services.bundle.lock import signature_holds
from app.services.bundle.memo_check import memo_differences
from app.services.evidence.crops import CropDescriptor, crop_from_json, crop_id, crop_name
from app.services.evidence.verifying import parse
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.ids import CheckId
from verify.evidence import contradictions, recheck
from verify.report import CheckResult, Status

Part = TypeVar("Part")

_NEEDED = ("answer.json", "report.json", "sources.json", "evidence.json", "audit.jsonl", *MEMOS)
_CROP = re.compile(r"crops/[^/]+\.(json|png)")


def check_bundle(data: bytes, signed_by: str | None = None) -> tuple[BundleCheck, Opened | None]:
    """``data`` is decrypted. ``signed_by`` is the public key (hex) whose signature is demanded. Raises InputUnreadable
    for what is no ZIP file at all."""
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
    findings += _of_evidence(opened)
    findings += _guarded("answer.json", claim_findings(opened))
    findings += _guarded("sources.json", source_findings(opened))
    findings += _guarded("audit.jsonl", audit_findings(opened, manifest))
    findings += _of_crops(opened, members)
    findings += _unexpected(opened)
    findings += _of_memo(opened, manifest, members)
    signed = manifest.signature[0] if manifest.signature and signature_holds(manifest) else None
    if signed_by is not None and signed != signed_by:
        findings.append(BundleFinding(MANIFEST, Fault.SIGNATURE_MISSING, f"signed with {signed or 'no key'}"))
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
    request, threshold, pages, not_drawn = _part("evidence.json", members.get("evidence.json"), _evidence)
    return Opened(
        answer, report, request, threshold, pages, members.get("sources.json", b"[]"), dict(members), not_drawn
    )


def _evidence(d: Any) -> tuple[bytes, int, list[dict[str, Any]], frozenset[str]]:
    return canonical_json(d["request"]), int(d["ocr_threshold"]), list(d["pages"]), frozenset(d["not_drawn"])


def _guarded(member: str, findings: Iterator[BundleFinding]) -> Iterator[BundleFinding]:
    """Hand-made parts can break any assumption; whatever it is, the bundle does not hold."""
    try:
        yield from findings
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, zlib.error) as error:
        yield BundleFinding(member, Fault.NOT_READABLE, type(error).__name__)


def _unexpected(opened: Opened) -> Iterator[BundleFinding]:
    """Members of a kind that no bundle has."""
    for name in sorted(opened.members):
        if name not in _NEEDED and not name.startswith((INCLUDED, "crops/")):
            yield BundleFinding(name, Fault.UNEXPECTED, "no bundle has a member of this name")


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
    for name in sorted(_due_pictures(opened) - members.keys()):
        yield BundleFinding(name, Fault.MISSING, "the evidence of a verified passage has a picture")
    for name in sorted(n for n in members if n.startswith("crops/")):
        if _CROP.fullmatch(name) is None:
            yield BundleFinding(name, Fault.NOT_LISTED, "no picture or description of one")
        elif name.endswith(".png") and name.removesuffix(".png") + ".json" not in members:
            yield BundleFinding(name, Fault.PICTURE_DIFFERS, "nothing describes it")
        elif name.endswith(".json"):
            yield from _of_crop(name, members, checks)


def _due_pictures(opened: Opened) -> set[str]:
    """The pictures of passages that are verified, but for those that the bundle says could not be drawn; the memo says
    so of each."""
    due = set()
    for check in opened.report.checks:
        if check.status is Status.VERIFIED and check.evidence is not None:
            pages = sorted({region.page_index for region in check.evidence.regions})
            due |= {crop_name(str(check.check_id), index, pages) for index in pages}
    return {f"{name}.{kind}" for name in due - opened.not_drawn for kind in ("png", "json")}


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


def _of_memo(opened: Opened, manifest: Manifest, members: Mapping[str, bytes]) -> Iterator[BundleFinding]:
    """Whoever reads only the memo must read what the rest of the bundle says, word for word."""
    try:
        differences = list(memo_differences(opened.answer, manifest.core_sha256, members))
    except Exception as error:  # an altered picture can break any library that sets it
        differences = [("memo.pdf", f"it cannot be set again from the bundle's parts ({type(error).__name__})")]
    for name, detail in differences:
        yield BundleFinding(name, Fault.MEMO_DIFFERS, detail)
