"""Ranked passages with their places on the page (contract, section 6)."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import reduce
from shlex import quote
from typing import TYPE_CHECKING, Any

from app.errors import EngineUnavailable, InputMissing, Usage
from app.messages import malformed_query, unknown_filter
from app.services.answers.answer_json import passage_to_json, unmatched_to_json
from app.services.answers.answers import FoundPassage, UnmatchedWord
from app.services.asking.filters import EVERYTHING, Filtering, Selection, UnknownFilter
from app.services.matter.matter import Matter
from app.services.matter.scope import readable
from verify.domain.document import Page, SourceRecord
from verify.domain.geometry import union
from verify.domain.ids import SourceId
from verify.domain.passage import OWN_TEXT_KINDS, Passage, PassagePart
from verify.domain.progress import Progress, finish
from verify.report import Region, Role

if TYPE_CHECKING:
    from retrieval.hybrid import Ranked, Searcher
    from retrieval.hybrid import SearchOptions as Wanted
    from retrieval.query.operators import OperatorQuery

_LOOKED_THROUGH = 100
"""Passages after those asked for among which others of the best pages are sought."""
_WITH_PAGES, _OF_PAGES = 2, 6
"""How many of the best pages bring along their other passages, and how many of these in all."""
_WITH_REFERENCES = 3
_REFERENCES = 2
"""How many of the best passages bring along what they refer to, and how much of it each."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """``sources`` empty means all of the matter. ``filters`` are names and values as in a query ("type", "pdf")."""

    k: int = 10
    mode: str = "hybrid"
    sources: tuple[SourceId, ...] = ()
    chroma_url: str | None = None
    filters: tuple[tuple[str, str], ...] = ()
    selection: Selection = EVERYTHING
    """What the filters let through, worked out once."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage with where it holds what was sought, half-open offsets in its text, and a stretch of it that shows most
    of these."""

    passage: FoundPassage
    hits: tuple[tuple[int, int], ...]
    excerpt: tuple[int, int]

    def to_json(self) -> dict[str, Any]:
        start, end = self.excerpt
        return {
            **passage_to_json(self.passage),
            "hits": [{"start": first, "end": last} for first, last in self.hits],
            "excerpt": self.passage.text[start:end],
        }


@dataclass(frozen=True, slots=True)
class DocumentCount:
    """Of a query with operators: all places in one document, and in how many passages they stand."""

    source_id: SourceId
    path: str
    hits: int
    passages: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """``documents``: how many with text that was read were searched. ``unmatched``: words of the query that stand in
    none of them. ``hits`` and ``by_document`` are complete, whatever ``k`` is; None for a question in words."""

    query: str
    mode: str
    passages: tuple[Shown, ...]
    documents: int
    unmatched: tuple[UnmatchedWord, ...]
    hits: int | None = None
    by_document: tuple[DocumentCount, ...] = ()
    read_both_ways: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Dates of the query that may have the day or the month first, as written, and both as ISO days."""

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "pincite.search/1",
            "query": self.query,
            "mode": self.mode,
            "documents": self.documents,
            "unmatched": [unmatched_to_json(one) for one in self.unmatched],
            "hits": self.hits,
            "by_document": [asdict(one) for one in self.by_document],
            "read_both_ways": [{"date": date, "readings": list(days)} for date, days in self.read_both_ways],
            "passages": [p.to_json() for p in self.passages],
        }


class Search:
    """A search over one open matter that serves many queries: the indexes are loaded once."""

    def __init__(self, matter: Matter, searcher: "Searcher") -> None:
        self.matter = matter
        self._searcher = searcher
        self._records = {r.source_id: r for r in matter.sources()}
        self._readable = readable(matter)
        self._filtering = Filtering(self._readable, matter.store.passages.opening)

    def find(self, query: str, options: SearchOptions) -> SearchResult:
        """By words, or as the query's operators say. Raises InputMissing for a source that is not of this matter, Usage
        for a query that is malformed."""
        from retrieval.words.dates import dates_in

        both = [(query[d.start : d.end], d.readings) for d in dates_in(query) if len(d.readings) > 1]
        return replace(self._found(query, options), read_both_ways=tuple(both))

    def _found(self, query: str, options: SearchOptions) -> SearchResult:
        from retrieval.query.excerpt import spans_of_words
        from retrieval.query.operators import MalformedQuery, operators

        self.require(options.sources)
        try:
            parsed = operators(query)
            selection = reduce(lambda so_far, one: self._filtering.by(so_far, *one), options.filters, EVERYTHING)
            selection = self._filtering.narrowed(selection, parsed.filters if parsed else ())
        except MalformedQuery as error:
            raise Usage(malformed_query(error.fault.value, error.at, error.found)) from error
        except UnknownFilter as error:
            raise Usage(unknown_filter(error.kind, error.value, error.at)) from error
        options = replace(options, selection=selection)
        if parsed is not None and not (parsed.only_words and parsed.plain):
            return self._operated(query, parsed, options)
        asked = parsed.plain if parsed else query
        shown = tuple(self._shown(r, spans_of_words(r.asked, r.passage.text)) for r in self.rank(asked, options))
        return SearchResult(query, options.mode, shown, self._documents(options), self.unmatched(asked, options))

    def _operated(self, query: str, parsed: "OperatorQuery", options: SearchOptions) -> SearchResult:
        from retrieval.query.matching import spans_in

        found = self._searcher.operate(parsed, self._wanted(options))
        wanted = parsed.wanted
        shown = [self._shown(r, [] if wanted is None else spans_in(r.passage, wanted)) for r in found.passages]
        counts = [DocumentCount(d[0], self._records[d[0]].path, d.hits, d.passages) for d in found.documents]
        return SearchResult(
            query,
            "operators",
            tuple(shown),
            self._documents(options),
            self.unmatched(parsed.plain, options),
            found.hits,
            tuple(counts),
        )

    def _shown(self, ranked: "Ranked", spans: list[tuple[int, int]]) -> Shown:
        from retrieval.query.excerpt import excerpt

        return Shown(self.found(ranked), tuple(spans), excerpt(ranked.passage.text, spans))

    def lacks_vectors(self) -> bool:
        """Whether embedding was begun and is not complete: then documents are searched by words only."""
        return self._searcher.lacks_vectors()

    def unmatched(self, query: str, options: SearchOptions) -> tuple[UnmatchedWord, ...]:
        """Words of the query that stand in none of the documents that are searched."""
        nowhere = self._searcher.unmatched(query, self._wanted(options))
        return tuple(UnmatchedWord(one.word, one.nearest) for one in nowhere)

    def require(self, sources: Sequence[SourceId]) -> None:
        """Raises InputMissing for a source that is not of this matter."""
        unknown = [s for s in sources if s not in self._records]
        if unknown:
            raise InputMissing(
                f"no document has the id {unknown[0]}; run: pincite sources {quote(str(self.matter.root))}"
            )

    def rank(self, query: str, options: SearchOptions) -> tuple["Ranked", ...]:
        from models.ports import ModelUnavailable

        self.require(options.sources)
        try:
            ranked = self._searcher.search(query, self._wanted(options))
        except ModelUnavailable as error:
            raise EngineUnavailable(str(error)) from error
        if options.mode == "dense" and not ranked and self._documents(options):
            raise EngineUnavailable(
                f"there are no embeddings to search by; run: pincite index {quote(str(self.matter.root))}"
            )
        return ranked

    def _wanted(self, options: SearchOptions) -> "Wanted":
        from retrieval.hybrid import Mode
        from retrieval.hybrid import SearchOptions as Wanted

        chosen = options.selection
        only = frozenset(options.sources) if options.sources else None
        if chosen.sources is not None:
            only = chosen.sources if only is None else only & chosen.sources
        sources = None if only is None else tuple(sorted(only))
        return Wanted(options.k, Mode(options.mode), sources, kinds=chosen.kinds, bates=chosen.bates)

    def _documents(self, options: SearchOptions) -> int:
        only = self._wanted(options).source_ids
        return sum(1 for record in self._readable if only is None or record.source_id in only)

    def clauses(self, question: str, sources: Sequence[SourceId] = ()) -> tuple["Passage", ...]:
        """The clauses that the question names by number, whole, as the parts of passages that they are: of each of the
        sources (none: of every document), in their order. Empty where it names none, or no document has it."""
        from retrieval.query.clauses import clause, designators

        found: list[Passage] = []
        wanted = designators(question)
        for record in self._readable if wanted else ():
            if not sources or record.source_id in sources:
                passages = self.matter.store.passages.of_source(record.source_id)
                for one in wanted:
                    found.extend(clause(passages, one))
        return tuple(found)

    def with_their_pages(self, query: str, options: SearchOptions) -> "tuple[Ranked, ...]":
        """The same as ``rank``, followed by the other passages of the first pages: a search brings up one passage of a
        page, and a short lease has all its clauses on one."""
        ranked = self.rank(query, replace(options, k=options.k + _LOOKED_THROUGH))
        best, rest = ranked[: options.k], ranked[options.k :]
        pages = {(r.passage.source_id, r.passage.page_index) for r in best[:_WITH_PAGES]}
        beside = [r for r in rest if (r.passage.source_id, r.passage.page_index) in pages]
        return (*best, *(replace(r, rank=rank) for rank, r in enumerate(beside[:_OF_PAGES], start=len(best) + 1)))

    def with_context(self, ranked: "Sequence[Ranked]") -> "tuple[Ranked, ...]":
        """The same, followed by what the best of them refer to (sections that they name, terms that they use) and by
        what goes on after the first. These have ranks after the others, and none in a ranking of its own."""
        from retrieval.hybrid import Ranked

        have = {r.passage.passage_id for r in ranked}
        added: list[Passage] = []
        for r in ranked[:_WITH_REFERENCES]:
            added.extend(self._searcher.referred_to(r.passage, _REFERENCES))
        for r in ranked[:1]:
            added.extend(self._searcher.neighbours(r.passage, 0, 1))
        new = {p.passage_id: p for p in added if p.passage_id not in have}
        context = (
            Ranked(rank, p, 0, None, None, ranked[0].asked)
            for rank, p in enumerate(new.values(), start=len(ranked) + 1)
        )
        return (*ranked, *context)

    def found(self, ranked: "Ranked") -> FoundPassage:
        passage = ranked.passage
        record = self._records[passage.source_id]
        pages = pages_of_passage(self.matter, record, passage)
        first = pages.get(passage.page_index)
        own = passage.kind in OWN_TEXT_KINDS
        return FoundPassage(
            rank=ranked.rank,
            passage_id=passage.passage_id,
            source_id=passage.source_id,
            path=record.path,
            page_index=passage.page_index,
            end_page_index=passage.end_page_index,
            page_label=None if first is None else first.label,
            element_ids=tuple(dict.fromkeys(part.element_id for part in passage.parts)),
            heading_path=passage.heading_path,
            text=passage.text,
            start=None if own else passage.parts[0].start,
            end=None if own else passage.parts[-1].end,
            regions=tuple(_regions(passage.parts, pages)),
            score=ranked.score,
            lexical_rank=ranked.lexical_rank,
            dense_rank=ranked.dense_rank,
            kind=passage.kind.value,
        )


def pages_of_passage(matter: Matter, record: SourceRecord, passage: Passage) -> dict[int, Page]:
    """The pages that the passage touches, by index."""
    indexes = dict.fromkeys(part.page_index for part in passage.parts)
    pages = ((index, matter.pages.get(record, index)) for index in indexes)
    return {index: page for index, page in pages if page is not None}


def _regions(parts: Iterable[PassagePart], pages: dict[int, Page]) -> Iterator[Region]:
    """One box for each line of each part, around its words."""
    for part in parts:
        page = pages.get(part.page_index)
        element = None if page is None else next((e for e in page.elements if e.element_id == part.element_id), None)
        if page is None or element is None:
            continue
        for line in page.lines[element.first_line : element.end_line]:
            words = page.words[line.first_word : line.end_word]
            inside = [w.box for w in words if w.visible and w.start >= part.start and w.end <= part.end]
            if inside:
                yield Region(part.page_index, union(inside), Role.TEXT)


def open_search(
    matter: Matter, *, dense: bool = True, chroma_url: str | None = None, lasting: bool = False
) -> Generator[Progress, None, Search]:
    """Loads the matter's indexes, and brings the words up to date with what an interrupted run left behind.

    ``lasting`` says that this process has many searches to do: Chroma then answers from what ``index`` left, where a
    single search has compared all vectors before Chroma is even imported. A server that is named is always asked.
    """
    from app.bootstrap import build_searcher

    searcher = build_searcher(matter, dense=dense, chroma_url=chroma_url)
    yield from searcher.refresh_lexical()
    if chroma_url is not None:
        yield from searcher.refresh_dense()
    elif lasting:
        searcher.attach_neighbours()
    return Search(matter, searcher)


def search(matter: Matter, query: str, options: SearchOptions | None = None) -> SearchResult:
    """One query. Raises InputMissing for an unknown source, EngineUnavailable for mode "dense" without vectors."""
    options = options or SearchOptions()
    opening = open_search(matter, dense=options.mode != "lexical", chroma_url=options.chroma_url)
    return finish(opening).find(query, options)
