import pytest

from retrieval.words.tokenize import STOP_WORDS, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Section 7.2(b)", ["section", "7.2(b)", "7.2"]),
        ("§ 7.2(b)", ["§", "7.2(b)", "7.2"]),
        ("Rule 12(b)(6)", ["rule", "12(b)(6)", "12(b)", "12"]),
        ("500 U.S. 105", ["500", "us", "105"]),
        ("Section 7.2 (b)", ["section", "7.2(b)", "7.2"]),
        ("17 C.F.R. § 240.10b-5", ["17", "cfr", "§", "240.10b-5", "240.10", "b", "5"]),
        ("Section 409A", ["section", "409a", "409"]),
        ("the 5th day", ["5", "th", "day"]),
        ("500 U. S. 105", ["500", "us", "105"]),
        ("ABC000123", ["abc000123", "abc", "000123", "123"]),
        ("ABC-000123", ["abc000123", "abc", "000123", "123"]),
        ("1:21-cv-01234", ["1", "21", "cv01234", "cv", "01234", "1234"]),
        ("$1,250,000.00", ["1250000", "$1,250,000.00"]),
        ("1,250,000 dollars", ["1250000", "1,250,000", "dollar"]),
        ("$1.25 million", ["1.25", "$1.25", "1250000", "million"]),
        ("$2.5m", ["2.5", "$2.5", "2500000", "m"]),
        ("1.25 m wide", ["1.25", "m", "wide"]),
        ("2 dozen", ["2", "dozen"]),
        ("1,000 days", ["1000", "1,000", "1000day", "day"]),
        ("30-day period", ["30", "30day", "day", "period"]),
        ("thirty (30) calendar days", ["thirti", "30", "30", "30day", "calendar", "day"]),
        ("twenty-one years", ["twenti", "20", "one", "21", "year"]),
        ("non-compete", ["non", "compet", "noncompet"]),
        ("state-of-the-art", ["state", "art"]),
        ("the terminat-\nion", ["terminat", "ion", "termin"]),
        ("AT&T and R & D", ["att", "rd"]),
        ("Ernst & Young", ["ernst", "young"]),
        ("O'Brien", ["obrien", "brien"]),
        ("don’t", ["dont"]),
        ("January 5, 2019", ["januari", "2019-01-05", "2019-01", "5", "2019"]),
        ("12.4%", ["12.4", "12.4%"]),
        ("the parties’ obligations", ["parti", "oblig"]),
        ("Licensee's affiliates", ["license", "affili"]),
        ("Exhibit A", ["exhibit"]),
        ("Exhibit B", ["exhibit", "b"]),
        ("naïve Café Müller", ["naïv", "naiv", "café", "cafe", "müller", "muller", "mueller"]),
        ("ﬁnal", ["final"]),
        ("", []),
    ],
)
def test_terms_that_matter_in_law_survive(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


def test_one_amount_is_found_however_it_is_written() -> None:
    ways = ["$1,250,000.00", "$1,250,000", "1250000", "1,250,000"]
    assert all("1250000" in tokens(way) for way in ways)


def test_words_that_turn_a_clause_are_no_stop_words() -> None:
    assert not STOP_WORDS & {"no", "not", "only", "before", "after", "until", "unless", "without", "except", "under"}


def test_a_stem_joins_the_forms_of_a_word() -> None:
    assert tokens("terminate terminated termination terminating") == ["termin"] * 4
