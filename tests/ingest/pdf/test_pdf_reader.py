"""The reader as a whole: opening, windows, resumption, failing pages, own elements, recognition."""

import shutil
from pathlib import Path

import pytest

from ingest.failures import Damaged, Locked
from ingest.mupdf import pymupdf
from ingest.page.language import guess_language
from ingest.pdf.reader import WINDOW, PdfReader
from ingest.pdf.window import SheetReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.codec import decode_page, encode_page
from verify.domain.document import ElementKind, Page, TextSource, WarningCode

PLAIN = ReadSettings(ocr=OcrMode.NEVER)
TOWNS = ("Arle", "Brack", "Corse", "Denholm", "Esk", "Farr", "Garve", "Hoy")


def book(pages: int, password: str | None = None) -> bytes:
    document = pymupdf.open()
    for n in range(pages):
        page = document.new_page(width=600, height=800)
        page.insert_text((72, 50), f"Register of {TOWNS[n // 20 % 8]}", fontsize=9)
        if n % 5 == 0:
            page.insert_text((72, 90), f"{n // 5 + 1}. Holdings in {TOWNS[n % 8]}", fontsize=14, fontname="hebo")
        for i in range(3):
            page.insert_text(
                (72, 130 + 16 * i), f"Plot {n * 3 + i} of {TOWNS[(n + i) % 8]} is held by its tenant for life."
            )
        page.insert_text((290, 780), str(n + 1), fontsize=9)
    options = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "user_pw": password, "owner_pw": "o"} if password else {}
    return bytes(document.tobytes(**options))


def read(data: bytes | Path, **options: int) -> list[Page]:
    with PdfReader(data, settings=PLAIN) as reader:
        return list(reader.pages(**options))


def test_a_page_is_read_the_same_wherever_the_reading_starts() -> None:
    data = book(3 * WINDOW + 5)
    whole = read(data)
    assert [page.index for page in whole] == list(range(3 * WINDOW + 5))
    for first in (1, WINDOW - 1, WINDOW, 2 * WINDOW + 3, 3 * WINDOW + 4):
        assert read(data, first=first) == whole[first:]
    assert read(data, first=4, last=9) == whole[4:9]
    assert whole[30].elements[0].kind is ElementKind.HEADER
    assert [e.kind for e in whole[31].elements] == [ElementKind.HEADER, ElementKind.PARAGRAPH, ElementKind.PAGE_NUMBER]
    assert whole[32].elements[1].heading_path == ("7. Holdings in Garve",)


def test_pages_survive_being_kept() -> None:
    for page in read(book(2)):
        assert decode_page(encode_page(page)) == page


def test_every_element_is_cut_out_of_the_page() -> None:
    for page in read(book(3)):
        for element in page.elements:
            assert element.start is not None
            assert element.end is not None
            assert page.text[element.start : element.end] == element.text
            words = page.words[element.first_word : element.end_word]
            assert element.text.split() == [word.text for word in words]
            assert all(page.text[word.start : word.end] == word.text for word in words)
            assert all(page.lines[word.line].box.overlaps(word.box) for word in words)
            assert element.bbox.within(page.width, page.height)


def test_one_failing_page_does_not_end_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    real = SheetReader._read

    def breaks(self: SheetReader, index: int) -> object:
        if index == 1:
            raise RuntimeError("Vexley pays")
        return real(self, index)

    monkeypatch.setattr(SheetReader, "_read", breaks)
    pages = read(book(3))
    assert [w.code for w in pages[1].warnings] == [WarningCode.PAGE_FAILED]
    assert "Vexley" not in pages[1].warnings[0].detail
    assert (pages[1].text, pages[2].text != "") == ("", True)


def test_a_page_named_as_failing_is_not_tried() -> None:
    with PdfReader(book(3), settings=PLAIN) as reader:
        pages = list(reader.pages(failing=frozenset({0})))
    assert [w.code for w in pages[0].warnings] == [WarningCode.PAGE_FAILED]
    assert pages[1].text


def test_a_password_is_asked_for_and_taken() -> None:
    data = book(1, password="thistle")
    with pytest.raises(Locked):
        PdfReader(data, settings=PLAIN)
    with pytest.raises(Locked):
        PdfReader(data, password="heather", settings=PLAIN)
    with PdfReader(data, password="thistle", settings=PLAIN) as reader:
        assert reader.document_warnings == ()
        assert next(reader.pages()).text


def test_a_file_that_opens_without_its_owners_password_says_so() -> None:
    document = pymupdf.open(stream=book(1))
    data = document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="", owner_pw="bracken")
    with PdfReader(data, settings=PLAIN) as reader:
        assert [w.code for w in reader.document_warnings] == [WarningCode.ENCRYPTED_OWNER_ONLY]
        assert next(reader.pages()).text


def test_fields_that_are_their_own_parents_do_not_take_the_page_with_them() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "The form is read on.")
    number = document.get_new_xref()
    itself = f"{number} 0 R"
    field = f"<</Subtype/Widget/FT/Tx/Parent {itself}/Kids[{itself}]/Rect[9 9 90 30]/AP<</N {itself}>>>>"
    document.update_object(number, field)
    document.xref_set_key(page.xref, "Annots", f"[{number} 0 R]")
    with PdfReader(document.tobytes(), settings=PLAIN) as reader:
        (read,) = reader.pages()
    assert "The form is read on." in read.text
    assert WarningCode.TRUNCATED in [w.code for w in read.warnings]


@pytest.mark.parametrize("data", [b"", b"plain words", b"%PDF-1.7\nnothing else"])
def test_what_is_no_pdf_is_damaged(data: bytes) -> None:
    with pytest.raises(Damaged):
        PdfReader(data, settings=PLAIN)


def test_files_of_the_corpus_that_are_broken_or_locked_end_in_a_known_way(shared: Path) -> None:
    for path in sorted((shared / "corpus").glob("corrupt/*.pdf")) + sorted((shared / "corpus").glob("encrypted/*.pdf")):
        try:
            pages = read(path)
        except (Damaged, Locked):
            continue
        assert all(page.text is not None for page in pages)


def test_a_long_document_is_cut_off_and_says_so() -> None:
    with PdfReader(book(4), settings=ReadSettings(ocr=OcrMode.NEVER, max_pages=3)) as reader:
        assert len(list(reader.pages())) == 3
        assert [w.code for w in reader.document_warnings] == [WarningCode.TRUNCATED]


def test_the_declared_title() -> None:
    document = pymupdf.open(stream=book(1))
    document.set_metadata({"title": "Register of holdings"})
    with PdfReader(document.tobytes(), settings=PLAIN) as reader:
        assert reader.metadata.title == "Register of holdings"
        assert reader.metadata.issuer is None


def test_annotations_and_fields_are_elements_of_their_own() -> None:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_text((72, 100), "Sign below and return.")
    page.add_freetext_annot(pymupdf.Rect(300, 50, 560, 80), "Seen by the porter", fontsize=11)
    page.add_text_annot((400, 300), "Ask the surveyor")
    for name, value in (("town", "Brack"), ("blank", "")):
        widget = pymupdf.Widget()
        widget.field_name, widget.field_value = name, value
        widget.field_type = pymupdf.PDF_WIDGET_TYPE_TEXT
        widget.rect = pymupdf.Rect(72, 200 if value else 240, 300, 220 if value else 260)
        page.add_widget(widget)
    (found,) = read(document.tobytes())
    own = [(e.kind, e.text) for e in found.elements if e.start is None]
    assert found.text == "Sign below and return."
    assert own == [
        (ElementKind.ANNOTATION, "Seen by the porter"),
        (ElementKind.ANNOTATION, "Ask the surveyor"),
        (ElementKind.FORM_FIELD, "Brack"),
    ]
    assert {w.code for w in found.warnings} == {WarningCode.HAS_ANNOTATIONS, WarningCode.HAS_FORM_FIELDS}
    first = found.elements[1]
    words = found.words[first.first_word : first.end_word]
    assert [first.text[word.start : word.end] for word in words] == ["Seen", "by", "the", "porter"]
    assert words[0].box.x1 <= words[1].box.x0  # each where it is drawn


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_an_annotation_lies_where_the_turned_page_shows_it(rotation: int) -> None:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.add_freetext_annot(pymupdf.Rect(300, 50, 560, 80), "Seen by the porter", fontsize=11)
    page.set_rotation(rotation)
    (found,) = read(document.tobytes())
    (element,) = found.elements
    shown = {0: (300, 50), 90: (720, 300), 180: (40, 720), 270: (50, 40)}[rotation]
    assert (element.bbox.x0, element.bbox.y0) == (shown[0] * 100, shown[1] * 100)
    assert len({word.box for word in found.words}) == 4


def test_a_table_belongs_to_its_element(shared: Path) -> None:
    pages = read(shared / "vectors" / "matter" / "finance" / "annual-report.pdf")
    page = pages[3]
    (table,) = page.tables
    owner = next(e for e in page.elements if e.element_id == table.element_id)
    assert owner.kind is ElementKind.TABLE
    for cell in table.cells:
        assert all(owner.first_word <= i < owner.end_word for i in cell.words)
    assert pages[4].tables[0].continued_from == table.table_id


def test_the_language_is_guessed_only_where_it_is_clear() -> None:
    english = "The tenant shall keep the barn in good repair and shall not let it to any other person for the term " * 2
    french = (
        "Le preneur doit tenir la grange en bon état et ne peut pas la louer à une autre personne pour la durée " * 2
    )
    assert guess_language(english) is None
    assert guess_language(french) == "fr"
    assert guess_language("שלום עולם מה שלום כולם") == "he"
    assert guess_language("Anlage 3") is None


@pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")
def test_a_scan_is_recognised_and_laid_out(shared: Path) -> None:
    from ingest.ocr.access import OcrAccess
    from ingest.ocr.engine import OcrSettings, prepare

    engine, _ = prepare(OcrSettings(languages=("eng",)))
    with PdfReader(shared / "vectors" / "matter" / "scans" / "letter-scanned.pdf", ocr=OcrAccess(engine)) as reader:
        page = next(reader.pages())
    assert page.text_source is TextSource.OCR
    assert "The cost of repair is 27,450 dollars and the work will take six weeks." in page.text.replace("\n", " ")
    assert WarningCode.OCR_USED in {w.code for w in page.warnings}
    assert all(word.confidence >= 0 and word.box.within(page.width, page.height) for word in page.words)
