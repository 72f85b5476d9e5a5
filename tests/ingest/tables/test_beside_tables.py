"""What stands on the line of a table but beside it is page text too."""

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings


def test_a_remark_beside_a_ruled_row_is_read_and_is_in_no_cell() -> None:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    for y in (100, 120, 140, 160):
        page.draw_line((72, y), (252, y), width=0.6)
    for x in (72, 150, 225, 252):
        page.draw_line((x, 100), (x, 160), width=0.6)
    rows = (("Barn", "Rent", "Rates"), ("North", "1,200", "310"), ("South", "1,450", "355"))
    for y, row in zip((114, 134, 154), rows, strict=True):
        for x, text in zip((76, 154, 229), row, strict=True):
            page.insert_text((x, y), text, fontsize=10)
        if row[0] == "North":
            page.insert_text((256, y), "payable in arrears", fontsize=10)
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        read = next(iter(reader.pages()))
    assert sorted(word.text for word in read.words) == sorted(page.get_text().split())
    assert "payable in arrears" in [element.text for element in read.elements]
    assert "North 1,200 310" in read.text
    assert all("payable" not in cell.text for table in read.tables for cell in table.cells)
