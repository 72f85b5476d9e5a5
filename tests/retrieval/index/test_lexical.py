"""Scores are compared with the library whose statistics these are."""

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from retrieval.index import postings
from retrieval.index.lexical import Grouped, LexicalIndex, best_rows
from retrieval.index.postings import IndexDamaged, Segment

WORDS = ("a", "b", "c", "d", "e", "f")
DOCUMENTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=12)
QUERIES = st.lists(st.sampled_from((*WORDS, "unknown")), max_size=6)
CUTS = st.sets(st.integers(0, 12), max_size=4)


def built(documents: Sequence[Sequence[str]], cuts: Collection[int] = ()) -> LexicalIndex:
    """Keys are the numbers of the documents; a new segment begins at each of ``cuts``."""
    return indexed([Segment.of(documents[begin:end]) for begin, end in bounds(len(documents), cuts)], documents)


def bounds(count: int, cuts: Collection[int]) -> list[tuple[int, int]]:
    return list(pairwise([0, *sorted(cut for cut in cuts if 0 < cut < count), count]))


def indexed(segments: Sequence[Segment], documents: Sequence[Sequence[str]]) -> LexicalIndex:
    keys = tuple(map(str, range(len(documents))))
    return LexicalIndex(keys, np.array([len(terms) for terms in documents], np.int32), lambda: segments)


def weights(query: Sequence[str]) -> dict[str, float]:
    return {term: float(query.count(term)) for term in query}


@settings(max_examples=200, deadline=None)
@given(documents=DOCUMENTS, cuts=CUTS, query=QUERIES)
def test_scores_are_those_of_the_library(documents: list[list[str]], cuts: set[int], query: list[str]) -> None:
    expected = BM25Okapi(documents).get_scores(query)
    np.testing.assert_allclose(built(documents, cuts).scores(weights(query)), expected, rtol=1e-9, atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(first=DOCUMENTS, second=DOCUMENTS, gone=st.sets(st.integers(0, 11)))
def test_a_segment_that_was_changed_equals_one_made_anew(
    first: list[list[str]], second: list[list[str]], gone: set[int]
) -> None:
    stay = np.array([number not in gone for number in range(len(first))])
    changed = Segment.of(first).without(stay).followed_by(Segment.of(second))
    anew = Segment.of([terms for terms, stays in zip(first, stay, strict=True) if stays] + second)
    assert changed.size == anew.size
    assert list(changed.words) == list(anew.words)
    for name, array in anew.arrays().items():
        np.testing.assert_array_equal(changed.arrays()[name], array, err_msg=name)


def test_postings_of_a_segment() -> None:
    segment = Segment.of([["rent", "due", "rent"], [], ["notice", "rent"]])
    assert sorted(segment.words) == ["due", "notice", "rent"]
    assert [tuple(map(list, segment.posting(word))) for word in ("due", "notice", "rent", "absent", "")] == [
        ([0], [1]), ([2], [1]), ([0, 2], [2, 1]), ([], []), ([], []),
    ]  # fmt: skip


def test_words_with_one_digest_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "_digest", lambda word: len(word))
    index = built([["rent", "note"], ["note"], ["dues", "rent"]], cuts={2})
    assert [index.rows_with(word).tolist() for word in ("rent", "note", "dues", "zinc", "a")] == [
        [0, 2], [0, 1], [2], [], [],
    ]  # fmt: skip


def test_a_row_s_terms_and_a_term_s_rows_in_whichever_segment() -> None:
    index = built([["rent", "due"], ["notice"], ["rent", "größe"]], cuts={1, 2})
    assert index.rows_with("rent").tolist() == [0, 2]
    assert [index.terms_of(row) for row in range(3)] == [{"rent", "due"}, {"notice"}, {"rent", "größe"}]


def test_a_count_beyond_one_byte_is_kept() -> None:
    segment = Segment.of([["rent"] * 300]).followed_by(Segment.of([["rent"]]))
    assert segment.posting("rent")[1].tolist() == [300, 1]


def test_segments_take_three_bytes_a_posting_beside_their_words() -> None:
    segment = Segment.of([["rent", "due"]] * 300)
    assert segment.rows.nbytes + segment.counts.nbytes == 600 * 3


def test_a_rare_word_outweighs_a_common_one() -> None:
    index = built([["rent", "due"], ["rent", "paid"], ["rent", "escrow"], ["notice", "due"]])
    query = {"rent": 1.0, "escrow": 1.0}
    assert best_rows(index.scores(query), 3, index.matching(query)) == [2, 0, 1]


def test_a_weight_scales_what_a_term_adds() -> None:
    index = built([["rent"], ["notice"], ["term"]])
    np.testing.assert_allclose(index.scores({"rent": 0.5}), index.scores({"rent": 1.0}) / 2)


def test_words_of_a_removed_document_leave_the_segment() -> None:
    segment = Segment.of([["secret", "rent"], ["rent", "notice"]]).without(np.array([False, True]))
    assert sorted(segment.words) == ["notice", "rent"]
    assert b"secret" not in b"".join(array.tobytes() for array in segment.arrays().values())


def test_a_segment_comes_back_as_it_was_written() -> None:
    segment = Segment.of([["rent", "due", "rent"], ["notice"]])
    again = Segment.from_arrays(segment.arrays())
    assert (again.size, list(again.words)) == (2, list(segment.words))
    np.testing.assert_array_equal(again.posting("rent")[1], [2])


@pytest.mark.parametrize("name", ["size", "words", "ends", "digests", "starts", "rows", "counts"])
def test_a_segment_with_a_part_missing_or_cut_is_refused(name: str) -> None:
    arrays = Segment.of([["rent", "due"], ["notice"]]).arrays()
    with pytest.raises(IndexDamaged):
        Segment.from_arrays({key: value for key, value in arrays.items() if key != name})
    with pytest.raises(IndexDamaged):
        Segment.from_arrays(arrays | {name: arrays[name][:-1] if arrays[name].shape else np.array(1)})


@settings(max_examples=100, deadline=None)
@given(documents=DOCUMENTS, groups=st.lists(st.integers(0, 3), min_size=12, max_size=12), cuts=CUTS, query=QUERIES)
def test_grouped_documents_score_as_if_they_had_been_one(
    documents: list[list[str]], groups: list[int], cuts: set[int], query: list[str]
) -> None:
    segment_of = [begin for begin, end in bounds(len(documents), cuts) for _ in range(begin, end)]
    wanted = list(zip(segment_of, groups, strict=False))  # a group lies in one segment
    used = sorted(set(wanted))
    numbers = np.array([used.index(group) for group in wanted], np.int32)
    grouped = Grouped(built(documents, cuts), numbers, len(used))
    joined = [
        [word for n, words in enumerate(documents) if numbers[n] == g for word in words] for g in range(len(used))
    ]
    expected = BM25Okapi(joined).get_scores(query)
    np.testing.assert_allclose(grouped.scores(weights(query)), expected, rtol=1e-9, atol=1e-12)


def test_a_mean_that_is_known_is_not_worked_out() -> None:
    index = built([["rent", "due"], ["rent", "paid"], ["rent"]])
    mean = (2 * (np.log(2.5) - np.log(1.5)) + np.log(0.5) - np.log(3.5)) / 3  # by hand: due, paid once; rent thrice
    known = LexicalIndex(index.keys, index.lengths, index.load, mean)
    np.testing.assert_allclose(known.scores({"rent": 1.0}), index.scores({"rent": 1.0}), rtol=1e-12)


def test_ties_are_ordered_by_row_and_only_what_matches_is_a_hit() -> None:
    scores = np.array([1.0, 2.0, 0.0, 2.0, 1.0])
    assert best_rows(scores, 3, scores > 0) == [1, 3, 0]
    assert best_rows(np.array([1.0, 2.0]), 5, np.array([True, False])) == [0]
    assert best_rows(np.zeros(3), 5, np.zeros(3, np.bool_)) == []


def test_one_or_two_documents_are_found_although_every_term_is_common_there() -> None:
    for texts in ([["rent", "due"]], [["rent", "due"], ["notice", "given"]]):
        index = built(texts)
        query = {"rent": 1.0, "unknown": 1.0}
        assert index.scores(query).max() <= 0  # what the library gives
        assert best_rows(index.scores(query), 3, index.matching(query)) == [0]


def test_an_empty_index_answers_nothing() -> None:
    empty = LexicalIndex.empty()
    assert best_rows(empty.scores({"rent": 1.0}), 5, empty.matching(["rent"])) == []
