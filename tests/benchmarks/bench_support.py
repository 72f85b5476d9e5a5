"""Recall of wrong citations at 5 % and 10 % false positives, by kind of corruption, beside two baselines.

They are page contrast alone (does another page fit better?) and word overlap. Thresholds are those of
``score_support.py``: they are taken from the right citations among the rows shown.

``python tests/benchmarks/bench_support.py [--words-only] [--halves] [--predictions FOLDER]``. Reads the labelled claims
beside the checkout (``PINCITE_SHARED``) over pages read by the product. ``--predictions`` writes what
``score_support.py`` scores.
"""

import argparse
import gzip
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))

from app.services.evidence.supporting import MatterDocuments  # noqa: E402
from app.services.matter.indexing import IndexOptions, index  # noqa: E402 (also runs without the project installed)
from app.services.matter.matter import Matter, open_matter  # noqa: E402
from app.settings import load_settings  # noqa: E402
from models.language.agreement import agreement  # noqa: E402
from models.triage.page_fit import PageText, joined  # noqa: E402
from models.triage.support import Documents, NotReadable, SupportItem, SupportResult, triage  # noqa: E402
from verify.domain.ids import SourceId  # noqa: E402

SHARED = Path(os.environ.get("PINCITE_SHARED", REPO.parent / "shared"))


class Row(NamedTuple):
    kind: str
    corruption: str
    item: SupportItem


def read_lines(path: Path) -> list[dict[str, Any]]:
    data = path.read_bytes()
    lines = (gzip.decompress(data) if path.suffix == ".gz" else data).decode().split("\n")
    return [json.loads(line) for line in lines if line]


def contract_rows(folder: Path) -> list[Row]:
    return [
        Row("contracts", r["corruption"] or "gold",
            SupportItem(str(i), r["proposition"], r["pdf"], tuple(p - 1 for p in r["pages"])))
        for i, r in enumerate(read_lines(folder / "claim_triples.jsonl.gz"))
    ]  # fmt: skip


def opinion_rows(folder: Path) -> list[Row]:
    files = {m["case_id"]: m for m in read_lines(folder / "pdf_manifest.jsonl")}
    rows = []
    for i, r in enumerate(read_lines(folder / "triples.jsonl.gz")):
        cited = r["cited"]
        manifest = files[cited["case_id"]]
        of = {(p["section"], p["printed_page"]): p["pdf_page"] - 1 for p in manifest["pages"]}
        pages = tuple(of[cited["section"], page] for page in cited["pages"])
        rows.append(
            Row(r["kind"], r["corruption"] or "gold", SupportItem(str(i), r["proposition"], manifest["pdf"], pages))
        )
    return rows


@contextmanager
def read_by_the_product(folder: Path) -> Iterator[Documents]:
    """The folder's pages by file name, as ``pincite support`` compares them."""
    with (
        tempfile.TemporaryDirectory(prefix="pincite-bench-") as store,
        open_matter(folder, load_settings(), Path(store), writable=True) as matter,
    ):
        for _ in index(matter, IndexOptions(dense=False)):
            pass
        yield _ByName(matter)


class _ByName:
    """``models.triage.support.Documents`` by path in the folder."""

    def __init__(self, matter: Matter) -> None:
        self._documents = MatterDocuments(matter)
        self._ids = {record.path: record.source_id for record in matter.sources()}

    def pages(self, source_id: SourceId) -> Sequence[PageText] | NotReadable:
        return self._documents.pages(self._ids[str(source_id)])


def recalls(rows: list[Row], scores: list[float], kinds: Sequence[str]) -> dict[str, tuple[int, float, float]]:
    by_class: dict[str, list[float]] = defaultdict(list)
    for row, score in zip(rows, scores, strict=True):
        if row.kind in kinds:
            by_class[row.corruption].append(score)
    gold = sorted(by_class.pop("gold"))
    out = {}
    for name, wrong in sorted(by_class.items()):
        at = [sum(s < gold[int(rate * len(gold))] for s in wrong) / len(wrong) for rate in (0.05, 0.10)]
        out[name] = (len(wrong), at[0], at[1])
    return out


class Scores(NamedTuple):
    """One value a row: triage, the share of the claim's words on the cited pages, page contrast alone, the label."""

    triage: list[float]
    words: list[float]
    contrast: list[float]
    labels: list[str]


def results(items: Sequence[SupportItem], pages: Documents, encoder: Any) -> list[SupportResult]:
    """In the order of the items."""
    order = sorted(range(len(items)), key=lambda i: items[i].source_id)
    steps = triage([items[i] for i in order], pages, encoder)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            by_place = dict(zip(order, end.value, strict=True))
            return [by_place[i] for i in range(len(items))]


def run(rows: list[Row], pages: Documents, encoder: Any) -> Scores:
    ours = results([row.item for row in rows], pages, encoder)
    known: dict[str, Sequence[PageText]] = {}
    baseline = []
    for row in rows:
        source = row.item.source_id
        if source not in known:
            read = pages.pages(source)
            known[source] = () if isinstance(read, NotReadable) else read
        text = "\n".join(joined(p.text) for p in known[source] if p.page_index in row.item.page_indexes)
        baseline.append(agreement(row.item.claim_text, text).words)
    contrast = [dict(r.signals).get("page_contrast", 0) for r in ours]
    return Scores([r.score for r in ours], baseline, contrast, [r.label.value for r in ours])


def report(title: str, rows: list[Row], scores: Scores, kinds: Sequence[str]) -> None:
    print(f"\n{title:22}   n   recall at 5 % / 10 % false positives; page contrast alone; word overlap")
    columns = [recalls(rows, column, kinds) for column in (scores.triage, scores.contrast, scores.words)]
    for name, (count, *_) in columns[0].items():
        cells = (f"{five:4.0%} / {ten:4.0%}" for _, five, ten in (column[name] for column in columns))
        print(f"{name:22}{count:4}   " + "      ".join(cells))


def halves(rows: list[Row], scores: Scores) -> Iterator[tuple[str, list[Row], Scores]]:
    """Every other document by name, and the rest; a half's thresholds are its own."""
    order = {name: n for n, name in enumerate(sorted({str(row.item.source_id) for row in rows}))}
    for half, name in enumerate(("first half", "second half")):
        chosen = [n for n, row in enumerate(rows) if order[str(row.item.source_id)] % 2 == half]
        yield name, [rows[n] for n in chosen], Scores(*([column[n] for n in chosen] for column in scores))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--halves", action="store_true", help="also by halves of the documents")
    parser.add_argument("--words-only", action="store_true", help="without the encoder")
    parser.add_argument("--predictions", type=Path)
    options = parser.parse_args()
    encoder = None
    if not options.words_only:
        from models.adapters.embeddings import MiniLmEmbedder

        encoder = MiniLmEmbedder()
    data = SHARED / "evaldata"
    suites = (
        ("contracts", contract_rows(data / "cuad_pdf"), data / "cuad_pdf" / "pdf", (("contracts",),)),
        ("opinions", opinion_rows(data / "scotus_slip_pinpoint"), data / "scotus_slip_pinpoint" / "pdf",
         (("ante",), ("supra",), ("syllabus",), ("ante", "supra", "syllabus"))),
    )  # fmt: skip
    for name, rows, folder, groups in suites:
        with read_by_the_product(folder) as pages:
            start = time.perf_counter()
            scores = run(rows, pages, encoder)
            seconds = time.perf_counter() - start
        for kinds in groups:
            report(", ".join(kinds), rows, scores, kinds)
            for half, some, of_them in halves(rows, scores) if options.halves else ():
                report(f"{half}: {', '.join(kinds)}", some, of_them, kinds)
        gold = [label for row, label in zip(rows, scores.labels, strict=True) if row.corruption == "gold"]
        print(f"{name}: {gold.count('supported') / len(gold):.0%} of right citations are called supported; "
              f"{seconds:.0f} s for {len(rows)} claims")  # fmt: skip
        if options.predictions:
            options.predictions.mkdir(parents=True, exist_ok=True)
            with (options.predictions / f"{name}.jsonl").open("w", encoding="utf-8") as out:
                for i, (score, label) in enumerate(zip(scores.triage, scores.labels, strict=True)):
                    out.write(json.dumps({"i": i, "supported": label == "supported", "score": score}) + "\n")


if __name__ == "__main__":
    main()
