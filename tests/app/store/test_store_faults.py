"""A disk that is full, read-only or gone, and bytes that were damaged: a clear sentence, a way on, nothing lost."""

import errno
import json
import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app import crash
from app.errors import AccessDenied, InputUnreadable, StoreFault, unwritable_store
from app.paths import log_folder, matter_folder
from app.services.asking.asking import AskOptions, ask
from app.services.matter.indexing import IndexOptions, SourceRead, index
from app.services.matter.matter import open_matter
from app.settings import Settings, save_settings
from app.viewmodels.remembered import Remembered, save_remembered

QUESTION = ("ask", "What is the annual rent?", "--model", "extractive")
MARKER = "quagga-marmalade"
"""Words that stand in one document and nowhere else on this machine."""


class SmallDisk:
    """A file system of its own in memory, whose size and rights can be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mount(self, size: str) -> bool:
        self.folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(self.folder)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def remount(self, options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(self.folder)], check=True)

    def fill(self) -> Path:
        filler = self.folder / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096) == 4096:
                    pass
            except OSError:
                pass
        return filler


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    made = SmallDisk(tmp_path / "disk")
    if shutil.which("mount") is None or not made.mount("200k"):
        pytest.skip("this user may not mount a small file system")
    yield made
    subprocess.run(["umount", "-l", str(made.folder)], check=False)


def on(place: Any, disk: SmallDisk) -> Any:
    return type(place)(place.matter, disk.folder / "store", place.capsys)


def outcome(place: Any, *command: str) -> tuple[int, Any]:
    status, out, _ = place.run(*command, "--json")
    return status, json.loads(out)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_told_in_the_same_words_wherever_it_is_met(number: int) -> None:
    said = str(unwritable_store(OSError(number, os.strerror(number))))
    assert said == "the disk that holds the store is full; free some space and run the command again"


def test_a_reading_that_fills_the_disk_goes_on_when_there_is_room(place: Any, disk: SmallDisk) -> None:
    small = on(place, disk)
    status, said = outcome(small, "index", "--no-dense")
    assert status == 6
    assert "full" in said["message"]
    assert "free some space" in said["message"]
    disk.remount("size=60m")
    status, said = outcome(small, "index", "--no-dense")
    assert status == 0
    assert said["sources"] == outcome(place, "sources")[1]["sources"]


def test_on_a_full_disk_what_is_there_can_be_read_and_nothing_is_lost(place: Any, disk: SmallDisk) -> None:
    disk.remount("size=60m")
    shutil.copytree(place.store, disk.folder / "store")
    small = on(place, disk)
    answer = outcome(small, *QUESTION)[1]["answer_id"]
    filler = disk.fill()
    status, said = outcome(small, *QUESTION)
    assert status == 6
    assert "full" in said["message"]
    assert outcome(small, "search", "annual rent", "--mode", "lexical")[1]["passages"][0]["path"] == "lease.pdf"
    assert outcome(small, "answers", answer)[1]["answer_id"] == answer
    assert outcome(small, "review", answer, "c1", "--decision", "accepted", "--reviewer", "A. Reader")[0] == 6
    filler.unlink()
    assert outcome(small, "review", answer, "c1", "--decision", "accepted", "--reviewer", "A. Reader")[0] == 0
    assert outcome(small, "audit")[1]["ok"] is True


def test_a_read_only_store_can_be_read_and_says_that_it_cannot_be_written(place: Any, disk: SmallDisk) -> None:
    disk.remount("size=60m")
    shutil.copytree(place.store, disk.folder / "store")
    small = on(place, disk)
    disk.remount("ro")
    for command in (QUESTION, ("index", "--no-dense"), ("forget",)):
        status, said = outcome(small, *command)
        assert status == 6
        assert "cannot be written (Read-only file system)" in said["message"]
    for command in (("sources",), ("search", "rent", "--mode", "lexical"), ("answers",)):
        assert outcome(small, *command)[0] == 0


def test_a_store_that_goes_away_while_it_is_used_is_said_and_found_again(place: Any) -> None:
    away = place.store.with_name("away")
    with open_matter(place.matter, Settings(), place.store, writable=True) as matter:
        work = ask(matter, "What is the annual rent?", AskOptions(model="extractive"))
        next(work)
        place.store.rename(away)  # as a network drive does
        with pytest.raises(StoreFault, match="is gone"):
            for _ in work:
                pass
    assert outcome(place, "sources")[1]["code"] == "input_missing"
    away.rename(place.store)
    assert outcome(place, "audit")[1]["ok"] is True
    assert outcome(place, *QUESTION)[0] == 0


def test_a_matter_folder_that_goes_away_in_mid_reading_loses_nothing(place: Any) -> None:
    before = outcome(place, "sources")[1]["sources"]
    answer = outcome(place, *QUESTION)[1]["answer_id"]
    away = place.matter.with_name("away")
    for number in range(4):
        (place.matter / f"letter-{number}.txt").write_text(f"Letter {number} is about the larch.\n", "utf-8")
    with open_matter(place.matter, Settings(), place.store, writable=True) as matter:
        work = index(matter, IndexOptions(dense=False, jobs=1))
        while not isinstance(next(work), SourceRead):
            pass
        place.matter.rename(away)
        with pytest.raises(InputUnreadable, match="went away while it was read"):
            for _ in work:
                pass
    assert outcome(place, "sources")[1]["code"] == "input_missing"
    away.rename(place.matter)
    assert outcome(place, "index", "--no-dense")[0] == 0
    after = outcome(place, "sources")[1]["sources"]
    assert [s for s in after if not s["path"].startswith("letter")] == before
    assert [s["status"] for s in after if s["path"].startswith("letter")] == ["indexed"] * 4
    assert outcome(place, "answers", answer)[1]["claims"][0]["release"] == "show"


def test_damaged_blobs_are_told_and_made_again(place: Any, ids: Callable[[str], str], tmp_path: Path) -> None:
    note, annex, picture = ids("call-note.txt"), ids("mail.eml!/annex.pdf"), str(tmp_path / "page.png")
    for path in (matter_folder(place.store, place.matter) / "blobs").rglob("*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:-1] + b"?")
    status, said = outcome(place, "render", note, "0", "-o", picture)
    assert (status, said["code"]) == (3, "input_unreadable")
    assert "damaged" in said["message"]
    assert "pincite index" in said["message"]
    assert outcome(place, "render", annex, "0", "-o", picture)[0] == 0  # from the mail that it lies in
    assert outcome(place, "index", "--no-dense")[0] == 0
    assert outcome(place, "render", note, "0", "-o", picture)[0] == 0


def test_damaged_indexes_and_vectors_are_made_again_without_asking(place: Any) -> None:
    assert outcome(place, "index")[0] == 0
    first = outcome(place, "search", "annual rent")[1]["passages"]
    assert "words only" not in place.run("search", "annual rent")[2]
    folder = matter_folder(place.store, place.matter)
    for name in ("index", "vectors"):
        files = [path for path in (folder / name).rglob("*") if path.is_file()]
        assert files
        for path in files:
            path.write_bytes(b"damaged " * 64)
    assert outcome(place, "search", "annual rent")[1]["passages"][0]["path"] == first[0]["path"]
    assert "search by words only, for embeddings are missing or damaged" in place.run("search", "annual rent")[2]
    assert outcome(place, "index")[0] == 0
    assert "words only" not in place.run("search", "annual rent")[2]
    assert outcome(place, "search", "annual rent")[1]["passages"] == first


def test_all_that_is_written_is_the_users_alone(
    place: Any, ids: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own"
    monkeypatch.setenv("PINCITE_SETTINGS", str(own / "config" / "settings.json"))
    monkeypatch.setenv("XDG_STATE_HOME", str(own / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(own / "cache"))
    before = os.umask(0)  # the laxest user
    try:
        shutil.rmtree(place.store)
        assert outcome(place, "index")[0] == 0
        answer = outcome(place, *QUESTION)[1]["answer_id"]
        own.mkdir(mode=0o700, exist_ok=True)
        outcome(place, "render", ids("lease.pdf"), "0", "-o", str(own / "page.png"))
        outcome(place, "export", answer, "-o", str(own / "bundle.zip"))
        (tmp_path / "secret").write_text("eleven grey herons\n")
        assert outcome(place, "seal", "--passphrase-file", str(tmp_path / "secret"))[0] == 0
        save_settings(Settings())
        save_remembered(Remembered())
        assert crash.write_report(ValueError(MARKER)) is not None
    finally:
        os.umask(before)
    written = [place.store, *place.store.rglob("*"), *own.rglob("*")]
    wide = [str(path) for path in written if stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert len(written) > 20
    assert wide == []


def test_no_word_of_a_document_is_written_outside_the_store(
    place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Logs, crash reports, settings, temporary files: all that a run leaves anywhere but in the store."""
    own = tmp_path / "own"
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"):
        (own / name).mkdir(parents=True)
        monkeypatch.setenv(name, str(own / name))
    monkeypatch.setattr("tempfile.tempdir", str(own / "TMPDIR"))
    (place.matter / f"{MARKER}.txt").write_text(f"The {MARKER} was handed over.\n", "utf-8")
    assert outcome(place, "index", "--no-dense")[0] == 0
    outcome(place, "ask", f"Who handed over the {MARKER}?", "--model", "extractive")
    outcome(place, "search", MARKER, "--mode", "lexical")
    with monkeypatch.context() as patch:
        patch.setattr("app.services.asking.searching.Search.find", _breaks)
        status, _, err = place.run("search", MARKER, "--mode", "lexical")
    assert (status, MARKER in err) == (70, False)
    try:
        _breaks(None, MARKER)
    except ValueError as error:
        crash.write_report(error)
    assert any(log_folder().iterdir())
    held = [p for p in own.rglob("*") if p.is_file() and MARKER.encode() in p.read_bytes()]
    assert held == []
    in_store = [p for p in place.store.rglob("*") if p.is_file() and MARKER.encode() in p.read_bytes()]
    assert in_store  # the test can tell
    assert not any("audit" in p.name for p in in_store)


def _breaks(_: object, query: str, *__: object) -> None:
    raise ValueError(f"cannot read {query}")


def test_a_closed_matter_is_told_from_a_damaged_one(place: Any, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("eleven grey herons\n")
    outcome(place, "seal", "--passphrase-file", str(tmp_path / "secret"))
    with open_matter(place.matter, Settings(), place.store) as matter, pytest.raises(AccessDenied):
        matter.sources()
    (matter_folder(place.store, place.matter) / "seal.json").write_text("{}")
    status, said = outcome(place, "sources", "--passphrase-file", str(tmp_path / "secret"))
    assert (status, said["code"]) == (6, "store_damaged")
    assert "backup" in said["message"]
