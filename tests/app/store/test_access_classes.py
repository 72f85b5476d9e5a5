"""An access class with a passphrase of its own: the matter's passphrase alone opens nothing of it."""

import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.bootstrap import build_embedder
from app.paths import matter_folder
from app.services.matter.matter import open_matter
from app.settings import Settings
from app.store.sealed import Passphrases, vault_of
from ingest.mupdf import pymupdf
from retrieval.index.vectors import KeptVectors
from verify.domain.ids import SourceId

MATTER, COUNSEL = "eleven grey herons", "one red kite"
WORDS = (b"84,000", b"Birch Tenants", b"Alder Holdings", b"lease.pdf", b"quarter", b"sixty", b"birch", b"annex.pdf")
"""What stands in the lease, its name, the mail and its attachment alone; also as terms of an index."""


@pytest.fixture(autouse=True)
def cheap_stretching(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same function at a hundredth of its cost; what it costs is written in each seal."""
    monkeypatch.setattr("app.store.sealed.SCRYPT", {"n": 2**10, "r": 8, "p": 1})


@pytest.fixture
def outside(tmp_path: Path) -> list[str]:
    """Options that open the matter without its class; ``inside`` adds the class."""
    (tmp_path / "matter.txt").write_text(MATTER + "\n", "utf-8")
    return ["--passphrase-file", str(tmp_path / "matter.txt")]


@pytest.fixture
def inside(outside: list[str], tmp_path: Path) -> list[str]:
    (tmp_path / "counsel.txt").write_text(COUNSEL + "\n", "utf-8")
    return [*outside, "--class-passphrase", f"counsel={tmp_path / 'counsel.txt'}"]


@pytest.fixture
def lease(ids: Callable[[str], str]) -> str:
    return ids("lease.pdf")


@pytest.fixture
def closed(place: Any, inside: list[str], lease: str, ids: Callable[[str], str]) -> Any:
    """The lease, and a mail that has it attached, lie in the class "counsel", one since before there was a passphrase
    and one since after; an answer that quotes them was saved."""
    mail = ids("mail.eml")
    assert place.run("ask", "What is the annual rent?", "--model", "extractive")[0] == 0
    assert place.run("tag", mail, "access_class=counsel")[0] == 0
    assert place.run("seal", *inside)[0] == 0
    assert place.run("tag", lease, "access_class=Counsel", *inside)[0] == 0
    return place


def opened_by(place: Any, given: Passphrases) -> bytes:
    """Everything in the store that these passphrases open, in clear, with what is not sealed at all."""
    folder = matter_folder(place.store, place.matter)
    vault = vault_of(folder, given)
    found = []
    with sqlite3.connect(folder / "matter.sqlite3") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        for table, column, context in (
            ("sources", "body", "'source:' || source_id"),
            ("tags", "body", "'tags:' || source_id"),
            ("stamps", "path", "'stamp:' || source_id"),
            ("pages", "body", "'page:' || fingerprint || ':' || profile || ':' || page_index"),
            ("passages", "body", "'passage:' || passage_id"),
            ("answers", "body", "'answer:' || answer_id"),
            ("reviews", "body", "'review:' || answer_id || ':' || claim_id"),
        ):
            rows = database.execute(f"SELECT {column}, {context} FROM {table}").fetchall()
            found += [vault.open(body, at) for body, at in rows if vault.opens(body)]
    database.close()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        data = path.read_bytes()
        found.append(data)
        kind = path.relative_to(folder).parts[0]
        if kind == "blobs" and vault.opens(data):
            found.append(vault.open(data, f"{path.relative_to(folder).parts[1]}:{path.name}"))
        if kind == "index" and vault.opens(data):
            found.append(_unpacked(vault.open(data, f"index:{path.name}")))
    return b"\n".join(found)


def _unpacked(data: bytes) -> bytes:
    """numpy's archives are zip files of arrays."""
    try:
        with np.load(io.BytesIO(data)) as arrays:
            return b"\n".join(arrays[name].tobytes() for name in arrays.files)
    except ValueError:
        return data


BOTH = Passphrases(MATTER, {"counsel": COUNSEL})
ALONE = Passphrases(MATTER)


def test_the_matters_passphrase_alone_opens_none_of_it_on_the_disk(closed: Any, inside: list[str]) -> None:
    assert closed.run("search", "rent", "--mode", "lexical", *inside)[0] == 0  # makes the index of those inside
    everything, outside = opened_by(closed, BOTH), opened_by(closed, ALONE)
    assert [words for words in WORDS if words not in everything] == []  # the test can tell
    assert b"Ms Cedar" in outside
    assert [words for words in WORDS if words in outside] == []


def documents(place: Any, *command: str) -> tuple[int, Any]:
    status, out, _ = place.run(*command, "--json")
    return status, json.loads(out)


def test_search_sources_and_answers_do_not_know_it(closed: Any, outside: list[str], inside: list[str]) -> None:
    def paths(options: list[str]) -> set[str]:
        found = documents(closed, "search", "annual rent keys handed", "--mode", "lexical", *options)[1]["passages"]
        return {p["path"] for p in found}

    assert paths(outside) <= {"call-note.txt"}
    assert paths(inside) == {"call-note.txt", "lease.pdf", "mail.eml", "mail.eml!/annex.pdf"}
    listed = {s["path"] for s in documents(closed, "sources", *outside)[1]["sources"]}
    assert listed == {"call-note.txt", "empty.pdf"}
    assert documents(closed, "answers", *outside)[1]["answers"] == []
    answer = documents(closed, "ask", "What is the annual rent?", "--model", "extractive", *outside)[1]
    assert "84,000" not in json.dumps(answer)
    not_read = {u["path"]: u["status"] for u in answer["unanswered"]["searched"]["not_read"]}
    assert not_read["lease.pdf"] == "access_denied"  # the folder shows its name; the answer says that it was left out


def test_every_way_to_show_it_is_denied(
    closed: Any, lease: str, outside: list[str], inside: list[str], tmp_path: Path
) -> None:
    picture, bundle = str(tmp_path / "page.png"), str(tmp_path / "bundle.zip")
    answer = documents(closed, "answers", *inside)[1]["answers"][0]["answer_id"]
    commands = [
        ("inspect", lease),
        ("render", lease, "1", "-o", picture),
        ("answers", answer),
        ("review", answer, "c1", "--decision", "accepted"),
        ("export", answer, "-o", bundle),
        ("tag", lease, "title=Lease"),
        ("index", "--no-dense"),
    ]
    for command in commands:
        status, document = documents(closed, *command, *outside)
        assert (command[0], status, document.get("code")) == (command[0], 5, "access_denied")
    assert documents(closed, "search", "rent", "--source", lease, *outside)[1]["code"] == "input_missing"
    assert not Path(picture).exists()
    assert not Path(bundle).exists()
    for command in commands:
        assert documents(closed, *command, *inside)[0] == 0


def test_a_check_of_it_is_denied_and_says_nothing(
    closed: Any, lease: str, outside: list[str], inside: list[str], tmp_path: Path
) -> None:
    fingerprint = documents(closed, "inspect", lease, *inside)[1]["fingerprint"]
    check = {
        "check_id": "v1", "kind": "quote", "source_id": lease, "document_fingerprint": fingerprint, "page_index": 1,
        "expected_text": "The annual rent is USD 84,000",
    }  # fmt: skip
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"schema": "pincite.request/1", "request_id": "r", "checks": [check]}))
    found = documents(closed, "verify", str(request), *outside)[1]["checks"][0]
    assert (found["status"], found["reason"]) == ("denied", "access_denied")
    told = closed.run("verify", str(request), *outside)[1]
    assert "the document is in an access class that was not opened" in told  # the matter itself was
    assert (found["evidence"], found["found_elsewhere"], found.get("nearest")) == (None, [], None)
    assert documents(closed, "verify", str(request), *inside)[1]["checks"][0]["status"] == "verified"


def test_a_revision_of_it_stays_under_its_key(closed: Any, inside: list[str]) -> None:
    changed = pymupdf.open(closed.matter / "lease.pdf")
    changed[1].insert_text((72, 400), "The deposit is held by Hornbeam Trustees.")
    (closed.matter / "lease.pdf").write_bytes(changed.tobytes())
    assert closed.run("index", "--no-dense", *inside)[0] == 0
    assert b"Hornbeam" in opened_by(closed, BOTH)
    outside = opened_by(closed, ALONE)
    assert [words for words in (*WORDS, b"Hornbeam", b"hornbeam") if words in outside] == []


def test_those_who_know_of_fewer_sources_find_the_store_in_another_state(closed: Any, lease: str) -> None:
    states = []
    for passphrases in (BOTH, ALONE):
        with open_matter(closed.matter, Settings(), closed.store, passphrases=passphrases) as matter:
            states.append(matter.store.passages.state())
            assert (lease in dict(matter.store.passages.listing())) is (passphrases is BOTH)
    assert states[0] != states[1]


def test_embeddings_of_it_leave_the_common_index(place: Any, inside: list[str], lease: str) -> None:
    assert place.run("index", *inside)[0] == 0
    assert place.run("seal", *inside)[0] == 0
    assert place.run("tag", lease, "access_class=counsel", *inside)[0] == 0
    with open_matter(place.matter, Settings(), place.store, passphrases=BOTH) as matter:
        embedder = build_embedder(matter.settings)
        ids = {p.passage_id for p in matter.store.passages.of_source(SourceId(lease))}
        common = KeptVectors(matter.store.outside_classes().index_files, embedder.name, embedder.dimension)
        assert ids
        assert set(common.load()[0]) == matter.store.passages.ids() - ids
    assert place.run("index", *inside)[0] == 0
    with open_matter(place.matter, Settings(), place.store, passphrases=BOTH) as matter:
        files = matter.store.index_files
        assert set(KeptVectors(files, embedder.name, embedder.dimension).load()[0]) == matter.store.passages.ids()


def test_tagging_it_out_opens_it_again(closed: Any, lease: str, outside: list[str], inside: list[str]) -> None:
    assert closed.run("tag", lease, "access_class=", *inside)[0] == 0
    assert documents(closed, "inspect", lease, *outside)[0] == 0
    assert b"84,000" in opened_by(closed, ALONE)
    found = documents(closed, "search", "annual rent", "--mode", "lexical", *outside)[1]["passages"]
    assert {p["path"] for p in found} >= {"lease.pdf"}


def test_a_settling_that_was_interrupted_is_ended_by_the_next_reading(
    closed: Any, inside: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    note = next(s for s in documents(closed, "sources", *inside)[1]["sources"] if s["path"] == "call-note.txt")
    with monkeypatch.context() as patch:
        patch.setattr("app.services.matter.settling.settle_content", _stop)
        assert closed.run("tag", note["source_id"], "access_class=counsel", *inside)[0] == 130
    assert b"Ms Cedar" in opened_by(closed, ALONE)
    assert documents(closed, "inspect", note["source_id"], *inside[:2])[1]["code"] == "access_denied"
    assert "call-note.txt" not in closed.run("sources", *inside[:2])[1]
    assert documents(closed, "search", "keys", "--mode", "lexical", *inside[:2])[1]["passages"] == []
    assert closed.run("index", "--no-dense", *inside)[0] == 0
    assert b"Ms Cedar" not in opened_by(closed, ALONE)
    assert b"Ms Cedar" in opened_by(closed, BOTH)


def _stop(_: object) -> None:
    raise KeyboardInterrupt


def test_unsealing_takes_both_passphrases_and_gives_all_back(
    closed: Any, outside: list[str], inside: list[str]
) -> None:
    assert documents(closed, "unseal", *outside)[1]["code"] == "access_denied"
    assert closed.run("unseal", *inside)[0] == 0
    assert len(documents(closed, "sources")[1]["sources"]) == 5
    assert documents(closed, "search", "annual rent", "--mode", "lexical")[1]["passages"][0]["path"] == "lease.pdf"
    assert len(documents(closed, "answers")[1]["answers"]) == 1


def test_half_written_and_damaged_blobs_stand_in_nobodys_way(
    closed: Any, lease: str, outside: list[str], inside: list[str]
) -> None:
    folder = matter_folder(closed.store, closed.matter)
    blobs = [path for path in sorted((folder / "blobs").rglob("*")) if path.is_file()]
    blobs[0].with_name(blobs[0].name + ".4711.part").write_bytes(b"")  # as kill -9 leaves it
    (folder / "index" / "lexical.npz.4711.part").write_bytes(b"half")
    blobs[1].write_bytes(blobs[1].read_bytes()[:-1] + b"?")
    assert closed.run("tag", lease, "access_class=", *inside)[0] == 0
    assert closed.run("unseal", *inside)[0] == 0
    assert not list(folder.rglob("*.part"))
    assert closed.run("index", "--no-dense")[0] == 0
    assert documents(closed, "search", "annual rent", "--mode", "lexical")[1]["passages"][0]["path"] == "lease.pdf"
