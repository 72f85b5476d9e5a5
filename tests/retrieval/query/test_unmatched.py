from typing import Any

import pytest

from retrieval.hybrid import Searcher, SearchOptions
from verify.domain.ids import SourceId


@pytest.fixture
def searcher(matter: Any) -> Searcher:
    matter.add("lease", [["The Tenant shall indemnify the Landlord.", "Minutes under 7.2 are kept by Frau Müller."]])
    matter.add("letter", [["The tariff was received with PRIV_00077 and the indemnification of the Supplier."]])
    made = Searcher(matter.store, matter.files, records=lambda: matter.records)
    for _ in made.refresh():
        pass
    return made


@pytest.mark.parametrize(
    ("query", "word", "nearest"),
    [
        ("the indemnifcation", "indemnifcation", ("indemnification",)),  # a letter left out
        ("tariiff", "tariiff", ("tariff",)),  # doubled
        ("recieved", "recieved", ("received",)),  # exchanged with its neighbour
        ("Surplier?", "Surplier", ("Supplier",)),  # exchanged for another
        ("Muler", "Muler", ("Müller",)),
        ("minuets", "minuets", ("Minutes",)),
        ("Xyzzyx", "Xyzzyx", ()),
        ("PRIV_00099", "PRIV_00099", ()),
        ("$99,999", "$99,999", ()),
        ("rant", "rant", ()),  # too short to tell
    ],
)
def test_a_word_that_stands_nowhere_is_told_with_what_is_near(
    searcher: Searcher, query: str, word: str, nearest: tuple[str, ...]
) -> None:
    assert [tuple(one) for one in searcher.unmatched(query)] == [(word, nearest)]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "What does the agreement say?",
        "the landlord's minutes",
        "7.2(b)",
        "PRIV 00077",
        "lease",
        "Mueller",
        "How much, how often?",
    ],
)
def test_what_occurs_or_asks_nothing_is_not_told(searcher: Searcher, query: str) -> None:
    assert searcher.unmatched(query) == ()


def test_only_what_was_searched_counts(searcher: Searcher) -> None:
    inside = SearchOptions(source_ids=(SourceId("lease"),))
    assert [one.word for one in searcher.unmatched("tariff of the landlord, tariff", inside)] == ["tariff"]
    [unread] = searcher.unmatched("tarif", inside)
    assert unread.nearest == ()


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ('"the Tenant  shall indemnify"', []),
        ("“are kept by Frau Müller”", []),
        ('the "Landlord shall indemnify" clause', ["Landlord shall indemnify"]),
        ('"Supplier of the indemnification"', ["Supplier of the indemnification"]),
        ('"the tariff of the Landlord"', ["the tariff of the Landlord"]),  # each word stands somewhere
        ('"the zeppelin clause"', ["zeppelin"]),  # one word tells it
        ('"Landlord"', []),
    ],
)
def test_quoted_words_that_no_passage_has_in_a_row_are_told(searcher: Searcher, query: str, told: list[str]) -> None:
    assert [one.word for one in searcher.unmatched(query)] == told
