"""Captions of court papers: each side is read to its end, and the signs between them stand apart."""

import pytest

from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import ElementKind, Page

PARTIES = ["MICHAEL VANE,", "Plaintiff,", "", "v.", "", "ORIEL FERRIES, INC.,", "Defendant."]
CASE = ["Case No. 12-345", "", "", "ORDER ON THE MOTION", "TO SET ASIDE THE TOLL", "", ""]


def read(
    rows: list[tuple[str, str, str]], across: str = "The motion is heard on the papers, and it is denied."
) -> Page:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_text((180, 80), "IN THE HARBOUR COURT", fontsize=12, fontname="tibo")
    for n, texts in enumerate(rows):
        for x, text in zip((72, 300, 330), texts, strict=True):
            if text:
                page.insert_text((x, 120 + n * 15), text, fontsize=12, fontname="tiro")
    for n in range(4):
        page.insert_text((72, 260 + n * 15), across, fontsize=12, fontname="tiro")
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        return next(iter(reader.pages()))


@pytest.mark.parametrize("sign", [")", "]", "§", ":"])
def test_the_sides_of_a_caption_are_read_one_after_the_other(sign: str) -> None:
    page = read([(left, sign, right) for left, right in zip(PARTIES, CASE, strict=True)])
    texts = [e.text for e in page.elements]
    assert texts[1:7] == [
        "MICHAEL VANE,\nPlaintiff,",
        "v.",
        "ORIEL FERRIES, INC.,\nDefendant.",
        "\n".join([sign] * 7),
        "Case No. 12-345",
        "ORDER ON THE MOTION\nTO SET ASIDE THE TOLL",
    ]
    assert {e.kind for e in page.elements[1:5]} == {ElementKind.PARAGRAPH}


def test_labels_before_colons_are_read_across() -> None:
    labels = ["Name", "Berth", "Flag", "Cargo", "Crew"]
    page = read(
        [(label, ":", value) for label, value in zip(labels, ["Auk", "Four", "Oslo", "Salt", "Nine"], strict=True)]
    )
    text = " ".join(page.text.split())
    assert "Name : Auk" in text
    assert "Crew : Nine" in text
