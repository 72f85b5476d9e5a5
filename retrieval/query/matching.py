"""The places that a query with operators means, all of them, and the documents that it speaks of.

Words, phrases and w/ find places: runs of words, in the places of ``index.positions``. AND, OR and NOT combine
documents; the hits of a document are the places of everything in the query that is not negated.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from retrieval.index.positions import WordPlaces, placed_words
from retrieval.query.operators import Both, Either, Near, Node, Term, Without
from retrieval.words.literal import placed
from retrieval.words.tokenize import stem
from verify.domain.passage import Passage

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Runs:
    """Of one segment: runs of words from ``first`` to ``last`` (inclusive places), in order of both, each once."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]

    @classmethod
    def of(cls, first: NDArray[np.int64], last: NDArray[np.int64]) -> "Runs":
        order = np.lexsort((last, first))
        first, last = first[order], last[order]
        fresh = np.ones(len(first), bool)
        fresh[1:] = (first[1:] != first[:-1]) | (last[1:] != last[:-1])
        return cls(first[fresh], last[fresh])


@dataclass(frozen=True, slots=True)
class Matched:
    """``hits`` has for each passage row how many places it holds, ``kinds`` how many different parts of the query;
    ``documents`` a flag for each card. Hits of documents that do not match are not counted."""

    hits: NDArray[np.int64]
    kinds: NDArray[np.int64]
    documents: Flags


class Matching:
    """``row_cards`` has the card of each passage row; ``allowed`` a flag for each row that may be looked at."""

    def __init__(
        self, segments: Sequence[WordPlaces], row_cards: NDArray[np.int32], cards: int, allowed: Flags
    ) -> None:
        self._segments, self._row_cards, self._cards, self._allowed = segments, row_cards, cards, allowed

    def of(self, wanted: Node) -> Matched:
        parts: list[NDArray[np.int64]] = []
        documents = self._documents(wanted, parts, said=True)
        inside = documents[self._row_cards]
        counted = [np.where(inside, part, 0) for part in parts]
        none = np.zeros(len(self._row_cards), np.int64)
        hits = reduce(np.add, counted, none)
        kinds = reduce(np.add, [(part > 0).astype(np.int64) for part in counted], none)
        return Matched(hits, kinds, documents & self._cards_of(hits > 0))

    def _documents(self, node: Node, parts: list[NDArray[np.int64]], *, said: bool) -> Flags:
        """A flag for each card; the hits of what is ``said``, not negated, are added to ``parts``."""
        if isinstance(node, Without):
            return ~self._documents(node.part, parts, said=not said)
        if isinstance(node, Both | Either):
            flags = [self._documents(part, parts, said=said) for part in node.parts]
            return reduce(np.logical_and if isinstance(node, Both) else np.logical_or, flags)
        hits = np.where(self._allowed, self._hits(node), 0)
        if said:
            parts.append(hits)
        return self._cards_of(hits > 0)

    def _cards_of(self, rows: Flags) -> Flags:
        found = np.zeros(self._cards, bool)
        found[self._row_cards[rows]] = True
        return found

    def _hits(self, node: Node) -> NDArray[np.int64]:
        """How many places each row has."""
        counts = [np.zeros(0, np.int64)]
        for segment in self._segments:
            first = _runs(segment, node).first
            begins = np.searchsorted(first, segment.rows.astype(np.int64))  # far fewer rows than places to look up
            counts.append(np.diff(np.append(begins, len(first))))
        return np.concatenate(counts)


def _runs(segment: WordPlaces, node: Node) -> Runs:
    if isinstance(node, Term):
        return _term(segment, node)
    if isinstance(node, Near):
        return _near(segment, node)
    assert isinstance(node, Either)
    parts = [_runs(segment, part) for part in node.parts]
    return Runs.of(np.concatenate([p.first for p in parts]), np.concatenate([p.last for p in parts]))


def _term(segment: WordPlaces, term: Term) -> Runs:
    if not term.exact:
        places = segment.of_stem(stem(term.words[0])).astype(np.int64)
        return Runs(places, places)
    lists = [segment.of_word(word) for word in term.words]
    if term.prefix:
        lists[-1] = segment.of_prefix(term.words[-1])
    # from the rarest word on, so that a common one is only looked up beside it
    order = sorted(range(len(lists)), key=lambda number: len(lists[number]))
    first = lists[order[0]].astype(np.int64) - order[0]
    for number in order[1:]:
        first = first[_holds(lists[number], first + number)]
    last = first + len(lists) - 1
    same = _group(segment.rows, first) == _group(segment.rows, last)
    return Runs(first[same], last[same])


def _holds(places: NDArray[np.uint32], wanted: NDArray[np.int64]) -> Flags:
    if not len(places):
        return np.zeros(len(wanted), bool)
    at = np.minimum(np.searchsorted(places, wanted.clip(0).astype(np.uint32)), len(places) - 1)
    held: Flags = places[at] == wanted
    return held


def _near(segment: WordPlaces, node: Near) -> Runs:
    left, right = _runs(segment, node.left), _runs(segment, node.right)
    if len(left.first) > len(right.first):
        left, right = right, left
    if not len(left.first):
        return left
    begins, within = (segment.rows, node.within) if node.within is not None else (
        segment.paragraphs if node.paragraph else segment.sentences, None
    )  # fmt: skip
    after = np.searchsorted(right.first, left.last, side="right")
    before = np.searchsorted(right.first, left.first) - 1
    firsts, lasts = [], []
    for at in (before, after):
        held = (at >= 0) & (at < len(right.first))
        mine, theirs = np.flatnonzero(held), at[held]
        first = np.minimum(left.first[mine], right.first[theirs])
        last = np.maximum(left.last[mine], right.last[theirs])
        apart = np.maximum(left.first[mine], right.first[theirs]) - np.minimum(left.last[mine], right.last[theirs])
        fits = _group(begins, first) == _group(begins, last)
        fits &= (apart > 0) & (_group(segment.rows, first) == _group(segment.rows, last))
        if within is not None:
            fits &= apart <= within
        firsts.append(first[fits])
        lasts.append(last[fits])
    return Runs.of(np.concatenate(firsts), np.concatenate(lasts))


def _group(begins: NDArray[np.uint32], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which of the stretches that begin at ``begins`` each place lies in."""
    return np.searchsorted(begins, places.clip(0).astype(np.uint32), side="right") - 1


def spans_in(passage: Passage, wanted: Node) -> list[tuple[int, int]]:
    """Where the passage's text has what the query says, in order, half-open offsets, each once."""
    words = [(start, end) for _, start, end in placed(passage.text)]
    segment = placed_words([passage])
    found = set()
    for node in _said(wanted):
        runs = _runs(segment, node)
        found |= {(words[a][0], words[b][1]) for a, b in zip(runs.first.tolist(), runs.last.tolist(), strict=True)}
    return sorted(found)


def _said(node: Node) -> Iterator[Term | Near]:
    """The parts that find places and are not negated."""
    if isinstance(node, Both | Either):
        for part in node.parts:
            yield from _said(part)
    elif isinstance(node, Term | Near):
        yield node
