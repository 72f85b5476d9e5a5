"""What verification sees of a matter's sources (``verify.ports``): pages as they were read, bytes as they are now."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from app.errors import AccessDenied
from app.store.registry import StoreRegistry
from app.store.vault import Vault
from ingest.matter.intake import locate
from ingest.matter.ledger import MEMBER_MARK
from verify.domain.canonical import fingerprint_file
from verify.domain.codec import decode_page
from verify.domain.document import Page, Parser, SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.look import Look


class PageLooks(Protocol):
    """Looks at pages of this matter (``app.services.evidence.looking``)."""

    def look(self, record: SourceRecord, page: Page, words: tuple[int, ...]) -> Look: ...


MemberReader = Callable[[Path, str], Fingerprint | None]
"""The container's file and the member's path inside it → the fingerprint of the member's bytes, None if it is gone."""

_GONE = (SourceStatus.SUPERSEDED, SourceStatus.MISSING)
PAGES_KEPT = 512
"""Decoded pages kept at hand; a page of a contract takes about 0.2 MB."""


class PageCache:
    """The pages used last, of any source of the matter."""

    def __init__(self, registry: StoreRegistry, limit: int = PAGES_KEPT) -> None:
        self._registry, self._limit = registry, limit
        self._pages: OrderedDict[tuple[Fingerprint, str, int], Page | None] = OrderedDict()

    def get(self, record: SourceRecord, index: int) -> Page | None:
        key = (record.fingerprint, record.parser.profile, index)
        if key in self._pages:
            self._pages.move_to_end(key)
            return self._pages[key]
        data = self._registry.get_page(*key) if index >= 0 else None
        page = None if data is None else decode_page(data)
        self._pages[key] = page
        if len(self._pages) > self._limit:
            self._pages.popitem(last=False)
        return page


class StoreSourceView:
    def __init__(self, record: SourceRecord, sources: "MatterSources") -> None:
        self._record, self._sources = record, sources

    @property
    def record(self) -> SourceRecord:
        return self._record

    @property
    def readable_by_user(self) -> bool:
        return self._sources.may_read(self._record)

    def bytes_now(self) -> Fingerprint | None:
        return self._sources.bytes_now(self._record)

    def page(self, index: int) -> Page | None:
        return self._sources.pages.get(self._record, index)

    def look(self, index: int, words: tuple[int, ...]) -> Look | None:
        page, looks = self.page(index), self._sources.looks
        return None if page is None or looks is None else looks.look(self._record, page, words)


class ClosedView:
    """Any id in a sealed matter that was not opened: not even whether there is such a source is said."""

    readable_by_user = False

    def __init__(self, source_id: SourceId) -> None:
        unknown = Fingerprint("sha256:" + "0" * 64)
        self.record = SourceRecord(source_id, "", unknown, "", 0, SourceStatus.UNREADABLE, Parser("", "", ""))

    def bytes_now(self) -> Fingerprint | None:
        return None

    def page(self, index: int) -> Page | None:
        return None


class MatterSources:
    """One request's view of one matter: each file is hashed at most once, when it is first asked for."""

    def __init__(
        self,
        root: Path,
        registry: StoreRegistry,
        vault: Vault,
        read_member: MemberReader,
        pages: PageCache | None = None,
        looks: PageLooks | None = None,
    ) -> None:
        self.looks = looks
        self._root, self._registry, self._vault, self._read_member = root, registry, vault, read_member
        self.pages = pages or PageCache(registry)
        self._views: dict[SourceId, StoreSourceView | ClosedView | None] = {}
        self._hashes: dict[str, Fingerprint | None] = {}
        self._paths: dict[str, Fingerprint] | None = None

    def find(self, source_id: SourceId) -> "StoreSourceView | ClosedView | None":
        if source_id not in self._views:
            self._views[source_id] = self._open(source_id)
        return self._views[source_id]

    def _open(self, source_id: SourceId) -> "StoreSourceView | ClosedView | None":
        if not self._vault.may_read(None):
            return ClosedView(source_id)  # the matter itself is closed
        try:
            record = self._registry.record(source_id)
        except AccessDenied:
            return ClosedView(source_id)
        return None if record is None else StoreSourceView(record, self)

    def may_read(self, record: SourceRecord) -> bool:
        """A member is as closed as what it came in."""
        if not self._vault.may_read(record.metadata.access_class):
            return False
        parent = None if record.parent is None else self.find(record.parent)
        return parent is None or parent.readable_by_user

    def bytes_now(self, record: SourceRecord) -> Fingerprint | None:
        """The bytes at the record's path. A second path of the same bytes stands in for a file that is gone."""
        found = None
        for path in (record.path, *record.other_paths):
            found = self._hash_once(path)
            if found is not None:
                return found
        return found

    def _hash_once(self, path: str) -> Fingerprint | None:
        if path not in self._hashes:
            self._hashes[path] = self._hash(path)
        return self._hashes[path]

    def _hash(self, path: str) -> Fingerprint | None:
        container, inside, member = path.partition(MEMBER_MARK)
        if inside:
            return self._member_now(container, member)
        file = locate(self._root, path)
        try:
            return None if file is None else fingerprint_file(file)
        except OSError:
            return None

    def _member_now(self, container: str, member: str) -> Fingerprint | None:
        """While the container's bytes are those that were read, so are its members': it need not be opened again."""
        now = self._hash_once(container)
        if now is None:
            return None
        read = self._current_paths()
        if now == read.get(container):
            return read.get(f"{container}{MEMBER_MARK}{member}")
        file = locate(self._root, container)
        try:
            return None if file is None else self._read_member(file, member)
        except OSError:
            return None

    def _current_paths(self) -> dict[str, Fingerprint]:
        if self._paths is None:
            current = [r for r in self._registry.records() if r.status not in _GONE]
            self._paths = {path: r.fingerprint for r in current for path in (r.path, *r.other_paths)}
        return self._paths
