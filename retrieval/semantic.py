"""The dense half of hybrid search: keeps embeddings in step with the passages and ranks by them."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.fusion import Ranking
from retrieval.index.index import MatterIndex
from retrieval.index.vectors import SEGMENT, KeptVectors, Vectors
from retrieval.ports import Embedder, IndexFiles, PassageStore, VectorIndex
from retrieval.query.expand import wordings
from retrieval.query.route import Question, Route, whole
from verify.domain.ids import PassageId
from verify.domain.progress import Progress

BATCH = 16
"""Passages embedded between two progress events: under half a second, so that a cancel is prompt."""


LOOKED_AT = 32
"""Segments looked through between two."""


class DenseSearch:
    """Embeddings of one matter's passages by one model, with or without an index of nearest neighbours.

    What the embedder raises comes out of ``refresh`` and ``rankings`` unchanged.
    """

    def __init__(self, files: IndexFiles, embedder: Embedder, neighbours: VectorIndex | None) -> None:
        self._embedder, self._neighbours = embedder, neighbours
        self._kept = KeptVectors(files, embedder.name, embedder.dimension)
        self._aligned: _Aligned | None = None

    def refresh(self, index: MatterIndex, store: PassageStore) -> Generator[Progress, None, None]:
        """Embeds passages that have no vector, forgets those that are gone, brings the neighbours up."""
        self._aligned = None
        keys = [PassageId(key) for key in index.passages.keys]
        for done in self._kept.keep_only(frozenset(keys)):
            if done % LOOKED_AT == 0:
                yield Progress("embed", 0, None, "passages")
        held = frozenset(self._kept.ids())
        missing = [key for key in keys if key not in held]
        for begin in range(0, len(missing), SEGMENT):
            yield from self._segment(store, missing[begin : begin + SEGMENT], begin, len(missing))
        if self._neighbours is not None:
            yield from self._neighbours.sync(self._kept.ids(), self._kept)

    def attach_neighbours(self, index: MatterIndex) -> bool:
        """Whether neighbours are asked from here on: an earlier refresh has left them complete for the index."""
        return self._neighbours is not None and self._neighbours.attach([PassageId(key) for key in index.passages.keys])

    def is_incomplete(self, index: MatterIndex) -> bool:
        """True if embedding was begun and some passage has no vector: it was broken off, or a file is damaged."""
        return self._kept.begun and bool((self._aligned_to(index).places < 0).any())

    def _segment(
        self, store: PassageStore, ids: Sequence[PassageId], before: int, total: int
    ) -> Generator[Progress, None, None]:
        """One segment of embeddings, kept as far as it came if the work is broken off."""
        passages = store.get(ids)
        made: list[NDArray[np.float32]] = []
        try:
            for begin in range(0, len(passages), BATCH):
                texts = ["\n".join((*one.heading_path, one.text)) for one in passages[begin : begin + BATCH]]
                made.extend(self._embedder.embed(texts))
                yield Progress("embed", before + len(made), total, "passages")
        finally:
            if made:
                self._kept.add([passage.passage_id for passage in passages[: len(made)]], np.stack(made))

    def rankings(
        self, index: MatterIndex, query: str, routed: Route | None, cards: NDArray[np.bool_], depth: int, weight: float
    ) -> list[Ranking]:
        """Nearest passages in the documents of ``cards``, and in the routed ones if there are any.

        A scope with a passage that has no vector yet has no ranking: a half-filled one would push what happens to be in
        it. ``weight`` is what a ranking counts, ``routed.weight`` times as much in routed documents.
        """
        aligned = self._aligned_to(index)
        found: list[Ranking] = []
        if routed is not None:
            inside = np.isin(index.row_cards, routed.cards)
            found += self._in_scope(aligned, inside, routed.asked, depth, weight * routed.weight)
        if routed is None or cards.sum() > len(routed.cards):
            found += self._in_scope(aligned, cards[index.row_cards], whole(query), depth, weight)
        return found

    def _in_scope(
        self, aligned: "_Aligned", scope: NDArray[np.bool_], asked: Question, depth: int, weight: float
    ) -> list[Ranking]:
        among = aligned.places[scope]
        if not len(among) or (among < 0).any():
            return []
        nearest = self._nearest(aligned, self._worded(asked), depth, among)
        return [Ranking(aligned.owners[nearest].tolist(), weight)]

    def _worded(self, question: Question) -> NDArray[np.float32]:
        """The question and the wording that clauses have for it, as one vector."""
        vector: NDArray[np.float32] = self._embedder.embed([" ".join((question.text, *wordings(question.text)))])[0]
        return vector

    def _nearest(
        self, aligned: "_Aligned", vector: NDArray[np.float32], depth: int, among: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """From the neighbours where nothing is filtered out, else exactly: Chroma's filters cost more than that. What
        the neighbours name is ordered by exact comparison, so that both ways give one order, ties included."""
        everything = len(among) == len(aligned.vectors)
        found = self._neighbours.nearest(vector, depth) if self._neighbours is not None and everything else None
        if found is not None:
            known = aligned.index.passages.row_of
            rows = aligned.places[[known[key] for key in found if key in known]]
            among = rows[rows >= 0]
        return aligned.vectors.nearest(vector, depth, among)

    def _aligned_to(self, index: MatterIndex) -> "_Aligned":
        """Worked out once for an index, and again after a refresh."""
        if self._aligned is None or self._aligned.index is not index:
            self._aligned = _Aligned.of(index, *self._kept.load())
        return self._aligned


@dataclass(frozen=True)
class _Aligned:
    """``places`` has for each passage row the row of its vector, ``owners`` for each of those its passage row; -1 where
    there is none."""

    index: MatterIndex
    vectors: Vectors
    places: NDArray[np.int64]
    owners: NDArray[np.int64]

    @classmethod
    def of(cls, index: MatterIndex, ids: Sequence[PassageId], vectors: Vectors) -> "_Aligned":
        known = index.passages.row_of
        places = np.full(len(known), -1, np.int64)
        for row, key in enumerate(ids):
            if key in known:
                places[known[key]] = row  # of a passage that has two, the later
        owners = np.full(len(ids), -1, np.int64)
        held = np.flatnonzero(places >= 0)
        owners[places[held]] = held
        return cls(index, vectors, places, owners)
