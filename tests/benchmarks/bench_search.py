"""How long a search takes over many passages, the embedding of the question apart.

    python tests/benchmarks/bench_search.py [--passages 100000] [--queries 200] [--dense] [--chroma]

Passages are made of a Zipf-distributed vocabulary, in documents of 200 with 4 passages a page, each with a name of its
own; half of the questions name one. The library's own ``BM25Okapi`` is timed over a tenth and its growth is
linear. ``--dense`` adds vectors compared exactly, ``--chroma`` those indexed by Chroma too, however many (minutes to
fill), what it adds to this process's memory, and what a new process pays for either before its first and its second
answer. Recall is of the ten that are nearest by the vectors as they were made, before anything was rounded.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from process_memory import sizes
from rank_bm25 import BM25Okapi

from retrieval.hybrid import Searcher
from retrieval.index.dense import on_disk
from retrieval.index.lexical import LexicalIndex
from retrieval.index.postings import Segment
from retrieval.query.operators import operators
from retrieval.words.tokenize import tokens
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassagePart

PER_DOCUMENT, PER_PAGE, WORDS, VOCABULARY = 200, 4, 110, 60_000
TOPICS = ("Which law governs?", "How is the agreement terminated for convenience?", "Is liability capped?",
          "May the contract be assigned without consent?", "What insurance must be maintained?")  # fmt: skip


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


class Files(dict[str, bytes]):
    def read(self, name: str) -> bytes | None:
        return self.get(name)

    def write(self, name: str, data: bytes) -> None:
        self[name] = data

    def names(self) -> Sequence[str]:
        return tuple(self)

    def remove(self, name: str) -> None:
        self.pop(name, None)


class Unembedded:
    """Random unit vectors, drawn before the clock starts, so that a search is timed without the model."""

    name, dimension = "random-384", 384

    def __init__(self) -> None:
        self._rng = np.random.default_rng(5)
        self._question = self._drawn(1)
        self.made: list[NDArray[np.float32]] = []

    def _drawn(self, count: int) -> NDArray[np.float32]:
        rows = self._rng.standard_normal((count, self.dimension), np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(texts) == 1:
            return self._question
        self.made.append(self._drawn(len(texts)))
        return self.made[-1]


def made_passages(count: int) -> list[Passage]:
    rng = np.random.default_rng(3)
    topics = "agreement party notice term law court liability consent assign insurance terminate govern state damages"
    legal = topics.split()
    words = np.array([*legal, *(f"w{n:x}q" for n in range(VOCABULARY))])
    ranks = 1.0 / np.arange(1, len(words) + 1)
    drawn = rng.choice(len(words), size=(count, WORDS), p=ranks / ranks.sum())
    return [_passage(number, " ".join(words[row])) for number, row in enumerate(drawn)]


def _passage(number: int, text: str) -> Passage:
    document, ordinal = divmod(number, PER_DOCUMENT)
    text = f"AGREEMENT between Name{document} Ltd and Other{document} Inc. {text}" if ordinal == 0 else text
    part = PassagePart(ordinal // PER_PAGE, ElementId("p0-e0"), 0, 0, len(text))
    source, fingerprint = SourceId(f"doc-{document}"), Fingerprint("sha256:" + "0" * 64)
    return Passage(PassageId(f"{number}"), source, fingerprint, ordinal, f"doc {document}", (), text, (part,))


def questions(count: int, documents: int) -> list[str]:
    rng = np.random.default_rng(9)
    named = [
        f"Consider the agreement between Name{n} Ltd and Other{n} Inc; " for n in rng.integers(0, documents, count)
    ]
    return [(named[n] if n % 2 else "") + TOPICS[n % len(TOPICS)] for n in range(count)]


def with_operators(count: int, passages: Sequence[Passage]) -> list[str]:
    """Phrases of two to four words as they stand in passages, nearness, groups, exclusions and wildcards, of words as
    frequent as a text's are."""
    rng = np.random.default_rng(21)
    made = []
    for number in range(count):
        words = passages[int(rng.integers(len(passages)))].text.split()
        at = int(rng.integers(len(words) - 8))
        one, two, three, four = words[at : at + 4]
        made.append(
            (
                f'"{one} {two} {three}"',
                f"{one} w/5 {three}",
                f"({one} OR {two}) AND {four}",
                f'"{one} {two}" w/p {four}',
                f"{two} AND {three} -{four}q",
                f"{one[:3]}* w/s {three}",
            )[number % 6]
        )
    return made


def timed_operators(searcher: Searcher, asked: Sequence[str]) -> NDArray[np.float64]:
    taken = []
    for question in (*asked[:5], *asked):
        clock, processor = time.perf_counter(), time.process_time()
        query = operators(question)
        assert query is not None
        searcher.operate(query)
        taken.append((time.perf_counter() - clock, time.process_time() - processor))
    return np.array(taken[5:]) * 1000


def timed(searcher: Searcher, asked: Sequence[str]) -> NDArray[np.float64]:
    """Milliseconds a question: by the clock, and of the processor (which a busy machine does not stretch)."""
    for question in asked[:5]:
        searcher.search(question)
    taken = []
    for question in asked:
        clock, processor = time.perf_counter(), time.process_time()
        searcher.search(question)
        taken.append((time.perf_counter() - clock, time.process_time() - processor))
    return np.array(taken) * 1000


def show(label: str, taken: NDArray[np.float64]) -> None:
    (clock_50, cpu_50), (clock_95, cpu_95) = np.percentile(taken, [50, 95], axis=0)
    print(
        f"{label:<44} median {clock_50:7.2f} ms   p95 {clock_95:7.2f} ms   (processor {cpu_50:.2f}, {cpu_95:.2f})",
        flush=True,
    )


FRESH = """
import sys, time; import numpy as np; from pathlib import Path
from retrieval.index.dense import on_disk; from retrieval.index.vectors import SEGMENT, Vectors
ids, matrix = tuple(Path(sys.argv[1]).read_text().split()), np.load(sys.argv[2])
starts = np.minimum(np.arange(0, len(ids) + SEGMENT, SEGMENT), len(ids))
vectors = Vectors(starts, lambda number: matrix[starts[number]:starts[number + 1]])
index, took, (one, other) = on_disk(Path(sys.argv[3]), "pincite-bench", len(ids)), [], vectors[[3, 5]]
for ask in (lambda: len(vectors.nearest(one, 200, np.arange(len(ids)))), lambda: index.attach(ids),
            lambda: index.nearest(one, 200), lambda: index.nearest(other, 200)):
    began = time.perf_counter(); assert ask(); took.append((time.perf_counter() - began) * 1000)
print("a new process: compared exactly {:.0f} ms; Chroma imported and opened {:.0f} ms, first answer {:.0f} ms, "
      "second {:.0f} ms".format(*took))
"""


def fresh_process(folder: Path, hybrid: Searcher) -> None:
    """What one search costs by each way, in a process that has not imported Chroma yet."""
    keys, vectors = hybrid._dense._kept.load()  # type: ignore[union-attr]
    ids, matrix = folder / "ids", folder / "matrix.npy"
    ids.write_text("\n".join(keys))
    np.save(matrix, np.concatenate([vectors.segment(number) for number in range(len(vectors.starts) - 1)]))
    subprocess.run([sys.executable, "-c", FRESH, ids, matrix, folder / "chroma"], check=True)


def recall(hybrid: Searcher, made: NDArray[np.float32], count: int = 100) -> None:
    """By the vectors that were kept, and by Chroma where it was filled, of questions near two of the passages. ``made``
    has the rows in the order of passages."""
    dense, rng = hybrid._dense, np.random.default_rng(11)
    assert dense is not None
    (ids, kept), neighbours = dense._kept.load(), dense._neighbours
    row = {key: number for number, key in enumerate(ids)}
    near = made[rng.integers(0, len(made), count)] + made[rng.integers(0, len(made), count)] * np.float32(0.6)
    exactly = through = 0
    for question in near / np.linalg.norm(near, axis=1, keepdims=True):
        best = set(np.argsort(-(made @ question), kind="stable")[:10].tolist())
        exactly += len(best & set(kept.nearest(question, 10, np.arange(len(ids))).tolist()))
        if neighbours is not None:
            through += len(best & {row[key] for key in (neighbours.nearest(question, 200) or ())[:10]})
    by_chroma = f", by Chroma {through / count / 10:.1%}" if neighbours else ""
    print("recall at 10".ljust(44), f"compared exactly {exactly / count / 10:.1%}{by_chroma}", flush=True)


def library(passages: Sequence[Passage], asked: Sequence[str]) -> None:
    """The same statistics through the library's own loop, over a tenth."""
    some = [tokens(passage.text) for passage in passages[: len(passages) // 10]]
    theirs = BM25Okapi(some)
    segment = Segment.of(some)
    ours = LexicalIndex(range(len(some)), np.array([len(terms) for terms in some], np.int32), lambda: (segment,))
    ours.scores({"law": 1.0})
    for label, score in (
        ("rank-bm25 get_scores", lambda terms: theirs.get_scores(terms)),
        ("postings scores", lambda terms: ours.scores(dict.fromkeys(terms, 1.0))),
    ):
        started = time.perf_counter()
        for question in asked[:20]:
            score(tokens(question))
        print(f"{label} over {len(some):,}".ljust(44), f"  mean {(time.perf_counter() - started) * 50:7.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--dense", action="store_true")
    parser.add_argument("--chroma", action="store_true")
    options = parser.parse_args()
    passages = made_passages(options.passages)
    asked = questions(options.queries, max(1, options.passages // PER_DOCUMENT))
    library(passages, asked)
    files, store = Files(), Store(passages)
    started = time.perf_counter()
    searcher = Searcher(store, files)
    list(searcher.refresh())
    built = time.perf_counter()
    again = Searcher(store, files)
    loaded = time.perf_counter()
    first = timed(again, asked[:1])
    ready = time.perf_counter()
    size = sum(map(len, files.values())) / 1e6
    print(f"{len(passages):,} passages: built {built - started:.1f} s, {size:.0f} MB; loaded {loaded - built:.2f} s,"
          f" first search ready after {ready - loaded:.2f} s more ({first[0, 0]:.1f} ms itself)")  # fmt: skip
    show("search, words", timed(again, asked))
    started = time.perf_counter()
    list(again.refresh_lexical(hold=False))
    placed, most = time.perf_counter() - started, sum(map(len, files.values())) / 1e6
    print(f"places of words: made in {placed:.1f} s, {most - size:.0f} MB")
    show("search, operators", timed_operators(again, with_operators(options.queries, passages)))
    if options.dense or options.chroma:
        with tempfile.TemporaryDirectory() as folder:
            index = on_disk(Path(folder) / "chroma", "pincite-bench", len(passages)) if options.chroma else None
            embedder = Unembedded()
            plain = Searcher(store, files, embedder)
            list(plain.refresh())
            show("search, words and vectors (exact)", timed(plain, asked))
            hybrid, before = Searcher(store, files, embedder, index), sizes(os.getpid()).rss
            if index:
                list(hybrid.refresh())
                show("search, words and vectors (Chroma)", timed(hybrid, asked))
                print(f"memory that this took: {sizes(os.getpid()).rss - before:.0f} MB")
            recall(hybrid, np.concatenate(embedder.made))
            if index:
                fresh_process(Path(folder), hybrid)


if __name__ == "__main__":
    main()
