"""Labels: what the document declares, what the page prints, never one made from the other."""

from pathlib import Path

import pytest

from ingest.furniture.labels import declared_labels, label_conflict, number_text
from ingest.mupdf import pymupdf
from ingest.numerals import roman, roman_value
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import ElementKind, LabelOrigin, Page, WarningCode

PLAIN = ReadSettings(ocr=OcrMode.NEVER)


def blank(pages: int) -> "pymupdf.Document":
    document = pymupdf.open()
    for _ in range(pages):
        document.new_page()
    return document


def with_labels(pages: int, tree: str) -> "pymupdf.Document":
    document = blank(pages)
    document.xref_set_key(document.pdf_catalog(), "PageLabels", tree)
    return pymupdf.open(stream=document.tobytes())


def test_styles_prefixes_and_starts() -> None:
    labels = declared_labels(with_labels(7, "<</Nums[0<</S/r>>2<</S/D/St 15>>4<</P(A-)/S/A>>6<</P(Cover)>>]>>"))
    assert labels.values == ("i", "ii", "15", "16", "A-A", "A-B", "Cover")
    assert labels.faults == ()


def test_an_utf16_prefix_is_text() -> None:
    labels = declared_labels(with_labels(2, "<</Nums[0<</P<FEFF0050006900E800630065002000>/S/R>>]>>"))
    assert labels.values == ("Pièce I", "Pièce II")


def test_a_tree_with_kids() -> None:
    document = blank(4)
    first, second = document.get_new_xref(), document.get_new_xref()
    document.update_object(first, "<</Limits[0 1]/Nums[0<</S/r>>]>>")
    document.update_object(second, "<</Limits[2 3]/Nums[2<</S/D/P(B-)>>]>>")
    document.xref_set_key(document.pdf_catalog(), "PageLabels", f"<</Kids[{first} 0 R {second} 0 R]>>")
    assert declared_labels(pymupdf.open(stream=document.tobytes())).values == ("i", "ii", "B-1", "B-2")


def test_no_rule_for_the_first_pages_leaves_them_without_a_label() -> None:
    labels = declared_labels(with_labels(3, "<</Nums[2<</S/D>>]>>"))
    assert labels.values == (None, None, "1")
    assert labels.faults == ("no label rule for the first 2 pages",)


def test_a_label_that_would_fill_memory_is_a_fault() -> None:
    labels = declared_labels(with_labels(3, f"<</Nums[0<</S/D/P({'A' * 201})>>]>>"))
    assert labels.values == (None, None, None)
    assert labels.faults == ("a page label is longer than 200 characters",)
    labels = declared_labels(with_labels(2, "<</Nums[0<</S/R/St 2000000000>>]>>"))
    assert labels.values == ("2000000000", "2000000001")


def test_a_circle_in_the_tree_ends() -> None:
    document = blank(2)
    node = document.get_new_xref()
    document.update_object(node, f"<</Kids[{node} 0 R]>>")
    document.xref_set_key(document.pdf_catalog(), "PageLabels", f"{node} 0 R")
    labels = declared_labels(document)
    assert labels.values == (None, None)
    assert labels.faults


@pytest.mark.parametrize(
    ("number", "style", "text"),
    [
        (1, "a", "a"),
        (26, "A", "Z"),
        (27, "a", "aa"),
        (53, "A", "AAA"),
        (1994, "R", "MCMXCIV"),
        (4, "r", "iv"),
        (7, "", ""),
    ],
)
def test_numbers_in_a_style(number: int, style: str, text: str) -> None:
    assert number_text(style, number) == text


def test_romans_read_back() -> None:
    assert all(roman_value(roman(n)) == n for n in range(1, 2000))
    assert [roman_value(text) for text in ("iiii", "vx", "Iv", "", "mix")] == [None, None, None, None, 1009]


EXPECTED = {
    "PdfPig__GHOSTSCRIPT-697234-0.pdf": ["3", "4", "9"],
    "pdf.js__labelled_pages.pdf": ["i", "ii", "iii", "iv", "1", "2", "3", "a", "b", "4", "5"],
    "pdf.js__issue14847.pdf": ["i", "ii", "iii", "iv", "1", "2"],
    "qpdf__page-labels-num-tree.pdf": ["i", "ii", "blank", "X-Q", "X-R", None, "III", "IV", "V", "1"],
    "qpdf__page-labels-no-zero.pdf": [None, None, "blank", "X-Q", "X-R", None, "III"],
    "format-corpus__367594.pdf": [str(n) for n in range(2192, 2201)],
}


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_labels_of_the_corpus(name: str, shared: Path) -> None:
    values = declared_labels(pymupdf.open(shared / "corpus" / "pagelabels" / name)).values
    assert list(values[: len(EXPECTED[name])]) == EXPECTED[name]


def numbered(feet: list[str], labels: str | None = None) -> list[Page]:
    document = pymupdf.open()
    for i, foot in enumerate(feet):
        page = document.new_page()
        page.insert_text((72, 100), f"The tenant of house {'abcdefgh'[i]} keeps the well clean and dry.")
        page.insert_text((290, 815), foot)
    if labels:
        document.xref_set_key(document.pdf_catalog(), "PageLabels", labels)
    with PdfReader(document.tobytes(), settings=PLAIN) as reader:
        return list(reader.pages())


def test_printed_numbers_are_labels_where_none_are_declared() -> None:
    pages = numbered(["- 7 -", "- 8 -", "- 9 -"])
    assert [(p.label, p.label_origin, p.printed_label) for p in pages] == [
        (n, LabelOrigin.PRINTED, n) for n in ("7", "8", "9")
    ]
    assert [e.kind for e in pages[0].elements] == [ElementKind.PARAGRAPH, ElementKind.PAGE_NUMBER]


def test_printed_numbers_never_take_the_place_of_declared_ones() -> None:
    pages = numbered(["1", "2", "3"], "<</Nums[1<</S/r>>]>>")
    assert [(p.label, p.printed_label) for p in pages] == [(None, "1"), ("i", "2"), ("ii", "3")]
    assert pages[0].label_origin is LabelOrigin.NONE


def test_page_of_pages_and_romans() -> None:
    assert [p.label for p in numbered(["Page 3 of 9", "Page 4 of 9"])] == ["3", "4"]
    assert [p.label for p in numbered(["iv", "v", "vi"])] == ["iv", "v", "vi"]
    assert [p.label for p in numbered(["A-1", "A-2"])] == ["A-1", "A-2"]


def test_a_number_that_does_not_go_on_is_no_page_number_beside_a_run_that_does() -> None:
    pages = numbered(["1", "2", "44", "4", "5"])
    assert [p.printed_label for p in pages] == ["1", "2", None, "4", "5"]


def test_repeated_labels_are_said() -> None:
    with PdfReader(with_labels(3, "<</Nums[0<</S/D>>2<</S/D>>]>>").tobytes(), settings=PLAIN) as reader:
        assert WarningCode.LABELS_INCONSISTENT in [w.code for w in reader.document_warnings]


@pytest.mark.parametrize(
    ("declared", "printed", "conflict"),
    [("1", "2", True), ("15", "15", False), ("A-3", "3", False), ("iv", "vi", True), ("IV", "iv", False),
     ("iv", "4", False), (None, "2", False), ("1", None, False)],
)  # fmt: skip
def test_numbers_that_differ_are_told(declared: str | None, printed: str | None, conflict: bool) -> None:
    assert (label_conflict(declared, printed) is not None) is conflict


def test_a_page_that_prints_another_number_than_it_declares_says_so() -> None:
    document = pymupdf.open()
    for n in range(4):
        page = document.new_page(width=600, height=800)
        page.insert_text((72, 100), f"The quay has {n + 11} berths for boats that carry stone.")
        page.insert_text((297, 760), str(n + 2))
    document.set_page_labels([{"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 1}])
    with PdfReader(document.tobytes(), settings=ReadSettings(ocr=OcrMode.NEVER)) as reader:
        pages = list(reader.pages())
    assert [(p.label, p.printed_label) for p in pages] == [("1", "2"), ("2", "3"), ("3", "4"), ("4", "5")]
    assert [[w.code.value for w in p.warnings] for p in pages] == [["labels_inconsistent"]] * 4
