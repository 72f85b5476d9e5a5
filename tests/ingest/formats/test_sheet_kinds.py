"""Spreadsheets: several tables on a sheet, what stands beside the cells, what cannot be seen, formats, odd files."""

import datetime
import io
import zipfile
from typing import Any

import openpyxl
import pytest
from flow_texts import details
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill

from ingest.formats.model import Opened
from ingest.formats.numbers import CellValue, shown
from ingest.formats.sheets.blocks import TableRows, table_blocks
from ingest.formats.sheets.opening import open_sheets
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from ingest.mupdf import pymupdf
from verify.domain.document import WarningCode


def saved(book: Any) -> bytes:
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def words(opened: Opened) -> str:
    assert isinstance(opened.pages, bytes)
    with pymupdf.open(stream=opened.pages) as document:
        return " ".join(" ".join(page.get_text() for page in document).replace("\ufb01", "fi").split())


def rows(*texts: list[str | None]) -> dict[int, dict[int, str]]:
    return {n: {at: t for at, t in enumerate(row) if t} for n, row in enumerate(texts) if any(row)}


ACCOUNTS = rows(
    ["Income"], ["in USD"], [], [None, "2024", "2025"], ["Rent", "40", "45"], [], ["Costs"], ["Fuel", "3", "4"]
)


@pytest.mark.parametrize(
    ("texts", "blocks"),
    [
        (ACCOUNTS, [TableRows([0, 1, 3, 4, 6, 7], "Income in USD")]),
        (rows(["Unit", "Rent"], ["A", "40"], [], ["Parking"], ["Place", "Fee"], ["1", "5"]),
         [TableRows([0, 1], None), TableRows([3, 4, 5], "Parking")]),
        (rows(["Unit", "Rent"], ["A", "40"], [], ["B", "45"]), [TableRows([0, 1, 3], None)]),
        (rows([None, "Three months"], ["Item", "Q1", "Q2"], ["Rent", "1", "2"]), [TableRows([0, 1, 2], None)]),
        (rows(["Assets"], ["Cash", "10"]), [TableRows([0, 1], None)]),
        (rows(["Only"], ["one"], ["column"]), [TableRows([0, 1, 2], None)]),
        ({}, []),
    ],
)  # fmt: skip
def test_rows_that_belong_together_and_their_title(texts: dict[int, dict[int, str]], blocks: list[TableRows]) -> None:
    assert list(table_blocks(texts)) == blocks


def test_each_table_of_a_sheet_has_its_own_headers_and_title(matter: Any) -> None:
    text = "Unit,Rent\nA,40\nB,45\n\nParking,\nPlace,Fee\nNorth,5\nSouth,6\n"
    matter.write("rent.csv", text)
    matter.read()
    (page,) = matter.pages("rent.csv")
    cells = {c.address: (t.title, c.row_path, c.column_path) for t in page.tables for c in t.cells}
    assert cells["B2"] == (None, ("A",), ("Rent",))
    assert cells["B7"] == ("Parking", ("North",), ("Fee",))


def test_what_stands_beside_the_cells_is_shown() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Year", "Rent"], ["2024", 40], ["2025", 45]):
        sheet.append(row)
    sheet["D9"].comment = Comment("On an empty cell.", "N. Orr")
    sheet.oddHeader.center.text = '&"Arial,Bold"&12Privileged && confidential'
    sheet.oddFooter.left.text = "Page &P of &N"
    chart = BarChart()
    chart.title = "Rent by year"
    chart.add_data(Reference(sheet, min_col=2, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "F2")
    alone = book.create_chartsheet("Chart only")
    second = BarChart()
    second.title = "Alone"
    alone.add_chart(second)
    opened = open_sheets(Kind.XLSX, saved(book), Limits())
    read = words(opened)
    assert "[Comment on D9 by N. Orr: On an empty cell.]" in read
    assert "[Page header: Privileged & confidential]" in read and "Page of" not in read
    assert "[Chart: Rent by year]" in read and "[Chart: Alone]" in read
    assert details(opened.warnings) == {WarningCode.HAS_ANNOTATIONS: ["1 comments are shown and labelled"]}


def with_parts(data: bytes, parts: dict[str, str], changed: dict[str, tuple[str, str]]) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(held, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, text.replace(*changed[name]) if name in changed else text)
        for name, text in parts.items():
            new.writestr(name, text)
    return held.getvalue()


def test_threads_of_comments_and_text_boxes() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"] = "Rent"
    kinds = "http://schemas.microsoft.com/office/2017/10/relationships"
    usual = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    threads = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"
    parts = {
        "xl/worksheets/_rels/sheet1.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="t" '
        f'Type="{kinds}/threadedComment" Target="../threadedComments/t.xml"/><Relationship Id="d" '
        f'Type="{usual}/drawing" Target="../drawings/drawing1.xml"/></Relationships>',
        "xl/threadedComments/t.xml": f'<ThreadedComments xmlns="{threads}"><threadedComment ref="A1" personId="p" '
        'id="1" done="1"><text>Why 40?</text></threadedComment><threadedComment ref="A1" personId="p" id="2" '
        'parentId="1"><text>As agreed.</text></threadedComment></ThreadedComments>',
        "xl/persons/person.xml": f'<personList xmlns="{threads}"><person displayName="N. Orr" id="p"/></personList>',
        "xl/drawings/drawing1.xml": '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/'
        'spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:sp><xdr:txBody><a:p>'
        "<a:r><a:t>Net of </a:t></a:r><a:r><a:t>tax</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:wsDr>",
    }
    person = f'<Relationship Id="rIdP" Type="{kinds}/person" Target="persons/person.xml"/></Relationships>'
    data = with_parts(saved(book), parts, {"xl/_rels/workbook.xml.rels": ("</Relationships>", person)})
    read = words(open_sheets(Kind.XLSX, data, Limits()))
    assert "[Comment on A1 (resolved) by N. Orr: Why 40?] [Reply on A1 by N. Orr: As agreed.]" in read
    assert "[Text box: Net of tax]" in read


def test_what_cannot_be_seen_is_left_out_and_counted() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["A2"], sheet["A3"], sheet["A4"], sheet["A5"] = "Seen", "white", 771, "On black", "Old"
    sheet["A2"].font = Font(color="FFFFFFFF")
    sheet["A3"].number_format = ";;;"
    sheet["A4"].font, sheet["A4"].fill = Font(color="FFFFFFFF"), PatternFill("solid", fgColor="FF000000")
    sheet["A5"].font = Font(strike=True)
    sheet["A6"], sheet["A7"] = "Low", "#REF!"
    low = {"xl/worksheets/sheet1.xml": ('<row r="6"', '<row r="6" ht="0" customHeight="1"')}
    opened = open_sheets(Kind.XLSX, with_parts(saved(book), {}, low), Limits())
    assert words(opened) == "Sheet Seen On black Old #REF!"
    assert details(opened.warnings) == {
        WarningCode.HIDDEN_TEXT: [
            "hidden parts were left out: 1 rows",
            "2 cells whose text cannot be seen were left out",
        ],
        WarningCode.HAS_STRUCK_TEXT: ["1 cells are struck through; they are shown so"],
    }


def test_days_count_from_1904_where_the_workbook_says_so() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    book.active["A1"] = datetime.date(2026, 3, 4)
    book.active["A1"].number_format = "yyyy-mm-dd"
    assert "2026-03-04" in words(open_sheets(Kind.XLSX, saved(book), Limits()))


def test_a_workbook_in_the_strict_form() -> None:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active["A1"] = "Strict"
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(book))) as old, zipfile.ZipFile(held, "w") as new:
        for name in old.namelist():
            text = old.read(name).decode()
            for folder in ("spreadsheetml", "officeDocument"):
                usual = f"http://schemas.openxmlformats.org/{folder}/2006/"
                text = text.replace(usual, f"http://purl.oclc.org/ooxml/{folder}/")
            new.writestr(name, text)
    assert words(open_sheets(Kind.XLSX, held.getvalue(), Limits())) == "Sheet Strict"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (datetime.timedelta(hours=26, minutes=5), "[h]:mm", "26:05"),
        (datetime.timedelta(minutes=90), "[mm]:ss", "90:00"),
        (7, "[<5]0.0;[>=5]#,##0", "7"), (3, "[<5]0.0;[>=5]#,##0", "3.0"), (5, 'General" units"', "5 units"),
        ("17", '"Ref. "@', "Ref. 17"), ("17", "General", "17"), ("secret", ";;;", ""), (4, ";;;", ""), (0, "0;-0;", ""),
        (-4, "0.00;(0.00)", "(4.00)"), (-5, "[>=1000]0;0.0", "-5.0"), (-5, "[<0]-0;0", "-5"), (-5, "0.0", "-5.0"),
        (-5, "_(#,##0_)", "-5"), (-5, "_-* #,##0.00_-", "-5.00"), (-5551234, "000-0000", "-555-1234"),
        (12345678, "000-00-0000", "012-34-5678"), (5551234567, '"("000") "000-0000', "(555) 123-4567"),
    ],
)  # fmt: skip
def test_formats_that_say_more_than_a_number(value: CellValue, code: str, text: str) -> None:
    assert shown(value, code) == text


def test_a_table_wider_than_any_sheet_is_cut_and_told() -> None:
    text = ",".join(f"c{n}" for n in range(20_000)) + "\n"
    opened = open_sheets(Kind.CSV, text.encode(), Limits())
    places = [place.address for page in opened.addresses for place in page]
    assert (len(places), places[-1]) == (16_384, "XFD1")
    assert details(opened.warnings) == {
        WarningCode.TRUNCATED: ["1 rows are wider than any sheet; the columns after XFD were left out"]
    }


def test_a_first_line_that_names_the_mark_is_no_row_of_the_table() -> None:
    opened = open_sheets(Kind.CSV, b"sep=;\nName;Sum, net\nRent;40\n", Limits())
    assert [place.address for page in opened.addresses for place in page] == ["A2", "B2", "A3", "B3"]


def ods(body: str, head: str = "") -> bytes:
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(
        f'xmlns:{short}="{urn}:{name}:1.0"'
        for short, name in (
            ("text", "text"), ("office", "office"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
        )
    )  # fmt: skip
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f'<office:document-content {spaces} xmlns:dc="http://purl.org/dc/elements/1.1/">{head}<office:body>'
            f"<office:spreadsheet>{body}</office:spreadsheet></office:body></office:document-content>",
        )
    return held.getvalue()


def test_an_opendocument_sheet_tells_what_is_hidden_and_keeps_comments_and_shapes() -> None:
    def cell(text: str, more: str = "", inner: str = "") -> str:
        return f"<table:table-cell {more}>{inner}<text:p>{text}</text:p></table:table-cell>"

    head = (
        "<office:automatic-styles><style:style style:name='off'><style:table-properties table:display='false'/>"
        "</style:style></office:automatic-styles>"
    )
    note = "<office:annotation><dc:creator>N. Orr</dc:creator><text:p>Why?</text:p></office:annotation>"
    shapes = "<table:shapes><draw:custom-shape><text:p>Net of tax</text:p></draw:custom-shape></table:shapes>"
    columns = "<table:table-column/><table:table-column table:visibility='collapse'/><table:table-column/>"
    body = (
        f"<table:table table:name='Rent'>{shapes}{columns}<table:table-row>{cell('a', '', note)}{cell('hidden')}"
        f"{cell('c')}</table:table-row>"
        f"<table:table-row table:number-rows-repeated='1500'>{cell('same')}</table:table-row>"
        "<table:table-row table:number-rows-repeated='1000000'><table:table-cell/></table:table-row></table:table>"
        f"<table:table table:name='Back' table:style-name='off'><table:table-row>{cell('gone')}</table:table-row>"
        "</table:table>"
    )
    opened = open_sheets(Kind.ODS, ods(body, head), Limits())
    read = words(opened)
    assert "[Text box: Net of tax]" in read and "[Comment on A1 by N. Orr: Why?]" in read
    assert "hidden" not in read and "gone" not in read
    places = [place.address for page in opened.addresses for place in page]
    assert (places[:2], places[-1], len(places)) == (["Rent!A1", "Rent!C1"], "Rent!A1501", 1502)
    assert details(opened.warnings) == {
        WarningCode.HIDDEN_TEXT: ["hidden parts were left out: 1 sheets, 1 columns"],
        WarningCode.HAS_ANNOTATIONS: ["1 comments are shown and labelled"],
    }
