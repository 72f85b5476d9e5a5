"""Pictures as documents: PNG, JPEG, GIF, BMP, WebP, AVIF, JPEG 2000 and multi-page TIFF become a PDF, a page each.

A JPEG goes in as it is; every other picture without loss. The way up that a camera recorded (EXIF) is applied, since
that is how a person sees the picture.
"""

import warnings
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageOps, ImageSequence

from ingest.failures import Damaged
from ingest.formats.model import Opened
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from ingest.mupdf import pymupdf
from verify.domain.document import SourceWarning, WarningCode

_FORMATS = {
    Kind.PNG: "PNG", Kind.JPEG: "JPEG", Kind.TIFF: "TIFF", Kind.GIF: "GIF", Kind.BMP: "BMP", Kind.WEBP: "WEBP",
    Kind.AVIF: "AVIF", Kind.JP2: "JPEG2000",
}  # fmt: skip
_ANIMATED = frozenset((Kind.GIF, Kind.WEBP, Kind.PNG, Kind.AVIF))
_A4 = (595.0, 842.0)
_LONGEST = 5000.0
"""No page side is longer in points than this, nor shorter than ``_SHORTEST``, whatever resolution a file claims."""
_SHORTEST = 36.0
_ORIENTATION = 0x0112  # the EXIF tag


def image_pdf(kind: Kind, file: Path | bytes, limits: Limits) -> Opened:
    """The rendition of a picture file. Raises Damaged."""
    warnings.simplefilter("ignore")  # Pillow warns about sizes, which are checked here, and about sloppy tags
    Image.MAX_IMAGE_PIXELS = limits.image_pixels
    said: list[SourceWarning] = []
    with pymupdf.open() as document:
        try:
            source = BytesIO(file) if isinstance(file, bytes) else file
            with Image.open(source, formats=[_FORMATS[kind]]) as picture:
                for frame in _frames(picture, kind, limits, said):
                    _add_page(document, frame, _encoded(frame, kind, file))
        except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
            if not len(document):
                raise Damaged(f"the picture is damaged or too large ({type(error).__name__})") from None
            said.append(SourceWarning(WarningCode.TRUNCATED, None, f"only the first {len(document)} pages can be read"))
        data: bytes = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    return Opened(kind, data, rendered=True, warnings=tuple(said))


def _frames(picture: Image.Image, kind: Kind, limits: Limits, said: list[SourceWarning]) -> Iterator[Image.Image]:
    """Pages of a TIFF; the first picture of an animation, whose others are told."""
    count = getattr(picture, "n_frames", 1)
    if kind in _ANIMATED and count > 1:
        detail = f"only the first of the {count} pictures of an animation was read"
        said.append(SourceWarning(WarningCode.TRUNCATED, None, detail))
    for number, frame in enumerate(ImageSequence.Iterator(picture)):
        if number and kind is not Kind.TIFF:
            return
        if number == limits.pages:
            said.append(SourceWarning(WarningCode.TRUNCATED, None, f"only the first {number} pages were read"))
            return
        if frame.width * frame.height > limits.image_pixels:
            raise Image.DecompressionBombError
        yield frame


def _encoded(frame: Image.Image, kind: Kind, file: Path | bytes) -> bytes:
    """Bytes that a PDF can hold. A JPEG that stands upright needs no new coding."""
    upright = frame.getexif().get(_ORIENTATION, 1) == 1
    if kind is Kind.JPEG and upright and frame.mode in ("L", "RGB"):
        frame.load()  # raises for what is cut off
        return file if isinstance(file, bytes) else file.read_bytes()
    buffer = BytesIO()
    _plain(ImageOps.exif_transpose(frame)).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def _plain(frame: Image.Image) -> Image.Image:
    """Black and white, grey or RGB, on white where the picture is transparent."""
    if frame.mode in ("1", "L", "RGB"):
        return frame
    if frame.mode.startswith(("I", "F")):
        return _grey(frame.convert("F"))
    if "A" in frame.getbands() or "transparency" in frame.info:
        shown = frame.convert("RGBA")
        ground = Image.new("RGBA", shown.size, "white")
        return Image.alpha_composite(ground, shown).convert("RGB")
    return frame.convert("RGB")


def _grey(frame: Image.Image) -> Image.Image:
    """Numbers of any size as 256 greys: up to 1 (fractions), 255, 65,535, or else by the largest there is."""
    _, most = frame.getextrema()
    highest = float(most[1] if isinstance(most, tuple) else most)
    scale = 255 / next((bound for bound in (1.0, 255.0, 65535.0) if highest <= bound), highest)
    return frame.point(lambda value: value * scale).convert("L")


def _add_page(document: "pymupdf.Document", frame: Image.Image, data: bytes) -> None:
    turned = frame.getexif().get(_ORIENTATION, 1) in (5, 6, 7, 8)
    width, height = _size(frame)
    if turned:
        width, height = height, width
    page = document.new_page(width=width, height=height)
    page.insert_image(page.rect, stream=data)


def _size(frame: Image.Image) -> tuple[float, float]:
    """Points, by the resolution that the file states; without a believable one the picture fills an A4 page."""
    across, down = (float(value) for value in frame.info.get("dpi", (0, 0)))
    if 60 <= across <= 2400 and 60 <= down <= 2400:
        width, height = frame.width * 72 / across, frame.height * 72 / down
    else:
        scale = min(max(_A4) / max(frame.size), min(_A4) / min(frame.size))
        width, height = frame.width * scale, frame.height * scale
    scale = min(1.0, _LONGEST / max(width, height))
    return max(width * scale, _SHORTEST), max(height * scale, _SHORTEST)
