"""The bytes that a page is drawn from, hashed again before anything is drawn (contract, section 5, rule 1)."""

import hashlib
from pathlib import Path

from app.errors import AccessDenied, InputMissing, InputUnreadable
from app.services.matter.matter import Matter
from app.store.members import member_bytes
from ingest.matter.intake import locate
from ingest.matter.ledger import MEMBER_MARK
from ingest.ports import BlobKind
from ingest.rendition.names import is_rendered, rendition_key
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import SourceId


class SourceChanged(InputUnreadable):
    """The bytes on disk are not those that were read: nothing may be drawn over them."""


def drawable(matter: Matter, source_id: SourceId) -> tuple[SourceRecord, bytes]:
    """The record and the PDF that its pages are of: the original's own bytes, or the rendition bound to them.

    Raises InputMissing, AccessDenied, SourceChanged, or InputUnreadable for a source that has no pages.
    """
    record = matter.source(source_id)
    view = matter.view()
    if not view.may_read(record):
        raise AccessDenied(f"{source_id} lies in an access class that was not opened")
    if record.page_count == 0:
        raise InputUnreadable(f"{source_id} has no pages to show ({record.status.value})")
    now = view.bytes_now(record)
    if now is None:
        raise InputMissing(f"the file of {source_id} is gone; nothing was drawn")
    if now != record.fingerprint or record.status is SourceStatus.SUPERSEDED:
        raise _changed(source_id)
    rendition = matter.store.blobs.get(BlobKind.RENDITION, rendition_key(record.fingerprint, record.parser.profile))
    if rendition is None and is_rendered(record):
        raise InputUnreadable(f"the kept pages of {source_id} are damaged; to make them again run: pincite index")
    return record, rendition if rendition is not None else _original(matter, record)


def _changed(source_id: SourceId) -> SourceChanged:
    return SourceChanged(f"{source_id} changed on disk since it was read; nothing was drawn; run: pincite index")


def _original(matter: Matter, record: SourceRecord) -> bytes:
    """Read once and hashed as read, so that what is drawn is what was hashed."""
    for path in (record.path, *record.other_paths):
        data = _member(matter, record, path) if MEMBER_MARK in path else _file(locate(matter.root, path))
        if data is not None and "sha256:" + hashlib.sha256(data).hexdigest() == record.fingerprint:
            return data
    raise _changed(record.source_id)


def _member(matter: Matter, record: SourceRecord, path: str) -> bytes | None:
    """As it was kept, else as its container has it now."""
    kept = matter.store.blobs.get(BlobKind.MEMBER, record.fingerprint)
    if kept is not None:
        return kept
    container, _, member = path.partition(MEMBER_MARK)
    file = locate(matter.root, container)
    try:
        return None if file is None else member_bytes(file, member)
    except OSError:
        return None


def _file(path: Path | None) -> bytes | None:
    try:
        return None if path is None else path.read_bytes()
    except OSError:
        return None
