"""Queries with operators: how they are read, and what they find in passages that a person can check."""

from typing import TYPE_CHECKING

import pytest

from retrieval.hybrid import OperatorResult, Searcher, SearchOptions
from retrieval.query.bates import within
from retrieval.query.excerpt import excerpt, spans_of_words
from retrieval.query.matching import spans_in
from retrieval.query.operators import (
    Both,
    Either,
    Fault,
    FilterKind,
    MalformedQuery,
    Near,
    OperatorQuery,
    Term,
    Without,
    operators,
)
from verify.domain.passage import PassageKind

if TYPE_CHECKING:
    from conftest import Matter

RENT, DEPOSIT = Term(("rent",), exact=False), Term(("deposit",), exact=False)


def parsed(query: str) -> OperatorQuery:
    found = operators(query)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("rent AND deposit", Both((RENT, DEPOSIT))),
        ("rent OR deposit", Either((RENT, DEPOSIT))),
        ("rent -deposit", Both((RENT, Without(DEPOSIT)))),
        ("rent NOT deposit", Both((RENT, Without(DEPOSIT)))),
        ("rent w/5 deposit", Near(RENT, DEPOSIT, 5)),
        ("rent W/s deposit", Near(RENT, DEPOSIT, None)),
        ("rent w/p (deposit OR rent)", Near(RENT, Either((DEPOSIT, RENT)), None, paragraph=True)),
        ("depos*", Term(("depos",), exact=True, prefix=True)),
        ('"Rent  Deposit"', Term(("rent", "deposit"), exact=True)),
        ("“rent deposit”", Term(("rent", "deposit"), exact=True)),
        ('"rent deposit" rent', Both((Term(("rent", "deposit"), exact=True), RENT))),
        ("rent OR deposit AND rent", Either((RENT, Both((DEPOSIT, RENT))))),
        ("(rent OR deposit) AND 7.2(b)", Both((Either((RENT, DEPOSIT)), Term(("7", "2", "b"), exact=True)))),
    ],
)
def test_how_a_query_is_read(query: str, wanted: object) -> None:
    assert parsed(query).wanted == wanted


@pytest.mark.parametrize(
    "query",
    [
        "What does clause 7.2(b) say?",
        'What does "Net Sales" mean?',
        "terms and conditions or not",
        "non-compete (in Texas)",
        "rent - deposit",
        "ratio 2:1",
    ],
)
def test_a_question_in_words_has_no_operators(query: str) -> None:
    assert operators(query) is None


def test_filters_stand_anywhere() -> None:
    found = parsed('in:"lease 2019" rent type:pdf deposit')
    assert [(one.kind, one.value, one.at) for one in found.filters] == [
        (FilterKind.IN, "lease 2019", 3),
        (FilterKind.TYPE, "pdf", 26),
    ]
    assert (found.plain, found.only_words) == ("rent deposit", True)
    assert parsed("type:pdf").wanted is None


@pytest.mark.parametrize(
    ("query", "fault", "at"),
    [
        ('rent AND "deposit', Fault.QUOTE_OPEN, 9),
        ("(rent OR deposit", Fault.GROUP_OPEN, 0),
        ("rent AND deposit)", Fault.GROUP_NOT_OPEN, 16),
        ("rent AND ()", Fault.GROUP_EMPTY, 9),
        ("rent AND", Fault.OPERAND_MISSING, 8),
        ("OR rent", Fault.OPERAND_MISSING, 0),
        ("rent w/ deposit", Fault.DISTANCE, 5),
        ("rent w/x deposit", Fault.DISTANCE, 5),
        ("rent w/5 (deposit AND rent)", Fault.NOT_NEAR, 5),
        ("NOT rent", Fault.ONLY_NOT, 0),
        ("type:pdf in:", Fault.FILTER_EMPTY, 12),
        ("rent AND date:2024 autor:smith", Fault.FILTER_UNKNOWN, 19),
        ("rent AND *", Fault.WORD_EMPTY, 9),
        ("rent AND depo*it", Fault.WILDCARD_INSIDE, 9),
    ],
)
def test_a_malformed_query_says_where(query: str, fault: Fault, at: int) -> None:
    with pytest.raises(MalformedQuery) as error:
        operators(query)
    assert (error.value.fault, error.value.at) == (fault, at)


def searcher_of(matter: "Matter") -> Searcher:
    searcher = Searcher(matter.store, matter.files, None, None, lambda: matter.records)
    list(searcher.refresh_lexical())
    return searcher


@pytest.fixture
def leases(matter: "Matter") -> Searcher:
    barn = "The rent is due in May. The deposit is kept by the lessor.\n\nNo dog may enter."
    matter.add("barn", [[barn, "Rents are paid in coin. A late pay-\nment bears interest."]])
    matter.add("mill", [["The tenant pays a deposit before the rent falls due."]])
    matter.add("quay", [["The deposit was lost at sea."]])
    return searcher_of(matter)


def hits(searcher: Searcher, query: str, options: SearchOptions | None = None) -> dict[str, int]:
    found: OperatorResult = searcher.operate(parsed(query), options)
    assert found.hits == sum(one.hits for one in found.documents)
    return {str(one.source_id): one.hits for one in found.documents}


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("rent AND deposit", {"barn": 3, "mill": 2}),  # "Rents" is a form of rent
        ("rent OR lost", {"barn": 2, "mill": 1, "quay": 1}),
        ("deposit -rent", {"quay": 1}),
        ("deposit NOT (sea OR tenant)", {"barn": 1}),
        ('"the rent"', {"barn": 1, "mill": 1}),
        ('"rent the"', {}),
        ('"The  DEPOSIT is"', {"barn": 1}),
        ('"rents"', {"barn": 1}),  # a phrase is literal
        ("depos*", {"barn": 1, "mill": 1, "quay": 1}),
        ("rent w/2 due", {"barn": 1, "mill": 1}),
        ("rent w/1 due", {}),
        ("rent w/s deposit", {"mill": 1}),
        ("rent w/p deposit", {"barn": 1, "mill": 1}),
        ("rent w/p dog", {}),
        ("(rent OR dog) w/2 (enter OR due)", {"barn": 2, "mill": 1}),
        ('"late payment" AND interest', {"barn": 2}),  # parted at a line's end
        ("unicorn OR griffin", {}),
    ],
)
def test_what_a_query_finds(leases: Searcher, query: str, wanted: dict[str, int]) -> None:
    assert hits(leases, query) == wanted


def test_the_count_is_complete_however_few_are_shown(leases: Searcher) -> None:
    found = leases.operate(parsed("rent OR deposit"), SearchOptions(k=1))
    assert (len(found.passages), found.hits) == (1, 6)
    assert found.passages[0].passage.source_id in ("barn", "mill")  # both parts stand in it


def test_where_a_passage_says_it(leases: Searcher) -> None:
    query = parsed("rent w/3 due OR dog")
    assert query.wanted is not None
    (first, *_) = leases.operate(query).passages
    text = first.passage.text
    assert [text[start:end] for start, end in spans_in(first.passage, query.wanted)] == ["rent is due", "dog"]


def test_kinds_and_pages_are_filters(matter: "Matter") -> None:
    body = matter.passage("barn", 0, 0, "The rent is due.", bates="QRY-000012")
    foot = matter.passage("barn", 1, 1, "The rent is small.", kind=PassageKind.FOOTER, bates="QRY-000013")
    matter.put("barn", [body, foot])
    searcher = searcher_of(matter)
    assert hits(searcher, '"rent"', SearchOptions(kinds=(PassageKind.FOOTER,))) == {"barn": 1}
    assert [r.passage.ordinal for r in searcher.search("rent", SearchOptions(bates=(("QRY13", "QRY20"),)))] == [1]
    assert hits(searcher, '"rent"', SearchOptions(bates=(("QRY00001", "12"),))) == {"barn": 1}
    assert searcher.search("QRY-000012")[0].passage.ordinal == 0


def test_places_follow_the_documents(matter: "Matter") -> None:
    matter.add("barn", [["The rent is due."]])
    searcher = Searcher(matter.store, matter.files)
    list(searcher.refresh_lexical(hold=False))
    (before,) = [name for name in matter.files.names() if name.startswith("places-")]
    assert hits(searcher, '"rent is due"') == {"barn": 1}
    matter.store.drop("barn")
    matter.add("barn", [["The rent was due."]])
    list(searcher.refresh_lexical(hold=False))
    (after,) = [name for name in matter.files.names() if name.startswith("places-")]
    assert before != after
    assert hits(searcher, '"rent is due" OR "was due"') == {"barn": 1}
    matter.files.write(after, b"damaged")
    assert hits(Searcher(matter.store, matter.files), '"rent was"') == {"barn": 1}


def test_bates_numbers_are_values() -> None:
    assert within("ABC-000123", [("abc123", "abc123")])
    assert within("ABC 000123", [("ABC000100", "200")])
    assert not within("ABCD000123", [("ABC000100", "ABC000200")])
    assert not within("", [("ABC1", "ABC2")])


def test_words_of_scripts_without_spaces(matter: "Matter") -> None:
    matter.add("lease", [["承租人应于每月五日支付租金。"]])
    assert hits(searcher_of(matter), '"支付租金"') == {"lease": 1}


def test_an_excerpt_shows_the_hits() -> None:
    text = "word " * 200 + "the rent and the deposit " + "word " * 200
    begin, end = excerpt(text, spans_of_words("rents deposit", text), 100)
    assert "rent and the deposit" in text[begin:end]
    assert end - begin <= 110
    assert excerpt("short", [], 100) == (0, 5)
