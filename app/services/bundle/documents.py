"""A bundle against the documents themselves: every citation is verified again in a matter folder."""

import json
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from app.services.bundle.check_audit import tagged
from app.services.bundle.check_sources import SOURCES, listed_sources
from app.services.bundle.findings import BundleCheck, BundleFinding, Fault, Opened
from app.services.bundle.pictures_again import picture_findings
from app.services.evidence import looking
from app.services.evidence.verifying import checked, parse
from app.services.matter.indexing import IndexOptions, index
from app.services.matter.matter import Matter, open_matter
from app.settings import Settings
from app.store.records import METADATA_FIELDS
from ingest.matter.ledger import MEMBER_MARK, Selection, suffix_of
from ingest.settings import OcrMode, asked_of
from verify.domain.canonical import canonical_json, sha256_of
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint
from verify.domain.progress import Progress
from verify.report import CheckResult, Reason, VerificationReport

LOCKED = "locked: give --passwords"
_Asked = tuple[OcrMode, tuple[str, ...]]


def check_against_documents(
    done: BundleCheck, opened: Opened, matter_root: Path, settings: Settings, passwords: Mapping[str, str] | None = None
) -> Generator[Progress, None, BundleCheck]:
    """Hashes the folder and reads what is cited into a store of its own, which is deleted afterwards: whoever checks
    owes nothing to a store that somebody else could have written. Each document is read as the bundle's report says
    that it was. ``passwords`` by path in this folder.

    Raises InputMissing if there is no such folder; EngineUnavailable where all was recognised and cannot be here.
    """
    with (
        tempfile.TemporaryDirectory(prefix="pincite-check-") as scratch,
        open_matter(matter_root, settings, Path(scratch), writable=True) as matter,
    ):
        for (ocr, languages), only in _readings(opened):
            joined = "+".join(languages)
            options = IndexOptions(ocr, joined, dense=False, passwords=passwords or {}, only=only)
            yield from _progress_of(matter, options)
            if only.containers and not _has_all(matter, only):  # they lie under other names here
                wider = replace(only, suffixes=frozenset(map(suffix_of, only.containers)))
                yield from _progress_of(matter, replace(options, only=wider))
        again = _verify_here(matter, opened)
        locked = any(record.status is SourceStatus.NEEDS_PASSWORD for record in matter.sources())
        findings = [*done.findings, *_of_metadata(opened, matter), *picture_findings(opened, again, matter)]
    for stored, now in zip(opened.report.checks, again.checks, strict=True):
        if _verdict(stored) != _verdict(now):
            detail = f"{stored.check_id} is {_words(stored)} in the bundle and {_words(now)} in the documents"
            if now.reason is Reason.DOCUMENT_LOCKED or (locked and now.reason is Reason.SOURCE_UNKNOWN):
                detail += f"; {LOCKED}"
            findings.append(BundleFinding("report.json", Fault.DOCUMENT_DIFFERS, detail))
    return replace(done, findings=tuple(findings), against_documents=True)


def _of_metadata(opened: Opened, matter: Matter) -> Iterator[BundleFinding]:
    """What the bundle says of each document, against the folder: its name, and what the file declares of itself. What a
    person set (a title, an authority) is in no document, but in the audit lines."""
    here = {record.fingerprint: record for record in matter.sources()}
    set_by_people = tagged(opened)
    for listed in listed_sources(opened):
        found = here.get(listed.fingerprint)
        if found is None or found.status is SourceStatus.NEEDS_PASSWORD:
            continue  # its checks say that the document is not here, or not open
        names = {_name(path) for path in (found.path, *found.other_paths)}
        if not names & {_name(path) for path in (listed.path, *listed.other_paths)}:
            yield BundleFinding(SOURCES, Fault.DOCUMENT_DIFFERS, f"{listed.source_id} has another name in the folder")
        if (listed.media_type, listed.page_count) != (found.media_type, found.page_count):
            yield BundleFinding(SOURCES, Fault.DOCUMENT_DIFFERS, f"{listed.source_id} is of another kind or length")
        for field in METADATA_FIELDS:
            said, declared = getattr(listed.metadata, field), getattr(found.metadata, field)
            if said != declared and set_by_people.get((listed.source_id, field)) != sha256_of((said or "").encode()):
                detail = f"{listed.source_id}: {field} is neither what the document declares nor on record as set"
                yield BundleFinding(SOURCES, Fault.DOCUMENT_DIFFERS, detail)


def _name(path: str) -> str:
    return path.rpartition(MEMBER_MARK)[2].rpartition("/")[2]


def _progress_of(matter: Matter, options: IndexOptions) -> Generator[Progress, None, None]:
    for event in index(matter, options):
        if isinstance(event, Progress):
            yield event


def _readings(opened: Opened) -> list[tuple[_Asked, Selection]]:
    """What is to be read, by how it was read for the bundle. A document that the bundle does not list (nothing was
    found in it) is read as the first one that its report names."""
    listed = {record.fingerprint: record for record in listed_sources(opened)}
    parsers = [*opened.report.verifier.parsers, *(record.parser for record in listed.values())]
    usual = asked_of(parsers[0].profile if parsers else "")
    cited: dict[_Asked, set[Fingerprint]] = defaultdict(set)
    for check in json.loads(opened.request)["checks"]:
        fingerprint = check.get("document_fingerprint")
        if isinstance(fingerprint, str):
            record = listed.get(Fingerprint(fingerprint))
            cited[asked_of(record.parser.profile) if record else usual].add(Fingerprint(fingerprint))
    return [
        (asked, Selection(frozenset(found), frozenset(_containers(listed[f] for f in found & listed.keys()))))
        for asked, found in cited.items()
    ]


def _containers(records: Iterable[SourceRecord]) -> set[str]:
    """Of "a.zip!/b.eml!/c.pdf": "a.zip" and "a.zip!/b.eml"."""
    found: set[str] = set()
    for path in (path for record in records for path in (record.path, *record.other_paths)):
        parts = path.split(MEMBER_MARK)
        found.update(MEMBER_MARK.join(parts[:depth]) for depth in range(1, len(parts)))
    return found


def _has_all(matter: Matter, only: Selection) -> bool:
    return (only.fingerprints or frozenset()) <= {record.fingerprint for record in matter.sources()}


def _verify_here(matter: Matter, opened: Opened) -> VerificationReport:
    """The bytes name a document, not its path: it may lie elsewhere in this folder than in the one cited."""
    here = {record.fingerprint: record.source_id for record in matter.sources()}
    request = json.loads(opened.request)
    for check in request["checks"]:
        check["source_id"] = here.get(check.get("document_fingerprint"), check.get("source_id"))
    return checked(matter, parse(canonical_json(request)), looking.view(matter), opened.ocr_threshold)


def _verdict(check: CheckResult) -> tuple[object, ...]:
    """Status, reason, and what was found where. Ids of sources follow paths and are left out."""
    e = check.evidence
    found = None if e is None else (e.fingerprint, e.page_index, e.page_label, e.text, e.start, e.end, e.regions)
    return (check.status, check.reason, check.match, check.limitations, found)


def _words(check: CheckResult) -> str:
    return check.status.value + (f"/{check.reason.value}" if check.reason else "")
