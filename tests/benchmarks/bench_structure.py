"""What the reader says of a page's structure against what a person saw on it.

    python tests/benchmarks/bench_structure.py [--faults] [--truth FILE.tsv]

``structure_truth.tsv`` holds 90 pages of ../shared, labelled from their pictures before the program's output was looked
at: one row a block, in reading order, with its kind, the heading it stands under (that row's order; "-": none on this
page, "~": not judged), where its first line begins and its box (points on the displayed page), and how many of its
first words (at most three) have which digest: no word of the documents lies here. A row may be ``optional`` (a start
there is neither right nor wrong) or ``field`` (a form's boxes: only headings are wrong there). The part ``tuned`` was
looked at while the rules were written, ``held`` was not until the end; ``fresh`` was labelled when they stood. ``odd``
are 22 more pages, chosen for being unlike those (captions, forms, slides, columns under tables, notes in the text's
size), which later rules were written with; ``late`` are 8 that were labelled after those rules.

MuPDF's own blocks stand beside as the baseline. ``--faults`` prints each difference.
"""

import argparse
import csv
import hashlib
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Page

SHARED = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
FURNITURE = {"header", "footer", "page_number", "stamp"}
OWN = {"annotation", "form_field"}
UNJUDGED = {"optional", "ignore", "field"}
NEAR = 5.0  # points


class Truth(NamedTuple):
    """A labelled block: a row of the file."""

    order: int
    kinds: frozenset[str]
    under: str
    mark: str | None
    first: tuple[float, float, float]  # x, top and foot of the first line
    box: tuple[float, float, float, float]
    begins: str
    """Number of first words, a colon, the first eight digits of their SHA-256, parted by single spaces."""

    @property
    def name(self) -> str:
        return f"row {self.order}"

    @property
    def is_body(self) -> bool:
        return not self.kinds & (UNJUDGED | FURNITURE)


class Found(NamedTuple):
    """A block that was found. The kind is "" where none is said."""

    kind: str
    text: str
    x: float
    y: float
    mark: str | None = None
    path: tuple[str, ...] = ()


def truth_of(file: Path) -> dict[str, dict[tuple[str, int], list[Truth]]]:
    """By half, then by file and page."""
    halves: dict[str, dict[tuple[str, int], list[Truth]]] = defaultdict(lambda: defaultdict(list))
    with file.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            block = Truth(
                int(row["order"]),
                frozenset(row["kind"].split("|")),
                row["under"],
                None if row["mark"] == "-" else row["mark"],
                (float(row["first_x"]), float(row["first_y0"]), float(row["first_y1"])),
                (float(row["x0"]), float(row["y0"]), float(row["x1"]), float(row["y1"])),
                row["begins"],
            )
            halves[row["half"]][row["file"], int(row["page"])].append(block)
    return halves


def elements_of(page: Page) -> list[Found]:
    found = []
    for element in page.elements:
        if element.kind.value in OWN or element.first_word == element.end_word:
            continue
        box = page.words[element.first_word].box
        middle = (box.y0 + box.y1) / 200
        found.append(Found(element.kind.value, element.text, box.x0 / 100, middle, element.mark, element.heading_path))
    return found


def blocks_of(page: "pymupdf.Page") -> list[Found]:
    shown = pymupdf.TextPage(page.get_displaylist(annots=0).get_textpage(0))
    found = []
    for block in shown.extractDICT()["blocks"]:
        spans = [span for line in block.get("lines", []) for span in line["spans"] if span["text"].strip()]
        if spans:
            x0, y0, _, y1 = spans[0]["bbox"]
            found.append(Found("", spans[0]["text"].strip(), x0, (y0 + y1) / 2))
    return found


def matched(truth: Sequence[Truth], found: Sequence[Found]) -> dict[int, int]:
    """Which found block begins where a labelled one does: by number of the labelled one."""
    pairs: dict[int, int] = {}
    for n, block in enumerate(truth):
        x, top, foot = block.first
        near = [k for k, f in enumerate(found) if abs(f.x - x) <= NEAR and top - 1 <= f.y <= foot + 1]
        free = [k for k in near if k not in pairs.values()]
        if free:
            pairs[n] = min(free, key=lambda k: abs(found[k].x - x))
    return pairs


def region(truth: Sequence[Truth], block: Found) -> Truth | None:
    """The labelled block whose box holds the start of a found one: of several the smallest."""
    holding = [
        t for t in truth if t.box[0] - NEAR <= block.x <= t.box[2] + NEAR and t.box[1] - 2 <= block.y <= t.box[3] + 2
    ]
    return min(holding, key=lambda t: (t.box[2] - t.box[0]) * (t.box[3] - t.box[1]), default=None)


class Score:
    """Counts over pages; each measure is a pair of how many were right and of how many."""

    def __init__(self, faults: bool) -> None:
        self.right: Counter[str] = Counter()
        self.of: Counter[str] = Counter()
        self._faults = faults

    def count(self, what: str, right: bool, where: str = "") -> None:
        self.right[what] += right
        self.of[what] += 1
        if self._faults and not right:
            print(f"  {what:22} {where}")

    def ratio(self, what: str) -> float | None:
        return self.right[what] / self.of[what] if self.of[what] else None

    def f1(self, what: str) -> float | None:
        precision, recall = self.ratio(what + " precision"), self.ratio(what + " recall")
        if precision is None or recall is None:
            return None
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score_starts(score: Score, truth: Sequence[Truth], found: Sequence[Found], pairs: dict[int, int]) -> None:
    for n, block in enumerate(truth):
        if block.is_body:
            there = n in pairs and found[pairs[n]].kind not in FURNITURE
            score.count("start recall", there, f"{block.name} ({'|'.join(sorted(block.kinds))})")
    taken = {k: n for n, k in pairs.items()}
    for k, one in enumerate(found):
        if one.kind in FURNITURE:
            continue
        where = truth[taken[k]] if k in taken else region(truth, one)
        if where is None or where.kinds & UNJUDGED or (not one.kind and where.kinds & FURNITURE):
            continue
        score.count("start precision", k in taken and where.is_body, f"[{one.kind}] {one.text[:40]!r}")


def score_kinds(score: Score, truth: Sequence[Truth], found: Sequence[Found], pairs: dict[int, int]) -> None:
    for n, k in pairs.items():
        kinds, kind = truth[n].kinds, found[k].kind
        if truth[n].is_body and "any" not in kinds and kind not in FURNITURE:
            score.count("kind", kind in kinds, f"{truth[n].name}: {kind}, not {'|'.join(sorted(kinds))}")
        if "footnote" in kinds and truth[n].mark:
            score.count("footnote tie", found[k].mark == truth[n].mark, f"{truth[n].name}: {found[k].mark}")


def score_headings(score: Score, truth: Sequence[Truth], found: Sequence[Found], pairs: dict[int, int]) -> None:
    for n, block in enumerate(truth):
        if "heading" in block.kinds:
            score.count("heading recall", n in pairs and found[pairs[n]].kind == "heading", block.name)
    taken = {k: n for n, k in pairs.items()}
    for k, one in enumerate(found):
        if one.kind != "heading":
            continue
        where = truth[taken[k]] if k in taken else region(truth, one)
        if where is None or where.kinds & {"any", "optional", "ignore"}:
            continue
        score.count("heading precision", k in taken and "heading" in where.kinds, one.text[:50])


def ancestors(truth: Sequence[Truth], block: Truth) -> list[Truth]:
    chain: list[Truth] = []
    by_order = {t.order: t for t in truth}
    under = block.under
    while under.isdigit():
        chain.append(by_order[int(under)])
        under = chain[-1].under
    return chain


def begins(text: str, mark: str) -> bool:
    count, _, digest = mark.partition(":")
    first = " ".join(text.split()[: int(count)])
    return hashlib.sha256(first.encode()).hexdigest().startswith(digest)


def score_paths(score: Score, truth: Sequence[Truth], found: Sequence[Found], pairs: dict[int, int]) -> None:
    """Right where the path names the nearest heading, and no heading of the page that the block is not under."""
    titles = {" ".join(one.text.split()) for one in found if one.kind == "heading"}
    free = [t.begins for t in truth if t.kinds & {"any", "optional"}]
    for n, k in pairs.items():
        block, path = truth[n], [" ".join(step.split()) for step in found[k].path]
        if not block.is_body or block.under == "~" or found[k].kind in FURNITURE | {"footnote"}:
            continue
        chain = [t.begins for t in ancestors(truth, block)]
        here = [step for step in path if step in titles]
        wrong = [step for step in here if not any(begins(step, mark) for mark in chain + free)]
        nearest = not chain or any(begins(step, chain[0]) for step in path)
        rows = [t.name for t in reversed(ancestors(truth, block))]
        score.count("path", nearest and not wrong, f"{block.name}: {path}, not {rows}")


def score_furniture(score: Score, truth: Sequence[Truth], found: Sequence[Found], pairs: dict[int, int]) -> None:
    for n, block in enumerate(truth):
        if block.kinds & FURNITURE:
            kind = found[pairs[n]].kind if n in pairs else None
            score.count("furniture recall", kind in FURNITURE | block.kinds, f"{block.name}: {kind}")
            if kind in FURNITURE | block.kinds:
                score.count("furniture kind", kind in block.kinds, f"{block.name}: {kind}, not {block.kinds}")
    for one in found:
        if one.kind in FURNITURE:
            where = region(truth, one)
            if where is not None and not where.kinds & UNJUDGED:
                score.count("furniture precision", bool(where.kinds & FURNITURE), f"[{one.kind}] {one.text[:40]!r}")


def score_order(score: Score, truth: Sequence[Truth], pairs: dict[int, int]) -> None:
    """Neighbours in the labelled order that stand in that order where they were found."""
    read = [n for n, block in enumerate(truth) if n in pairs and block.is_body and "footnote" not in block.kinds]
    for a, b in pairwise(read):
        score.count("order", pairs[a] < pairs[b], f"{truth[a].name} / {truth[b].name}")


def score_page(score: Score, truth: Sequence[Truth], found: Sequence[Found]) -> None:
    pairs = matched(truth, found)
    score_starts(score, truth, found, pairs)
    score_order(score, truth, pairs)
    if not any(one.kind for one in found):
        return
    for measure in (score_kinds, score_headings, score_paths, score_furniture):
        measure(score, truth, found, pairs)


def measured(pages: dict[tuple[str, int], list[Truth]], faults: bool) -> tuple[Score, Score]:
    ours, blocks = Score(faults), Score(False)
    files = sorted({file for file, _ in pages})
    for name in files:
        wanted = {page for file, page in pages if file == name}
        settings = ReadSettings(ocr=OcrMode.NEVER)
        with pymupdf.open(SHARED / name) as document, PdfReader(SHARED / name, settings=settings) as reader:
            for page in reader.pages(0, max(wanted) + 1):
                if page.index not in wanted:
                    continue
                if faults:
                    print(f"{name} [{page.index}]")
                score_page(ours, pages[name, page.index], elements_of(page))
                score_page(blocks, pages[name, page.index], blocks_of(document[page.index]))
    return ours, blocks


ROWS = (
    ("block starts F1", "start", True),
    ("kinds", "kind", False),
    ("headings precision", "heading precision", False),
    ("headings recall", "heading recall", False),
    ("heading paths", "path", False),
    ("footnote marks", "footnote tie", False),
    ("furniture precision", "furniture precision", False),
    ("furniture recall", "furniture recall", False),
    ("furniture kinds", "furniture kind", False),
    ("reading order", "order", False),
)


def shown(score: Score, what: str, is_f1: bool) -> str:
    value = score.f1(what) if is_f1 else score.ratio(what)
    of = score.of[f"{what} recall"] if is_f1 else score.of[what]
    return "-" if value is None else f"{value:.3f} of {of}"


def report(halves: dict[str, tuple[int, Score, Score]]) -> Iterable[str]:
    yield f"{'':22}" + "".join(
        f"{name + f' ({n} pages)':>20}{'MuPDF blocks':>18}" for name, (n, _, _) in halves.items()
    )
    for label, what, is_f1 in ROWS:
        cells = (f"{shown(o, what, is_f1):>20}{shown(b, what, is_f1):>18}" for _, o, b in halves.values())
        yield f"{label:22}" + "".join(cells)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--faults", choices=("tuned", "held", "fresh", "odd", "late", "all"), help="print each difference"
    )
    parser.add_argument("--truth", type=Path, default=Path(__file__).with_name("structure_truth.tsv"))
    asked = parser.parse_args()
    halves = {
        half: (len(pages), *measured(pages, asked.faults in (half, "all")))
        for half, pages in sorted(truth_of(asked.truth).items(), reverse=True)
    }
    print("\n".join(report(halves)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
