"""Where each word stands in the passages: for phrases, wildcards and nearness, which bags of words cannot tell.

A file goes with each segment of the lexical index and is named after its passages' ids, which tell what they say: a
segment that was replaced has another, and a missing one is made from the store. Files are read when an operator first
needs them.
"""

import hashlib
import json
import zlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrieval.index.index import MatterIndex, packed, unpacked
from retrieval.index.postings import IndexDamaged
from retrieval.ports import IndexFiles, PassageStore
from retrieval.words import literal
from retrieval.words.tokenize import VERSION, stem
from verify.domain.ids import PassageId
from verify.domain.passage import Passage
from verify.domain.progress import Progress, finish
from verify.sentences import sentences

PREFIX = "places-"
_BATCH = 256
"""Passages read between two signs of life."""
Numbers = NDArray[np.uint32]


@dataclass(frozen=True)
class WordPlaces:
    """Words of all passages of a segment count on from 0, a place for each. ``words`` are sorted; word w stands at
    ``places[starts[w]:starts[w + 1]]``, ascending, and has the stem ``stems[w]``. ``rows``, ``paragraphs`` and
    ``sentences`` have the place where each begins; ``bates`` the page's number for each row, "" for none."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    starts: NDArray[np.int64]
    places: Numbers
    rows: Numbers
    paragraphs: Numbers
    sentences: Numbers
    bates: tuple[str, ...]

    @cached_property
    def _by_stem(self) -> dict[str, list[int]]:
        numbers: defaultdict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(self.stems):
            numbers[one].append(number)
        return dict(numbers)

    def of_word(self, word: str) -> Numbers:
        at = bisect_left(self.words, word)
        return self._of([at] if at < len(self.words) and self.words[at] == word else [])

    def of_stem(self, one: str) -> Numbers:
        """Every word of that stem."""
        return self._of(self._by_stem.get(one, ()))

    def of_prefix(self, prefix: str) -> Numbers:
        end = bisect_left(self.words, prefix + "\U0010ffff")
        return self._of(range(bisect_left(self.words, prefix), end))

    def _of(self, numbers: Sequence[int]) -> Numbers:
        """Ascending; each place once, though a word that a line's end parts is two words and their whole there."""
        found = [self.places[self.starts[number] : self.starts[number + 1]] for number in numbers]
        if len(found) == 1:
            return found[0]
        return np.unique(np.concatenate([np.zeros(0, np.uint32), *found]))

    def to_bytes(self) -> bytes:
        """Compressed, with the places as the steps between them, which are small: a third of their size."""
        about = {"words": self.words, "stems": self.stems, "bates": self.bates}
        steps = np.diff(self.places, prepend=np.zeros(1, np.uint32))  # wraps around from one word to the next
        whole = packed(
            {
                "about": np.frombuffer(json.dumps(about, ensure_ascii=False).encode(), np.uint8),
                "starts": self.starts,
                "steps": steps,
                "rows": self.rows,
                "paragraphs": self.paragraphs,
                "sentences": self.sentences,
            }
        )
        return zlib.compress(whole, 1)

    @classmethod
    def from_bytes(cls, data: bytes) -> "WordPlaces":
        """Raises IndexDamaged."""
        try:
            arrays: dict[str, NDArray[Any]] = unpacked(zlib.decompress(data))
            places = np.cumsum(arrays["steps"], dtype=np.uint32)
            about = json.loads(arrays["about"].tobytes())
            lists = (arrays["starts"], places, arrays["rows"], arrays["paragraphs"], arrays["sentences"])
            made = cls(tuple(about["words"]), tuple(about["stems"]), *lists, tuple(about["bates"]))
        except (KeyError, TypeError, ValueError, zlib.error) as damage:
            raise IndexDamaged(type(damage).__name__) from damage
        if not len(made.words) == len(made.stems) == len(made.starts) - 1 or made.starts[-1] != len(made.places):
            raise IndexDamaged("lengths differ")
        return made


class _Placing:
    """Takes the passages of a segment, one after another."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._ids: list[int] = []
        self._places: list[int] = []
        self._next = 0
        self._begins: tuple[list[int], list[int], list[int]] = ([], [], [])  # rows, paragraphs, sentences
        self._bates: list[str] = []

    def add(self, passage: Passage) -> None:
        text, first = passage.text, self._next
        begins = []
        for word, begin, _ in literal.placed(text):
            self._ids.append(self._numbers[word])
            self._places.append(self._next)
            self._next += 1
            begins.append(begin)
        for number, whole in literal.parted(text):
            for place in (number, number + 1):
                self._ids.append(self._numbers[whole])
                self._places.append(first + place)
        rows, paragraphs, parts = self._begins
        rows.append(first)
        paragraphs += _places_of(_paragraphs(text), begins, first)
        parts += _places_of((span.start for span in sentences(text)), begins, first)
        self._bates.append(passage.bates or "")

    def made(self) -> WordPlaces:
        words = sorted(self._numbers)
        order = np.empty(len(words), np.int64)
        for place, word in enumerate(words):
            order[self._numbers[word]] = place
        ids = order[np.array(self._ids, np.int64)] if words else np.zeros(0, np.int64)
        places = np.array(self._places, np.uint32)
        sizes = np.bincount(ids, minlength=len(words))
        rows, paragraphs, parts = (np.array(begins, np.uint32) for begins in self._begins)
        return WordPlaces(
            tuple(words), tuple(map(stem, words)), np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]),
            places[np.lexsort((places, ids))], rows, paragraphs, parts, tuple(self._bates),
        )  # fmt: skip


def placed_words(passages: Iterable[Passage]) -> WordPlaces:
    """The places of these passages' words, in their order."""
    placing = _Placing()
    for passage in passages:
        placing.add(passage)
    return placing.made()


def _paragraphs(text: str) -> Iterator[int]:
    at = 0
    for part in text.split("\n\n"):
        yield at
        at += len(part) + 2


def _places_of(offsets: Iterable[int], begins: Sequence[int], first: int) -> list[int]:
    """The place of the first word at or after each offset; two that begin with the same word are one."""
    return list(dict.fromkeys(first + bisect_left(begins, offset) for offset in offsets))


class Positions:
    """The places of all words of a matter, brought up to one index after another."""

    def __init__(self, files: IndexFiles, store: PassageStore) -> None:
        self._files, self._store = files, store
        self._held: dict[str, WordPlaces] = {}

    def refresh(self, index: MatterIndex) -> Generator[Progress, None, None]:
        """Makes the files that are missing and deletes those of no segment. Nothing is held."""
        names = dict(_named(index))
        present = frozenset(self._files.names())
        for name, keys in names.items():
            if name not in present:
                made = yield from self._make(keys)
                self._files.write(name, made.to_bytes())
        for name in present:
            if name.startswith(PREFIX) and name not in names:
                self._files.remove(name)

    def of(self, index: MatterIndex) -> list[WordPlaces]:
        """One for each segment of the index, in order; what is missing or damaged is made, and kept here only."""
        names = dict(_named(index))
        self._held = {name: one for name, one in self._held.items() if name in names}
        for name, keys in names.items():
            if name not in self._held:
                self._held[name] = self._read(name) or finish(self._make(keys))
        return [self._held[name] for name in names]

    def _read(self, name: str) -> WordPlaces | None:
        try:
            return WordPlaces.from_bytes(self._files.read(name) or b"")
        except IndexDamaged:
            return None

    def _make(self, keys: Sequence[str]) -> Generator[Progress, None, WordPlaces]:
        placing = _Placing()
        for begin in range(0, len(keys), _BATCH):
            yield Progress("retrieve", begin, len(keys), "passages")
            for passage in self._store.get([PassageId(key) for key in keys[begin : begin + _BATCH]]):
                placing.add(passage)
        return placing.made()


def _named(index: MatterIndex) -> Iterator[tuple[str, Sequence[str]]]:
    """For each segment the name of its file and the ids of its passages."""
    ends = accumulate((part.rows for part in index.passages.parts), initial=0)
    for begin, end in pairwise(ends):
        keys = index.passages.keys[begin:end]
        digest = hashlib.sha256("\n".join((literal.VERSION, VERSION, *keys)).encode()).hexdigest()[:16]
        yield f"{PREFIX}{digest}.npz", keys
