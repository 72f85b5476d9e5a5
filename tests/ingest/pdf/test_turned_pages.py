"""Pages that are shown lying or on their head are read as a person turns them; boxes stay where they are shown."""

import pytest

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Page


def pages(turn: int) -> list[Page]:
    document = pymupdf.open()
    for n in range(3):
        page = document.new_page(width=612, height=792)
        for k in range(1, 21):
            page.insert_text((90, 80 + k * 26), str(k), fontsize=11, fontname="cour")
            page.insert_text(
                (125, 80 + k * 26), f"Q.  And what did you see on pier {k * 7 + n}?", fontsize=11, fontname="cour"
            )
        page.insert_text((480, 40), str(45 + n), fontsize=11, fontname="cour")
        page.insert_text((450, 770), f"HBR{1000 + n:07d}", fontsize=9, fontname="helv")
        page.set_rotation(turn)
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        return list(reader.pages())


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_transcript_keeps_its_lines_however_it_is_turned(turn: int) -> None:
    page = pages(turn)[1]
    assert (page.printed_label, page.bates) == ("46", "HBR0001001")
    assert [line.number for line in page.lines if line.number] == list(range(1, 21))
    assert page.elements[1].text.startswith("Q. And what did you see on pier 8?")
    asked = next(line for line in page.lines if line.number == 12)
    words = page.words[asked.first_word : asked.end_word]
    assert words[-1].text == "85?"
    assert asked.box.x0 == min(word.box.x0 for word in words)
    assert asked.box.y1 == max(word.box.y1 for word in words)
    lies = turn in (90, 270)
    assert (asked.box.y1 - asked.box.y0 > asked.box.x1 - asked.box.x0) is lies


def test_the_turned_page_says_what_the_upright_one_does() -> None:
    upright = [page.text for page in pages(0)]
    assert all([page.text for page in pages(turn)] == upright for turn in (90, 180, 270))


def test_text_at_an_angle_is_a_stamp_over_text_and_text_where_there_is_no_other() -> None:
    def kinds(texts: int, level: int) -> set[str]:
        document = pymupdf.open()
        page = document.new_page(width=612, height=792)
        for k in range(level):
            page.insert_text((72, 100 + k * 16), "The lessor keeps the roof of the barn dry.", fontsize=11)
        for k in range(texts):
            at = pymupdf.Point(150, 300 + k * 40)
            turn = (at, pymupdf.Matrix(1, 1).prerotate(30))
            page.insert_text(at, "The lessee keeps the gutters.", fontsize=11, morph=turn)
        with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
            (read,) = reader.pages()
        return {element.kind.value for element in read.elements}

    assert kinds(1, 6) == {"paragraph", "stamp"}
    assert kinds(8, 0) == {"paragraph"}
