"""Hebrew and Arabic as a reader types them: logical order, punctuation at its word, brackets that open and close."""

import unicodedata

import pytest

from ingest.page.raw import RawWord
from ingest.page.right_to_left import logical_order, mended
from ingest.pdf.reader import PdfReader
from ingest.rendition.flow import Block, BlockKind, Run
from ingest.rendition.render import render
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import NO_CONFIDENCE, Origin
from verify.domain.geometry import Box


def page_text(text: str) -> str:
    """What is read of a rendition of the text, set from right to left, on one line."""
    block = Block(BlockKind.PARAGRAPH, (Run(text),), right_to_left=True)
    with PdfReader(render([block]), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        return " ".join(" ".join(page.text for page in reader.pages()).split())


@pytest.mark.parametrize(
    "text",
    [
        'הספק (סעיף 7.2) ישלם 5%, ואז 1,250.00 ש"ח.',
        "האם יסכים? כן; [א] לא, «אולי».",
        "يسلّم المورد البضاعة (البند 7.2) خلال 30 يومًا؛ هل يوافق؟",
        "لا يجوز الإلغاء، والأجل الآن بلا حد.",
        "لأ لإ لآ بلأ بلإ بلآ لله فلله",
        "مدًّا، سلّمَ، حقُّ، كلِّ، حقٌّ، حقٍّ لازم",
        "خصم 5% ثم [أ] و«ب».",
        "تلتزم شركة Quillmere Ltd بالدفع.",
    ],
)
def test_a_line_comes_back_as_it_was_typed(text: str) -> None:
    assert unicodedata.normalize("NFC", page_text(text)) == unicodedata.normalize("NFC", text)


def drawn(*words: tuple[str, int, int]) -> list[RawWord]:
    """Words of one line: text, left and right edge in points."""
    return [
        RawWord(text, Box(x0 * 100, 0, x1 * 100, 1200), 1000, 1200, False, Origin.NATIVE, NO_CONFIDENCE, True)
        for text, x0, x1 in words
    ]


def as_read(words: list[RawWord]) -> str:
    order = logical_order(words, range(len(words)))
    now = {**dict(enumerate(words)), **mended(words, order)}
    return "".join(("" if now[i].joined or not n else " ") + now[i].text for n, i in enumerate(order))


def test_what_touches_is_joined_and_brackets_by_shape_are_turned() -> None:
    assert as_read(drawn((")", 96, 100), ("סעיף", 70, 96), ("7", 60, 66), ("(", 56, 60), (".", 53, 56))) == "(סעיף 7)."


def test_a_date_inside_a_line_keeps_its_order_and_its_touching_strokes() -> None:
    line = drawn(("ביום", 80, 100), ("1403", 36, 50), ("/", 50, 53), ("09", 53, 60), ("/", 60, 63), ("19", 63, 70))
    assert as_read(line) == "ביום 1403/09/19"


def test_letters_of_two_directions_stay_apart_where_the_file_puts_the_space_elsewhere() -> None:
    assert as_read(drawn(("שפת", 80, 100), ("Python", 50, 78), ("היא", 32, 50))) == "שפת Python היא"


def test_a_line_of_another_script_with_one_such_word_is_left_alone() -> None:
    words = drawn(("The", 0, 20), ("word", 24, 50), (")", 54, 58), ("שלום", 58, 90), ("(", 90, 94))
    assert logical_order(words, range(5)) == [0, 1, 2, 3, 4]
    assert mended(words, range(5)) == {}
