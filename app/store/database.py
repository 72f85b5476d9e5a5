"""One SQLite file a matter: WAL, synced at every commit, readable by its user alone.

Ids, hashes and sizes lie in clear; everything with content is a BLOB that went through the matter's vault.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.errors import STORE_FULL, ErrorCode, StoreFault
from app.paths import PRIVATE_FILE

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sources (source_id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, profile TEXT NOT NULL,
  status TEXT NOT NULL, body BLOB NOT NULL);
CREATE TABLE tags (source_id TEXT PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE stamps (source_id TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  fingerprint TEXT NOT NULL, path BLOB NOT NULL);
CREATE INDEX stamps_of ON stamps (source_id);
CREATE TABLE pages (fingerprint TEXT NOT NULL, profile TEXT NOT NULL, page_index INTEGER NOT NULL,
  body BLOB NOT NULL);
CREATE UNIQUE INDEX pages_of ON pages (fingerprint, profile, page_index);
CREATE TABLE passages (passage_id TEXT PRIMARY KEY, source_id TEXT NOT NULL, ordinal INTEGER NOT NULL,
  fingerprint TEXT NOT NULL, profile TEXT NOT NULL, live INTEGER NOT NULL, body BLOB NOT NULL);
CREATE INDEX passages_of ON passages (source_id, ordinal);
CREATE TABLE answers (seq INTEGER PRIMARY KEY, answer_id TEXT NOT NULL UNIQUE, body BLOB NOT NULL);
CREATE TABLE reviews (seq INTEGER PRIMARY KEY, answer_id TEXT NOT NULL, claim_id TEXT NOT NULL,
  undone INTEGER NOT NULL DEFAULT 0, body BLOB NOT NULL);
CREATE INDEX reviews_of ON reviews (answer_id, claim_id);
INSERT INTO meta VALUES ('generation', '0');
"""

_WAIT_MS = 10_000
_ROOM = 64 * 1024
"""Bytes: the log's shared index takes half of that."""


class Database:
    """Raises StoreFault from every call: locked, damaged, full, or of a newer Pincite."""

    def __init__(self, path: Path, *, create: bool) -> None:
        self.path = path
        if create and not path.exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE_FILE))
        with faults():
            self._connection = _connect(path, writable=create)
            self._prepare(create)

    def _prepare(self, create: bool) -> None:
        version = self.one("PRAGMA user_version")[0]
        if version > SCHEMA_VERSION:
            raise StoreFault(
                f"the store was made by a newer Pincite (format {version}, known {SCHEMA_VERSION}); update Pincite",
                ErrorCode.STORE_NEWER,
            )
        if version == 0 and create:
            self._connection.execute("PRAGMA journal_mode = WAL")
            with self.write():
                if self.one("PRAGMA user_version")[0] == 0:
                    for statement in filter(None, map(str.strip, _SCHEMA.split(";"))):
                        self._connection.execute(statement)
                    self._connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        elif version == 0:
            raise StoreFault("the store was never finished; run: pincite index", ErrorCode.STORE_DAMAGED)

    def close(self) -> None:
        self._connection.close()

    @contextmanager
    def write(self) -> Iterator[None]:
        """One transaction: all of it is kept, synced, or none. A file that was deleted or taken away under the open
        connection would take what is written with it, so that is looked for first."""
        with faults():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                if not self.path.exists():
                    raise store_gone(self.path.parent)
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.commit()

    def run(self, sql: str, values: Sequence[Any] = ()) -> None:
        """Inside ``write``."""
        with faults():
            self._connection.execute(sql, values)

    def run_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with faults():
            self._connection.executemany(sql, rows)

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with faults():
            return self._connection.execute(sql, values).fetchall()

    def one(self, sql: str, values: Sequence[Any] = ()) -> tuple[Any, ...]:
        """The first row; an empty tuple for none."""
        with faults():
            row: tuple[Any, ...] | None = self._connection.execute(sql, values).fetchone()
        return row or ()

    def empty_log(self) -> None:
        """Moves the write-ahead log into the file and cuts it, so that no old form of a row stays behind in it."""
        with faults():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def meta(self, key: str) -> str | None:
        row = self.one("SELECT value FROM meta WHERE key = ?", (key,))
        return row[0] if row else None

    def set_meta(self, key: str, value: str) -> None:
        """Inside ``write``."""
        self.run("INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value))


def _connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    read_only_medium = not os.access(path.parent, os.W_OK) or (not writable and _is_full(path))
    # Without the right to write beside the file SQLite can keep no shared index of the log, so it must be told that
    # nobody else writes either.
    mode = "mode=ro&immutable=1" if read_only_medium else "mode=rw"
    uri = f"{path.absolute().as_uri()}?{mode}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    connection.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA secure_delete = ON")  # what is purged is overwritten, not only unlinked
    return connection


def _is_full(path: Path) -> bool:
    """Whether no shared index of the log can be made, while all that was written is in the file itself."""
    log = path.with_name(path.name + "-wal")
    written = not log.exists() or log.stat().st_size == 0
    return written and shutil.disk_usage(path.parent).free < _ROOM


def store_gone(folder: Path) -> StoreFault:
    return StoreFault(
        f"the store {folder} is gone; connect its drive again, or give another with --store, and run the command again"
    )


@contextmanager
def faults() -> Iterator[None]:
    """SQLite's errors as the contract's codes, with what to do. SQLite's own words name no content."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise _operational(error) from error
    except sqlite3.DatabaseError as error:
        raise StoreFault(
            f"the store is damaged ({error}); restore it from a backup, or do without its answers and decisions and "
            "run: pincite forget, then pincite index"
        ) from error


def _operational(error: sqlite3.OperationalError) -> StoreFault:
    text = str(error)
    if "locked" in text or "busy" in text:
        return StoreFault("another process is writing this matter's store; try again", ErrorCode.STORE_LOCKED)
    if "disk I/O" in text or "unable to open" in text:
        return StoreFault(
            f"the disk that holds the store cannot be used ({text}): it is full, was taken away or is failing; see to "
            "it and run the command again"
        )
    if "full" in text:
        return StoreFault(STORE_FULL)
    if "readonly" in text or "read-only" in text:
        return StoreFault("the store cannot be written; check its permissions or choose another with --store")
    return StoreFault(f"the store cannot be used ({text}); run: pincite doctor")
