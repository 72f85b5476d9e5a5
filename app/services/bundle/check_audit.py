"""Whether the decisions of a bundle are those of its audit lines, and whether any of those lines was cut.

The lines of one answer are a chain of their own (``auditing.ANSWER_PREVIOUS``), since a bundle leaves out what lies
between them. Whoever can write a bundle can write the whole chain again: only a signature shows that nobody did.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.services.answers.basis import review_hash
from app.services.bundle.check_sources import listed_sources
from app.services.bundle.file import MANIFEST, Manifest, audit_head, load_json
from app.services.bundle.findings import BundleFinding, Fault, Opened
from app.services.custody.auditing import ANSWER_PREVIOUS, GENESIS, OF_AN_ANSWER, AuditEvent
from verify.domain.canonical import canonical_json, sha256_of

_LOG = "audit.jsonl"


def audit_findings(opened: Opened, manifest: Manifest) -> Iterator[BundleFinding]:
    raw = opened.members.get(_LOG, b"")
    lines = raw.splitlines()
    entries = [_entry(line, manifest.answer_id) for line in lines]
    sources = {record.source_id for record in listed_sources(opened)}
    for number, entry in enumerate(entries, start=1):
        if entry is None or (entry["event"] == AuditEvent.TAGGED and entry["subject"]["source_id"] not in sources):
            yield BundleFinding(_LOG, Fault.AUDIT_BROKEN, f"line {number} is no entry of this answer")
    if manifest.audit_head != audit_head(raw):
        yield BundleFinding(_LOG, Fault.AUDIT_BROKEN, "the last line is not the one that the manifest names")
    if manifest.answer_id != opened.answer.answer_id:
        yield BundleFinding(MANIFEST, Fault.REPORT_DIFFERS, "the manifest is of another answer")
    if None in entries:
        return
    mine = [(line, e) for line, e in zip(lines, entries, strict=True) if e and e["event"] in OF_AN_ANSWER]
    known = [entry for _, entry in mine]
    yield from _chain(mine)
    yield from _question(opened, known)
    yield from _decisions(opened, known)


def _entry(line: bytes, answer_id: str) -> dict[str, Any] | None:
    try:
        entry = load_json(line)
        subject = entry["subject"]
        if canonical_json(entry) != line or not isinstance(entry["at"], str):
            return None
        if entry["event"] == AuditEvent.TAGGED:
            return entry if isinstance(subject["source_id"], str) else None
        return entry if entry["event"] in OF_AN_ANSWER and subject["answer_id"] == answer_id else None
    except (KeyError, TypeError, ValueError):
        return None


def tagged(opened: Opened) -> dict[tuple[str, str], str]:
    """By document and field, the hash of the value that a person set last, as the audit lines record it."""
    found: dict[tuple[str, str], str] = {}
    for line in opened.members.get(_LOG, b"").splitlines():
        entry = _entry(line, opened.answer.answer_id)
        if entry is not None and entry["event"] == AuditEvent.TAGGED:
            subject = entry["subject"]
            for name, value in subject.items():
                if name.endswith("_sha256"):
                    found[subject["source_id"], name.removesuffix("_sha256")] = value
    return found


def _chain(mine: list[tuple[bytes, dict[str, Any]]]) -> Iterator[BundleFinding]:
    before = GENESIS
    for number, (line, entry) in enumerate(mine, start=1):
        if entry["subject"].get(ANSWER_PREVIOUS) != before:
            yield BundleFinding(_LOG, Fault.AUDIT_BROKEN, f"line {number} does not follow the one before it")
        before = sha256_of(line)


def _question(opened: Opened, entries: list[dict[str, Any]]) -> Iterator[BundleFinding]:
    """The first line records the question, and no other does; the answer's id and the line carry its time."""
    answer = opened.answer
    asked = [number for number, entry in enumerate(entries) if entry["event"] == AuditEvent.ASKED]
    if asked != [0]:
        yield BundleFinding(_LOG, Fault.AUDIT_BROKEN, "not one question at the beginning")
        return
    subject = entries[0]["subject"]
    if subject.get("question_sha256") != sha256_of(answer.question.encode()):
        yield BundleFinding("answer.json", Fault.REVIEW_DIFFERS, "the audit line records another question")
    stamp = "".join(filter(str.isdigit, answer.asked_at))
    if subject.get("asked_at") != answer.asked_at or not answer.answer_id.startswith(f"a{stamp}-"):
        yield BundleFinding("answer.json", Fault.REVIEW_DIFFERS, "the audit line records another time of asking")
    if subject.get("model") != answer.model:
        yield BundleFinding("answer.json", Fault.REVIEW_DIFFERS, "the audit line records another model")
    if not _moment(answer.asked_at) <= _moment(entries[0]["at"]):
        yield BundleFinding(_LOG, Fault.AUDIT_BROKEN, "line 1 is older than the question")


def _decisions(opened: Opened, entries: list[dict[str, Any]]) -> Iterator[BundleFinding]:
    """Decisions and undoings in their order leave the reviews that the answer has."""
    taken: dict[str, list[tuple[str, str]]] = {}
    for entry in entries:
        subject = entry["subject"]
        named = str(subject.get("claim_id"))
        if entry["event"] == AuditEvent.DECIDED:
            taken.setdefault(named, []).append((str(subject.get("review_sha256")), entry["at"]))
        elif entry["event"] == AuditEvent.UNDONE and taken.get(named):
            taken[named].pop()
    for claim in opened.answer.claims:
        standing = taken.get(claim.claim_id)
        review = claim.review
        due = None if not standing else standing[-1]
        found = None if review is None else (review_hash(review), review.at)
        if due != found:
            detail = f"the decision on {claim.claim_id} is not the one that the audit lines record"
            yield BundleFinding("answer.json", Fault.REVIEW_DIFFERS, detail)


def _moment(text: str) -> datetime:
    """The earliest moment for what is no time, which every other follows."""
    try:
        return datetime.fromisoformat(text).replace(microsecond=0)
    except ValueError:
        return datetime.min.replace(tzinfo=datetime.fromisoformat("1970-01-01T00:00:00Z").tzinfo)
