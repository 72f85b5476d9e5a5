"""What a question was asked of: how much was read, and what was not, so that an answer can say so."""

from collections.abc import Iterator, Sequence

from app.services.answers.answers import Searched, UnreadSource
from app.services.matter.matter import Matter
from ingest.matter.intake import walk
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import SourceId
from verify.domain.progress import finish

NOT_YET_READ = "not_yet_read"
"""Of a file in the folder that is new or was changed since the last reading; beside the statuses of sources."""
CLOSED = "access_denied"
"""Of a file in an access class that was not opened."""
_READ = frozenset({SourceStatus.INDEXED, SourceStatus.PARTIAL})
_GONE = frozenset({SourceStatus.SUPERSEDED, SourceStatus.MISSING})


def searched(matter: Matter, only: Sequence[SourceId] = ()) -> Searched:
    """``only`` empty means the whole matter."""
    current = [r for r in matter.sources() if r.status not in _GONE and (not only or r.source_id in only)]
    closed = matter.store.registry.closed()
    read = [r for r in current if r.status in _READ and r.source_id not in closed]
    some = [r for r in readable(matter) if not only or r.source_id in only]
    failed = tuple(_unread(r) for r in current if r not in read or r.unread_pages or r.status is SourceStatus.PARTIAL)
    pending = () if only else tuple(_not_yet_read(matter))
    pages = sum(r.page_count - r.unread_pages for r in some)
    return Searched(len(some), pages, sum(r.chunk_count for r in read), failed + pending)


def readable(matter: Matter) -> tuple[SourceRecord, ...]:
    """The documents that a search looks through: those with a page that was read. An archive or a mail folder has none
    of its own; what lies in it counts."""
    closed = matter.store.registry.closed()
    return tuple(
        r for r in matter.sources() if r.status in _READ and r.source_id not in closed and r.unread_pages < r.page_count
    )


def _unread(record: SourceRecord) -> UnreadSource:
    return UnreadSource(record.source_id, record.path, record.status.value, record.unread_pages, record.page_count)


def _not_yet_read(matter: Matter) -> Iterator[UnreadSource]:
    """By size and time alone: nothing is hashed for it."""
    stamps = {stamp.path: stamp for stamp in matter.store.registry.stamps()}
    closed = matter.store.registry.closed_stamps()
    try:
        listing = finish(walk(matter.root))
    except OSError:
        return
    for file in listing.files:
        stamp = stamps.get(file.path)
        fresh = stamp is None or stamp.size != file.size or stamp.mtime_ns not in (0, file.mtime_ns)
        if fresh and not file.error:
            shut = stamp is None and not closed.isdisjoint({(file.size, file.mtime_ns), (file.size, 0)})
            yield UnreadSource(None, file.path, CLOSED if shut else NOT_YET_READ)
