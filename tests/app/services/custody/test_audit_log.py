"""The log of who did what: chained, synced, without words, and whole after a kill at any point."""

import json
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.services.custody.auditing import AUDIT_HEAD, GENESIS, AuditEvent, lines, record
from app.services.matter.matter import Matter, open_matter
from app.settings import Settings
from verify.domain.canonical import sha256_of

AT = datetime(2026, 5, 4, 10, 30, tzinfo=UTC)


@pytest.fixture
def matter(tmp_path: Path) -> Iterator[Matter]:
    folder = tmp_path / "matter"
    folder.mkdir()
    with open_matter(folder, Settings(), tmp_path / "store", writable=True) as opened:
        yield opened


def test_each_line_carries_the_hash_of_the_one_before(matter: Matter) -> None:
    record(matter, AuditEvent.ASKED, {"answer_id": "a1"}, who="elm", at=AT)
    record(matter, AuditEvent.DECIDED, {"answer_id": "a1", "claim_id": "c1"}, who="elm", at=AT)
    raw = matter.store.audit_path.read_bytes().splitlines()
    first, second = map(json.loads, raw)
    assert first == {
        "at": "2026-05-04T10:30:00Z", "who": "elm", "event": "asked", "matter": matter.key,
        "subject": {"answer_id": "a1", "answer_previous": GENESIS}, "previous": GENESIS,
    }  # fmt: skip
    assert second["previous"] == second["subject"]["answer_previous"] == sha256_of(raw[0])
    assert matter.store.database.meta(AUDIT_HEAD) == sha256_of(raw[1])
    assert list(lines(matter)) == [first, second]
    assert stat.S_IMODE(matter.store.audit_path.stat().st_mode) == 0o600


@pytest.mark.parametrize("value", ["What is the rent?", "two words", "", "x" * 201, "a\nb"])
def test_words_are_refused(matter: Matter, value: str) -> None:
    with pytest.raises(ValueError, match="question"):
        record(matter, AuditEvent.ASKED, {"question": value})
    assert not matter.store.audit_path.exists()


def test_a_line_whose_hash_did_not_reach_the_store_is_taken_up(matter: Matter) -> None:
    """A process that died between writing the line and telling the store."""
    record(matter, AuditEvent.ASKED, {"answer_id": "a1"}, who="elm", at=AT)
    head = matter.store.database.meta(AUDIT_HEAD)
    record(matter, AuditEvent.ASKED, {"answer_id": "a2"}, who="elm", at=AT)
    raw = matter.store.audit_path.read_bytes()
    with matter.store.database.write():
        matter.store.database.set_meta(AUDIT_HEAD, head or "")
        matter.store.database.set_meta("audit_size", str(raw.index(b"\n") + 1))
    record(matter, AuditEvent.ASKED, {"answer_id": "a3"}, who="elm", at=AT)
    whole = matter.store.audit_path.read_bytes().splitlines()
    assert [json.loads(line)["subject"]["answer_id"] for line in whole] == ["a1", "a2", "a3"]
    assert [json.loads(line)["previous"] for line in whole[1:]] == [sha256_of(line) for line in whole[:2]]


def test_half_a_line_is_written_over(matter: Matter) -> None:
    record(matter, AuditEvent.ASKED, {"answer_id": "a1"}, who="elm", at=AT)
    with matter.store.audit_path.open("ab") as log:
        log.write(b'{"at":"2026-05-04T10:3')
    record(matter, AuditEvent.ASKED, {"answer_id": "a2"}, who="elm", at=AT)
    assert [entry["subject"]["answer_id"] for entry in lines(matter)] == ["a1", "a2"]  # type: ignore[index]


def test_a_cut_tail_shows_in_the_chain(matter: Matter) -> None:
    for number in (1, 2):
        record(matter, AuditEvent.ASKED, {"answer_id": f"a{number}"}, who="elm", at=AT)
    path = matter.store.audit_path
    os.truncate(path, path.read_bytes().index(b"\n") + 1)
    record(matter, AuditEvent.ASKED, {"answer_id": "a3"}, who="elm", at=AT)
    first, last = path.read_bytes().splitlines()
    assert json.loads(last)["previous"] != sha256_of(first)
