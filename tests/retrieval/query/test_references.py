import pytest

from retrieval.query.references import defines, opens_section, sections_named, terms_used
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart


def clause(text: str, *path: str) -> Passage:
    part = PassagePart(0, ElementId("p0-e0"), 0, 0, len(text))
    return Passage(PassageId("x"), SourceId("s"), Fingerprint("f"), 0, "t", path, text, (part,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("as defined in Section 1.2 below", ["1.2"]),
        ("subject to Sections 7.2(b) and 7.4, and Article IV", ["7.2(b)", "7.4", "IV"]),
        ("under § 9 or §§ 10.1", ["9", "10.1"]),
        ("Section 3 and again Section 3", ["3"]),
        ("the third section of the road", []),
    ],
)
def test_sections_are_named_in_order_and_once(text: str, expected: list[str]) -> None:
    assert sections_named(text) == expected


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("7.2 Notice. Either party may", "7.2", True),
        ("Section 7.2. Notice", "7.2", True),
        ("some words\n7.2 Notice", "7.2(b)", True),
        ("7.21 Notice", "7.2", False),
        ("7.2.1 Notice", "7.2", False),
        ("as Section 7.2 says", "7.2", False),
        ("7.2 Notice ........ 14", "7.2", False),
        ("ARTICLE IV\nPAYMENT", "IV", True),
    ],
)
def test_a_section_opens_at_the_beginning_of_a_line(text: str, number: str, expected: bool) -> None:
    assert opens_section(clause(text), number) is expected


def test_a_section_opens_under_its_heading_too() -> None:
    assert opens_section(clause("Either party may", "ARTICLE 7", "7.2 Notice"), "7.2")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Permitted Use” means use inside the plant.", True),
        ('"Permitted Use" shall mean use inside the plant.', True),
        ("use inside the plant (the “Permitted Use”)", True),
        ("“Permitted Use” has the meaning given in Schedule 2.", True),
        ("the Permitted Use is narrow", False),
        ("“Permitted User” means a person", False),
    ],
)
def test_a_definition_is_a_quoted_term_that_is_given_a_meaning(text: str, expected: bool) -> None:
    assert defines(clause(text), "Permitted Use") is expected


def test_capitalised_phrases_may_be_terms_and_common_ones_are_not_sought() -> None:
    found = list(terms_used("the Licensed Marks under this Agreement by either Party"))
    assert found == ["Licensed Marks", "Marks"]
