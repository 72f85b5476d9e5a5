"""Values that a sentence states: dates, amounts, percentages, numbers, durations. Compared by meaning, not by spelling.

Numbers in digits, their currencies and scales are read by ``verify.numbers``, as everywhere; what is spelled out is
read here. A value that can be read in two ways ("03/04/2021") has two readings; two values agree if they share one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NamedTuple

from models.language.wording import letters
from verify.currencies import DOLLAR, PERCENT, currency
from verify.numbers import Quantity, parse_number, quantities


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
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000,
           "trillion": 1_000_000_000_000}  # fmt: skip
_SMALL = {name: n for n, name in enumerate(_UNIT_WORDS.split())} | _TENS
_NAMED = {"pound": "GBP", "pounds": "GBP", "franc": "CHF", "francs": "CHF"}
"""Currencies that are not named whole: also a weight, and several countries' coin, so that the gate reads neither."""

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
    (re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:(?:day\s+)?of\s+)?{_MONTH.format('month')},?\s+"
                r"(?P<year>\d{4})\b", re.I), _named),
    (re.compile(rf"\b{_MONTH.format('month')},?\s+(?P<year>\d{{4}})\b", re.I), _month_only),
)  # fmt: skip
_SCALE = r"thousand|million|billion|trillion"
_MONEY = (
    r"(?P<unit>USD|EUR|GBP|JPY|CHF|CAD|AUD|RMB|CNY|(?:(?:US|U\.\s?S\.|Swiss|British|American)\s)?"
    r"(?:dollars?|euros?|pounds?|yen|francs?))\b"
)
_AMOUNT_SPELLED = re.compile(rf"\b(?P<spelled>{_SPELLED})\s+{_MONEY}", re.I)
_HALF = rf"(?P<whole>{_SPELLED})\s+and\s+(?:a|one)[\s-]half"
_PERCENT = re.compile(
    rf"\b(?:(?P<number>{_NUMERAL})\s?(?P<of>basis\s+points?\b|bps\b)|"
    rf"(?:(?P<spelled>{_SPELLED})|{_HALF})\s+(?P<too>per\s?cent\b|basis\s+points?\b))", re.I
)  # fmt: skip
_DURATION = re.compile(
    rf"\b(?:(?P<spelled>{_SPELLED})\s*(?:\(\s*\d+\s*\)\s*)?|(?P<number>\d+)\s*(?:\(\s*[a-z-]+\s*\)\s*)?)[\s-]*"
    r"(?:calendar\s+|business\s+|working\s+|consecutive\s+)?(?P<unit>day|week|month|year|hour)s?\b['’]?",
    re.I,
)
_FRACTION = re.compile(
    r"\b(?P<count>one|two|three|four|five|a)(?:-(?P<part>half|third|quarter|fifth)s?\b|"
    r"\s(?P<of>half|third|quarter|fifth)s?(?=\s+of\b))|\b(?P<dozen>a\s+dozen)\b", re.I
)  # fmt: skip
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5}
_HALVES = re.compile(rf"\b{_HALF}(?:\s+(?P<scale>{_SCALE}))?\b", re.I)
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


def decimal_of(reading: str) -> Decimal | None:
    """The number of a reading; None for what is not one ("2/3")."""
    try:
        return Decimal(reading)
    except InvalidOperation:
        return None


def plain(number: Decimal) -> str:
    """Without exponent and without zeros at the end of a fraction."""
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def values(text: str) -> tuple[Value, ...]:
    """The values stated, in order, none inside another: dates first, then amounts, percentages, durations, numbers."""
    spelled = letters(text)
    if len(spelled) == len(text):
        return _values(text)
    places = [place for place, sign in enumerate(text) for _ in letters(sign)]
    return tuple(v._replace(start=places[v.start], end=places[v.end - 1] + 1) for v in _values(spelled))


def is_reckoned(value: Value, stated: Sequence[Value]) -> bool:
    """Whether the value is the sum or the difference of two that are stated: no sentence denies it by not saying it."""
    wanted = _measures(value)
    known = [measure for other in stated if other.kind is value.kind for measure in _measures(other)]
    return any(
        unit == first[0] == second[0] and amount in (abs(first[1] - second[1]), first[1] + second[1])
        for unit, amount in wanted
        for n, first in enumerate(known)
        for second in known[n + 1 :]
    )


def _measures(value: Value) -> list[tuple[str, Decimal]]:
    """(unit, number) of each reading that has a number."""
    found = []
    for reading in sorted(value.readings):
        digits = [(part, decimal_of(part)) for part in reading.split()]
        numbers = [number for _, number in digits if number is not None]
        if len(numbers) == 1:
            found.append((" ".join(part for part, number in digits if number is None), numbers[0]))
    return found


def without_values(text: str, stated: Sequence[Value]) -> str:
    """The text with a space in the place of each of its values."""
    for value in reversed(stated):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def in_small_letters(text: str, stated: Iterable[Value]) -> str:
    """The text with these of its values in small letters, so that they are no names."""
    for value in stated:
        text = text[: value.start] + text[value.start : value.end].lower() + text[value.end :]
    return text


def _values(text: str) -> tuple[Value, ...]:
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
    found = list(quantities(text))
    for one in found:
        if unit := _currency_of(one):
            end = one.end if one.unit else text.index(one.word or "", one.end) + len(one.word or "")
            readings = frozenset(f"{unit} {plain(v)}" for v in one.readings)
            yield Value(ValueKind.AMOUNT, readings, one.start, end)
    for match in _AMOUNT_SPELLED.finditer(text):
        yield Value(ValueKind.AMOUNT, _amount(match), match.start(), match.end())
    for one in found:
        if one.unit == PERCENT:
            yield _stated(ValueKind.PERCENT, one, map(plain, one.readings))
    for match in _PERCENT.finditer(text):
        yield Value(ValueKind.PERCENT, _percent(match), match.start(), match.end())
    for match in _DURATION.finditer(text):
        readings = frozenset(f"{count} {match['unit'].lower()}" for count in _count(match))
        yield Value(ValueKind.DURATION, readings, match.start(), match.end())
    yield from _bare_numbers(text, found)


def _bare_numbers(text: str, found: Iterable[Quantity]) -> Iterator[Value]:
    for match in _HALVES.finditer(text):
        number = _and_a_half(match["whole"])
        scaled = number and plain(number * _SCALES.get((match["scale"] or "").lower(), 1))
        yield Value(ValueKind.NUMBER, frozenset({scaled} if scaled else ()), *match.span())
    for match in _FRACTION.finditer(text):
        yield Value(ValueKind.NUMBER, frozenset({_fraction(match)}), *match.span())
    for one in found:
        yield _stated(ValueKind.NUMBER, one, map(plain, one.readings))
    for match in _SPELLED_NUMBER.finditer(text):
        number_spelled = spelled_number(match.group())
        if number_spelled is not None and number_spelled > 1:
            yield Value(ValueKind.NUMBER, frozenset({str(number_spelled)}), *match.span())


def _currency_of(one: Quantity) -> str | None:
    """A bare dollar is that of the United States here; the gate asks the document which it is."""
    if one.unit is None:
        return _NAMED.get((one.word or "").lower())
    return "USD" if one.unit == DOLLAR else None if one.unit == PERCENT else one.unit


def _stated(kind: ValueKind, one: Quantity, readings: Iterable[str]) -> Value:
    return Value(kind, frozenset(readings), one.start, one.end)


def _fraction(match: re.Match[str]) -> str:
    """ "2/3"; a dozen is 12."""
    if match["dozen"]:
        return "12"
    return f"{_SMALL.get(match['count'].lower(), 1)}/{_PARTS[(match['part'] or match['of']).lower()]}"


def _and_a_half(whole: str) -> Decimal | None:
    number = spelled_number(whole)
    return None if number is None else number + Decimal("0.5")


def _percent(match: re.Match[str]) -> frozenset[str]:
    """A basis point is a hundredth of a percent."""
    half = _and_a_half(match["whole"]) if match["whole"] else None
    found = _count(match) if half is None else frozenset({plain(half)})
    if (match["of"] or match["too"])[0].lower() != "b":
        return found
    return frozenset(plain(Decimal(number) / 100) for number in found)


def _count(match: re.Match[str]) -> frozenset[str]:
    if match["number"]:
        number = parse_number(match["number"])
        return frozenset() if number is None else frozenset({plain(number)})
    spelled = spelled_number(match["spelled"])
    return frozenset() if spelled is None else frozenset({str(spelled)})


def _amount(match: re.Match[str]) -> frozenset[str]:
    """An amount whose number is spelled out."""
    number, unit = spelled_number(match["spelled"]), match["unit"]
    if number is None:
        return frozenset()
    code = currency(unit) or currency(unit.upper()) or _NAMED.get(unit.lower().split()[-1]) or unit.upper()
    return frozenset({f"{'USD' if code == DOLLAR else code} {number}"})
