"""How often the look cries wolf over true sentences of real pages, and what it costs.

  python tests/benchmarks/bench_look.py PDF… [--pages N] [--read M]

Of each document N pages are looked at (spread evenly; default 8), and every sentence of their paragraphs, list items
and footnotes is verified as a quotation. With --read M the lines of M sentences a document are read again by OCR.
Prints each alarm with its place, to be looked at by eye, the alarms by kind, and seconds a page and a reading.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from ingest.look.page import look_at
from ingest.look.reading import read_again
from ingest.look.strokes import rows_of
from ingest.mupdf import pymupdf
from ingest.ocr.engine import Engine, OcrSettings
from ingest.pdf.reader import PdfReader
from verify.domain.document import ElementKind, Page, Parser, SourceRecord, SourceStatus
from verify.domain.ids import CheckId, Fingerprint, SourceId
from verify.domain.look import Look
from verify.engine import verify_parsed
from verify.ports import SourceView
from verify.report import CheckResult, Limitation, Reason, Status
from verify.request import Check, Kind, Request
from verify.sentences import sentences

KINDS = frozenset({ElementKind.PARAGRAPH, ElementKind.LIST_ITEM, ElementKind.FOOTNOTE})
ALARMS = frozenset({Limitation.STRUCK_THROUGH, Limitation.OBJECT_INSIDE_QUOTE, Limitation.NOT_LOOKED_AT})
REASONS = frozenset({Reason.TEXT_NOT_VISIBLE, Reason.SEEN_DIFFERS})
GOOD = Fingerprint("sha256:" + "0" * 64)
SHORTEST = 20  # characters


@dataclass
class Looked:
    """One document as a source: pages by index, each looked at once; lines are read again while ``left`` lasts."""

    record: SourceRecord
    pages: dict[int, Page]
    document: "pymupdf.Document"
    engine: Engine
    left: int
    seen: dict[int, Look] = field(default_factory=dict)
    looking: float = 0.0
    reading: float = 0.0
    readings: int = 0
    readable_by_user: bool = True

    def bytes_now(self) -> Fingerprint:
        return GOOD

    def page(self, index: int) -> Page | None:
        return self.pages.get(index)

    def find(self, source_id: SourceId) -> SourceView | None:
        return self

    def look(self, index: int, words: tuple[int, ...]) -> Look:
        page = self.pages[index]
        if index not in self.seen:
            begun = time.process_time()
            self.seen[index] = look_at(page, self.document[index])
            self.looking += time.process_time() - begun
        seen = self.seen[index]
        doubtful = set(words).intersection(seen.doubtful)
        if not doubtful and self.left <= 0:
            return seen
        self.left -= not doubtful
        lines = [row for row in rows_of(page) if set(row).intersection(doubtful or words)]
        begun = time.perf_counter()
        found = read_again(page, self.document[index], lines, self.engine, None) if lines else ()
        self.reading, self.readings = self.reading + time.perf_counter() - begun, self.readings + 1
        return replace(seen, misread=found)


def opened(path: Path, wanted: int, read: int, engine: Engine) -> Looked:
    with PdfReader(path) as reader:
        count = reader.page_count
        chosen = sorted({n * count // wanted for n in range(wanted)} if count > wanted else range(count))
        pages = {page.index: page for page in reader.pages() if page.index in chosen}
    record = SourceRecord(
        SourceId("s"), path.name, GOOD, "application/pdf", count, SourceStatus.INDEXED, Parser("b", "1", "p")
    )
    return Looked(record, pages, pymupdf.open(path), engine, read)


def checks_of(page: Page) -> Iterator[Check]:
    for element in page.elements:
        if element.kind in KINDS:
            for span in sentences(element.text):
                text = element.text[span.start : span.end].strip()
                if len(text) >= SHORTEST:
                    named = {"element_id": element.element_id, "expected_text": text}
                    yield Check(CheckId("c"), Kind.QUOTE, SourceId("s"), GOOD, page.index, **named)


def alarms(result: CheckResult) -> list[str]:
    if result.status is Status.VERIFIED:
        return [limit.value for limit in result.limitations if limit in ALARMS]
    return [result.reason.value] if result.reason in REASONS and result.evidence is not None else []


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pdf", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, default=8)
    parser.add_argument("--read", type=int, default=0)
    args = parser.parse_args()
    engine, tally = Engine(OcrSettings()), Counter[str]()
    asked = alarmed = pages = readings = 0
    looking = reading = 0.0
    for path in args.pdf:
        try:
            source = opened(path, args.pages, args.read, engine)
        except Exception as error:  # a benchmark over damaged files too
            print(f"{path.name}: not read ({type(error).__name__})")
            continue
        for page in source.pages.values():
            checks = tuple(checks_of(page))
            report = verify_parsed(Request("r", "0" * 64, checks), source, checked_at="", ocr_threshold=600)
            for result in report.checks:
                found = alarms(result)
                asked += result.status is Status.VERIFIED or bool(found)
                alarmed += bool(found)
                tally.update(found)
                if found and result.evidence is not None:
                    print(f"{path.name} p{page.index} {found} {[list(r.bbox) for r in result.evidence.regions][:2]}")
        looking, pages = looking + source.looking, pages + len(source.seen)
        reading, readings = reading + source.reading, readings + source.readings
    print(f"{asked} quotations, {alarmed} alarms {dict(tally)}: 1 in {asked / max(alarmed, 1):.0f}")
    print(f"{pages} pages, {looking / max(pages, 1):.3f} s of processor each")
    print(f"{readings} readings, {reading / max(readings, 1):.3f} s each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
