"""The period that a question or the header of a table names: a year, a quarter, months that end on a day, or a day."""

import re
from calendar import month_name
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

_MONTHS = {name[:3].lower(): number for number, name in enumerate(month_name) if name}
_NAMES = "|".join(name.lower() for name in month_name if name) + "|" + "|".join([*_MONTHS, "sept"])
_MONTH = re.compile(rf"\b(?P<month>{_NAMES})\b\.?")
_YEAR = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)|\bfy ?'?(?P<short>\d\d)\b")
_QUARTER = re.compile(
    r"\bq ?(?P<n>[1-4])|\b(?P<m>[1-4])q(?=\d|\b)|\b(?P<o>first|second|third|fourth|1st|2nd|3rd|4th) quarter\b"
)
_NUMBERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_SPANS = (
    (re.compile(r"\b(?:three|3) months?\b|\bquarter\b|\b13 weeks\b"), "quarter"),
    (re.compile(r"\b(?:six|6|nine|9) months?\b|\bhalf[- ]?years?\b|\b(?:first|second) half\b|\bh[12]\b"), "months"),
    (
        re.compile(r"\b(?:twelve|12) months?\b|\bfull year\b|\b(?:fiscal|financial)? ?years? end|\b5[23] weeks\b"),
        "year",
    ),
)
_LATEST = re.compile(r"\b(?:last|latest|most recent|final) (?:reported )?(?P<span>quarter|three months)\b")
_BY_ANOTHER = re.compile(
    r"\b(?:last|latest|this|previous|prior|most recent) (?:financial |fiscal )?years?\b|\byears? before\b"
)
_DAY_OF_MONTH = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b")
_WORDS = re.compile(
    r"\b(?:three|six|nine|twelve|months?|quarters?|years?|fiscal|financial|full|half|ended|ending|end|as|at|of|the|in|for|"
    r"to|and|on|first|second|third|fourth|1st|2nd|3rd|4th|restated|audited|unaudited|actual|reported|week|weeks|fy)\b|"
    r"\bq ?[1-4]|\b[1-4]q|\bh[12]\b|\d+|[£$€¥'’]+|\b(?:gbp|usd|eur|000s?|m|k|thousands?|millions?|note)\b|\W"
)


class Span(StrEnum):
    YEAR = "year"
    MONTHS = "months"
    QUARTER = "quarter"
    DAY = "day"


class Period(NamedTuple):
    """``month`` is that of its last day, 1-12; ``number`` that of a quarter, 1-4; ``latest``: the last one of its span
    is asked for."""

    span: Span
    year: int | None
    month: int | None = None
    number: int | None = None
    latest: bool = False


def period_of(text: str) -> Period | None:
    """The one period that lower-case text names; None where it names none or several years."""
    years = years_in(text)
    if len(years) > 1:
        return None
    year = next(iter(years), None)
    months = {_MONTHS[m["month"][:3]] for m in _MONTH.finditer(text) if m["month"] != "may" or year is not None}
    month = next(iter(months)) if len(months) == 1 else None
    numbered = _QUARTER.search(text)
    if numbered is not None:
        number = int(numbered["n"] or numbered["m"] or _NUMBERS[numbered["o"]])
        return Period(Span.QUARTER, year, month, number)
    if _LATEST.search(text):
        return Period(Span.QUARTER, year, latest=True)
    span = next((Span(name) for pattern, name in _SPANS if pattern.search(text)), None)
    if span is None and year is None:
        return None
    if span is None:
        span = Span.YEAR if month is None else Span.DAY
    return Period(span, year, month)


def years_in(text: str) -> frozenset[int]:
    return frozenset(int(m["year"] or f"20{m['short']}") for m in _YEAR.finditer(text))


def only_period(text: str) -> bool:
    """Whether a header says nothing but a period and how it is counted: of "Europe 2024" the answer is Europe's."""
    return period_of(text) is not None and not _WORDS.sub("", _MONTH.sub("", _YEAR.sub("", text)))


def without_periods(text: str) -> str:
    """The text with the words of periods taken out, and the days on which they end."""
    for pattern in (_QUARTER, _MONTH, _YEAR, *(pattern for pattern, _ in _SPANS), _DAY_OF_MONTH):
        text = pattern.sub(" ", text)
    return text


def only_span(text: str) -> bool:
    """Whether a header says how long its periods are and nothing else: "Three months ended"."""
    return any(pattern.search(text) for pattern, _ in _SPANS) and not _WORDS.sub("", text)


def asks_otherwise(text: str) -> bool:
    """Whether a question asks for several years, or for one by another ("the year before"), which no header says."""
    return len(years_in(text)) > 1 or _BY_ANOTHER.search(text) is not None


def matching(asked: Period | None, columns: Sequence[Period]) -> list[int]:
    """The places in ``columns``, those of one table, of the period asked for; none where the table does not tell.
    Without one asked it is the latest year, or else the latest of what there is."""
    known = [(n, c) for n, c in enumerate(columns) if c.year is not None]
    if asked is None:
        yearly = [(n, c) for n, c in known if c.span in (Span.YEAR, Span.DAY)] or known
        return _last(yearly)
    if asked.year is not None:
        known = [(n, c) for n, c in known if c.year == asked.year]
    if asked.span is Span.QUARTER:
        quarters = [(n, c) for n, c in known if c.span is Span.QUARTER]
        if asked.latest:
            return _last(quarters)
        if asked.number is not None:
            return _numbered(asked.number, quarters)
        return [n for n, c in quarters if c.month == asked.month] if asked.month else []
    if asked.span is Span.DAY:
        return [n for n, c in known if c.month == asked.month]
    same = [n for n, c in known if c.span is asked.span and (asked.month is None or c.month in (asked.month, None))]
    if same or asked.span is not Span.YEAR:
        return same
    days = [n for n, c in known if c.span is Span.DAY]
    return days if len(days) == 1 else []


def _last(periods: Sequence[tuple[int, Period]]) -> list[int]:
    def when(period: Period) -> tuple[int, int]:
        return period.year or 0, period.month or period.number or 0

    latest = max((when(p) for _, p in periods), default=None)
    return [n for n, p in periods if when(p) == latest]


def _numbered(number: int, quarters: Sequence[tuple[int, Period]]) -> list[int]:
    """By their own numbers, or in order of the months in which four quarters of one year end: a company's year need not
    be the calendar's."""
    if any(c.number is not None for _, c in quarters):
        return _last([(n, c) for n, c in quarters if c.number == number])
    ordered = sorted(quarters, key=lambda pair: (pair[1].year or 0, pair[1].month or 0))
    return [ordered[number - 1][0]] if len({(c.year, c.month) for _, c in ordered}) == len(ordered) == 4 else []
