"""Words as lawyers search them: section numbers, money, citations and Bates numbers stay whole beside their parts.

One function serves passages and queries, so both always agree. ``VERSION`` names its rules; an index made under another
version is made anew.
"""

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

VERSION = "pincite-tokens-1"

# In order: the first pattern that matches at a place takes it.
_TOKEN = re.compile(
    r"""
      (?P<percent>\d[\d,]*(?:\.\d+)?%)                                              # 12.4%
    | (?P<section>\d+(?:\.\d+)+(?:\([a-z0-9]{1,4}\))*|\d+(?:\([a-z0-9]{1,4}\))+)  # 7.2(b), 12(b)(6), 1.10
    | (?P<money>[$€£¥]\s?\d[\d,]*(?:\.\d+)?)                                      # $1,250,000.00
    | (?P<bates>[a-z]{2,12}[-_]?\d{4,10}(?![\w]))                                  # ABC000123, ABC-000123
    | (?P<number>\d[\d,]*(?:\.\d+)?)                                               # 1,250,000
    | (?P<sign>[§¶]+)
    | (?P<acronym>(?:[a-z]\.){2,})                                                 # u.s.  l.l.c.
    | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)
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


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Snowball (Porter 2) stem of a lower-case word; words in another alphabet come back unchanged."""
    return str(_STEMMER.stemWord(word))


def tokens(text: str) -> list[str]:
    """Index terms of ``text`` in reading order, stop words left out.

    A compound gives itself and its parts: "7.2(b)" also gives "7.2", "30-day" gives "30" and "day", "$1,250,000.00"
    gives "1250000" too, so that a query finds either way of writing.
    """
    folded = unicodedata.normalize("NFKC", text).lower()
    found: list[str] = []
    for match in _TOKEN.finditer(folded):
        found.extend(_terms(match.lastgroup or "word", match.group()))
    return found


@lru_cache(maxsize=200_000)
def _terms(kind: str, raw: str) -> tuple[str, ...]:
    return tuple(_made(kind, raw))


def _made(kind: str, raw: str) -> list[str]:
    if kind == "word":
        return _word_terms(raw)
    if kind == "section":
        stripped = raw.split("(", 1)[0]
        return [raw, stripped] if stripped != raw else [raw]
    if kind == "money":
        return _number_terms(raw.replace(" ", ""), raw.lstrip("$€£¥ "))
    if kind == "percent":
        return _number_terms(raw, raw[:-1])
    if kind == "number":
        return _number_terms(raw.rstrip(","), raw.rstrip(","))
    if kind == "sign":
        return [raw[0]]
    if kind == "acronym":
        return [raw.replace(".", "")]
    return [raw.replace("-", "").replace("_", "")]


def _word_terms(raw: str) -> list[str]:
    word = raw.replace("’", "'")
    word = word.removesuffix("'s")
    if word in STOP_WORDS:
        return []
    return [stem(word.replace("'", ""))]


def _number_terms(whole: str, digits: str) -> list[str]:
    plain = digits.replace(",", "")
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return [plain] if plain == whole else [plain, whole]
