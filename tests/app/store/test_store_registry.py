"""The store of one matter on a real disk: what is kept, what is replaced, who may write."""

import os
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import ErrorCode, InputMissing, StoreFault
from app.paths import matter_folder
from app.store.matter_store import DATABASE_FILE, MatterStore
from ingest.ports import BlobKind, FileStamp
from verify.domain.document import Metadata, Parser, SourceRecord, SourceStatus, SourceWarning, WarningCode
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart

OLD = Fingerprint("sha256:" + "a" * 64)
NEW = Fingerprint("sha256:" + "b" * 64)
PARSER = Parser("pincite", "1", "p1/ocr-auto/eng")


def record(source_id: str = "s1", path: str = "lease.pdf", fingerprint: Fingerprint = OLD) -> SourceRecord:
    warning = SourceWarning(WarningCode.OCR_USED, 2, "page 3 was recognised")
    return SourceRecord(
        SourceId(source_id), path, fingerprint, "application/pdf", 3, SourceStatus.INDEXED, PARSER, ("copy.pdf",), 1, 2,
        None, Metadata(title="Lease"), (warning,),
    )  # fmt: skip


def passage(
    number: int, source_id: str = "s1", fingerprint: Fingerprint = OLD, text: str = "The rent is due."
) -> Passage:
    part = PassagePart(0, ElementId("p0-e1"), 0, 10, 10 + len(text))
    key = PassageId(f"{fingerprint[7:11]}-{number}")
    return Passage(key, SourceId(source_id), fingerprint, number, "Lease", ("2. Rent",), text, (part,))


def stamp(path: str = "lease.pdf") -> FileStamp:
    return FileStamp(path, 1234, 1_700_000_000_000_000_001, OLD)


@pytest.fixture
def matter(tmp_path: Path) -> Path:
    folder = tmp_path / "matter"
    folder.mkdir()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "store"


def test_a_source_comes_back_as_it_was_committed(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    store.registry.commit(record(), [stamp()], [passage(0), passage(1)])
    store.close()
    again = MatterStore(root, matter, writable=False)
    assert again.registry.records() == (record(),)
    assert again.registry.stamps() == (stamp(),)
    assert again.passages.get([PassageId("aaaa-1"), PassageId("none"), PassageId("aaaa-0")]) == (passage(1), passage(0))
    assert list(again.passages.all()) == [passage(0), passage(1)]
    again.close()


def test_pages_count_up_to_the_first_gap(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    profile = PARSER.profile
    assert store.registry.page_count_kept(OLD, profile) == 0
    store.registry.put_pages(OLD, profile, 0, [b"zero", b"one"])
    assert store.registry.page_count_kept(OLD, profile) == 2
    store.registry.put_pages(OLD, profile, 3, [b"three"])
    assert store.registry.page_count_kept(OLD, profile) == 2
    assert store.registry.get_page(OLD, profile, 1) == b"one"
    assert store.registry.get_page(OLD, profile, 2) is None
    assert store.registry.page_count_kept(NEW, profile) == 0
    store.close()


def test_a_revision_takes_the_id_and_the_old_text_leaves_the_search(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    store.registry.commit(record(), [stamp()], [passage(0)])
    before = store.passages.generation()
    old = replace(record(), source_id=SourceId("s1~aaaaaaaa"), status=SourceStatus.SUPERSEDED)
    store.registry.retire(record(), old)
    store.registry.commit(record(fingerprint=NEW), [stamp()], [passage(0, fingerprint=NEW)])
    assert {r.source_id: r.status for r in store.registry.records()} == {
        "s1": SourceStatus.INDEXED,
        "s1~aaaaaaaa": SourceStatus.SUPERSEDED,
    }
    assert store.passages.ids() == {"bbbb-0"}
    assert store.passages.generation() > before
    store.close()


def test_a_missing_file_that_returns_has_its_passages_again(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    store.registry.commit(record(), [stamp()], [passage(0)])
    store.registry.retire(record(), replace(record(), status=SourceStatus.MISSING))
    assert store.passages.ids() == frozenset()
    assert store.passages.of_source(SourceId("s1")) == ()
    store.registry.commit(record(), [stamp()], None)
    assert store.passages.of_source(SourceId("s1")) == (passage(0),)
    store.close()


def test_passages_are_listed_by_source_in_order_and_every_change_is_another_state(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    states = [store.passages.state()]
    store.registry.commit(record(), [stamp()], [passage(1), passage(0)])
    states.append(store.passages.state())
    first = (SourceId("s1"), (passage(0).passage_id, passage(1).passage_id))
    assert list(store.passages.listing()) == [first]
    store.registry.retire(record(), replace(record(), status=SourceStatus.MISSING))
    states.append(store.passages.state())
    assert list(store.passages.listing()) == []
    assert store.passages.state() == states[-1]
    assert len(set(states)) == 3
    store.close()


def test_what_a_person_tagged_outlives_a_revision(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    store.registry.commit(record(), [stamp()], [])
    store.registry.set_tags(record(), {"privilege": "attorney-client", "title": None})
    store.registry.retire(record(), replace(record(), source_id=SourceId("s1~a"), status=SourceStatus.SUPERSEDED))
    store.registry.commit(record(fingerprint=NEW), [stamp()], [])
    found = store.registry.record(SourceId("s1"))
    assert found is not None
    assert found.metadata == Metadata(title=None, privilege="attorney-client")
    old = store.registry.record(SourceId("s1~a"))
    assert old is not None
    assert old.metadata.privilege == "attorney-client"
    store.close()


def test_blobs_are_whole_and_private(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    assert store.blobs.get(BlobKind.RENDITION, "k") is None
    store.blobs.put(BlobKind.RENDITION, "k", b"%PDF")
    assert store.blobs.get(BlobKind.RENDITION, "k") == b"%PDF"
    assert store.blobs.get(BlobKind.MEMBER, "k") is None
    store.index_files.write("lexical", b"xyz")
    assert store.index_files.read("lexical") == b"xyz"
    store.registry.commit(record(), [stamp()], [])
    for path in store.folder.rglob("*"):
        expected = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == expected, path
    assert stat.S_IMODE(root.stat().st_mode) == 0o700
    store.close()


def test_reading_a_folder_that_was_never_read_says_what_to_do(root: Path, matter: Path) -> None:
    with pytest.raises(InputMissing, match="pincite index"):
        MatterStore(root, matter, writable=False)
    assert not root.exists()


def test_another_process_is_told_who_writes(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    code = (
        "import sys; from pathlib import Path; from app.store.matter_store import MatterStore\n"
        "from app.errors import StoreFault\n"
        "MatterStore(Path(sys.argv[1]), Path(sys.argv[2]), writable=False).close()\n"
        "try: MatterStore(Path(sys.argv[1]), Path(sys.argv[2]), writable=True)\n"
        "except StoreFault as e: print(e.code.value, e)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, root, matter], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("store_locked")
    assert str(os.getpid()) in run.stdout
    store.close()


def test_the_lock_of_a_killed_process_does_not_last(root: Path, matter: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from app.store.matter_store import MatterStore\n"
        "s = MatterStore(Path(sys.argv[1]), Path(sys.argv[2]), writable=True)\n"
        "s.database.run('BEGIN IMMEDIATE'); s.database.set_meta('half', 'done'); os.kill(os.getpid(), 9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, root, matter]).returncode == -9
    store = MatterStore(root, matter, writable=True)
    assert store.database.meta("half") is None
    store.close()


def test_two_threads_of_one_process_may_write(root: Path, matter: Path) -> None:
    first = MatterStore(root, matter, writable=True)
    second = MatterStore(root, matter, writable=True)
    second.close()
    first.registry.commit(record(), [], [])
    first.close()
    third = MatterStore(root, matter, writable=True)
    assert len(third.registry.records()) == 1
    third.close()


def test_a_store_of_a_newer_version_is_left_alone(root: Path, matter: Path) -> None:
    MatterStore(root, matter, writable=True).close()
    file = matter_folder(root, matter) / DATABASE_FILE
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for writable in (False, True):
        with pytest.raises(StoreFault) as fault:
            MatterStore(root, matter, writable=writable)
        assert fault.value.code is ErrorCode.STORE_NEWER


def test_a_damaged_store_is_named_as_such(root: Path, matter: Path) -> None:
    MatterStore(root, matter, writable=True).close()
    file = matter_folder(root, matter) / DATABASE_FILE
    file.write_bytes(b"not a database" * 400)
    with pytest.raises(StoreFault) as fault:
        MatterStore(root, matter, writable=False)
    assert fault.value.code is ErrorCode.STORE_DAMAGED
    assert "pincite" in str(fault.value)


def test_matters_never_mix(root: Path, matter: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    store = MatterStore(root, matter, writable=True)
    store.registry.commit(record(), [stamp()], [passage(0)])
    store.close()
    second = MatterStore(root, other, writable=True)
    assert second.registry.record(SourceId("s1")) is None
    assert second.passages.ids() == frozenset()
    assert second.registry.get_page(OLD, PARSER.profile, 0) is None
    second.close()
    matter_folder(root, other).rename(tmp_path / "aside")
    matter_folder(root, matter).rename(matter_folder(root, other))
    with pytest.raises(StoreFault, match="another matter"):
        MatterStore(root, other, writable=False)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_store_without_write_permission_can_still_be_read(root: Path, matter: Path) -> None:
    store = MatterStore(root, matter, writable=True)
    store.registry.commit(record(), [stamp()], [])
    store.close()
    folder = matter_folder(root, matter)
    folder.chmod(0o500)
    try:
        reader = MatterStore(root, matter, writable=False)
        assert len(reader.registry.records()) == 1
        reader.close()
    finally:
        folder.chmod(0o700)
