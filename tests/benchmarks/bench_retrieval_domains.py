"""How often the right page comes first on documents that no constant was chosen on, kind by kind.

    python tests/benchmarks/bench_retrieval_domains.py [--cache DIR] [--words] [KIND …]

Kinds: contracts (19 of LegalBench-RAG-mini's that are not among the 27 of ``cuad_pdf``), agreements (93 non-disclosure
agreements of ContractNLI), privacy (policies), mergers, opinions (slip opinions, as PDF). Texts are typeset to pages
and read by Pincite's own reader; gold pages come from the labelled characters. "inside" asks the bare question of the
right document, "folder" the question that names it of all documents of its kind.

"section" and "definition" are made from the documents: a section that begins on one page and is named on others, a term
that is defined on one page, each sought as lawyers do ("Section 7.2", "definition of Net Sales"), inside the document.

A change is kept if it gains on most kinds and loses on none by more than a question or two: what gains on the 27
contracts alone was fitted to them. Misses on contracts and mergers have been looked at by now.
"""

import argparse
import gzip
import json
import random
import re
import tempfile
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bench_retrieval_quality import DATA, record, searcher_over

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.structure.passages import cut_passages
from models.adapters.embeddings import MiniLmEmbedder
from retrieval.hybrid import Searcher, SearchOptions
from retrieval.measures.evaluate import page_metrics
from verify.domain.ids import SourceId
from verify.domain.passage import Passage

KS = (1, 5, 10)
LINES, WIDTH = 52, 92
SEEN = 25
"""Gold characters that a page must hold to be a gold page, or all of a shorter span."""
MADE = 120
"""Sections and definitions of a kind that are sought, drawn by seed."""
FORMS = {
    "section": ("Section {}", "what does section {} say about notice?"),
    "definition": ("definition of {}", "How is {} defined?"),
}
_SECTION = re.compile(r"(?:^|\n)\s*(?:Section\s+)?(\d+\.\d+)\.?\s+[A-Z][^\n]*[^\d\s]\s*(?:\n|$)")
_DEFINITION = re.compile(r"[“\"]([A-Z][A-Za-z&'’ -]{2,40})[”\"]\s+(?:shall\s+)?means?\b")


class Asked(NamedTuple):
    document: str
    bare: str
    whole: str
    gold: frozenset[int]


@dataclass
class Kind:
    passages: list[Passage]
    asked: list[Asked]


def contracts(folder: Path) -> Kind:
    known = frozenset(row["lbr_file"] for row in lines(DATA / "cuad_pdf" / "documents.jsonl"))
    return legalbench("cuad", folder, known)


def legalbench(dataset: str, folder: Path, without: frozenset[str] = frozenset()) -> Kind:
    base = DATA / "legalbench_rag_mini"
    rows = [row for row in lines(base / "corpus.jsonl.gz") if row["corpus_path"].startswith(f"{dataset}/")]
    texts = {row["corpus_path"]: row["text"] for row in rows if row["corpus_path"] not in without}
    asked = []
    for row in lines(base / "tests.jsonl.gz"):
        name = row["snippets"][0]["corpus_path"]
        if name in texts:
            bare = row["query"].partition(";")[2].strip() or row["query"]
            asked.append((name, bare, row["query"], [tuple(s["span"]) for s in row["snippets"]]))
    return typeset(texts, asked, folder)


def agreements(folder: Path) -> Kind:
    rows = {row["doc_id"]: row for row in lines(DATA / "contract_nli" / "docs.jsonl.gz")}
    asked = []
    for row in lines(DATA / "contract_nli" / "pairs.jsonl.gz"):
        spans = rows[row["doc_id"]]["spans"]
        spans = json.loads(spans) if isinstance(spans, str) else spans
        gold = [tuple(spans[number]) for number in row["evidence_span_ids"]]
        if gold:
            asked.append((row["doc_id"], row["hypothesis"], "", gold))
    return typeset({key: row["text"] for key, row in rows.items()}, asked, folder)


def opinions(_: Path) -> Kind:
    base = DATA / "scotus_slip_pinpoint"
    passages: list[Passage] = []
    for path in sorted((base / "pdf").glob("*.pdf")):
        passages += read(path, path.name)
    places = {
        (row["case_id"], page["section"], page["printed_page"]): (row["pdf"], page["pdf_page"] - 1)
        for row in lines(base / "pdf_manifest.jsonl")
        for page in row["pages"]
    }
    asked = []
    for row in lines(base / "pairs.jsonl"):
        gold = [places[row["case_id"], row["target_section"], page] for page in row["gold_pages"]]
        whole = f"In {row['case']}, {row['lead_sentence']}"
        asked.append(Asked(gold[0][0], row["lead_sentence"], whole, frozenset(page for _, page in gold)))
    return Kind(passages, asked)


KINDS: dict[str, Callable[[Path], Kind]] = {
    "contracts": contracts,
    "agreements": agreements,
    "privacy": lambda folder: legalbench("privacy_qa", folder),
    "mergers": lambda folder: legalbench("maud", folder),
    "opinions": opinions,
}


def lines(path: Path) -> Iterator[Any]:
    data = path.read_bytes()
    yield from map(json.loads, (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines())


def read(path: Path, name: str) -> list[Passage]:
    with PdfReader(path) as reader:
        return list(cut_passages(reader.pages(), SourceId(name), record(name).fingerprint, Path(name).stem))


def typeset(texts: dict[str, str], asked: Sequence[tuple[str, str, str, list[Any]]], folder: Path) -> Kind:
    passages: list[Passage] = []
    pages: dict[str, list[tuple[int, int]]] = {}
    for number, (name, text) in enumerate(texts.items()):
        pages[name] = print_pages(text, folder / f"{number}.pdf")
        passages += read(folder / f"{number}.pdf", name)
    made = [Asked(name, bare, whole, on_pages(pages[name], gold)) for name, bare, whole, gold in asked]
    return Kind(passages, [one for one in made if one.gold])


def print_pages(text: str, path: Path) -> list[tuple[int, int]]:
    """Prints the text as it is, one blank line for several; the characters that stand on each page."""
    printed: list[tuple[str, int]] = []
    at = 0
    for paragraph in text.split("\n"):
        seen = 0
        for line in textwrap.wrap(paragraph, WIDTH, break_on_hyphens=False) or [""]:
            seen = max(paragraph.find(line.split(" ")[0], seen), seen)
            if line or (printed and printed[-1][0]):
                printed.append((line, at + seen))
            seen += len(line)
        at += len(paragraph) + 1
    document = pymupdf.open()
    starts = []
    for first in range(0, len(printed), LINES):
        page = document.new_page()
        writer = pymupdf.TextWriter(page.rect)
        for number, (line, _) in enumerate(printed[first : first + LINES]):
            if line:
                writer.append((60, 60 + 13 * number), line.replace("\ufeff", ""), fontsize=10)
        writer.write_text(page)
        starts.append(printed[first][1])
    document.save(path)
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def on_pages(pages: Sequence[tuple[int, int]], gold: Sequence[tuple[int, int]]) -> frozenset[int]:
    return frozenset(
        number
        for number, (start, end) in enumerate(pages)
        for a, b in gold
        if min(b, end) - max(a, start) >= min(SEEN, b - a)
    )


def pointed_at(passages: Sequence[Passage], pattern: re.Pattern[str]) -> list[tuple[str, str, int]]:
    """What the pattern finds on one page of a document only: its document, its name, that page."""
    found: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
    for passage in passages:
        for match in pattern.finditer(passage.text):
            found[passage.source_id, match[1]].add(passage.page_index)
    return [(document, name, min(pages)) for (document, name), pages in sorted(found.items()) if len(pages) == 1]


def named_elsewhere(passages: Sequence[Passage], places: Sequence[tuple[str, str, int]]) -> list[tuple[str, str, int]]:
    """Sections that two other passages at least refer to: the ones that are hard to find."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for passage in passages:
        texts[passage.source_id].append(passage.text)
    return [one for one in places if sum(bool(_reference(one[1]).search(text)) for text in texts[one[0]]) > 2]


def _reference(section: str) -> re.Pattern[str]:
    return re.compile(rf"(?:Section|Clause|Article|§)\s*{re.escape(section)}(?![\d.])")


def show(label: str, searcher: Searcher, rows: Sequence[tuple[str, str, frozenset[int]]], *, inside: bool) -> None:
    """A line with all rows and with those of two halves of the documents, every other name in sorted order."""
    first = frozenset(sorted({document for document, _, _ in rows})[::2])
    results: dict[str, list[Any]] = {"all": [], "first": [], "second": []}
    for document, question, gold in rows:
        options = SearchOptions(max(KS), source_ids=(SourceId(document),) if inside else None)
        shown = [(r.passage.source_id, r.passage.page_index) for r in searcher.search(question, options)]
        result = (shown, frozenset((document, page) for page in gold))
        results["all"].append(result)
        results["first" if document in first else "second"].append(result)
    cells = (" ".join(f"{100 * page_metrics(part, KS)[f'page_hit@{k}']:5.1f}" for k in KS) for part in results.values())
    print(f"{label:<58} {len(rows):>4}  {'   | '.join(cells)}", flush=True)


def bench(name: str, kind: Kind, searcher: Searcher) -> None:
    show(f"{name}, inside", searcher, [(one.document, one.bare, one.gold) for one in kind.asked], inside=True)
    if any(one.whole for one in kind.asked):
        show(f"{name}, folder", searcher, [(one.document, one.whole, one.gold) for one in kind.asked], inside=False)
    sections = named_elsewhere(kind.passages, pointed_at(kind.passages, _SECTION))
    made = {"section": sections, "definition": pointed_at(kind.passages, _DEFINITION)}
    for what, places in made.items():
        drawn = random.Random(7).sample(places, min(MADE, len(places)))
        for form in FORMS[what] if len(drawn) >= MADE // 6 else ():
            rows = [(document, form.format(name), frozenset({page})) for document, name, page in drawn]
            show(f"{name}, “{form}”", searcher, rows, inside=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], metavar="KIND")
    parser.add_argument("--cache", type=Path, help="keep the embeddings here, which take minutes")
    parser.add_argument("--words", action="store_true", help="without embeddings")
    options = parser.parse_args()
    print(f"{'page hit at 1, 5, 10 (per cent)':<64}  all                 | first half          | second half")
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.kinds or KINDS:
            kind = KINDS[name](Path(scratch))
            embedder = None if options.words else MiniLmEmbedder()
            bench(name, kind, searcher_over(kind.passages, (options.cache or Path(scratch)) / name, embedder))


if __name__ == "__main__":
    main()
