"""Bates numbers and court stamps: recognised, in runs, and never page numbers."""

import json
from pathlib import Path

import pytest

from ingest.furniture.bates import bates_number, is_court_stamp, run_warnings
from ingest.mupdf import pymupdf
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import ElementKind, Page, WarningCode


@pytest.mark.parametrize(
    ("text", "prefix", "number", "suffix"),
    [
        ("GOV-00000001", "GOV", 1, ""),
        ("ATF_000417", "ATF", 417, ""),
        ("SMITH 00101", "SMITH", 101, ""),
        ("ABC000123.001", "ABC", 123, ".001"),
        ("def000002", "DEF", 2, ""),
        ("Acme-Legal 0004512", "ACMELEGAL", 4512, ""),
    ],
)
def test_what_is_a_bates_number(text: str, prefix: str, number: int, suffix: str) -> None:
    found = bates_number(text)
    assert found is not None
    assert (found.prefix, found.number, found.suffix, found.text) == (prefix, number, suffix, text)


@pytest.mark.parametrize(
    "text", ["Page 00012", "12", "March 2026", "No. 123456", "see ABC000123 below", "Section 0012"]
)
def test_what_is_none(text: str) -> None:
    assert bates_number(text) is None


def test_court_stamps() -> None:
    assert is_court_stamp("Case 8:16-cv-01261-DOC-KES Document 40 Filed 08/05/16 Page 1 of 4 Page ID #:365")
    assert is_court_stamp("Case: 20-1507 Document: 00117684624 Page: 1 Date Filed: 12/22/2020 Entry ID: 6390389")
    assert is_court_stamp("USCA11 Case: 21-10001 Document: 12-1 Date Filed: 01/02/2022 Page: 3 of 9")
    assert is_court_stamp("Document Page 20 of 46")
    assert not is_court_stamp("Case law on the document is thin.")
    assert not is_court_stamp("In this case the tenant filed nothing")
    assert not is_court_stamp("Case No. 20-16276, Docket Entry No. 10. The Table of Contents of the brief")
    assert not is_court_stamp("Case No. 20-16276, Docket Entry No. 10, at which the parties")


def test_gaps_and_repeats_in_a_run() -> None:
    texts = [
        "ABC000120",
        "ABC000121",
        "ABC000121",
        "ABC000123",
        "ABC000123.001",
        "DEF000001",
        "def000002",
        None,
        "DEF 000003",
    ]
    found = [(i, bates_number(text) if text else None) for i, text in enumerate(texts)]
    assert [(w.code, w.page_index) for w in run_warnings(found)] == [
        (WarningCode.BATES_DUPLICATE, 2),
        (WarningCode.BATES_GAP, 3),
    ]


def read(path: Path) -> list[Page]:
    with PdfReader(path, settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        return list(reader.pages())


def test_the_stamped_files_of_the_corpus(shared: Path) -> None:
    folder = shared / "corpus" / "bates"
    truth = json.loads((folder / "derived_bates_ground_truth.json").read_text(encoding="utf-8"))
    seen = 0
    for name, stamped in truth.items():
        if not (folder / name).is_file():
            continue
        pages = read(folder / name)
        for expected in stamped["pages"]:
            assert pages[expected["index"]].bates == expected["bates"][-1], (name, expected["index"])
            seen += 1
    assert seen == 29


def test_a_stamp_is_no_page_number(shared: Path) -> None:
    page = read(shared / "corpus" / "bates" / "derived_bates_gap_duplicate_suffix.pdf")[3]
    assert (page.printed_label, page.bates) == ("4", "ABC000123")
    stamps = [e.text for e in page.elements if e.kind is ElementKind.STAMP]
    assert len(stamps) == 2
    assert stamps[1] == "ABC000123"
    assert [w.code for w in page.warnings] == [WarningCode.BATES_GAP]


def test_of_two_numbers_on_a_page_the_run_s_own_is_the_page_s() -> None:
    document = pymupdf.open()
    for n in range(4):
        page = document.new_page(width=600, height=800)
        page.insert_text((72, 100), f"The quay has {n + 11} berths for boats that carry stone.")
        page.insert_text((60, 780), f"QUAY {n + 1:06}")
    document[2].insert_text((460, 780), "TARN 000777")
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        pages = list(reader.pages())
    assert [page.bates for page in pages] == ["QUAY 000001", "QUAY 000002", "QUAY 000003", "QUAY 000004"]
    assert [e.text for e in pages[2].elements if e.kind is ElementKind.STAMP] == ["QUAY 000003", "TARN 000777"]
    assert not any(page.warnings for page in pages)
