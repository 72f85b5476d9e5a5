"""Forgetting deletes every derived byte and shows that it did, and the keyring's passphrase goes with it."""

import io
import json
import os
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

from app.paths import log_folder, matter_folder, matter_key
from app.store.remembering import recall
from app.viewmodels.remembered import Remembered, load_remembered, save_remembered

SECRET = "eleven grey herons"


class InMemory(KeyringBackend):  # type: ignore[misc]  # keyring is not typed for mypy
    """A keyring as a desktop has it, for one test."""

    priority = 5

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked("dismissed")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.locked:
            raise KeyringLocked("dismissed")
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError("not there")


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("app.store.sealed.SCRYPT", {"n": 2**10, "r": 8, "p": 1})
    monkeypatch.setenv("PINCITE_SETTINGS", str(tmp_path / "config" / "settings.json"))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "state"))


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> InMemory:
    backend = InMemory()
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    monkeypatch.setattr(keyring, "get_password", backend.get_password)
    monkeypatch.setattr(keyring, "set_password", backend.set_password)
    monkeypatch.setattr(keyring, "delete_password", backend.delete_password)
    return backend


@pytest.fixture
def secret(tmp_path: Path) -> str:
    path = tmp_path / "secret"
    path.write_text(SECRET + "\n", "utf-8")
    return str(path)


def forgotten(place: Any) -> Any:
    status, out, _ = place.run("forget", "--json")
    assert status == 0
    return json.loads(out)


def test_everything_goes_and_the_proof_says_where_it_looked(place: Any) -> None:
    place.run("ask", "What is the annual rent?", "--model", "extractive")
    folder = matter_folder(place.store, place.matter)
    for name in ("vectors/m/0/chroma.sqlite3", "scratch/w1/page.png"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(b"left behind")
    beside = folder.with_name(folder.name + ".resealing")
    beside.mkdir()
    (beside / "matter.sqlite3").write_bytes(b"half")
    other = place.store / ("f" * 32)
    other.mkdir()
    (other / "matter.sqlite3").write_bytes(b"another matter's")
    log_folder().mkdir(parents=True, exist_ok=True)
    for log in log_folder().iterdir():
        log.unlink()
    (log_folder() / "crash-1.txt").write_text(f"store {matter_key(place.matter)} failed")
    (log_folder() / "crash-2.txt").write_text("something else")
    save_remembered(Remembered(recent=(str(place.matter), "/elsewhere")))
    files = sum(p.is_file() for p in [*folder.rglob("*"), *beside.rglob("*")])

    done = forgotten(place)
    assert done["deleted"]["files"] - files in (0, 2)  # looking into the database makes its log anew
    assert done["deleted"]["reports"] == 1
    assert (done["remaining"], done["proof"]["found"], done["proof"]["query"]) == ([], [], "input_missing")
    assert done["proof"]["searched"]["files"] == 3  # the other matter's, the other report, the window's
    assert [p.name for p in place.store.iterdir()] == [other.name]
    assert load_remembered().recent == ("/elsewhere",)
    assert sorted(p.name for p in place.matter.iterdir()) == ["call-note.txt", "empty.pdf", "lease.pdf", "mail.eml"]
    assert place.run("sources", "--json")[0] == 3
    assert json.loads(place.run("forget", "--json")[1])["code"] == "input_missing"


def test_a_trace_that_is_left_is_named(place: Any) -> None:
    left = place.store / "notes"
    left.write_bytes(b"x" * ((1 << 20) - 7) + os.fsencode(str(place.matter)) + b"y")  # over the edge of a piece
    status, out, _ = place.run("forget", "--json")
    assert status == 6
    assert json.loads(out)["proof"]["found"] == [str(left)]


@pytest.mark.parametrize("damage", [b"no database at all" * 50, b""])
def test_a_damaged_store_is_forgotten_as_well(place: Any, damage: bytes) -> None:
    (matter_folder(place.store, place.matter) / "matter.sqlite3").write_bytes(damage)
    assert forgotten(place)["remaining"] == []
    assert not any(place.store.iterdir())


def test_the_keyring_opens_a_sealed_matter_until_it_is_unsealed(place: Any, secret: str, ring: InMemory) -> None:
    assert place.run("seal", "--passphrase-file", secret, "--remember")[0] == 0
    assert list(ring.kept.values()) == [SECRET]
    assert place.run("sources")[0] == 0
    ring.locked = True  # the person dismissed its window
    assert place.run("sources")[0] == 5
    ring.locked = False
    assert place.run("unseal", "--passphrase-file", secret)[0] == 0
    assert ring.kept == {}


def test_forgetting_a_sealed_matter_takes_its_passphrase_out(place: Any, secret: str, ring: InMemory) -> None:
    place.run("seal", "--passphrase-file", secret, "--remember")
    assert forgotten(place)["deleted"]["remembered_passphrase"] is True
    assert ring.kept == {}


def test_a_remembered_passphrase_that_is_no_longer_right_counts_as_none(
    place: Any, secret: str, ring: InMemory
) -> None:
    place.run("seal", "--passphrase-file", secret)
    assert place.run("seal", "--remember")[0] == 5  # nothing to remember was given
    ring.kept["pincite", matter_key(place.matter)] = "twelve grey herons"
    assert json.loads(place.run("sources", "--json")[1])["message"].startswith("this matter is sealed")
    assert place.run("seal", "--passphrase-file", secret, "--remember")[0] == 0  # sealed before, remembered now
    assert place.run("sources")[0] == 0


def test_without_a_keyring_the_passphrase_is_given_each_time(
    place: Any, secret: str, ring: InMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InMemory, "priority", 0.5)  # as of backends that keep plain files
    status, _, err = place.run("seal", "--passphrase-file", secret, "--remember")
    assert status == 0
    assert "no keyring" in err
    assert ring.kept == {}
    assert recall(matter_key(place.matter)) is None
    assert place.run("sources", "--passphrase-file", secret)[0] == 0


def test_vectors_on_a_server_that_does_not_answer_are_named(place: Any) -> None:
    status, out, _ = place.run("forget", "--chroma", "http://127.0.0.1:9", "--json")
    assert status == 6
    assert json.loads(out)["remaining"] == [
        "vectors on http://127.0.0.1:9, which does not answer; forget again when it does"
    ]


def test_at_a_terminal_it_asks_first(place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal("\n"))
    status, _, err = place.run("forget")
    assert (status, "[y/N]" in err, "nothing was deleted" in err) == (2, True, True)
    assert place.run("sources", "--json")[0] == 0
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    assert place.run("forget")[0] == 0
    monkeypatch.setattr("sys.stdin", Terminal(""))
    assert place.run("forget")[0] == 3  # nothing is kept of it any more, so nothing is asked
