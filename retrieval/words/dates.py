"""Dates as one term, however they are written."""

import re
from collections.abc import Iterator

_NAMES = [
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
]  # fmt: skip
MONTHS = {name[:length]: month for month, name in enumerate(_NAMES, 1) for length in (len(name), 3)}
MONTHS["sept"] = 9
_DAY_AND_YEAR = re.compile(r"\.?\s*(\d{1,2})(?:st|nd|rd|th)?\s*,?\s+(\d{4})(?!\d)")
_DAY_BEFORE = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?:\s+day)?(?:\s+of)?\s+$")
_YEAR = re.compile(r"\.?[\s,]{1,3}(\d{4})(?!\d)")
_FIGURES = re.compile(
    r"(?<![\w/.-])(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})|(\d{1,2})\.(\d{1,2})\.(\d{4}))"
    r"(?![\w/-]|\.\d)"
)
_WITH_HYPHENS = re.compile(r"(?<![\w/.-])(\d{1,2})-([a-z]{3,9})-(\d{4})(?!\d)")
_BEFORE = 24
"""Characters before a month in which its day stands: "5th day of "."""
_CENTURY = 50
"""Two figures below it are a year after 2000."""


def date_in_words(text: str, start: int, end: int) -> Iterator[str]:
    """``2019-01-05`` if the month at ``text[start:end]``, in lower case, has a day and a year beside it."""
    month = MONTHS[text[start:end]]
    if after := _DAY_AND_YEAR.match(text, end):
        yield from _term(int(after[2]), month, int(after[1]))
    elif year := _YEAR.match(text, end):
        before = _DAY_BEFORE.search(text[max(start - _BEFORE, 0) : start])
        if before:
            yield from _term(int(year[1]), month, int(before[1]))


def date_in_figures(text: str, start: int) -> Iterator[str]:
    """The same for a date that begins at ``start``; both readings of one that may have the day or the month first."""
    match = _WITH_HYPHENS.match(text, start)
    if match is not None and match[2] in MONTHS:
        yield from _term(int(match[3]), MONTHS[match[2]], int(match[1]))
    match = _FIGURES.match(text, start)
    if match is None:
        return
    parts = [int(part) for part in match.groups() if part is not None]
    if match[1]:
        yield from _term(*parts)
        return
    one, other, year = parts
    year += 0 if year >= 100 else 2000 if year < _CENTURY else 1900
    yield from dict.fromkeys((*_term(year, one, other), *_term(year, other, one)))


def _term(year: int, month: int, day: int) -> Iterator[str]:
    if 1 <= month <= 12 and 1 <= day <= 31:
        yield f"{year:04}-{month:02}-{day:02}"
