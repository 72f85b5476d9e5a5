"""What a reader cannot see is told from what he can, and no warning quotes it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.mupdf import pymupdf
from ingest.page.decoding import is_garbled
from ingest.pdf.reader import PdfReader
from ingest.settings import OcrMode, ReadSettings
from verify.domain.document import Origin, Page

PLAIN = ReadSettings(ocr=OcrMode.NEVER)
OPEN = "The seller knows of no claim."
SECRET = "Vexley pays forty thousand."
Draw = Callable[["pymupdf.Page"], object]


def read(data: bytes | Path) -> list[Page]:
    with PdfReader(data, settings=PLAIN) as reader:
        return list(reader.pages())


def page_with(*draw: Draw) -> Page:
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_text((72, 100), OPEN, fontsize=12)
    for step in draw:
        step(page)
    (found,) = read(document.tobytes())
    return found


def hidden(page: Page) -> str:
    return " ".join(word.text for word in page.words if not word.visible)


def codes(page: Page) -> list[str]:
    return [warning.code.value for warning in page.warnings]


def text(**options: object) -> Draw:
    return lambda page: page.insert_text((72, 200), SECRET, fontsize=12, **options)


def box(**options: object) -> Draw:
    return lambda page: page.draw_rect(pymupdf.Rect(60, 185, 400, 206), **options)


HIDDEN: dict[str, tuple[list[Draw], list[str]]] = {
    "not painted": ([text(render_mode=3)], ["hidden_text"]),
    "white on white": ([text(color=(1, 1, 1))], ["covered_text"]),
    "black under black": ([text(), box(fill=(0, 0, 0))], ["covered_text", "failed_redaction"]),
    "black on black": ([box(fill=(0, 0, 0)), text()], ["covered_text", "failed_redaction"]),
    "under white": ([text(), box(fill=(1, 1, 1), color=None)], ["covered_text"]),
    "blue on blue": ([box(fill=(0.1, 0.2, 0.5), color=None), text(color=(0.1, 0.2, 0.52))], ["covered_text"]),
    "transparent": ([text(fill_opacity=0)], ["hidden_text"]),
    "beyond the page": ([lambda page: page.insert_text((72, -40), SECRET)], ["off_page_text"]),
}


@pytest.mark.parametrize("how", sorted(HIDDEN))
def test_hidden_text_is_in_no_text_and_said(how: str) -> None:
    draw, warned = HIDDEN[how]
    page = page_with(*draw)
    assert page.text == OPEN
    assert hidden(page) == SECRET
    assert codes(page) == warned
    assert not any("Vexley" in warning.detail or "forty" in warning.detail for warning in page.warnings)


SEEN: dict[str, list[Draw]] = {
    "white on black": [box(fill=(0, 0, 0)), text(color=(1, 1, 1))],
    "pale grey on white": [text(color=(0.82, 0.82, 0.82))],
    "black on yellow, painted later and see-through": [text(), box(fill=(1, 1, 0), color=None, fill_opacity=0.4)],
    "in a frame drawn later": [text(), box(color=(0, 0, 0))],
    "struck through": [text(), lambda page: page.draw_line((72, 196), (250, 196))],
}


@pytest.mark.parametrize("how", sorted(SEEN))
def test_what_can_be_read_is_read(how: str) -> None:
    page = page_with(*SEEN[how])
    assert page.text == f"{OPEN}\n\n{SECRET}"
    assert (hidden(page), codes(page)) == ("", ["has_struck_text"] if how == "struck through" else [])


def test_a_hidden_word_keeps_its_place_between_its_neighbours() -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 100), "a fee of USD 74,300 was paid")
    start = 72 + pymupdf.get_text_length("a fee of ", fontsize=11)
    page.draw_rect(
        pymupdf.Rect(start, 88, start + pymupdf.get_text_length("USD 74,300", fontsize=11), 104), fill=(0, 0, 0)
    )
    (found,) = read(document.tobytes())
    assert found.text == "a fee of was paid"
    assert [(w.text, w.start, w.end, w.line) for w in found.words if not w.visible] == [
        ("USD", 8, 8, 0),
        ("74,300", 8, 8, 0),
    ]


def test_a_layer_that_is_off_is_hidden_and_one_that_is_on_is_not() -> None:
    document = pymupdf.open()
    page = document.new_page()
    off, on = document.add_ocg("review", on=False), document.add_ocg("stamp", on=True)
    page.insert_text((72, 100), OPEN)
    page.insert_text((72, 200), SECRET, oc=off)
    page.insert_text((72, 300), "Copy for counsel", oc=on)
    (found,) = read(document.tobytes())
    assert found.text == f"{OPEN}\n\nCopy for counsel"
    assert hidden(found) == SECRET
    assert codes(found) == ["hidden_text"]


def test_words_drawn_twice_are_one() -> None:
    page = page_with(lambda p: p.insert_text((72.3, 100.2), OPEN, fontsize=12))
    assert page.text == OPEN
    assert hidden(page) == ""


def test_an_unpainted_copy_of_a_seen_word_hides_nothing() -> None:
    page = page_with(lambda p: p.insert_text((72, 100), OPEN, fontsize=12, render_mode=3))
    assert page.text == OPEN


def scan(layer: str | None) -> bytes:
    """A page that is a picture of two lines; ``layer`` puts unpainted words where the lines are, or 300 pt lower."""
    source = pymupdf.open()
    drawn = source.new_page(width=600, height=800)
    for y in (100, 130):
        drawn.insert_text((72, y), "The roof of the warehouse was damaged", fontsize=14)
    picture = drawn.get_pixmap(dpi=100)
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    page.insert_image(page.rect, pixmap=picture)
    if layer:
        for y in (100, 130):
            drop = 300 if layer == "astray" else 0
            page.insert_text((72, y + drop), "The roof of the warehouse was damaged", fontsize=14, render_mode=3)
    return bytes(document.tobytes())


def test_an_ocr_layer_over_its_scan_is_read_as_such() -> None:
    (page,) = read(scan("there"))
    assert page.text.split("\n")[0] == "The roof of the warehouse was damaged"
    assert {word.origin for word in page.words} == {Origin.EMBEDDED_OCR}
    assert page.text_source.value == "ocr"


def test_a_layer_without_ink_under_it_is_not_what_the_page_shows() -> None:
    (page,) = read(scan("astray"))
    assert page.text == ""
    assert "no_text" in codes(page)


def test_a_picture_without_a_layer_has_no_text() -> None:
    (page,) = read(scan(None))
    assert (page.text, codes(page)) == ("", ["no_text"])


@pytest.mark.parametrize(
    ("name", "failed"), [("x-ray__rectangles_yes_2.pdf", True), ("x-ray__rectangles_no.pdf", False)]
)
def test_redactions_of_the_corpus(name: str, failed: bool, shared: Path) -> None:
    found = [code for page in read(shared / "corpus" / "redaction" / name) for code in codes(page)]
    assert ("failed_redaction" in found) is failed


def test_garbled_pages_of_the_corpus_and_no_others(shared: Path) -> None:
    folder = shared / "corpus" / "unicode_ligature_rtl"
    garbled = {path.name for path in folder.glob("*.pdf") if any(page.garbled for page in read(path))}
    assert garbled == {"olmocr__dolma-page-1.pdf"}  # the five signs of "nomapping" are too few to tell
    contracts = [page for path in (shared / "corpus" / "contracts").glob("*.pdf") for page in read(path)]
    assert not any(page.garbled for page in contracts)


def test_nothing_is_not_garbled() -> None:
    assert not is_garbled([], 0)


def test_hidden_text_of_the_vectors(shared: Path) -> None:
    first, second = read(shared / "vectors" / "matter" / "disclosure" / "disclosure-letter.pdf")
    assert "pending claim" in hidden(first)
    assert "pending claim" not in first.text
    assert "limitation period" in first.text
    assert "second set of accounts" in hidden(second)
    assert "reviewer thinks" in hidden(second)
