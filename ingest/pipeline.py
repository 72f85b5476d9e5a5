"""Reads a matter: from a folder of files to pages, passages and records. Every run may be ended and started again.

Order of truth: page batches are kept as they come, the record comes last. What has a record and an unchanged stamp is
not opened again; what has pages but no record goes on from its first page that is missing.
"""

import errno
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ingest.matter.family import Family, FoundMember, has_members, keep_members, kept_members
from ingest.matter.intake import FoundFile, Listing, walk
from ingest.matter.inventory import Inventory
from ingest.matter.ledger import MEMBER_MARK, Entry, Ledger, superseded_id
from ingest.ports import BlobKind, Blobs, Passwords, Registry
from ingest.reading import (
    ChangedWhileRead,
    Reading,
    can_recognise,
    carried_key,
    is_up_to_date,
    lacks_recognition,
    with_rest_left_out,
)
from ingest.rendition.names import is_rendered, rendered_profile, rendition_key
from ingest.runs import ReadEvents as ReadEvents
from ingest.runs import ReadOptions as ReadOptions
from ingest.runs import ReadSummary as ReadSummary
from ingest.runs import SourceRead as SourceRead
from ingest.settings import OcrMode
from ingest.worker.job import ReadJob
from ingest.worker.pool import Death, Pool, clear_scratch
from ingest.worker.wire import Message
from verify.domain.document import Metadata, Parser, SourceRecord, SourceStatus, SourceWarning, WarningCode
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.progress import Progress, drive

_TICK = 0.2
"""Seconds between two signs of life: whoever closes the generator waits no longer."""
_KEPT_AT_ONCE = 64
"""Pages of an earlier run in one answer: about a megabyte."""
_UNHASHED = Fingerprint("")
"""Of a file whose bytes the system never gave."""
_UNKNOWN_TYPE = "application/octet-stream"


def read_matter(root: Path, registry: Registry, blobs: Blobs, passwords: Passwords, options: ReadOptions) -> ReadEvents:
    """Brings the registry up to what lies in the folder. Raises OSError if the folder itself cannot be read.

    Closing the generator ends the workers at once; a later run goes on. One process at a time, as the store sees to.
    """
    started = time.monotonic()
    clear_scratch(options.scratch)
    run = _Run(root, registry, blobs, passwords, options)
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
    return (yield from drive(walk(root), lambda count: Progress("scan", count, None, "files")))


ReadSteps = Generator[Progress | SourceRead, None, None]


class _Run:
    """What one run knows. Everything that must outlive it is in the registry and the blobs."""

    def __init__(
        self, root: Path, registry: Registry, blobs: Blobs, passwords: Passwords, options: ReadOptions
    ) -> None:
        self._root = root
        self._registry = registry
        self._blobs = blobs
        self._passwords = passwords
        self._options = options
        self._limits = options.limits
        self._inventory = Inventory(registry, blobs)
        self._orphans: set[Fingerprint] = set()
        self._ledger = Ledger((), {})
        self._queue: deque[Reading] = deque()
        self._pool: Pool[Reading] = Pool(options.jobs, options.limits, options.scratch)
        self._nobody = Parser("none", "", options.settings.profile)
        self._recognises: bool | None = None
        self._latest: SourceId | None = None
        self._told = 0.0
        self._expected = self._opened_bytes = self._closed_bytes = 0
        self.read_count = self.kept_count = self.pages = 0

    def close(self) -> None:
        self._pool.close()

    # What has changed ------------------------------------------------------------------------------------------------

    def place(self, listing: Listing) -> ReadSteps:
        """Finds out what lies where. A file whose bytes the system does not give is told at once."""
        unreadable = yield from self._inventory.take(listing.files)
        self._ledger = self._inventory.ledger
        for file in unreadable:
            yield self._cannot_open(file)

    def _cannot_open(self, file: FoundFile) -> SourceRead:
        """A file whose bytes the system does not give keeps the fingerprint that it was last known by. Its parser names
        no profile, so that it is read as soon as it can be."""
        self._need_root()
        source_id, old = self._ledger.claim(file.path)
        detail = file.error or "the file cannot be opened"
        record = SourceRecord(
            source_id, file.path, old.fingerprint if old else _UNHASHED, old.media_type if old else _UNKNOWN_TYPE,
            old.page_count if old else 0, SourceStatus.UNREADABLE, Parser("none", "", ""),
            metadata=old.metadata if old else Metadata(),
            warnings=(SourceWarning(WarningCode.PAGE_FAILED, None, detail),),
        )  # fmt: skip
        if record != old:
            self._registry.commit(record, (), ())
        return SourceRead(record)

    def settle(self) -> ReadSteps:
        """Writes down what moved or went, and queues what must be read, in the order of paths."""
        reopen: set[Fingerprint] = set()
        for entry in sorted(filter(self._options.only.takes, self._ledger.entries()), key=lambda e: e.path):
            prior = entry.prior
            if prior is None or not self._is_up_to_date(prior) or self._lost_blobs(prior):
                if self._inventory.is_at_hand(entry):
                    self._enqueue(entry)
                else:
                    self._orphans.add(entry.fingerprint)
                    reopen.add(self._inventory.container(entry).fingerprint)
                continue
            self.kept_count += 1
            record = entry.placed(prior)
            if record != prior or self._inventory.stamps_changed(entry):
                self._registry.commit(record, self._inventory.stamps_of(entry), None)
            if record != prior:
                yield SourceRead(record)
        queued = {reading.entry.fingerprint for reading in self._queue}
        for fingerprint in sorted(reopen - queued - self._orphans):
            self._enqueue(self._ledger.at(fingerprint))

    def _is_up_to_date(self, record: SourceRecord) -> bool:
        return is_up_to_date(record, self._options.settings, self._passwords, self._can_recognise)

    def _can_recognise(self) -> bool:
        """Whether the engine and all languages are there now; asked once, and only if a source lacked them."""
        if self._recognises is None:
            self._recognises = self._options.ocr is not OcrMode.NEVER and can_recognise(self._options.languages)
        return self._recognises

    def _lost_blobs(self, record: SourceRecord) -> bool:
        """Its list of members, or the rendition that its pages are of, was damaged or deleted."""
        if has_members(record) and kept_members(self._blobs, record.fingerprint) is None:
            return True
        key = rendition_key(record.fingerprint, record.parser.profile)
        return is_rendered(record) and record.page_count > 0 and self._blobs.get(BlobKind.RENDITION, key) is None

    def _enqueue(self, entry: Entry) -> None:
        file = self._inventory.file_of(entry)
        depth = 0 if file else entry.path.count(MEMBER_MARK)
        self._closed_bytes += file.size if file else 0
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
            if time.monotonic() - self._told >= _TICK / 2:
                self._told = time.monotonic()
                yield self._progress()
        yield self._progress()

    def _progress(self) -> Progress:
        """The total is an estimate while files are still closed: as many pages a byte as those that are open."""
        per_byte = self._expected / self._opened_bytes if self._opened_bytes else 0.0
        total = self._expected + round(self._closed_bytes * per_byte) if self._expected else None
        return Progress("read", self.pages, total, "pages", self._latest)

    def _start(self, reading: Reading) -> Iterator[SourceRead]:
        """Gives a source to a worker; the record at once if it cannot be given."""
        entry = reading.entry
        source = self._source(reading)
        refused = self._refusal(reading, source)
        if refused or source is None:
            yield from self._commit(reading, reading.gave_up(refused))
            return
        kept = self._count_kept(reading)
        reading.begin(kept)
        self._registry.begin(entry.source_id, entry.fingerprint, entry.parent)
        job = ReadJob(
            entry.source_id, entry.fingerprint, entry.path.rpartition("/")[2], source, self._password(entry),
            self._options.settings, kept, frozenset(reading.failing), self._engines(),
            self._carried(reading) if kept else None,
        )  # fmt: skip
        self._pool.start(reading, job)

    def _engines(self) -> int:
        """Engines for one more source: all of them for a scan that is read alone, one each where many wait."""
        return max(1, self._options.jobs // (self._pool.busy + 1 + len(self._queue)))

    def _refusal(self, reading: Reading, source: Path | bytes | None) -> str:
        """Why a source is not even opened; "" if it is."""
        if reading.file is not None and not reading.retried and not reading.failing:
            self._closed_bytes -= reading.file.size
        if reading.depth > self._limits.nesting:
            return "it lies deeper in other files than is opened"
        if reading.file is not None and reading.file.size > self._limits.file_bytes:
            return "the file is larger than is opened"
        return "its container must be read again" if source is None else ""

    def _source(self, reading: Reading) -> Path | bytes | None:
        if reading.file is not None:
            return reading.file.on_disk
        return self._blobs.get(BlobKind.MEMBER, reading.entry.fingerprint)

    def _password(self, entry: Entry) -> str | None:
        return next(filter(None, map(self._passwords.for_path, sorted(entry.places))), None)

    def _count_kept(self, reading: Reading) -> int:
        """How many pages there are of an earlier run or of a worker that ended."""
        settings = self._options.settings
        if reading.entry.prior is not None and lacks_recognition(reading.entry.prior):
            return 0
        for profile in (settings.profile, rendered_profile(settings.profile)):
            reading.kept_under = profile
            count = self._registry.page_count_kept(reading.entry.fingerprint, profile)
            if count:
                return count
        return 0

    def _carried(self, reading: Reading) -> bytes | None:
        """What the worker that ended carried on, or one of an earlier run."""
        key = carried_key(reading.entry.fingerprint, reading.kept_under)
        return reading.carried or self._blobs.get(BlobKind.CARRIED, key)

    def _kept_pages(self, reading: Reading, first: int) -> list[bytes]:
        """Some of them at a time, so that a file of many pages is never in memory as a whole."""
        fingerprint, profile = reading.entry.fingerprint, reading.kept_under
        indexes = range(first, min(first + _KEPT_AT_ONCE, reading.pages_done))
        pages = (self._registry.get_page(fingerprint, profile, index) for index in indexes)
        return [page for page in pages if page is not None]

    def _handle(self, reading: Reading, event: Message | Death) -> Iterator[SourceRead]:
        """What a message or a death means for the source."""
        if isinstance(event, Death):
            yield from self._after_death(reading, event)
            return
        try:
            record = self._take(reading, event)
        except ChangedWhileRead:
            self._pool.drop(reading)
            record = reading.gave_up("it was written to while it was read; read it again")
        except (ValueError, TypeError, KeyError, IndexError):
            self._pool.drop(reading)
            record = reading.gave_up("its reader answered with nonsense")
        if record is not None:
            self._pool.finish(reading)
            yield from self._commit(reading, record)

    def _take(self, reading: Reading, message: Message) -> SourceRecord | None:
        if message.kind in ("blob?", "blob"):
            self._serve_blob(reading, message)
            return None
        if message.kind == "kept?":
            self._pool.answer(reading, self._kept_pages(reading, int(message.fields["first"])))
            return None
        before = reading.pages_done
        record = reading.take(message, self._registry, self._blobs)
        self.pages += reading.pages_done - before
        if message.kind == "opened" and reading.page_count is not None:
            self._latest = reading.entry.source_id
            self._expected += reading.page_count - before
            self._opened_bytes += reading.file.size if reading.file else 0
        return record

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
            self._blobs.put(BlobKind.OCR, key, message.blobs[0], reading.entry.fingerprint)
        else:
            found = self._blobs.get(BlobKind.OCR, key)
            self._pool.answer(reading, () if found is None else (found,))

    def _commit(self, reading: Reading, record: SourceRecord) -> Iterator[SourceRead]:
        """The record comes last: first the members that it names, then the record that it replaces steps aside."""
        if record.status is SourceStatus.UNREADABLE and self._went_away(reading):
            return
        entry = reading.entry
        members = tuple(m for m in reading.members.values() if reading.family.admit(m, self._limits))
        if len(members) < len(reading.members):
            record = with_rest_left_out(record)
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
        self._registry.commit(record, self._inventory.stamps_of(entry), tuple(reading.passages))
        entry.prior = record
        self.read_count += 1
        yield SourceRead(record)
        yield from self._place_members(reading, members)

    def _went_away(self, reading: Reading) -> bool:
        """A file that is gone was not found wanting: what is known of it stays, and the next run finds out."""
        self._need_root()
        return reading.file is not None and not reading.file.on_disk.exists()

    def _need_root(self) -> None:
        """The whole folder may go while it is read, as a network drive does: no file of it is unreadable then."""
        if not self._root.is_dir():
            raise FileNotFoundError(errno.ENOENT, "it went away while it was read; nothing of it was lost")

    def _place_members(self, reading: Reading, members: Sequence[FoundMember]) -> Iterator[SourceRead]:
        """Members are read next, before other files, in their order."""
        for member in reversed(members):
            path = f"{reading.entry.path}{MEMBER_MARK}{member.name}"
            entry, new = self._ledger.place(path, member.fingerprint, reading.entry.source_id)
            if new or member.fingerprint in self._orphans:
                self._orphans.discard(member.fingerprint)
                self._place_new(entry, reading)
            elif entry.prior is not None and entry.placed(entry.prior) != entry.prior:
                entry.prior = entry.placed(entry.prior)
                self._registry.commit(entry.prior, self._inventory.stamps_of(entry), None)
                yield SourceRead(entry.prior)

    def _place_new(self, entry: Entry, container: Reading) -> None:
        prior = entry.prior
        if prior is None or not self._is_up_to_date(prior):
            if self._options.only.takes(entry):
                self._queue.appendleft(Reading(entry, None, container.depth + 1, container.family, self._nobody))
        elif entry.placed(prior) != prior:
            entry.prior = entry.placed(prior)
            self._registry.commit(entry.prior, (), None)
