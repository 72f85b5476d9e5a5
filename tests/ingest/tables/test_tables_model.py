"""What a table says of its unit and scale, and its parts over page breaks, through the reader of PDFs."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from ingest.mupdf import pymupdf
from ingest.ocr.access import OcrAccess
from ingest.ocr.engine import OcrSettings
from ingest.pdf.reader import PdfReader
from verify.domain.document import Cell, ElementKind, Page, StatementKind, Table


class Book:
    """A PDF of pages with ruled or open tables, in points."""

    def __init__(self) -> None:
        self.document = pymupdf.open()

    def page(self) -> None:
        self.current = self.document.new_page(width=595, height=842)

    def text(self, x: float, y: float, text: str, bold: bool = False, size: float = 10) -> None:
        self.current.insert_text((x, y), text, fontsize=size, fontname="hebo" if bold else "helv")

    def ruled(self, y: float, rows: Sequence[Sequence[str]], bold_head: bool = True) -> None:
        xs = (70, 220, 320, 420)[: len(rows[0]) + 1]
        for n in range(len(rows) + 1):
            self.current.draw_line((xs[0], y + n * 20), (xs[-1], y + n * 20), width=0.6)
        for x in xs:
            self.current.draw_line((x, y), (x, y + len(rows) * 20), width=0.6)
        for n, row in enumerate(rows):
            for x, text in zip(xs, row, strict=False):
                self.text(x + 5, y + 14 + n * 20, text, bold=bold_head and n == 0)

    def read(self) -> list[Page]:
        with PdfReader(self.document.tobytes()) as reader:
            return list(reader.pages())


def one_table(title: str | None, rows: Sequence[Sequence[str]], note: str | None = None) -> tuple[Page, Table]:
    book = Book()
    book.page()
    if title:
        book.text(70, 192, title, bold=True)
    book.ruled(200, rows)
    if note:
        book.text(70, 216 + 20 * len(rows), note, size=8)
    page = book.read()[0]
    assert len(page.tables) == 1
    return page, page.tables[0]


def cell(table: Table, row: str, column: str) -> Cell:
    found = [c for c in table.cells if c.row_path[-1:] == (row,) and c.column_path[-1:] == (column,)]
    assert len(found) == 1
    return found[0]


PLAIN = [["Item", "2031", "2030"], ["Tolls", "4,300", "4,150"], ["Grants", "95", "80"]]


def test_ids_words_and_text_agree_with_the_page() -> None:
    page, table = one_table("Table 1. Receipts (EUR in thousands)", PLAIN)
    assert table.table_id == "p0-t0"
    tolls = cell(table, "Tolls", "2030")
    assert tolls.cell_id == "p0-t0-r1-c2"
    assert [page.words[i].text for i in tolls.words] == ["4,150"]
    element = next(e for e in page.elements if e.element_id == table.element_id)
    assert element.kind is ElementKind.TABLE
    assert element.text == "Item 2031 2030\nTolls 4,300 4,150\nGrants 95 80"
    assert table.bbox.holds_centre_of(tolls.bbox)


@pytest.mark.parametrize(
    ("title", "head", "note", "unit", "scale"),
    [
        ("Table 1. Receipts (US$ in millions)", "Item", None, "USD", 1_000_000),
        ("Table 1. Receipts (EUR in thousands)", "Item", None, "EUR", 1_000),
        ("Table 1. Receipts", "(in thousands)", None, None, 1_000),
        ("Table 1. Receipts", "Item", "Note: amounts in thousands of euros.", "EUR", 1_000),
        ("Table 1. Receipts", "Item", None, None, None),
        (None, "Item", None, None, None),
        ("Table 1. Receipts (EUR in thousands)", "Item", "Note: amounts in millions of euros.", "EUR", None),
    ],
)
def test_unit_and_scale_come_from_what_covers_all_cells(
    title: str | None, head: str, note: str | None, unit: str | None, scale: int | None
) -> None:
    _, table = one_table(title, [[head, *PLAIN[0][1:]], *PLAIN[1:]], note)
    assert (table.title, table.unit, table.scale) == (title, unit, scale)


def test_a_header_of_one_column_speaks_for_that_column_only() -> None:
    _, table = one_table(None, [["Customer", "Revenue (USD)", "Share (%)"], *PLAIN[1:]])
    assert (table.unit, table.scale) == (None, None)
    assert [s.text for s in table.statements if s.kind is StatementKind.HEADER] == [
        "Customer",
        "Revenue (USD)",
        "Share (%)",
    ]


def test_a_marked_note_speaks_for_its_cells_only() -> None:
    rows = [PLAIN[0], ["Tolls", "4,300(a)", "4,150"], PLAIN[2]]
    _, table = one_table("Table 1. Receipts", rows, "(a) In thousands of euros.")
    assert (table.unit, table.scale) == (None, None)
    assert cell(table, "Tolls", "2031").marks == ("a",)
    assert cell(table, "Tolls", "2031").text == "4,300"
    note = next(s for s in table.statements if s.kind is StatementKind.NOTE)
    assert (note.mark, note.text) == ("a", "In thousands of euros.")


def two_parts(second: Sequence[Sequence[str]], title: str | None, between: str | None = None) -> list[Table]:
    book = Book()
    book.page()
    book.text(70, 100, "Spending on the sea wall continued through the year as planned.")
    book.text(70, 642, "Table 3. Works (EUR in thousands)", bold=True)
    book.ruled(650, [["Project", "Approved", "Spent"], ["Wall", "4,300", "3,950"], ["Roof", "480", "470"]])
    book.page()
    if between:
        book.text(70, 70, between)
    if title:
        book.text(70, 92, title, bold=True)
    book.ruled(100, second, bold_head=second[0][0] == "Project")
    book.text(70, 300, "The tidal gate is due to be handed over in the autumn of the next year.")
    return [table for page in book.read() for table in page.tables]


def test_a_part_that_repeats_title_and_header_is_linked() -> None:
    second = [["Project", "Approved", "Spent"], ["Gate", "7,400", "5,020"], ["Mast", "95", "90"]]
    upper, lower = two_parts(second, "Table 3. Works (EUR in thousands) (continued)")
    assert (upper.continued_from, lower.continued_from) == (None, "p0-t0")
    assert cell(lower, "Gate", "Spent").text == "5,020"
    assert (lower.unit, lower.scale) == ("EUR", 1_000)


def test_a_part_without_headers_has_those_of_the_first_part() -> None:
    upper, lower = two_parts([["Gate", "7,400", "5,020"], ["Mast", "95", "90"], ["Steps", "310", "290"]], None)
    assert lower.continued_from == upper.table_id
    assert cell(lower, "Gate", "Approved").text == "7,400"
    assert cell(lower, "Steps", "Spent").text == "290"
    assert (lower.unit, lower.scale) == ("EUR", 1_000)


def test_a_part_of_words_alone_does_not_turn_its_first_row_into_a_header() -> None:
    book = Book()
    book.page()
    book.ruled(650, [["Party", "Role", "Seat"], ["Corvane", "Lender", "Oslo"], ["Tessel", "Agent", "Bergen"]])
    book.page()
    book.ruled(100, [["Marram", "Borrower", "Turku"], ["Ulver", "Guarantor", "Umea"]], bold_head=False)
    upper, lower = (table for page in book.read() for table in page.tables)
    assert lower.continued_from == upper.table_id
    assert cell(lower, "Marram", "Seat").text == "Turku"
    assert cell(lower, "Ulver", "Role").text == "Guarantor"


def test_an_open_section_goes_on_over_the_page_break() -> None:
    """Its rows are set in; the next label that is set out again ends it."""
    book = Book()
    rows = {
        0: (("", "2031", "2030"), ("Costs:", "", ""), ("  Wages", "512", "500"), ("  Fuel", "40", "41")),
        1: (("  Rent", "95", "90"), ("  Paint", "12", "11"), ("Net income", "355", "329"), ("Reserve", "20", "21")),
    }
    for number, part in rows.items():
        book.page()
        for n, (label, this, last) in enumerate(part):
            y = (100 if number else 640) + n * 18
            book.text(82 if label.startswith(" ") else 70, y, label.strip())
            for x, text in ((300, this), (400, last)):
                book.text(x - pymupdf.get_text_length(text, fontsize=10), y, text)
    upper, lower = (table for page in book.read() for table in page.tables)
    assert lower.continued_from == upper.table_id
    found = {(c.row_path, c.column_path): c.text for c in lower.cells if c.row_path and c.text}
    assert found[("Costs", "Rent"), ("2031",)] == "95"
    assert found[("Costs", "Paint"), ("2030",)] == "11"
    assert found[("Net income",), ("2031",)] == "355"
    assert found[("Reserve",), ("2030",)] == "21"


def test_text_between_parts_keeps_tables_apart() -> None:
    second = [["Gate", "7,400", "5,020"], ["Mast", "95", "90"]]
    _, lower = two_parts(
        second, None, between="The second table lists what the council decided in the spring of the year."
    )
    assert lower.continued_from is None
    assert (lower.unit, lower.scale) == (None, None)


def test_another_table_at_the_top_of_the_next_page_is_not_linked() -> None:
    second = [["Project", "Approved", "Spent"], ["Gate", "7,400", "5,020"]]
    _, lower = two_parts(second, "Table 4. Harbour works (USD)")
    assert lower.continued_from is None


def paths(shared: Path, index: int) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    with PdfReader(shared / "vectors/matter/finance/annual-report.pdf") as reader:
        page = next(iter(reader.pages(index, index + 1)))
    return {(c.row_path, c.column_path): c.text for t in page.tables for c in t.cells if not c.is_header}


def test_the_vectors_tables_have_their_paths(shared: Path) -> None:
    found = paths(shared, 2)
    assert found[("Storage",), ("2025", "Second half")] == "9.6"
    assert found[("Dredging",), ("Change",)] == "(475)"
    assert paths(shared, 5)[("Tessel Ferries",), ("Change (%)",)] == "−0.8"


def test_the_vectors_continued_table_is_linked(shared: Path) -> None:
    with PdfReader(shared / "vectors/matter/finance/annual-report.pdf") as reader:
        pages = list(reader.pages())
    assert pages[4].tables[0].continued_from == pages[3].tables[-1].table_id
    crane = next(
        c for c in pages[3].tables[-1].cells if c.row_path == ("Crane rails",) and c.column_path == ("Approved",)
    )
    assert (crane.text, crane.marks) == ("1,860", ("2",))


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
@pytest.mark.parametrize("turn", [0, 90])
def test_a_scanned_table_has_the_cells_of_the_printed_one(turn: int) -> None:
    """Rules are seen in the picture; cells lie on the displayed page, sideways where the scan is."""
    book = Book()
    book.page()
    book.text(70, 92, "Table 1. Receipts (EUR in thousands)", bold=True, size=12)
    book.ruled(100, PLAIN)
    for n in range(6):
        book.text(
            70, 250 + n * 18, "The council approved the receipts of the harbour in the spring of the year.", size=12
        )
    picture = book.document[0].get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    scan = pymupdf.open()
    width, height = (842, 595) if turn else (595, 842)
    page = scan.new_page(width=width, height=height)
    page.insert_image(page.rect, pixmap=picture, rotate=turn)
    with PdfReader(scan.tobytes(), ocr=OcrAccess(OcrSettings(dpi=200))) as reader:
        read = next(iter(reader.pages()))
    assert len(read.tables) == 1
    table = read.tables[0]
    grants = cell(table, "Grants", "2031")
    assert (grants.text, table.unit, table.scale) == ("95", "EUR", 1_000)
    x0, y0, x1, y1 = (22000, 14000, 32000, 16000)
    expected = (y0, 59500 - x1, y1, 59500 - x0) if turn else (x0, y0, x1, y1)
    assert all(abs(a - b) <= 250 for a, b in zip(grants.bbox, expected, strict=True))
