"""Words of a text page: their heights are PyMuPDF's own, however they were come by."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest.mupdf import plain_quads, pymupdf
from ingest.page.drawn import DrawnText, FontHeights
from ingest.page.lost_signs import SIGN
from ingest.page.words import TEXT_FLAGS
from verify.domain.document import WarningCode

PAGES = 7


def lowered(document: pymupdf.Document, name: str, ascent: int) -> int:
    """A font whose ascender and descender are together less than its size; its cross-reference number."""
    descriptor = document.get_new_xref()
    font: int = document.get_new_xref()
    document.update_object(
        descriptor,
        f"<</Type/FontDescriptor/FontName/{name}/Flags 32/Ascent {ascent}/Descent -180/CapHeight 600/ItalicAngle 0"
        "/StemV 80/FontBBox[-100 -180 1000 700]>>",
    )
    document.update_object(
        font,
        f"<</Type/Font/Subtype/TrueType/BaseFont/{name}/Encoding/WinAnsiEncoding/FirstChar 32/LastChar 126"
        f"/Widths[{'500 ' * 95}]/FontDescriptor {descriptor} 0 R>>",
    )
    return font


@pytest.fixture
def document() -> Iterator[pymupdf.Document]:
    """Pages with a line of one font, one of two, one with a raised mark; on the last one a line that slants."""
    with pymupdf.open() as document:
        plain, bold = lowered(document, "Plain", 620), lowered(document, "Plain-Bold", 600)
        for number in range(PAGES):
            page = document.new_page()
            drawing = (
                f"BT /P 11 Tf 1 0 0 1 72 700 Tm (The Supplier delivers {number} crates) Tj ET "
                "BT /P 11 Tf 1 0 0 1 72 660 Tm (the \\() Tj /B 11 Tf (Due Date) Tj /P 11 Tf (\\) is a Monday) Tj ET "
                "BT /P 11 Tf 1 0 0 1 72 620 Tm (crates returned) Tj /P 6 Tf 4 Ts (3) Tj ET "
            )
            slanting = "BT /P 11 Tf 0.94 0.34 -0.34 0.94 72 500 Tm (this line slants) Tj ET "
            contents = document.get_new_xref()
            document.update_object(contents, "<<>>")
            document.update_stream(contents, (drawing + slanting * (number == PAGES - 1)).encode())
            document.xref_set_key(page.xref, "Contents", f"{contents} 0 R")
            document.xref_set_key(page.xref, "Resources", f"<</Font<</P {plain} 0 R/B {bold} 0 R>>>>")
        yield pymupdf.open(stream=document.tobytes())


def text_of(page: pymupdf.Page) -> pymupdf.TextPage:
    return pymupdf.TextPage(page.get_displaylist(annots=0).get_textpage(TEXT_FLAGS))


def test_such_type_is_mended_by_pymupdf(document: pymupdf.Document) -> None:
    """0.8 of 11 points as MuPDF has it, all 11 as PyMuPDF mends it: else the tests below test nothing."""
    textpage = text_of(document[0])
    with plain_quads():
        _, top, _, foot, text, *_ = textpage.extractWORDS()[0]
    assert (text, foot - top) == ("The", pytest.approx(8.8, abs=1e-3))
    assert textpage.extractWORDS()[0][3] - textpage.extractWORDS()[0][1] == pytest.approx(11, abs=1e-3)


@pytest.mark.parametrize("pages", [1, PAGES])
def test_words_are_those_of_pymupdf(document: pymupdf.Document, pages: int) -> None:
    fonts = FontHeights(pages)
    for page in document:
        textpage = text_of(page)
        words = DrawnText(textpage, fonts).words
        assert words.rows(0, len(words.texts)) == textpage.extractWORDS()


def test_a_long_document_tells_its_fonts_once(document: pymupdf.Document) -> None:
    """The first page asks PyMuPDF for heights; of the later ones only that with the slanting line does."""
    fonts = FontHeights(PAGES)
    read = [DrawnText(text_of(page), fonts) for page in document]
    assert fonts.worth_trying
    assert [drawn.is_mended for drawn in read] == [True] * (PAGES - 1) + [False]


def test_pages_of_real_documents(shared: Path) -> None:
    for folder in ("contracts", "court_opinions", "multicolumn"):
        for path in sorted((shared / "corpus" / folder).glob("*.pdf"))[:2]:
            with pymupdf.open(path) as document:
                fonts = FontHeights(100)
                for page in document.pages(0, 4):
                    textpage = text_of(page)
                    words = DrawnText(textpage, fonts).words
                    own = [row[:7] for row in words.rows(0, len(words.texts)) if row[4].strip(SIGN)]
                    assert own == [row[:7] for row in textpage.extractWORDS() if row[4].strip(SIGN)]


def test_a_font_of_no_height_costs_no_page(matter: Any) -> None:
    """MuPDF gives words of it that stand in none of its lines."""
    document = pymupdf.open()
    for _ in range(8):
        document.new_page().insert_text((72, 90), "Plain words here", fontname="helv")
    flat = document.get_new_xref()
    document.update_object(
        flat,
        "<</Type/FontDescriptor/FontName/Helvetica/Flags 32/FontBBox[0 0 0 0]/ItalicAngle 0/CapHeight 0/StemV 80"
        "/Ascent 0.0001/Descent 0.0002>>",
    )
    [(font, *_)] = document[0].get_fonts()
    document.xref_set_key(font, "FontDescriptor", f"{flat} 0 R")
    matter.write("flat.pdf", document.tobytes())
    matter.read()
    assert WarningCode.PAGE_FAILED not in {warning.code for warning in matter.record("flat.pdf").warnings}
