"""Heads, feet, numbers and stamps on pages that are smaller than their sheet, cut short, or joined in one."""

import pytest

from ingest.furniture.bates import is_filing_mark
from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import ElementKind, Page

Drawn = tuple[float, float, str]  # x, y, text
WORDS = ("quay", "barn", "gate", "roof", "drive", "wall", "crane", "raft", "pier", "mole", "slip", "lock")


def read(*pages: list[Drawn]) -> list[Page]:
    document = pymupdf.open()
    for drawn in pages:
        page = document.new_page(width=600, height=800)
        for x, y, text in drawn:
            page.insert_text((x, y), text, fontsize=10, fontname="tiro")
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        return list(reader.pages())


def running(y: float, count: int, seed: int) -> list[Drawn]:
    """So many lines of text that says something else on each page."""
    texts = [" ".join(WORDS[(seed * 5 + 3 * k + j * (seed + 1)) % len(WORDS)] for k in range(12)) for j in range(count)]
    return [(72, y + 12 * j, f"The {text}, and") for j, text in enumerate(texts)]


def kinds(page: Page) -> dict[str, ElementKind]:
    return {e.text: e.kind for e in page.elements}


def test_a_small_page_in_the_middle_of_its_sheet_has_its_heads_there() -> None:
    pages = read(
        *[
            [(100, 160, f"{n + 2} QUILL v. TARN"), (200, 185, "Opinion of the Court"), *running(210, 20, n)]
            for n in range(4)
        ]
    )
    for n, page in enumerate(pages):
        assert kinds(page)[f"{n + 2} QUILL v. TARN"] is ElementKind.HEADER
        assert kinds(page)["Opinion of the Court"] is ElementKind.HEADER
        assert page.printed_label == str(n + 2)


def test_a_page_that_ends_early_has_its_foot_where_it_ends() -> None:
    pages = read(
        *[
            [
                *running(60, 14 + 3 * n, n),
                (72, 250 + 36 * n, "[x] Some words were left out."),
                (300, 262 + 36 * n, f"{n + 1}"),
            ]
            for n in range(4)
        ]
    )
    for n, page in enumerate(pages):
        assert kinds(page)["[x] Some words were left out."] is ElementKind.FOOTER
        assert kinds(page)[str(n + 1)] is ElementKind.PAGE_NUMBER
        assert page.printed_label == str(n + 1)


def test_a_form_that_comes_back_whole_has_no_feet_in_mid_sheet() -> None:
    form = [(72.0, 60.0 + 20 * k, f"Box for the {word}") for k, word in enumerate(WORDS)]
    for page in read(form, form, form):
        assert ElementKind.FOOTER not in kinds(page).values()


def test_a_head_that_goes_on_in_few_ways_is_one_but_titles_are_not() -> None:
    ways = ["Syllabus", "Opinion", "Opinion", "Opinion", "Opinion", "Dissent", "Dissent"]
    for page in read(*[[(72, 40, f"Quill v. Tarn - {way}"), *running(80, 10, n)] for n, way in enumerate(ways)]):
        assert page.elements[0].kind is ElementKind.HEADER
    for page in read(*[[(72, 40, f"Plan of the {w}"), *running(80, 10, n)] for n, w in enumerate(WORDS[:7])]):
        assert page.elements[0].kind is not ElementKind.HEADER


def test_lines_of_one_page_that_differ_in_a_number_are_no_running_heads() -> None:
    (page,) = read([(72, 60 + 20 * n, f"Section {n + 20}. Care of the Quay") for n in range(5)])
    assert ElementKind.HEADER not in kinds(page).values()


def test_printed_pages_that_end_in_mid_page_leave_their_number_and_head() -> None:
    pages = read(
        *[
            [
                *running(60, 14, 2 * n),
                (290, 250, str(2 * n + 3)),
                (240, 275, "CONFIDENTIAL COPY"),
                *running(300, 14, 2 * n + 1),
                (290, 490, str(2 * n + 4)),
                (240, 515, "CONFIDENTIAL COPY"),
                *running(540, 10, 2 * n + 30),
            ]
            for n in range(3)
        ]
    )
    for n, page in enumerate(pages):
        found = [(e.kind, e.text) for e in page.elements]
        assert (ElementKind.PAGE_NUMBER, str(2 * n + 3)) in found
        assert (ElementKind.PAGE_NUMBER, str(2 * n + 4)) in found
        assert found.count((ElementKind.HEADER, "CONFIDENTIAL COPY")) == 2


def test_section_numbers_of_an_opinion_are_no_page_numbers() -> None:
    places = [[(200, 1), (300, 2), (500, 3)], [(420, 4)], [], [], [], [(260, 5)]]
    pages = read(
        *[
            [*running(40, 3, n), *[(290.0, float(y), str(v)) for y, v in found], *running(760, 2, n + 9)]
            for n, found in enumerate(places)
        ]
    )
    assert all(ElementKind.PAGE_NUMBER not in kinds(page).values() for page in pages)


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("FILED", True),
        ("RECEIVED MAR 3 2021", True),
        ("ELECTRONICALLY FILED ON 3 MARCH 2021", True),
        ("Filed by the clerk", False),
        ("FILED UNDER SEAL", False),
        ("ENTERED", True),
    ],
)
def test_what_a_clerk_stamps(text: str, stamp: bool) -> None:
    assert is_filing_mark(text) is stamp


def test_a_word_across_the_page_is_a_stamp() -> None:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    for x, y, text in running(300, 10, 1):
        page.insert_text((x, y), text, fontsize=10)
    point = pymupdf.Point(150, 600)
    page.insert_text(point, "COPY", fontsize=90, color=(0.8, 0.8, 0.8), morph=(point, pymupdf.Matrix(45)))
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        assert kinds(next(reader.pages()))["COPY"] is ElementKind.STAMP


def test_a_table_s_header_at_the_head_of_each_page_is_no_running_head() -> None:
    """Its name comes back as heads do, but the years beside it are no page's number."""
    ferries = ["Auk", "Eider", "Skua", "Tern", "Gull", "Plover", "Heron", "Stork", "Crane"]
    drawn = []
    for n in range(3):
        head = [
            (72.0, 40.0, "Harbour board: tolls"),
            (72.0, 64.0, "Ferry"),
            (300.0, 64.0, "2031"),
            (400.0, 64.0, "2030"),
        ]
        rows = [
            (x, 82.0 + 18 * k, text)
            for k in range(3)
            for x, text in ((72.0, ferries[3 * n + k]), (300.0, f"{n}{k}.50"), (400.0, f"{k}{n}.25"))
        ]
        drawn.append(head + rows)
    pages = read(*drawn)
    assert [page.elements[0].text for page in pages] == ["Harbour board: tolls"] * 3
    for n, page in enumerate(pages):
        (table,) = page.tables
        found = {(c.row_path, c.column_path): c.text for c in table.cells if not c.is_header and c.text}
        assert found[(ferries[3 * n + 1],), ("2030",)] == f"1{n}.25"
        assert len(found) == 6
    assert pages[2].tables[0].continued_from == "p1-t0"


def test_rows_of_an_account_that_come_back_each_month_are_rows() -> None:
    """Days and entries are alike on every page, digits masked; the statement's title and number stay furniture."""
    entries = ["Toll of a ferry", "Coal for the crane", "Wages of the crew"]
    drawn = []
    for n in range(4):
        lines = [(72.0, 40.0, "Harbour bank: statement"), (300.0, 770.0, str(n + 1))]
        lines += [(72.0, 70.0, "Date"), (160.0, 70.0, "Entry"), (400.0, 70.0, "Paid in"), (480.0, 70.0, "Paid out")]
        for k in range(8):
            y = 88.0 + 16 * k
            lines += [(72.0, y, f"0{k + 1}/0{n + 1}/31"), (160.0, y, entries[(k + n) % 3])]
            lines.append((400.0 if k % 2 else 480.0, y, f"{k + 2}{n + 1}.{k}5"))
        drawn.append(lines)
    for n, page in enumerate(read(*drawn)):
        assert [e.kind.value for e in page.elements] == ["header", "table", "page_number"]
        (table,) = page.tables
        found = {(c.row_path, c.column_path): c.text for c in table.cells if not c.is_header and c.text}
        assert found[(f"02/0{n + 1}/31",), ("Paid in",)] == f"3{n + 1}.15"
        assert found[(f"07/0{n + 1}/31",), ("Paid out",)] == f"8{n + 1}.65"
        assert len(found) == 16
