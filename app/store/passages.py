"""The passages of the current sources (``retrieval.ports.PassageStore``), of those that this reader may read."""

import hashlib
from collections.abc import Iterator, Sequence

from app.store.database import Database
from app.store.records import decode_passage
from app.store.registry import StoreRegistry
from app.store.vault import Vault
from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import Passage

_COLUMNS = "passage_id, source_id, fingerprint, ordinal, body"
_AT_A_TIME = 500  # bound variables of one statement


class StorePassages:
    def __init__(self, database: Database, vault: Vault, registry: StoreRegistry) -> None:
        self._db, self._vault, self._registry = database, vault, registry
        self._closed_at: tuple[int, frozenset[SourceId]] | None = None

    def generation(self) -> int:
        return int(self._db.meta("generation") or 0)

    def ids(self) -> frozenset[PassageId]:
        closed = self._closed()
        rows = self._db.rows("SELECT passage_id, source_id FROM passages WHERE live = 1")
        return frozenset(PassageId(p) for p, source in rows if source not in closed)

    def state(self) -> str:
        """By generation and by the sources that this reader may not know."""
        closed = self._closed()
        return f"{self.generation()}:{hashlib.sha256(' '.join(sorted(closed)).encode()).hexdigest()[:16]}"

    def listing(self) -> Iterator[tuple[SourceId, tuple[PassageId, ...]]]:
        """In order of source id."""
        closed = self._closed()
        sql = "SELECT passage_id FROM passages WHERE live = 1 AND source_id = ? ORDER BY ordinal"
        for (source,) in self._db.rows("SELECT source_id FROM sources ORDER BY source_id"):
            rows = [] if source in closed else self._db.rows(sql, (source,))
            if rows:
                yield SourceId(source), tuple(PassageId(row[0]) for row in rows)

    def get(self, passage_ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        closed = self._closed()
        found: dict[str, Passage] = {}
        for at in range(0, len(passage_ids), _AT_A_TIME):
            some = passage_ids[at : at + _AT_A_TIME]
            marks = ",".join("?" * len(some))
            sql = f"SELECT {_COLUMNS} FROM passages WHERE live = 1 AND passage_id IN ({marks})"  # noqa: S608 (marks only)
            found |= {row[0]: self._decode(row) for row in self._db.rows(sql, some) if row[1] not in closed}
        return tuple(found[i] for i in passage_ids if i in found)

    def all(self) -> Iterator[Passage]:
        for record in self._registry.records():
            yield from self.of_source(record.source_id)

    def of_source(self, source_id: SourceId) -> tuple[Passage, ...]:
        if source_id in self._closed():
            return ()
        sql = f"SELECT {_COLUMNS} FROM passages WHERE live = 1 AND source_id = ? ORDER BY ordinal"  # noqa: S608
        return tuple(self._decode(row) for row in self._db.rows(sql, (source_id,)))

    def opening(self, source_id: SourceId) -> str:
        """The text of the source's first passage: what its heading and parties are. Empty where there is none."""
        if source_id in self._closed():
            return ""
        sql = f"SELECT {_COLUMNS} FROM passages WHERE live = 1 AND source_id = ? ORDER BY ordinal LIMIT 1"  # noqa: S608
        row = self._db.one(sql, (source_id,))
        return self._decode(row).text if row else ""

    def _decode(self, row: tuple[str, str, str, int, bytes]) -> Passage:
        passage_id, source_id, fingerprint, ordinal, body = row
        opened = self._vault.open(body, f"passage:{passage_id}")
        return decode_passage(passage_id, source_id, fingerprint, ordinal, opened)

    def _closed(self) -> frozenset[SourceId]:
        """Sources that this reader may not know: they do not exist for a search. Worked out once a generation."""
        now = self.generation()
        if self._closed_at is None or self._closed_at[0] != now:
            self._closed_at = (now, self._registry.closed())
        return self._closed_at[1]
