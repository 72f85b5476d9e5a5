"""Where words stand: on the displayed page, however the file crops, turns and scales it."""

import sys
from pathlib import Path

import numpy as np
import pytest

from ingest.mupdf import pymupdf
from ingest.page.words import clipped_boxes
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Page
from verify.domain.geometry import Box

PLAIN = ReadSettings(ocr=OcrMode.NEVER)


def read(data: bytes | Path, settings: ReadSettings = PLAIN) -> list[Page]:
    with PdfReader(data, settings=settings) as reader:
        return list(reader.pages())


def words_on_ink(page: Page, source: "pymupdf.Page") -> tuple[int, int]:
    zoom = min(1.5, 2500 / max(source.rect.width, source.rect.height))
    picture = source.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)
    pixels = np.frombuffer(picture.samples, np.uint8).reshape(picture.height, picture.stride)
    good = total = 0
    for word in page.words:
        if word.visible:
            x0, y0, x1, y1 = (edge * zoom / 100 for edge in word.box)
            patch = pixels[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1]
            good += patch.size > 0 and int(patch.max()) - int(patch.min()) >= 24
            total += 1
    return good, total


def test_a_box_is_rounded_half_away_and_cut_at_the_page() -> None:
    boxes = clipped_boxes(([1.005, -3.0, 700.0], [2.0, 5.0, 5.0], [3.125, 4.0, 710.0], [4.0, 6.0, 6.0]), 60000, 80000)
    assert boxes[0] == Box(101, 200, 313, 400) or boxes[0] == Box(100, 200, 313, 400)  # 1.005 is not exact in binary
    assert boxes[1] == Box(0, 500, 400, 600)
    assert not boxes[2].has_area


def marked_page(rotation: int, crop: bool, unit: float) -> bytes:
    """A4 with one word 100 pt from the left and 200 pt from the top of the media, then cropped, turned and scaled."""
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_text((100, 200), "Witness", fontsize=20)
    if crop:
        page.set_cropbox(pymupdf.Rect(50, 60, 550, 760))
    page.set_rotation(rotation)
    if unit != 1:
        document.xref_set_key(page.xref, "UserUnit", str(unit))
    return bytes(document.tobytes())


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [False, True])
@pytest.mark.parametrize("unit", [1, 2])
def test_the_word_lies_where_the_page_shows_it(rotation: int, crop: bool, unit: float) -> None:
    data = marked_page(rotation, crop, unit)
    (page,) = read(data)
    left, top, wide, high = (50, 60, 500, 700) if crop else (0, 0, 600, 800)
    x, y = 100 - left, 200 - top  # the baseline's beginning on the unturned, cropped page
    shown = {0: (x, y), 90: (high - y, x), 180: (wide - x, high - y), 270: (y, wide - x)}[rotation]
    size = (wide, high) if rotation in (0, 180) else (high, wide)
    (word,) = page.words
    assert (page.width, page.height, page.rotation) == (size[0] * 100 * unit, size[1] * 100 * unit, rotation)
    corners = [
        (word.box.x0, word.box.y0),
        (word.box.x1, word.box.y1),
        (word.box.x0, word.box.y1),
        (word.box.x1, word.box.y0),
    ]
    assert min(abs(cx - shown[0] * 100 * unit) + abs(cy - shown[1] * 100 * unit) for cx, cy in corners) < 800 * unit
    assert word.box.within(page.width, page.height)
    assert words_on_ink(page, pymupdf.open(stream=data)[0]) == (1, 1)


SAMPLE = (
    "rotated/pdf.js__rotation.pdf",
    "rotated/pypdf__test_Orient.pdf",
    "rotated/camelot__clockwise_table_2.pdf",
    "cropbox/PdfPig__cropped-and-rotated.pdf",
    "cropbox/pdf.js__160F-2019.pdf",
    "cropbox/camelot__vertical_header.pdf",
    "huge_pages/pdf.js__bug1947248_text.pdf",
    "huge_pages/qpdf__fxo-red.pdf",
    "huge_pages/pdf.js__issue19207.pdf",
    "multicolumn/olmocr__multi_column_miss.pdf",
    "court_opinions/doctor__ca3_003112692106.pdf",
    "contracts/pdf.js__issue14415.pdf",
)


@pytest.mark.parametrize("name", SAMPLE)
def test_words_lie_on_ink(name: str, shared: Path) -> None:
    document = pymupdf.open(shared / "corpus" / name)
    counts = [words_on_ink(page, document[page.index]) for page in read(shared / "corpus" / name)]
    good, total = sum(g for g, _ in counts), sum(t for _, t in counts)
    assert total > 0
    assert good >= 0.99 * total


@pytest.mark.slow
def test_words_of_all_categories_lie_on_ink(shared: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
    from bench_ink import CATEGORIES, count_file

    for category in CATEGORIES:
        rows = [count_file(path) for path in sorted((shared / "corpus" / category).glob("*.pdf"))]
        assert sum(row[2] for row in rows) >= 0.99 * sum(row[1] for row in rows) > 0


def test_boxes_agree_with_where_the_vectors_say_words_were_drawn(shared: Path) -> None:
    import json

    documents = json.loads((shared / "vectors" / "truth.json").read_text(encoding="utf-8"))["documents"]
    truth = documents["surveys/boundary-plans.pdf"]["pages"]
    for page, drawn in zip(read(shared / "vectors" / "matter" / "surveys" / "boundary-plans.pdf"), truth, strict=True):
        boxes = [word.box for word in page.words]
        for word in (w for block in drawn["blocks"] for line in block["lines"] for w in line):
            assert any(all(abs(a - b) <= 100 for a, b in zip(box, word[1:5], strict=True)) for box in boxes), word


def test_a_line_is_as_high_as_its_highest_word() -> None:
    """Two fonts of one size, the second with taller boxes."""
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_text((72, 100), "The barn is let ", fontsize=12, fontname="cour")
    start = 72 + pymupdf.get_text_length("The barn is let ", "cour", 12)
    page.insert_text((start, 100), "for one year", fontsize=12, fontname="helv")
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        (read,) = reader.pages()
    (line,) = read.lines
    boxes = [word.box for word in read.words]
    assert len({box.y0 for box in boxes}) > 1
    assert (line.box.y0, line.box.y1) == (min(b.y0 for b in boxes), max(b.y1 for b in boxes))
