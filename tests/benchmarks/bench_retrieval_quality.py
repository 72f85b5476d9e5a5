"""How often the right page or the right characters are found, with the plain baseline in the same run.

    python tests/benchmarks/bench_retrieval_quality.py pages [--cache DIR]       27 contracts, 240 questions, page hit
    python tests/benchmarks/bench_retrieval_quality.py characters [--cache DIR]  LegalBench-RAG-mini, character recall
    python tests/benchmarks/bench_retrieval_quality.py refusals [--cache DIR]    what answering without a model refuses

Contracts are read by Pincite's own reader. Each row is shown for all questions and for two halves of the documents
(every other name in sorted order): misses were looked at in the first half only, and a rule was kept where both halves
gained. "inside" searches the right document with the bare question; "folder" searches everything with the document
named first; "one sentence" names it in the question ("… of the lease between A and B?"). The baseline is 600
characters, ``lower().split()`` and rank-bm25. "as asked" takes the same gold pages with six other wordings
of each question, as lawyers speak (questions_as_asked.json); half of the wordings were held back while the vocabulary
was written, but one author wrote both. ``--cache`` keeps the embeddings, which take minutes.
"""

import argparse
import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi

from ingest.pdf.reader import PdfReader
from ingest.structure.passages import cut_passages
from models.adapters.embeddings import MiniLmEmbedder
from models.answering.answering import answer
from models.answering.drafts import AnswerOptions, ShownPassage
from retrieval.hybrid import Mode, Searcher, SearchOptions
from retrieval.measures.evaluate import Page, Span, character_metrics, page_metrics
from retrieval.measures.spans import spans
from retrieval.query.naming import share_named
from verify.domain.document import Parser, SourceRecord, SourceStatus
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart

DATA = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "evaldata"
AS_ASKED = Path(__file__).with_name("questions_as_asked.json")
UNANSWERABLE = Path(__file__).parents[1] / "data"
KS = (1, 5, 10)
SHOWN = 64
Results = list[tuple[Sequence[Page], frozenset[Page]]]


class Store:
    def __init__(self, passages: Sequence[Passage]) -> None:
        self._by_id = {passage.passage_id: passage for passage in passages}

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


class Files:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def read(self, name: str) -> bytes | None:
        path = self._folder / name
        return path.read_bytes() if path.is_file() else None

    def write(self, name: str, data: bytes) -> None:
        (self._folder / name).write_bytes(data)

    def names(self) -> Sequence[str]:
        return tuple(path.name for path in self._folder.iterdir())

    def remove(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)


@dataclass(frozen=True)
class Asked:
    """One labelled question in its three forms; the document's name is also its source id."""

    document: str
    bare: str
    named_first: str
    one_sentence: str
    gold: frozenset[Page]
    category: str


def record(source: str) -> SourceRecord:
    fingerprint = Fingerprint("sha256:" + hashlib.sha256(source.encode()).hexdigest())
    parser = Parser(name="bench", version="1", profile="bench")
    return SourceRecord(SourceId(source), source, fingerprint, "text/plain", 1, SourceStatus.INDEXED, parser)


def searcher_over(passages: Sequence[Passage], folder: Path, embedder: MiniLmEmbedder | None) -> Searcher:
    records = [record(source) for source in sorted({passage.source_id for passage in passages})]
    searcher = Searcher(Store(passages), Files(folder), embedder, None, lambda: records)
    for progress in searcher.refresh():
        if progress.done % 512 == 0:
            print(f"\r{progress.stage} {progress.done} of {progress.total}", end="", flush=True)
    print("\r", end="")
    return searcher


def contracts() -> list[Passage]:
    passages: list[Passage] = []
    for path in sorted((DATA / "cuad_pdf" / "pdf").glob("*.pdf")):
        with PdfReader(path) as reader:
            passages += cut_passages(reader.pages(), SourceId(path.name), record(path.name).fingerprint, path.stem)
    return passages


def questions() -> list[Asked]:
    rows = [json.loads(line) for line in (DATA / "cuad_pdf" / "questions.jsonl").read_text("utf-8").splitlines()]
    return [_asked(row) for row in rows]


def _asked(row: dict[str, Any]) -> Asked:
    named = row["query"].split(";", 1)[0].removeprefix("Consider ")
    gold = frozenset((row["pdf"], page - 1) for page in row["gold_pages"])
    return Asked(
        row["pdf"],
        row["question"],
        row["query"],
        row["question"].replace("this contract", named),
        gold,
        row["category"],
    )


def as_asked(asked: Sequence[Asked], used: bool) -> list[Asked]:
    """Each question in three other wordings: those that the vocabulary's author worked with, or those held back."""
    wordings = json.loads(AS_ASKED.read_text("utf-8"))
    return [
        replace(one, bare=words, named_first=f"{one.named_first.split(';', 1)[0]}; {words}", one_sentence="")
        for one in asked
        for words in wordings[one.category][0 if used else 1 :: 2]
    ]


def pages(searcher: Searcher, asked: Sequence[Asked], ask: Callable[[Asked], tuple[str, SearchOptions]]) -> Results:
    found: Results = []
    for one in asked:
        ranked = searcher.search(*ask(one))
        found.append(([(r.passage.source_id, r.passage.page_index) for r in ranked], one.gold))
    return found


def baseline(asked: Sequence[Asked], inside: bool) -> Results:
    """Plain chunks, plain words, the library as it comes; one list of chunks for the folder or for each document."""
    from ingest.mupdf import pymupdf

    chunks: list[tuple[Page, str]] = []
    for path in sorted((DATA / "cuad_pdf" / "pdf").glob("*.pdf")):
        with pymupdf.open(path) as document:
            for number, page in enumerate(document):
                text = page.get_text()
                chunks += [((path.name, number), text[at : at + 600]) for at in range(0, len(text), 600)]
    chunks = [(page, text) for page, text in chunks if text.split()]
    scopes: dict[str, list[int]] = {}
    for row, (page, _) in enumerate(chunks):
        scopes.setdefault(page[0] if inside else "", []).append(row)
    indexes = {key: BM25Okapi([chunks[row][1].lower().split() for row in rows]) for key, rows in scopes.items()}
    found: Results = []
    for one in asked:
        key, question = (one.document, one.bare) if inside else ("", one.named_first)
        order = np.argsort(-indexes[key].get_scores(question.lower().split()), kind="stable")[:10]
        found.append(([chunks[scopes[key][row]][0] for row in order], one.gold))
    return found


def show_pages(label: str, asked: Sequence[Asked], results: Results) -> None:
    names = sorted({one.document for one in asked})
    first = frozenset(names[::2])
    parts = (lambda _: True, lambda name: name in first, lambda name: name not in first)
    cells = []
    for belongs in parts:
        some = [result for one, result in zip(asked, results, strict=True) if belongs(one.document)]
        cells.append(" ".join(f"{100 * page_metrics(some, KS)[f'page_hit@{k}']:5.1f}" for k in KS))
    print(f"{label:<34} {cells[0]}   | {cells[1]}   | {cells[2]}", flush=True)


def bench_pages(cache: Path, embedder: MiniLmEmbedder | None) -> None:
    asked = questions()
    searcher = searcher_over(contracts(), cache / "pages", embedder)
    print(f"{'page hit at 1, 5, 10 (per cent)':<34} {'all':<17}   | {'first half':<17}   | second half")
    show_pages("baseline, inside", asked, baseline(asked, inside=True))
    show_pages("baseline, folder", asked, baseline(asked, inside=False))
    for mode in Mode if embedder else (Mode.LEXICAL,):
        inside = pages(searcher, asked, lambda q, m=mode: (q.bare, SearchOptions(10, m, (SourceId(q.document),))))
        show_pages(f"{mode}, inside", asked, inside)
        show_pages(
            f"{mode}, folder", asked, pages(searcher, asked, lambda q, m=mode: (q.named_first, SearchOptions(10, m)))
        )
        one = pages(searcher, asked, lambda q, m=mode: (q.one_sentence, SearchOptions(10, m)))
        show_pages(f"{mode}, folder, one sentence", asked, one)
    mode = Mode.HYBRID if embedder else Mode.LEXICAL
    for label, used in (("used", True), ("held back", False)):
        other = as_asked(asked, used)
        inside = pages(searcher, other, lambda q: (q.bare, SearchOptions(10, mode, (SourceId(q.document),))))
        show_pages(f"{mode}, inside, as asked, {label}", other, inside)
        folder = pages(searcher, other, lambda q: (q.named_first, SearchOptions(10, mode)))
        show_pages(f"{mode}, folder, as asked, {label}", other, folder)


def bench_refusals(cache: Path, embedder: MiniLmEmbedder | None) -> None:
    passages = contracts()
    searcher = searcher_over(passages, cache / "pages", embedder)
    openings: dict[str, str] = {}
    for one in passages:
        openings[one.source_id] = f"{openings.get(one.source_id, one.source_id)}\n{one.text}"[:1200]
    asked = questions()
    sets: list[tuple[str, list[tuple[str, SearchOptions]]]] = [
        ("with an answer", [(q.named_first, SearchOptions(8)) for q in asked]),
        *(
            (f"with an answer, as asked, {label}",
             [(q.bare, SearchOptions(8, source_ids=(SourceId(q.document),))) for q in as_asked(asked, used)])
            for label, used in (("used", True), ("held back", False))
        ),
        *(
            (f"without, {name}", [(json.loads(line)["query"], SearchOptions(8)) for line in lines])
            for name in ("unanswerable.jsonl", "unanswerable_as_asked.jsonl")
            for lines in [(UNANSWERABLE / name).read_text("utf-8").splitlines()]
        ),
    ]  # fmt: skip
    for label, rows in sets:
        refused = sum(_refused(searcher, embedder, openings, query, options) for query, options in rows)
        print(f"{label:<44} {len(rows):>4} questions, refused {100 * refused / len(rows):5.1f} %", flush=True)


def _refused(
    searcher: Searcher, embedder: MiniLmEmbedder | None, openings: dict[str, str], query: str, options: SearchOptions
) -> bool:
    shown = []
    for r in searcher.search(query, options):
        about = openings[r.passage.source_id]
        named = share_named(r.asked, "\n".join((about, *r.passage.heading_path, r.passage.text)))
        shown.append(ShownPassage(f"P{r.rank}", r.passage, r.rank, about=about, named=named))
    steps = answer(query, shown, None, AnswerOptions(), embedder)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value.unanswered is not None


def texts() -> list[Passage]:
    passages: list[Passage] = []
    with gzip.open(DATA / "legalbench_rag_mini" / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            cut = [(a, b) for a, b in spans(row["text"]) if row["text"][a:b].strip()]
            passages += [_text_passage(row["corpus_path"], n, a, row["text"][a:b]) for n, (a, b) in enumerate(cut)]
    return passages


def _text_passage(source: str, ordinal: int, start: int, text: str) -> Passage:
    """Each passage is a page of its own, for these texts have none."""
    part = PassagePart(ordinal, ElementId(f"p{ordinal}-e0"), 0, start, start + len(text))
    key, title = PassageId(f"{source}:{ordinal}"), Path(source).stem
    return Passage(key, SourceId(source), record(source).fingerprint, ordinal, title, (), text, (part,))


def bench_characters(cache: Path, embedder: MiniLmEmbedder | None) -> None:
    passages = texts()
    searcher = searcher_over(passages, cache / "characters", embedder)
    with gzip.open(DATA / "legalbench_rag_mini" / "tests.jsonl.gz", "rt", encoding="utf-8") as lines:
        tests = [json.loads(line) for line in lines]
    plain = BM25Okapi([passage.text.lower().split() for passage in passages])
    order = lambda query: np.argsort(-plain.get_scores(query.lower().split()), kind="stable")[:SHOWN]  # noqa: E731
    show_characters("baseline", tests, lambda query: [passages[row] for row in order(query)])
    for mode in Mode if embedder else (Mode.LEXICAL,):
        show_characters(mode, tests, lambda q, m=mode: [r.passage for r in searcher.search(q, SearchOptions(SHOWN, m))])


def show_characters(label: str, tests: Sequence[Any], search: Callable[[str], list[Passage]]) -> None:
    rows: dict[str, list[tuple[list[Span], list[Span]]]] = {}
    for test in tests:
        gold = [Span(s["corpus_path"], *s["span"]) for s in test["snippets"]]
        shown = [Span(p.source_id, p.parts[0].start, p.parts[0].end) for p in search(test["query"])]
        rows.setdefault(test["dataset"], []).append((shown, gold))
    metrics = character_metrics(rows, (1, 8, SHOWN), (4000,))
    for name in ("", *(f"{dataset}/" for dataset in rows)):
        cells = "  ".join(
            f"{cut} {100 * metrics[f'{name}recall{cut}']:5.1f}" for cut in ("@1", "@8", f"@{SHOWN}", "@4000chars")
        )
        print(f"{label:<9} {name or 'mean of data sets':<18} recall {cells}   document@1 "
              f"{100 * metrics[f'{name}document@1']:5.1f}", flush=True)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("pages", "characters", "refusals"))
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--words", action="store_true", help="without embeddings")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bench = {"pages": bench_pages, "characters": bench_characters, "refusals": bench_refusals}[options.what]
        bench(options.cache or Path(scratch), None if options.words else MiniLmEmbedder())


if __name__ == "__main__":
    main()
