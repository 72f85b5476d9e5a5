"""How what OCR read of a line differs from what the line's text says: a confident disagreement, told from noise.

Two texts are laid beside each other character by character, so that words which the engine parts or joins agree.
Characters that look alike in print are one (``0`` and ``O``); case and punctuation say nothing. What is left counts
only where the engine is sure, and by how far it is from the words that it stands for.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
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
    groups = _Groups(len(read))
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            groups.pair(zip(owners[a:b], readers[c:d], strict=True))
        elif tag == "replace":
            groups.pair((x, y) for x in owners[a:b] for y in readers[c:d])
    for mine, others in groups:
        words = read[others.start : others.stop]
        if words and all(word.confidence >= sure for word in words):
            found = _judged(said, words, mine)
            if found is not None:
                yield found


class _Groups:
    """Words of ours and of the engine's that share characters, as ranges of both."""

    def __init__(self, theirs: int) -> None:
        self._linked: list[tuple[int, int]] = []
        self._theirs = theirs

    def pair(self, pairs: Iterable[tuple[int, int]]) -> None:
        self._linked += pairs

    def __iter__(self) -> Iterator[tuple[range, range]]:
        """In order. A word of the engine's that shares nothing has an empty range of ours, where it stands."""
        mine, theirs = range(0), range(0)
        for x, y in sorted(set(self._linked)):
            if x < mine.stop or y < theirs.stop:
                mine, theirs = range(mine.start, max(mine.stop, x + 1)), range(theirs.start, max(theirs.stop, y + 1))
                continue
            yield mine, theirs
            yield from ((range(mine.stop, mine.stop), range(n, n + 1)) for n in range(theirs.stop, y))
            mine, theirs = range(x, x + 1), range(y, y + 1)
        yield mine, theirs
        yield from ((range(mine.stop, mine.stop), range(n, n + 1)) for n in range(theirs.stop, self._theirs))


def _characters(words: Sequence[str]) -> tuple[str, list[int]]:
    """Letters and digits, each as the one of its look-alikes that stands for all, and the word that each is of."""
    folded = [_folded(word) for word in words]
    return "".join(folded), [n for n, word in enumerate(folded) for _ in word]


def _folded(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word).casefold()
    return "".join(c for c in plain.translate(_ALIKE) if c.isalnum())


def _judged(said: Sequence[tuple[int, str]], words: Sequence[ReadWord], mine: range) -> Misread | None:
    stated = "".join(said[n][1] for n in mine)
    if not _is_another(stated, "".join(word.text for word in words)):
        return None
    first = said[mine.start][0] if mine.start < len(said) else said[-1][0] + 1
    return Misread(first, said[mine.stop - 1][0] + 1 if mine else first, " ".join(word.text for word in words))


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
        return len(one) > 1 and len(other) > 1 and set(one) != {"l"}  # a small roman number
    return SequenceMatcher(None, one, other, autojunk=False).ratio() < _FAR


def _digits(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isdigit())
