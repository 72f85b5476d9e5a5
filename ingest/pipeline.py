"""Reads a matter: from a folder of files to pages, passages and records. Every run may be ended and started again.

Order of truth: page batches are kept as they come, the record comes last. What has a record and an unchanged stamp is
not opened again; what has pages but no record goes on from its first page that is missing.
"""

import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path

from ingest.family import Family, FoundMember, has_members, keep_members, kept_members
from ingest.intake import FoundFile, Listing, hash_file, unchanged, walk
from ingest.ledger import MEMBER_MARK, Entry, Ledger, superseded_id
from ingest.limits import Limits
from ingest.pool import Death, Pool, clear_scratch
from ingest.ports import BlobKind, Blobs, FileStamp, Passwords, Registry
from ingest.reading import ChangedWhileRead, Reading, is_up_to_date
from ingest.rendition import rendered_profile
from ingest.settings import OcrMode, ReadSettings
from ingest.wire import Message
from ingest.worker import ReadJob
from verify.domain.document import Metadata, Parser, SourceRecord, SourceStatus, SourceWarning, WarningCode
from verify.domain.ids import Fingerprint
from verify.domain.progress import Progress

_TICK = 0.2
"""Seconds between two signs of life: whoever closes the generator waits no longer."""
_RACY_NS = 2_000_000_000
"""A file younger than this when it is hashed may change again without its time changing (FAT counts in 2 s)."""
_UNHASHED = Fingerprint("")
"""Of a file whose bytes the system never gave."""
_UNKNOWN_TYPE = "application/octet-stream"
_READ = frozenset({SourceStatus.INDEXED, SourceStatus.PARTIAL})


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """``scratch`` is a private folder for temporary files outside the matter. ``jobs`` is the count of workers."""

    scratch: Path
    ocr: OcrMode = OcrMode.AUTO
    languages: tuple[str, ...] = ("eng",)
    jobs: int = 2
    limits: Limits = field(default_factory=Limits)

    @property
    def settings(self) -> ReadSettings:
        return ReadSettings(self.ocr, self.languages, max_pages=self.limits.pages)


@dataclass(frozen=True, slots=True)
class SourceRead:
    """A source was committed and can be searched."""

    record: SourceRecord


@dataclass(frozen=True, slots=True)
class ReadSummary:
    """``read`` sources were opened in this run and gave ``pages`` pages; ``unchanged`` were not opened. ``skipped``
    counts links, devices and litter of the system, which are no sources."""

    read: int
    pages: int
    unchanged: int
    missing: int
    skipped: int
    seconds: float


ReadEvents = Generator[Progress | SourceRead, None, ReadSummary]


def read_matter(root: Path, registry: Registry, blobs: Blobs, passwords: Passwords, options: ReadOptions) -> ReadEvents:
    """Brings the registry up to what lies in the folder. Raises OSError if the folder itself cannot be read.

    Closing the generator ends the workers at once; a later run goes on. One process at a time, as the store sees to.
    """
    started = time.monotonic()
    clear_scratch(options.scratch)
    run = _Run(registry, blobs, passwords, options)
    listing = yield from _found(root)
    try:
        yield from run.place(listing)
        yield from run.settle()
        yield from run.read()
        missing = yield from run.retire_left_over()
    finally:
        run.close()
    seconds = time.monotonic() - started
    return ReadSummary(run.read_count, run.pages, run.kept_count, missing, listing.skipped, seconds)


def _found(root: Path) -> Generator[Progress | SourceRead, None, Listing]:
    steps = walk(root)
    while True:
        try:
            count = next(steps)
        except StopIteration as end:
            listing: Listing = end.value
            return listing
        yield Progress("scan", count, None, "files")


def _hashed(file: FoundFile, number: int, total: int) -> Generator[Progress | SourceRead, None, Fingerprint | None]:
    """The fingerprint, or None if the file cannot be opened after all."""
    steps = hash_file(file.on_disk)
    yield Progress("scan", number, total, "files")
    while True:
        try:
            next(steps)
        except StopIteration as end:
            fingerprint: Fingerprint = end.value
            return fingerprint
        except OSError:
            return None
        yield Progress("scan", number, total, "files")


def _stamp(file: FoundFile, fingerprint: Fingerprint) -> FileStamp:
    """A file that was written a moment ago is stamped so that the next run hashes it again."""
    fresh = time.time_ns() - file.mtime_ns < _RACY_NS
    return FileStamp(file.path, file.size, 0 if fresh else file.mtime_ns, fingerprint)


ReadSteps = Generator[Progress | SourceRead, None, None]


class _Run:
    """What one run knows. Everything that must outlive it is in the registry and the blobs."""

    def __init__(self, registry: Registry, blobs: Blobs, passwords: Passwords, options: ReadOptions) -> None:
        self._registry = registry
        self._blobs = blobs
        self._passwords = passwords
        self._options = options
        self._limits = options.limits
        self._files: dict[str, FoundFile] = {}
        self._stamps: dict[str, FileStamp] = {}
        self._stamps_before: dict[str, FileStamp] = {}
        self._ledger = Ledger((), {})
        self._queue: deque[Reading] = deque()
        self._pool: Pool[Reading] = Pool(options.jobs, options.limits, options.scratch)
        self._nobody = Parser("none", "", options.settings.profile)
        self.read_count = self.kept_count = self.pages = self._expected = 0

    def close(self) -> None:
        self._pool.close()

    # What lies where -------------------------------------------------------------------------------------------------

    def place(self, listing: Listing) -> ReadSteps:
        """Gives every file on disk, and every member of a container that is known, its source."""
        records = self._registry.records()
        unreadable = yield from self._stamp(listing.files)
        present = {path: stamp.fingerprint for path, stamp in self._stamps.items()}
        members = dict(self._known_members(records))
        present.update((path, member.fingerprint) for path, member in members.items())
        self._ledger = Ledger(records, present)
        for file in unreadable:
            yield self._cannot_open(file)
        for path, stamp in self._stamps.items():
            self._ledger.place(path, stamp.fingerprint)
        for path, member in members.items():
            container = self._ledger.at(present[path.rpartition(MEMBER_MARK)[0]])
            self._ledger.place(path, member.fingerprint, container.source_id)

    def _stamp(self, files: Sequence[FoundFile]) -> Generator[Progress | SourceRead, None, list[FoundFile]]:
        """Fingerprints all files, of unchanged ones from the registry. Returns those that cannot be opened."""
        self._stamps_before = {stamp.path: stamp for stamp in self._registry.stamps()}
        unreadable = []
        for number, file in enumerate(files):
            self._files[file.path] = file
            fingerprint = None if file.error else unchanged(file, self._stamps_before)
            if fingerprint is None and not file.error:
                fingerprint = yield from _hashed(file, number, len(files))
            if fingerprint is None:
                unreadable.append(file)
            else:
                self._stamps[file.path] = _stamp(file, fingerprint)
        return unreadable

    def _known_members(self, records: Sequence[SourceRecord]) -> Iterator[tuple[str, FoundMember]]:
        """The members of containers that were read before, wherever they lie now."""
        containers = {r.fingerprint for r in records if r.status in _READ and has_members(r)}
        seen: set[Fingerprint] = set()
        pending = [(path, stamp.fingerprint) for path, stamp in sorted(self._stamps.items(), reverse=True)]
        while pending:
            path, fingerprint = pending.pop()
            if fingerprint not in containers or fingerprint in seen:
                continue
            seen.add(fingerprint)
            for member in kept_members(self._blobs, fingerprint) or ():
                inside = f"{path}{MEMBER_MARK}{member.name}"
                yield inside, member
                pending.append((inside, member.fingerprint))

    def _cannot_open(self, file: FoundFile) -> SourceRead:
        """A file whose bytes the system does not give keeps the fingerprint that it was last known by."""
        source_id, old = self._ledger.claim(file.path)
        detail = file.error or "the file cannot be opened"
        record = SourceRecord(
            source_id, file.path, old.fingerprint if old else _UNHASHED, old.media_type if old else _UNKNOWN_TYPE,
            old.page_count if old else 0, SourceStatus.UNREADABLE, old.parser if old else self._nobody,
            metadata=old.metadata if old else Metadata(),
            warnings=(SourceWarning(WarningCode.PAGE_FAILED, None, detail),),
        )  # fmt: skip
        self._registry.commit(record, (), ())
        return SourceRead(record)

    # What has changed ------------------------------------------------------------------------------------------------

    def settle(self) -> ReadSteps:
        """Writes down what moved or went, and queues what must be read, in the order of paths."""
        settings = self._options.settings
        for entry in sorted(self._ledger.entries(), key=lambda e: e.path):
            prior = entry.prior
            if prior is None or not is_up_to_date(prior, settings, self._passwords) or self._lost_members(prior):
                self._enqueue(entry)
                continue
            self.kept_count += 1
            if entry.placed(prior) != prior or self._stamps_changed(entry):
                record = entry.placed(prior)
                self._registry.commit(record, self._stamps_of(entry), None)
                yield SourceRead(record)

    def _lost_members(self, record: SourceRecord) -> bool:
        return has_members(record) and kept_members(self._blobs, record.fingerprint) is None

    def _stamps_of(self, entry: Entry) -> list[FileStamp]:
        return [self._stamps[path] for path in entry.places if path in self._stamps]

    def _stamps_changed(self, entry: Entry) -> bool:
        return any(self._stamps_before.get(stamp.path) != stamp for stamp in self._stamps_of(entry))

    def _enqueue(self, entry: Entry) -> None:
        path = next((path for path in sorted(entry.places) if path in self._stamps), None)
        depth = 0 if path else entry.path.count(MEMBER_MARK)
        file = self._files[path] if path else None
        self._queue.append(Reading(entry, file, depth, Family(), self._nobody))

    def retire_left_over(self) -> Generator[Progress | SourceRead, None, int]:
        """Records of which nothing is left become ``missing``."""
        missing = 0
        for old in self._ledger.left_over():
            missing += 1
            if old.status is SourceStatus.MISSING:
                continue
            record = replace(old, status=SourceStatus.MISSING)
            self._registry.retire(old, record)
            yield SourceRead(record)
        return missing

    # Reading ---------------------------------------------------------------------------------------------------------

    def read(self) -> ReadSteps:
        """Keeps the workers busy until nothing is left to read."""
        while self._queue or self._pool.busy:
            while self._queue and self._pool.has_room:
                yield from self._start(self._queue.popleft())
            for reading, event in self._pool.events(_TICK):
                yield from self._handle(reading, event)
            yield Progress("read", self.pages, self._expected or None, "pages")

    def _start(self, reading: Reading) -> Iterator[SourceRead]:
        """Gives a source to a worker; the record at once if it cannot be given."""
        entry = reading.entry
        if reading.depth > self._limits.nesting:
            yield from self._commit(reading, reading.gave_up("it lies deeper in other files than is opened"))
            return
        source = self._source(reading)
        if source is None:
            yield from self._commit(reading, reading.gave_up("its container must be read again"))
            return
        kept = self._kept_pages(reading)
        reading.begin(len(kept))
        job = ReadJob(
            entry.source_id, entry.fingerprint, entry.path.rpartition("/")[2], source, self._password(entry),
            self._options.settings, kept, frozenset(reading.failing),
        )  # fmt: skip
        self._pool.start(reading, job)

    def _source(self, reading: Reading) -> Path | bytes | None:
        if reading.file is not None:
            return reading.file.on_disk
        return self._blobs.get(BlobKind.MEMBER, reading.entry.fingerprint)

    def _password(self, entry: Entry) -> str | None:
        return next(filter(None, map(self._passwords.for_path, sorted(entry.places))), None)

    def _kept_pages(self, reading: Reading) -> tuple[bytes, ...]:
        """Pages of an earlier run or of a worker that ended."""
        fingerprint, settings = reading.entry.fingerprint, self._options.settings
        for profile in (settings.profile, rendered_profile(settings.profile)):
            count = self._registry.page_count_kept(fingerprint, profile)
            pages = (self._registry.get_page(fingerprint, profile, index) for index in range(count))
            kept = tuple(takewhile(lambda page: page is not None, pages))
            if kept:
                return kept  # type: ignore[return-value]  # takewhile leaves no None
        return ()

    def _handle(self, reading: Reading, event: Message | Death) -> Iterator[SourceRead]:
        """What a message or a death means for the source."""
        try:
            if isinstance(event, Death):
                yield from self._after_death(reading, event)
            elif event.kind in ("blob?", "blob"):
                self._serve_blob(reading, event)
            else:
                before = reading.pages_done
                record = reading.take(event, self._registry, self._blobs)
                self.pages += max(0, reading.pages_done - before)
                if record is not None:
                    self._pool.finish(reading)
                    yield from self._commit(reading, record)
        except ChangedWhileRead:
            self._pool.drop(reading)
            yield from self._commit(reading, reading.gave_up("it was written to while it was read; read it again"))
        except (ValueError, TypeError, KeyError, IndexError):
            self._pool.drop(reading)
            yield from self._commit(reading, reading.gave_up("its reader answered with nonsense"))

    def _after_death(self, reading: Reading, death: Death) -> Iterator[SourceRead]:
        why = reading.worker_ended(death.hung)
        if why is None:
            self._queue.appendleft(reading)
        else:
            yield from self._commit(reading, reading.gave_up(why))

    def _serve_blob(self, reading: Reading, message: Message) -> None:
        """Recognitions are all that a worker may ask for or keep."""
        key = str(message.fields["key"])
        if message.fields["blob_kind"] != BlobKind.OCR:
            raise ValueError("a worker asked for what it may not have")
        if message.kind == "blob":
            self._blobs.put(BlobKind.OCR, key, message.blobs[0])
        else:
            self._pool.answer(reading, self._blobs.get(BlobKind.OCR, key))

    def _commit(self, reading: Reading, record: SourceRecord) -> Iterator[SourceRead]:
        """The record comes last: first the members that it names, then the record that it replaces steps aside."""
        entry = reading.entry
        members = tuple(reading.members.values())
        if members:
            keep_members(self._blobs, entry.fingerprint, members)
        outdated = self._ledger.outdated(entry)
        if outdated is not None:
            self._registry.retire(outdated, None)
        if entry.replaces is not None:
            old = replace(entry.replaces, source_id=superseded_id(entry.replaces), status=SourceStatus.SUPERSEDED)
            self._registry.retire(entry.replaces, old)
            entry.replaces = None
            yield SourceRead(old)
        self._registry.commit(record, self._stamps_of(entry), tuple(reading.passages))
        entry.prior = record
        self.read_count += 1
        yield SourceRead(record)
        yield from self._place_members(reading, members)

    def _place_members(self, reading: Reading, members: Sequence[FoundMember]) -> Iterator[SourceRead]:
        """Members are read next, before other files, in their order."""
        for member in reversed(members):
            if not reading.family.admit(member, self._limits):
                continue
            path = f"{reading.entry.path}{MEMBER_MARK}{member.name}"
            entry, new = self._ledger.place(path, member.fingerprint, reading.entry.source_id)
            if new:
                self._place_new(entry, reading)
            elif entry.prior is not None and entry.placed(entry.prior) != entry.prior:
                entry.prior = entry.placed(entry.prior)
                self._registry.commit(entry.prior, self._stamps_of(entry), None)
                yield SourceRead(entry.prior)

    def _place_new(self, entry: Entry, container: Reading) -> None:
        prior = entry.prior
        if prior is not None and is_up_to_date(prior, self._options.settings, self._passwords):
            if entry.placed(prior) != prior:
                entry.prior = entry.placed(prior)
                self._registry.commit(entry.prior, (), None)
            return
        self._queue.appendleft(Reading(entry, None, container.depth + 1, container.family, self._nobody))
