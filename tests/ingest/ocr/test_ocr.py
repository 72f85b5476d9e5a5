"""Recognition with the real Tesseract, on pages drawn here so that every word's true place is known."""

import math
import shutil
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from ingest.mupdf import pymupdf
from ingest.ocr.engine import OcrSettings, installed_languages, prepare
from ingest.ocr.pages import (
    OcrOutcome,
    PageImage,
    page_image,
    recognise,
    recognise_image,
    recognise_page,
    recognise_pages,
)
from ingest.ports import BlobKind
from verify.domain.document import Origin, WarningCode
from verify.domain.geometry import Box

pytestmark = pytest.mark.skipif(shutil.which("tesseract") is None, reason="Tesseract is not installed")

LINES = (
    "The Harbour Authority shall repair the northern quay",
    "before winter and shall notify every tenant thereof.",
    "Storage charges of 4,250 euros fall due each quarter",
    "unless the licensee has returned the warehouse keys.",
    "Neither party may assign this licence without consent",
    "given in writing by the other, signed and dated.",
    "Disputes are referred to arbitration in Quillmere.",
)
WIDTH, HEIGHT = 420, 300  # points
SETTINGS = OcrSettings(dpi=200)


@dataclass
class Kept:
    """Blobs in memory."""

    data: dict[str, bytes] = field(default_factory=dict)
    gets: int = 0

    def get(self, kind: BlobKind, key: str) -> bytes | None:
        assert kind is BlobKind.OCR
        self.gets += 1
        return self.data.get(key)

    def put(self, kind: BlobKind, key: str, data: bytes) -> None:
        self.data[key] = data


def typed() -> "pymupdf.Document":
    document = pymupdf.open()
    page = document.new_page(width=WIDTH, height=HEIGHT)
    for number, line in enumerate(LINES):
        page.insert_text((48, 60 + number * 30), line, fontsize=13, fontname="tiro")
    return document


@pytest.fixture(scope="module")
def truth() -> list[tuple[str, float, float]]:
    """Each word with its middle, in points."""
    return [(w[4], (w[0] + w[2]) / 2, (w[1] + w[3]) / 2) for w in typed()[0].get_text("words")]


@pytest.fixture(scope="module")
def picture() -> NDArray[np.uint8]:
    pixmap = typed()[0].get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width].copy()


def scanned(pixels: NDArray[np.uint8], width: float, height: float) -> "pymupdf.Document":
    """A page that is only a picture."""
    rows, columns = pixels.shape
    pixmap = pymupdf.Pixmap(pymupdf.csGRAY, columns, rows, np.ascontiguousarray(pixels).tobytes(), False)
    document = pymupdf.open()
    page = document.new_page(width=width, height=height)
    page.insert_image(page.rect, pixmap=pixmap)
    return document


def found(outcome: OcrOutcome, word: str, x: float, y: float) -> bool:
    """True if the word was read where it stands (points on the displayed page)."""
    for read in outcome.words:
        box = read.box
        if read.text == word and box.x0 <= x * 100 <= box.x1 and box.y0 <= y * 100 <= box.y1:
            return True
    return False


def test_a_scanned_page_gives_its_words_where_they_stand(picture, truth) -> None:
    outcome = recognise_page(scanned(picture, WIDTH, HEIGHT)[0], SETTINGS)
    assert all(found(outcome, *word) for word in truth)
    assert outcome.confidence is not None and outcome.confidence > 900
    assert all(w.origin is Origin.OCR and 0 <= w.confidence <= 1000 and w.visible for w in outcome.words)
    assert outcome.upright == outcome.words
    assert (outcome.turn, outcome.skew, outcome.warnings) == (0, 0, ())


def test_words_of_a_line_share_a_baseline_near_the_drawn_one(picture) -> None:
    outcome = recognise_page(scanned(picture, WIDTH, HEIGHT)[0], SETTINGS)
    first = [w for w in outcome.words if w.box.y1 < 7000]
    assert [w.text for w in first] == LINES[0].split()
    assert all(abs(w.baseline - 6000) < 100 for w in first)
    assert all(abs(w.size - 1300) < 450 for w in first)


@pytest.mark.parametrize(("quarters", "turn"), [(1, 90), (2, 180), (3, 270)])
def test_a_page_that_lies_wrong_is_read_and_mapped_back(picture, truth, quarters: int, turn: int) -> None:
    """``quarters`` counter-clockwise quarter turns of the paper need ``turn`` degrees clockwise to read."""
    pixels = np.rot90(picture, quarters)
    width, height = (WIDTH, HEIGHT) if quarters == 2 else (HEIGHT, WIDTH)
    outcome = recognise_page(scanned(pixels, width, height)[0], SETTINGS)
    place = {
        1: lambda x, y: (y, WIDTH - x),
        2: lambda x, y: (WIDTH - x, HEIGHT - y),
        3: lambda x, y: (HEIGHT - y, x),
    }[quarters]
    assert outcome.turn == turn
    assert all(found(outcome, word, *place(x, y)) for word, x, y in truth)
    assert [w.text for w in outcome.upright][:4] == ["The", "Harbour", "Authority", "shall"]
    assert abs(outcome.upright[0].baseline - 6000) < 100
    assert abs(outcome.upright_width - WIDTH * 100) < 60


def test_a_skewed_page_is_straightened_and_mapped_back(picture, truth) -> None:
    degrees = 5
    pixels = np.asarray(Image.fromarray(picture).rotate(-degrees, Image.Resampling.BICUBIC, fillcolor=255))
    outcome = recognise_page(scanned(pixels, WIDTH, HEIGHT)[0], SETTINGS)
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def place(x: float, y: float) -> tuple[float, float]:
        dx, dy = x - WIDTH / 2, y - HEIGHT / 2
        return WIDTH / 2 + cos * dx - sin * dy, HEIGHT / 2 + sin * dx + cos * dy

    assert 45 <= outcome.skew <= 55
    assert sum(found(outcome, word, *place(x, y)) for word, x, y in truth) >= len(truth) - 1
    assert len({w.baseline // 100 for w in outcome.upright[:8]}) <= 2


def test_specks_are_taken_out_before_reading(picture, truth) -> None:
    pixels = picture.copy()
    pixels[np.random.default_rng(3).random(pixels.shape) < 0.02] = 0
    outcome = recognise_page(scanned(pixels, WIDTH, HEIGHT)[0], SETTINGS)
    assert sum(found(outcome, *word) for word in truth) >= len(truth) - 1
    assert len(outcome.words) <= len(truth) + 1


def test_words_lost_in_a_shadow_are_noticed_and_read(picture, truth) -> None:
    """The words that are left have a high confidence; only the bare ink tells that half of the page is missing."""
    shade = np.linspace(1, 0.2, picture.shape[1])[None, :]
    outcome = recognise_page(scanned((picture * shade).astype(np.uint8), WIDTH, HEIGHT)[0], SETTINGS)
    assert sum(found(outcome, *word) for word in truth) >= len(truth) - 2


def test_writing_that_gives_no_words_is_told(picture) -> None:
    """Strokes as dense as text, of which no engine can make words, beside real lines."""
    pixels = picture.copy()
    for top in range(480, 800, 40):
        for left in range(150, 1000, 24):
            pixels[top : top + 18 : 3, left : left + 14] = 0
    outcome = recognise_page(scanned(pixels, WIDTH, HEIGHT)[0], SETTINGS)
    assert outcome.bare_fields > 0 or any(w.code is WarningCode.OCR_LOW_CONFIDENCE for w in outcome.warnings)


def test_an_empty_page_says_that_nothing_was_recognised() -> None:
    outcome = recognise_page(scanned(np.full((400, 300), 255, np.uint8), 216, 288)[0], SETTINGS)
    assert outcome.words == ()
    assert outcome.confidence is None
    assert [w.code for w in outcome.warnings] == [WarningCode.NO_TEXT]


def test_a_region_is_read_in_the_page_coordinates(picture, truth) -> None:
    region = Box(0, 10000, WIDTH * 100, 20000)
    outcome = recognise_page(scanned(picture, WIDTH, HEIGHT)[0], SETTINGS, region=region)
    inside = [word for word in truth if 105 < word[2] < 195]
    assert inside and all(found(outcome, *word) for word in inside)
    assert not any(found(outcome, *word) for word in truth if word[2] < 95)


@pytest.mark.parametrize("max_side", [3600, 300])
def test_a_region_is_drawn_where_it_lies(max_side: int) -> None:
    document = pymupdf.open()
    page = document.new_page(width=400, height=600)
    page.draw_rect((200, 300, 300, 400), color=None, fill=(0, 0, 0))
    image = page_image(page, OcrSettings(dpi=144, max_side=max_side), Box(18000, 29000, 32000, 42000))
    rows, columns = np.nonzero(image.pixels == 0)
    black = [
        round(edge * image.scale) + start
        for edge, start in (
            (columns.min(), image.left),
            (rows.min(), image.top),
            (columns.max() + 1, image.left),
            (rows.max() + 1, image.top),
        )
    ]
    assert image.scale == {3600: 50, 300: 200}[max_side]
    assert black == [20000, 30000, 30000, 40000]
    assert image.pixels.shape == {3600: (260, 280), 300: (65, 70)}[max_side]


def test_a_bare_picture_has_the_page_its_resolution_makes(picture, truth) -> None:
    outcome = recognise_image(Image.fromarray(picture), 200, SETTINGS)
    assert all(found(outcome, *word) for word in truth)
    assert abs(outcome.upright_width - WIDTH * 100) < 50


def test_a_large_page_is_rendered_within_the_limit_of_pixels() -> None:
    document = pymupdf.open()
    image = page_image(document.new_page(width=8000, height=2000), OcrSettings(max_side=1000))
    assert max(image.pixels.shape) <= 1001
    assert image.dpi == 9


def test_the_same_pixels_are_recognised_once(picture) -> None:
    kept = Kept()
    first = recognise_page(scanned(picture, WIDTH, HEIGHT)[0], SETTINGS, kept)
    assert len(kept.data) == 1
    started = recognise_page(scanned(picture, WIDTH, HEIGHT)[0], SETTINGS, kept)
    assert started == first
    assert len(kept.data) == 1 and kept.gets == 2
    other = picture.copy()
    other[0, 0] ^= 1
    recognise_page(scanned(other, WIDTH, HEIGHT)[0], SETTINGS, kept)
    assert len(kept.data) == 2


def test_pages_come_in_order_and_few_pictures_are_held(picture) -> None:
    taken, done = [0], 0

    def images():
        for top in range(6):
            taken[0] += 1
            strip = picture[top * 83 + 100 : top * 83 + 183]
            padded = np.full((200, picture.shape[1]), 255, np.uint8)
            padded[60:143] = strip
            yield PageImage(padded, 200, 36.0, 0, 0, WIDTH * 100, 7200)

    for number, outcome in enumerate(recognise_pages(images(), SETTINGS, None, workers=2)):
        done += 1
        assert taken[0] - done <= 3
        assert outcome.words[0].text == LINES[number].split()[0]
    assert done == 6


def test_hyphens_at_line_ends_are_kept_as_printed() -> None:
    document = pymupdf.open()
    page = document.new_page(width=300, height=120)
    page.insert_text((30, 50), "Either party may termi-", fontsize=14, fontname="tiro")
    page.insert_text((30, 75), "nate this licence.", fontsize=14, fontname="tiro")
    pixmap = page.get_pixmap(dpi=200, colorspace=pymupdf.csGRAY)
    pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width]
    outcome = recognise_page(scanned(pixels, 300, 120)[0], SETTINGS)
    assert [w.text for w in outcome.words][3:5] == ["termi-", "nate"]


FRENCH = (
    "Le bail est consenti à compter du premier février",
    "pour une durée de neuf années entières et consécutives.",
    "À défaut de règlement à l'échéance, et après une mise",
    "en demeure restée sans effet, il sera résilié de plein",
    "droit, sans préjudice des dommages et intérêts dus.",
    "Le preneur ne pourra céder son droit au bail sans",
    "l'accord préalable et écrit du bailleur, où qu'il soit.",
)


def pixels_of(lines: tuple[str, ...], dpi: int) -> NDArray[np.uint8]:
    page = pymupdf.open().new_page(width=WIDTH, height=HEIGHT)
    for number, line in enumerate(lines):
        page.insert_text((48, 60 + number * 30), line, fontsize=13, fontname="tiro")
    pixmap = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
    return np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.stride)[:, : pixmap.width].copy()


def need_french() -> None:
    if not {"eng", "fra"} <= set(installed_languages()):
        pytest.skip("needs the French data: apt install tesseract-ocr-fra")


def test_a_page_is_read_with_its_own_language_first() -> None:
    """With English tried first the engine makes "a" of "à" and "Francais" of "Français"."""
    need_french()
    outcome = recognise_image(Image.fromarray(pixels_of(FRENCH, 200)), 200, OcrSettings(("eng", "fra"), 200))
    read = [word.text for word in outcome.words]
    truth = " ".join(FRENCH).split()
    assert len(set(truth) - set(read)) <= 1
    assert outcome.warnings == ()


def test_a_page_in_a_language_that_was_not_asked_for_says_so() -> None:
    """Its confidence is that of good print: only the commonest words tell."""
    outcome = recognise_image(Image.fromarray(pixels_of(FRENCH, 200)), 200, SETTINGS)
    assert outcome.confidence is not None and outcome.confidence > 800
    (warning,) = outcome.warnings
    assert warning.code is WarningCode.OCR_LOW_CONFIDENCE
    assert "reads like French, but was recognised as eng" in warning.detail and "--lang eng+fra" in warning.detail


def test_specks_of_a_scan_of_half_the_resolution_are_taken_out() -> None:
    """Rendered at 300 dpi they are blots of four soft pixels, which no median of three takes out."""
    pixels = pixels_of(LINES, 150)
    pixels[np.random.default_rng(3).random(pixels.shape) < 0.006] = 0
    outcome = recognise_page(scanned(pixels, WIDTH, HEIGHT)[0], OcrSettings())
    truth = " ".join(LINES).split()
    assert len(set(truth) - {word.text for word in outcome.words}) <= 2
    assert len(outcome.words) <= len(truth) + 2


def test_two_languages_are_read_together() -> None:
    need_french()
    document = pymupdf.open()
    page = document.new_page(width=360, height=120)
    page.insert_text((30, 50), "Le bail a été signé à Orléans.", fontsize=14, fontname="tiro")
    settings, warnings = prepare(OcrSettings(languages=("fra", "eng"), dpi=200))
    outcome = recognise_page(page, settings)
    assert warnings == () and outcome.languages == ("fra", "eng")
    assert {"été", "signé", "Orléans."} <= {w.text for w in outcome.words}


@pytest.mark.slow
def test_pages_of_the_corpus_are_read(shared) -> None:
    """The upright twin of a court opinion: nearly all of its words are found in the scan."""
    twin = pymupdf.open(shared / "corpus/court_opinions/doctor__vector-pdf.pdf")
    scan = pymupdf.open(shared / "corpus/scanned/doctor__image-pdf.pdf")
    printed = {w[4] for w in twin[0].get_text("words") if w[4].isalpha()}
    read = {w.text for w in recognise(page_image(scan[0], OcrSettings()), OcrSettings()).words}
    assert len(printed & read) > 0.95 * len(printed)
