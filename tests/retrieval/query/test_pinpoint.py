import time
from dataclasses import replace
from typing import Any

import pytest

from retrieval.hybrid import Searcher
from retrieval.query.pinpoint import pinpoint


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("What does section 7.2(B) say?", ("7.2(b)",)),
        ("§ 7.2 (b)", ("7.2(b)",)),
        ("7.2(b)", ("7.2(b)",)),
        ("12.3.4", ("12.3.4",)),
        ("clause 9 and article iv", ("9", "IV")),
        ("1250000", ()),
        ("How long is the term?", ()),
    ],
)
def test_sections_that_a_question_names(question: str, sections: tuple[str, ...]) -> None:
    assert pinpoint(question).sections == sections


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the definition of “Net Sales”?", ("Net Sales",)),
        ("definition of net sales in the agreement", ("net sales",)),
        ("What does the term Excluded Territory mean?", ("Excluded Territory",)),
        ("How is Term defined in the lease?", ("Term",)),
        ("Net Sales definition", ("Net Sales",)),
        ('"Net Sales"', ("Net Sales",)),
        ('the "Net Sales" of a year', ()),
        ("What is the term of the lease?", ()),
    ],
)
def test_terms_whose_definition_is_asked_for(question: str, terms: tuple[str, ...]) -> None:
    assert pinpoint(question).terms == terms


def test_a_question_that_points_at_nothing_is_false() -> None:
    assert not pinpoint("Who keeps the books?")
    assert pinpoint("Exhibit B") and pinpoint('the "Excluded Territory"') and not pinpoint('""')


@pytest.mark.parametrize(
    ("question", "text", "is_there"),
    [
        ("section 7.2", "7.2 Records. The Carrier keeps books.", True),
        ("section 7.2", "Section 7.2 Records. The Carrier keeps books.", True),
        ("section 7.2", "Records are kept as Section 7.2 says.", False),
        ("section 7.2", "7.21 Records.", False),
        ("section 7.2", "7.2 Records .......... 14", False),
        ("Exhibit B", "EXHIBIT B\nPrice list", True),
        ("Exhibit B", "Exhibit “B”: price list", True),
        ("Exhibit B", "EXHIBIT B-2\nPrice list", False),
        ("Exhibit B", "Exhibit B .......... 31", False),
        ("Exhibit B", "as Exhibit B shows", False),
        ("schedule 3", "Schedule 3 - Ships", True),
        ('"Excluded Territory"', "The “Excluded\nTerritory” is the north.", True),
        ("“excluded territory”", "In the EXCLUDED TERRITORY no ship sails.", True),
        ('"Excluded Territory"', "Territory is excluded.", False),
        ('"Excluded Territory"', "excluded territory's and Excluded Territorys", True),
        ('"cluded Territory"', "Excluded Territory", False),
        ("definition of net sales", "“Net Sales” means all sales less returns.", True),
        ("definition of net sales", "The Carrier pays a share of Net Sales.", False),
        ("how is the Ship defined?", "A vessel (the “Ship”) is let.", True),
    ],
)
def test_where_a_place_is(matter: Any, question: str, text: str, is_there: bool) -> None:
    [passage] = matter.add("s", [[text]])
    assert bool(pinpoint(question).hits(passage)) is is_there


@pytest.mark.parametrize(
    "piece", ["-", '"', "a ", "a-", "meaning of ", "section ", "7.2(a)", "what does the term ", " \n"]
)
def test_a_long_query_takes_no_time(piece: str) -> None:
    began = time.perf_counter()
    pinpoint(piece * 20_000)
    assert time.perf_counter() - began < 5


def test_a_section_under_its_heading_is_found_by_its_number(matter: Any) -> None:
    [passage] = matter.add("s", [["The Buyer may inspect."]])
    assert pinpoint("7.2(b)").hits(replace(passage, heading_path=("7.2 Records", "7.2(b)"))) == 1


def test_words_side_by_side_come_before_the_same_words_apart(matter: Any) -> None:
    apart = "The quiet master of the harbour enjoyment fund keeps quiet; enjoyment is his, and quiet enjoyment-like."
    texts = [f"{apart} {number}" for number in range(30)]
    matter.add("lease", [*([text] for text in texts), ["The Tenant has the quiet enjoyment of the shed."]])
    searcher = Searcher(matter.store, matter.files, records=lambda: matter.records)
    for _ in searcher.refresh():
        pass
    assert searcher.search('the "quiet enjoyment of the shed"')[0].passage.page_index == 30
