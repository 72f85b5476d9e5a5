"""Throughput of recognition against the bare ``tesseract`` command, on the same upright page images, in the same run.

    python tests/benchmarks/bench_ocr.py [--pages 8] [--workers 2] [--rounds 2]

Both read the same 300 dpi pages with as many processes at a time, one thread each. Pincite's time holds all it does
for a page: rendering, skew, the engine, reading its answer, counting ink without words. Rounds alternate, so that
other load on the machine meets both. A ratio of 1 means as many pages a minute as the bare command.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ingest.mupdf import pymupdf
from ingest.ocr.engine import OcrSettings, prepare
from ingest.ocr.pages import page_image, recognise_pages

_WORDS = """agreement party notice thirty days written termination payment invoice interest shall provided however
supplier customer services schedule confidential information disclosure warranty liability exceed aggregate amount paid
twelve months preceding event governing law arbitration seat tribunal award final binding costs reasonable"""


def scanned_document(pages: int) -> "pymupdf.Document":
    """Pages of invented words as pictures, as a scanner gives them (300 dpi grey)."""
    chance, words = random.Random(7), _WORDS.split()
    scanned = pymupdf.open()
    for _ in range(pages):
        typed = pymupdf.open()
        page = typed.new_page(width=595, height=842)
        for line in range(42):
            text = " ".join(chance.choice(words) for _ in range(11))
            page.insert_text((60, 80 + line * 16.5), f"{line + 1}. {text}"[:88], fontsize=10.5, fontname="tiro")
        picture = page.get_pixmap(dpi=300, colorspace=pymupdf.csGRAY)
        scanned.new_page(width=595, height=842).insert_image(page.rect, pixmap=picture)
    return scanned


class Cost(NamedTuple):
    """Seconds by the clock, and of CPU by this process and its children."""

    wall: float
    cpu: float


@contextmanager
def measured(costs: list[Cost]) -> Iterator[None]:
    start, before = time.perf_counter(), sum(os.times()[:4])
    yield
    costs.append(Cost(time.perf_counter() - start, sum(os.times()[:4]) - before))


def bare(files: list[Path], workers: int) -> None:
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}

    def run(file: Path) -> None:
        command = ["tesseract", str(file), "stdout", "--dpi", "300", "-l", "eng", "tsv"]
        subprocess.run(command, env=environment, capture_output=True, check=True)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(run, files))


def ours(document: "pymupdf.Document", settings: OcrSettings, workers: int) -> int:
    images = (page_image(page, settings) for page in document)
    return sum(len(outcome.words) for outcome in recognise_pages(images, settings, None, workers))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--pages", type=int, default=8)
    arguments.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments.add_argument("--rounds", type=int, default=2)
    given = arguments.parse_args()
    settings, _ = prepare(OcrSettings())
    document = scanned_document(given.pages)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as folder:
        files = [Path(folder) / f"{page.number}.png" for page in document]
        for page, file in zip(document, files, strict=True):
            page.get_pixmap(dpi=300, colorspace=pymupdf.csGRAY).save(file)
        bare_costs: list[Cost] = []
        our_costs: list[Cost] = []
        words = 0
        for _ in range(given.rounds):
            with measured(bare_costs):
                bare(files, given.workers)
            with measured(our_costs):
                words = ours(document, settings, given.workers)
    total = given.pages * given.rounds
    print(
        f"pages {total}, processes {given.workers}, words a page {words // given.pages}, load {os.getloadavg()[0]:.1f}"
    )
    for name, costs in (("bare tesseract", bare_costs), ("pincite", our_costs)):
        wall, cpu = sum(c.wall for c in costs), sum(c.cpu for c in costs)
        print(f"{name:16} {total / wall * 60:8.1f} pages/min {cpu / total:8.2f} CPU s/page")
    ratio = sum(c.wall for c in bare_costs) / sum(c.wall for c in our_costs)
    cpu_ratio = sum(c.cpu for c in bare_costs) / sum(c.cpu for c in our_costs)
    print(f"throughput ratio {ratio:.3f} (wanted: 0.85 or more), CPU ratio {cpu_ratio:.3f}")
    return 0 if ratio >= 0.85 else 1


if __name__ == "__main__":
    sys.exit(main())
