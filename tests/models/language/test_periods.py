"""Which period a header or a question names, and which column of a table that is."""

import pytest

from models.language.periods import Period, Span, asks_otherwise, matching, only_period, period_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2024", Period(Span.YEAR, 2024)),
        ("fy24", Period(Span.YEAR, 2024)),
        ("year ended 31 march 2024", Period(Span.YEAR, 2024, 3)),
        ("december 31, 2023", Period(Span.DAY, 2023, 12)),
        ("three months ended september 30, 2024", Period(Span.QUARTER, 2024, 9)),
        ("q3 2024", Period(Span.QUARTER, 2024, None, 3)),
        ("what did they earn in the last quarter?", Period(Span.QUARTER, None, latest=True)),
        ("nine months ended 30 september 2024", Period(Span.MONTHS, 2024, 9)),
        ("2023 and 2024", None),
        ("europe", None),
    ],
)
def test_the_period_that_a_text_names(text, expected) -> None:
    assert period_of(text) == expected


def test_a_header_with_a_segment_is_not_only_a_period() -> None:
    assert only_period("three months ended 30 june 2024") and only_period("fy2024 £000")
    assert not only_period("europe 2024")


QUARTERS = [Period(Span.QUARTER, 2024, month) for month in (3, 6, 9, 12)]
YEARS = [Period(Span.YEAR, 2024), Period(Span.YEAR, 2023)]


@pytest.mark.parametrize(
    ("asked", "columns", "places"),
    [
        ("what was revenue?", YEARS, [0]),
        ("what was revenue in 2023?", YEARS, [1]),
        ("what was revenue in 2021?", YEARS, []),
        ("what was revenue in the last quarter?", QUARTERS, [3]),
        ("what was revenue in the last quarter?", YEARS, []),
        ("what was revenue in the third quarter of 2024?", QUARTERS, [2]),
        ("what was revenue in the third quarter of 2024?", QUARTERS[1:], []),
        ("how much cash was there at the end of june 2024?", QUARTERS, [1]),
    ],
)
def test_the_column_of_the_period(asked, columns, places) -> None:
    assert matching(period_of(asked), columns) == places


def test_a_year_by_another_year_is_in_no_header() -> None:
    assert asks_otherwise("what was revenue in the year before?") and asks_otherwise("revenue in 2022 and 2023")
    assert not asks_otherwise("what was revenue in 2023?")
