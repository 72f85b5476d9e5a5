"""Okapi BM25 with the statistics of rank-bm25's ``BM25Okapi``, scored through postings instead of every document.

Scores equal the library's own (tests compare them). What is kept for each document is its terms with their counts; the
postings are those counts sorted by term. Adding documents counts words only in what is new; an index is a value, so a
search that runs while another is made sees one or the other, never half of each.
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
    """Documents as rows 0 … n-1. Row r holds ``term_ids[starts[r]:starts[r + 1]]`` and their ``counts``."""

    keys: tuple[str, ...]
    vocabulary: tuple[str, ...]
    starts: NDArray[np.int64]
    term_ids: NDArray[np.int32]
    counts: NDArray[np.int32]

    @classmethod
    def empty(cls) -> "LexicalIndex":
        return cls((), (), np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32))

    def changed(self, remove: Iterable[str], add: Iterable[Document]) -> "LexicalIndex":
        """This index without the keys in ``remove`` and with ``add`` at its end."""
        kept = self._without(frozenset(remove))
        vocabulary = {term: number for number, term in enumerate(kept.vocabulary)}
        keys, lengths, ids, counts = list(kept.keys), [], [], []
        for document in add:
            counted = Counter(document.terms)
            keys.append(document.key)
            lengths.append(len(counted))
            ids.append(np.array([vocabulary.setdefault(t, len(vocabulary)) for t in counted], np.int32))
            counts.append(np.fromiter(counted.values(), np.int32, len(counted)))
        starts = np.concatenate([kept.starts, kept.starts[-1] + np.cumsum(np.array(lengths, np.int64))])
        return LexicalIndex(
            tuple(keys),
            tuple(vocabulary),
            starts,
            np.concatenate([kept.term_ids, *ids]),
            np.concatenate([kept.counts, *counts]),
        )

    def _without(self, remove: frozenset[str]) -> "LexicalIndex":
        """Terms that no document holds any more leave with it, so that no word of a removed file stays behind."""
        stay = np.array([key not in remove for key in self.keys], bool)
        if stay.all():
            return self
        entries = np.repeat(stay, np.diff(self.starts))
        used, ids = np.unique(self.term_ids[entries], return_inverse=True)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(np.diff(self.starts)[stay])])
        return LexicalIndex(
            tuple(key for key, wanted in zip(self.keys, stay, strict=True) if wanted),
            tuple(self.vocabulary[number] for number in used),
            starts,
            ids.astype(np.int32),
            self.counts[entries],
        )

    @cached_property
    def rows(self) -> dict[str, int]:
        return {key: row for row, key in enumerate(self.keys)}

    def scores(self, query: Mapping[str, float]) -> NDArray[np.float64]:
        """One score a row: the sum over query terms of weight times the term's BM25 score; 0 where none occurs."""
        result = np.zeros(len(self.keys))
        for term, weight in query.items():
            number = self._numbers.get(term)
            if number is None:
                continue
            begin, end = self._postings.bounds[number], self._postings.bounds[number + 1]
            result[self._postings.rows[begin:end]] += weight * self._postings.scores[begin:end]
        return result

    def rows_with(self, term: str) -> NDArray[np.int32]:
        """The rows of the documents that hold the term."""
        number = self._numbers.get(term)
        if number is None:
            return np.zeros(0, np.int32)
        return self._postings.rows[self._postings.bounds[number] : self._postings.bounds[number + 1]]

    def merged(self, groups: NDArray[np.int32], names: Sequence[str]) -> "LexicalIndex":
        """The index of larger documents: row r's words belong to ``names[groups[r]]``."""
        size = max(len(self.vocabulary), 1)
        pairs = np.repeat(groups.astype(np.int64), np.diff(self.starts)) * size + self.term_ids
        order = np.argsort(pairs)
        pairs = pairs[order]
        firsts = np.flatnonzero(np.diff(pairs, prepend=-1))
        counts = np.add.reduceat(self.counts[order], firsts) if len(firsts) else self.counts
        lengths = np.bincount(pairs[firsts] // size, minlength=len(names))
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
        return LexicalIndex(
            tuple(names), self.vocabulary, starts, (pairs[firsts] % size).astype(np.int32), counts.astype(np.int32)
        )

    def terms_of(self, row: int) -> frozenset[str]:
        return frozenset(self.vocabulary[i] for i in self.term_ids[self.starts[row] : self.starts[row + 1]])

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.vocabulary)}

    @cached_property
    def _frequencies(self) -> NDArray[np.int64]:
        """In how many documents each term stands."""
        return np.bincount(self.term_ids, minlength=len(self.vocabulary))

    @cached_property
    def _postings(self) -> "_Postings":
        rows = np.repeat(np.arange(len(self.keys), dtype=np.int32), np.diff(self.starts))
        # No two keys are equal, so the fast unstable sort gives one order only.
        order = np.argsort(self.term_ids * np.int64(max(len(self.keys), 1)) + rows)
        rows = rows[order]
        freq = self.counts[order].astype(np.float64)
        idf = np.repeat(self._idf, self._frequencies)
        bounds = np.concatenate([np.zeros(1, np.int64), np.cumsum(self._frequencies)])
        return _Postings(bounds, rows, idf * (freq * (K1 + 1) / (freq + self._length_norms[rows])))

    @cached_property
    def _idf(self) -> NDArray[np.float64]:
        if not self.vocabulary:
            return np.zeros(0)
        idf: NDArray[np.float64] = np.log(len(self.keys) - self._frequencies + 0.5) - np.log(self._frequencies + 0.5)
        return np.where(idf < 0, EPSILON * idf.mean(), idf)

    @cached_property
    def _length_norms(self) -> NDArray[np.float64]:
        """k1 (1 - b + b · length / mean length), the part of the formula that depends on the document only."""
        totals = np.concatenate([np.zeros(1, np.int64), np.cumsum(self.counts, dtype=np.int64)])
        lengths = np.diff(totals[self.starts])
        mean = max(float(lengths.mean()), 1e-9) if len(lengths) else 1.0
        norms: NDArray[np.float64] = K1 * (1 - B + B * lengths / mean)
        return norms

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The whole index as plain arrays, for ``numpy.savez``."""
        return {
            "keys": _packed(self.keys),
            "vocabulary": _packed(self.vocabulary),
            "starts": self.starts,
            "term_ids": self.term_ids,
            "counts": self.counts,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "LexicalIndex":
        """Raises IndexDamaged where ``arrays`` are not those of a whole, consistent index."""
        try:
            words = (_unpacked(arrays["keys"]), _unpacked(arrays["vocabulary"]))
            index = cls(*words, arrays["starts"], arrays["term_ids"], arrays["counts"])
        except (KeyError, ValueError) as damage:
            raise IndexDamaged(type(damage).__name__) from damage
        if not index._consistent():
            raise IndexDamaged("lengths differ")
        return index

    def _consistent(self) -> bool:
        size = len(self.term_ids)
        return (
            len(self.starts) == len(self.keys) + 1
            and self.starts[0] == 0
            and self.starts[-1] == size == len(self.counts)
            and bool((np.diff(self.starts) >= 0).all())
            and (size == 0 or (self.term_ids.min() >= 0 and self.term_ids.max() < len(self.vocabulary)))
        )


@dataclass(frozen=True, slots=True)
class _Postings:
    """Term t stands in ``rows[bounds[t]:bounds[t + 1]]``; ``scores`` are its BM25 scores there, worked out once."""

    bounds: NDArray[np.int64]
    rows: NDArray[np.int32]
    scores: NDArray[np.float64]


def _packed(words: Sequence[str]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(words, ensure_ascii=False).encode(), np.uint8)


def _unpacked(data: NDArray[Any]) -> tuple[str, ...]:
    return tuple(json.loads(data.tobytes()))


def best_rows(scores: NDArray[np.float64], limit: int, allowed: NDArray[np.bool_] | None = None) -> list[int]:
    """Up to ``limit`` rows with a score above 0, best first; ties by row number."""
    usable = scores if allowed is None else np.where(allowed, scores, 0.0)
    candidates = np.flatnonzero(usable > 0)
    if len(candidates) > limit:
        bar = np.partition(usable[candidates], len(candidates) - limit)[len(candidates) - limit]
        candidates = candidates[usable[candidates] >= bar]
    order = np.lexsort((candidates, -usable[candidates]))
    return [int(row) for row in candidates[order[:limit]]]
