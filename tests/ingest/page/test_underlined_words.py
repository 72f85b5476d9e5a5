"""An underline that the file draws between two runs of text does not part the word that they make."""

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings


def test_a_full_stop_after_an_underlined_term_stays_with_it() -> None:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_text((72, 100), "(b) Deliver Technology", fontsize=11)
    end = 72 + pymupdf.get_text_length("(b) Deliver Technology", fontsize=11)
    page.draw_line((110, 102), (end, 102), width=0.5)
    page.insert_text((end, 100), ". Following the Closing", fontsize=11)
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        text = next(iter(reader.pages())).text
    assert text == "(b) Deliver Technology. Following the Closing"
