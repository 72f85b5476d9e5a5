"""Native pages a second through the reader, as a ratio to PyMuPDF's own ``get_text("words")`` in the same run.

    python tests/benchmarks/bench_read.py [FOLDER ...]      default: ../shared/evaldata/cuad_pdf/pdf

CPU time of one process, file by file, each in three ways: PyMuPDF's words; text, elements, labels and passages alone
(aim 0.4); with tables and every check of the page (aim 0.15). Then the peak memory of this process.
"""

import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from ingest.failures import ReadFailure
from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from ingest.structure.passages import cut_passages
from verify.domain.ids import Fingerprint, SourceId

SHARED = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
ALONE = ReadSettings(ocr=OcrMode.NEVER, checks=False, tables=False)
TABLES = ReadSettings(ocr=OcrMode.NEVER, checks=False, tables=True)
ALL = ReadSettings(ocr=OcrMode.NEVER)


def words_only(path: Path) -> int:
    with pymupdf.open(path) as document:
        return sum(1 for page in document if page.get_text("words") is not None)


def read(path: Path, settings: ReadSettings) -> int:
    with PdfReader(path, settings=settings) as reader:
        for _ in cut_passages(reader.pages(), SourceId("s"), Fingerprint("f"), path.stem):
            pass
        return reader.page_count


def timed(work: Callable[[Path], int], path: Path) -> tuple[int, float]:
    start = time.process_time()
    pages = work(path)
    return pages, time.process_time() - start


def main() -> None:
    folders = [Path(arg) for arg in sys.argv[1:]] or [SHARED / "evaldata" / "cuad_pdf" / "pdf"]
    files = sorted(path for folder in folders for path in folder.rglob("*.pdf"))
    ways: dict[str, Callable[[Path], int]] = {
        "get_text('words')": words_only,
        "text, elements, labels, passages": lambda path: read(path, ALONE),
        "and tables": lambda path: read(path, TABLES),
        "and every check": lambda path: read(path, ALL),
    }
    totals = {name: [0, 0.0] for name in ways}
    for path in files:
        try:
            spent = {name: timed(work, path) for name, work in ways.items()}
        except (ReadFailure, RuntimeError, ValueError):  # locked or damaged: not counted in any way
            continue
        for name, (pages, seconds) in spent.items():
            totals[name][0] += pages
            totals[name][1] += seconds
    base = totals["get_text('words')"][1]
    print(f"{len(files)} files, load {os.getloadavg()[0]:.1f}")
    for name, (pages, seconds) in totals.items():
        print(f"{name:36} {pages:6.0f} pages {pages / seconds:8.1f} pages/s   ratio {base / seconds:.3f}")
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
