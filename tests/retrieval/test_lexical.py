"""Scores are compared with the library whose statistics these are."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from retrieval.lexical import Document, Grouped, IndexDamaged, LexicalIndex, best_rows, group_frequencies

WORDS = ("a", "b", "c", "d", "e", "f")
DOCUMENTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=12)
QUERIES = st.lists(st.sampled_from((*WORDS, "unknown")), max_size=6)


def built(documents: Sequence[Sequence[str]]) -> LexicalIndex:
    return LexicalIndex.empty().changed([], (Document(str(n), terms) for n, terms in enumerate(documents)))


def weights(query: Sequence[str]) -> dict[str, float]:
    return {term: float(query.count(term)) for term in query}


@settings(max_examples=200, deadline=None)
@given(documents=DOCUMENTS, query=QUERIES)
def test_scores_are_those_of_the_library(documents: list[list[str]], query: list[str]) -> None:
    expected = BM25Okapi(documents).get_scores(query)
    np.testing.assert_allclose(built(documents).scores(weights(query)), expected, rtol=1e-9, atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(first=DOCUMENTS, second=DOCUMENTS, gone=st.sets(st.integers(0, 11)), query=QUERIES)
def test_an_index_that_was_changed_equals_one_made_anew(
    first: list[list[str]], second: list[list[str]], gone: set[int], query: list[str]
) -> None:
    changed = built(first).changed(
        [str(n) for n in gone], (Document(f"new-{n}", terms) for n, terms in enumerate(second))
    )
    left = [terms for n, terms in enumerate(first) if n not in gone] + second
    np.testing.assert_allclose(changed.scores(weights(query)), built(left).scores(weights(query)), rtol=1e-12)


def test_a_rare_word_outweighs_a_common_one() -> None:
    index = built([["rent", "due"], ["rent", "paid"], ["rent", "escrow"], ["notice", "due"]])
    query = {"rent": 1.0, "escrow": 1.0}
    assert best_rows(index.scores(query), 3, index.matching(query)) == [2, 0, 1]


def test_a_weight_scales_what_a_term_adds() -> None:
    index = built([["rent"], ["notice"], ["term"]])
    np.testing.assert_allclose(index.scores({"rent": 0.5}), index.scores({"rent": 1.0}) / 2)


def test_words_of_a_removed_document_leave_the_index() -> None:
    index = built([["secret", "rent"], ["rent", "notice"]]).changed(["0"], [])
    assert index.vocabulary == ("rent", "notice")
    assert b"secret" not in b"".join(array.tobytes() for array in index.arrays().values())


def test_an_index_comes_back_as_it_was_written() -> None:
    index = built([["rent", "due", "rent"], ["notice"]])
    again = LexicalIndex.from_arrays(index.arrays())
    assert again.keys == ("0", "1")
    np.testing.assert_array_equal(again.scores({"rent": 1.0}), index.scores({"rent": 1.0}))


@pytest.mark.parametrize("name", ["keys", "vocabulary", "starts", "rows", "counts", "lengths"])
def test_an_index_with_a_part_missing_or_cut_is_refused(name: str) -> None:
    arrays = built([["rent", "due"], ["notice"]]).arrays()
    with pytest.raises(IndexDamaged):
        LexicalIndex.from_arrays({key: value for key, value in arrays.items() if key != name})
    with pytest.raises(IndexDamaged):
        LexicalIndex.from_arrays(arrays | {name: arrays[name][:-1]})


@settings(max_examples=100, deadline=None)
@given(documents=DOCUMENTS, groups=st.lists(st.integers(0, 3), min_size=12, max_size=12), query=QUERIES)
def test_grouped_documents_score_as_if_they_had_been_one(
    documents: list[list[str]], groups: list[int], query: list[str]
) -> None:
    used = sorted(set(groups[: len(documents)]))
    numbers = np.array([used.index(group) for group in groups[: len(documents)]], np.int32)
    index = built(documents)
    grouped = Grouped(index, numbers, len(used), group_frequencies(index, numbers, len(used)))
    joined = [
        [word for n, words in enumerate(documents) if numbers[n] == g for word in words] for g in range(len(used))
    ]
    expected = BM25Okapi(joined).get_scores(query)
    np.testing.assert_allclose(grouped.scores(weights(query)), expected, rtol=1e-9, atol=1e-12)


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
