"""A sealed matter: what lies on the disk, who may open it, and what an interruption leaves."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from app.errors import AccessDenied, StoreFault
from app.paths import matter_folder
from app.store.sealed import Passphrases, make_seal, recover, vault_of

SECRET = "eleven grey herons"


@pytest.fixture
def secret(tmp_path: Path) -> str:
    path = tmp_path / "secret"
    path.write_text(SECRET + "\n", "utf-8")
    return str(path)


def everything_on_disk(folder: Path) -> bytes:
    return b"\n".join(p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file())


def test_nothing_readable_is_left_on_the_disk(place: Any, secret: str) -> None:
    place.run("ask", "What is the rent?", "--model", "extractive")
    folder = matter_folder(place.store, place.matter)
    assert b"call-note.txt" in everything_on_disk(folder)  # the test can tell
    assert place.run("seal", "--passphrase-file", secret)[0] == 0
    left = everything_on_disk(folder)
    for words in (b"call-note.txt", b"What is the rent", b"Ms Cedar", b"lease.pdf", b"Alder Holdings"):
        assert words not in left
    assert [p.name for p in place.store.iterdir()] == [folder.name]


def test_it_works_with_the_passphrase_and_says_so_without(place: Any, secret: str, tmp_path: Path) -> None:
    place.run("seal", "--passphrase-file", secret)
    status, out, _ = place.run(
        "ask", "What is the rent?", "--model", "extractive", "--passphrase-file", secret, "--json"
    )
    assert status == 0
    assert "USD 84,000" in json.loads(out)["claims"][0]["text"]
    assert place.run("sources", "--json")[0] == 5
    wrong = tmp_path / "wrong"
    wrong.write_text("twelve grey herons", "utf-8")
    status, out, _ = place.run("sources", "--passphrase-file", str(wrong), "--json")
    assert (status, json.loads(out)["code"]) == (5, "access_denied")


def test_a_check_in_a_sealed_matter_is_denied(place: Any, secret: str, tmp_path: Path) -> None:
    lease = next(s for s in json.loads(place.run("sources", "--json")[1])["sources"] if s["path"] == "lease.pdf")
    check = {
        "check_id": "v1",
        "kind": "quote",
        "source_id": lease["source_id"],
        "document_fingerprint": lease["fingerprint"],
        "page_index": 1,
        "expected_text": "The annual rent is USD 84,000",
    }
    request = tmp_path / "request.json"
    request.write_text(json.dumps({"schema": "pincite.request/1", "request_id": "r", "checks": [check]}))
    place.run("seal", "--passphrase-file", secret)
    unknown = tmp_path / "unknown.json"
    asked = {"schema": "pincite.request/1", "request_id": "r", "checks": [check | {"source_id": "s0"}]}
    unknown.write_text(json.dumps(asked))
    assert json.loads(place.run("verify", str(unknown), "--json")[1])["checks"][0]["reason"] == "access_denied"
    status, out, _ = place.run("verify", str(request), "--json")
    checked = json.loads(out)["checks"][0]
    assert (status, checked["status"], checked["reason"], checked["evidence"]) == (0, "denied", "access_denied", None)
    assert "the matter is sealed and was not opened; give its passphrase" in place.run("verify", str(request))[1]
    _, out, _ = place.run("verify", str(request), "--json", "--passphrase-file", secret)
    assert json.loads(out)["checks"][0]["status"] == "verified"


def test_sealing_and_unsealing_without_a_passphrase_are_denied(place: Any, secret: str) -> None:
    for command in ("seal", "unseal"):
        status, out, _ = place.run(command, "--json")
        told = json.loads(out)
        assert (status, told["code"]) == (5, "access_denied")
        assert f"{command}ed with" in told["message"]
        assert "none was given; give" in told["message"]
        place.run("seal", "--passphrase-file", secret)
    assert [p.name for p in place.store.iterdir()] == [matter_folder(place.store, place.matter).name]


def test_unsealing_gives_back_what_was_sealed(place: Any, secret: str) -> None:
    before = place.run("sources", "--json")[1]
    place.run("seal", "--passphrase-file", secret)
    assert place.run("unseal", "--passphrase-file", secret)[0] == 0
    assert place.run("sources", "--json")[1] == before
    assert place.run("index", "--no-dense", "--json")[0] == 0


def test_a_new_reading_stays_sealed(place: Any, secret: str) -> None:
    place.run("seal", "--passphrase-file", secret)
    (place.matter / "new.txt").write_text("The walnut chest was never found.\n", "utf-8")
    assert place.run("index", "--no-dense", "--passphrase-file", secret)[0] == 0
    assert b"walnut" not in everything_on_disk(matter_folder(place.store, place.matter))
    _, out, _ = place.run("search", "walnut chest", "--mode", "lexical", "--passphrase-file", secret, "--json")
    assert json.loads(out)["passages"][0]["path"] == "new.txt"


def test_rows_cannot_be_exchanged(tmp_path: Path) -> None:
    vault = make_seal(tmp_path, Passphrases(SECRET))
    sealed = vault.seal(b"page one", "page:1")
    assert vault.open(sealed, "page:1") == b"page one"
    with pytest.raises(StoreFault):
        vault.open(sealed, "page:2")
    with pytest.raises(StoreFault):
        vault.open(sealed[:-1] + bytes([sealed[-1] ^ 1]), "page:1")


def test_an_access_class_needs_its_own_passphrase(tmp_path: Path) -> None:
    make_seal(tmp_path, Passphrases(SECRET, {"counsel": "one red kite"}))
    assert not vault_of(tmp_path, Passphrases(SECRET)).may_read("counsel")
    assert vault_of(tmp_path, Passphrases(SECRET)).may_read(None)
    assert vault_of(tmp_path, Passphrases(SECRET, {"counsel": "one red kite"})).may_read("counsel")
    with pytest.raises(AccessDenied):
        vault_of(tmp_path, Passphrases(SECRET, {"counsel": "two red kites"}))


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ({"": "old", ".resealing": "half"}, "old"),  # killed while the new store was made
        ({".replaced": "old", ".resealing": "new"}, "new"),  # killed between the two renames
        ({"": "new", ".replaced": "old"}, "new"),  # killed while the old store was deleted
        ({".replaced": "old"}, "old"),
    ],
)
def test_an_interrupted_sealing_leaves_one_whole_store(tmp_path: Path, there: dict[str, str], expected: str) -> None:
    folder = tmp_path / "store"
    for suffix, content in there.items():
        made = folder.with_name(folder.name + suffix)
        made.mkdir()
        (made / "which").write_text(content)
    recover(folder)
    assert (folder / "which").read_text() == expected
    assert not folder.with_name("store.replaced").exists()


def test_no_value_of_the_first_form_stays_in_free_pages(place: Any, secret: str) -> None:
    folder = matter_folder(place.store, place.matter)
    with sqlite3.connect(folder / "matter.sqlite3") as database:
        rows = database.execute("SELECT body FROM pages").fetchall()
    database.close()
    place.run("seal", "--passphrase-file", secret)
    left = everything_on_disk(folder)
    assert rows
    assert all(row[0][8:48] not in left for row in rows)
    shutil.rmtree(folder)
