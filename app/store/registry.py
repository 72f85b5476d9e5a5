"""The registry of one matter: records, file stamps, pages (``ingest.ports.Registry``) and what people tagged."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.store.database import Database
from app.store.records import decode_record, encode_passage, encode_record, path_key
from app.store.vault import Classes, Vault
from ingest.ports import FileStamp
from verify.domain.document import SourceRecord, SourceStatus
from verify.domain.ids import Fingerprint, SourceId
from verify.domain.passage import Passage

Tags = dict[str, str | None]
UNSETTLED = "unsettled"
"""Key of the store's ``meta`` while content may still lie under other keys than its access class has."""


class StoreRegistry:
    def __init__(self, database: Database, vault: Vault) -> None:
        self._db, self._vault = database, vault
        self._begun: dict[Fingerprint, tuple[SourceId, SourceId | None]] = {}

    def records(self) -> tuple[SourceRecord, ...]:
        """In order of path, with what people tagged laid over what the files declare. A source in an access class
        that was not opened is not among them."""
        tags, shut = self._all_tags(), self._shut()
        rows = self._db.rows("SELECT source_id, body FROM sources")
        opened = ((source_id, body) for source_id, body in rows if source_id not in shut)
        records = (self._decode(source_id, body, tags.get(source_id)) for source_id, body in opened)
        return tuple(sorted(records, key=lambda r: (path_key(r.path), r.source_id)))

    def record(self, source_id: SourceId) -> SourceRecord | None:
        """Raises AccessDenied for one in an access class that was not opened."""
        row = self._db.one("SELECT body FROM sources WHERE source_id = ?", (source_id,))
        return self._decode(source_id, row[0], self.tags(source_id)) if row else None

    def _decode(self, source_id: str, body: bytes, tags: Tags | None) -> SourceRecord:
        return _tagged(decode_record(self._vault.open(body, f"source:{source_id}")), tags)

    def stamps(self) -> tuple[FileStamp, ...]:
        rows = self._db.rows("SELECT source_id, size, mtime_ns, fingerprint, path FROM stamps")
        return tuple(
            FileStamp(self._vault.open(path, f"stamp:{source_id}").decode(), size, mtime_ns, Fingerprint(fingerprint))
            for source_id, size, mtime_ns, fingerprint, path in rows
            if self._vault.opens(path)
        )

    def closed_stamps(self) -> frozenset[tuple[int, int]]:
        """Size and time of the files of sources in access classes that were not opened."""
        rows = self._db.rows("SELECT size, mtime_ns, path FROM stamps")
        return frozenset((size, mtime_ns) for size, mtime_ns, path in rows if not self._vault.opens(path))

    # Access classes --------------------------------------------------------------------------------------------------

    def begin(self, source_id: SourceId, fingerprint: Fingerprint, parent: SourceId | None) -> None:
        self._begun[fingerprint] = (source_id, parent)

    def closed(self) -> frozenset[SourceId]:
        """Sources that this reader may not know: in an access class that was not opened, or inside such a source."""
        if not self._vault.has_classes:
            return frozenset()
        shut, records = self._shut(), self.records()
        shut |= {r.source_id for r in records if not self._vault.may_read(r.metadata.access_class)}
        while inside := {r.source_id for r in records if r.parent in shut} - shut:
            shut |= inside
        return frozenset(shut)

    def _shut(self) -> set[SourceId]:
        """Those whose record, or what people tagged on them, lies under a class that was not opened. Tags go under it
        first, so that a source counts as closed before the rest of it is settled."""
        if not self._vault.has_classes:
            return set()
        rows = self._db.rows("SELECT source_id, body FROM sources UNION ALL SELECT source_id, body FROM tags")
        return {SourceId(source_id) for source_id, body in rows if not self._vault.opens(body)}

    def classes_of(self, record: SourceRecord) -> Classes:
        """Under what a source's content is sealed: its own access class, else that of what it came in."""
        own = self._vault.guarding(record.metadata.access_class)
        if own or record.parent is None or not self._vault.has_classes:
            return own
        parent = self.record(record.parent)
        return () if parent is None else self.classes_of(parent)

    def classes_of_bytes(self, fingerprint: Fingerprint) -> Classes:
        """The same for what is derived from a source's bytes, also while they are read for the first time."""
        if not self._vault.has_classes:
            return ()
        rows = self._db.rows("SELECT source_id, body FROM sources WHERE fingerprint = ?", (fingerprint,))
        closed = [self._vault.classes_of(body) for _, body in rows if not self._vault.opens(body)]
        named = [SourceId(source_id) for source_id, body in rows if self._vault.opens(body)]
        named += [source_id for source_id in self._begun.get(fingerprint, ()) if source_id is not None]
        records = filter(None, map(self.record, named))
        return next(filter(None, (*closed, *map(self.classes_of, records))), ())

    def classes_of_sources(self, source_ids: Iterable[SourceId]) -> Classes:
        """All that a text which quotes these sources is sealed under. Sources that are gone count for nothing."""
        if not self._vault.has_classes:
            return ()
        records = filter(None, map(self.record, source_ids))
        return tuple(sorted({name for record in records for name in self.classes_of(record)}))

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
        classes = self.classes_of_bytes(fingerprint)
        rows = [
            (fingerprint, profile, index, self._vault.seal(page, _page_context(fingerprint, profile, index), classes))
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
            self._put_stamps(record, stamps)
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
                self._put_tags(renamed, self.tags(old.source_id))
                self._put_record(renamed)
            self._bump()

    def _put_record(self, record: SourceRecord) -> None:
        body = self._vault.seal(encode_record(record), f"source:{record.source_id}", self._classes_now(record))
        sql = "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?, ?)"
        values = (record.source_id, record.fingerprint, record.parser.profile, record.status.value, body)
        self._db.run(sql, values)

    def _classes_now(self, record: SourceRecord) -> Classes:
        """With what people tagged in force."""
        if not self._vault.has_classes:
            return ()
        return self.classes_of(_tagged(record, self.tags(record.source_id)))

    def _put_stamps(self, record: SourceRecord, stamps: Iterable[FileStamp]) -> None:
        self._db.run("DELETE FROM stamps WHERE source_id = ?", (record.source_id,))
        classes, context = self._classes_now(record), f"stamp:{record.source_id}"
        rows = [
            (record.source_id, s.size, s.mtime_ns, s.fingerprint, self._vault.seal(s.path.encode(), context, classes))
            for s in stamps
        ]
        self._db.run_many("INSERT INTO stamps VALUES (?, ?, ?, ?, ?)", rows)

    def _put_passages(self, record: SourceRecord, passages: Iterable[Passage]) -> None:
        self._db.run("DELETE FROM passages WHERE source_id = ?", (record.source_id,))
        profile, classes = record.parser.profile, self._classes_now(record)
        rows = [
            (p.passage_id, p.source_id, p.ordinal, p.fingerprint, profile, 1,
             self._vault.seal(encode_passage(p), f"passage:{p.passage_id}", classes))
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

    def _all_tags(self) -> dict[str, Tags]:
        rows = self._db.rows("SELECT source_id, body FROM tags")
        return {key: self._open_tags(key, body) for key, body in rows if self._vault.opens(body)}

    def _open_tags(self, source_id: str, body: bytes) -> Tags:
        tags: Tags = json.loads(self._vault.open(body, f"tags:{source_id}"))
        return tags

    def set_tags(self, record: SourceRecord, changed: Tags) -> None:
        """Where that takes the source into or out of an access class, what is kept of it must be settled next
        (``store.settling``): until then the store is marked."""
        with self._db.write():
            before = self._classes_now(record)
            self._put_tags(record, {**self.tags(record.source_id), **changed})
            if self._classes_now(record) != before:
                self._db.set_meta(UNSETTLED, "1")
            self._bump()

    def _put_tags(self, record: SourceRecord, tags: Tags) -> None:
        if tags:
            classes = self.classes_of(_tagged(record, tags))
            context = f"tags:{record.source_id}"
            body = self._vault.seal(json.dumps(tags, ensure_ascii=False).encode(), context, classes)
            self._db.run("INSERT OR REPLACE INTO tags VALUES (?, ?)", (record.source_id, body))


def _tagged(record: SourceRecord, tags: Tags | None) -> SourceRecord:
    return replace(record, metadata=replace(record.metadata, **tags)) if tags else record


def _page_context(fingerprint: str, profile: str, index: int) -> str:
    return f"page:{fingerprint}:{profile}:{index}"
