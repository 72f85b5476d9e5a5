"""Fonts that number their signs from 1, where Unicode has control characters."""

import re
from typing import Any

import pytest

from ingest.mupdf import pymupdf
from verify.domain.document import Page

BLANK = 3


def lines_of(*lines: str) -> bytes:
    """A page in Courier of 10 points. Characters under a space are of a font that names none of its glyphs: the third
    is blank, the others are a bar."""
    document = pymupdf.open()
    page = document.new_page(width=500, height=300)
    courier = page.insert_font(fontname="cour")
    bar, blank, font, content = (document.get_new_xref() for _ in range(4))
    for number, drawing in ((bar, b"50 200 500 90 re f"), (blank, b"")):
        document.update_object(number, "<<>>")
        document.update_stream(number, b"600 0 0 0 600 700 d1 " + drawing)
    names = " ".join("/ownB" if code == BLANK else "/ownA" for code in range(1, 32))
    document.update_object(
        font,
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[0.001 0 0 0.001 0 0]/FirstChar 1/LastChar 31"
        f"/Widths[{'600 ' * 31}]/CharProcs<</ownA {bar} 0 R/ownB {blank} 0 R>>"
        f"/Encoding<</Type/Encoding/Differences[1 {names}]>>>>",
    )
    fonts = f"<</Font<</cour {courier} 0 R/signs {font} 0 R>>>>"
    document.xref_set_key(page.xref, "Resources", fonts)
    drawn = "BT 14 TL 50 250 Td "
    for line in lines:
        for run in re.findall("[\x01-\x1f]+|[^\x01-\x1f]+", line):
            drawn += f"/{'signs' if run[0] < ' ' else 'cour'} 10 Tf <{run.encode().hex()}> Tj "
        drawn += "T* "
    document.update_object(content, "<<>>")
    document.update_stream(content, f"{drawn} ET".encode())
    page.set_contents(content)
    data: bytes = document.tobytes(no_new_id=True)
    return data


def read(matter: Any, data: bytes) -> Page:
    matter.write("paper.pdf", data)
    matter.read()
    [page] = matter.pages("paper.pdf")
    assert isinstance(page, Page)
    return page


@pytest.mark.parametrize("sign", ["\x01", "\x04", "\x1f"])
def test_a_sign_without_a_character_is_shown_in_its_place(matter: Any, sign: str) -> None:
    page = read(matter, lines_of(f"The risk is small (P {sign} 0.05) and", "the rate is 3 points."))
    assert page.text == "The risk is small (P \ufffd 0.05) and\nthe rate is 3 points."
    [word] = [word for word in page.words if page.text[word.start : word.end] == "\ufffd"]
    left = 5000 + 600 * len("The risk is small (P ")  # 1/100 pt; a letter of Courier is 0.6 of its size wide
    assert (word.box.x0, word.box.x1) == (left, left + 600)


def test_one_that_touches_its_number_is_a_word_of_its_own(matter: Any) -> None:
    page = read(matter, lines_of("A rate of \x045 is low."))
    assert page.text == "A rate of \ufffd 5 is low."


def test_signs_that_touch_are_one_and_a_line_of_nothing_else_is_kept(matter: Any) -> None:
    page = read(matter, lines_of("Ticked by the tenant:", "\x14\x15"))
    assert page.text.split() == ["Ticked", "by", "the", "tenant:", "\ufffd\ufffd"]


def test_a_space_that_is_numbered_so_stays_a_space(matter: Any) -> None:
    page = read(matter, lines_of("The\x03risk is small and", "the\x03rate is high."))
    assert page.text == "The risk is small and\nthe rate is high."


def test_a_page_of_nothing_but_such_signs_cannot_be_read(matter: Any) -> None:
    page = read(matter, lines_of("\x01\x02\x04 \x05\x06", "\x07\x08 \x0e\x0f"))
    assert page.garbled
