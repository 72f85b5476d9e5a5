"""What the tests of reading share: a registry and blobs in a folder, and a way to read a matter to its end."""

import pickle
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import pytest

from ingest.limits import Limits
from ingest.pipeline import ReadOptions, ReadSummary, SourceRead, read_matter
from ingest.ports import BlobKind, FileStamp
from ingest.settings import OcrMode
from verify.domain.codec import decode_page
from verify.domain.document import Page, SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.passage import Passage

sys.path.insert(0, str(Path(__file__).parent))  # for the builders of files that several tests share

_TABLES = """
CREATE TABLE IF NOT EXISTS pages (fingerprint, profile, number, body, PRIMARY KEY (fingerprint, profile, number));
CREATE TABLE IF NOT EXISTS records (id PRIMARY KEY, body);
CREATE TABLE IF NOT EXISTS stamps (id, body);
CREATE TABLE IF NOT EXISTS passages (id, body);
"""


class SqliteRegistry:
    """Small, but one transaction a call and safe against ``kill -9``, as the application's store is."""

    def __init__(self, file: Path) -> None:
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.executescript(_TABLES)
        self.commits: list[SourceId] = []

    def close(self) -> None:
        self._db.close()

    def _rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        return self._db.execute(sql, values).fetchall()

    def records(self) -> tuple[SourceRecord, ...]:
        return tuple(pickle.loads(body) for (body,) in self._rows("SELECT body FROM records"))

    def begin(self, source_id: SourceId, fingerprint: Fingerprint, parent: SourceId | None) -> None:
        """Nothing is sealed here."""

    def stamps(self) -> tuple[FileStamp, ...]:
        return tuple(pickle.loads(body) for (body,) in self._rows("SELECT body FROM stamps"))

    def passages(self, source_id: SourceId) -> list[Passage]:
        return [pickle.loads(body) for (body,) in self._rows("SELECT body FROM passages WHERE id = ?", source_id)]

    def page_count_kept(self, fingerprint: Fingerprint, profile: str) -> int:
        rows = self._rows(
            "SELECT number FROM pages WHERE fingerprint = ? AND profile = ? ORDER BY number", fingerprint, profile
        )
        return next((i for i, (number,) in enumerate(rows) if number != i), len(rows))

    def put_pages(self, fingerprint: Fingerprint, profile: str, first: int, pages: Sequence[bytes]) -> None:
        rows = [(fingerprint, profile, first + i, page) for i, page in enumerate(pages)]
        self._db.execute("BEGIN")
        self._db.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)", rows)
        self._db.execute("COMMIT")

    def get_page(self, fingerprint: Fingerprint, profile: str, index: int) -> bytes | None:
        rows = self._rows(
            "SELECT body FROM pages WHERE fingerprint = ? AND profile = ? AND number = ?", fingerprint, profile, index
        )
        return rows[0][0] if rows else None  # type: ignore[return-value]

    def commit(self, record: SourceRecord, stamps: Sequence[FileStamp], passages: Sequence[Passage] | None) -> None:
        self.commits.append(record.source_id)
        self._db.execute("BEGIN")
        self._put(record, stamps)
        if passages is not None:
            self._db.execute("DELETE FROM passages WHERE id = ?", (record.source_id,))
            rows = [(record.source_id, pickle.dumps(passage)) for passage in passages]
            self._db.executemany("INSERT INTO passages VALUES (?, ?)", rows)
        self._db.execute("COMMIT")

    def _put(self, record: SourceRecord, stamps: Sequence[FileStamp]) -> None:
        self._db.execute("INSERT OR REPLACE INTO records VALUES (?, ?)", (record.source_id, pickle.dumps(record)))
        self._db.execute("DELETE FROM stamps WHERE id = ?", (record.source_id,))
        rows = [(record.source_id, pickle.dumps(stamp)) for stamp in stamps]
        self._db.executemany("INSERT INTO stamps VALUES (?, ?)", rows)

    def retire(self, old: SourceRecord, renamed: SourceRecord | None) -> None:
        self._db.execute("BEGIN")
        for table in ("records", "stamps", "passages"):
            self._db.execute(f"DELETE FROM {table} WHERE id = ?", (old.source_id,))
        if renamed is not None:
            self._put(renamed, ())
        self._db.execute("COMMIT")


class FolderBlobs:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _file(self, kind: BlobKind, key: str) -> Path:
        return self._folder / f"{kind}-{sha256(key.encode()).hexdigest()}"

    def get(self, kind: BlobKind, key: str) -> bytes | None:
        file = self._file(kind, key)
        return file.read_bytes() if file.is_file() else None

    def put(self, kind: BlobKind, key: str, data: bytes, of: Fingerprint | None = None) -> None:
        aside = self._file(kind, key).with_suffix(".new")
        aside.write_bytes(data)
        aside.replace(self._file(kind, key))


@dataclass
class Words:
    """Passwords by path."""

    by_path: Mapping[str, str] = field(default_factory=dict)

    def for_path(self, path: str) -> str | None:
        return self.by_path.get(path)


@dataclass
class Matter:
    """A folder of documents with its store beside it. Nothing is recognised unless ``ocr`` asks for it."""

    root: Path
    store: Path
    registry: SqliteRegistry
    blobs: FolderBlobs
    passwords: Words = field(default_factory=Words)
    ocr: OcrMode = OcrMode.NEVER
    jobs: int = 1
    limits: Limits = field(default_factory=Limits)

    def write(self, path: str, content: bytes | str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def options(self) -> ReadOptions:
        return ReadOptions(self.store / "scratch", self.ocr, jobs=self.jobs, limits=self.limits)

    def read(self) -> ReadSummary:
        """Reads to the end. The events are in ``events``."""
        steps = read_matter(self.root, self.registry, self.blobs, self.passwords, self.options())
        self.events: list[object] = []
        while True:
            try:
                self.events.append(next(steps))
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    @property
    def committed(self) -> list[str]:
        """Paths of the sources that were committed in the last run, in order."""
        return [event.record.path for event in self.events if isinstance(event, SourceRead)]

    def records(self) -> dict[str, SourceRecord]:
        """The records that stand, by path; superseded ones are left out."""
        standing = (r for r in self.registry.records() if r.status is not SourceStatus.SUPERSEDED)
        return {record.path: record for record in standing}

    def record(self, path: str) -> SourceRecord:
        return self.records()[path]

    def pages(self, path: str) -> list[Page]:
        record = self.record(path)
        kept = (
            self.registry.get_page(record.fingerprint, record.parser.profile, index)
            for index in range(record.page_count)
        )
        return [decode_page(page) for page in kept if page is not None]

    def text(self, path: str) -> str:
        """All pages' text on one line, as a quotation is matched."""
        return " ".join(" ".join(page.text for page in self.pages(path)).split())


@pytest.fixture
def matter(tmp_path: Path) -> Matter:
    root = tmp_path / "matter"
    root.mkdir()
    store = tmp_path / "store"
    store.mkdir()
    return Matter(root, store, SqliteRegistry(store / "db"), FolderBlobs(store / "blobs"))
