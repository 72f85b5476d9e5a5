"""One source while a worker reads it: keeps what comes in, and makes the record at the end."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from ingest.matter.family import Family, FoundMember
from ingest.matter.intake import FoundFile, still_as_hashed
from ingest.matter.ledger import Entry
from ingest.ports import BlobKind, Blobs, Passwords, Registry
from ingest.rendition.names import RENDITION_PROFILE, rendition_key
from ingest.settings import OcrMode, ReadSettings
from ingest.worker.wire import Message, passage_of
from verify.domain.canonical import sha256_of
from verify.domain.document import (
    LabelOrigin,
    Metadata,
    Page,
    Parser,
    SourceRecord,
    SourceStatus,
    SourceWarning,
    TextSource,
    WarningCode,
)
from verify.domain.ids import Fingerprint
from verify.domain.passage import Passage

MOST_FAILING = 12
"""Pages of one source that may end a worker before the rest of the source is given up."""


CARRIED_EVERY = 64
"""Pages after which what is carried on is kept outside this process: a run that is killed goes back so far at most."""
MOST_CARRIED = 1_000_000
"""Bytes: headings, a few numbers a page. A worker that sends more sends nonsense."""


def carried_key(fingerprint: Fingerprint, profile: str) -> str:
    return f"{fingerprint} {profile}"


class ChangedWhileRead(Exception):
    """The file was written to after it was hashed: what was read may be of other bytes."""


def failed_page(index: int, detail: str) -> Page:
    """Stands for a page that could not be read, so that the pages after it keep their index."""
    return Page(
        index, None, LabelOrigin.NONE, None, None, 0, 0, 0, TextSource.NONE, None, "", (), (), (),
        warnings=(SourceWarning(WarningCode.PAGE_FAILED, index, detail),),
    )  # fmt: skip


@dataclass(slots=True)
class Reading:
    """``parser`` is a stand-in until the worker names it. ``file`` is None for a member. ``pages_done`` counts kept
    pages from index 0, which are kept under the profile ``kept_under``; ``at`` is the page in work.
    ``carried`` is what the next worker goes on from, ``carried_at`` how far that was kept outside this process."""

    entry: Entry
    file: FoundFile | None
    depth: int
    family: Family
    parser: Parser
    media_type: str = "application/octet-stream"
    metadata: Metadata = field(default_factory=Metadata)
    page_count: int | None = None
    pages_done: int = 0
    at: int | None = None
    failing: set[int] = field(default_factory=set)
    retried: bool = False
    warnings: list[SourceWarning] = field(default_factory=list)
    members: dict[str, FoundMember] = field(default_factory=dict)
    passages: list[Passage] = field(default_factory=list)
    ocr_pages: int = 0
    unread_pages: int = 0
    kept_under: str = ""
    carried: bytes | None = None
    carried_at: int = 0

    def begin(self, pages_kept: int) -> None:
        """Forgets what a worker said that has ended; pages and blobs are kept."""
        self.at = None
        self.pages_done = self.carried_at = pages_kept
        self.passages.clear()
        self.warnings.clear()
        self.members.clear()

    def take(self, message: Message, registry: Registry, blobs: Blobs) -> SourceRecord | None:
        """The finished record once the worker is through. Raises ``ChangedWhileRead``; ValueError for nonsense."""
        fields = message.fields
        match message.kind:
            case "kind":
                self.media_type = str(fields["media_type"])
            case "opened":
                self._open(fields)
            case "page":
                self.at = int(fields["index"])
            case "pages":
                self._keep(int(fields["first"]), message.blobs, registry)
            case "carried":
                self._carry(int(fields["index"]), message.blobs[0], blobs)
            case "rendition":
                key = rendition_key(self.entry.fingerprint, fields["profile"])
                blobs.put(BlobKind.RENDITION, key, message.blobs[0], self.entry.fingerprint)
            case "member":
                self._add_member(str(fields["name"]), message.blobs[0], blobs)
            case "passages":
                self.passages += map(passage_of, fields["rows"])
            case "failed":
                self._check_bytes()
                return self._failed(SourceStatus(fields["status"]), str(fields["detail"]))
            case "done":
                if self.carried_at:
                    self._keep_carried(b"", blobs)  # nothing goes on from there any more
                return self._done(fields)
            case _:
                raise ValueError("a worker sent what nobody asked for")
        return None

    def _open(self, fields: dict[str, Any]) -> None:
        self.page_count = int(fields["page_count"])
        self.parser = Parser(*map(str, fields["parser"]))
        self.metadata = Metadata(**fields["metadata"])

    def _keep(self, first: int, pages: tuple[bytes, ...], registry: Registry) -> None:
        self._check_bytes()
        if first != self.pages_done:
            raise ValueError("a worker sent pages out of order")
        registry.put_pages(self.entry.fingerprint, self.parser.profile, first, pages)
        self.pages_done += len(pages)
        self.retried = False

    def _carry(self, index: int, state: bytes, blobs: Blobs) -> None:
        if index > self.pages_done or len(state) > MOST_CARRIED:
            raise ValueError("a worker carries on what it cannot have")
        self.carried = state
        if index >= self.carried_at + CARRIED_EVERY:
            self._keep_carried(state, blobs)
            self.carried_at = index

    def _keep_carried(self, state: bytes, blobs: Blobs) -> None:
        key = carried_key(self.entry.fingerprint, self.parser.profile)
        blobs.put(BlobKind.CARRIED, key, state, self.entry.fingerprint)

    def _check_bytes(self) -> None:
        if self.file is not None and not still_as_hashed(self.file):
            raise ChangedWhileRead

    def _add_member(self, name: str, data: bytes, blobs: Blobs) -> None:
        fingerprint = Fingerprint(sha256_of(data))
        blobs.put(BlobKind.MEMBER, fingerprint, data, self.entry.fingerprint)
        self.members[name] = FoundMember(name, fingerprint, len(data))

    def _done(self, fields: dict[str, Any]) -> SourceRecord:
        warnings = [SourceWarning(WarningCode(c), i, str(d)) for c, i, d in fields["warnings"]]
        self.ocr_pages, self.unread_pages = int(fields["ocr_pages"]), int(fields["unread"])
        self._check_bytes()
        return self._record(SourceStatus(fields["status"]), warnings)

    def _failed(self, status: SourceStatus, detail: str) -> SourceRecord:
        return self._record(status, [SourceWarning(WarningCode.PAGE_FAILED, None, detail)])

    def gave_up(self, detail: str) -> SourceRecord:
        """The record of a source whose worker ended where no page can be skipped."""
        return self._failed(SourceStatus.UNREADABLE, detail)

    def _record(self, status: SourceStatus, warnings: Iterable[SourceWarning]) -> SourceRecord:
        record = SourceRecord(
            self.entry.source_id, self.entry.path, self.entry.fingerprint, self.media_type,
            self.page_count or 0, status, self.parser, ocr_pages=self.ocr_pages, chunk_count=len(self.passages),
            metadata=governed(self.entry, self.metadata), warnings=tuple(warnings),
            unread_pages=self.unread_pages,
        )  # fmt: skip
        return self.entry.placed(record)

    def worker_ended(self, hung: bool) -> str | None:
        """What is to be done after a worker's death: None to go on with another, else why the source is given up.

        A page that hangs is not tried again; one that crashed is, once, since the system may have been short of memory.
        """
        what = "took too long" if hung else "made the reader crash"
        if self.page_count is None or self.at is None:
            return f"the file {what} when it was opened"
        if len(self.failing) >= MOST_FAILING:
            return f"the file {what} on too many pages"
        if self.at >= self.page_count:
            return f"the file {what} after its last page"
        if not hung and not self.retried:
            self.retried = True
            return None
        self.failing.add(self.at)
        return None


def with_rest_left_out(record: SourceRecord) -> SourceRecord:
    """A container whose family is larger than one may be."""
    said = SourceWarning(WarningCode.TRUNCATED, None, "it holds more files than are read of one family")
    return replace(record, status=SourceStatus.PARTIAL, warnings=(*record.warnings, said))


def governed(entry: Entry, declared: Metadata) -> Metadata:
    """What a person set outlives a new reading of the same bytes; of a revision, what governs access to it does."""
    if entry.prior is not None:
        old = entry.prior.metadata
        return Metadata(*(a if a is not None else b for a, b in zip(_values(old), _values(declared), strict=True)))
    if entry.replaces is not None:
        old = entry.replaces.metadata
        return replace(
            declared,
            document_type=old.document_type or declared.document_type,
            issuer=old.issuer or declared.issuer,
            jurisdiction=old.jurisdiction or declared.jurisdiction,
            privilege=old.privilege or declared.privilege,
            access_class=old.access_class or declared.access_class,
        )
    return declared


def _values(metadata: Metadata) -> tuple[str | None, ...]:
    m = metadata
    return (
        m.title, m.document_type, m.issuer, m.jurisdiction, m.dated, m.revision, m.authority_status, m.privilege,
        m.access_class,
    )  # fmt: skip


_MISREAD = frozenset(
    {
        WarningCode.NO_TEXT, WarningCode.GARBLED_TEXT, WarningCode.OCR_LANGUAGE_MISSING,
        WarningCode.OCR_LOW_CONFIDENCE,  # where nothing was recognised: of a picture on a page of text
    }
)  # fmt: skip


def lacks_recognition(record: SourceRecord) -> bool:
    """True if pages were left unread, or read with a part of the languages, for want of an engine or its data."""
    return any(warning.code is WarningCode.OCR_LANGUAGE_MISSING for warning in record.warnings)


def can_recognise(languages: tuple[str, ...]) -> bool:
    """Whether the engine is there with the data of all these languages."""
    from ingest.ocr.engine import OcrSettings, OcrUnavailable, prepare

    try:
        return not prepare(OcrSettings(languages=languages))[1]
    except OcrUnavailable:
        return False


def is_up_to_date(
    record: SourceRecord, settings: ReadSettings, passwords: Passwords, can_recognise: Callable[[], bool]
) -> bool:
    """True if a source need not be opened again. Other OCR settings matter only where recognition does."""
    if record.status is SourceStatus.MISSING or (lacks_recognition(record) and can_recognise()):
        return False
    if record.status is SourceStatus.NEEDS_PASSWORD:
        return not any(passwords.for_path(path) for path in (record.path, *record.other_paths))
    was, now = _profile_parts(record.parser.profile), _profile_parts(settings.profile)
    if was == now:
        return True
    if (was[0], was[3:]) != (now[0], now[3:]) or settings.ocr is OcrMode.ALWAYS or f"ocr-{OcrMode.ALWAYS}" in was:
        return False
    return record.ocr_pages == 0 and not any(warning.code in _MISREAD for warning in record.warnings)


def _profile_parts(profile: str) -> list[str]:
    return [part for part in profile.split("/") if part != RENDITION_PROFILE]
