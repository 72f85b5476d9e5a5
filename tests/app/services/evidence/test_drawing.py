"""A mark lies on the ink of its word, however the page is turned or cropped, and nothing else is marked."""

import io

import pytest
from PIL import Image

from app.services.evidence.crops import CropDescriptor
from app.services.evidence.drawing import draw
from ingest.mupdf import pymupdf
from verify.domain.geometry import Box, to_units
from verify.domain.ids import Fingerprint, SourceId
from verify.report import Region, Role

INK = 200
"""Sum of the three channels under which a pixel is a letter's."""


def one_word(rotation: int, cropped: bool) -> tuple[bytes, Box, tuple[int, int]]:
    """A PDF with one word, the word's box and the page's size on the displayed page, in 1/100 pt."""
    document = pymupdf.open()
    page = document.new_page(width=400, height=300)
    page.insert_text((150, 100), "INDENTURE", fontsize=20)
    if cropped:
        page.set_cropbox(pymupdf.Rect(90, 40, 390, 260))
    page.set_rotation(rotation)
    data: bytes = document.tobytes()
    with pymupdf.open(stream=data, filetype="pdf") as opened:
        displayed = opened[0].get_displaylist(annots=0)
        word = pymupdf.TextPage(displayed.get_textpage()).extractWORDS()[0]
        size = (to_units(displayed.rect.width), to_units(displayed.rect.height))
    return data, Box(*(to_units(edge) for edge in word[:4])), size


def descriptor(box: Box, size: tuple[int, int], role: Role = Role.TEXT) -> CropDescriptor:
    return CropDescriptor(
        "crop-1", Fingerprint("sha256:" + "0" * 64), SourceId("s"), 0, None, *size, (Region(0, box, role),), (), None,
        "sha256:" + "0" * 64, None, None, None, None,
    )  # fmt: skip


@pytest.mark.parametrize("cropped", [False, True])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_mark_lies_on_the_words_ink(rotation: int, cropped: bool) -> None:
    data, box, size = one_word(rotation, cropped)
    described, png = draw(descriptor(box, size), data, cut=False, dpi=72)
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert (described.image_width, described.image_height) == (size[0] // 100, size[1] // 100) == image.size
    pixels = {(x, y): image.getpixel((x, y)) for x in range(image.width) for y in range(image.height)}
    ink = [spot for spot, colour in pixels.items() if sum(colour) < INK]
    assert len(ink) > 100
    assert all(box.x0 - 100 <= x * 100 <= box.x1 and box.y0 - 100 <= y * 100 <= box.y1 for x, y in ink)
    marked = [spot for spot, colour in pixels.items() if colour == (255, 224, 102)]
    assert len(marked) > 200
    assert all(box.x0 - 200 <= x * 100 <= box.x1 + 100 and box.y0 - 200 <= y * 100 <= box.y1 + 100 for x, y in marked)


@pytest.mark.parametrize("rotation", [0, 90])
def test_a_cut_shows_the_word_where_its_box_is(rotation: int) -> None:
    data, box, size = one_word(rotation, cropped=True)
    described, png = draw(descriptor(box, size), data, cut=True, dpi=72)
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert described.rendering is not None
    assert described.rendering.padding == 1200
    ink = [(x, y) for x in range(image.width) for y in range(image.height) if sum(image.getpixel((x, y))) < INK]
    xs, ys = [x for x, _ in ink], [y for _, y in ink]
    width, height = (box.x1 - box.x0) / 100, (box.y1 - box.y0) / 100
    assert 11 <= min(xs) <= max(xs) <= 13 + width
    assert 11 <= min(ys) <= max(ys) <= 13 + height


def test_context_is_marked_more_quietly_than_evidence() -> None:
    data, box, size = one_word(0, cropped=False)
    _, png = draw(descriptor(box, size, Role.ROW_HEADER), data, cut=False, dpi=72)
    image = Image.open(io.BytesIO(png)).convert("RGB")
    assert image.getpixel(((box.x0 - 30) // 100, (box.y0 + 100) // 100)) == (198, 219, 255)


def test_a_huge_page_is_drawn_at_fewer_dots_and_says_so() -> None:
    document = pymupdf.open()
    document.new_page(width=14_400, height=100)
    size = (1_440_000, 10_000)
    described, _ = draw(descriptor(Box(0, 0, 100, 100), size), document.tobytes(), cut=False, dpi=300)
    assert described.rendering is not None
    assert described.rendering.dpi == 50
    assert described.image_width == 10_000


def test_a_locked_document_is_drawn_with_its_password_only() -> None:
    from app.errors import InputUnreadable

    document = pymupdf.open()
    document.new_page(width=200, height=100)
    data = document.tobytes(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="willow", owner_pw="oak")
    wanted = descriptor(Box(0, 0, 100, 100), (20_000, 10_000))
    with pytest.raises(InputUnreadable, match="password"):
        draw(wanted, data, cut=False)
    assert draw(wanted, data, cut=False, password="willow")[0].image_width == 417
