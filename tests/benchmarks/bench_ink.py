"""Do the words lie on ink? Renders each page and looks under the middle of each visible native word.

    python tests/benchmarks/bench_ink.py [category ...]      categories of ../shared/corpus; default: the six of issue 4

A word lies on ink if the pixels of its box differ by 24 levels or more in one channel. Hidden words are counted apart.
"""

import os
import sys
from pathlib import Path

import numpy as np

from ingest.failures import ReadFailure
from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Origin, Page

SHARED = Path(os.environ.get("PINCITE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
CATEGORIES = ("rotated", "cropbox", "huge_pages", "multicolumn", "court_opinions", "contracts")
MAX_SIDE = 3000
CONTRAST = 24


def count_page(page: Page, source: "pymupdf.Page") -> tuple[int, int, int]:
    """Visible native words, those on ink, hidden words. One page's picture is held at a time."""
    zoom = min(1.5, MAX_SIDE / max(source.rect.width, source.rect.height))
    picture = source.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csRGB, alpha=False)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, -1)[:, : picture.width * 3]
    pixels = pixels.reshape(picture.height, picture.width, 3)
    own = {i for e in page.elements if e.start is None for i in range(e.first_word, e.end_word)}
    words = [w for i, w in enumerate(page.words) if w.visible and w.origin is not Origin.OCR and i not in own]
    on_ink = sum(_on_ink(pixels, [edge * zoom / 100 for edge in word.box]) for word in words)
    return len(words), on_ink, sum(not w.visible for w in page.words)


def _on_ink(pixels: np.ndarray, box: list[float]) -> bool:
    x0, y0, x1, y1 = box
    patch = pixels[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1].reshape(-1, 3)
    return patch.size > 0 and int(np.ptp(patch.astype(int), axis=0).max()) >= CONTRAST


def count_file(path: Path) -> tuple[int, int, int, int]:
    """Pages, words, words on ink, hidden words; zeros for a file that does not open."""
    totals = [0, 0, 0, 0]
    try:
        with PdfReader(path, settings=ReadSettings(ocr=OcrMode.NEVER, tables=False)) as reader:
            document = pymupdf.open(path)
            for page in reader.pages():
                counted = count_page(page, document[page.index])
                totals = [a + b for a, b in zip(totals, (1, *counted), strict=True)]
    except ReadFailure:
        pass
    return totals[0], totals[1], totals[2], totals[3]


def main() -> None:
    print(f"{'category':16} {'pages':>6} {'words':>8} {'on ink':>8} {'share':>8} {'hidden':>7}")
    for category in sys.argv[1:] or CATEGORIES:
        rows = [(path, count_file(path)) for path in sorted((SHARED / "corpus" / category).glob("*.pdf"))]
        pages, words, ink, hidden = (sum(row[i] for _, row in rows) for i in range(4))
        print(f"{category:16} {pages:6} {words:8} {ink:8} {ink / max(words, 1):8.4f} {hidden:7}")
        for path, (_, some, good, unseen) in rows:
            if good < 0.99 * some or unseen:
                print(f"    {path.name:52} {some:8} {good:8} hidden {unseen}")


if __name__ == "__main__":
    main()
