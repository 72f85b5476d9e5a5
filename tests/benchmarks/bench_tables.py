"""What tables cost: the gate on every page and the search on gated ones, as ratios to reading the words (W).

    python tests/benchmarks/bench_tables.py [FILE.pdf ...]      default: contracts and opinions of ../shared

W is the CPU of PyMuPDF's ``get_text("words")`` in the same run (design notes, PDF facts).
"""

import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "ingest"))

from drawn_tables import raw_of

from ingest.mupdf import pymupdf
from ingest.tables.finding import find_tables, may_hold_table

SHARED = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
FOLDERS = ("corpus/contracts", "corpus/court_opinions", "evaldata/cuad_pdf/pdf", "evaldata/scotus_slip_pinpoint/pdf")


def main(files: list[Path]) -> int:
    words_time = gate_time = find_time = 0.0
    pages = gated = tables = with_tables = 0
    for file in files:
        with pymupdf.open(file) as document:
            for page in document:
                start = time.process_time()
                page.get_text("words")
                words_time += time.process_time() - start
                raw = raw_of(page)
                start = time.process_time()
                may = may_hold_table(raw)
                gate_time += time.process_time() - start
                pages += 1
                if may:
                    start = time.process_time()
                    found = find_tables(raw)
                    find_time += time.process_time() - start
                    gated, tables, with_tables = gated + 1, tables + len(found), with_tables + bool(found)
    print(f"pages {pages}, gated {gated} ({gated / pages:.1%}), with tables {with_tables}, tables {tables}")
    print(f"W {words_time / pages * 1000:.2f} ms/page of CPU, load {os.getloadavg()[0]:.1f}")
    a_gated_page = find_time / max(gated, 1) / (words_time / pages)
    print(f"gate {gate_time / words_time:.2f} W a page; search {a_gated_page:.1f} W a gated page")
    print(f"together {(gate_time + find_time) / words_time:.2f} W a page")
    return 0


if __name__ == "__main__":
    given = [Path(name) for name in sys.argv[1:]]
    sys.exit(main(given or sorted(file for folder in FOLDERS for file in (SHARED / folder).glob("*.pdf"))))
