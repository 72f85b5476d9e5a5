"""Draws a page as it is displayed, in the one transform that its boxes were made with, and marks regions on it."""

import io
from dataclasses import replace
from typing import TYPE_CHECKING

from app.errors import InputUnreadable
from app.services.evidence.crops import CropDescriptor, Rendering
from verify.domain.canonical import sha256_of
from verify.domain.geometry import UNITS_PER_POINT, Box, union
from verify.report import Role

if TYPE_CHECKING:
    from PIL import Image

DEFAULT_DPI = 150
PADDING = 1200
"""Around the regions of a crop, in 1/100 pt: about a line of text on each side, for its context."""
MARK_MARGIN = 60
"""A mark reaches so far beyond its region, in 1/100 pt, so that it does not cut the letters' edges."""
LONGEST_SIDE = 10_000
"""Pixels. What would be larger is drawn at fewer dots per inch, and the descriptor says at how many."""
_POINTS_PER_INCH = 72
_MARK_COLOUR = {Role.TEXT: (255, 224, 102), Role.CELL: (255, 224, 102)}
_CONTEXT_COLOUR = (198, 219, 255)
"""Headers, unit and notes of a cell are context, marked more quietly than the evidence itself."""


def draw(
    described: CropDescriptor, pdf: bytes, *, cut: bool, dpi: int = DEFAULT_DPI, password: str | None = None
) -> tuple[CropDescriptor, bytes]:
    """The descriptor completed with its picture, and the PNG. Raises InputUnreadable if the page cannot be drawn."""
    whole = Box(0, 0, described.page_width, described.page_height)
    frame = _padded(union(r.bbox for r in described.regions), whole) if cut and described.regions else whole
    dpi = _bounded(dpi, frame)
    image, corner, version = _page_image(pdf, described.page_index, frame, dpi, password)
    for region in described.regions:
        _mark(image, region.bbox, corner, dpi, _MARK_COLOUR.get(region.role, _CONTEXT_COLOUR))
    png = _png(image)
    padding = PADDING if frame != whole else 0
    complete = replace(
        described, rendering=Rendering("pymupdf", version, dpi, padding), image_sha256=sha256_of(png),
        image_width=image.width, image_height=image.height,
    )  # fmt: skip
    return complete, png


def _padded(box: Box, page: Box) -> Box:
    x0, y0, x1, y1 = (edge + side for edge, side in zip(box, (-PADDING, -PADDING, PADDING, PADDING), strict=True))
    return Box(max(x0, 0), max(y0, 0), min(x1, page.x1), min(y1, page.y1))


def _bounded(dpi: int, frame: Box) -> int:
    longest = max(frame.x1 - frame.x0, frame.y1 - frame.y0)
    return max(1, min(dpi, LONGEST_SIDE * UNITS_PER_POINT * _POINTS_PER_INCH // longest))


def _page_image(
    pdf: bytes, index: int, frame: Box, dpi: int, password: str | None
) -> "tuple[Image.Image, tuple[int, int], str]":
    """RGB pixels of ``frame``, annotations included, as a reader sees the page; where they begin on the whole page's
    pixels; the renderer's version."""
    from PIL import Image

    from ingest.mupdf import VERSION, pymupdf

    scale = dpi / _POINTS_PER_INCH
    clip = pymupdf.Rect(*(edge / UNITS_PER_POINT for edge in frame))
    try:
        with pymupdf.open(stream=pdf, filetype="pdf") as document:
            if document.needs_pass and not document.authenticate(password or ""):
                raise InputUnreadable("the document needs its password to be drawn; give it with --passwords")
            pixels = document[index].get_displaylist(annots=1).get_pixmap(
                matrix=pymupdf.Matrix(scale, scale), colorspace=pymupdf.csRGB, alpha=0, clip=clip
            )  # fmt: skip
    except (RuntimeError, ValueError, IndexError, MemoryError) as error:
        raise InputUnreadable(f"page {index} cannot be drawn ({type(error).__name__})") from error
    return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples), (pixels.x, pixels.y), VERSION


def _pixels(units: int, dpi: int) -> int:
    return (2 * units * dpi + UNITS_PER_POINT * _POINTS_PER_INCH) // (2 * UNITS_PER_POINT * _POINTS_PER_INCH)


def _mark(image: "Image.Image", box: Box, corner: tuple[int, int], dpi: int, colour: tuple[int, int, int]) -> None:
    """Multiplies the colour in, so that black letters stay black: a marker pen, not a lid."""
    from PIL import Image, ImageChops

    left, top = corner
    area = (
        max(_pixels(box.x0 - MARK_MARGIN, dpi) - left, 0),
        max(_pixels(box.y0 - MARK_MARGIN, dpi) - top, 0),
        min(_pixels(box.x1 + MARK_MARGIN, dpi) - left, image.width),
        min(_pixels(box.y1 + MARK_MARGIN, dpi) - top, image.height),
    )
    under = image.crop(area)
    image.paste(ImageChops.multiply(under, Image.new("RGB", under.size, colour)), area)


def _png(image: "Image.Image") -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()
