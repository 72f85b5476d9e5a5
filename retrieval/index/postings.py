"""Which documents hold a word, and how often: postings of some thousand documents, as plain arrays.

A segment is a value. It is ready as soon as it is read, and a query touches the postings of its own words only.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.integer[Any]]


class IndexDamaged(Exception):
    """The bytes are no index of this version; make it anew."""


class Words(Sequence[str]):
    """Words as they lie in a file, ready as soon as they are read. Word n is ``data[ends[n - 1]:ends[n]]``."""

    def __init__(self, data: bytes, ends: NDArray[np.int64]) -> None:
        self.data, self.ends = data, ends

    @classmethod
    def of(cls, words: Sequence[bytes]) -> "Words":
        return cls(b"".join(words), np.fromiter(accumulate(map(len, words)), np.int64, len(words)))

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(len(self)))]
        return self.raw(range(len(self))[number]).decode()

    def raw(self, number: int) -> bytes:
        return self.data[int(self.ends[number - 1]) if number else 0 : int(self.ends[number])]

    def all_raw(self) -> list[bytes]:
        ends = self.ends.tolist()
        return [self.data[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


@dataclass(frozen=True)
class Segment:
    """The postings of ``size`` documents, rows 0 … size - 1. Word w stands in ``rows[starts[w]:starts[w + 1]]``,
    ascending, ``counts`` times each. ``digests`` has 64 bits for each word, which words are in order of, and by which
    they are told apart when those of many segments are counted together."""

    size: int
    words: Words
    digests: NDArray[np.uint64]
    starts: NDArray[np.int64]
    rows: Counts
    counts: Counts

    @classmethod
    def of(cls, documents: Iterable[Sequence[str]]) -> "Segment":
        counting = Counting()
        for terms in documents:
            counting.add(terms)
        return counting.segment()

    @classmethod
    def made(cls, words: Sequence[bytes], word_ids: Counts, rows: Counts, counts: Counts, size: int) -> "Segment":
        """From entries in the order of rows: each its word, as a number in ``words``, its row and its count."""
        digests = np.fromiter(map(_digest, words), np.uint64, len(words))
        by_digest = np.argsort(digests, kind="stable")
        places = np.empty(len(words), np.int32)
        places[by_digest] = np.arange(len(words), dtype=np.int32)
        order = np.argsort(places[word_ids], kind="stable")  # within a word rows stay in order
        sizes = np.bincount(word_ids, minlength=len(words))[by_digest]
        return cls(
            size, Words.of([words[number] for number in by_digest.tolist()]), digests[by_digest], _bounds(sizes),
            _narrow(rows, size)[order], _narrow(counts)[order],
        )  # fmt: skip

    @property
    def word_ids(self) -> NDArray[np.int32]:
        """The word of each entry of ``rows``."""
        return np.repeat(np.arange(len(self.words), dtype=np.int32), np.diff(self.starts))

    def without(self, stay: NDArray[np.bool_]) -> "Segment":
        """Only the rows with a flag in ``stay``. Words that no document holds any more leave with theirs, so that no
        word of a removed file stays behind."""
        entries = stay[self.rows]
        sizes = np.bincount(self.word_ids[entries], minlength=len(self.words))
        left = np.flatnonzero(sizes)
        words = self.words.all_raw()
        rows = (np.cumsum(stay, dtype=np.int32) - 1)[self.rows[entries]]
        size = int(stay.sum())
        return Segment(
            size, Words.of([words[number] for number in left.tolist()]), self.digests[left], _bounds(sizes[left]),
            _narrow(rows, size), self.counts[entries],
        )  # fmt: skip

    def followed_by(self, other: "Segment") -> "Segment":
        """One segment of the rows of both."""
        ours, theirs = self.words.all_raw(), other.words.all_raw()
        words = dict.fromkeys((*ours, *theirs))
        number = dict(zip(words, range(len(words)), strict=True))
        renumbered = [
            np.fromiter(map(number.__getitem__, own), np.int32, len(own))[segment.word_ids]
            for own, segment in ((ours, self), (theirs, other))
        ]
        rows = np.concatenate([self.rows.astype(np.int32), other.rows.astype(np.int32) + self.size])
        counts = np.concatenate([self.counts, other.counts])
        return Segment.made(list(words), np.concatenate(renumbered), rows, counts, self.size + other.size)

    def posting(self, word: str) -> tuple[Counts, Counts]:
        """The rows that hold the word, and how often."""
        number = self._find(word.encode())
        here = slice(0) if number is None else slice(self.starts[number], self.starts[number + 1])
        return self.rows[here], self.counts[here]

    def _find(self, word: bytes) -> int | None:
        digest = np.uint64(_digest(word))
        number = int(self.digests.searchsorted(digest))
        while number < len(self.words) and self.digests[number] == digest:
            if self.words.raw(number) == word:
                return number
            number += 1
        return None

    def group_frequencies(self, groups: NDArray[np.int32]) -> NDArray[np.int64]:
        """For each word in how many groups it stands; ``groups`` has one for each row."""
        size = int(groups.max(initial=0)) + 1
        pairs = np.sort(self.word_ids * np.int64(size) + groups[self.rows], kind="stable")  # nearly in order already
        first = np.ones(len(pairs), bool)
        first[1:] = pairs[1:] != pairs[:-1]
        return np.bincount(pairs[first] // size, minlength=len(self.words))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The whole segment as plain arrays, for ``numpy.savez``."""
        return {
            "size": np.array(self.size),
            "words": np.frombuffer(self.words.data, np.uint8),
            "ends": self.words.ends,
            "digests": self.digests,
            "starts": self.starts,
            "rows": self.rows,
            "counts": self.counts,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "Segment":
        """Raises IndexDamaged where ``arrays`` are not those of a whole, consistent segment."""
        try:
            words = Words(arrays["words"].tobytes(), arrays["ends"])
            segment = cls(
                int(arrays["size"]), words, arrays["digests"], arrays["starts"], arrays["rows"], arrays["counts"]
            )
            consistent = segment._consistent()
        except (KeyError, ValueError, TypeError, IndexError) as damage:
            raise IndexDamaged(type(damage).__name__) from damage
        if not consistent:
            raise IndexDamaged("lengths differ")
        return segment

    def _consistent(self) -> bool:
        entries, words = len(self.rows), len(self.words)
        return (
            (int(self.words.ends[-1]) if words else 0) == len(self.words.data)
            and len(self.digests) == words == len(self.starts) - 1
            and self.starts[0] == 0
            and self.starts[-1] == entries == len(self.counts)
            and bool((np.diff(self.starts) >= 0).all() and (np.diff(self.words.ends) >= 0).all())
            and (entries == 0 or (self.rows.min() >= 0 and self.rows.max() < self.size))
        )


class Counting:
    """Counts the words of one document after another, for a segment."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, int] = defaultdict()
        self._numbers.default_factory = self._numbers.__len__
        self._ids: list[NDArray[np.int32]] = []
        self._counts: list[NDArray[np.int32]] = []
        self.lengths: list[int] = []

    def add(self, terms: Sequence[str]) -> None:
        counted = Counter(terms)
        self._ids.append(np.fromiter(map(self._numbers.__getitem__, counted), np.int32, len(counted)))
        self._counts.append(np.fromiter(counted.values(), np.int32, len(counted)))
        self.lengths.append(len(terms))

    def segment(self) -> Segment:
        none = np.zeros(0, np.int32)
        words = [word.encode() for word in self._numbers]
        rows = np.repeat(np.arange(len(self._ids), dtype=np.int32), [len(ids) for ids in self._ids])
        ids, counts = np.concatenate([none, *self._ids]), np.concatenate([none, *self._counts])
        return Segment.made(words, ids, rows, counts, len(self._ids))


def _digest(word: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(word, digest_size=8).digest(), "little")


def _narrow(numbers: Counts, beyond: int | None = None) -> Counts:
    """In as few bytes as hold them, or all numbers below ``beyond``."""
    largest = int(numbers.max(initial=0)) if beyond is None else max(beyond - 1, 0)
    return numbers.astype(np.min_scalar_type(largest))


def _bounds(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
