"""A matter as strategies read it (``models.answering.library``): documents, their sentences, and retrieval."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from app.services.asking.searching import Search, SearchOptions, pages_of_passage
from app.services.asking.struck import has_struck, live, struck_in
from app.services.matter.matter import Matter
from app.services.matter.scope import readable
from models.answering.documents.nature import Kind, nature
from models.answering.documents.nature import Standing as Said
from models.answering.documents.text import DocumentText
from models.answering.drafts import ShownPassage, ShownSentence, ShownTable
from models.answering.evidence import number_sentences
from models.answering.library import Document, Standing, Statement
from models.answering.prompts import speaks_to_a_machine
from models.language.concepts import flat
from models.language.wording import stem, stem_set
from verify.domain.document import Page, SourceRecord
from verify.domain.ids import PassageId, SourceId
from verify.domain.passage import Passage
from verify.meaning import parts_of

if TYPE_CHECKING:
    from models.ports import SentenceEncoder
    from retrieval.hybrid import Ranked

T = TypeVar("T")
_DRAFT = re.compile(r"\b(?:draft|unsigned|not signed|unexecuted)\b", re.I)
_OWN = re.compile(r"\b(?:work product|attorney[- ]client)\b", re.I)


class Sentences:
    """The sentences of a matter's documents, each document prepared once for as long as this lives."""

    def __init__(self, matter: Matter) -> None:
        self._matter = matter
        self._of: dict[SourceId, tuple[Statement, ...]] = {}
        self._stems: dict[SourceId, frozenset[str]] = {}
        self.kept: dict[tuple[str, tuple[SourceId, ...]], object] = {}
        self.planted: set[PassageId] = set()
        """Passages with a sentence that speaks to a machine; it is left out."""

    def of(self, source_id: SourceId) -> tuple[Statement, ...]:
        if source_id not in self._of:
            self._of[source_id] = tuple(self._read(source_id))
        return self._of[source_id]

    def stems_of(self, source_id: SourceId) -> frozenset[str]:
        """Of all its sentences."""
        if source_id not in self._stems:
            self._stems[source_id] = frozenset().union(*(s.stems for s in self.of(source_id)))
        return self._stems[source_id]

    def _read(self, source_id: SourceId) -> Iterator[Statement]:
        order = 0
        for passage in self._matter.store.passages.of_source(source_id):
            shown = ShownPassage(f"{source_id}.{passage.ordinal}", passage, passage.ordinal + 1)
            struck = struck_of(self._matter, passage)
            for sentence in number_sentences((shown,)):
                if speaks_to_a_machine(sentence.text):
                    self.planted.add(passage.passage_id)
                    continue
                yield _statement(shown, live(sentence, passage, struck), order)
                order += 1


class MatterLibrary:
    """``scope`` empty means the whole matter. ``asked`` collects what retrieval found, for the record."""

    def __init__(
        self, search: Search, sentences: Sentences, encoder: "SentenceEncoder | None", scope: Sequence[SourceId],
        chroma_url: str | None,
    ) -> None:  # fmt: skip
        self._search, self._sentences, self._encoder = search, sentences, encoder
        self._scope, self._chroma = tuple(scope), chroma_url
        self.asked: dict[PassageId, Ranked] = {}

    @property
    def encoder(self) -> "SentenceEncoder | None":
        return self._encoder

    @property
    def documents(self) -> tuple[Document, ...]:
        return self.kept("listed", lambda: tuple(self._listed()))

    def _listed(self) -> Iterator[Document]:
        read = {r.source_id for r in readable(self._search.matter)}
        records = [r for r in self._search.matter.sources() if r.source_id in read]
        some = (r for r in records if not self._scope or r.source_id in self._scope)
        yield from (self._document(r) for r in sorted(some, key=lambda r: r.path))

    def _document(self, record: SourceRecord) -> Document:
        passages = self._search.matter.store.passages.of_source(record.source_id)
        opening = passages[0].text if passages else ""
        title = record.metadata.title or (passages[0].title if passages else "") or record.path
        return Document(
            record.source_id, record.path, title, opening, record.metadata.dated,
            _standing(record, title, passages), record.page_count, not passages,
        )  # fmt: skip

    def statements(self, source_id: SourceId) -> tuple[Statement, ...]:
        return self._sentences.of(source_id)

    def clause(self, source_id: SourceId, text: str) -> tuple[Statement, ...]:
        return tuple(_statements(self._search.matter, self._search.clauses(text, (source_id,))))

    def mentions(self, word: str) -> frozenset[SourceId]:
        """Documents of the scope that hold the word."""
        wanted = stem(word)
        return frozenset(d.source_id for d in self.documents if wanted in self._sentences.stems_of(d.source_id))

    def kept(self, key: str, make: Callable[[], T]) -> T:
        """What ``make`` works out of the documents of the scope, once for as long as their sentences are kept."""
        place = (key, self._scope)
        if place not in self._sentences.kept:
            self._sentences.kept[place] = make()
        return cast(T, self._sentences.kept[place])

    def instructed(self) -> bool:
        """Whether a passage that retrieval found holds words that speak to a machine."""
        for one in self.asked.values():
            self._sentences.of(one.passage.source_id)
        return not self._sentences.planted.isdisjoint(self.asked)

    def of_passage(self, shown: ShownPassage) -> tuple[Statement, ...]:
        wanted = shown.passage.passage_id
        return tuple(s for s in self.statements(shown.passage.source_id) if s.passage.passage.passage_id == wanted)

    def ranked(self, text: str, sources: Sequence[SourceId], k: int) -> tuple[ShownPassage, ...]:
        options = SearchOptions(k, "hybrid", tuple(sources) or self._scope, self._chroma)
        found = self._search.with_their_pages(text, options)
        for one in found:
            self.asked.setdefault(one.passage.passage_id, one)
        return tuple(self._shown(f"P{n}", r.passage, n, r.asked) for n, r in enumerate(found, start=1))

    def full(self, statement: Statement) -> ShownPassage:
        shown = statement.passage
        return self._shown(shown.handle, shown.passage, shown.rank, "")

    def _shown(self, handle: str, passage: Passage, rank: int, asked: str) -> ShownPassage:
        from retrieval.query.naming import share_named

        matter = self._search.matter
        record = matter.source(passage.source_id)
        pages = pages_of_passage(matter, record, passage)
        authority = record.metadata.authority_status or ""
        about = f"{record.path}\n{matter.store.passages.opening(passage.source_id)}" if asked else ""
        text = "\n".join((about, *passage.heading_path, passage.text))
        return ShownPassage(
            handle=handle,
            passage=passage,
            rank=rank,
            page_labels=tuple((i, page.label) for i, page in pages.items()),
            dated=record.metadata.dated,
            superseded_by=authority if authority.lower().startswith("superseded") else None,
            about=about,
            named=share_named(asked, text) if asked else 0.0,
            tables=tuple(self._tables(record, passage, pages)),
        )

    def _tables(self, record: SourceRecord, passage: Passage, pages: dict[int, Page]) -> Iterator[ShownTable]:
        elements = {(part.page_index, part.element_id) for part in passage.parts}
        for index, page in pages.items():
            for table in page.tables:
                if (index, table.element_id) in elements:
                    page_at = partial(self._search.matter.pages.get, record)
                    yield ShownTable(parts_of(page, table, page_at))


def struck_of(matter: Matter, passage: Passage) -> tuple[tuple[int, int], ...]:
    """Where the passage is struck through; its pages are read only where the document has such words."""
    record = matter.source(passage.source_id)
    return struck_in(passage, pages_of_passage(matter, record, passage)) if has_struck(record) else ()


def _statement(shown: ShownPassage, sentence: ShownSentence, order: int) -> Statement:
    text = sentence.text
    return Statement(shown.passage.source_id, shown, sentence, flat(text), stem_set((text,)), order)


def _statements(matter: Matter, passages: Sequence[Passage]) -> Iterator[Statement]:
    """The sentences of parts of passages, numbered anew: a list is one sentence, and a clause may be one item of it."""
    order = 0
    for passage in passages:
        shown = ShownPassage(f"{passage.source_id}.{passage.ordinal}", passage, passage.ordinal + 1)
        struck = struck_of(matter, passage)
        for sentence in number_sentences((shown,)):
            if not speaks_to_a_machine(sentence.text):
                yield _statement(shown, live(sentence, passage, struck), order)
                order += 1


def _standing(record: SourceRecord, title: str, passages: Sequence[Passage]) -> Standing:
    """What a person said of it, else what the document says of itself."""
    said = record.metadata.authority_status, record.metadata.privilege, record.metadata.revision
    status = " ".join(filter(None, said))
    if _OWN.search(status):
        return Standing.OWN
    if _DRAFT.search(status):
        return Standing.DRAFT
    shown = tuple(ShownPassage(f"{record.source_id}.{p.ordinal}", p, p.ordinal + 1) for p in passages)
    own = nature(DocumentText(record.source_id, record.path, title, shown))
    if own.kind in (Kind.PLEADING, Kind.WORK_PRODUCT):
        return Standing.OWN  # a draft of one, too
    if own.standing is Said.DRAFT or (own.standing is Said.UNSIGNED and own.kind is not Kind.AGREEMENT):
        return Standing.DRAFT
    return Standing.FINAL if own.is_basis else Standing.OWN
