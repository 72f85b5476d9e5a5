"""Values that a sentence states: dates, amounts, percentages, numbers, durations. Compared by meaning, not by spelling.

A value that can be read in two ways ("03/04/2021") has two readings; two values agree if they share one.
"""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NamedTuple


class ValueKind(StrEnum):
    DATE = "date"
    AMOUNT = "amount"
    PERCENT = "percent"
    DURATION = "duration"
    NUMBER = "number"


class Value(NamedTuple):
    """``readings`` are canonical: ``2020-12-31``, ``2020-12``, ``USD 1250000``, ``5``, ``30 day``.

    ``start`` and ``end`` are offsets in the text that states it, half-open.
    """

    kind: ValueKind
    readings: frozenset[str]
    start: int
    end: int

    def agrees_with(self, other: "Value") -> bool:
        """True for the same kind and a shared reading; a bare number also agrees with what counts something."""
        if self.kind == other.kind:
            return bool(self.readings & other.readings)
        if ValueKind.NUMBER in (self.kind, other.kind) and ValueKind.DATE not in (self.kind, other.kind):
            return bool(_magnitudes(self) & _magnitudes(other))
        return False

    def covers(self, other: "Value") -> bool:
        """True if they agree, or ``self`` is the year or the month of the date ``other``."""
        if self.agrees_with(other):
            return True
        if other.kind != ValueKind.DATE or self.kind not in (ValueKind.DATE, ValueKind.NUMBER):
            return False
        wide = {reading for reading in self.readings if re.fullmatch(r"(?:19|20)\d\d(?:-\d\d)?", reading)}
        return any(date.startswith(f"{reading}-") for reading in wide for date in other.readings)


def _magnitudes(value: Value) -> frozenset[str]:
    return frozenset(reading.split()[-1] if value.kind == ValueKind.AMOUNT else reading.split()[0]
                     for reading in value.readings)  # fmt: skip


_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sept sep", "october oct", "november nov", "december dec"), 1)
    for name in names.split()
}  # fmt: skip
_UNIT_WORDS = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen"""
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {name: 10 * n for n, name in enumerate(_TEN_WORDS.split(), 2)}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_SMALL = {name: n for n, name in enumerate(_UNIT_WORDS.split())} | _TENS
_CODES = "USD EUR GBP JPY CHF CAD AUD CNY"
_CURRENCIES = {code: code for code in _CODES.split()} | {
    "$": "USD", "US$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "C$": "CAD", "RMB": "CNY",
}  # fmt: skip
_CURRENCY_WORDS = {"dollar": "USD", "euro": "EUR", "pound": "GBP", "yen": "JPY", "franc": "CHF"}

_MONTH = "(?P<{0}>" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_NUMERAL = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_WORD_NUMBER = "(?:" + "|".join([*_SMALL, *_SCALES]) + ")"
_SPELLED = rf"{_WORD_NUMBER}(?:(?:\s+and\s+|[\s-]+){_WORD_NUMBER})*"

_DATES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], frozenset[str]]], ...]


def _day(year: int, month: int, day: int) -> set[str]:
    return {f"{year:04d}-{month:02d}-{day:02d}"} if 1 <= month <= 12 and 1 <= day <= 31 else set()


def _century(year: str) -> int:
    return int(year) if len(year) == 4 else (2000 if int(year) < 70 else 1900) + int(year)


def _named(match: re.Match[str]) -> frozenset[str]:
    month = _MONTHS[match["month"].lower()]
    return frozenset(_day(int(match["year"]), month, int(match["day"])))


def _month_only(match: re.Match[str]) -> frozenset[str]:
    return frozenset({f"{int(match['year']):04d}-{_MONTHS[match['month'].lower()]:02d}"})


def _iso(match: re.Match[str]) -> frozenset[str]:
    return frozenset(_day(int(match["year"]), int(match["month"]), int(match["day"])))


def _slashed(match: re.Match[str]) -> frozenset[str]:
    first, second, year = int(match["a"]), int(match["b"]), _century(match["year"])
    return frozenset(_day(year, first, second) | _day(year, second, first))


_DATES = (
    (re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})\b"), _iso),
    (re.compile(r"\b(?P<a>\d{1,2})[/.](?P<b>\d{1,2})[/.](?P<year>\d{4}|\d{2})\b"), _slashed),
    (re.compile(rf"\b{_MONTH.format('month')}\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year>\d{{4}})\b", re.I),
     _named),
    (re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:day\s+of\s+)?{_MONTH.format('month')},?\s+"
                r"(?P<year>\d{4})\b", re.I), _named),
    (re.compile(rf"\b{_MONTH.format('month')},?\s+(?P<year>\d{{4}})\b", re.I), _month_only),
)  # fmt: skip
_AMOUNT_BEFORE = re.compile(
    rf"(?P<unit>US\$|C\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|RMB|CNY))\s?(?P<number>{_NUMERAL})"
    r"(?:\s(?P<scale>thousand|million|billion)\b)?"
)
_AMOUNT_AFTER = re.compile(
    rf"\b(?P<number>{_NUMERAL})(?:\s(?P<scale>thousand|million|billion))?\s"
    r"(?P<unit>USD|EUR|GBP|JPY|CHF|CAD|AUD|RMB|CNY|(?:US\s)?dollars?|euros?|pounds?|yen|francs?)\b",
    re.I,
)
_PERCENT = re.compile(
    rf"\b(?:(?P<number>{_NUMERAL})\s?(?:%|per\s?cent\b)|(?P<spelled>{_SPELLED})\s+per\s?cent\b)", re.I
)
_DURATION = re.compile(
    rf"\b(?:(?P<spelled>{_SPELLED})\s*(?:\(\s*\d+\s*\)\s*)?|(?P<number>\d+)\s*(?:\(\s*[a-z-]+\s*\)\s*)?)[\s-]*"
    r"(?:calendar\s+|business\s+|working\s+|consecutive\s+)?(?P<unit>day|week|month|year|hour)s?\b['’]?",
    re.I,
)
_NUMBER = re.compile(rf"(?<![\w.,/-])(?:{_NUMERAL})(?![\w]|[.,/-]\d)")
_SPELLED_NUMBER = re.compile(rf"\b{_SPELLED}\b", re.I)


def spelled_number(text: str) -> int | None:
    """The number that English words spell ("two hundred and fifty"); None for what is not one."""
    total = current = 0
    for word in re.split(r"[\s-]+", text.lower().replace(" and ", " ")):
        if word in _SMALL:
            current += _SMALL[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        elif word in _SCALES:
            total += max(current, 1) * _SCALES[word]
            current = 0
        else:
            return None
    return total + current


def decimal_of(numeral: str) -> Decimal | None:
    """The number that digits with thousands separators write; None for what is not one."""
    try:
        return Decimal(numeral.replace(",", ""))
    except InvalidOperation:
        return None


def plain(number: Decimal) -> str:
    """Without exponent and without zeros at the end of a fraction."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def values(text: str) -> tuple[Value, ...]:
    """The values stated, in order, none inside another: dates first, then amounts, percentages, durations, numbers."""
    taken = bytearray(len(text))
    found: list[Value] = []
    for value in _candidates(text):
        if value.readings and not any(taken[value.start : value.end]):
            taken[value.start : value.end] = b"\1" * (value.end - value.start)
            found.append(value)
    return tuple(sorted(found, key=lambda value: value.start))


def _candidates(text: str) -> Iterator[Value]:
    for pattern, read in _DATES:
        for match in pattern.finditer(text):
            yield Value(ValueKind.DATE, read(match), match.start(), match.end())
    for match in [*_AMOUNT_BEFORE.finditer(text), *_AMOUNT_AFTER.finditer(text)]:
        yield Value(ValueKind.AMOUNT, _amount(match), match.start(), match.end())
    for match in _PERCENT.finditer(text):
        yield Value(ValueKind.PERCENT, _count(match), match.start(), match.end())
    for match in _DURATION.finditer(text):
        readings = frozenset(f"{count} {match['unit'].lower()}" for count in _count(match))
        yield Value(ValueKind.DURATION, readings, match.start(), match.end())
    for match in _NUMBER.finditer(text):
        number = decimal_of(match.group())
        yield Value(ValueKind.NUMBER, frozenset() if number is None else frozenset({plain(number)}), *match.span())
    for match in _SPELLED_NUMBER.finditer(text):
        number_spelled = spelled_number(match.group())
        if number_spelled is not None and number_spelled > 1:
            yield Value(ValueKind.NUMBER, frozenset({str(number_spelled)}), *match.span())


def _count(match: re.Match[str]) -> frozenset[str]:
    if match["number"]:
        number = decimal_of(match["number"])
        return frozenset() if number is None else frozenset({plain(number)})
    spelled = spelled_number(match["spelled"])
    return frozenset() if spelled is None else frozenset({str(spelled)})


def _amount(match: re.Match[str]) -> frozenset[str]:
    number = decimal_of(match["number"])
    if number is None:
        return frozenset()
    scale = _SCALES.get((match["scale"] or "").lower(), 1)
    unit = match["unit"]
    word = unit.lower().removeprefix("us").strip().rstrip("s")
    currency = _CURRENCIES.get(unit) or _CURRENCIES.get(unit.upper()) or _CURRENCY_WORDS.get(word, unit.upper())
    return frozenset({f"{currency} {plain(number * scale)}"})
