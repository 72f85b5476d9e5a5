"""Against the real Chroma, embedded and as a server."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.dense import ChromaIndex, on_disk, on_server
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


def test_an_unreachable_server_is_a_state_not_an_error() -> None:
    index = synced(on_server("http://127.0.0.1:9", NAME), 3)
    assert index.problem == "unreachable"
    assert index.nearest(vectors(1)[1][0], 3) is None
