"""The registry of one matter: records, file stamps, pages (``ingest.ports.Registry``) and what people tagged."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.store.database import Database
from app.store.records import decode_record, encode_passage, encode_record, path_key
from app.store.vault import Vault
from ingest.ports import FileStamp
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.passage import Passage

Tags = dict[str, str | None]


class StoreRegistry:
    def __init__(self, database: Database, vault: Vault) -> None:
        self._db, self._vault = database, vault

    def records(self) -> tuple[SourceRecord, ...]:
        """In order of path, with what people tagged laid over what the files declare."""
        tags = self._all_tags()
        rows = self._db.rows("SELECT source_id, body FROM sources")
        records = (self._decode(source_id, body, tags.get(source_id)) for source_id, body in rows)
        return tuple(sorted(records, key=lambda r: (path_key(r.path), r.source_id)))

    def record(self, source_id: SourceId) -> SourceRecord | None:
        row = self._db.one("SELECT body FROM sources WHERE source_id = ?", (source_id,))
        return self._decode(source_id, row[0], self.tags(source_id)) if row else None

    def _decode(self, source_id: str, body: bytes, tags: Tags | None) -> SourceRecord:
        record = decode_record(self._vault.open(body, f"source:{source_id}"))
        return replace(record, metadata=replace(record.metadata, **tags)) if tags else record

    def stamps(self) -> tuple[FileStamp, ...]:
        rows = self._db.rows("SELECT source_id, size, mtime_ns, fingerprint, path FROM stamps")
        return tuple(
            FileStamp(self._vault.open(path, f"stamp:{source_id}").decode(), size, mtime_ns, Fingerprint(fingerprint))
            for source_id, size, mtime_ns, fingerprint, path in rows
        )

    def page_count_kept(self, fingerprint: Fingerprint, profile: str) -> int:
        """Pages are put in order, so the first gap shows as a count that the highest index does not match."""
        sql = "SELECT count(*), max(page_index) FROM pages WHERE fingerprint = ? AND profile = ?"
        count, highest = self._db.one(sql, (fingerprint, profile))
        if count == 0 or count == highest + 1:
            return int(count)
        sql = "SELECT page_index FROM pages WHERE fingerprint = ? AND profile = ? ORDER BY page_index"
        kept = (row[0] for row in self._db.rows(sql, (fingerprint, profile)))
        return next(place for place, index in enumerate(kept) if place != index)

    def put_pages(self, fingerprint: Fingerprint, profile: str, first: int, pages: Sequence[bytes]) -> None:
        sql = "INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?)"
        rows = [
            (fingerprint, profile, index, self._vault.seal(page, _page_context(fingerprint, profile, index)))
            for index, page in enumerate(pages, start=first)
        ]
        with self._db.write():
            self._db.run_many(sql, rows)

    def get_page(self, fingerprint: Fingerprint, profile: str, index: int) -> bytes | None:
        sql = "SELECT body FROM pages WHERE fingerprint = ? AND profile = ? AND page_index = ?"
        row = self._db.one(sql, (fingerprint, profile, index))
        return self._vault.open(row[0], _page_context(fingerprint, profile, index)) if row else None

    def commit(self, record: SourceRecord, stamps: Sequence[FileStamp], passages: Sequence[Passage] | None) -> None:
        with self._db.write():
            self._put_record(record)
            self._put_stamps(record.source_id, stamps)
            if passages is None:
                self._revive_passages(record)
            else:
                self._put_passages(record, passages)
            self._bump()

    def retire(self, old: SourceRecord, renamed: SourceRecord | None) -> None:
        with self._db.write():
            self._db.run("DELETE FROM stamps WHERE source_id = ?", (old.source_id,))
            if renamed is None or renamed.status is SourceStatus.SUPERSEDED:
                self._db.run("DELETE FROM passages WHERE source_id = ?", (old.source_id,))
                self._db.run("DELETE FROM sources WHERE source_id = ?", (old.source_id,))
            else:
                self._db.run("UPDATE passages SET live = 0 WHERE source_id = ?", (old.source_id,))
            if renamed is not None:
                self._put_record(renamed)
                self._put_tags(renamed.source_id, self.tags(old.source_id))
            self._bump()

    def _put_record(self, record: SourceRecord) -> None:
        body = self._vault.seal(encode_record(record), f"source:{record.source_id}")
        sql = "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?)"
        values = (record.source_id, record.fingerprint, record.parser.profile, record.status.value, body)
        self._db.run(sql, values)

    def _put_stamps(self, source_id: SourceId, stamps: Iterable[FileStamp]) -> None:
        self._db.run("DELETE FROM stamps WHERE source_id = ?", (source_id,))
        rows = [
            (source_id, s.size, s.mtime_ns, s.fingerprint, self._vault.seal(s.path.encode(), f"stamp:{source_id}"))
            for s in stamps
        ]
        self._db.run_many("INSERT INTO stamps VALUES (?, ?, ?, ?, ?)", rows)

    def _put_passages(self, record: SourceRecord, passages: Iterable[Passage]) -> None:
        self._db.run("DELETE FROM passages WHERE source_id = ?", (record.source_id,))
        profile = record.parser.profile
        rows = [
            (p.passage_id, p.source_id, p.ordinal, p.fingerprint, profile, 1,
             self._vault.seal(encode_passage(p), f"passage:{p.passage_id}"))
            for p in passages
        ]  # fmt: skip
        self._db.run_many("INSERT OR REPLACE INTO passages VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def _revive_passages(self, record: SourceRecord) -> None:
        """Those of these bytes and this profile come back (a missing file returned); others of the source go."""
        keep = (record.source_id, record.fingerprint, record.parser.profile)
        mine = "source_id = ? AND fingerprint = ? AND profile = ?"
        self._db.run(f"DELETE FROM passages WHERE source_id = ? AND NOT ({mine})", (record.source_id, *keep))  # noqa: S608
        self._db.run(f"UPDATE passages SET live = 1 WHERE {mine}", keep)  # noqa: S608 (constant text)

    def _bump(self) -> None:
        self._db.run("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")

    def tags(self, source_id: SourceId) -> Tags:
        """Field → value as a person set it; None clears what the file declares."""
        row = self._db.one("SELECT body FROM tags WHERE source_id = ?", (source_id,))
        return self._open_tags(source_id, row[0]) if row else {}

    def has_tags(self) -> bool:
        return bool(self._db.one("SELECT 1 FROM tags LIMIT 1"))

    def _all_tags(self) -> dict[str, Tags]:
        return {key: self._open_tags(key, body) for key, body in self._db.rows("SELECT source_id, body FROM tags")}

    def _open_tags(self, source_id: str, body: bytes) -> Tags:
        tags: Tags = json.loads(self._vault.open(body, f"tags:{source_id}"))
        return tags

    def set_tags(self, source_id: SourceId, changed: Tags) -> None:
        with self._db.write():
            self._put_tags(source_id, {**self.tags(source_id), **changed})
            self._bump()

    def _put_tags(self, source_id: SourceId, tags: Tags) -> None:
        if tags:
            body = self._vault.seal(json.dumps(tags, ensure_ascii=False).encode(), f"tags:{source_id}")
            self._db.run("INSERT OR REPLACE INTO tags VALUES (?, ?)", (source_id, body))


def _page_context(fingerprint: str, profile: str, index: int) -> str:
    return f"page:{fingerprint}:{profile}:{index}"
