"""A text page's words and lines as PyMuPDF has them, for less than it takes for that.

Where a font states an ascender and a descender that are together less than its size, PyMuPDF makes its characters as
tall as that size (``JM_char_quad``). To do so character by character is two thirds of what ``extractWORDS`` costs, and
half of ``extractDICT``. On a level line only top and foot move, and those of all characters of a span alike: here they
are worked out once a span, in single precision as in C. Any other page is left to PyMuPDF.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from ingest.mupdf import plain_quads
from ingest.page.lost_signs import lost_signs, may_lose

LEVEL = (1.0, 0.0)
"""The direction of a line that is read from left to right on an upright page."""

_EPSILON = np.float32(1.1920929e-07)  # FLT_EPSILON
_OFF = 2e-4  # points: what single precision makes of one height on a page of some thousand

_SURELY_TALL = 1.001  # of the size
_FEWEST_PAGES = 6
"""To learn a font takes the time that four pages save."""

_Line = dict[str, Any]
_Span = dict[str, Any]
_NO_LINE: _Line = {"spans": [], "dir": LEVEL, "wmode": 0}


class WordColumns(NamedTuple):
    """Words in content order, a column a property: edges in points, text, numbers of block and line, number on it."""

    x0s: Sequence[float]
    y0s: Sequence[float]
    x1s: Sequence[float]
    y1s: Sequence[float]
    texts: Sequence[str]
    of_block: Sequence[int]
    of_line: Sequence[int]
    on_line: Sequence[int]

    def rows(self, first: int, end: int) -> list[tuple[Any, ...]]:
        """Words ``first`` to ``end`` (half-open) as tuples."""
        return list(zip(*[column[first:end] for column in self], strict=True))


class DrawnLine(NamedTuple):
    """Words ``first`` to ``end`` (half-open) stand on line ``number`` of text block ``block``."""

    first: int
    end: int
    block: int
    number: int
    line: _Line


class DrawnText:
    """Words and lines of a text page. Heights of the lines and their spans are not mended but by ``exact_spans``."""

    def __init__(self, textpage: Any, fonts: "FontHeights") -> None:
        self._textpage = textpage
        self._exact: list[list[_Line]] | None = None
        with plain_quads():
            self._blocks = _lines_of_blocks(textpage)
            signs = any([may_lose(span["text"]) for span in _spans(self._blocks)])  # noqa: C419
            words = _columns(textpage) if not signs and self._may_mend(fonts) else None
        self.lines = [] if words is None else _lines(words, self._blocks)
        mended = None if words is None else self._mended(words, fonts)
        self.is_mended = mended is not None
        """False where the words are PyMuPDF's own."""
        if mended is None:
            mended = _columns(textpage)
            if signs:
                mended = _with_signs(mended, textpage)
            self.lines = [self._with_exact(found) for found in _lines(mended, self._blocks)]
        self.words: WordColumns = mended

    def exact_spans(self, block: int, number: int) -> list[_Span]:
        """The spans of a line with their heights."""
        spans: list[_Span] = _line_of(self._exact_blocks(), block, number)["spans"]
        return spans

    def _with_exact(self, found: DrawnLine) -> DrawnLine:
        line = found.line
        if len(line["spans"]) > 1 and line["dir"] != LEVEL:
            return found._replace(line={**line, "spans": self.exact_spans(found.block, found.number)})
        return found

    def _exact_blocks(self) -> list[list[_Line]]:
        if self._exact is None:
            self._exact = _lines_of_blocks(self._textpage)
        return self._exact

    def _may_mend(self, fonts: "FontHeights") -> bool:
        """True for level lines, of which none is low or ``fonts`` can tell how tall they are."""
        lines = [line for block in self._blocks for line in block]
        if not all([line["dir"] == LEVEL and not line["wmode"] for line in lines]):  # noqa: C419
            return False
        return fonts.worth_trying or not any([_is_low(span) for span in _spans(self._blocks)])  # noqa: C419

    def _mended(self, words: WordColumns, fonts: "FontHeights") -> WordColumns | None:
        """The words with mended heights; None if these cannot be told."""
        spans = [span for found in self.lines for span in found.line["spans"]]
        if not self.lines or not all([found.line["spans"] for found in self.lines]):  # noqa: C419
            return None
        if not any(map(_is_low, spans)):
            return words
        extents = fonts.extents(spans)
        if extents is None:
            fonts.learn(span for block in self._exact_blocks() for line in block for span in line["spans"])
            extents = fonts.extents(spans)
        fonts.tell(extents is not None)
        return None if extents is None else _with_heights(words, self.lines, extents)


class _Face(NamedTuple):
    """A font in one size: how far above the baseline its characters begin and end (points), as MuPDF has them and as
    PyMuPDF mends them; None where there is nothing to mend."""

    top: float
    foot: float
    mended: tuple[float, float] | None


class FontHeights:
    """What the fonts of one document state, as far as it was met."""

    def __init__(self, pages: int = 1) -> None:
        """``pages``: how many the document has."""
        self._stated: dict[str, tuple[float, float]] = {}
        self._told = 1 if pages >= _FEWEST_PAGES else -1

    @property
    def worth_trying(self) -> bool:
        """False for a short document, or one on most of whose pages the heights could not be told: stretched type, two
        fonts of one name."""
        return self._told >= 0

    def tell(self, known: bool) -> None:
        self._told += 1 if known else -1

    def learn(self, spans: Iterable[_Span]) -> None:
        """``spans`` are as PyMuPDF mends them: only those tell the ascender and descender that a font states."""
        self._stated.update({span["font"]: (span["ascender"], span["descender"]) for span in spans})

    def extents(self, spans: Sequence[_Span]) -> list[tuple[float, float]] | None:
        """Where the characters of each span begin and end. None if a font is not known or is another than that of its
        name, or if a character stands higher or lower than the rest of its span."""
        found = []
        for span in spans:
            if span["font"] not in self._stated:
                return None
            rise, fall, mended = _face(*self._stated[span["font"]], span["size"])
            base, (_, top, _, foot) = span["origin"][1], span["bbox"]
            if rise <= 0 or abs(base - rise - top) > _OFF or abs(base - fall - foot) > _OFF:
                return None
            if mended is not None:
                top, foot = (float(np.float32(base - edge)) for edge in mended)
            found.append((top, foot))
        return found


@lru_cache(maxsize=4096)
def _face(ascender: float, descender: float, size: float) -> _Face:
    up, down, by = np.float32(ascender), np.float32(descender), np.float32(size)
    tall = up - down + _EPSILON
    mended = None
    if tall < 1:
        up_part, down_part = up / tall, down / tall
        whole = up_part - down_part
        mended = float(up_part * by / whole), float(down_part * by / whole)
    return _Face(ascender * size, descender * size, mended)


def _is_low(span: _Span) -> bool:
    """True for type that may have to be mended."""
    return bool(span["bbox"][3] - span["bbox"][1] < _SURELY_TALL * span["size"])


def _with_heights(
    words: WordColumns, lines: Sequence[DrawnLine], extents: Sequence[tuple[float, float]]
) -> WordColumns | None:
    y0s: list[float] = []
    y1s: list[float] = []
    at = 0
    for first, end, _, _, line in lines:
        own = extents[at : at + len(line["spans"])]
        at += len(own)
        if own.count(own[0]) == len(own):
            y0s += [own[0][0]] * (end - first)
            y1s += [own[0][1]] * (end - first)
            continue
        held = _spans_of(words.texts[first:end], line["spans"])
        if held is None:
            return None
        y0s += [own[a][0] if a == b else min(own[a : b + 1])[0] for a, b in held]
        y1s += [own[a][1] if a == b else max([foot for _, foot in own[a : b + 1]]) for a, b in held]
    return words._replace(y0s=y0s, y1s=y1s)


def _spans_of(texts: Sequence[str], spans: Sequence[_Span]) -> list[tuple[int, int]] | None:
    """The first and the last span that hold characters of each word; None if a word is not found."""
    line = "".join([span["text"] for span in spans])
    ends = list(accumulate([len(span["text"]) for span in spans]))
    held: list[tuple[int, int]] = []
    at = 0
    for text in texts:
        found = line.find(text, at)
        if found < 0:
            return None
        at = found + len(text)
        held.append((bisect_right(ends, found), bisect_left(ends, at)))
    return held


def _columns(textpage: Any) -> WordColumns:
    words = textpage.extractWORDS()
    return WordColumns(*(zip(*words, strict=True) if words else [()] * 8))


def _with_signs(words: WordColumns, textpage: Any) -> WordColumns:
    """The words with the signs that MuPDF dropped, each a word at its place in its line."""
    rows = [((row[5], row[6], row[7], 1), row) for row in words.rows(0, len(words.texts))]
    for block, line, before, text, edges in lost_signs(textpage):
        rows.append(((block, line, before, 0), (*edges, text, block, line, 0)))
    rows.sort(key=lambda keyed: keyed[0])  # signs of one place stay in their order
    numbered: list[tuple[Any, ...]] = []
    for (block, line, *_), row in rows:
        follows = bool(numbered) and numbered[-1][5:7] == (block, line)
        numbered.append((*row[:7], numbered[-1][7] + 1 if follows else 0))
    return WordColumns(*(zip(*numbered, strict=True) if numbered else [()] * 8))


def _spans(blocks: list[list[_Line]]) -> list[_Span]:
    return [span for block in blocks for line in block for span in line["spans"]]


def _lines_of_blocks(textpage: Any) -> list[list[_Line]]:
    """Words name their block by its place among text blocks; the dictionary's own numbers count vectors in."""
    return [block["lines"] for block in textpage.extractDICT()["blocks"] if block["type"] == 0]


def _lines(words: WordColumns, blocks: list[list[_Line]]) -> list[DrawnLine]:
    starts = [i for i, n in enumerate(words.on_line) if n == 0]  # MuPDF counts the words of each line
    found = []
    for first, end in pairwise([*starts, len(words.texts)]):
        block, number = words.of_block[first], words.of_line[first]
        found.append(DrawnLine(first, end, block, number, _line_of(blocks, block, number)))
    return found


def _line_of(blocks: list[list[_Line]], block: int, number: int) -> _Line:
    return blocks[block][number] if block < len(blocks) and number < len(blocks[block]) else _NO_LINE
