"""A bundle against the documents themselves: every citation is verified again in a matter folder."""

import json
import tempfile
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path

from app.services.bundle_check import BundleCheck, BundleFinding, Fault, Opened
from app.services.indexing import IndexOptions, index
from app.services.matter import Matter, open_matter
from app.services.verifying import checked, parse
from app.settings import Settings
from verify.domain.canonical import canonical_json
from verify.domain.progress import Progress
from verify.report import CheckResult, VerificationReport


def check_against_documents(
    done: BundleCheck, opened: Opened, matter_root: Path, settings: Settings
) -> Generator[Progress, None, BundleCheck]:
    """Reads the folder into a store of its own, which is deleted afterwards: whoever checks owes nothing to a store
    that somebody else could have written. Raises InputMissing if there is no such folder."""
    with (
        tempfile.TemporaryDirectory(prefix="pincite-check-") as scratch,
        open_matter(matter_root, settings, Path(scratch), writable=True) as matter,
    ):
        for event in index(matter, IndexOptions(dense=False)):
            if isinstance(event, Progress):
                yield event
        again = _verify_here(matter, opened)
    findings = [*done.findings]
    for stored, now in zip(opened.report.checks, again.checks, strict=True):
        if _verdict(stored) != _verdict(now):
            detail = f"{stored.check_id} is {_words(stored)} in the bundle and {_words(now)} in the documents"
            findings.append(BundleFinding("report.json", Fault.DOCUMENT_DIFFERS, detail))
    return replace(done, findings=tuple(findings), against_documents=True)


def _verify_here(matter: Matter, opened: Opened) -> VerificationReport:
    """The bytes name a document, not its path: it may lie elsewhere in this folder than in the one cited."""
    here = {record.fingerprint: record.source_id for record in matter.sources()}
    request = json.loads(opened.request)
    for check in request["checks"]:
        check["source_id"] = here.get(check.get("document_fingerprint"), check.get("source_id"))
    return checked(matter, parse(canonical_json(request)), matter.view(), opened.ocr_threshold)


def _verdict(check: CheckResult) -> tuple[object, ...]:
    """Status, reason, and what was found where. Ids of sources follow paths and are left out."""
    e = check.evidence
    found = None if e is None else (e.fingerprint, e.page_index, e.page_label, e.text, e.start, e.end, e.regions)
    return (check.status, check.reason, check.match, check.limitations, found)


def _words(check: CheckResult) -> str:
    return check.status.value + (f"/{check.reason.value}" if check.reason else "")
