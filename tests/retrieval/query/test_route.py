"""Four invented contracts; which one a question means can be told from the names alone."""

from typing import Any

import numpy as np
import pytest

from retrieval.hybrid import Searcher
from retrieval.query.route import FRAME, LEANING_WEIGHT, ROUTED_WEIGHT, route, whole

OPENINGS = {
    "halden": "SERVICES AGREEMENT between Halden Freight GmbH and Orrin Marine Ltd. Term and termination follow.",
    "quist": "LICENSE AGREEMENT between Quist Optics Inc. and Velmar Imaging LLC. Fees and royalties follow.",
    "tarn": "LEASE between Tarn Estates LP as landlord and Bexley Foods Inc. as tenant. Rent and insurance follow.",
    "umbra": "SUPPLY AGREEMENT between Umbra Metals AG and Corvane Tools Inc. Price and delivery follow.",
}
BODY = "The law of the place governs. Each party shall maintain insurance. Termination needs notice."


@pytest.fixture
def index(matter: Any) -> Any:
    for source, opening in OPENINGS.items():
        matter.add(source, [[opening], [BODY]])
    searcher = Searcher(matter.store, matter.files, records=lambda: matter.records)
    list(searcher.refresh())
    return searcher._index


def everything(index: Any) -> Any:
    return np.ones(len(index.card_sources), bool)


def routed(index: Any, question: str) -> str | None:
    found = route(index, question, everything(index))
    return None if found is None else index.card_sources[found.cards[0]]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Under the services agreement between Halden Freight and Orrin Marine, which law governs?", "halden"),
        ("Must Bexley Foods insure the premises?", "tarn"),
        ("Consider the Quist license; what is the termination notice?", "quist"),
    ],
)
def test_a_name_routes(index: Any, question: str, expected: str) -> None:
    assert routed(index, question) == expected


@pytest.mark.parametrize(
    "question", ["Which law governs?", "Is insurance required?", "How is the agreement terminated?", "", "§"]
)
def test_a_topic_does_not_route_though_a_card_holds_its_words(index: Any, question: str) -> None:
    assert routed(index, question) is None


def named(index: Any, question: str, **more: Any) -> tuple[set[str], float]:
    found = route(index, question, everything(index), **more)
    assert found is not None
    return {index.card_sources[card] for card in found.cards}, found.weight


def test_documents_that_are_named_together_are_meant_together(index: Any) -> None:
    assert named(index, "Compare Halden Freight with Quist Optics")[0] == {"halden", "quist"}


def test_a_word_on_two_cards_names_neither(matter: Any) -> None:
    for source in ("one", "two"):
        matter.add(source, [["LEASE between Brack Mills and a tenant."], [BODY]])
    for source, opening in OPENINGS.items():
        matter.add(source, [[opening], [BODY]])
    searcher = Searcher(matter.store, matter.files, records=lambda: matter.records)
    list(searcher.refresh())
    assert route(searcher._index, "What notice ends it with Brack Mills?", everything(searcher._index)) is None


def test_a_date_is_not_taken_apart_for_its_month(matter: Any) -> None:
    matter.add("one", [["CHRONOLOGY. The letter of the second of May 2024 was never signed."]])
    searcher = Searcher(matter.store, matter.files, records=lambda: matter.records)
    list(searcher.refresh())
    assert [r.passage.source_id for r in searcher.search("2 May 2024")] == ["one"]


def test_a_document_that_is_all_card_is_only_leaned_to(index: Any) -> None:
    question = "Under the lease with Bexley Foods, who maintains insurance?"
    assert named(index, question) == ({"tarn"}, LEANING_WEIGHT)
    assert named(index, question, path_of=lambda source: f"{source} Bexley lease.pdf") == ({"tarn"}, ROUTED_WEIGHT)


def test_what_only_names_the_document_is_not_sought_inside_it(index: Any) -> None:
    found = route(index, "Consider the supply agreement between Umbra Metals and Corvane Tools; is insurance needed?",
                  everything(index))  # fmt: skip
    assert found is not None
    assert set(found.asked.terms) == {"insur", "need"}
    assert found.asked.text == "is insurance needed"


def test_in_one_sentence_the_names_are_kept_with_less_weight(index: Any) -> None:
    found = route(index, "Must Bexley Foods buy insurance?", everything(index))
    assert found is not None
    assert found.asked.terms["bexley"] < found.asked.terms["must"] == 1.0


def test_the_only_document_allowed_is_the_one_meant(index: Any) -> None:
    allowed = np.array([source == "umbra" for source in index.card_sources])
    found = route(index, "Which law governs?", allowed)
    assert found is not None
    assert index.card_sources[found.cards[0]] == "umbra"
    assert found.asked.terms == {"law": 1.0, "govern": 1.0}


def test_words_about_documents_as_such_count_little_beside_others() -> None:
    assert whole("insurance clause").terms == {"insur": 1.0, "claus": FRAME}
    assert whole("this agreement").terms == {"agreement": 1.0}


def test_a_full_stop_inside_a_name_does_no_harm(index: Any) -> None:
    assert routed(index, "What does Velmar Imaging L. B. owe Quist Optics Inc. for fees?") == "quist"


@pytest.mark.parametrize(
    ("question", "document", "asked"),
    [
        ("When does the deposit go back under the lease between Tarn Estates and Bexley Foods?", "tarn",
         "When does the deposit go back"),
        ("Under the license agreement between Quist Optics and Velmar Imaging, who pays royalties?", "quist",
         "who pays royalties"),
        ("How long is the warranty of the supply agreement of Umbra Metals and Corvane Tools?", "umbra",
         "How long is the warranty"),
    ],
)  # fmt: skip
def test_a_question_in_one_sentence_is_freed_of_the_name(index: Any, question: str, document: str, asked: str) -> None:
    found = route(index, question, everything(index))
    assert found is not None
    assert index.card_sources[found.cards[0]] == document
    assert found.asked.text == asked


def test_where_every_part_holds_a_name_the_names_count_less_than_the_topic(index: Any) -> None:
    found = route(index, "Which law governs the lease between Tarn Estates and Bexley Foods?", everything(index))
    assert found is not None
    assert found.asked.terms["law"] == found.asked.terms["govern"] == 1.0
    assert found.asked.terms["tarn"] == found.asked.terms["bexley"] < 0.5


@pytest.mark.parametrize(
    "question",
    [
        "Consider the long contract for tooling of Umbra Metals with Corvane Tools; is rust covered?",
        "Umbra Metals' deal with Corvane Tools: is rust covered?",
        "Is rust covered? I mean the contract of Umbra Metals and Corvane Tools.",
    ],
)
def test_a_clause_that_names_the_document_goes_with_all_its_words(index: Any, question: str) -> None:
    found = route(index, question, everything(index))
    assert found is not None
    assert index.card_sources[found.cards[0]] == "umbra"
    assert {term for term, weight in found.asked.terms.items() if weight == 1.0} == {"rust", "cover"}


def test_a_clause_that_names_the_document_stays_where_nothing_else_asks(index: Any) -> None:
    found = route(index, "Umbra Metals and Corvane Tools; say this.", everything(index))
    assert found is not None
    assert {"umbra", "corvan"} <= set(found.asked.terms)
