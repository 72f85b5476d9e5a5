"""What each format says of its words: raised, struck, deleted, inserted, commented, written by this program."""

from collections.abc import Callable
from io import BytesIO

import docx
import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font

from ingest.formats.opening import open_file
from ingest.limits import Limits
from ingest.pdf.reader import PdfReader
from verify.domain.document import Page

Spans = list[tuple[str, str]]


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
