"""Renditions: words come back as they were written, from the same bytes each time; sheets keep their addresses."""

import io
import time
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.comments import Comment
from PIL import Image

from ingest.failures import Damaged
from ingest.formats.images import image_pdf
from ingest.formats.numbers import CellValue, shown
from ingest.formats.opening import open_file
from ingest.formats.sheets.model import column_name
from ingest.formats.sheets.opening import open_sheets
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.ports import BlobKind
from ingest.rendition.flow import Block, BlockKind, Flow, Grid, GridCell, Run, plain
from ingest.rendition.names import is_rendered, rendition_key
from ingest.rendition.render import render
from ingest.settings import OcrMode
from verify.domain.document import SourceStatus, TextSource, WarningCode


def words(pdf: bytes) -> str:
    """All text of all pages as the page reader gives it, on one line."""
    with PdfReader(pdf) as reader:
        return " ".join(" ".join(page.text for page in reader.pages()).split())


def test_a_rendition_says_letters_where_its_font_draws_ligatures() -> None:
    pdf = render(paragraphs("The firm shall file the first affidavit in the office of final waffles."))
    with PdfReader(pdf, drawn_here=True) as reader:
        (page,) = reader.pages()
    assert "firm shall file the first affidavit in the office of final waffles." in page.text


def test_codes_without_vowels_are_no_garbled_text(matter: Any) -> None:
    rows = "\n".join(f"XKL-{n:04d},BRT-{n * 7:05d},QWZ" for n in range(60))
    matter.ocr = OcrMode.AUTO
    matter.write("codes.csv", rows.encode())
    matter.read()
    record = matter.record("codes.csv")
    assert (record.ocr_pages, record.warnings, record.status) == (0, (), SourceStatus.INDEXED)


@pytest.mark.parametrize(
    ("merged", "left_out"), [("A1:C1", 0), ("A1:XFD1", 0), ("A1:XFD1048576", 1), ("A1:A1048576", 1)]
)
def test_a_merge_over_a_whole_sheet_costs_nothing(merged: str, left_out: int) -> None:
    buffer = io.BytesIO()
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for column, value in enumerate(("Fees", "May", "June"), 1):
        sheet.cell(1, column, value if column == 1 else None)
        sheet.cell(2, column, value)
    book.save(buffer)
    changed = io.BytesIO()
    with zipfile.ZipFile(buffer) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "xl/worksheets/sheet1.xml":
                merges = f'</sheetData><mergeCells><mergeCell ref="{merged}"/></mergeCells>'
                part = part.replace(b"</sheetData>", merges.encode())
            new.writestr(name, part)
    start = time.monotonic()
    opened = open_sheets(Kind.XLSX, changed.getvalue(), Limits())
    assert time.monotonic() - start < 15
    assert [w.code for w in opened.warnings] == [WarningCode.TABLE_UNCERTAIN] * left_out
    assert len(opened.addresses) == 1
    assert {place.address for place in opened.addresses[0]} >= {"Sheet!A1", "Sheet!B2", "Sheet!C2"}


def paragraphs(*texts: str) -> Flow:
    return [plain(BlockKind.PARAGRAPH, text) for text in texts]


@pytest.mark.parametrize(
    "text",
    [
        "The “engineer’s” fee — § 7.1(b) — is € 1,200.50 (£ 1,000), 30 % ± ½.",
        "Ångström, Łódź, naïve façade, Þórr, œuvre, Škoda, ŵyneb.",
        "Ελληνικά κείμενα και русский текст, українська ґ.",
        "合同条款 第七条 違約金は 日本語テキスト 한국어 조항",
        "שלום עולם",
        "a–b c—d e‑f ‘g’ “h” … • ¶ † ‡ № ℓ ≤ ≥ → ☐ ☒ ✓",
        "final office waffle affair",
        "<b>&amp; 1 < 2 > 0 \"q\" 'r' & </p><script>x</script>",
    ],
)
def test_words_come_back_as_they_were_written(text: str) -> None:
    read = words(render(paragraphs(text)))
    for ligature, letters in (("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬀ", "ff"), ("ﬃ", "ffi"), ("ﬄ", "ffl")):
        read = read.replace(ligature, letters)
    assert read == text


def test_the_same_flow_gives_the_same_bytes() -> None:
    flow = paragraphs(*(f"Paragraph {n} with “quotes” and 合同." for n in range(900)))
    assert render(flow) == render(flow)


def test_no_block_is_lost_between_parts_and_pages() -> None:
    flow = paragraphs(*(f"Paragraph number {n} ends here." for n in range(1, 1301)))
    read = words(render(flow))
    assert all(read.count(f"Paragraph number {n} ends here.") == 1 for n in range(1, 1301))


def test_a_word_wider_than_the_page_is_broken_not_clipped() -> None:
    read = words(render(paragraphs("x" * 400 + "end")))
    assert "".join(read.split()).replace("\u200b", "").count("x") == 400
    assert "end" in read


def test_literal_text_keeps_lines_and_a_tall_table_row_goes_on() -> None:
    tall = GridCell(tuple(paragraphs(*(f"line {n} of the cell" for n in range(120)))))
    flow: Flow = [plain(BlockKind.LITERAL, "Rent       40\nFuel        3"), Grid(((tall, GridCell(())),))]
    read = words(render(flow))
    assert "Rent 40 Fuel 3" in read
    assert all(f"line {n} of the cell" in read for n in range(120))


def test_an_empty_flow_has_one_empty_page() -> None:
    with PdfReader(render([])) as reader:
        assert reader.page_count == 1


printable = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=("Cc", "Cf", "Zs")), min_size=1
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(printable.map(lambda t: t[:30]), min_size=1, max_size=12), min_size=1, max_size=5))
def test_any_latin_text_comes_back(lines: list[list[str]]) -> None:
    flow = [Block(BlockKind.PARAGRAPH, (Run(" ".join(line)),)) for line in lines]
    with pymupdf.open(stream=render(flow)) as document:
        read = "".join("".join(page.get_text().split()) for page in document)
    wanted = "".join("".join(line) for line in lines)
    for ligature, letters in (("ﬁ", "fi"), ("ﬂ", "fl"), ("ﬀ", "ff"), ("ﬃ", "ffi"), ("ﬄ", "ffl")):
        read = read.replace(ligature, letters)
    assert read == wanted


def test_a_rendition_is_kept_for_its_original_and_has_no_labels(matter: Any) -> None:
    matter.write("note.txt", "3\n\nThe keeper rang.\n\n4\n")
    matter.read()
    record = matter.record("note.txt")
    assert is_rendered(record)
    pdf = matter.blobs.get(BlobKind.RENDITION, rendition_key(record.fingerprint, record.parser.profile))
    assert pdf is not None and "The keeper rang." in words(pdf)
    [page] = matter.pages("note.txt")
    assert (page.label, page.printed_label, page.bates) == (None, None, None)


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Q3 figures"
    for row in (["Item", "Q2 2025", "Q3 2025"], ["Revenue", 10_300_000, 12_400_000], ["Loss", -300, -450.5]):
        sheet.append(row)
    for row, column in ((2, 2), (2, 3), (3, 2), (3, 3)):
        sheet.cell(row, column).number_format = "#,##0;(#,##0)"
    sheet["B4"] = "=SUM(B2:B3)"
    sheet["A6"] = "hidden words"
    sheet.row_dimensions[6].hidden = True
    sheet["C3"].comment = Comment("Check this.", "N. Orr")
    book.create_sheet("Back").sheet_state = "hidden"
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_a_workbook_shows_its_saved_values_and_tells_what_it_leaves_out() -> None:
    opened = open_sheets(Kind.XLSX, workbook(), Limits())
    assert isinstance(opened.pages, bytes)
    read = words(opened.pages)
    assert "Revenue 10,300,000 12,400,000" in read
    assert "(300) (451)" in read
    assert "[Comment on C3 by N. Orr: Check this.]" in read
    assert "hidden words" not in read and "SUM" not in read
    assert {w.code for w in opened.warnings} == {
        WarningCode.HIDDEN_TEXT, WarningCode.TRUNCATED, WarningCode.HAS_ANNOTATIONS,
    }  # fmt: skip
    assert [place.address for place in opened.addresses[0]][:4] == [
        "'Q3 figures'!A1", "'Q3 figures'!B1", "'Q3 figures'!C1", "'Q3 figures'!A2",
    ]  # fmt: skip


def test_cells_of_a_sheet_carry_their_address(matter: Any) -> None:
    matter.write("figures.xlsx", workbook())
    matter.write("rent.csv", "Name;Amount\nRent;40\nFuel;3\n")
    matter.read()
    [page] = matter.pages("figures.xlsx")
    addresses = {cell.text: cell.address for table in page.tables for cell in table.cells}
    assert addresses["12,400,000"] == "'Q3 figures'!C2"
    assert addresses["(300)"] == "'Q3 figures'!B3"
    [page] = matter.pages("rent.csv")
    assert {c.text: c.address for t in page.tables for c in t.cells}["40"] == "B2"
    assert matter.record("figures.xlsx").status is SourceStatus.PARTIAL


def test_title_rows_of_a_sheet_name_the_table_and_not_its_rows(matter: Any) -> None:
    """As accounts are laid out: a title, its unit, an empty row, and then the header."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    rows = [["Halden Mills: income"], ["in thousands of USD"], [], [None, 2022, 2023], ["Revenue", 4120, 4830],
            ["Cost of sales", 2210, 2605]]  # fmt: skip
    for row in rows:
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    matter.write("income.xlsx", buffer.getvalue())
    matter.read()
    (page,) = matter.pages("income.xlsx")
    (table,) = page.tables
    cells = {cell.address: cell for cell in table.cells}
    assert (cells["Sheet!C5"].row_path, cells["Sheet!C5"].column_path) == (("Revenue",), ("2023",))
    assert (cells["Sheet!B6"].row_path, cells["Sheet!B6"].column_path) == (("Cost of sales",), ("2022",))
    assert table.title == "Halden Mills: income in thousands of USD"
    assert (table.unit, table.scale) == ("USD", 1000)


def test_a_long_and_wide_sheet_loses_no_cell() -> None:
    rows = [[f"r{r}c{c}" for c in range(50)] for r in range(220)]
    opened = open_sheets(Kind.CSV, "\n".join(",".join(row) for row in rows).encode(), Limits())
    assert isinstance(opened.pages, bytes)
    with pymupdf.open(stream=opened.pages) as document:
        read = {word[4] for page in document for word in page.get_text("words")}
    assert {cell for row in rows for cell in row} <= read
    places = [place.address for page in opened.addresses for place in page]
    assert len(places) == len(set(places)) == 220 * 50


def test_a_workbook_with_entities_or_of_too_many_bytes_is_refused() -> None:
    with pytest.raises(Damaged):
        open_sheets(Kind.XLSX, workbook(), Limits(xml_bytes=2000))
    with pytest.raises(Damaged):
        open_sheets(Kind.XLSX, b"PK\x03\x04", Limits())


@pytest.mark.parametrize(
    ("index", "name"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA"), (16383, "XFD")]
)
def test_columns_are_named_as_spreadsheets_do(index: int, name: str) -> None:
    assert column_name(index) == name


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (12_400_000, "#,##0", "12,400,000"), (1234.5, "#,##0.00", "1,234.50"), (-300, "#,##0_);(#,##0)", "(300)"),
        (0.125, "0.0%", "12.5%"), (1_234_567, '#,##0,"k"', "1,235k"), (5, "[$€-407] #,##0.00", "€ 5.00"),
        (-12, "$#,##0.00", "-$12.00"), (0, '0;-0;"nil"', "nil"), (7, "000", "007"), (0.1 + 0.2, "General", "0.3"),
        (0.5, "# ?/?", "0.5"), (True, "General", "TRUE"), (1e-12, "General", "1e-12"), ("=x", "0", "=x"),
        (1234.5, '_-* #,##0.00\\ "€"_-;-* #,##0.00\\ "€"_-', "1,234.50 €"),
    ],
)  # fmt: skip
def test_values_are_shown_through_their_format(value: CellValue, code: str, text: str) -> None:
    assert shown(value, code) == text


def picture(mode: str = "L", size: tuple[int, int] = (300, 200), **saving: Any) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 200 if mode == "L" else None).save(buffer, saving.pop("format", "PNG"), **saving)
    return buffer.getvalue()


def test_a_picture_is_a_page_of_its_stated_size() -> None:
    opened = image_pdf(Kind.PNG, picture(size=(600, 300), dpi=(150, 150)), Limits())
    assert isinstance(opened.pages, bytes)
    with pymupdf.open(stream=opened.pages) as document:
        assert (round(document[0].rect.width), round(document[0].rect.height)) == (288, 144)
    assert opened.pages == image_pdf(Kind.PNG, picture(size=(600, 300), dpi=(150, 150)), Limits()).pages


def test_a_camera_picture_stands_the_way_it_was_taken() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    opened = image_pdf(Kind.JPEG, picture("RGB", (300, 200), format="JPEG", exif=exif), Limits())
    assert isinstance(opened.pages, bytes)
    with pymupdf.open(stream=opened.pages) as document:
        assert document[0].rect.width < document[0].rect.height


def test_every_page_of_a_tiff_and_odd_pixel_kinds() -> None:
    pages = [
        Image.new("1", (80, 120), 1),
        Image.new("CMYK", (80, 120)),
        Image.new("P", (80, 120)),
        Image.new("RGBA", (8, 8)),
    ]
    buffer = io.BytesIO()
    pages[0].save(buffer, "TIFF", save_all=True, append_images=pages[1:])
    opened = image_pdf(Kind.TIFF, buffer.getvalue(), Limits())
    with PdfReader(opened.pages) as reader:  # type: ignore[arg-type]
        assert reader.page_count == 4
        assert all(page.text_source is TextSource.NONE for page in reader.pages())


def test_a_picture_that_is_cut_off_or_too_large_is_damaged() -> None:
    with pytest.raises(Damaged):
        image_pdf(Kind.PNG, picture()[:60], Limits())
    with pytest.raises(Damaged):
        image_pdf(Kind.PNG, picture(size=(3000, 3000)), Limits(image_pixels=1_000_000))
    noise = Image.effect_noise((400, 400), 80)
    buffer = io.BytesIO()
    noise.save(buffer, "JPEG")
    with pytest.raises(Damaged):
        image_pdf(Kind.JPEG, buffer.getvalue()[:5000], Limits())


def test_a_locked_workbook_opens_with_its_password(tmp_path: Path) -> None:
    import msoffcrypto
    from msoffcrypto.format.ooxml import OOXMLFile

    from ingest.failures import Locked

    assert msoffcrypto is not None
    locked = io.BytesIO()
    OOXMLFile(io.BytesIO(workbook())).encrypt("tulip", locked)
    for password in (None, "rose"):
        with pytest.raises(Locked):
            open_file(locked.getvalue(), "figures.xlsx", password, Limits())
    assert open_file(locked.getvalue(), "figures.xlsx", "tulip", Limits()).kind is Kind.XLSX
