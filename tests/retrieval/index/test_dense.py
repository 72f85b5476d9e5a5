"""Against the real Chroma, embedded and as a server."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.index.dense import ChromaIndex, drop_on_server, on_disk, on_server
from verify.domain.ids import PassageId

# Chroma's own code under Python's warnings as errors.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

NAME = "pincite-test-letters"


def vectors(count: int) -> tuple[list[PassageId], NDArray[np.float32]]:
    rows = np.random.default_rng(7).normal(size=(count, 16)).astype(np.float32)
    return [PassageId(f"p{n}") for n in range(count)], rows / np.linalg.norm(rows, axis=1, keepdims=True)


def synced(index: ChromaIndex, count: int) -> ChromaIndex:
    ids, rows = vectors(count)
    list(index.sync(ids, rows))
    return index


def nearest_first(index: ChromaIndex, count: int) -> bool:
    ids, rows = vectors(count)
    return all((index.nearest(rows[n], 3) or [""])[0] == ids[n] for n in range(0, count, 5))


def test_it_answers_once_it_is_synced(tmp_path: Path) -> None:
    index = on_disk(tmp_path / "chroma", NAME)
    assert index.nearest(vectors(1)[1][0], 3) is None
    synced(index, 30)
    assert index.problem is None
    assert nearest_first(index, 30)
    assert len(index.nearest(vectors(1)[1][0], 100) or []) == 30


def test_it_follows_what_comes_and_goes(tmp_path: Path) -> None:
    index = synced(on_disk(tmp_path / "chroma", NAME), 30)
    ids, rows = vectors(40)
    list(index.sync(ids[5:], rows[5:]))
    found = index.nearest(rows[0], 40) or []
    assert set(found) == set(ids[5:])


def test_a_second_start_finds_it_complete(tmp_path: Path) -> None:
    synced(on_disk(tmp_path / "chroma", NAME), 30)
    again = on_disk(tmp_path / "chroma", NAME)
    ids, rows = vectors(30)
    assert list(again.sync(ids, rows)) == []  # nothing was sent
    assert again.attach(ids)
    assert nearest_first(again, 30)


def test_a_damaged_folder_is_made_anew_without_asking(tmp_path: Path) -> None:
    synced(on_disk(tmp_path / "chroma", NAME), 30)
    for file in (tmp_path / "chroma").rglob("*"):
        if file.is_file():
            file.write_bytes(b"damaged " * 64)
    again = synced(on_disk(tmp_path / "chroma", NAME), 30)
    assert again.problem is None
    assert nearest_first(again, 30)


def test_a_broken_off_sync_is_finished_by_the_next(tmp_path: Path) -> None:
    index = on_disk(tmp_path / "chroma", NAME)
    ids, rows = vectors(1200)
    work = index.sync(ids, rows)
    next(work)
    work.close()
    assert index.nearest(rows[0], 3) is None
    list(index.sync(ids, rows))
    assert (index.nearest(rows[0], 1) or [None])[0] == ids[0]


def test_another_process_attaches_to_what_was_synced(tmp_path: Path) -> None:
    synced(on_disk(tmp_path / "chroma", NAME), 30)
    ids, _ = vectors(30)
    other = on_disk(tmp_path / "chroma", NAME)
    assert other.attach(ids[::-1])  # the order of rows is not Chroma's matter
    assert nearest_first(other, 30)


def test_nothing_is_attached_that_is_not_complete_or_of_other_rows(tmp_path: Path) -> None:
    ids, rows = vectors(1200)
    index = on_disk(tmp_path / "chroma", NAME)
    work = index.sync(ids, rows)
    next(work)
    work.close()
    assert not on_disk(tmp_path / "chroma", NAME).attach(ids)
    list(index.sync(ids, rows))
    assert not on_disk(tmp_path / "chroma", NAME).attach(ids[1:])
    assert on_disk(tmp_path / "chroma", NAME).attach(ids)


def test_vectors_that_are_damaged_alone_are_made_anew_by_the_next_sync(tmp_path: Path) -> None:
    ids, rows = vectors(1200)  # enough for files of its own beside the database
    synced(on_disk(tmp_path / "chroma", NAME), 1200)
    damaged = [file for file in (tmp_path / "chroma").rglob("*.bin") if file.stat().st_size]
    assert damaged
    for file in damaged:
        file.write_bytes(b"damaged " * 64)
    _forget_clients()
    searching = on_disk(tmp_path / "chroma", NAME)
    assert searching.attach(ids) is False or searching.nearest(rows[0], 3) is None
    assert searching.problem == "damaged"
    mended = on_disk(tmp_path / "chroma", NAME)
    list(mended.sync(ids, rows))
    assert mended.problem is None
    assert nearest_first(mended, 1200)


def test_a_complete_collection_is_not_even_opened(tmp_path: Path) -> None:
    synced(on_disk(tmp_path / "chroma", NAME), 30)
    code = (
        "import sys; from pathlib import Path; import numpy as np; from retrieval.index.dense import on_disk\n"
        f"index = on_disk(Path({str(tmp_path / 'chroma')!r}), {NAME!r})\n"
        "assert list(index.sync([f'p{n}' for n in range(30)], np.zeros((30, 16), np.float32))) == []\n"
        "assert 'chromadb' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_matter_that_outgrows_this_process_leaves_no_collection(tmp_path: Path) -> None:
    ids, rows = vectors(31)
    index = on_disk(tmp_path / "chroma", NAME, most=30)
    list(index.sync(ids[:30], rows))
    assert index.nearest(rows[0], 1) == [ids[0]]
    assert list(index.sync(ids, rows)) == []
    assert index.problem is None
    assert index.nearest(rows[0], 1) is None  # compared exactly from now on
    assert not index.attach(ids)
    assert not (tmp_path / "chroma").exists()
    list(index.sync(ids[1:], rows[1:]))  # a document was taken out
    assert index.nearest(rows[1], 1) == [ids[1]]


def test_for_a_matter_that_is_too_large_nothing_is_read_and_chroma_not_imported(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from retrieval.index.dense import on_disk\n"
        f"index = on_disk(Path({str(tmp_path / 'chroma')!r}), {NAME!r}, most=2)\n"
        "assert list(index.sync(['a', 'b', 'c'], None)) == []\n"
        "assert not index.attach(['a', 'b', 'c'])\n"
        "assert 'chromadb' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "chroma").exists()


def _forget_clients() -> None:
    """As in another process: no client of Chroma's is open."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient.clear_system_cache()


def test_an_unreachable_server_is_a_state_not_an_error() -> None:
    index = synced(on_server("http://127.0.0.1:9", NAME), 3)
    assert index.problem == "unreachable"
    assert index.nearest(vectors(1)[1][0], 3) is None


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A real Chroma server on a free loopback port, ended by its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = Path(sys.executable).with_name("chroma.exe" if os.name == "nt" else "chroma")
    if not program.is_file():
        pytest.skip("chromadb's own command is not installed beside this Python")
    command = [program, "run", "--path", tmp_path / "server", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/v2/heartbeat", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(300):
        assert process.poll() is None, "the server ended"
        try:
            urllib.request.urlopen(url, timeout=2).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the server did not answer in 30 s")


@pytest.mark.slow
def test_the_same_code_runs_against_a_server(server: str) -> None:
    index = synced(on_server(server, NAME), 30)
    assert index.problem is None
    assert nearest_first(index, 30)
    ids, rows = vectors(40)
    other = on_server(server, NAME)  # another seat of the firm
    list(other.sync(ids[5:], rows[5:]))
    assert set(other.nearest(rows[0], 40) or []) == set(ids[5:])


@pytest.mark.slow
def test_a_matters_collections_are_deleted_on_the_server(server: str) -> None:
    mine, other = synced(on_server(server, "pincite-aa-model"), 3), synced(on_server(server, "pincite-bb-model"), 3)
    assert drop_on_server(server, "pincite-aa-") == 1
    assert mine.nearest(vectors(1)[1][0], 1) is None
    assert other.nearest(vectors(1)[1][0], 1) is not None
    assert drop_on_server(server, "pincite-aa-") == 0


def test_a_server_that_does_not_answer_is_an_error() -> None:
    with pytest.raises(OSError, match="does not answer"):
        drop_on_server("http://127.0.0.1:9", "pincite-aa-")
