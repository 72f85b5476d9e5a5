"""Whether a bundle lists the documents that its report cites, and carries their bytes where it carries any."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.services.bundle.file import load_json
from app.services.bundle.findings import BundleFinding, Fault, Opened
from app.store.members import member_fingerprint
from app.store.records import record_from_json
from ingest.matter.ledger import MEMBER_MARK
from verify.domain.canonical import sha256_of
from verify.domain.document import SourceRecord

SOURCES = "sources.json"
INCLUDED = "sources/"


def listed_sources(opened: Opened) -> tuple[SourceRecord, ...]:
    """None where the list cannot be read; ``source_findings`` says so."""
    try:
        return tuple(record_from_json(entry) for entry in load_json(opened.sources))
    except (KeyError, TypeError, ValueError, AttributeError):
        return ()


def source_findings(opened: Opened) -> Iterator[BundleFinding]:
    """The list names each document that a check found evidence in, and no other, as the kept pages have it."""
    listed = listed_sources(opened)
    if not listed and opened.sources != b"[]":
        yield BundleFinding(SOURCES, Fault.NOT_READABLE, "not a list of documents")
        return
    cited = {(c.evidence.source_id, c.evidence.fingerprint) for c in opened.report.checks if c.evidence is not None}
    named = {(record.source_id, record.fingerprint) for record in listed}
    for source_id, _ in sorted(cited - named):
        yield BundleFinding(SOURCES, Fault.SOURCES_DIFFER, f"{source_id} is cited and not listed")
    for source_id, _ in sorted(named - cited):
        yield BundleFinding(SOURCES, Fault.SOURCES_DIFFER, f"{source_id} is listed and not cited")
    if len(listed) != len(named):
        yield BundleFinding(SOURCES, Fault.SOURCES_DIFFER, "a document is listed twice")
    yield from _against_kept(opened, listed)
    yield from _included(opened, listed)


def _against_kept(opened: Opened, listed: tuple[SourceRecord, ...]) -> Iterator[BundleFinding]:
    kept = {entry["source_id"]: entry for entry in opened.evidence}
    for record in listed:
        entry = kept.get(record.source_id)
        parser = {"name": record.parser.name, "version": record.parser.version, "profile": record.parser.profile}
        here = (record.media_type, record.page_count, record.status.value, parser)
        if entry is None or here != (entry["media_type"], entry["page_count"], entry["status"], entry["parser"]):
            yield BundleFinding(SOURCES, Fault.SOURCES_DIFFER, f"{record.source_id} is described in two ways")


def _included(opened: Opened, listed: tuple[SourceRecord, ...]) -> Iterator[BundleFinding]:
    """Documents that come along are the cited ones, whole; one inside a mail or archive comes in its container."""
    included = {name.removeprefix(INCLUDED): data for name, data in opened.members.items() if name.startswith(INCLUDED)}
    if not included:
        return
    wanted = {record.path.partition(MEMBER_MARK)[0] for record in listed}
    for path in sorted(included.keys() ^ wanted):
        code, why = (Fault.MISSING, "cited") if path in wanted else (Fault.UNEXPECTED, "no cited document")
        yield BundleFinding(f"{INCLUDED}{path}", code, why)
    for record in listed:
        outer, _, inner = record.path.partition(MEMBER_MARK)
        if outer in included and _fingerprint(included[outer], outer, inner) != record.fingerprint:
            yield BundleFinding(f"{INCLUDED}{outer}", Fault.SOURCES_DIFFER, f"not the bytes of {record.source_id}")


def _fingerprint(data: bytes, name: str, inner: str) -> str | None:
    if not inner:
        return sha256_of(data)
    with tempfile.TemporaryDirectory(prefix="pincite-check-") as folder:
        container = Path(folder) / f"container{Path(name).suffix}"
        container.write_bytes(data)
        return member_fingerprint(container, inner)
