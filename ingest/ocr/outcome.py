"""What recognition tells of a page: words on the displayed page and on the page as it is read, rules, warnings."""

from dataclasses import dataclass
from typing import NamedTuple

from ingest.ocr.engine import OcrSettings, PixelWord
from ingest.ocr.image import IDENTITY, Affine, Grey
from ingest.ocr.languages import foreign_script, foreign_text
from ingest.ocr.passes import POOR, Reading
from ingest.ocr.rules import Edges
from ingest.page.raw import RawWord
from verify.domain.document import Origin, SourceWarning, WarningCode
from verify.domain.geometry import Box


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


class Frame(NamedTuple):
    """The upright page: its picture of ``scale`` (1/100 pt a pixel) begins at (left, top); ``back`` maps its points to
    the displayed page, which is ``page``."""

    scale: float
    left: int
    top: int
    back: Affine
    page: Box

    def shown(self, box: Box) -> Box | None:
        x0, y0, x1, y1 = (round(edge) for edge in self.back.box(*box))
        page = self.page
        cut = Box(max(x0, page.x0), max(y0, page.y0), min(x1, page.x1), min(y1, page.y1))
        return cut if cut.has_area else None

    def upright(self, edges: Edges) -> Box:
        """Edges in pixels of the picture as a box of the upright page."""
        x0, y0, x1, y1 = (round(edge * self.scale) for edge in edges)
        return Box(x0 + self.left, y0 + self.top, x1 + self.left, y1 + self.top)


@dataclass(frozen=True, slots=True)
class OcrOutcome:
    """``words`` lie on the displayed page, in the engine's reading order; ``upright`` are the same words, one for one,
    on the page as it is read: turned clockwise by ``turn`` degrees and made straight, ``upright_width`` x
    ``upright_height`` (1/100 pt). Lines and blocks are to be sought there; evidence is shown on ``words``.

    ``horizontals`` and ``verticals`` are ruled lines seen in the picture, on the upright page like ``upright``.
    ``confidence`` is the mean over characters (0-1000), None without words. ``skew`` is in 1/10 degree.
    ``ink_fields`` counts fields that look written on, ``bare_fields`` those of them under no word.
    """

    words: tuple[RawWord, ...]
    upright: tuple[RawWord, ...]
    upright_width: int
    upright_height: int
    horizontals: tuple[Box, ...]
    verticals: tuple[Box, ...]
    frame: "Frame"
    confidence: int | None
    turn: int
    skew: int
    languages: tuple[str, ...]
    ink_fields: int
    bare_fields: int
    warnings: tuple[SourceWarning, ...]

    def shown(self, box: Box) -> Box | None:
        """A box of the upright page on the displayed one; None if nothing of it lies there."""
        return self.frame.shown(box)


def outcome_of(reading: Reading, image: PageImage, settings: OcrSettings) -> OcrOutcome:
    """Places a reading on the page that its picture shows."""
    frame = _frame(reading, image)
    pairs = [pair for word in reading.words if (pair := _placed(word, frame))]
    return OcrOutcome(
        words=tuple(shown for shown, _ in pairs),
        upright=tuple(upright for _, upright in pairs),
        upright_width=round(reading.wide * image.scale) + frame.left,
        upright_height=round(reading.high * image.scale) + frame.top,
        horizontals=tuple(map(frame.upright, reading.rules.across)),
        verticals=tuple(map(frame.upright, reading.rules.down)),
        frame=frame,
        confidence=reading.confidence,
        turn=reading.turn,
        skew=round(reading.skew * 10),
        languages=settings.languages,
        ink_fields=reading.ink.fields,
        bare_fields=reading.ink.bare,
        warnings=_warnings(reading, settings),
    )


def _frame(reading: Reading, image: PageImage) -> Frame:
    """Of a region that did not have to be turned, the upright page keeps the region's place."""
    scale, back = image.scale, reading.back
    left, top = (image.left, image.top) if reading.turn == 0 else (0, 0)
    c, f = back.at(-left / scale, -top / scale)
    moved = Affine(back.a, back.b, c * scale + image.left, back.d, back.e, f * scale + image.top)
    return Frame(scale, left, top, moved, Box(0, 0, image.width, image.height))


def _placed(word: PixelWord, frame: Frame) -> tuple[RawWord, RawWord] | None:
    """The word on the displayed page and on the upright one; None if it has no area on the page."""
    upright = frame.upright(word[1:5])
    shown = frame.shown(upright)
    if shown is None or not upright.has_area:
        return None
    base = word.baseline * frame.scale + frame.top
    _, shown_base = frame.back.at((upright.x0 + upright.x1) / 2, base)
    size = round(word.size * frame.scale)

    def raw(box: Box, line: float) -> RawWord:
        return RawWord(word.text, box, round(line), size, False, Origin.OCR, word.confidence, True)

    return raw(shown, shown_base), raw(upright, base)


def _warnings(reading: Reading, settings: OcrSettings) -> tuple[SourceWarning, ...]:
    found = []
    confidence = reading.confidence
    if confidence is not None and confidence < POOR:
        detail = f"The scan was hard to read (mean confidence {confidence} of 1000)."
        found.append(SourceWarning(WarningCode.OCR_LOW_CONFIDENCE, None, detail))
    foreign = foreign_script(reading.script, settings.languages) or foreign_text(reading.text, settings.languages)
    if foreign is not None:
        found.append(foreign)
    if reading.lost and reading.words:
        share = round(100 * reading.ink.bare / reading.ink.fields)
        detail = f"About {share} % of what looks written on this page gave no words. Look at the page."
        found.append(SourceWarning(WarningCode.OCR_LOW_CONFIDENCE, None, detail))
    if not reading.words:
        found.append(SourceWarning(WarningCode.NO_TEXT, None, "No text was recognised on this page."))
    return tuple(found)


def failed(image: PageImage, settings: OcrSettings, why: str) -> OcrOutcome:
    """No words, and the warning ``page_failed``."""
    warning = SourceWarning(WarningCode.PAGE_FAILED, None, f"The page could not be recognised. {why}")
    frame = Frame(image.scale, 0, 0, IDENTITY, Box(0, 0, image.width, image.height))
    size = image.width, image.height
    return OcrOutcome((), (), *size, (), (), frame, None, 0, 0, settings.languages, 0, 0, (warning,))
