"""How what OCR read of a line differs from what the line's text says: a confident disagreement, told from noise.

Two texts are laid beside each other character by character, so that words which the engine parts or joins agree.
Characters that look alike in print are one (``0`` and ``O``); case and punctuation say nothing. What is left counts
only where the engine is sure, and by how far it is from the words that it stands for.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from verify.domain.look import Misread

_FAR = 0.7
"""Likeness (0-1) under which two words are different words and no misprint of one another."""
_SHORT = 4
"""Characters: in a word as short as this one character decides ("now", "not")."""
_ALIKE = str.maketrans({
    "0": "o", "q": "g", "1": "l", "i": "l", "|": "l", "!": "l", "j": "l", "ı": "l", "§": "s", "5": "s", "8": "b",
    "ß": "b", "µ": "u", "v": "u", "y": "u", "ﬁ": "fi", "2": "z", "€": "e", "£": "e",
})  # fmt: skip
"""By how the engine takes one for the other in clean print, both ways."""


class ReadWord(NamedTuple):
    """A word that the engine read; ``confidence`` 0-1000."""

    text: str
    confidence: int


def disagreements(said: Sequence[tuple[int, str]], read: Sequence[ReadWord], sure: int) -> Iterator[Misread]:
    """``said``: indexes and texts of a line's words, neighbours in the page's words; ``read``: what the engine read.
    Every word that disagrees has at least the confidence ``sure`` (0-1000)."""
    ours, owners = _characters([text for _, text in said])
    theirs, readers = _characters([word.text for word in read])
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        first, end = _whole(owners, a, b)
        begin, last = _whole(readers, c, d)
        if any(word.confidence < sure for word in read[begin:last]):
            continue
        found = _judged(said, read[begin:last], (first, end))
        if found is not None:
            yield found


def _characters(words: Sequence[str]) -> tuple[str, list[int]]:
    """Letters and digits, each as the one of its look-alikes that stands for all, and the word that each is of."""
    folded = [_folded(word) for word in words]
    return "".join(folded), [n for n, word in enumerate(folded) for _ in word]


def _folded(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word).casefold()
    return "".join(c for c in plain.translate(_ALIKE) if c.isalnum())


def _whole(owners: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The half-open range of words that characters ``start`` to ``end`` are of; an empty one stands between words."""
    if start < end:
        return owners[start], owners[end - 1] + 1
    if 0 < start < len(owners) and owners[start - 1] == owners[start]:
        return owners[start], owners[start] + 1
    at = owners[start] if start < len(owners) else (owners[-1] + 1 if owners else 0)
    return at, at


def _judged(said: Sequence[tuple[int, str]], words: Sequence[ReadWord], ours: tuple[int, int]) -> Misread | None:
    seen = " ".join(word.text for word in words)
    stated = "".join(text for _, text in said[ours[0] : ours[1]])
    if not _is_another(stated, "".join(word.text for word in words)):
        return None
    first = said[ours[0]][0] if ours[0] < len(said) else said[-1][0] + 1
    end = said[ours[1] - 1][0] + 1 if ours[0] < ours[1] else first
    return Misread(first, end, seen)


def _is_another(stated: str, seen: str) -> bool:
    """True if the second can't be a misprint of the first."""
    one, other = _folded(stated), _folded(seen)
    if one == other or not other:
        return False
    digits, shown = _digits(stated), _digits(seen)
    if digits or shown:
        return bool(digits and shown and len(digits) == len(shown) and digits != shown) or not one
    if not one:
        return len(other) >= 2
    if max(len(one), len(other)) <= _SHORT:
        return len(one) > 1 and len(other) > 1
    return SequenceMatcher(None, one, other, autojunk=False).ratio() < _FAR


def _digits(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isdigit())
