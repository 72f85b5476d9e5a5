"""Words as they are printed, for phrases, wildcards and nearness: case folded, nothing stemmed, nothing left out.

One function serves passages and queries. A run of letters and digits is a word ("7.2(b)" is three), and so is each sign
of a script that puts no spaces between words.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

VERSION = "pincite-literal-1"
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_PARTED = re.compile(r"-\n(?=[^\W\d_])")
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")


def words(text: str) -> list[str]:
    """In reading order."""
    return [word for word, _, _ in placed(text)]


def placed(text: str) -> Iterator[tuple[str, int, int]]:
    """Each word with its place in ``text``, half-open."""
    for match in _WORD.finditer(text):
        yield _folded(match[0]), match.start(), match.end()


def parted(text: str) -> Iterator[tuple[int, str]]:
    """The number of the first of two words that a hyphen at a line's end parts, and the two as one word."""
    if "-\n" not in text:
        return
    found = [(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    for number, ((first, _, end), (second, start, _)) in enumerate(pairwise(found)):
        if text[end:start] == "-\n" and _PARTED.match(text, end):
            yield number, _folded(first + second)


def _folded(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", _UNSEEN.sub("", word)).casefold()
