"""What each format says of its words: raised, struck, deleted, inserted, commented, written by this program."""

from collections.abc import Callable
from io import BytesIO

import docx.document
import openpyxl
import pytest
from docx.oxml import parse_xml
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill

from ingest.formats.opening import open_file
from ingest.limits import Limits
from ingest.pdf.reader import PdfReader
from verify.domain.document import Page

Spans = list[tuple[str, str]]
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pages(data: bytes, name: str) -> list[Page]:
    opened = open_file(data, name, None, Limits())
    assert opened.pages is not None
    with PdfReader(opened.pages, drawn_here=opened.rendered) as reader:
        return list(reader.pages())


def spans(data: bytes, name: str) -> Spans:
    """The kind and the words of each span of each element; "|" for the place of one without length."""
    return [
        (span.kind.value, element.text[span.start : span.end] or "|")
        for page in pages(data, name)
        for element in page.elements
        for span in element.spans
    ]


def word(make: Callable[[docx.document.Document], None]) -> bytes:
    document, out = docx.Document(), BytesIO()
    make(document)
    document.save(out)
    return out.getvalue()


def run_of(paragraph: str, text: str, **look: bool) -> bytes:
    def make(document: docx.document.Document) -> None:
        added = document.add_paragraph(paragraph).add_run(text)
        for name, value in look.items():
            setattr(added.font, name, value)

    return word(make)


def test_what_word_sets_raised_lowered_and_struck() -> None:
    assert spans(run_of("The annual fee is $320", "1", superscript=True), "a.docx") == [("note_mark", "1")]
    assert spans(run_of("The plot has 120 m", "2", superscript=True), "a.docx") == [("superscript", "2")]
    assert spans(run_of("Emissions of CO", "2", subscript=True), "a.docx") == [("subscript", "2")]
    assert spans(run_of("The rent is ", "$1,000,000", strike=True), "a.docx") == [("struck", "$1,000,000")]
    assert spans(run_of("The rent is ", "$1,000,000", double_strike=True), "a.docx") == [("struck", "$1,000,000")]


RTF = [
    (rb"The fee is $320{\super 1} in advance.", [("note_mark", "1")]),
    (rb"The fee is $320{\up6\fs16 1} in advance.", [("note_mark", "1")]),
    (rb"Emissions of CO{\sub 2} count.", [("subscript", "2")]),
    (rb"The rent is {\strike 80} 90.", [("struck", "80")]),
    (rb"The rent is thir{\revised teen}ty.", [("inserted", "teen"), ("generated", "[Inserted: “teen”]")]),
    (rb"It shall {\deleted not }be due.",
     [("deleted", "|"), ("generated", "[Deleted: “"), ("deleted", "not"), ("generated", "”]")]),
    (rb"Due now.{\*\annotation Why now?} Later.",
     [("generated", "[Comment:"), ("comment", "Why now?"), ("generated", "]")]),
    (rb"Due{\super\chftn}{\footnote{\super\chftn} If {\deleted not }asked.} now.",
     [("note_mark", "1"), ("note_mark", "1"), ("deleted", "not")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), RTF)
def test_what_rich_text_says_of_its_words(text: bytes, found: Spans) -> None:
    assert spans(rb"{\rtf1\ansi " + text + rb"\par}", "a.rtf") == found


def test_what_a_sheet_says_of_its_cells() -> None:
    book, out = openpyxl.Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    for row in (("Item", "2024"), ("Rent", "410"), ("Fee", "520")):
        sheet.append(row)
    sheet["B2"].font = Font(strike=True)
    sheet["B3"].comment = Comment("Old figure", "Orr")
    book.save(out)
    assert spans(out.getvalue(), "a.xlsx") == [
        ("generated", "Sheet"), ("struck", "410"), ("generated", "[Comment on B3 by Orr:"), ("comment", "Old figure"),
        ("generated", "]"),
    ]  # fmt: skip


def looks(shading: str) -> bytes:
    def make(document: docx.document.Document) -> None:
        run = document.add_paragraph("The name is ").add_run("Orr")
        run._r.get_or_add_rPr().append(parse_xml(f"<w:{shading} xmlns:w='{WORD}'/>"))

    return word(make)


@pytest.mark.parametrize(
    ("shading", "seen"),
    [("shd w:val='clear' w:fill='000000'", False), ("highlight w:val='black'", False), ("shd w:val='solid'", False),
     ("shd w:val='clear' w:fill='FFFF00'", True), ("highlight w:val='yellow'", True), ("color w:val='FFFFFF'", False)],
)  # fmt: skip
def test_blacked_out_words_of_a_word_file_are_not_seen(shading: str, seen: bool) -> None:
    (page,) = pages(looks(shading), "a.docx")
    assert ("Orr" in page.text) is seen


@pytest.mark.parametrize(
    ("colours", "seen"),
    [(rb"\highlight1 ", False), (rb"\cf1\chcbpat1 ", False), (rb"\cf2\highlight1 ", True), (rb"\cf2 ", False),
     (rb"\highlight2 ", True)],
)  # fmt: skip
def test_blacked_out_words_of_rich_text_are_not_seen(colours: bytes, seen: bool) -> None:
    table = rb"{\colortbl;\red0\green0\blue0;\red255\green255\blue255;}"
    (page,) = pages(rb"{\rtf1" + table + rb"The name is {" + colours + rb"Orr}.\par}", "a.rtf")
    assert ("Orr" in page.text) is seen


def test_a_blacked_out_cell_is_not_seen() -> None:
    book, out = openpyxl.Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet["A1"], sheet["A2"], sheet["A3"] = "Name", "Orr", "Lee"
    sheet["A2"].fill = PatternFill("solid", fgColor="FF000000")
    sheet["A3"].fill = PatternFill("solid", fgColor="FFFFFF00")
    book.save(out)
    (page,) = pages(out.getvalue(), "a.xlsx")
    assert "Lee" in page.text
    assert "Orr" not in page.text


def test_the_place_of_a_deletion_and_its_words_in_a_word_file() -> None:
    def make(document: docx.document.Document) -> None:
        paragraph = document.add_paragraph("The Supplier shall ")
        change = (
            f"<w:del xmlns:w='{WORD}' w:author='M'><w:r><w:delText xml:space='preserve'>not </w:delText></w:r></w:del>"
        )
        paragraph._p.append(parse_xml(change))
        paragraph.add_run("be liable.")

    assert spans(word(make), "a.docx") == [
        ("deleted", "|"), ("generated", "[Deleted by M: “"), ("deleted", "not"), ("generated", "”]"),
    ]  # fmt: skip


def test_a_quoted_line_and_its_answer_are_two_elements() -> None:
    mail = (
        b"From: o@v.test\nTo: l@q.test\nSubject: Re: Price\nDate: Thu, 06 Jun 2024 08:00:00 +0100\n\n"
        b"> We do not accept the increase.\nThen we stop on Monday.\n\n> The price is fixed.\nOnly for some volumes.\n"
    )
    assert spans(mail, "a.eml") == [
        ("quoted_reply", "> We do not accept the increase."), ("quoted_reply", "> The price is fixed."),
    ]  # fmt: skip
    texts = [element.text for page in pages(mail, "a.eml") for element in page.elements]
    assert texts[1:] == [
        "> We do not accept the increase.", "Then we stop on Monday.", "> The price is fixed.",
        "Only for some volumes.",
    ]  # fmt: skip
