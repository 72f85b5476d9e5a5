"""What a worker is asked to read, and its end of the pipe to the parent."""

import threading
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ingest.ports import BlobKind
from ingest.settings import ReadSettings
from ingest.worker.wire import Message, decode, encode
from verify.domain.ids import Fingerprint, SourceId


@dataclass(frozen=True, slots=True)
class ReadJob:
    """One source to read. ``file`` is a path, or the bytes of a member.

    ``kept`` counts the pages from index 0 that need not be read again, which the parent has ("kept?"); pages in
    ``failing`` ended a worker before and are not tried again. ``engines`` is how many pages may be recognised side by
    side. ``carried`` is what was carried into a window of the kept pages, or the one behind (``ingest.pdf.carried``).
    """

    source_id: SourceId
    fingerprint: Fingerprint
    name: str
    file: Path | bytes
    password: str | None
    settings: ReadSettings
    kept: int
    failing: frozenset[int]
    engines: int = 1
    carried: bytes | None = None


@dataclass(frozen=True, slots=True)
class LookJob:
    """A page to look at, or lines of it to read again.

    ``pdf`` is the document, None for that of the job before. ``page`` is encoded (``verify.domain.codec``). Without
    ``lines`` the whole page is looked at; else each holds the words of one line, as indexes into the page's.
    ``languages`` are Tesseract's codes, the main one first.
    """

    pdf: bytes | None
    password: str | None
    page: bytes
    lines: tuple[tuple[int, ...], ...] = ()
    languages: tuple[str, ...] = ()


class Line:
    """The worker's end of the pipe."""

    def __init__(self, connection: "Connection[Any, Any]") -> None:
        self._connection = connection
        self._lock = threading.RLock()  # recognition runs in threads of its own

    def send(self, kind: str, /, *blobs: bytes, **fields: object) -> None:
        with self._lock:
            self._connection.send_bytes(encode(Message(kind, dict(fields), blobs)))

    def ask(self, kind: str, /, **fields: object) -> bytes | None:
        """One question, one answer: bytes, or nothing."""
        return next(iter(self.ask_all(kind, **fields)), None)

    def ask_all(self, kind: str, /, **fields: object) -> tuple[bytes, ...]:
        """One question, any number of answers."""
        with self._lock:
            self.send(kind, **fields)
            return decode(self._connection.recv_bytes()).blobs


class PipeBlobs:
    """Recognitions kept by the parent, asked for over the pipe."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def get(self, kind: BlobKind, key: str) -> bytes | None:
        return self._line.ask("blob?", blob_kind=kind, key=key)

    def put(self, kind: BlobKind, key: str, data: bytes, of: Fingerprint | None = None) -> None:
        self._line.send("blob", data, blob_kind=kind, key=key)
