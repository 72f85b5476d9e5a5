"""Okapi BM25 with the statistics of rank-bm25's ``BM25Okapi``, scored through postings instead of every document.

Scores equal the library's own (tests compare them). Postings lie in segments of consecutive documents, so that a large
matter is indexed, read and changed piece by piece; a query adds up over the segments what the formula needs, so scores
do not depend on where documents were parted. An index is a value: a search that runs while another is made sees one or
the other, never half of each.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import accumulate, pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.index.postings import Counts, IndexDamaged, Segment

__all__ = ["Grouped", "IndexDamaged", "LexicalIndex", "best_rows", "mean_idf"]

K1 = 1.5
B = 0.75
EPSILON = 0.25
"""``BM25Okapi``'s defaults; a term in more than half of the documents gets EPSILON times the mean idf."""

RECENT = 64
"""Words whose postings, joined over the segments, are kept at hand: those of one search."""

Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class LexicalIndex:
    """Documents as rows 0 … n-1, in ``segments`` one after another; ``lengths`` has the number of words of each row.

    ``load`` gives the segments when they are first needed; ``known_mean`` is the mean idf of all words, if it was
    worked out before.
    """

    keys: Sequence[str]
    lengths: NDArray[np.int32]
    load: Callable[[], Sequence[Segment]]
    known_mean: float | None = None

    @classmethod
    def empty(cls) -> "LexicalIndex":
        return cls((), np.zeros(0, np.int32), tuple)

    @cached_property
    def segments(self) -> Sequence[Segment]:
        return self.load()

    def by_segment(self, rows: NDArray[Scalar]) -> list[NDArray[Scalar]]:
        """What ``rows`` has for each row, parted as the segments are."""
        ends = list(accumulate(segment.size for segment in self.segments))
        return [rows[begin:end] for begin, end in pairwise([0, *ends])]

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Row by key."""
        return {key: row for row, key in enumerate(self.keys)}

    def scores(self, query: Mapping[str, float]) -> NDArray[np.float64]:
        """One score a row: the sum over query terms of weight times the term's BM25 score; 0 where none occurs."""
        result = np.zeros(len(self.keys))
        for term, weight in query.items():
            rows, counts = self.posting(term)
            if len(rows):
                result[rows] += weight * self._idf(len(rows)) * _saturated(counts, self._norms[rows])
        return result

    def matching(self, query: Iterable[str]) -> NDArray[np.bool_]:
        """True for each row that holds a term of the query. In a matter of a passage or two every term is common, so
        that BM25 gives 0 or less to what does match."""
        found = np.zeros(len(self.keys), np.bool_)
        for term in query:
            found[self.rows_with(term)] = True
        return found

    def rows_with(self, term: str) -> NDArray[np.int32]:
        """The rows of the documents that hold the term, ascending."""
        return self.posting(term)[0]

    def posting(self, term: str) -> tuple[NDArray[np.int32], Counts]:
        """The rows that hold the term, ascending, and how often."""
        return self._recent(term)

    @cached_property
    def _recent(self) -> Callable[[str], tuple[NDArray[np.int32], Counts]]:
        """A search asks for each of its words several times. It holds the segments and not the index, which would then
        hold itself, and stay in memory until the collector comes by."""
        return lru_cache(RECENT)(partial(_joined, self.segments))

    def terms_of(self, row: int) -> frozenset[str]:
        """Looks through all postings: for indexes of some thousand documents."""
        for segment in self.segments:
            if row < segment.size:
                return frozenset(segment.words[number] for number in segment.word_ids[segment.rows == row].tolist())
            row -= segment.size
        raise IndexError("no such row")

    def _idf(self, frequency: int) -> float:
        idf = float(_idf(np.array([frequency]), len(self.keys))[0])
        return idf if idf >= 0 else EPSILON * self._mean_idf

    @cached_property
    def _mean_idf(self) -> float:
        if self.known_mean is not None:
            return self.known_mean
        return mean_idf(((one.digests, np.diff(one.starts)) for one in self.segments), len(self.keys))

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        return _norms(self.lengths)


@dataclass(frozen=True)
class Grouped:
    """The documents of ``index`` put together to larger ones: row r belongs to group ``groups[r]``, 0 … ``size`` - 1.

    Scores as if each group were one document, worked out from the same postings. Only the mean idf of all words cannot
    be had from the words of a query; ``known_mean`` is it, if it was worked out before. The rows of a group lie in one
    segment.
    """

    index: LexicalIndex
    groups: NDArray[np.int32]
    size: int
    known_mean: float | None = None

    def scores(self, query: Mapping[str, float]) -> NDArray[np.float64]:
        """One score a group, as ``LexicalIndex.scores``."""
        result = np.zeros(self.size)
        for term, weight in query.items():
            rows, counts = self.index.posting(term)
            if len(rows):
                held = np.bincount(self.groups[rows], counts, self.size)
                groups = np.flatnonzero(held)
                result[groups] += weight * self._idf(len(groups)) * _saturated(held[groups], self._norms[groups])
        return result

    def _idf(self, frequency: int) -> float:
        idf = float(_idf(np.array([frequency]), self.size)[0])
        return idf if idf >= 0 else EPSILON * self._mean_idf

    @cached_property
    def _mean_idf(self) -> float:
        if self.known_mean is not None:
            return self.known_mean
        parted = zip(self.index.segments, self.index.by_segment(self.groups), strict=True)
        return mean_idf(((one.digests, one.group_frequencies(groups)) for one, groups in parted), self.size)

    @cached_property
    def _norms(self) -> NDArray[np.float64]:
        return _norms(np.bincount(self.groups, self.index.lengths, self.size))


def _joined(segments: Sequence[Segment], term: str) -> tuple[NDArray[np.int32], Counts]:
    """The posting over all segments, whose rows are counted on."""
    rows: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    counts: list[Counts] = [np.zeros(0, np.uint8)]
    base = 0
    for segment in segments:
        some, often = segment.posting(term)
        if len(some):
            rows.append(some + np.int32(base))
            counts.append(often)
        base += segment.size
    return np.concatenate(rows), np.concatenate(counts)


def mean_idf(parts: Iterable[tuple[NDArray[np.uint64], NDArray[np.int64]]], documents: int) -> float:
    """Over all words of some segments: of each its words' digests, and in how many documents each stands."""
    held = list(parts)
    digests = np.concatenate([np.zeros(0, np.uint64), *(digests for digests, _ in held)])
    _, word = np.unique(digests, return_inverse=True)
    frequencies = np.bincount(word, np.concatenate([np.zeros(0), *(frequencies for _, frequencies in held)]))
    return float(_idf(frequencies, documents).mean()) if len(frequencies) else 0.0


def _idf(frequencies: NDArray[Any], documents: int) -> NDArray[np.float64]:
    idf: NDArray[np.float64] = np.log(documents - frequencies + 0.5) - np.log(frequencies + 0.5)
    return idf


def _norms(lengths: NDArray[Any]) -> NDArray[np.float64]:
    """k1 (1 - b + b · length / mean length), the part of the formula that depends on the document only."""
    mean = max(float(lengths.mean()), 1e-9) if len(lengths) else 1.0
    norms: NDArray[np.float64] = K1 * (1 - B + B * lengths / mean)
    return norms


def _saturated(counts: NDArray[Any], norms: NDArray[np.float64]) -> NDArray[np.float64]:
    result: NDArray[np.float64] = counts * (K1 + 1) / (counts + norms)
    return result


def best_rows(scores: NDArray[np.float64], limit: int, matching: NDArray[np.bool_]) -> list[int]:
    """Up to ``limit`` of the matching rows, best first; ties by row number."""
    candidates = np.flatnonzero(matching)
    if len(candidates) > limit:
        bar = np.partition(scores[candidates], len(candidates) - limit)[len(candidates) - limit]
        candidates = candidates[scores[candidates] >= bar]
    order = np.lexsort((candidates, -scores[candidates]))
    return [int(row) for row in candidates[order[:limit]]]
