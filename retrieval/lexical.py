"""Okapi BM25 with the statistics of rank-bm25's ``BM25Okapi``, scored through postings instead of every document.

Scores equal the library's own (tests compare them). Kept are the postings themselves, term by term, as plain arrays: an
index is ready as soon as it is read, and a query touches the postings of its own words only. Adding documents counts
words only in what is new; an index is a value, so a search that runs while another is made sees one or the other,
never half of each.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""``BM25Okapi``'s defaults; a term in more than half of the documents gets EPSILON times the mean idf."""


class IndexDamaged(Exception):
    """The bytes are no index of this version; make it anew."""


@dataclass(frozen=True, slots=True)
class Document:
    """``key`` names it in the index; ``terms`` are its index terms with repetitions."""

    key: str
    terms: Sequence[str]


@dataclass(frozen=True)
class LexicalIndex:
    """Documents as rows 0 … n-1. Term t stands in ``rows[starts[t]:starts[t + 1]]``, ascending, ``counts`` times each;
    ``lengths`` has the number of words of each row."""

    keys: tuple[str, ...]
    vocabulary: tuple[str, ...]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    counts: NDArray[np.int32]
    lengths: NDArray[np.int32]

    @classmethod
    def empty(cls) -> "LexicalIndex":
        none = np.zeros(0, np.int32)
        return cls((), (), np.zeros(1, np.int64), none, none, none)

    def changed(self, remove: Iterable[str], add: Iterable[Document]) -> "LexicalIndex":
        """This index without the keys in ``remove`` and with ``add`` at its end."""
        kept = self._without(frozenset(remove))
        numbers = {term: number for number, term in enumerate(kept.vocabulary)}
        keys, sizes, ids, counts, lengths = list(kept.keys), [], [], [], []
        for document in add:
            counted = Counter(document.terms)
            keys.append(document.key)
            lengths.append(len(document.terms))
            sizes.append(len(counted))
            ids.append(np.array([numbers.setdefault(term, len(numbers)) for term in counted], np.int32))
            counts.append(np.fromiter(counted.values(), np.int32, len(counted)))
        term_ids = np.concatenate([kept._term_ids, *ids])
        new_rows = np.repeat(np.arange(len(kept.keys), len(keys), dtype=np.int32), sizes)
        # Stable: within a term the old rows stay in front of the new ones, so that rows ascend.
        order = np.argsort(term_ids, kind="stable")
        return LexicalIndex(
            tuple(keys),
            tuple(numbers),
            _bounds(np.bincount(term_ids, minlength=len(numbers))),
            np.concatenate([kept.rows, new_rows])[order],
            np.concatenate([kept.counts, *counts])[order],
            np.concatenate([kept.lengths, np.array(lengths, np.int32)]),
        )

    def _without(self, remove: frozenset[str]) -> "LexicalIndex":
        """Terms that no document holds any more leave with it, so that no word of a removed file stays behind."""
        stay = np.array([key not in remove for key in self.keys], bool)
        if stay.all():
            return self
        entries = stay[self.rows]
        sizes = np.bincount(self._term_ids[entries], minlength=len(self.vocabulary))
        renumbered = np.cumsum(stay, dtype=np.int32) - 1
        return LexicalIndex(
            tuple(key for key, wanted in zip(self.keys, stay, strict=True) if wanted),
            tuple(term for term, size in zip(self.vocabulary, sizes, strict=True) if size),
            _bounds(sizes[sizes > 0]),
            renumbered[self.rows[entries]].astype(np.int32),
            self.counts[entries],
            self.lengths[stay],
        )

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row by key."""
        return {key: row for row, key in enumerate(self.keys)}

    def scores(self, query: Mapping[str, float]) -> NDArray[np.float64]:
        """One score a row: the sum over query terms of weight times the term's BM25 score; 0 where none occurs."""
        result = np.zeros(len(self.keys))
        for term, weight in query.items():
            number = self._numbers.get(term)
            if number is not None:
                rows, counts = self._posting(number)
                result[rows] += weight * self._idf[number] * _saturated(counts, self._norms[rows])
        return result

    def matching(self, query: Iterable[str]) -> NDArray[np.bool_]:
        """True for each row that holds a term of the query. In a matter of a passage or two every term is common, so
        that BM25 gives 0 or less to what does match."""
        found = np.zeros(len(self.keys), np.bool_)
        for term in query:
            found[self.rows_with(term)] = True
        return found

    def rows_with(self, term: str) -> NDArray[np.int32]:
        """The rows of the documents that hold the term."""
        number = self._numbers.get(term)
        return np.zeros(0, np.int32) if number is None else self._posting(number)[0]

    def terms_of(self, row: int) -> frozenset[str]:
        """Looks through all postings: for indexes of some thousand documents."""
        return frozenset(self.vocabulary[number] for number in self._term_ids[self.rows == row])

    def _posting(self, number: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        here = slice(self.starts[number], self.starts[number + 1])
        return self.rows[here], self.counts[here]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.vocabulary)}

    @cached_property
    def _term_ids(self) -> NDArray[np.int32]:
        """The term of each entry of ``rows``."""
        return np.repeat(np.arange(len(self.vocabulary), dtype=np.int32), np.diff(self.starts))

    @cached_property
    def _idf(self) -> NDArray[np.float64]:
        return _idf(np.diff(self.starts), len(self.keys))

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        return _norms(self.lengths)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The whole index as plain arrays, for ``numpy.savez``."""
        return {
            "keys": _packed(self.keys),
            "vocabulary": _packed(self.vocabulary),
            "starts": self.starts,
            "rows": self.rows,
            "counts": self.counts,
            "lengths": self.lengths,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "LexicalIndex":
        """Raises IndexDamaged where ``arrays`` are not those of a whole, consistent index."""
        try:
            words = (_unpacked(arrays["keys"]), _unpacked(arrays["vocabulary"]))
            index = cls(*words, arrays["starts"], arrays["rows"], arrays["counts"], arrays["lengths"])
        except (KeyError, ValueError) as damage:
            raise IndexDamaged(type(damage).__name__) from damage
        if not index._consistent():
            raise IndexDamaged("lengths differ")
        return index

    def _consistent(self) -> bool:
        size = len(self.rows)
        return (
            len(self.starts) == len(self.vocabulary) + 1
            and len(self.lengths) == len(self.keys)
            and self.starts[0] == 0
            and self.starts[-1] == size == len(self.counts)
            and bool((np.diff(self.starts) >= 0).all())
            and (size == 0 or (self.rows.min() >= 0 and self.rows.max() < len(self.keys)))
        )


@dataclass(frozen=True)
class Grouped:
    """The documents of ``index`` put together to larger ones: row r belongs to group ``groups[r]``, 0 … ``size`` - 1.

    Scores as if each group were one document, worked out from the same postings; ``frequencies`` tells in how many
    groups each term of the vocabulary stands (``group_frequencies``), which is counted once and kept.
    """

    index: LexicalIndex
    groups: NDArray[np.int32]
    size: int
    frequencies: NDArray[np.int32]

    def scores(self, query: Mapping[str, float]) -> NDArray[np.float64]:
        """One score a group, as ``LexicalIndex.scores``."""
        result = np.zeros(self.size)
        for term, weight in query.items():
            number = self.index._numbers.get(term)
            if number is not None:
                rows, counts = self.index._posting(number)
                held = np.bincount(self.groups[rows], counts, self.size)
                result += weight * self._idf[number] * _saturated(held, self._norms)
        return result

    @cached_property
    def _idf(self) -> NDArray[np.float64]:
        return _idf(self.frequencies, self.size)

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        return _norms(np.bincount(self.groups, self.index.lengths, self.size))


def group_frequencies(index: LexicalIndex, groups: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    """For each term in how many groups it stands."""
    pairs = np.unique(index._term_ids * np.int64(max(size, 1)) + groups[index.rows])
    return np.bincount(pairs // max(size, 1), minlength=len(index.vocabulary)).astype(np.int32)


def _bounds(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])


def _idf(frequencies: NDArray[Any], documents: int) -> NDArray[np.float64]:
    if not len(frequencies):
        return np.zeros(0)
    idf: NDArray[np.float64] = np.log(documents - frequencies + 0.5) - np.log(frequencies + 0.5)
    return np.where(idf < 0, EPSILON * idf.mean(), idf)


def _norms(lengths: NDArray[Any]) -> NDArray[np.float64]:
    """k1 (1 - b + b · length / mean length), the part of the formula that depends on the document only."""
    mean = max(float(lengths.mean()), 1e-9) if len(lengths) else 1.0
    norms: NDArray[np.float64] = K1 * (1 - B + B * lengths / mean)
    return norms


def _saturated(counts: NDArray[Any], norms: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = counts * (K1 + 1) / (counts + norms)
    return result


def _packed(words: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(words, ensure_ascii=False).encode(), np.uint8)


def _unpacked(data: NDArray[Any]) -> tuple[str, ...]:
    return tuple(json.loads(data.tobytes()))


def best_rows(scores: NDArray[np.float64], limit: int, matching: NDArray[np.bool_]) -> list[int]:
    """Up to ``limit`` of the matching rows, best first; ties by row number."""
    candidates = np.flatnonzero(matching)
    if len(candidates) > limit:
        bar = np.partition(scores[candidates], len(candidates) - limit)[len(candidates) - limit]
        candidates = candidates[scores[candidates] >= bar]
    order = np.lexsort((candidates, -scores[candidates]))
    return [int(row) for row in candidates[order[:limit]]]
