"""Writes an answer as a bundle that someone else can check: the same answer and reviews give the same bytes."""

import json
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.errors import InputMissing, InputUnreadable, PinciteError
from app.paths import refuse_inside, write_private
from app.services.answers.answer_json import answer_to_json
from app.services.answers.answers import Answer
from app.services.answers.history import SavedAnswer, load_saved
from app.services.bundle.export_gate import Preflight, cited_sources, preflight
from app.services.bundle.file import Manifest, audit_head, core_hash, manifest_of, pack
from app.services.bundle.lock import encrypt, sign
from app.services.bundle.memo import TITLE, memo_blocks
from app.services.bundle.memo_check import crop_images, memo_foot
from app.services.bundle.memo_docx import memo_docx
from app.services.bundle.memo_pdf import memo_pdf
from app.services.custody import auditing
from app.services.evidence import looking
from app.services.evidence.crops import crop_name
from app.services.evidence.evidence import crop_of_check
from app.services.evidence.verifying import checked, parse
from app.services.matter.matter import Matter
from app.store.records import record_to_json
from ingest.matter.intake import locate
from ingest.matter.ledger import MEMBER_MARK
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.document import SourceRecord
from verify.domain.ids import AnswerId, ClaimId
from verify.domain.progress import Progress
from verify.evidence import evidence_document
from verify.report import CheckResult


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """``claims`` None: all. ``passphrase`` puts the file under AES-256-GCM, ``sign_with`` is an Ed25519 key in PEM."""

    include_sources: bool = False
    claims: frozenset[ClaimId] | None = None
    passphrase: str | None = None
    sign_with: Path | None = None


@dataclass(frozen=True, slots=True)
class Exported:
    path: Path
    manifest: Manifest
    preflight: Preflight
    encrypted: bool

    def to_json(self) -> dict[str, Any]:
        leaving = self.preflight.leaving
        return {
            **self.manifest.to_json(),
            "path": str(self.path),
            "encrypted": self.encrypted,
            "findings": [{"code": f.concern.value, "subject": f.subject} for f in self.preflight.findings],
            "leaving": {
                "claims": leaving.claims,
                "quotations": leaving.quotations,
                "pictures": leaving.pictures,
                "pages": leaving.pages,
                "passages": leaving.passages,
                "documents": list(leaving.documents),
                "whole_documents": leaving.whole_documents,
            },
        }


def look_before_export(matter: Matter, answer_id: AnswerId, options: ExportOptions) -> Preflight:
    """What would leave and what speaks against it. Raises InputMissing for an unknown answer or claim."""
    chosen = _chosen(matter, load_saved(matter, answer_id), options)
    return preflight(matter, chosen, include_sources=options.include_sources)


def export(
    matter: Matter, answer_id: AnswerId, target: Path, options: ExportOptions | None = None
) -> Generator[Progress, None, Exported]:
    """Written aside and renamed, so that a half-written bundle never bears the name.

    Raises InputMissing for an unknown answer or claim, Usage for a target in the matter folder, InputUnreadable if the
    target cannot be written, StoreFault.
    """
    refuse_inside(target, matter.root)
    options = options or ExportOptions()
    saved = _chosen(matter, load_saved(matter, answer_id), options)
    looked = preflight(matter, saved, include_sources=options.include_sources)
    members = yield from _core(matter, saved)
    sources = cited_sources(matter, saved.answer)
    if options.include_sources:
        members |= _originals(matter, sources)
    core = core_hash(members)
    blocks = memo_blocks(saved.answer, sources, crop_images(saved.answer, members), core)
    members["memo.docx"] = memo_docx(TITLE, blocks)
    members["memo.pdf"] = memo_pdf(TITLE, memo_foot(saved.answer, core), blocks)
    manifest = manifest_of(answer_id, members, audit_head(members["audit.jsonl"]))
    if options.sign_with is not None:
        manifest = sign(manifest, options.sign_with)
    packed = pack(manifest, members)
    _write(target, packed if options.passphrase is None else encrypt(packed, options.passphrase))
    subject = {"answer_id": answer_id, "core_sha256": manifest.core_sha256}
    auditing.record(matter, auditing.AuditEvent.EXPORTED, subject)
    return Exported(target, manifest, looked, options.passphrase is not None)


def _chosen(matter: Matter, saved: SavedAnswer, options: ExportOptions) -> SavedAnswer:
    """The answer with the chosen claims alone, checked by a request that asks about them alone."""
    if options.claims is None:
        return saved
    kept = tuple(c for c in saved.answer.claims if c.claim_id in options.claims)
    if len(kept) != len(options.claims):
        raise InputMissing(f"the answer {saved.answer.answer_id} has not all of those claims")
    wanted = {check_id for claim in kept for check_id in claim.check_ids}
    request = json.loads(saved.request)
    request["checks"] = [c for c in request["checks"] if c.get("check_id") in wanted]
    raw = canonical_json(request)
    report = checked(matter, parse(raw), looking.view(matter), saved.ocr_threshold)
    ids = {c.claim_id for c in kept}
    conflicts = tuple(c for c in saved.answer.conflicts if c.earlier in ids and c.later in ids)
    report = replace(report, checked_at=saved.answer.report.checked_at)
    answer = replace(saved.answer, claims=kept, report=report, conflicts=conflicts)
    return SavedAnswer(answer, raw, saved.ocr_threshold)


def _core(matter: Matter, saved: SavedAnswer) -> Generator[Progress, None, dict[str, bytes]]:
    answer = saved.answer
    members = {
        "answer.json": canonical_json(answer_to_json(answer)),
        "report.json": canonical_json(answer.report.to_json()),
        "sources.json": canonical_json([record_to_json(r) for r in cited_sources(matter, answer)]),
        "audit.jsonl": b"".join(line + b"\n" for line in _audit_lines(matter, answer)),
    }
    not_drawn: list[str] = []
    for done, check in enumerate(answer.report.checks):
        yield Progress("export", done, len(answer.report.checks), "checks")
        not_drawn += _add_crops(matter, check, members)
    members["evidence.json"] = canonical_json(
        {
            "schema": "pincite.evidence/1",
            "request": json.loads(saved.request),
            "ocr_threshold": saved.ocr_threshold,
            "pages": evidence_document(parse(saved.request), looking.view(matter), saved.ocr_threshold),
            "not_drawn": not_drawn,
        }
    )
    return members


def _add_crops(matter: Matter, check: CheckResult, members: dict[str, bytes]) -> Iterator[str]:
    """One picture a page. Yields the names of those that cannot be drawn now: the document changed, is gone or locked,
    as its check says or as the password that is not kept explains."""
    if check.evidence is None or check.check_id is None:
        return
    pages = sorted({r.page_index for r in check.evidence.regions})
    for index in pages:
        name = crop_name(check.check_id, index, pages)
        try:
            descriptor, png = crop_of_check(matter, check, index)
        except PinciteError:
            yield name
            continue
        members[f"{name}.png"] = png
        members[f"{name}.json"] = canonical_json(descriptor.to_json())


def _audit_lines(matter: Matter, answer: Answer) -> tuple[bytes, ...]:
    """Those of the answer, then those that record what people set of the cited documents."""
    cited = {str(record.source_id) for record in cited_sources(matter, answer)}
    return (*auditing.answer_lines(matter, answer.answer_id), *auditing.tagged_lines(matter, cited))


def _originals(matter: Matter, sources: tuple[SourceRecord, ...]) -> dict[str, bytes]:
    """The cited files whole; what came in an e-mail or archive goes along inside it. Raises InputUnreadable."""
    fingerprints = {record.path: record.fingerprint for record in matter.sources()}
    files = {}
    for path in sorted({record.path.partition(MEMBER_MARK)[0] for record in sources}):
        file = locate(matter.root, path)
        data = None if file is None else file.read_bytes()
        if data is None or sha256_of(data) != fingerprints.get(path):
            raise InputUnreadable(f"{path} changed on disk or is gone, so it cannot go along; run: pincite index")
        files[f"sources/{path}"] = data
    return files


def _write(target: Path, data: bytes) -> None:
    if not target.parent.is_dir():
        raise InputMissing(f"there is no folder {target.parent}")
    try:
        write_private(target, data)
    except OSError as error:
        raise InputUnreadable(f"{target} cannot be written ({error.strerror})") from error
