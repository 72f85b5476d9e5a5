"""What lies in a matter now, and which source each path is: on disk, and inside containers that were read before."""

import time
from collections.abc import Generator, Iterator, Sequence

from ingest.matter.family import FoundMember, has_members, kept_members
from ingest.matter.intake import FoundFile, hash_file, unchanged
from ingest.matter.ledger import MEMBER_MARK, Entry, Ledger
from ingest.ports import BlobKind, Blobs, FileStamp, Registry
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint
from verify.domain.progress import Progress, drive

_RACY_NS = 2_000_000_000
"""A file younger than this when it is hashed may change again without its time changing (FAT counts in 2 s)."""
_READ = frozenset({SourceStatus.INDEXED, SourceStatus.PARTIAL})


class Inventory:
    """Taken once at the start of a run. ``files`` by path; ``stamps`` of those whose bytes are known."""

    def __init__(self, registry: Registry, blobs: Blobs) -> None:
        self._registry = registry
        self._blobs = blobs
        self._before: dict[str, FileStamp] = {}
        self._present: dict[str, Fingerprint] = {}
        self.files: dict[str, FoundFile] = {}
        self.stamps: dict[str, FileStamp] = {}
        self.ledger = Ledger((), {})

    def take(self, files: Sequence[FoundFile]) -> Generator[Progress, None, list[FoundFile]]:
        """Gives every file on disk, and every member of a container that is known, its source. Returns the files
        that cannot be opened."""
        records = self._registry.records()
        unreadable = yield from self._stamp(files)
        self._present = {path: stamp.fingerprint for path, stamp in self.stamps.items()}
        members = dict(self._known_members(records))
        self._present.update((path, member.fingerprint) for path, member in members.items())
        self.ledger = Ledger(records, self._present)
        for path, stamp in self.stamps.items():
            self.ledger.place(path, stamp.fingerprint)
        for path, member in members.items():
            container = self.ledger.at(self._present[path.rpartition(MEMBER_MARK)[0]])
            self.ledger.place(path, member.fingerprint, container.source_id)
        return unreadable

    def _stamp(self, files: Sequence[FoundFile]) -> Generator[Progress, None, list[FoundFile]]:
        """Fingerprints all files, of unchanged ones from the registry."""
        self._before = {stamp.path: stamp for stamp in self._registry.stamps()}
        unreadable = []
        for number, file in enumerate(files):
            self.files[file.path] = file
            fingerprint = None if file.error else unchanged(file, self._before)
            if fingerprint is None and not file.error:
                fingerprint = yield from _hashed(file, number, len(files))
            if fingerprint is None:
                unreadable.append(file)
            else:
                self.stamps[file.path] = _stamp(file, fingerprint)
        return unreadable

    def _known_members(self, records: Sequence[SourceRecord]) -> Iterator[tuple[str, FoundMember]]:
        """The members of containers that were read before, wherever they lie now."""
        containers = {r.fingerprint for r in records if r.status in _READ and has_members(r)}
        seen: set[Fingerprint] = set()
        pending = [(path, stamp.fingerprint) for path, stamp in sorted(self.stamps.items(), reverse=True)]
        while pending:
            path, fingerprint = pending.pop()
            if fingerprint not in containers or fingerprint in seen:
                continue
            seen.add(fingerprint)
            for member in kept_members(self._blobs, fingerprint) or ():
                inside = f"{path}{MEMBER_MARK}{member.name}"
                if inside not in self.files:
                    yield inside, member
                    pending.append((inside, member.fingerprint))

    def is_at_hand(self, entry: Entry) -> bool:
        """False for a member whose bytes were not kept: its container must be opened again."""
        on_disk = any(path in self.stamps for path in entry.places)
        return on_disk or self._blobs.get(BlobKind.MEMBER, entry.fingerprint) is not None

    def container(self, entry: Entry) -> Entry:
        """Of a known member. Raises KeyError for a file on disk."""
        return self.ledger.at(self._present[entry.path.rpartition(MEMBER_MARK)[0]])

    def file_of(self, entry: Entry) -> FoundFile | None:
        """The first file on disk with these bytes; None for a member."""
        return next((self.files[path] for path in sorted(entry.places) if path in self.stamps), None)

    def stamps_of(self, entry: Entry) -> list[FileStamp]:
        return [self.stamps[path] for path in entry.places if path in self.stamps]

    def stamps_changed(self, entry: Entry) -> bool:
        return any(self._before.get(stamp.path) != stamp for stamp in self.stamps_of(entry))


def _hashed(file: FoundFile, number: int, total: int) -> Generator[Progress, None, Fingerprint | None]:
    """The fingerprint, or None if the file cannot be opened after all."""
    progress = Progress("scan", number, total, "files")
    yield progress
    try:
        return (yield from drive(hash_file(file.on_disk), lambda _: progress))
    except OSError:
        return None


def _stamp(file: FoundFile, fingerprint: Fingerprint) -> FileStamp:
    """A file that was written a moment ago is stamped so that the next run hashes it again."""
    fresh = time.time_ns() - file.mtime_ns < _RACY_NS
    return FileStamp(file.path, file.size, 0 if fresh else file.mtime_ns, fingerprint)
