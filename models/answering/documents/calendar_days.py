"""Counting days as contracts and rules do: the rule is said in words beside each result."""

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from models.answering.documents.changes import plain_day
from models.language.values import Value, ValueKind, values


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


_MONTHS = "|".join(calendar.month_name[1:])
_BARE_DAY = re.compile(rf"\b(?:\d{{1,2}} (?:{_MONTHS})|(?:{_MONTHS}) \d{{1,2}})\b(?!,? ?\d)")
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


def days_in(text: str, of_document: str | None) -> tuple[str, ...]:
    """The ISO days, or months, that a sentence states plainly. A day without a year takes that of its document, where
    it is not after it."""
    dates = [v for v in values(text) if v.kind is ValueKind.DATE]
    found = [d for v in dates if (d := plain_day(v) or _month(v))]
    if not found and of_document:
        for bare in _BARE_DAY.finditer(text):
            whole = next((d for v in values(f"{bare.group()} {of_document[:4]}") if (d := plain_day(v))), None)
            if whole and whole <= of_document:  # what is dated later is rather of the year before
                found.append(whole)
    return tuple(dict.fromkeys(found))


def _month(value: Value) -> str | None:
    months = [r for r in value.readings if re.fullmatch(r"\d{4}-(?:0[1-9]|1[0-2])", r)]
    return months[0] if len(value.readings) == 1 and months else None
