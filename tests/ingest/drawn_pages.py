"""Pages that tests draw word by word and read as PDF."""

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Element, Page

Drawn = tuple[float, float, str, float, str]  # x, y, text, size, font


def read(*pages: list[Drawn]) -> list[Page]:
    """Pages of 600 x 800 pt."""
    document = pymupdf.open()
    for drawn in pages:
        page = document.new_page(width=600, height=800)
        for x, y, text, size, font in drawn:
            page.insert_text((x, y), text, fontsize=size, fontname=font)
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        return list(reader.pages())


def lines(x: float, y: float, texts: list[str], pitch: float = 14, size: float = 11, font: str = "tiro") -> list[Drawn]:
    return [(x, y + i * pitch, text, size, font) for i, text in enumerate(texts)]


def centred(y: float, text: str, size: float = 11, font: str = "tibo") -> Drawn:
    return (300 - pymupdf.get_text_length(text, font, size) / 2, y, text, size, font)


def element(page: Page, start: str) -> Element:
    """The first whose text begins so."""
    return next(e for e in page.elements if e.text.startswith(start))
