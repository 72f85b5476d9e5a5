import io
import json
import tracemalloc
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.index.vectors import KeptVectors, slug
from verify.domain.ids import PassageId

A, B, C, D = (PassageId(name) for name in "abcd")
EYE = np.eye(4, dtype=np.float32)


@pytest.fixture
def files(matter: Any) -> Any:
    return matter.files


def nearest(kept: KeptVectors, vector: NDArray[np.float32], k: int, among: list[int] | None = None) -> list[PassageId]:
    ids, vectors = kept.load()
    rows = vectors.nearest(vector, k, np.arange(len(ids)) if among is None else np.array(among))
    return [ids[row] for row in rows.tolist()]


def test_the_nearest_come_first_and_ties_by_row(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A, B, C], EYE[[0, 1, 1]])
    assert nearest(kept, EYE[1], 2) == [B, C]
    assert nearest(kept, EYE[1], 1) == [B]
    assert nearest(kept, EYE[0], 3) == [A, B, C]
    assert nearest(kept, EYE[1], 5, [2, 0]) == [C, A]


def test_segments_are_read_again(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A, B], EYE[:2])
    kept.add([C], EYE[2:3])
    ids, again = KeptVectors(files, "m", 4).load()
    assert ids == [A, B, C]
    np.testing.assert_array_equal(again[[2, 0, 1, 2]], EYE[[2, 0, 1, 2]])


def test_what_was_kept_as_halved_floats_is_read(files: Any) -> None:
    buffer, ids = io.BytesIO(), np.frombuffer(json.dumps([A, B]).encode(), np.uint8)
    half = np.array([[0.6, 0.8, 0, 0], [0, 0, -1, 0]], np.float16)
    np.savez(buffer, ids=ids, matrix=half)
    files.kept[f"vectors-{slug('m')}"], files.kept[f"vectors-{slug('m')}-0"] = b"[0]", buffer.getvalue()
    kept = KeptVectors(files, "m", 4)
    np.testing.assert_allclose(kept[[0, 1]], [[0.6, 0.8, 0, 0], [0, 0, -1, 0]], atol=0.0003)  # half's own step
    assert list(kept.keep_only(frozenset({A, B}))) == [1]
    assert kept.ids() == (A, B)


@pytest.mark.parametrize("odd", [[np.nan, 0, 0, 0], [np.inf, 0, 0, 0], [0, 1.1, 0, 0]])
def test_what_is_no_unit_vector_is_not_kept(files: Any, odd: list[float]) -> None:
    with pytest.raises(ValueError, match="unit length"):
        KeptVectors(files, "m", 4).add([A], np.array([odd], np.float32))
    assert KeptVectors(files, "m", 4).load()[0] == []


def test_segments_give_the_order_that_one_product_gives(files: Any) -> None:
    rows = np.random.default_rng(3).standard_normal((2_500, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[1_900] = rows[70]  # as near, in another block, elsewhere in it
    ids = [PassageId(f"p{n}") for n in range(len(rows))]
    kept = KeptVectors(files, "m", 16)
    for begin in range(0, len(rows), 700):
        kept.add(ids[begin : begin + 700], rows[begin : begin + 700])
    whole = np.rint(rows * 32_767).astype(np.float64)
    for question in (rows[70], rows[5], rows[2_400]):
        order = np.argsort(-(whole @ question.astype(np.float64)), kind="stable")[:20]
        assert nearest(kept, question, 20) == [ids[row] for row in order.tolist()]
    assert nearest(kept, rows[70], 1) == [PassageId("p70")]
    assert nearest(kept, rows[70], 2) == [PassageId("p70"), PassageId("p1900")]


def test_vectors_that_are_not_held_give_what_held_ones_give(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.random.default_rng(4).standard_normal((90, 16)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    ids = [PassageId(f"p{n}") for n in range(90)]
    kept = KeptVectors(files, "m", 16)
    for begin in range(0, 90, 30):
        kept.add(ids[begin : begin + 30], rows[begin : begin + 30])
    among = [80, 3, 41, 40, 1]
    held = [nearest(kept, rows[0], 12), nearest(kept, rows[0], 3, among)]
    monkeypatch.setattr("retrieval.index.vectors.HELD", 2)
    assert [nearest(kept, rows[0], 12), nearest(kept, rows[0], 3, among)] == held
    loaded, vectors = kept.load()
    read = files.read
    monkeypatch.setattr(files, "read", lambda name: asked.append(name) or read(name))
    asked: list[str] = []
    vectors.nearest(rows[0], 3, np.array([41, 40]))
    assert asked == [f"vectors-{slug('m')}-1"]  # inside a document no other segment is read
    files.write(f"vectors-{slug('m')}-0", b"")  # another process took its passages out
    assert loaded[int(vectors.nearest(rows[0], 1, np.arange(90))[0])] not in ids[:30]


class DiskFiles:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, name: str) -> bytes | None:
        path = self._folder / name
        return path.read_bytes() if path.exists() else None

    def write(self, name: str, data: bytes) -> None:
        (self._folder / name).write_bytes(data)

    def names(self) -> tuple[str, ...]:
        return tuple(path.name for path in self._folder.iterdir())

    def remove(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)


def test_memory_while_vectors_come_is_that_of_one_segment(tmp_path: Path) -> None:
    rows = np.eye(512, 384, dtype=np.float32)
    tracemalloc.start()
    try:
        kept = KeptVectors(DiskFiles(tmp_path), "m", 384)
        for number in range(30):
            kept.add([PassageId(f"{number}-{row}") for row in range(512)], rows)
        again = KeptVectors(DiskFiles(tmp_path), "m", 384)
        deque(again.keep_only(frozenset(kept.ids()[:-1])), maxlen=0)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(again.ids()) == 30 * 512 - 1 == len(again.load()[1])
    assert peak < 9_000_000, peak  # as whole numbers all are 11.8 MB, as floats 23.6; ids, texts of 50 bytes, lie twice


def test_a_later_segment_s_vector_counts(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A, B], EYE[:2])
    kept.add([A], EYE[3:4])
    assert nearest(kept, EYE[3], 1) == [A]
    assert list(kept.keep_only(frozenset({A, B}))) == [1, 2]
    assert kept.ids() == (B, A)
    np.testing.assert_array_equal(kept[[1, 0]], EYE[[3, 1]])


def test_a_damaged_segment_costs_only_itself(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A], EYE[:1])
    kept.add([B], EYE[1:2])
    files.kept[f"vectors-{slug('m')}-0"] = b"damaged"
    again = KeptVectors(files, "m", 4)
    assert again.load()[0] == [B]
    again.add([A], EYE[:1])
    assert set(KeptVectors(files, "m", 4).load()[0]) == {A, B}


@pytest.mark.parametrize("listing", [b"", b"{", b'["x"]', b"null", b"7"])
def test_a_damaged_listing_means_none(files: Any, listing: bytes) -> None:
    KeptVectors(files, "m", 4).add([A], EYE[:1])
    files.kept[f"vectors-{slug('m')}"] = listing
    assert KeptVectors(files, "m", 4).load()[0] == []


def test_another_dimension_is_not_read(files: Any) -> None:
    KeptVectors(files, "m", 4).add([A], EYE[:1])
    assert KeptVectors(files, "m", 3).load()[0] == []


def test_what_is_not_wanted_leaves_the_files(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([PassageId("gone-1"), B], EYE[:2])
    kept.add([PassageId("gone-2")], EYE[2:3])
    assert list(kept.keep_only(frozenset({B}))) == [1, 2]
    assert kept.load()[0] == [B]
    assert b"gone" not in b"".join(files.kept.values())
    assert KeptVectors(files, "m", 4).load()[0] == [B]


def test_no_two_names_give_one_slug_and_all_are_safe() -> None:
    names = ["qwen3:8b", "qwen3-8b", "a/b", "a b", "ü", ""]
    slugs = [slug(name) for name in names]
    assert len(set(slugs)) == len(names)
    assert all(part.isascii() and set(part) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for part in slugs)
