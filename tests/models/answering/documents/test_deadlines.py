"""Days worked out by hand, and periods of invented contracts counted from a day that the question gives."""

from datetime import date

import pytest

from models.answering.documents.calendar_days import Period, Unit, counted, days_in, rule
from models.answering.found import State


@pytest.mark.parametrize(
    ("start", "count", "unit", "back", "day"),
    [
        ("2024-06-28", 21, Unit.DAY, False, "2024-07-19"),
        ("2024-02-28", 2, Unit.DAY, False, "2024-03-01"),
        ("2023-03-01", 2, Unit.WEEK, True, "2023-02-15"),
        ("2024-01-31", 1, Unit.MONTH, False, "2024-02-29"),
        ("2023-11-30", 3, Unit.MONTH, False, "2024-02-29"),
        ("2024-02-29", 1, Unit.YEAR, False, "2025-02-28"),
        ("2024-12-31", 180, Unit.DAY, True, "2024-07-04"),
        ("2024-07-05", 5, Unit.BUSINESS_DAY, False, "2024-07-12"),
        ("2024-07-06", 1, Unit.BUSINESS_DAY, False, "2024-07-08"),
        ("2024-07-08", 1, Unit.BUSINESS_DAY, True, "2024-07-05"),
    ],
)
def test_periods_are_counted_as_a_person_does(start, count, unit, back, day) -> None:
    assert counted(date.fromisoformat(start), Period(count, unit), back=back) == date.fromisoformat(day)


def test_holidays_are_said_not_to_be_known() -> None:
    assert "public holidays not known" in rule(Period(5, Unit.BUSINESS_DAY), date(2024, 7, 5))


def test_a_period_beyond_the_calendar_is_refused() -> None:
    with pytest.raises(OverflowError):
        counted(date(9998, 1, 1), Period(24, Unit.MONTH))


def test_a_day_without_a_year_is_one_of_its_papers_year() -> None:
    assert days_in("We learned of it on June 28.", "2024-07-16") == ("2024-06-28",)
    assert days_in("The next meeting is on December 3.", "2024-07-16") == ()
    assert days_in("It began in May 2023.", None) == ("2023-05",)


CONTRACT = (
    "DISTRIBUTION AGREEMENT", "This agreement is made on 4 May 2021 between Corran Ltd and Tarp Inc.",
    "7. The buyer shall object to an invoice within fourteen (14) days after receipt of the invoice.",
    "8. The seller shall repair a defect within ten (10) Business Days after notice of the defect.",
)  # fmt: skip


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Receipt of the invoice was on 3 June 2024. By what date must the buyer object?",
         "17 June 2024 (fourteen (14) days after 3 June 2024; the first day not counted)."),
        ("Notice of the defect was given on 3 June 2024. By what date must the seller repair the defect?",
         "17 June 2024 (ten (10) Business Days after 3 June 2024; the first day not counted, Saturdays and Sundays "
         "left out, public holidays not known)."),
    ],
)  # fmt: skip
def test_a_deadline_is_counted_from_the_day_that_the_question_gives(question, said, make_document, answer) -> None:
    found = answer(question, [make_document(list(CONTRACT))])
    assert (found.state, found.text) == (State.STATED, said)


def test_no_day_is_made_up_where_nothing_says_when_the_period_began(make_document, answer) -> None:
    found = answer("By what date must the buyer object to the invoice?", [make_document(list(CONTRACT))])
    assert "2024" not in found.text and "2021" not in found.text
