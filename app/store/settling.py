"""Brings everything that is kept under the keys of the access class that it belongs to.

Run after a source was tagged into or out of a class, and after a matter was sealed. It looks at what each piece lies
under and moves what lies elsewhere, so it may be interrupted and run again.
"""

from collections.abc import Iterator
from typing import Any

from app.store.blobs import blob_name
from app.store.database import Database
from app.store.matter_store import MatterStore
from app.store.registry import UNSETTLED
from app.store.vault import LONGEST_HEAD, Classes, Vault
from ingest.matter.family import members_key
from ingest.ports import BlobKind
from ingest.rendition.names import rendition_key
from verify.domain.ids import Fingerprint, SourceId

COLUMNS = {
    "sources": ("body", "'source:' || source_id"),
    "tags": ("body", "'tags:' || source_id"),
    "stamps": ("path", "'stamp:' || source_id"),
    "pages": ("body", "'page:' || fingerprint || ':' || profile || ':' || page_index"),
    "passages": ("body", "'passage:' || passage_id"),
    "answers": ("body", "'answer:' || answer_id"),
    "reviews": ("body", "'review:' || answer_id || ':' || claim_id"),
}
"""Every column with content, by table, and the context that its rows are bound to, as the store's modules make it."""


def is_settled(store: MatterStore) -> bool:
    return store.database.meta(UNSETTLED) is None


def settle_content(store: MatterStore) -> None:
    """Rows in one transaction, then blobs. What lies under a class that was not opened is left as it is. The indexes
    are not this room's; ``mark_settled`` ends it."""
    with store.database.write():
        _settle_sources(store)
        _settle_answers(store)
    wanted = dict(_blobs_wanted(store))
    store.blobs.settle(BlobKind.RENDITION, wanted)
    store.blobs.settle(BlobKind.MEMBER, wanted)
    store.blobs.settle(BlobKind.CARRIED, {})  # without it a reading goes on from the first page
    store.blobs.settle(BlobKind.LOOK, {})  # looked at again when it is asked for
    store.blobs.settle(BlobKind.OCR, {})  # only a cache, and a recognition does not say whose scan it was


def mark_settled(store: MatterStore) -> None:
    with store.database.write():
        store.database.run("DELETE FROM meta WHERE key = ?", (UNSETTLED,))
    store.database.empty_log()


def sources_named(document: Any) -> Iterator[SourceId]:
    """Every source id in a saved answer, wherever it stands."""
    if isinstance(document, dict):
        found = document.get("source_id")
        if isinstance(found, str):
            yield SourceId(found)
        for value in document.values():
            yield from sources_named(value)
    elif isinstance(document, list):
        for value in document:
            yield from sources_named(value)


def _settle_sources(store: MatterStore) -> None:
    registry, move = store.registry, _Mover(store.database, store.vault)
    for record in registry.records():
        classes = registry.classes_of(record)
        for table in ("sources", "tags", "stamps", "passages"):
            move.rows(table, "source_id", record.source_id, classes)
    for (fingerprint,) in store.database.rows("SELECT DISTINCT fingerprint FROM pages"):
        if store.database.one("SELECT 1 FROM sources WHERE fingerprint = ?", (fingerprint,)):
            move.rows("pages", "fingerprint", fingerprint, registry.classes_of_bytes(Fingerprint(fingerprint)))
        else:  # of a reading that never ended: read again rather than left under a key that may be the wrong one
            store.database.run("DELETE FROM pages WHERE fingerprint = ?", (fingerprint,))


def _settle_answers(store: MatterStore) -> None:
    move = _Mover(store.database, store.vault)
    for document in store.answers.all():
        answer_id = document["answer"]["answer_id"]
        classes = store.registry.classes_of_sources(sources_named(document))
        move.rows("answers", "answer_id", answer_id, classes)
        move.rows("reviews", "answer_id", answer_id, classes)


def _blobs_wanted(store: MatterStore) -> Iterator[tuple[str, Classes]]:
    """The name of each blob that belongs to a source, and what it is to lie under."""
    for record in store.registry.records():
        classes = store.registry.classes_of_bytes(record.fingerprint)
        rendition = rendition_key(record.fingerprint, record.parser.profile)
        for key in (record.fingerprint, members_key(record.fingerprint), rendition):
            yield blob_name(key), classes


class _Mover:
    """Reseals rows; only the beginnings of those that stay are read."""

    def __init__(self, database: Database, vault: Vault) -> None:
        self._db, self._vault = database, vault

    def rows(self, table: str, key: str, value: str, classes: Classes) -> None:
        column, context = COLUMNS[table]
        # Names and contexts come from the constant above, never from input.
        sql = f"SELECT rowid, substr({column}, 1, ?), {context} FROM {table} WHERE {key} = ?"  # noqa: S608
        for row, head, place in self._db.rows(sql, (LONGEST_HEAD, value)):
            if self._vault.opens(head) and self._vault.classes_of(head) != classes:
                (body,) = self._db.one(f"SELECT {column} FROM {table} WHERE rowid = ?", (row,))  # noqa: S608
                sealed = self._vault.seal(self._vault.open(body, place), place, classes)
                self._db.run(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (sealed, row))  # noqa: S608
