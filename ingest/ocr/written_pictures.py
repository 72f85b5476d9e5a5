"""Pictures on a page of text that look written on: a pasted letter, a scanned exhibit, a labelled chart.

A page that is mainly a picture is recognised whole (``decoding``). On any other page such pictures are, since their
text would be missing and nothing would say so. Photographs and logos are left alone. Of 525 pages of the corpus, 11
pictures stand beside text; the rule takes the three that hold print (two sheets of charts, one diagram).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ingest.mupdf import pymupdf
from ingest.ocr.image import ink_without_words
from ingest.page.raw import RawWord
from ingest.page.seen import Sheet
from verify.domain.document import SourceWarning, WarningCode
from verify.domain.geometry import UNITS_PER_POINT, Box

if TYPE_CHECKING:
    from ingest.ocr.pages import OcrOutcome

_WIDE, _HIGH, _SHARE = 9_000, 3_000, 0.02
"""1/100 pt, and share of the page: what is smaller is a logo or a signature."""
_MOST = 6
_DPI = 75
_BARE, _BARE_SHARE = 100, 0.25
"""Fields of ink under no word (``ink_without_words``): a full line of print has about 140."""
_READABLE = 500
"""Mean confidence under which what was read in a picture is no text but its strokes."""


def written_pictures(
    displaylist: "pymupdf.DisplayList", words: Sequence[RawWord], pictures: Sequence[Box], area: int
) -> tuple[Box, ...]:
    """Those of the placed pictures that hold what looks like print and is under no word. Costs about 25 ms a picture
    that is large enough."""
    return tuple(box for box in _large(pictures, area) if _is_written(displaylist, words, box))


def _large(pictures: Sequence[Box], area: int) -> list[Box]:
    """The largest ones, none within another."""
    kept: list[Box] = []
    for box in sorted(set(pictures), key=lambda b: (-(b.x1 - b.x0) * (b.y1 - b.y0), b)):
        wide, high = box.x1 - box.x0, box.y1 - box.y0
        if wide < _WIDE or high < _HIGH or wide * high < _SHARE * area or len(kept) == _MOST:
            continue
        if not any(a.x0 <= box.x0 and a.y0 <= box.y0 and a.x1 >= box.x1 and a.y1 >= box.y1 for a in kept):
            kept.append(box)
    return kept


def _is_written(displaylist: "pymupdf.DisplayList", words: Sequence[RawWord], box: Box) -> bool:
    clip = pymupdf.Rect(*(edge / UNITS_PER_POINT for edge in box))
    picture = displaylist.get_pixmap(
        matrix=pymupdf.Matrix(_DPI / 72, _DPI / 72), colorspace=pymupdf.csGRAY, alpha=False, clip=clip
    )
    pixels = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
    scale = _DPI / 72 / UNITS_PER_POINT
    x, y = picture.x, picture.y
    boxes = [
        (w.box.x0 * scale - x, w.box.y0 * scale - y, w.box.x1 * scale - x, w.box.y1 * scale - y)
        for w in words
        if w.box.overlaps(box)
    ]
    ink = ink_without_words(pixels, boxes, _DPI)
    return ink.bare >= _BARE and ink.bare >= _BARE_SHARE * ink.fields


def add_recognised(sheet: Sheet, outcomes: Sequence["OcrOutcome"]) -> list[RawWord]:
    """Puts what was read in the pictures of a page beside its own words, none of which is read twice. Returns the new
    words; a picture that could not be read is told."""
    index, own = sheet.raw.index, sheet.raw.words
    found: list[RawWord] = []
    for outcome in outcomes:
        if outcome.confidence is None or outcome.confidence < _READABLE:
            sheet.warnings.append(unread_picture(index))
            continue
        sheet.warnings += [warning._replace(page_index=index) for warning in outcome.warnings]
        new = [w for w in outcome.words if not any(o.box.overlaps(w.box) for o in own)]
        found += new
        if new:
            sheet.ocr_confidence = min(outcome.confidence, sheet.ocr_confidence or outcome.confidence)
    if found:
        detail = f"{len(found)} words were recognised in pictures on this page"
        sheet.warnings.append(SourceWarning(WarningCode.OCR_USED, index, detail))
        sheet.raw = replace(sheet.raw, words=(*own, *found))
    return found


def unread_picture(index: int) -> SourceWarning:
    detail = "A picture on this page looks written on and was not read. Look at the page."
    return SourceWarning(WarningCode.OCR_LOW_CONFIDENCE, index, detail)
