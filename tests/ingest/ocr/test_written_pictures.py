"""Pages of text with pictures on them: print in a picture is read once, and stands beside the page's own words."""

import shutil
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
import pytest

from ingest.mupdf import pymupdf
from ingest.ocr.access import OcrAccess
from ingest.ocr.engine import OcrSettings
from ingest.pdf.reader import PdfReader
from ingest.ports import BlobKind
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Origin, Page, TextSource, WarningCode

need_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")

OWN = "The parties attach as an exhibit the letter by which the tenancy was ended, which reads as follows. "
LETTER = (
    "Dear Ms Abelard, we give you notice that",
    "the tenancy of the boathouse ends on the",
    "thirtieth of June. The deposit of 900 euros",
    "is returned once the keys are handed over.",
)


@dataclass
class Kept:
    data: dict[str, bytes] = field(default_factory=dict)
    puts: int = 0

    def get(self, kind: BlobKind, key: str) -> bytes | None:
        return self.data.get(key)

    def put(self, kind: BlobKind, key: str, data: bytes, of: object = None) -> None:
        self.puts += 1
        self.data[key] = data


def letter() -> "pymupdf.Pixmap":
    page = pymupdf.open().new_page(width=400, height=160)
    for number, line in enumerate(LETTER):
        page.insert_text((30, 40 + number * 30), line, fontsize=16, fontname="tiro")
    return page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)


def text_page(document: "pymupdf.Document") -> "pymupdf.Page":
    page = document.new_page(width=595, height=842)
    page.insert_textbox((60, 60, 535, 360), OWN * 8, fontsize=11, fontname="tiro")
    return page


def read(document: "pymupdf.Document", kept: Kept | None = None, mode: OcrMode = OcrMode.AUTO) -> list[Page]:
    with PdfReader(
        document.tobytes(), settings=ReadSettings(ocr=mode), ocr=OcrAccess(OcrSettings(), kept or Kept())
    ) as reader:
        return list(reader.pages())


@need_tesseract
def test_a_letter_pasted_into_a_page_is_read_beside_its_text() -> None:
    document = pymupdf.open()
    text_page(document).insert_image((60, 420, 535, 610), pixmap=letter())
    (page,) = read(document)
    assert page.text_source is TextSource.MIXED
    origins = Counter(word.origin for word in page.words)
    assert origins == {Origin.NATIVE: len((OWN * 8).split()), Origin.OCR: len(" ".join(LETTER).split())}
    recognised = [e for e in page.elements if e.text_source is TextSource.OCR]
    assert " ".join(" ".join(e.text for e in recognised).split()) == " ".join(LETTER)
    assert all(e.bbox.y0 > 42000 for e in recognised)
    assert all(e.text_source in (TextSource.OCR, TextSource.NATIVE) for e in page.elements)


@need_tesseract
def test_one_letter_in_two_places_is_recognised_once() -> None:
    document, kept = pymupdf.open(), Kept()
    for _ in range(2):
        text_page(document).insert_image((60, 420, 535, 610), pixmap=letter())
    pages = read(document, kept)
    assert kept.puts == 1 or len(kept.data) == 1
    assert [page.text_source for page in pages] == [TextSource.MIXED] * 2
    again = Kept(kept.data)
    assert [page.words for page in read(document, again)] == [page.words for page in pages]
    assert again.puts == 0


def test_a_logo_a_plain_ground_and_a_chart_without_names_cost_no_recognition() -> None:
    document, kept = pymupdf.open(), Kept()
    page = text_page(document)
    page.insert_image((60, 20, 130, 45), pixmap=letter())
    grey = pymupdf.Pixmap(pymupdf.csGRAY, 800, 500, np.full((500, 800), 225, np.uint8).tobytes(), False)
    page.insert_image((60, 420, 535, 610), pixmap=grey)
    bars = pymupdf.open().new_page(width=475, height=200)
    for number in range(9):
        bars.draw_rect((20 + number * 50, 40 + number * 9, 50 + number * 50, 190), fill=(0.2, 0.4, 0.7))
    page.insert_image((60, 630, 535, 820), pixmap=bars.get_pixmap(dpi=120))
    (read_page,) = read(document, kept)
    assert (read_page.text_source, kept.puts, read_page.warnings) == (TextSource.NATIVE, 0, ())


def test_a_ground_that_lies_under_its_own_text_layer_is_left_alone() -> None:
    document, kept = pymupdf.open(), Kept()
    page = text_page(document)
    picture = page.get_pixmap(dpi=100, colorspace=pymupdf.csGRAY)
    doubled = document.new_page(width=595, height=842)
    doubled.insert_image(doubled.rect, pixmap=picture)
    doubled.insert_textbox((60, 60, 535, 360), OWN * 8, fontsize=11, fontname="tiro")
    document.delete_page(0)
    (read_page,) = read(document, kept)
    assert kept.puts == 0 and len(read_page.words) == len((OWN * 8).split())


def test_a_written_picture_that_is_not_recognised_is_told() -> None:
    document = pymupdf.open()
    text_page(document).insert_image((60, 420, 535, 610), pixmap=letter())
    (page,) = read(document, mode=OcrMode.NEVER)
    assert [w.code for w in page.warnings] == [WarningCode.OCR_LOW_CONFIDENCE]
    assert "was not read" in page.warnings[0].detail
