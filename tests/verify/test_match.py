"""Word boundaries (contract section 5, rule 4)."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify.bodies import Body
from verify.match import Place, glued
from verify.match import places as places_in
from verify.normalize import Normal, normalize


def places(page: Normal, query: Normal, start: int, end: int) -> Iterator[Place]:
    return places_in(page, query, start, end, Body(page.source, ()).inside)


def whole(text: str, query: str) -> bool | None:
    """None if the query does not stand in the text at all."""
    found = list(places(normalize(text), normalize(query), 0, len(text)))
    return any(p.whole for p in found) if found else None


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("112.4 kilonewtons", "12.4 kilonewtons"),
        ("Revenue", "even"),
        ("is 12.4 here", "12"),
        ("is 12.4 here", "4"),
        ("48,250", "8,250"),
        ("48,250", "48"),
        ("at 11:15 sharp", "at 11"),
        ("3/4/2026", "4/2026"),
        ("is .34 here", "34"),
        ("(475)", "475"),
        ("(30) days", "30"),
        ("−0.8", "0.8"),
        ("-0.8", "0.8"),
        ("–0.8", "0.8"),
        ("+5", "5"),
        ("$35", "35"),
        ("-$35", "$35"),
        ("35€", "35"),
        ("5%", "5"),
        ("7(3)", "7"),
        ("(35%)", "(35"),
        ("up to 5 % now", "5"),
        ("EUR 48,250 a month", "48,250"),
        ("a fee of USD 12 Million", "USD 12"),
        ("12\u00a0000 pounds", "12"),
        ("12 000 pounds", "000 pounds"),
        ("12 lacs", "12"),
        ("USD 3 hundred\nthousand", "USD 3 hundred"),
        ("2½ per cent", "2"),
        ("2 1/2 % a year", "2"),
        ("1⁄2 of it", "1"),
        ("5 × 10⁶ cells", "5"),
        ("5 × 10⁶ cells", "5 × 10"),
        ("12·50", "12"),
        ("12٫50", "12"),
        ("was − 500 in", "500"),
        ("USD - 500 in", "500"),
        ("was ( 500 ) in", "500"),
        ("is ≤ 5 mg", "5 mg"),
        ("is ~5 mg", "5 mg"),
        ("10² units", "10"),
        ("non\u2011exclusive", "exclusive"),
        ("non\u2012exclusive", "exclusive"),
        ("non–exclusive", "exclusive"),
        ("a non exclusive licence", "exclusive licence"),
        ("non-exclusive", "exclusive"),
        ("five-year term", "five"),
        ("five-\nyear term", "year term"),
        ("termi-\nnation", "nation"),
        ("dis\u00ad\ncharge", "charge"),
        ("dis\u00ad\ncharge", "dis"),
        ("can’t pay", "can"),
        ("the Supplier’s keys", "s keys"),
        ("oﬃce filed", "ice filed"),
        ("oﬃce", "off"),
        ("120 m² of land", "120 m"),
        ("re\u0323x", "re"),
        ("snake_case", "case"),
        ("½", "½ "[:0] or "1"),
    ],
)
def test_part_of_a_word_or_number(text: str, query: str) -> None:
    assert whole(text, query) in (False, None)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("The Revenue fell.", "Revenue"),
        ("The Revenue fell.", "fell"),
        ("is 12.4.", "12.4"),
        ("is 12.4, or", "12.4"),
        ("a loss of (475) here", "(475)"),
        ("fell −0.8 here", "−0.8"),
        ("pays $35 now", "$35"),
        ("pays 5% now", "5%"),
        ("EUR 48,250 a month", "EUR 48,250"),
        ("the term—whether fixed", "term"),
        ("2019–2024", "2019"),
        ("due.3 Next", "due."),
        ("notice² given", "notice"),
        ("notice* given", "notice"),
        ("²Approved in stages", "Approved"),
        ("five-year term", "five-year"),
        ("five-\nyear term", "five-year term"),
        ("(the Supplier)", "the Supplier"),
        ("‘seen’", "seen"),
        ("word\u200b here", "word"),
        ("a\n\nb", "a"),
    ],
)
def test_whole_words_and_numbers(text: str, query: str) -> None:
    assert whole(text, query) is True


def test_a_hyphen_that_is_asked_for_must_be_there() -> None:
    assert whole("kept at -12.4 now", "-12.4") is True
    assert whole("kept at 12.4 now", "-12.4") is None
    assert whole("twenty- and thirty-year", "twenty-") is True
    assert whole("twenty thirty", "twenty-") is None
    assert whole("kept at 12.4 now", "") is None


def test_overlapping_places_count_apart() -> None:
    text = "ha ha ha"
    assert [p.start for p in places(normalize(text), normalize("ha ha"), 0, len(text))] == [0, 3]


def test_only_the_range_is_searched() -> None:
    text = "one two one"
    assert [p.start for p in places(normalize(text), normalize("one"), 4, len(text))] == [8]


def test_a_hyphen_outside_the_range_is_not_in_it() -> None:
    text = "see - Project one-\ntime -"
    page = normalize(text)
    assert [p.start for p in places(page, normalize("- Project"), 4, len(text))] == [4]
    assert list(places(page, normalize("- Project"), 6, len(text))) == []
    assert list(places(page, normalize("time -"), 0, len(text) - 1)) == []


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="ab1 .-\n\u00ad(", max_size=20), st.integers(0, 20))
def test_no_boundary_between_two_letters(text: str, at: int) -> None:
    if 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum():
        assert glued(text, at)
    if at <= 0 or at >= len(text) or (text[at].isspace() and text[at - 1].isspace()):
        assert not glued(text, at) or text[:at].strip("\u00ad") == text[:at]


def test_a_row_of_hyphens_before_a_paragraph_is_no_sign_of_its_number() -> None:
    text = "The parties agree.\n\n- ------\n\n25. GOVERNING LAW."
    assert not glued(text, text.index("25"))
    assert glued("a loss of -\n25 units", 12)  # one hyphen at a line end may still be the number's own


def test_a_page_number_between_hyphens_is_no_sign_of_the_clause_number_below_it() -> None:
    text = "-8-\n\n29. No Partnership."
    assert not glued(text, text.index("29"))
    assert glued("termi-\n\nnation", 8)  # a word that goes on in the next column
    assert not glued("-14-\n\nEXHIBIT", 6) and not glued("lease.\n\n- 14 -\n\nEXHIBIT", 16)
    assert glued("a 30-\n\nday term", 7) and glued("of A-14-\n\nx", 10)
