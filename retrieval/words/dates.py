"""Dates as values: one term for a day, one for its month and one for its year, however they are written.

"11 March 2024", "11.03.2024", "3/11/24" and "2024-03-11" give "2024-03-11", "2024-03" and "2024", so that a question
for any of the three finds them. Figures parted by points have the day first everywhere; those parted by strokes or
hyphens have the month first in the United States and the day first elsewhere, and give both readings where both are
dates.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAMES = (
    "january|januar|janvier|enero february|februar|février|febrero march|märz|mars|marzo april|avril|abril may|mai|mayo"
    " june|juni|juin|junio july|juli|juillet|julio august|août|agosto september|septembre|septiembre"
    " october|oktober|octobre|octubre november|novembre|noviembre december|dezember|décembre|diciembre"
)
"""English, German, French and Spanish, month by month."""
MONTHS = {name: month for month, names in enumerate(_NAMES.split(), 1) for name in names.split("|")}
MONTHS |= {names.split("|")[0][:3]: month for month, names in enumerate(_NAMES.split(), 1)} | {"sept": 9}
_ORDINALS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third
    twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"""
_DAYS = {word: day for day, word in enumerate(_ORDINALS.split(), 1)}
_DAY = rf"(?:(\d{{1,2}})(?:st|nd|rd|th|er|\.)?|(?<![\w-])({'|'.join(sorted(_DAYS, key=len, reverse=True))}))"
_DAY_AND_YEAR = re.compile(rf"\.?\s*(?:the\s+)?{_DAY}\s*,?\s+(\d{{4}})(?!\d)")
_DAY_BEFORE = re.compile(rf"(?<![\d.,$€£]){_DAY}(?:\s+day)?(?:\s+(?:of|de))?\s+$")
_YEAR = re.compile(r"\.?(?:[\s,]{1,3}|\s+(?:of|de)\s+)(\d{4})(?!\d)")
_FIGURES = re.compile(
    r"(?<![\w/.-])(?:(\d{4})([-/])(\d{1,2})\2(\d{1,2})|(\d{1,2})([/-])(\d{1,2})\6(\d{4}|\d{2})"
    r"|(\d{1,2})\.(\d{1,2})\.(\d{4}))(?![\w/-]|\.\d)|(?<!\d)(\d{4})年(\d{1,2})月(?:(\d{1,2})日)?"
)
_WITH_HYPHENS = re.compile(r"(?<![\w/.-])(\d{1,2})-([^\W\d_]{3,9})-(\d{4}|\d{2})(?!\d)")
_BEFORE = 32
"""Characters before a month in which its day stands: "twenty-second day of "."""
_CENTURY = 50
"""Two figures below it are a year after 2000."""


class Dated(NamedTuple):
    """A date in a text, half-open. ``readings`` are ISO days, or one month ("2024-03") where no day is given."""

    start: int
    end: int
    readings: tuple[str, ...]


def date_in_words(text: str, start: int, end: int) -> Iterator[str]:
    """The terms of the date whose month stands at ``text[start:end]``, in lower case; none without a year beside it."""
    found = _in_words(text, start, end)
    if found is not None:
        yield from _terms(found, written_year=True)


def date_in_figures(text: str, start: int) -> Iterator[str]:
    """The terms of a date that begins at ``start``; of both readings of one that may have the day or the month
    first."""
    found = _in_figures(text, start)
    if found is not None:
        yield from _terms(found, written_year=False)


def dates_in(text: str) -> Iterator[Dated]:
    """All dates of a text, in order."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that is two in lower case would shift every place
        return
    end = 0
    for match in re.finditer(r"[^\W\d_]+|\d+", lowered):
        if match.start() < end:
            continue
        found = None
        if match[0] in MONTHS:
            found = _in_words(lowered, match.start(), match.end())
        elif match[0].isdigit():
            found = _in_figures(lowered, match.start())
        if found is not None:
            yield found
            end = found.end


def _in_words(text: str, start: int, end: int) -> Dated | None:
    month = MONTHS[text[start:end]]
    if after := _DAY_AND_YEAR.match(text, end):
        return _dated(start, after.end(), ((int(after[3]), month, _day(after[1], after[2])),))
    year = _YEAR.match(text, end)
    if year is None:
        return None
    begin = max(start - _BEFORE, 0)
    before = _DAY_BEFORE.search(text[begin:start])
    if before is None:
        return Dated(start, year.end(), (f"{year[1]}-{month:02}",))
    return _dated(begin + before.start(), year.end(), ((int(year[1]), month, _day(before[1], before[2])),))


def _day(figures: str | None, word: str | None) -> int:
    return int(figures) if figures else _DAYS[word or ""]


def _in_figures(text: str, start: int) -> Dated | None:
    match = _WITH_HYPHENS.match(text, start)
    if match is not None and match[2] in MONTHS:
        return _dated(start, match.end(), ((_whole(match[3]), MONTHS[match[2]], int(match[1])),))
    match = _FIGURES.match(text, start)
    if match is None:
        return None
    if match[1]:
        return _dated(start, match.end(), ((int(match[1]), int(match[3]), int(match[4])),))
    if match[9]:
        return _dated(start, match.end(), ((int(match[11]), int(match[10]), int(match[9])),))
    if match[12]:
        if match[14]:
            return _dated(start, match.end(), ((int(match[12]), int(match[13]), int(match[14])),))
        return Dated(start, match.end(), (f"{match[12]}-{int(match[13]):02}",))
    one, other, year = int(match[5]), int(match[7]), _whole(match[8])
    return _dated(start, match.end(), ((year, one, other), (year, other, one)))


def _whole(year: str) -> int:
    if len(year) == 4:
        return int(year)
    return int(year) + (2000 if int(year) < _CENTURY else 1900)


def _dated(start: int, end: int, readings: tuple[tuple[int, int, int], ...]) -> Dated | None:
    days = [f"{y:04}-{m:02}-{d:02}" for y, m, d in readings if 1 <= m <= 12 and 1 <= d <= 31]
    return Dated(start, end, tuple(dict.fromkeys(days))) if days else None


def _terms(found: Dated, *, written_year: bool) -> Iterator[str]:
    """Each reading, its month, and its year where that is no word of its own in the text."""
    terms = dict.fromkeys(found.readings)
    terms |= dict.fromkeys(reading[:7] for reading in found.readings)
    if not written_year:
        terms |= dict.fromkeys(reading[:4] for reading in found.readings)
    yield from terms
