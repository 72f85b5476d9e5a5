"""Raised characters that call a note and those that do not, and lines through words, in PDFs."""

import pymupdf
import pytest

from ingest.pdf.reader import PdfReader
from verify.domain.document import Page, WarningCode


def read(document: pymupdf.Document) -> Page:
    with PdfReader(document.tobytes()) as reader:
        (page,) = reader.pages()
    return page


def spans(page: Page) -> list[tuple[str, str]]:
    return [(s.kind.value, e.text[s.start : s.end]) for e in page.elements for s in e.spans]


def set_as(html: str) -> Page:
    document = pymupdf.open()
    document.new_page().insert_htmlbox(pymupdf.Rect(72, 72, 500, 400), html)
    return read(document)


NOTE, PART = "note_mark", "superscript"
RAISED = [
    ("The annual fee is $320<sup>1</sup> and paid in advance.", [(NOTE, "1")]),
    ("It was 1,860<sup>a</sup> in 2024<sup>2</sup>.", [(NOTE, "a"), (NOTE, "2")]),
    ("An award of $1.9 million.<sup>3</sup> He accepted.", [(NOTE, "3")]),
    ("The limit is 25<sup>4</sup> units.", [(NOTE, "4")]),
    ("See the annex<sup>1, 2</sup> for more.", [(NOTE, "1,"), (NOTE, "2")]),
    ("The plot has 120 m<sup>2</sup> of ground.", [(PART, "2")]),
    ("At 45 EUR/m<sup>2</sup> a year.", [(PART, "2")]),
    ("A load of 5 × 10<sup>6</sup> units.", [(PART, "6")]),
    ("At most 10<sup>2</sup> units.", [(PART, "2")]),
    ("On the 1<sup>st</sup> of May.", [(PART, "st")]),
    ("Acme<sup>TM</sup> goods.", [(PART, "TM")]),
    ("Interest is 4<sup>1</sup>/<sub>2</sub> per cent.", [(PART, "1"), ("subscript", "2")]),
    ("The marked price<sup>*</sup> applies.", [(NOTE, "*")]),
    ("As x<sup>2</sup> grows.", [(PART, "2")]),
    ("As Exhibit A<sup>2</sup> shows.", [(NOTE, "2")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), RAISED)
def test_a_note_mark_is_told_from_an_exponent(text: str, found: list[tuple[str, str]]) -> None:
    assert spans(set_as(f"<p>{text}</p>")) == found


def test_a_note_of_that_mark_decides_for_ten() -> None:
    page = set_as("<p>Within 10<sup>2</sup> days.</p><p><sup>2</sup> Counted from receipt.</p>")
    assert spans(page) == [(NOTE, "2"), (NOTE, "2")]


def test_a_word_behind_a_mark_that_was_raised_by_hand_stands_apart() -> None:
    document = pymupdf.open()
    page = document.new_page()
    at = 72.0
    for text, size, rise in (("The goods", 12, 0), ("1", 7, 4), ("by order of Orr.", 12, 0)):
        page.insert_text((at, 200 - rise), text, fontsize=size)
        at += pymupdf.get_text_length(text, fontsize=size)
    found = read(document)
    assert found.text == "The goods1 by order of Orr."
    assert spans(found) == [(NOTE, "1")]


def test_a_whole_number_stands_apart_from_its_raised_fraction() -> None:
    assert set_as("<p>Interest is 4<sup>1</sup>/<sub>2</sub> per cent.</p>").text == "Interest is 4 1/2 per cent."


TEXT = "The fee is waived in full."


@pytest.mark.parametrize(
    ("how", "struck"),
    [("line", True), ("bar", True), ("annotation", True), ("underline", False), ("over", False), ("turned", True)],
)
def test_words_that_a_line_crosses_are_struck(how: str, struck: bool) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 200), TEXT, fontsize=12)
    width = pymupdf.get_text_length(TEXT, fontsize=12)
    if how in ("annotation", "turned"):
        page.add_strikeout_annot(page.search_for(TEXT))
        page.set_rotation(90 if how == "turned" else 0)
    elif how == "bar":
        page.draw_rect(pymupdf.Rect(72, 195.9, 72 + width, 196.7), fill=(0, 0, 0), color=None)
    else:
        y = {"line": 196.5, "underline": 202, "over": 189}[how]
        page.draw_line((72, y), (72 + width, y), width=0.7)
    found = read(document)
    assert spans(found) == ([("struck", TEXT)] if struck else [])
    assert (WarningCode.HAS_STRUCK_TEXT in {w.code for w in found.warnings}) is struck


def test_a_line_through_one_word_strikes_that_word() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 200), "The Supplier shall not be liable.", fontsize=12)
    (place,) = page.search_for("not")
    page.draw_line((place.x0, 196.5), (place.x1, 196.5), width=0.7)
    assert spans(read(document)) == [("struck", "not")]
