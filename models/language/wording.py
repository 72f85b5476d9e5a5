"""Words as answering and triage compare them: lower case, stemmed, without the words that carry no content."""

import math
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Protocol, cast

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

_STOP_WORDS = """
    a about above after again all also am an and any are as at be because been before being below between both but by
    can could did do does doing down during each few for from further had has have having he her here hers him his how i
    if in into is it its itself just may me might more most must my no nor not of off on once only or other our out over
    own same shall she should so some such than that the their them then there these they this those through to too
    under up us very was we were what when where which while who whom whose why will with would you your
    hereby herein hereof hereto hereunder thereby therein thereof thereto thereunder whereas"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English function words, and the legal adverbs that point without saying anything."""


_VOCABULARY = Path(__file__).with_name("bert_uncased_vocab.txt")
_FIRST_WORD, _COMMONEST = 1996, 100
"""The line of "the", before which stand signs; and how many words count as about equally common."""


_LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


def letters(text: str) -> str:
    """Ligatures as letters: for comparing and reading, never for quoting."""
    return text if text.isascii() else text.translate(_LIGATURES)


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 (the library's own name)


@lru_cache(maxsize=1)
def _stemmer() -> _Stemmer:
    import snowballstemmer

    return cast(_Stemmer, snowballstemmer.stemmer("english"))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The Snowball (English) stem of one lower-case word; what is not all letters stays as it is."""
    return _stemmer().stemWord(word) if word.isalpha() else word


def words(text: str) -> list[str]:
    """Lower-case words in order; a possessive 's is dropped, ligatures are letters."""
    return [re.sub(r"['’]s$", "", match.group().lower()) for match in _WORD.finditer(letters(text))]


def stems(text: str) -> list[str]:
    """Stems of the content words in order, repeated ones too."""
    return [stem(word) for word in words(text) if word not in STOP_WORDS]


def stem_set(texts: Iterable[str]) -> frozenset[str]:
    """All stems of the content words of some texts."""
    return frozenset(s for text in texts for s in stems(text))


@lru_cache(maxsize=1)
def _places() -> dict[str, int]:
    lines = _VOCABULARY.read_text(encoding="utf-8").splitlines()
    return {word: place for place, word in enumerate(lines[_FIRST_WORD:])}


def rarity(word: str) -> float:
    """How rare a lower-case word is in English, from 0 for "the" to 5.7 for what the vocabulary of BERT (uncased) does
    not hold, which lists whole words by falling frequency: each step of 1 is rarer by a factor of e."""
    places = _places()
    return math.log(1 + places.get(word, len(places)) / _COMMONEST)
