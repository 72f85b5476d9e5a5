"""Words as lawyers search them: section numbers, money, citations and Bates numbers stay whole beside their parts.

One function serves passages and queries, so both always agree. ``VERSION`` names its rules; an index made under another
version is made anew.
"""

import re
import unicodedata
from collections.abc import Iterator
from decimal import Decimal
from enum import Enum
from functools import lru_cache

import snowballstemmer

from retrieval.words.dates import MONTHS, date_in_figures, date_in_words
from retrieval.words.forms import NUMBERS, base, plain_letters

VERSION = "pincite-tokens-4"

# In order: the first pattern that matches at a place takes it.
_TOKEN = re.compile(
    r"""
      (?P<percent>\d[\d,]*(?:\.\d+)?%)                                              # 12.4%
    | (?P<statute>\d+(?:\.\d+)*(?!(?:st|nd|rd|th)\b)[a-z]{1,2}(?:-\d+[a-z]?)?(?![\w]))  # 10b-5, 240.10b-5, 409a
    | (?P<section>\d+(?:\.\d+)+(?:\s?\([a-z0-9]{1,4}\))*|\d+(?:\([a-z0-9]{1,4}\))+)  # 7.2(b), 12(b)(6), 1.10
    | (?P<money>[$€£¥]\s?\d[\d,]*(?:\.\d+)?)                                      # $1,250,000.00
    | (?P<bates>[a-z]{2,12}[-_]?\d{4,10}(?![\w]))                                  # ABC000123, ABC-000123
    | (?P<number>\d[\d,]*(?:\.\d+)?)                                               # 1,250,000
    | (?P<sign>[§¶]+)
    | (?P<acronym>(?:[a-z]\.\ ?){2,})                                              # u.s.  l.l.c.  u. s.
    | (?P<word>[^\W\d_]+(?:(?:['’]|-\n?|\ ?&\ ?)[^\W\d_]+)*)                       # o'brien, non-compete, at&t
    """,
    re.VERBOSE,
)
# Snowball's English list without the words that carry meaning in a clause (no, not, only, before, after …), and with
# those that lawyers' questions are made of.
_STOP_WORDS = """
    a about am an and any are as at be been being but by can could did do does doing for from had has have having he her
    here hers him his how i if in into is it its itself let me my of on or our ours please she should so some such than
    that the their theirs them then there these they this those to too us was we were what when where which who whom why
    will with would you your yours tell show find give explain describe
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
_STEMMER = snowballstemmer.stemmer("english")


_STATUTE_PARTS = re.compile(r"[\d.]+|[a-z]+")
_PLAIN_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SCALE = re.compile(r"[\s-]?(?:(hundred|thousand|million|billion|trillion)|(k|mm?|bn?))\b")
_POWERS = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_POWERS |= {"k": 3, "m": 6, "mm": 6, "b": 9, "bn": 9}
_UNIT = re.compile(r"\)?[-\s]+(?:(?:calendar|business|working|trading|consecutive)\s+)?(day|week|month|year|hour)s?\b")
_UNSEEN = (("\N{SOFT HYPHEN}", ""), ("\N{ZERO WIDTH SPACE}", ""), ("\N{HYPHEN}", "-"))
_JOINTS = re.compile(r"-\n?|\ ?&\ ?")
_INITIALS = 3
"""Letters at most of what "&" joins to a name: AT&T, R&D."""
_LONG = 3
"""Letters from which on what follows an apostrophe is a word of its own: "O'Brien", "d'Alene", not "don't"."""


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Snowball (Porter 2) stem of a lower-case word's American or regular form (``words.forms``); words in another
    alphabet come back unchanged."""
    return str(_STEMMER.stemWord(base(word)))


def tokens(text: str) -> list[str]:
    """Index terms of ``text`` in reading order, stop words left out; dates are terms of their own.

    A compound gives itself and its parts: "7.2(b)" also gives "7.2", "30-day" gives "30" and "day", "$1,250,000.00"
    gives "1250000" too, "non-compete" "noncompet", so that a query finds either way of writing. A word that is parted
    at the end of a line is such a compound.
    """
    folded = unicodedata.normalize("NFKC", text).lower()
    if not folded.isascii():
        for unseen, shown in _UNSEEN:
            folded = folded.replace(unseen, shown)
    found: list[str] = []
    for match in _TOKEN.finditer(folded):
        raw = match.group()
        terms, leads = _terms(match.lastgroup or "word", raw)
        found += terms
        if leads is not None:
            found += _with_what_follows(folded, match.start(), match.end(), leads)
    return found


class _Leads(Enum):
    """What a word may make one more term with, by what stands beside it."""

    DATE = 1
    AMOUNT = 2


@lru_cache(maxsize=200_000)
def _terms(kind: str, raw: str) -> tuple[tuple[str, ...], _Leads | None]:
    amount = kind in ("money", "number", "section") or raw in NUMBERS
    leads = _Leads.DATE if raw in MONTHS else _Leads.AMOUNT if amount else None
    return tuple(_made(kind, raw)), leads


def _with_what_follows(text: str, start: int, end: int, leads: _Leads) -> Iterator[str]:
    """A date of this month; "30day" of "30 days", the figures of "$1.25 million", a date that begins here."""
    if leads is _Leads.DATE:
        yield from date_in_words(text, start, end)
        return
    raw = text[start:end]
    if unit := _UNIT.match(text, end):
        yield NUMBERS.get(raw, raw.replace(",", "")) + unit[1]
    elif scale := _SCALE.match(text, end):
        yield from _scaled(raw, scale)
    else:
        yield from date_in_figures(text, start)


def _made(kind: str, raw: str) -> list[str]:
    if kind == "word":
        return _word_terms(raw) if raw.isalpha() else _compound_terms(raw)
    if kind == "statute":
        return [raw, *(part for part in _STATUTE_PARTS.findall(raw) if part not in STOP_WORDS)]
    if kind == "section":
        return _section_terms("".join(raw.split()))
    if kind == "money":
        return _number_terms("".join(raw.split()), raw.lstrip("$€£¥ \n"))
    if kind == "percent":
        return _number_terms(raw, raw[:-1])
    if kind == "number":
        return _number_terms(raw.rstrip(","), raw.rstrip(","))
    if kind == "sign":
        return [raw[0]]
    if kind == "acronym":
        return [raw.replace(".", "").replace(" ", "")]
    return _bates_terms(raw)


def _word_terms(raw: str) -> list[str]:
    word = raw.replace("’", "'")
    word = word.removesuffix("'s")
    if word in STOP_WORDS:
        return []
    forms = [word.replace("'", ""), *plain_letters(word.replace("'", ""))]
    if "'" in word and len(last := word.rpartition("'")[2]) >= _LONG:
        forms.append(last)
    terms = [stem(form) for form in dict.fromkeys(forms)]
    return [*terms, NUMBERS[word]] if word in NUMBERS else terms


def _compound_terms(raw: str) -> list[str]:
    """Each part, and where there are two of them with a hyphen both as one word; letters beside "&" only so."""
    parts = _JOINTS.split(raw)
    if "&" in raw and max(map(len, parts)) <= _INITIALS:
        return ["".join(parts)]
    terms = [term for part in parts for term in _word_terms(part)]
    if len(parts) != 2 or "&" in raw:
        return terms
    tens, ones = (int(NUMBERS.get(part, part == "one")) for part in parts)
    if tens >= 20 and 0 < ones < 10:
        return [*terms, str(tens + ones)]
    return [*terms, *_word_terms("".join(parts))]


def _section_terms(raw: str) -> list[str]:
    """ "12(b)(6)" is in "12(b)" and in "12"."""
    ends = [match.start() for match in re.finditer(r"\(", raw)]
    return [raw, *(raw[:end] for end in reversed(ends))]


def _bates_terms(raw: str) -> list[str]:
    """Also letters and figures alone, these with and without leading zeros: "cv-01234" is asked for as "1234"."""
    letters, figures = re.findall(r"[a-z]+|\d+", raw)
    return [letters + figures, *_word_terms(letters), *dict.fromkeys((figures, figures.lstrip("0") or "0"))]


def _number_terms(whole: str, digits: str) -> list[str]:
    plain = digits.replace(",", "")
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return [plain] if plain == whole else [plain, whole]


def _scaled(raw: str, scale: re.Match[str]) -> list[str]:
    """The figures of "$1.25 million"; a letter is a scale behind money only."""
    digits = raw.strip("$€£¥ \n,").replace(",", "")
    if (scale[2] and digits == raw) or not _PLAIN_NUMBER.fullmatch(digits):
        return []
    whole = f"{Decimal(digits).scaleb(_POWERS[scale[1] or scale[2]]):f}"
    return _number_terms(whole, whole)
