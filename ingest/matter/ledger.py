"""Which source a file is: ids that outlive renames and revisions, one source for equal bytes.

An id belongs to a path. A revision keeps it, and the replaced record becomes ``{id}~{8 digits}``; a file that moved
with its bytes keeps it; of equal files the first path in sorted order holds the record (contract, section 3).
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId

MEMBER_MARK = "!/"
"""Parts a container's path from its member's."""


def id_of_path(path: str) -> SourceId:
    """Opaque on purpose: an id goes into logs, a file's name must not."""
    return SourceId("s" + hashlib.sha256(path.encode()).hexdigest()[:16])


def superseded_id(record: SourceRecord) -> SourceId:
    """``{source_id}~{first 8 digits of its fingerprint}``."""
    return SourceId(f"{record.source_id}~{record.fingerprint.removeprefix('sha256:')[:8]}")


@dataclass(slots=True)
class Entry:
    """One content of the matter as it lies there now.

    ``places`` maps each of its paths to the source it is a member of (None on disk). ``prior`` is the record kept for
    the same bytes, ``replaces`` the record of other bytes whose id this content takes over.
    """

    source_id: SourceId
    fingerprint: Fingerprint
    places: dict[str, SourceId | None] = field(default_factory=dict)
    prior: SourceRecord | None = None
    replaces: SourceRecord | None = None

    @property
    def path(self) -> str:
        return min(self.places)

    @property
    def other_paths(self) -> tuple[str, ...]:
        return tuple(sorted(self.places)[1:])

    @property
    def parent(self) -> SourceId | None:
        return self.places[self.path]

    def placed(self, record: SourceRecord) -> SourceRecord:
        """The record with this entry's id and paths."""
        return replace(
            record, source_id=self.source_id, path=self.path, other_paths=self.other_paths, parent=self.parent
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """What of a folder is opened; the rest is hashed and no more. ``fingerprints`` None: all of it. ``containers`` are
    the paths, and ``suffixes`` the endings (".zip"), of what is opened for the sake of its members."""

    fingerprints: frozenset[Fingerprint] | None = None
    containers: frozenset[str] = frozenset()
    suffixes: frozenset[str] = frozenset()

    def takes(self, entry: Entry) -> bool:
        if self.fingerprints is None or entry.fingerprint in self.fingerprints:
            return True
        return any(path in self.containers or suffix_of(path) in self.suffixes for path in entry.places)


EVERYTHING = Selection()


def suffix_of(path: str) -> str:
    """In lower case, with its dot; "" where there is none."""
    return PurePosixPath(path).suffix.lower()


class Ledger:
    """Places paths one by one. ``present`` is what is known to lie in the matter now, by path."""

    def __init__(self, records: Iterable[SourceRecord], present: Mapping[str, Fingerprint]) -> None:
        self._present = present
        self._by_path: dict[str, SourceRecord] = {}
        self._by_content: dict[Fingerprint, list[SourceRecord]] = defaultdict(list)
        self._superseded: dict[SourceId, SourceRecord] = {}
        self._bases: dict[str, list[SourceId]] = defaultdict(list)
        self._entries: dict[Fingerprint, Entry] = {}
        self._claimed: set[SourceId] = set()
        self._ids: set[SourceId] = set()
        for record in sorted(records, key=lambda r: (r.status is SourceStatus.MISSING, r.source_id)):
            self._ids.add(record.source_id)
            if record.status is SourceStatus.SUPERSEDED:
                self._superseded[record.source_id] = record
                self._bases[record.path].append(SourceId(record.source_id.rpartition("~")[0]))
                continue
            self._by_path.setdefault(record.path, record)
            self._by_content[record.fingerprint].append(record)

    def entries(self) -> tuple[Entry, ...]:
        return tuple(self._entries.values())

    def place(self, path: str, fingerprint: Fingerprint, parent: SourceId | None = None) -> tuple[Entry, bool]:
        """The entry of these bytes with the path added, and whether the entry is new in this run."""
        entry = self._entries.get(fingerprint)
        new = entry is None
        if entry is None:
            entry = self._entries[fingerprint] = self._identify(path, fingerprint)
            self._claimed.add(entry.source_id)
            self._ids.add(entry.source_id)
        entry.places[path] = parent
        return entry, new

    def _identify(self, path: str, fingerprint: Fingerprint) -> Entry:
        same = [r for r in self._by_content[fingerprint] if r.source_id not in self._claimed]
        for record in same:
            if self._present.get(record.path) == fingerprint or record.path == path:
                return Entry(record.source_id, fingerprint, prior=record)
        here = self._by_path.get(path)
        if here is not None and here.source_id not in self._claimed:
            return Entry(here.source_id, fingerprint, replaces=here)
        for record in same:
            if self._is_gone(record.path):
                return Entry(record.source_id, fingerprint, prior=record)
        return Entry(self._orphaned_id(path) or self._fresh_id(path), fingerprint)

    def _is_gone(self, path: str) -> bool:
        """True only if known: a member whose container is still to be read may yet turn up."""
        if path in self._present:
            return False
        container, mark, _ = path.rpartition(MEMBER_MARK)
        return not mark or self._is_gone(container)

    def _orphaned_id(self, path: str) -> SourceId | None:
        """The id of a path whose last record was superseded just before the run that replaced it was ended."""
        return next((base for base in self._bases[path] if base not in self._ids), None)

    def _fresh_id(self, path: str) -> SourceId:
        base = id_of_path(path)
        number = 1
        candidate = base
        while candidate in self._ids:
            number += 1
            candidate = SourceId(f"{base}-{number}")
        return candidate

    def at(self, fingerprint: Fingerprint) -> Entry:
        """The entry of bytes that were placed. Raises KeyError."""
        return self._entries[fingerprint]

    def claim(self, path: str) -> tuple[SourceId, SourceRecord | None]:
        """The id of a path whose bytes cannot be read now, with the record that it had."""
        here = self._by_path.get(path)
        if here is not None and here.source_id in self._claimed:
            here = None
        source_id = here.source_id if here else self._fresh_id(path)
        self._claimed.add(source_id)
        self._ids.add(source_id)
        return source_id, here

    def left_over(self) -> tuple[SourceRecord, ...]:
        """Records of which nothing was found. A member whose container was not placed anew yet is not among them."""
        return tuple(r for r in self._by_path.values() if r.source_id not in self._claimed and self._is_settled(r.path))

    def _is_settled(self, path: str) -> bool:
        return path in self._present or self._is_gone(path)

    def outdated(self, entry: Entry) -> SourceRecord | None:
        """The superseded record of the same id and bytes, which is current again."""
        wanted = f"{entry.source_id}~{entry.fingerprint.removeprefix('sha256:')[:8]}"
        return self._superseded.get(SourceId(wanted))
