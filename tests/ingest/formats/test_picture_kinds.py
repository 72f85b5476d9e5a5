"""Pictures of less common kinds: every pixel format shows what a person sees, and what is not shown is told."""

import io

import numpy as np
import pytest
from PIL import Image

from ingest.formats.images import image_pdf
from ingest.formats.model import Opened
from ingest.formats.sniff import Kind, sniff
from ingest.limits import Limits
from ingest.mupdf import pymupdf
from verify.domain.document import WarningCode


def halves(mode: str = "RGB") -> Image.Image:
    """Black on the left, white on the right."""
    picture = Image.new("RGB", (200, 100), "white")
    picture.paste((0, 0, 0), (0, 0, 100, 100))
    return picture.convert(mode)


def numbers(kind: type, most: float) -> Image.Image:
    values = np.zeros((100, 200), dtype=kind)
    values[:, 100:] = most
    return Image.fromarray(values)


def saved(picture: Image.Image, form: str, **options: object) -> bytes:
    held = io.BytesIO()
    picture.save(held, form, **options)
    return held.getvalue()


def sides(opened: Opened) -> tuple[tuple[int, ...], tuple[int, ...]]:
    assert isinstance(opened.pages, bytes)
    with pymupdf.open(stream=opened.pages) as document:
        drawn = document[0].get_pixmap()
        middle = drawn.height // 2
        return drawn.pixel(drawn.width // 4, middle), drawn.pixel(3 * drawn.width // 4, middle)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Kind.PNG, saved(numbers(np.uint16, 65535), "PNG")), (Kind.TIFF, saved(numbers(np.uint16, 65535), "TIFF")),
        (Kind.TIFF, saved(numbers(np.int32, 255), "TIFF")), (Kind.TIFF, saved(numbers(np.int32, 4_000_000), "TIFF")),
        (Kind.TIFF, saved(numbers(np.float32, 1.0), "TIFF")), (Kind.JPEG, saved(halves("CMYK"), "JPEG")),
        (Kind.TIFF, saved(halves("CMYK"), "TIFF")), (Kind.TIFF, saved(halves("1"), "TIFF", compression="group4")),
        (Kind.PNG, saved(halves("LA"), "PNG")), (Kind.AVIF, saved(halves(), "AVIF")),
        (Kind.JP2, saved(halves(), "JPEG2000")),
    ],
)  # fmt: skip
def test_black_is_black_and_white_is_white(kind: Kind, data: bytes) -> None:
    assert sniff(io.BytesIO(data), "x") is kind
    opened = image_pdf(kind, data, Limits())
    left, right = sides(opened)
    assert max(left) < 12 and min(right) > 243
    assert opened.warnings == ()


@pytest.mark.parametrize(("kind", "form"), [(Kind.GIF, "GIF"), (Kind.WEBP, "WEBP"), (Kind.PNG, "PNG")])
def test_of_an_animation_the_first_picture_is_read_and_the_rest_told(kind: Kind, form: str) -> None:
    red = Image.new("RGB", (200, 100), "red")
    opened = image_pdf(kind, saved(halves(), form, save_all=True, append_images=[red]), Limits())
    assert max(sides(opened)[0]) < 12
    assert [(w.code, w.detail) for w in opened.warnings] == [
        (WarningCode.TRUNCATED, "only the first of the 2 pictures of an animation was read")
    ]
