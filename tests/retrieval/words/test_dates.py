import pytest

from retrieval.words.dates import dates_in
from retrieval.words.tokenize import tokens


@pytest.mark.parametrize(
    "written",
    [
        "January 5, 2019",
        "Jan. 5, 2019",
        "5 January 2019",
        "the 5th of January, 2019",
        "5th day of January, 2019",
        "5-Jan-2019",
        "2019-01-05",
        "01/05/2019",
        "1/5/19",
        "05.01.2019",
        "the fifth of January 2019",
        "January the fifth, 2019",
        "5. Januar 2019",
        "5 janvier 2019",
        "5 de enero de 2019",
        "2019年1月5日",
    ],
)
def test_one_date_is_one_term_however_it_is_written(written: str) -> None:
    assert "2019-01-05" in tokens(f"made on {written} in Bonn")


@pytest.mark.parametrize("text", ["January 2019", "1/2 of 2019", "13.32.2019", "version 5.1.2019.4", "he may 5 times"])
def test_what_is_no_date_gives_none(text: str) -> None:
    assert not [term for term in tokens(text) if term.count("-") == 2]


def test_figures_that_can_be_read_both_ways_give_both() -> None:
    assert {"2019-01-05", "2019-05-01"} <= set(tokens("01/05/2019"))
    assert {"2019-12-25"} == {term for term in tokens("25/12/2019") if term.count("-") == 2}
    assert {"2019-01-05", "2019-05-01"} <= set(tokens("01-05-2019"))


def test_points_have_the_day_first() -> None:
    assert {term for term in tokens("05.01.2019") if term.count("-") == 2} == {"2019-01-05"}


@pytest.mark.parametrize("written", ["7 Jan. 2025", "1/7/25", "07.01.2025", "2025-01-07", "January 2025", "2025年1月"])
def test_a_day_is_found_by_its_month_and_year(written: str) -> None:
    assert {"2025-01", "2025"} <= set(tokens(f"paid {written} in coin"))


def test_where_the_dates_of_a_question_stand() -> None:
    text = "Was it 3/11/24, or the second of May 2024, or 40 May 2024, or June?"
    found = [(text[one.start : one.end], one.readings) for one in dates_in(text)]
    assert found == [
        ("3/11/24", ("2024-03-11", "2024-11-03")),
        ("second of May 2024", ("2024-05-02",)),
    ]


def test_a_short_year_is_near() -> None:
    assert "2049-01-05" in tokens("1/5/49")
    assert "1950-01-05" in tokens("1/5/50")
