"""The audit log of a matter: append-only JSON lines, each with the hash of the one before.

It records who did what to which ids and hashes, never text of a document, question or claim. The newest hash is kept
in the store as well, so that a cut tail is found.
"""

import getpass
import json
import os
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from app.errors import StoreFault, unwritable_store
from app.paths import PRIVATE_FILE
from app.services.matter.matter import Matter
from verify.domain.canonical import canonical_json, sha256_of

AUDIT_HEAD = "audit_head"
AUDIT_SIZE = "audit_size"
GENESIS = "sha256:" + "0" * 64


class AuditEvent(StrEnum):
    INDEXED = "indexed"
    TAGGED = "tagged"
    ASKED = "asked"
    VIEWED = "viewed"
    DECIDED = "decided"
    UNDONE = "undone"
    EXPORTED = "exported"
    SEALED = "sealed"
    UNSEALED = "unsealed"
    OPENED = "opened"


OF_AN_ANSWER = frozenset({AuditEvent.ASKED, AuditEvent.DECIDED, AuditEvent.UNDONE})
"""What a bundle carries of the log. Views and exports are left out: they would change the bytes of the next export."""
ANSWER_PREVIOUS = "answer_previous"
"""In the subject of a line of ``OF_AN_ANSWER``: the hash of the line before it about the same answer, or ``GENESIS``.
A bundle holds these lines alone, so this is what shows there that one of them was cut."""
_ALLOWED = re.compile(r"[A-Za-z0-9_.:~@+/#-]{1,200}")
"""What an id, a hash, a code or a count is made of: no white space, so no sentence passes."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """``previous`` is the SHA-256 of the line before, without its line feed; ``GENESIS`` for the first."""

    at: str
    who: str
    event: AuditEvent
    matter: str
    subject: tuple[tuple[str, str], ...]
    previous: str

    def line(self) -> bytes:
        return canonical_json(
            {
                "at": self.at,
                "who": self.who,
                "event": self.event.value,
                "matter": self.matter,
                "subject": dict(self.subject),
                "previous": self.previous,
            }
        )


def record(
    matter: Matter, event: AuditEvent, subject: Mapping[str, str], who: str | None = None, at: datetime | None = None
) -> AuditEntry:
    """Appends one line, synced, and keeps its hash in the store.

    Raises ValueError for a value that is no id, hash, code or count, StoreFault if the log cannot be written: then
    what was to be recorded must not happen.
    """
    for name, value in subject.items():
        if not _ALLOWED.fullmatch(value):
            raise ValueError(f"audit: {name} is not an id, hash, code or count")
    moment = (at or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")
    database = matter.store.database
    with _appending(matter.store.audit_path) as log, database.write():
        kept, head = int(database.meta(AUDIT_SIZE) or 0), database.meta(AUDIT_HEAD) or GENESIS
        end, head = _end_of_chain(log, kept, head)
        if event in OF_AN_ANSWER:
            subject = {**subject, ANSWER_PREVIOUS: _newest_of(_from_start(log, end), subject["answer_id"])}
        entry = AuditEntry(moment, who or _user(), event, matter.key, tuple(sorted(subject.items())), head)
        line = entry.line()
        _append(log, end, line)
        database.set_meta(AUDIT_HEAD, sha256_of(line))
        database.set_meta(AUDIT_SIZE, str(end + len(line) + 1))
    return entry


def answer_lines(matter: Matter, answer_id: str) -> tuple[bytes, ...]:
    """The lines of ``OF_AN_ANSWER`` about one answer, without their line feeds, oldest first."""
    path = matter.store.audit_path
    return tuple(_about(path.read_bytes(), answer_id)) if path.exists() else ()


def tagged_lines(matter: Matter, source_ids: Collection[str]) -> tuple[bytes, ...]:
    """The lines that record what people set of these documents, without their line feeds, oldest first."""
    path = matter.store.audit_path
    event = f'"event":"{AuditEvent.TAGGED.value}"'.encode()
    named = [f'"source_id":"{source_id}"'.encode() for source_id in source_ids]
    lines = path.read_bytes().splitlines() if path.exists() else []
    return tuple(line for line in lines if event in line and any(name in line for name in named))


def _newest_of(log: bytes, answer_id: str) -> str:
    newest = GENESIS
    for line in _about(log, answer_id):
        newest = sha256_of(line)
    return newest


def _about(log: bytes, answer_id: str) -> Iterator[bytes]:
    named = f'"answer_id":"{answer_id}"'.encode()
    events = [f'"event":"{event.value}"'.encode() for event in OF_AN_ANSWER]
    return (line for line in log.splitlines() if named in line and any(event in line for event in events))


def _user() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = str(os.getuid()) if sys.platform != "win32" else "unknown"
    return name


@contextmanager
def _appending(path: Path) -> Iterator[int]:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError as error:
        raise StoreFault(f"the audit log cannot be written ({error.strerror}); nothing was done") from error
    try:
        yield descriptor
    except OSError as error:
        raise unwritable_store(error) from error
    finally:
        os.close(descriptor)


def _end_of_chain(log: int, kept: int, head: str) -> tuple[int, str]:
    """Where the next line goes, and the hash that it follows.

    A whole line beyond what the store knows is of a process that died before it could say so: it is kept. Half a
    line is not. Where the log is shorter than the store knows its tail was cut, and the chain will show the gap.
    """
    size = os.fstat(log).st_size
    if size <= kept:
        return size, head
    os.lseek(log, kept, os.SEEK_SET)
    for line in os.read(log, size - kept).split(b"\n")[:-1]:
        if f'"previous":"{head}"'.encode() not in line:
            break
        head, kept = sha256_of(line), kept + len(line) + 1
    return kept, head


def _from_start(log: int, end: int) -> bytes:
    os.lseek(log, 0, os.SEEK_SET)
    return os.read(log, end)


def _append(log: int, offset: int, line: bytes) -> None:
    os.ftruncate(log, offset)
    os.lseek(log, offset, os.SEEK_SET)
    os.write(log, line + b"\n")
    os.fsync(log)


def lines(matter: Matter) -> Iterator[dict[str, object]]:
    """Every line as it stands, oldest first. Raises StoreFault for a line that is not JSON."""
    path = matter.store.audit_path
    if not path.exists():
        return
    with path.open("rb") as log:
        for raw in log:
            try:
                yield json.loads(raw)
            except ValueError as error:
                raise StoreFault("the audit log holds a line that is not JSON") from error
