"""Character recall over a corpus of plain texts, as LegalBench-RAG measures it. No matter is needed: the texts are cut
to passages of at most 500 characters and searched by the product's own search."""

import hashlib
from collections.abc import Generator, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from app.bootstrap import find_embedder
from app.paths import private_folder, store_root
from app.services.evaluation.data import SpanQuestion, read_texts
from app.services.evaluation.evaluating import Evaluating, Evaluation, measured
from app.services.evaluation.journal import Journal, Row
from app.settings import Settings
from app.store.blobs import StoreIndexFiles
from app.store.vault import IdentityVault
from retrieval.hybrid import Mode, Searcher, SearchOptions
from retrieval.measures.evaluate import Span, character_metrics
from retrieval.measures.spans import spans
from verify.domain.document import Parser, SourceRecord, SourceStatus
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart
from verify.domain.progress import Progress

DEPTHS, BUDGETS = (1, 8, 64), (4000,)
FOLDER = "evaluation"
"""In the store: the index of a corpus, so that a second run embeds nothing. Delete it to get the space back."""


class Texts:
    """A corpus as passages (``retrieval.ports.PassageStore``); each is a page of its own, for texts have none."""

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self.records = [_record(name, text) for name, text in texts]
        self._by_id = {
            passage.passage_id: passage
            for record, (_, text) in zip(self.records, texts, strict=True)
            for passage in _passages(record, text)
        }

    def state(self) -> str:
        return ""

    def ids(self) -> frozenset[PassageId]:
        return frozenset(self._by_id)

    def listing(self) -> Iterator[tuple[SourceId, tuple[PassageId, ...]]]:
        for source, passages in groupby(self._by_id.values(), key=lambda one: one.source_id):
            yield source, tuple(one.passage_id for one in passages)

    def get(self, passage_ids: Sequence[PassageId]) -> tuple[Passage, ...]:
        return tuple(self._by_id[key] for key in passage_ids if key in self._by_id)

    def all(self) -> Iterator[Passage]:
        return iter(self._by_id.values())

    def of_source(self, source_id: SourceId) -> tuple[Passage, ...]:
        return tuple(one for one in self._by_id.values() if one.source_id == source_id)


def evaluate_characters(
    corpus: Path, data: Path, questions: Sequence[SpanQuestion], settings: Settings, store: Path | None,
    journal: Journal, *, mode: str,
) -> Evaluating:  # fmt: skip
    """Recall and precision of the first 1, 8 and 64 passages and of 4,000 characters, by data set and as their mean."""
    searcher = _searcher(corpus, settings, store, mode)
    yield from searcher.refresh()

    def measure(number: int) -> Generator[Progress, None, Row]:
        yield from ()
        ranked = searcher.search(questions[number].query, SearchOptions(max(DEPTHS), Mode(mode)))
        shown = [(r.passage.source_id, r.passage.parts[0].start, r.passage.parts[0].end) for r in ranked]
        return {"id": questions[number].key, "shown": [list(span) for span in shown]}

    rows = yield from measured([q.key for q in questions], journal, measure)
    results: dict[str, list[tuple[list[Span], tuple[Span, ...]]]] = {}
    for question, row in zip(questions, rows, strict=True):
        shown = [Span(*span) for span in row["shown"]]
        results.setdefault(question.dataset, []).append((shown, question.gold))
    return Evaluation("characters", data.name, len(rows), character_metrics(results, DEPTHS, BUDGETS), rows)


def _searcher(corpus: Path, settings: Settings, store: Path | None, mode: str) -> Searcher:
    texts = Texts(read_texts(corpus))
    digest = hashlib.sha256(corpus.read_bytes()).hexdigest()[:16]
    private_folder(store_root(store) / FOLDER)
    files = StoreIndexFiles(store_root(store) / FOLDER / digest, IdentityVault())
    embedder = None if mode == Mode.LEXICAL else find_embedder(settings)
    return Searcher(texts, files, embedder, None, lambda: texts.records)


def _record(name: str, text: str) -> SourceRecord:
    fingerprint = Fingerprint("sha256:" + hashlib.sha256(text.encode()).hexdigest())
    parser = Parser(name="pincite-spans", version="1", profile="spans")
    return SourceRecord(SourceId(name), name, fingerprint, "text/plain", 1, SourceStatus.INDEXED, parser)


def _passages(record: SourceRecord, text: str) -> Iterator[Passage]:
    title = Path(record.path).stem
    cut = ((start, end) for start, end in spans(text) if text[start:end].strip())
    for number, (start, end) in enumerate(cut):
        part = PassagePart(number, ElementId(f"p{number}-e0"), 0, start, end)
        key = PassageId(f"{record.fingerprint}:{start}-{end}")
        yield Passage(key, record.source_id, record.fingerprint, number, title, (), text[start:end], (part,))
