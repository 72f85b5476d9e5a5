"""Recognition of scanned pages: words on the displayed page, however the paper lay on the glass.

A first pass reads the page as it is, made straight. Only if that came out poor does it cost more: which way up the
text stands is asked for, then shadows and specks are taken out; the reading with the most sure characters is kept.
"""

import hashlib
import json
import zlib
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.mupdf import pymupdf
from ingest.ocr_engine import Engine, OcrFailed, OcrSettings, PixelWord, engine_version
from ingest.ocr_image import (
    IDENTITY,
    Affine,
    Grey,
    Ink,
    evened,
    ink_without_words,
    skew_of,
    straightened,
    turned,
    without_specks,
)
from ingest.ports import BlobKind, Blobs
from ingest.raw import RawWord
from verify.domain.canonical import canonical_json
from verify.domain.document import Origin, SourceWarning, WarningCode
from verify.domain.geometry import UNITS_PER_POINT, Box

if TYPE_CHECKING:
    from PIL.Image import Image

POOR = 700
"""Mean confidence (0-1000) under which a reading is poor: clean print has 950, poor typescript 740-880, handwriting
280-340 (pdf-facts, section 7)."""

_SURE = 500
_NONSENSE = 450  # print that stands on its head reads so
_STRAIGHT_ENOUGH = 0.5
_LOST_SHARE, _LOST_FIELDS = 0.2, 40
_ORIENTATION_SURE = 4.0  # all of 30 answers above it were right, the wrong ones had 3.4 at most (pdf-facts, section 7)


@dataclass(frozen=True, slots=True)
class PageImage:
    """A grey picture of a page or of a part of it. ``scale`` is 1/100 pt per pixel; ``left`` and ``top`` are where the
    picture lies on the displayed page of ``width`` x ``height`` (1/100 pt)."""

    pixels: Grey
    dpi: int
    scale: float
    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class OcrOutcome:
    """``words`` lie on the displayed page, in the engine's reading order; ``upright`` are the same words, one for one,
    on the page as it is read: turned clockwise by ``turn`` degrees and made straight, ``upright_width`` x
    ``upright_height`` (1/100 pt). Lines and blocks are to be sought there; evidence is shown on ``words``.

    ``confidence`` is the mean over characters (0-1000), None without words. ``skew`` is in 1/10 degree.
    ``ink_fields`` counts fields that look written on, ``bare_fields`` those of them under no word.
    """

    words: tuple[RawWord, ...]
    upright: tuple[RawWord, ...]
    upright_width: int
    upright_height: int
    confidence: int | None
    turn: int
    skew: int
    languages: tuple[str, ...]
    ink_fields: int
    bare_fields: int
    warnings: tuple[SourceWarning, ...]


class _Reading(NamedTuple):
    """Words on an image of ``wide`` x ``high`` pixels and the map from it back to the page's image."""

    words: tuple[PixelWord, ...]
    back: Affine
    wide: int
    high: int
    turn: int
    skew: float
    ink: Ink

    @property
    def score(self) -> int:
        return sum(w.confidence * len(w.text) for w in self.words if w.confidence >= _SURE)

    @property
    def confidence(self) -> int | None:
        characters = sum(len(w.text) for w in self.words)
        return round(sum(w.confidence * len(w.text) for w in self.words) / characters) if characters else None

    @property
    def lost(self) -> bool:
        return self.ink.bare >= _LOST_FIELDS and self.ink.bare > _LOST_SHARE * self.ink.fields

    @property
    def poor(self) -> bool:
        return self.lost or (self.confidence is not None and self.confidence < POOR)


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
    future: "Future[_Reading] | None"

    @classmethod
    def start(cls, image: PageImage, engine: Engine, pool: ThreadPoolExecutor, cache: Blobs | None) -> "_Job":
        key = _cache_key(image, engine.settings) if cache else ""
        known = cache.get(BlobKind.OCR, key) if cache else None
        future = None if known is not None else pool.submit(_read, image.pixels, image.dpi, engine)
        return cls(image, engine.settings, key, known, future)

    def finish(self, cache: Blobs | None) -> OcrOutcome:
        if self.known is not None:
            return _outcome(_unpacked(self.known), self.image, self.settings)
        assert self.future is not None
        try:
            reading = self.future.result()
        except OcrFailed as failure:
            return _failed(self.image, self.settings, str(failure))
        # Read back from what is kept, so that a fresh and a kept result agree to the last digit.
        kept = _packed(reading)
        if cache:
            cache.put(BlobKind.OCR, self.key, kept)
        return _outcome(_unpacked(kept), self.image, self.settings)


def _read(pixels: Grey, dpi: int, engine: Engine) -> _Reading:
    best = _pass(pixels, dpi, engine, 0)
    sideways = _sideways(best.words)
    if sideways:
        best = _pass(pixels, dpi, engine, sideways)
    if not best.poor:
        return best
    nonsense = best.confidence is not None and best.confidence < _NONSENSE
    turn = _turn_needed(pixels, dpi, engine, (sideways + 180) % 360 if sideways or nonsense else 0)
    if turn not in (0, best.turn):
        best = _better(best, _pass(pixels, dpi, engine, turn))
    if best.poor:
        best = _better(best, _pass(evened(pixels), dpi, engine, best.turn))
    return best


def _better(first: _Reading, second: _Reading) -> _Reading:
    return second if second.score > first.score else first


def _sideways(words: Sequence[PixelWord]) -> int:
    """Degrees clockwise that bring upright a page whose words were read along its height; 0 if most were not."""
    tall = [w for w in words if len(w.text) > 2 and w.y1 - w.y0 > 1.5 * (w.x1 - w.x0)]
    if 2 * sum(len(w.text) for w in tall) <= sum(len(w.text) for w in words):
        return 0
    beside = [(a, b) for a, b in pairwise(tall) if min(a.x1, b.x1) > max(a.x0, b.x0)]
    downward = sum(1 if b.y0 > a.y0 else -1 for a, b in beside)
    return 270 if downward > 0 else 90


def _pass(pixels: Grey, dpi: int, engine: Engine, turn: int) -> _Reading:
    image, back = turned(pixels, turn) if turn else (pixels, IDENTITY)
    image = without_specks(image)
    skew = skew_of(image)
    if abs(skew) >= _STRAIGHT_ENOUGH:
        image, straight_back = straightened(image, skew)
        back = back.after(straight_back)
    else:
        skew = 0.0
    words = engine.read_words(image, dpi)
    ink = ink_without_words(image, [(w.x0, w.y0, w.x1, w.y1) for w in words], dpi)
    return _Reading(words, back, image.shape[1], image.shape[0], turn, skew, ink)


def _turn_needed(pixels: Grey, dpi: int, engine: Engine, unsure: int) -> int:
    """Degrees clockwise; ``unsure`` where the engine cannot tell. Half the resolution serves (pdf-facts, section 7)."""
    half = np.ascontiguousarray(pixels[::2, ::2])
    orientation = engine.read_orientation(half, max(dpi // 2, 70))
    return orientation.turn if orientation and orientation.confidence >= _ORIENTATION_SURE else unsure


def _outcome(reading: _Reading, image: PageImage, settings: OcrSettings) -> OcrOutcome:
    left, top = (image.left, image.top) if reading.turn == 0 else (0, 0)
    pairs = [pair for word in reading.words if (pair := _placed(word, reading, image))]
    return OcrOutcome(
        words=tuple(shown for shown, _ in pairs),
        upright=tuple(upright for _, upright in pairs),
        upright_width=round(reading.wide * image.scale) + left,
        upright_height=round(reading.high * image.scale) + top,
        confidence=reading.confidence,
        turn=reading.turn,
        skew=round(reading.skew * 10),
        languages=settings.languages,
        ink_fields=reading.ink.fields,
        bare_fields=reading.ink.bare,
        warnings=_warnings(reading),
    )


def _placed(word: PixelWord, reading: _Reading, image: PageImage) -> tuple[RawWord, RawWord] | None:
    """The word on the displayed page and on the upright one; None if it has no area on the page."""
    scale = image.scale
    left, top = (image.left, image.top) if reading.turn == 0 else (0, 0)
    x0, y0, x1, y1 = (round(edge * scale) for edge in reading.back.box(*word[1:5]))
    shown = Box(
        max(x0 + image.left, 0), max(y0 + image.top, 0),
        min(x1 + image.left, image.width), min(y1 + image.top, image.height),
    )  # fmt: skip
    u0, v0, u1, v1 = (round(edge * scale) for edge in word[1:5])
    upright = Box(u0 + left, v0 + top, u1 + left, v1 + top)
    if not (shown.has_area and upright.has_area):
        return None
    _, baseline = reading.back.at((word.x0 + word.x1) / 2, word.baseline)
    size = round(word.size * scale)

    def raw(box: Box, line: float) -> RawWord:
        return RawWord(word.text, box, round(line), size, False, Origin.OCR, word.confidence, True)

    return raw(shown, baseline * scale + image.top), raw(upright, word.baseline * scale + top)


def _warnings(reading: _Reading) -> tuple[SourceWarning, ...]:
    found = []
    confidence = reading.confidence
    if confidence is not None and confidence < POOR:
        detail = f"The scan was hard to read (mean confidence {confidence} of 1000)."
        found.append(SourceWarning(WarningCode.OCR_LOW_CONFIDENCE, None, detail))
    if reading.lost and reading.words:
        share = round(100 * reading.ink.bare / reading.ink.fields)
        detail = f"About {share} % of what looks written on this page gave no words. Look at the page."
        found.append(SourceWarning(WarningCode.OCR_LOW_CONFIDENCE, None, detail))
    if not reading.words:
        found.append(SourceWarning(WarningCode.NO_TEXT, None, "No text was recognised on this page."))
    return tuple(found)


def _failed(image: PageImage, settings: OcrSettings, why: str) -> OcrOutcome:
    warning = SourceWarning(WarningCode.PAGE_FAILED, None, f"The page could not be recognised. {why}")
    return OcrOutcome((), (), image.width, image.height, None, 0, 0, settings.languages, 0, 0, (warning,))


def _cache_key(image: PageImage, settings: OcrSettings) -> str:
    """Of all that decides a reading: the pixels, their resolution, languages, engine and this module's own passes."""
    height, width = image.pixels.shape
    how = [_PASSES, width, height, image.dpi, *settings.languages, engine_version(settings.command)]
    digest = hashlib.sha256(json.dumps(how).encode())
    digest.update(np.ascontiguousarray(image.pixels).data)
    return digest.hexdigest()


_PASSES = 1
"""To be raised when the passes change, so that older results are not used."""

_FINE = 1000


def _packed(reading: _Reading) -> bytes:
    words = [[w.text, *(round(value * _FINE) for value in w[1:7]), w.confidence] for w in reading.words]
    back = [round(value * _FINE * _FINE) for value in reading.back]
    rest = [reading.wide, reading.high, reading.turn, round(reading.skew * 10), *reading.ink]
    return zlib.compress(canonical_json({"words": words, "back": back, "rest": rest}))


def _unpacked(data: bytes) -> _Reading:
    kept = json.loads(zlib.decompress(data))
    words = tuple(PixelWord._make([row[0], *(v / _FINE for v in row[1:7]), row[7]]) for row in kept["words"])
    wide, high, turn, skew, fields, bare = kept["rest"]
    back = Affine(*(value / _FINE / _FINE for value in kept["back"]))
    return _Reading(words, back, wide, high, turn, skew / 10, Ink(fields, bare))
