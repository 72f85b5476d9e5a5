from typing import Any

import numpy as np
import pytest

from retrieval.vectors import KeptVectors, slug
from verify.domain.ids import PassageId

A, B, C, D = (PassageId(name) for name in "abcd")
EYE = np.eye(4, dtype=np.float32)


@pytest.fixture
def files(matter: Any) -> Any:
    return matter.files


def test_the_nearest_come_first_and_ties_by_row(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A, B, C], EYE[[0, 1, 1]])
    assert kept.current.nearest(EYE[1], 2) == [B, C]
    assert kept.current.nearest(EYE[0], 3) == [A, B, C]
    assert kept.current.nearest(EYE[1], 5, np.array([0, 2])) == [C, A]


def test_segments_are_read_again(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A, B], EYE[:2])
    kept.add([C], EYE[2:3])
    again = KeptVectors(files, "m", 4).current
    assert again.ids == (A, B, C)
    np.testing.assert_array_equal(again.matrix, EYE[:3])


def test_a_later_segment_s_vector_counts(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A, B], EYE[:2])
    kept.add([A], EYE[3:4])
    assert kept.current.nearest(EYE[3], 1) == [A]
    assert set(kept.current.ids) == {A, B}


def test_a_damaged_segment_costs_only_itself(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([A], EYE[:1])
    kept.add([B], EYE[1:2])
    files.kept[f"vectors-{slug('m')}-0"] = b"damaged"
    again = KeptVectors(files, "m", 4)
    assert again.current.ids == (B,)
    again.add([A], EYE[:1])
    assert set(KeptVectors(files, "m", 4).current.ids) == {A, B}


@pytest.mark.parametrize("listing", [b"", b"{", b'["x"]', b"null", b"7"])
def test_a_damaged_listing_means_none(files: Any, listing: bytes) -> None:
    KeptVectors(files, "m", 4).add([A], EYE[:1])
    files.kept[f"vectors-{slug('m')}"] = listing
    assert KeptVectors(files, "m", 4).current.ids == ()


def test_another_dimension_is_not_read(files: Any) -> None:
    KeptVectors(files, "m", 4).add([A], EYE[:1])
    assert KeptVectors(files, "m", 3).current.ids == ()


def test_what_is_not_wanted_leaves_the_files(files: Any) -> None:
    kept = KeptVectors(files, "m", 4)
    kept.add([PassageId("gone-1"), B], EYE[:2])
    kept.add([PassageId("gone-2")], EYE[2:3])
    kept.keep_only(frozenset({B}))
    assert kept.current.ids == (B,)
    assert b"gone" not in b"".join(files.kept.values())
    assert KeptVectors(files, "m", 4).current.ids == (B,)


def test_no_two_names_give_one_slug_and_all_are_safe() -> None:
    names = ["qwen3:8b", "qwen3-8b", "a/b", "a b", "ü", ""]
    slugs = [slug(name) for name in names]
    assert len(set(slugs)) == len(names)
    assert all(part.isascii() and set(part) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for part in slugs)
