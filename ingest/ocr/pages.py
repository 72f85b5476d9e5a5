"""Recognition of scanned pages: words on the displayed page, however the paper lay on the glass.

A first pass reads the page as it is, made straight. Only if that came out poor does it cost more: which way up the
text stands is asked for, then shadows and specks are taken out; the reading with the most sure characters is kept.
"""

import hashlib
import json
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.mupdf import pymupdf
from ingest.ocr.engine import Engine, OcrFailed, OcrSettings, PixelWord, engine_version
from ingest.ocr.image import IDENTITY, Grey, evened, ink_without_words, skew_of, straightened, turned, without_specks
from ingest.ocr.languages import main_language
from ingest.ocr.outcome import OcrOutcome, PageImage, failed, outcome_of
from ingest.ocr.passes import Reading, packed, unpacked
from ingest.ocr.rules import find_rules, without_rules
from ingest.ports import BlobKind, Blobs
from verify.domain.geometry import UNITS_PER_POINT, Box

__all__ = ["OcrOutcome", "PageImage", "page_image", "recognise", "recognise_image", "recognise_page", "recognise_pages"]

if TYPE_CHECKING:
    from PIL.Image import Image

_NONSENSE = 450  # print that stands on its head reads so
_STRAIGHT_ENOUGH = 0.5
_ORIENTATION_SURE = 4.0  # all of 30 answers above it were right, the wrong ones had 3.4 at most (pdf-facts, section 7)


def recognise_page(
    page: "pymupdf.Page", settings: OcrSettings, cache: Blobs | None = None, region: Box | None = None
) -> OcrOutcome:
    """Words of a page, or of a region of it. Raises nothing for a page that cannot be read: a warning says so.

    ``settings`` are those that ``ocr_engine.prepare`` gave, which tells missing languages once and for all pages.
    """
    return recognise(page_image(page, settings, region), settings, cache)


def recognise_image(picture: "Image", dpi: int, settings: OcrSettings, cache: Blobs | None = None) -> OcrOutcome:
    """Words of a bare picture; its page is as large as ``dpi`` makes it."""
    scale = 72 * UNITS_PER_POINT / dpi
    pixels = np.asarray(picture.convert("L"))
    width, height = round(picture.width * scale), round(picture.height * scale)
    return recognise(PageImage(pixels, dpi, scale, 0, 0, width, height), settings, cache)


def page_image(page: "pymupdf.Page", settings: OcrSettings, region: Box | None = None) -> PageImage:
    """Renders the displayed page in grey, without annotations, at no more than ``max_side`` pixels."""
    width, height = page.rect.width, page.rect.height
    zoom = min(settings.dpi / 72, settings.max_side / max(width, height, 1))
    area = pymupdf.Rect(*(edge / UNITS_PER_POINT for edge in region)) if region else None
    picture = page.get_displaylist(annots=0).get_pixmap(
        matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False, clip=area
    )
    pixels = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.stride)
    scale = UNITS_PER_POINT / zoom
    return PageImage(
        pixels[:, : picture.width], round(72 * zoom), scale, round(picture.x * scale), round(picture.y * scale),
        round(width * UNITS_PER_POINT), round(height * UNITS_PER_POINT),
    )  # fmt: skip


def recognise(image: PageImage, settings: OcrSettings, cache: Blobs | None = None) -> OcrOutcome:
    """Words of one picture, from the cache if the same pixels were read with the same settings before."""
    return next(iter(recognise_pages((image,), settings, cache, workers=1)))


def recognise_pages(
    images: Iterable[PageImage], settings: OcrSettings, cache: Blobs | None, workers: int
) -> Generator[OcrOutcome, None, None]:
    """Outcomes in the order of ``images``, which are taken (rendered) while earlier ones are being read.

    At most ``workers`` + 1 pictures are held. Pictures and cache are used by the calling thread only. Closing the
    generator ends the running engines at once.
    """
    engine = Engine(settings)
    pool = ThreadPoolExecutor(workers, thread_name_prefix="ocr")
    flight: deque[_Job] = deque()
    try:
        for image in images:
            flight.append(_Job.start(image, engine, pool, cache))
            if len(flight) > workers:
                yield flight.popleft().finish(cache)
        while flight:
            yield flight.popleft().finish(cache)
    finally:
        engine.stop()
        pool.shutdown(wait=True, cancel_futures=True)


class _Job(NamedTuple):
    """One picture under way: kept (``known``) or being read (``future``)."""

    image: PageImage
    settings: OcrSettings
    key: str
    known: bytes | None
    future: "Future[Reading] | None"

    @classmethod
    def start(cls, image: PageImage, engine: Engine, pool: ThreadPoolExecutor, cache: Blobs | None) -> "_Job":
        key = _cache_key(image, engine.settings) if cache else ""
        known = cache.get(BlobKind.OCR, key) if cache else None
        future = None if known is not None else pool.submit(_read, image.pixels, image.dpi, engine)
        return cls(image, engine.settings, key, known, future)

    def finish(self, cache: Blobs | None) -> OcrOutcome:
        if self.known is not None:
            return outcome_of(unpacked(self.known), self.image, self.settings)
        assert self.future is not None
        try:
            reading = self.future.result()
        except OcrFailed as failure:
            return failed(self.image, self.settings, str(failure))
        # Read back from what is kept, so that a fresh and a kept result agree to the last digit.
        kept = packed(reading)
        if cache:
            cache.put(BlobKind.OCR, self.key, kept)
        return outcome_of(unpacked(kept), self.image, self.settings)


def _read(pixels: Grey, dpi: int, engine: Engine) -> Reading:
    best = _pass(pixels, dpi, engine, 0)
    sideways = _sideways(best.words)
    if sideways:
        best = _pass(pixels, dpi, engine, sideways)
    if not best.poor:
        return _in_its_language(best, pixels, dpi, engine)
    nonsense = best.confidence is not None and best.confidence < _NONSENSE
    turn, script = _turn_needed(pixels, dpi, engine, (sideways + 180) % 360 if sideways or nonsense else 0)
    if turn not in (0, best.turn):
        best = _better(best, _pass(pixels, dpi, engine, turn))
    if best.poor:
        best = _better(best, _pass(evened(pixels), dpi, engine, best.turn))
    return _in_its_language(best, pixels, dpi, engine)._replace(script=script)


def _in_its_language(first: Reading, pixels: Grey, dpi: int, engine: Engine) -> Reading:
    """The engine believes the first of several languages too soon: with English before it a clean French page has one
    word in twelve wrong, with French first none. Costs a pass where the page is in another than the first."""
    main = main_language(first.text, engine.settings.languages)
    return first if main is None else _better(first, _pass(pixels, dpi, engine, first.turn, main))


def _better(first: Reading, second: Reading) -> Reading:
    return second if second.score > first.score else first


def _sideways(words: Sequence[PixelWord]) -> int:
    """Degrees clockwise that bring upright a page whose words were read along its height; 0 if most were not."""
    tall = [w for w in words if len(w.text) > 2 and w.y1 - w.y0 > 1.5 * (w.x1 - w.x0)]
    if 2 * sum(len(w.text) for w in tall) <= sum(len(w.text) for w in words):
        return 0
    beside = [(a, b) for a, b in pairwise(tall) if min(a.x1, b.x1) > max(a.x0, b.x0)]
    downward = sum(1 if b.y0 > a.y0 else -1 for a, b in beside)
    return 270 if downward > 0 else 90


def _pass(pixels: Grey, dpi: int, engine: Engine, turn: int, main: str | None = None) -> Reading:
    image, back = turned(pixels, turn) if turn else (pixels, IDENTITY)
    image = without_specks(image)
    skew = skew_of(image)
    if abs(skew) >= _STRAIGHT_ENOUGH:
        image, straight_back = straightened(image, skew)
        back = back.after(straight_back)
    else:
        skew = 0.0
    rules = find_rules(image, dpi)
    image = without_rules(image, rules)
    words = engine.read_words(image, dpi, main)
    ink = ink_without_words(image, [(w.x0, w.y0, w.x1, w.y1) for w in words], dpi)
    return Reading(words, back, image.shape[1], image.shape[0], turn, skew, ink, rules)


def _turn_needed(pixels: Grey, dpi: int, engine: Engine, unsure: int) -> tuple[int, str]:
    """Degrees clockwise, ``unsure`` where the engine cannot tell, and the script. Half the resolution serves."""
    half = np.ascontiguousarray(pixels[::2, ::2])
    orientation = engine.read_orientation(half, max(dpi // 2, 70))
    if orientation is None:
        return unsure, ""
    return orientation.turn if orientation.confidence >= _ORIENTATION_SURE else unsure, orientation.script


def _cache_key(image: PageImage, settings: OcrSettings) -> str:
    """Of all that decides a reading: the pixels, their resolution, languages, engine and this module's own passes."""
    height, width = image.pixels.shape
    how = [_PASSES, width, height, image.dpi, *settings.languages, engine_version(settings.command)]
    digest = hashlib.sha256(json.dumps(how).encode())
    digest.update(np.ascontiguousarray(image.pixels).data)
    return digest.hexdigest()


_PASSES = 3
"""To be raised when the passes change, so that older results are not used."""
