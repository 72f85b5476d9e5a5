"""Native pages a second through ``pincite index``, as a ratio to PyMuPDF's own ``get_text("words")``.

    python tests/benchmarks/bench_index.py [FOLDER]      default: ../shared/evaldata/cuad_pdf/pdf

The whole command without embeddings: reading with every check, encoding, pipes, the store, the lexical index. Wall time
with one worker, less what the same command takes for a matter of one short note (the start of the processes); then CPU
time of all its processes. Aim 0.15 of the words' rate.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ingest.mupdf import pymupdf

SHARED = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
RUN = "import sys; from app.cli.main import main; sys.exit(main())"


class Spent(NamedTuple):
    wall: float
    cpu: float

    def less(self, other: "Spent") -> "Spent":
        return Spent(self.wall - other.wall, self.cpu - other.cpu)


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def indexed(folder: Path) -> Spent:
    """What indexing the folder into a new store takes."""
    with tempfile.TemporaryDirectory() as store:
        command = [sys.executable, "-c", RUN, "--store", store, "index", str(folder)]
        before, start = cpu(), time.perf_counter()
        subprocess.run(
            [*command, "--no-dense", "--ocr", "never", "--jobs", "1", "--json"], check=True, capture_output=True
        )
        return Spent(time.perf_counter() - start, cpu() - before)


def words_only(files: list[Path]) -> tuple[int, Spent]:
    pages, wall, used = 0, time.perf_counter(), time.process_time()
    for path in files:
        with pymupdf.open(path) as document:
            pages += sum(1 for page in document if page.get_text("words") is not None)
    return pages, Spent(time.perf_counter() - wall, time.process_time() - used)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED / "evaldata" / "cuad_pdf" / "pdf"
    with tempfile.TemporaryDirectory() as note:
        (Path(note) / "note.txt").write_text("A short note.\n")
        start = indexed(Path(note))
    spent = indexed(folder).less(start)
    pages, words = words_only(sorted(folder.rglob("*.pdf")))
    print(f"{pages} pages, load {os.getloadavg()[0]:.1f}")
    print(f"{'':36} {'wall s':>8} {'CPU s':>8} {'pages/CPU s':>12}")
    rows = {
        "start of the command and its worker": start,
        "get_text('words')": words,
        "pincite index, start apart": spent,
    }
    for name, row in rows.items():
        rate = "" if row is start else f"{pages / row.cpu:12.1f}"
        print(f"{name:36} {row.wall:8.2f} {row.cpu:8.2f} {rate}")
    print(f"ratio to the words                   {words.wall / spent.wall:8.3f} {words.cpu / spent.cpu:8.3f}")


if __name__ == "__main__":
    main()
