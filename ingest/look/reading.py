"""Lines read again by OCR from the page as it is displayed: a second witness beside the file's own text."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingest.look.disagreement import ReadWord, disagreements
from ingest.mupdf import pymupdf
from ingest.ocr.engine import LINES, Engine, PixelWord
from verify.domain.document import Page
from verify.domain.geometry import UNITS_PER_POINT, Box, union
from verify.domain.look import Misread

Grey = NDArray[np.uint8]


class _How(NamedTuple):
    """``tall``: pixels that a line is made high. ``sure``: least confidence (0-1000) of what disagrees."""

    tall: int
    sure: int


_FIRST, _SECOND = _How(46, 600), _How(62, 800)
"""The second reading has to confirm, word for word, what disagreed in the first."""
_GAP = 40
_MARGIN = 12
_WIDEST = 6000
_DPI = 300


class _Strip(NamedTuple):
    """A line's words, neighbours of the page's, and its picture."""

    words: Sequence[int]
    picture: Grey


def read_again(
    page: Page, shown: "pymupdf.Page", lines: Sequence[Sequence[int]], engine: Engine, main: str | None
) -> tuple[Misread, ...]:
    """Where two readings of the lines, at different sizes, agree with each other and not with the text.

    ``lines`` are words of one line each, in text order. Raises OcrFailed.
    """
    first = _misread(page, shown, lines, engine, main, _FIRST)
    if not first:
        return ()
    doubted = [words for words in lines if any(_lies_on(found, words) for found in first)]
    return tuple(sorted(first & _misread(page, shown, doubted, engine, main, _SECOND)))


def _lies_on(found: Misread, words: Sequence[int]) -> bool:
    return words[0] <= found.first <= words[-1] + 1


def _misread(
    page: Page, shown: "pymupdf.Page", lines: Sequence[Sequence[int]], engine: Engine, main: str | None, how: _How
) -> set[Misread]:
    drawn = shown.get_displaylist(annots=1)
    strips = [_Strip(words, _picture(drawn, union(page.words[i].box for i in words), how.tall)) for words in lines]
    sheet, tops = _sheet([strip.picture for strip in strips])
    read = engine.read_words(sheet, _DPI, main, LINES)
    found: set[Misread] = set()
    for strip, top in zip(strips, tops, strict=True):
        inside = [w for w in read if top <= (w.y0 + w.y1) / 2 < top + strip.picture.shape[0] + _GAP]
        said = [(i, page.words[i].text) for i in strip.words]
        found.update(disagreements(said, [ReadWord(w.text, w.confidence) for w in _in_order(inside)], how.sure))
    return found


def _in_order(words: Iterable[PixelWord]) -> list[PixelWord]:
    return sorted(words, key=lambda w: w.x0)


def _picture(drawn: "pymupdf.DisplayList", box: Box, tall: int) -> Grey:
    """A line in grey, upright if it runs up or down the page."""
    x0, y0, x1, y1 = (edge / UNITS_PER_POINT for edge in box)
    upright = y1 - y0 <= 2 * (x1 - x0)
    zoom = min(tall / max(min(y1 - y0, x1 - x0), 1), _WIDEST / max(x1 - x0, y1 - y0, 1))
    picture = drawn.get_pixmap(
        matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False, clip=pymupdf.Rect(x0, y0, x1, y1)
    )
    pixels = np.frombuffer(picture.samples, dtype=np.uint8).reshape(picture.height, picture.stride)[:, : picture.width]
    dark = np.median(pixels) < 128  # white letters on black
    pixels = 255 - pixels if dark else pixels
    return pixels if upright else np.rot90(pixels, -1)


def _sheet(pictures: Sequence[Grey]) -> tuple[Grey, list[int]]:
    """The lines one below another, and the row where the room of each begins."""
    wide = max(p.shape[1] for p in pictures) + 2 * _MARGIN
    high = sum(p.shape[0] + _GAP for p in pictures) + _GAP
    sheet = np.full((high, wide), 255, dtype=np.uint8)
    tops, at = [], _GAP
    for picture in pictures:
        sheet[at : at + picture.shape[0], _MARGIN : _MARGIN + picture.shape[1]] = picture
        tops.append(at - _GAP // 2)
        at += picture.shape[0] + _GAP
    return sheet, tops
