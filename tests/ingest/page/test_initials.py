"""Spaced letters and a large initial are one word; letters that are listed stay apart."""

import pymupdf

from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Page

TIMES = pymupdf.Font("tiro")


def read(document: "pymupdf.Document") -> Page:
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        (page,) = reader.pages()
    return page


def spaced(page: "pymupdf.Page", x: float, y: float, words: list[str]) -> None:
    for word in words:
        for letter in word:
            page.insert_text((x, y), letter, fontsize=13, fontname="tiro")
            x += TIMES.text_length(letter, 13) + 5
        x += 10


def test_spaced_letters_are_words() -> None:
    document = pymupdf.open()
    page = document.new_page()
    spaced(page, 72, 80, ["INSURANCE", "COVER"])
    page.insert_text((72, 120), "The barn is insured against fire.", fontsize=11)
    found = read(document)
    assert found.text.split("\n\n")[0] == "INSURANCE COVER"
    first = found.words[0]
    assert (first.text, found.text[first.start : first.end]) == ("I", "I")


def test_a_list_of_letters_stays_apart() -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 80), "Lots A B C are sold; lots D to F are not.", fontsize=11)
    assert "A B C" in read(document).text


def test_a_large_initial_begins_its_word() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 110), "W", fontsize=30, fontname="tiro")
    page.insert_text((102, 98), "hen the river floods, the mill stands still until the", fontsize=11, fontname="tiro")
    page.insert_text((102, 112), "water falls below the sill.", fontsize=11, fontname="tiro")
    page.insert_text((72, 150), "The miller keeps the sluice.", fontsize=11, fontname="tiro")
    text = read(document).text
    assert text.startswith("When the river floods, the mill stands still until the\nwater falls below the sill.")
