"""Hybrid search over one matter: BM25 and embeddings, over everything and inside the document that a question names,
fused by reciprocal rank."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retrieval.fusion import Ranking, fuse, one_per_group
from retrieval.index.index import MatterIndex, Place, rows_in
from retrieval.index.lexical import best_rows
from retrieval.index.positions import Positions
from retrieval.index.upkeep import kept_index, refreshed
from retrieval.ports import Embedder, IndexFiles, PassageStore, VectorIndex
from retrieval.query.bates import within
from retrieval.query.context import neighbours, referred_to
from retrieval.query.expand import expanded
from retrieval.query.matching import Matching
from retrieval.query.operators import OperatorQuery
from retrieval.query.rerank import depth, reranked
from retrieval.query.route import Route, route, whole
from retrieval.query.unmatched import Unmatched, unmatched
from retrieval.semantic import DenseSearch
from retrieval.words.tokenize import tokens
from verify.domain.document import SourceRecord
from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import FURNITURE_KINDS, Passage, PassageKind
from verify.domain.progress import Progress

DEPTH = 200
"""How far down each ranking is read before fusion."""
LEXICAL_WEIGHT = 2.0
PAGE_WEIGHT = 1.0
DENSE_WEIGHT = 1.0
TIE_BREAK = 1e-6
MARGIN = 0.5
"""What a score counts of headers, footers and stamps, which are short and name the document: a case's name over every
page is no answer to a question about the case."""


KINDS_FIRST = 1e6
"""More than any score of BM25: a passage with more parts of a query comes first."""


class Mode(StrEnum):
    HYBRID = "hybrid"
    LEXICAL = "lexical"
    DENSE = "dense"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """``source_ids`` None means every source; document types and dates select by the sources' metadata.

    ``dated_from`` and ``dated_to`` are inclusive ISO dates; a source without a date is outside any range.
    """

    k: int = 10
    mode: Mode = Mode.HYBRID
    source_ids: tuple[SourceId, ...] | None = None
    document_types: tuple[str, ...] = ()
    dated_from: str | None = None
    dated_to: str | None = None
    kinds: tuple[PassageKind, ...] = ()
    """Passages of these kinds alone; empty for all."""
    bates: tuple[tuple[str, str], ...] = ()
    """Passages of pages stamped within one of these ranges, both ends included: prefix and figures as printed."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """``rank``, ``lexical_rank`` and ``dense_rank`` count from 1; None where that ranking lacks the passage.

    ``score`` is the fused score in millionths, comparable within one result only.
    """

    rank: int
    passage: Passage
    score: int
    lexical_rank: int | None
    dense_rank: int | None
    asked: str = ""
    """What was sought inside a document: the question, without what only names the document."""


class DocumentHits(NamedTuple):
    source_id: SourceId
    hits: int
    passages: int


@dataclass(frozen=True, slots=True)
class OperatorResult:
    """What a query with operators finds: the first ``k`` passages, and the complete count. ``hits`` are places, or
    passages where nothing but filters was given."""

    passages: tuple[Ranked, ...]
    hits: int
    documents: tuple[DocumentHits, ...]


class Searcher:
    """Search over the passages of one matter. Never raises for what a question holds; no hit is an empty result."""

    def __init__(
        self,
        store: PassageStore,
        files: IndexFiles,
        embedder: Embedder | None = None,
        vectors: VectorIndex | None = None,
        records: Callable[[], Sequence[SourceRecord]] = tuple,
    ) -> None:
        self._store, self._files, self._records = store, files, records
        self._dense = DenseSearch(files, embedder, vectors) if embedder is not None else None
        self._index = kept_index(files)
        self._positions = Positions(files, store)

    def refresh(self) -> Generator[Progress, None, None]:
        """Brings the indexes up to the store: the lexical one first, which is usable from then on, then vectors.

        Closed early, it keeps what it has embedded; the next call goes on from there.
        """
        yield from self.refresh_lexical()
        yield from self.refresh_dense()

    def refresh_lexical(self, *, hold: bool = True) -> Generator[Progress, None, None]:
        """Only the lexical index and the cards: a second or so for two thousand passages. ``hold`` False leaves on disk
        what only a search needs in memory."""
        self._index = yield from refreshed(self._index, self._store, self._records, self._files, hold=hold)
        if not hold:
            yield from self._positions.refresh(self._index)

    def refresh_dense(self) -> Generator[Progress, None, None]:
        """Only the vectors, for the passages that the lexical index holds."""
        if self._dense is not None:
            yield from self._dense.refresh(self._index, self._store)

    def attach_neighbours(self) -> bool:
        """Whether the nearest passages of the whole matter come from the index of neighbours from here on: if it is
        complete. Otherwise vectors are compared exactly, with the same top ranks. Embeds and changes nothing.

        For processes with many searches to do. A single one never gains: at 100,000 vectors comparing takes 8 ms, while
        Chroma is imported and opened in 0.65 s and reads its graph in 15 ms before the first answer (2 ms after it),
        and both reading and comparing grow with the vectors (bench_search.py, measured on 2 cores).
        """
        return self._dense is not None and self._dense.attach_neighbours(self._index)

    def search(self, query: str, options: SearchOptions | None = None) -> tuple[Ranked, ...]:
        """The ``k`` best passages, best first, of different pages as long as there are any."""
        options = options or SearchOptions()
        index = self._index
        cards = self._allowed(index, options)
        if not cards.any():
            return ()
        routed = route(index, query, cards, self._path)
        rows = self._rows(index, options, cards)
        lexical, dense = self._rankings(index, query, routed, options.mode, cards, rows)
        fused = [one for one in _margins_back(index, fuse([*lexical, *dense])) if rows[one[0]]]
        asked = query if routed is None else routed.asked.text
        if options.mode is not Mode.DENSE:
            fused = self._read_again(index, asked, fused)
        pages = {row: _group(index.places[row]) for row, _ in fused}
        chosen = one_per_group([row for row, _ in fused], pages)[: options.k]
        return self._result(index, asked, chosen, dict(fused), _ranks(lexical), _ranks(dense))

    def operate(self, query: OperatorQuery, options: SearchOptions | None = None) -> OperatorResult:
        """All that the query means, within what the options let through; filters are in the options. The best passages
        come first: those with the most parts of the query, then by words."""
        options = options or SearchOptions()
        index = self._index
        rows = self._rows(index, options, self._allowed(index, options))
        if query.wanted is None:
            hits, scores = rows.astype(np.int64), np.zeros(len(rows))
            order = np.lexsort((index.places.table[:, 2], index.row_cards))
            best = order[rows[order]][: options.k].tolist()
        else:
            cards = len(index.card_sources)
            matched = Matching(self._positions.of(index), index.row_cards, cards, rows).of(query.wanted)
            hits, scores = matched.hits, index.passages.scores(dict.fromkeys(tokens(query.plain), 1.0))
            best = best_rows(scores + matched.kinds * KINDS_FIRST, options.k, hits > 0)
        found = self._result(
            index, query.plain, best, dict(zip(best, scores[best].tolist(), strict=True)),
            {row: rank for rank, row in enumerate(best, 1)}, {},
        )  # fmt: skip
        return OperatorResult(found, int(hits.sum()), _by_document(index, hits))

    def lacks_vectors(self) -> bool:
        """True where a hybrid search may go by words only, because some passage has no vector, or none any more."""
        return self._dense is not None and self._dense.is_incomplete(self._index)

    def unmatched(self, query: str, options: SearchOptions | None = None) -> tuple[Unmatched, ...]:
        """Words of the query that stand nowhere in the documents that the options let through, with spellings that
        do."""
        index = self._index
        return tuple(unmatched(index, self._store, query, self._allowed(index, options or SearchOptions())))

    def neighbours(self, passage: Passage, before: int = 1, after: int = 1) -> tuple[Passage, ...]:
        """The passages around it in its document, in order, itself left out."""
        return tuple(neighbours(self._index, self._store, passage, before, after))

    def referred_to(self, passage: Passage, limit: int = 3) -> tuple[Passage, ...]:
        """What it leans on in its document: sections that it names, then definitions of the terms that it uses."""
        return tuple(referred_to(self._index, self._store, passage, limit))

    def _allowed(self, index: MatterIndex, options: SearchOptions) -> NDArray[np.bool_]:
        """Which cards' documents the options let through."""
        if options.source_ids is None:
            allowed = np.ones(len(index.card_sources), bool)
        else:
            allowed = rows_in(index, options.source_ids)
        if options.document_types or options.dated_from or options.dated_to:
            allowed &= rows_in(index, [r.source_id for r in self._records() if _selected(r, options)])
        return allowed

    def _path(self, source_id: SourceId) -> str:
        return next((record.path for record in self._records() if record.source_id == source_id), "")

    def _rows(self, index: MatterIndex, options: SearchOptions, cards: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which passages the options let through, of the documents of ``cards``."""
        rows = cards[index.row_cards]
        if options.kinds:
            rows = rows & index.places.of_kinds(options.kinds)
        if options.bates:
            stamped = [one for segment in self._positions.of(index) for one in segment.bates]
            rows = rows & np.array([within(one, options.bates) for one in stamped], bool)
        return rows

    def _rankings(
        self,
        index: MatterIndex,
        query: str,
        routed: Route | None,
        mode: Mode,
        cards: NDArray[np.bool_],
        rows: NDArray[np.bool_],
    ) -> tuple[list[Ranking], list[Ranking]]:
        lexical = _lexical(index, query, routed, cards, rows) if mode is not Mode.DENSE else []
        if mode is Mode.LEXICAL or self._dense is None:
            return lexical, []
        return lexical, self._dense.rankings(index, query, routed, cards, DEPTH, DENSE_WEIGHT)

    def _read_again(
        self, index: MatterIndex, asked: str, fused: Sequence[tuple[int, float]]
    ) -> list[tuple[int, float]]:
        """The first of them ordered by their texts too."""
        rows = {PassageId(index.passages.keys[row]): row for row, _ in fused[: depth(asked)]}
        return reranked(asked, fused, {rows[one.passage_id]: one for one in self._store.get(list(rows))})

    def _result(
        self,
        index: MatterIndex,
        asked: str,
        rows: Sequence[int],
        scores: dict[int, float],
        lexical: dict[int, int],
        dense: dict[int, int],
    ) -> tuple[Ranked, ...]:
        ids = [PassageId(index.passages.keys[row]) for row in rows]
        found = {passage.passage_id: passage for passage in self._store.get(ids)}
        present = [(row, found[key]) for row, key in zip(rows, ids, strict=True) if key in found]
        return tuple(
            Ranked(rank, passage, round(scores[row] * 1_000_000), lexical.get(row), dense.get(row), asked)
            for rank, (row, passage) in enumerate(present, start=1)
        )


def _margins_back(index: MatterIndex, fused: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    margin = index.places.of_kinds(FURNITURE_KINDS)
    return sorted(((row, score * MARGIN if margin[row] else score) for row, score in fused), key=lambda one: -one[1])


def _group(place: Place) -> tuple[SourceId, int, bool]:
    """Passages of which the first is shown before the others: those of a page. What stands in its margin is said of
    other pages too, and hides none."""
    return place.source_id, place.page_index, place.kind in FURNITURE_KINDS


def _selected(record: SourceRecord, options: SearchOptions) -> bool:
    metadata = record.metadata
    if options.document_types and metadata.document_type not in options.document_types:
        return False
    if not (options.dated_from or options.dated_to):
        return True
    dated = metadata.dated
    return dated is not None and (options.dated_from or "") <= dated <= (options.dated_to or "9999")


def _by_document(index: MatterIndex, hits: NDArray[np.int64]) -> tuple[DocumentHits, ...]:
    """The documents with most hits first, ties by id."""
    cards = len(index.card_sources)
    each = np.bincount(index.row_cards, hits, cards).astype(int).tolist()
    passages = np.bincount(index.row_cards, hits > 0, cards).astype(int).tolist()
    found = (DocumentHits(*one) for one in zip(index.card_sources, each, passages, strict=True) if one[1])
    return tuple(sorted(found, key=lambda one: (-one.hits, one.source_id)))


def _lexical(
    index: MatterIndex, query: str, routed: Route | None, cards: NDArray[np.bool_], rows: NDArray[np.bool_]
) -> list[Ranking]:
    """By words, in the routed document, and in all documents of ``cards`` if there are others."""
    rankings: list[Ranking] = []
    if routed is not None:
        inside = rows & np.isin(index.row_cards, routed.cards)
        rankings += _by_words(index, expanded(routed.asked), inside, routed.weight)
    if routed is None or cards.sum() > len(routed.cards):
        rankings += _by_words(index, expanded(whole(query)), rows, 1.0)
    return rankings


def _by_words(
    index: MatterIndex, terms: dict[str, float], rows: NDArray[np.bool_], weight: float
) -> tuple[Ranking, Ranking]:
    """BM25 over passages, and over pages with a page's passages in the order of the first: a clause that is cut in two,
    or a heading apart from its text, is found through its page."""
    scores = index.passages.scores(terms)
    pages = index.pages.scores(terms)[index.row_pages] + scores * TIE_BREAK
    matching = index.passages.matching(terms)
    on_page = np.bincount(index.row_pages, matching, index.pages.size)[index.row_pages] > 0
    return (
        Ranking(best_rows(scores, DEPTH, rows & matching), weight * LEXICAL_WEIGHT),
        Ranking(best_rows(pages, DEPTH, rows & on_page), weight * PAGE_WEIGHT),
    )


def _ranks(rankings: Sequence[Ranking]) -> dict[int, int]:
    return {row: rank for rank, (row, _) in enumerate(fuse(rankings), start=1)}
