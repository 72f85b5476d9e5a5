"""What reading needs to be given. ``app.store`` implements these; one process writes at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from verify.domain.document import SourceRecord
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.passage import Passage


@dataclass(frozen=True, slots=True)
class FileStamp:
    """Enough to tell an unchanged file without hashing it: size in bytes, time of change in ns."""

    path: str
    size: int
    mtime_ns: int
    fingerprint: Fingerprint


class Registry(Protocol):
    """Pages belong to (fingerprint, profile), records to a source id. ``commit`` comes last, in one transaction: a
    source without it is read again, from its first page that is not kept yet."""

    def records(self) -> tuple[SourceRecord, ...]: ...

    def begin(self, source_id: SourceId, fingerprint: Fingerprint, parent: SourceId | None) -> None:
        """Told before anything is kept of these bytes, so that a sealing store knows under whose key it belongs."""
        ...

    def stamps(self) -> tuple[FileStamp, ...]: ...

    def page_count_kept(self, fingerprint: Fingerprint, profile: str) -> int:
        """How many pages are kept without a gap from index 0."""
        ...

    def put_pages(self, fingerprint: Fingerprint, profile: str, first: int, pages: Sequence[bytes]) -> None:
        """Encoded pages (``verify.domain.codec``) from index ``first`` on, in one transaction."""
        ...

    def get_page(self, fingerprint: Fingerprint, profile: str, index: int) -> bytes | None: ...

    def commit(self, record: SourceRecord, stamps: Sequence[FileStamp], passages: Sequence[Passage] | None) -> None:
        """The record with its files' stamps. Passages None keeps those that the fingerprint and profile have."""
        ...

    def retire(self, old: SourceRecord, renamed: SourceRecord | None) -> None:
        """Replaces a record: ``renamed`` is it under its superseded id, or as missing, or None to drop it.
        Its passages leave the search indexes; its pages stay, so that old citations are told stale, not unknown."""
        ...


class BlobKind(StrEnum):
    RENDITION = "rendition"  # the PDF made of a file without pages, by the original's fingerprint and profile
    MEMBER = "member"  # bytes of an attachment or archive member, by its fingerprint
    OCR = "ocr"  # a recognition, by the SHA-256 of the image's pixels and the engine's settings
    CARRIED = "carried"  # what a reading that was cut off goes on from, by the original's fingerprint and profile
    LOOK = "look"  # what was seen of a page, by the original's fingerprint, profile, page and lines
    QUESTIONS = "questions"  # those of a table of questions by documents, typed by a person


class Blobs(Protocol):
    """Derived bytes that are no pages. Always whole: written aside and renamed, sealed where the matter is."""

    def get(self, kind: BlobKind, key: str) -> bytes | None: ...

    def put(self, kind: BlobKind, key: str, data: bytes, of: Fingerprint | None = None) -> None:
        """``of`` names the source's bytes that the blob was derived from, or came in, where that is known."""
        ...


class Passwords(Protocol):
    """Passwords for locked documents, held in memory only."""

    def for_path(self, path: str) -> str | None: ...
