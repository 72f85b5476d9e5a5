"""Counting days as contracts and rules do: the rule is said in words beside each result."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class Unit(StrEnum):
    DAY = "day"
    BUSINESS_DAY = "business day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Period:
    count: int
    unit: Unit


_BUSINESS = re.compile(r"\b(?:business|working|banking|trading|court|clear business)\s+days?\b", re.I)


def period_unit(text: str, unit: str) -> Unit:
    """The unit of a duration whose words are ``text``: "five (5) Business Days" counts business days."""
    return Unit.BUSINESS_DAY if unit == "day" and _BUSINESS.search(text) else Unit(unit)


def counted(start: date, period: Period, *, back: bool = False) -> date:
    """The last day of a period that begins with ``start``, which itself is not counted. Months and years end on the day
    of the same number, else on the month's last. Business days leave out Saturdays and Sundays and no holiday.

    Raises OverflowError for a day beyond the calendar.
    """
    sign = -1 if back else 1
    if period.unit is Unit.BUSINESS_DAY:
        return _business(start, period.count, sign)
    if period.unit in (Unit.DAY, Unit.WEEK):
        return start + timedelta(days=sign * period.count * (7 if period.unit is Unit.WEEK else 1))
    months = start.year * 12 + start.month - 1 + sign * period.count * (12 if period.unit is Unit.YEAR else 1)
    year, month = divmod(months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError("beyond the calendar")
    return date(year, month + 1, min(start.day, calendar.monthrange(year, month + 1)[1]))


def _business(start: date, count: int, sign: int) -> date:
    day, left = start, count
    while left:
        day += timedelta(days=sign)
        left -= day.weekday() < 5
    return day


def rule(period: Period, start: date) -> str:
    """How it was counted, for a person."""
    if period.unit is Unit.BUSINESS_DAY:
        return "the first day not counted, Saturdays and Sundays left out, public holidays not known"
    if period.unit in (Unit.MONTH, Unit.YEAR):
        return "to the day of the same number"
    return "the first day not counted"


def weekend(day: date) -> str:
    """ "a Saturday" or "a Sunday", else empty."""
    return {5: "a Saturday", 6: "a Sunday"}.get(day.weekday(), "")


def in_words(day: date) -> str:
    return f"{day.day} {calendar.month_name[day.month]} {day.year}"
