"""A run that is interrupted, killed or locked out loses nothing and says what happened."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app.paths import matter_folder
from app.store.matter_store import DATABASE_FILE, MatterStore
from ingest.mupdf import pymupdf

PINCITE = [sys.executable, "-c", "import sys; from app.cli.main import main; sys.exit(main())"]
DOCUMENTS, PAGES = 4, 12


@pytest.fixture(scope="module")
def matter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("faults") / "matter"
    folder.mkdir()
    for number in range(DOCUMENTS):
        document = pymupdf.open()
        for page in range(PAGES):
            text = "\n".join(f"Clause {page}.{n} of agreement {number} is about item {n * page}." for n in range(1, 15))
            document.new_page().insert_text((72, 72), text, fontsize=10)
        document.save(folder / f"agreement-{number}.pdf")
    return folder


@pytest.fixture(scope="module")
def whole(matter: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store into which the matter was read without a break; tests that change it copy it."""
    store = tmp_path_factory.mktemp("whole") / "store"
    assert run(store, "index", str(matter), "--no-dense")[0] == 0
    return store


def start(store: Path, matter: Path) -> "subprocess.Popen[bytes]":
    args = [*PINCITE, "--store", str(store), "index", str(matter), "--no-dense", "--json"]
    return subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def run(store: Path, *args: str) -> tuple[int, dict[str, Any]]:
    done = subprocess.run([*PINCITE, "--store", str(store), *args, "--json"], capture_output=True, timeout=120)
    document: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, document


def wait_until_something_is_kept(store: Path, matter: Path) -> None:
    database = matter_folder(store, matter) / DATABASE_FILE
    until = time.monotonic() + 60
    while time.monotonic() < until:
        log = database.with_name(database.name + "-wal")
        if log.exists() and log.stat().st_size > 60_000:
            return
        time.sleep(0.02)
    raise AssertionError("nothing was kept within a minute")


def everything(store: Path, matter: Path) -> tuple[Any, ...]:
    """All records with the text of all pages: what two stores must have in common."""
    opened = MatterStore(store, matter, writable=False)
    try:
        records = opened.registry.records()
        pages = [
            opened.registry.get_page(r.fingerprint, r.parser.profile, index)
            for r in records
            for index in range(r.page_count)
        ]
        return records, pages, list(opened.passages.all())
    finally:
        opened.close()


@pytest.mark.parametrize(
    "signal_number", [signal.SIGINT, signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_a_run_that_was_ended_is_continued(
    matter: Path, whole: Path, tmp_path: Path, signal_number: signal.Signals
) -> None:
    broken = tmp_path / "broken"
    process = start(broken, matter)
    wait_until_something_is_kept(broken, matter)
    began = time.monotonic()
    process.send_signal(signal_number)
    out, err = process.communicate(timeout=30)
    if signal_number is signal.SIGKILL:
        assert process.returncode == -9
    elif process.returncode:  # it may have been quicker than the signal
        assert time.monotonic() - began < 5
        assert process.returncode == 130
        assert json.loads(out)["code"] == "interrupted"
        assert err.decode().strip().splitlines()[-1].startswith("pincite: interrupted")
        assert b"Traceback" not in err  # a reader cut off while it starts says nothing either
    status, document = run(broken, "index", str(matter), "--no-dense")
    assert status == 0
    assert [(s["status"], s["page_count"]) for s in document["sources"]] == [("indexed", PAGES)] * DOCUMENTS
    assert everything(broken, matter) == everything(whole, matter)


def test_every_file_of_a_store_is_private(matter: Path, whole: Path, tmp_path: Path) -> None:
    """Chroma's and the scratch folder included, which are made by others."""
    store = shutil.copytree(whole, tmp_path / "store")
    assert run(store, "index", str(matter))[0] == 0
    paths = [store, *store.rglob("*")]
    assert any("vectors" in path.parts for path in paths)
    assert [path for path in paths if path.stat().st_mode & 0o077] == []


def test_a_second_writer_is_refused_and_readers_are_not(matter: Path, whole: Path, tmp_path: Path) -> None:
    store = shutil.copytree(whole, tmp_path / "store")
    held = MatterStore(store, matter, writable=True)
    try:
        status, document = run(store, "index", str(matter), "--no-dense")
        assert (status, document["code"]) == (6, "store_locked")
        assert str(os.getpid()) in document["message"]
        assert run(store, "ask", str(matter), "What is clause 3.4 about?", "--model", "extractive")[0] == 6
        assert run(store, "sources", str(matter))[0] == 0
        assert run(store, "search", str(matter), "item 12", "--mode", "lexical")[0] == 0
    finally:
        held.close()


def test_a_damaged_store_is_exit_6_and_forget_still_works(matter: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    MatterStore(store, matter, writable=True).close()
    (matter_folder(store, matter) / DATABASE_FILE).write_bytes(b"no database at all" * 500)
    for command in ("sources", "index"):
        status, document = run(store, command, str(matter))
        assert (status, document["code"]) == (6, "store_damaged")
        assert "forget" in document["message"]
    assert run(store, "forget", str(matter))[0] == 0
    assert not any(store.iterdir())


def test_a_search_index_that_was_cut_is_made_anew(matter: Path, whole: Path, tmp_path: Path) -> None:
    store = shutil.copytree(whole, tmp_path / "store")
    first = run(store, "search", str(matter), "item 12", "--mode", "lexical")[1]
    for file in (matter_folder(store, matter) / "index").iterdir():
        file.write_bytes(file.read_bytes()[:100])
    assert run(store, "search", str(matter), "item 12", "--mode", "lexical")[1] == first
    shutil.rmtree(matter_folder(store, matter) / "index")
    assert run(store, "search", str(matter), "item 12", "--mode", "lexical")[1] == first
