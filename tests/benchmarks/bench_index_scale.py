"""A matter of many pages: pages per second, memory, a second run over the unchanged folder, cancelling.

    python tests/benchmarks/bench_index_scale.py [--pages 5000] [--files 50] [--jobs 2]

The documents are made here (invented text, 50 lines a page). The ratio is to PyMuPDF's own ``get_text("words")`` over
the same files in the same run, by processor time, so that a busy machine does not count. 100,000 pages: ``--pages
100000 --files 500``; the folder then takes about 250 MB, the store 1 GB.
"""

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2]), str(Path(__file__).resolve().parents[1] / "ingest")]

from conftest import FolderBlobs, Matter, SqliteRegistry  # noqa: E402

from ingest.mupdf import pymupdf  # noqa: E402
from ingest.pipeline import read_matter  # noqa: E402
from verify.domain.progress import Progress  # noqa: E402

LINES = 50


def write_documents(root: Path, pages: int, files: int) -> None:
    """Each page differs, so that no two files are equal."""
    for number in range(files):
        with pymupdf.open() as document:
            for index in range(pages // files):
                page = document.new_page()
                text = "\n".join(
                    f"{index}.{line} The Supplier shall keep log {number} of part {line * 7 % 50} dry and in order;"
                    for line in range(LINES)
                )
                page.insert_text((60, 60), text, fontsize=9)
            document.save(root / f"log-{number:05}.pdf", deflate=True)


def bare_words(root: Path) -> tuple[int, float]:
    """Pages, and seconds of processor time of ``get_text("words")``."""
    count, started = 0, time.process_time()
    for file in sorted(root.iterdir()):
        with pymupdf.open(file) as document:
            for page in document:
                page.get_text("words")
                count += 1
    return count, time.process_time() - started


def processor_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + usage.ru_utime + usage.ru_stime


def peak_megabytes(who: int) -> float:
    return resource.getrusage(who).ru_maxrss / 1024


def cancel(matter: Matter) -> float:
    """Seconds that closing takes in the middle of a run."""
    steps = read_matter(matter.root, matter.registry, matter.blobs, matter.passwords, matter.options())
    for event in steps:
        if isinstance(event, Progress) and event.stage == "read" and event.done > 0:
            break
    started = time.monotonic()
    steps.close()
    return time.monotonic() - started


def main() -> int:
    parser = argparse.ArgumentParser(description="Read a matter of many pages.")
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--files", type=int, default=50)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root, store = Path(folder, "matter"), Path(folder, "store")
        root.mkdir()
        store.mkdir()
        write_documents(root, options.pages, options.files)
        pages, bare = bare_words(root)
        matter = Matter(root, store, SqliteRegistry(store / "db"), FolderBlobs(store / "blobs"), jobs=options.jobs)
        cancelled = cancel(matter)
        before, wall = processor_seconds(), time.monotonic()
        summary = matter.read()
        wall, used = time.monotonic() - wall, processor_seconds() - before
        again = time.monotonic()
        unchanged = matter.read().unchanged
        again = time.monotonic() - again
        print(f"pages                     {pages:10}   in {options.files} files, {options.jobs} workers")
        print(f"read in this run          {summary.pages:10}   the rest was kept by the cancelled run")
        print(
            f"pages a second            {summary.pages / wall:10.1f}   {used / summary.pages * 1000:.1f} ms CPU a page"
        )
        print(f"ratio to get_text('words') {bare / pages / (used / summary.pages):9.3f}   by processor time")
        print(f"cancel                    {cancelled:10.2f} s")
        print(f"second run                {again:10.2f} s {unchanged} files unchanged")
        print(f"peak memory, parent       {peak_megabytes(resource.RUSAGE_SELF):10.0f} MB")
        print(f"peak memory, one worker   {peak_megabytes(resource.RUSAGE_CHILDREN):10.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
