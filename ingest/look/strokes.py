"""What is drawn among the words of a line, or between lines, and is no text: strokes through words, and objects.

Seen on the page without its text, against the colour that each word stands on: a rule under or over a line, a
table's border and a tint under words are no objects, whatever else has ink there is.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ingest.look.layers import Layers, apart
from ingest.look.words import STANDS_OUT, native_words
from verify.domain.document import Page
from verify.domain.geometry import Box, union

Mask = NDArray[np.bool_]
_T = TypeVar("_T", bound=np.generic)

_THROUGH = 0.3
"""Share of a word's width from which ink in its middle is a stroke through it."""
_SOME_INK = 12  # pixels
_LIGHT = 150  # of 255, in the darkest channel
_DENSE = 0.6
_FLAT = 0.9
_THIN = 2.0  # points
_REACH = 0.6
"""Of a line's height: how far above and below its letters an insertion may be written."""
_MARGIN = 0.15
"""Of a line's height: by how much slanted letters may lean out of their word's box."""


class Strokes(NamedTuple):
    """``unsaid``: words of lines where text has ink that no word says."""

    struck: tuple[int, ...]
    objects: tuple[Box, ...]
    unsaid: tuple[int, ...]


class _Zone(NamedTuple):
    """Rows of a line, in pixels of its band: top of its letters, of its small letters, and the line they stand on."""

    top: int
    middle: int
    base: int

    @property
    def low(self) -> int:
        """Above what underlines the words."""
        return max(self.middle + 1, self.base - max(1, (self.base - self.middle) // 6))


def strokes_on(page: Page, layers: Layers) -> Strokes:
    """Of all lines of text of the page."""
    struck: list[int] = []
    objects: list[Box] = []
    unsaid_on: list[int] = []
    unsaid = _unsaid_ink(page, layers)
    drawn_on = bool((layers.bare != layers.bare[0, 0]).any())
    for words in rows_of(page):
        band = _Band(page, layers, words, unsaid)
        if band.is_empty(drawn_on):
            continue
        through, found = band.look()
        unsaid_on += words if band.has_unsaid else []
        struck += through
        objects += found
    return Strokes(tuple(sorted(struck)), tuple(sorted(set(objects))), tuple(unsaid_on))


def rows_of(page: Page) -> list[list[int]]:
    """Words of the page's text line by line. What follows on the same row is of one line with what stands before it,
    however wide the room between them: there a word may be drawn that is no text."""
    rows: list[list[int]] = []
    for i in sorted(native_words(page), key=lambda i: page.words[i].start):
        word = page.words[i]
        last = page.words[rows[-1][-1]] if rows else None
        if last is not None and (last.line == word.line or _goes_on(last.box, word.box)):
            rows[-1].append(i)
        else:
            rows.append([i])
    return rows


def _goes_on(one: Box, other: Box) -> bool:
    shared = min(one.y1, other.y1) - max(one.y0, other.y0)
    return other.x0 >= one.x1 and 10 * shared >= 6 * min(one.y1 - one.y0, other.y1 - other.y0)


def _unsaid_ink(page: Page, layers: Layers) -> Mask:
    """Ink of text that lies in no word's box: glyphs that the file gives no characters."""
    ink = layers.ink >= STANDS_OUT
    for word in page.words:
        if not word.visible:
            continue
        x0, y0, x1, y1 = word.box
        lean = round(_MARGIN * min(x1 - x0, y1 - y0))
        rows, columns = layers.pixels(Box(max(0, x0 - lean), max(0, y0 - lean), x1 + lean, y1 + lean))
        ink[rows, columns] = False
    return ink


class _Band:
    """One line with the room above and below it, laid so that its words follow one another along the columns."""

    def __init__(self, page: Page, layers: Layers, words: Sequence[int], unsaid: Mask) -> None:
        self._layers = layers
        box = union(page.words[i].box for i in words)
        self._sideways = _is_sideways(page, words)
        height = box.x1 - box.x0 if self._sideways else box.y1 - box.y0
        reach = round(_REACH * height)
        wide = (reach, 0) if self._sideways else (0, reach)
        room = Box(
            max(0, box.x0 - wide[0]), max(0, box.y0 - wide[1]),
            min(page.width, box.x1 + wide[0]), min(page.height, box.y1 + wide[1]),
        )  # fmt: skip
        self._rows, self._columns = layers.pixels(room)
        self._bare = self._laid(layers.bare)
        self._glyphs = self._laid(layers.glyphs)
        self.unsaid = self._laid(unsaid)
        spans = [(*self._span(page.words[i].box), i) for i in words]
        self._words = sorted(spans)
        self._inner = self._across(box)
        self._rows_of = {i: self._across(page.words[i].box) for i in words}

    def _laid(self, picture: NDArray[_T]) -> NDArray[_T]:
        part = picture[self._rows, self._columns]
        return part.swapaxes(0, 1) if self._sideways else part

    def _span(self, box: Box) -> tuple[int, int]:
        """Columns of a box in the band."""
        rows, columns = self._layers.pixels(box)
        along, first = (rows, self._rows) if self._sideways else (columns, self._columns)
        return max(along.start - first.start, 0), along.stop - first.start

    def _across(self, box: Box) -> tuple[int, int]:
        rows, columns = self._layers.pixels(box)
        across, first = (columns, self._columns) if self._sideways else (rows, self._rows)
        return max(across.start - first.start, 0), across.stop - first.start

    def is_empty(self, drawn_on: bool) -> bool:
        """True of a line where nothing is drawn: most lines of most pages."""
        flat = not drawn_on or not (self._bare != self._bare[:1, :1]).any()
        return flat and not self.unsaid.any()

    @property
    def has_unsaid(self) -> bool:
        """True if it is more than the tip of a slanted letter."""
        return int(self.unsaid[self._inner[0] : self._inner[1]].sum()) >= _SOME_INK

    def _zone(self, rows: tuple[int, int], columns: tuple[int, int]) -> _Zone:
        """By how much ink the glyphs have on each row: between base and small letters' height most of it."""
        first, end = rows
        ink = self._glyphs[first:end, columns[0] : columns[1]].astype(np.int64).sum(axis=1)
        if not ink.any():
            height = end - first
            return _Zone(first + height // 6, first + height // 3, first + 3 * height // 4)
        held = np.flatnonzero(ink * 3 >= ink.max())
        return _Zone(first + int(np.flatnonzero(ink)[0]), first + int(held[0]), first + int(held[-1]) + 1)

    def _drawn(self) -> Mask:
        """Where the page without text differs from what each word stands on, or text has ink that no word says."""
        grounds = [_ground(self._bare[self._inner[0] : self._inner[1], a:b]) for a, b, _ in self._words]
        differing = {}
        for ground in set(grounds):
            flat = np.broadcast_to(np.array(ground, np.uint8), self._bare.shape)
            differing[ground] = apart(self._bare, flat) >= STANDS_OUT
        found: Mask = np.zeros(self._bare.shape[:2], dtype=np.bool_)
        for n, ((first, end, _), ground) in enumerate(zip(self._words, grounds, strict=True)):
            found[:, first:end] = differing[ground][:, first:end]
            if n + 1 < len(grounds):
                following = self._words[n + 1][0]
                both = differing[ground] & differing[grounds[n + 1]]
                found[:, end:following] = both[:, end:following]
        return found | self.unsaid

    def struck(self, drawn: Mask, line: _Zone) -> Iterator[tuple[int, int, int]]:
        """Words with a stroke through their middle: first and end column, index. A word of few letters may have as much
        ink below the line that it stands on as above ("by"), where it is underlined."""
        for first, end, i in self._words:
            zone = self._zone(self._rows_of[i], (first, end))
            if zone.middle < line.base < zone.base:
                zone = zone._replace(base=line.base)
            middle = drawn[zone.middle : zone.low, first:end]
            if middle.size and middle.any(axis=0).mean() >= _THROUGH and middle.mean() < _DENSE:
                yield first, end, i

    def look(self) -> tuple[list[int], list[Box]]:
        """Words with a stroke through them; what is drawn between two words, in a word without being a stroke, and
        above or below the line."""
        drawn = self._drawn()
        first, end = self._words[0][0], max(w[1] for w in self._words)
        zone = self._zone(self._inner, (first, end))
        struck = list(self.struck(drawn, zone))
        found = []
        core = drawn[zone.middle : zone.low]
        for a, b in _runs(core.any(axis=0), first, end):
            stroke = any(a < right and left < b for left, right, _ in struck)
            if not stroke and not self._is_rule(drawn, a, b) and not self._is_tint(core, zone, a, b):
                found.append(self._box(drawn[zone.top : zone.base], a, b, zone.top))
        for top, foot in ((0, max(zone.top - 1, 0)), (zone.base + 2, drawn.shape[0])):
            found += self._beside(drawn, top, foot, first, end)
        return [i for _, _, i in struck], found

    def _beside(self, drawn: Mask, top: int, foot: int, first: int, end: int) -> Iterator[Box]:
        """Above or below the letters: what is no rule, and does not reach on from beyond the band."""
        outer = _without_rules(drawn[top:foot], 2 * (self._inner[1] - self._inner[0]))
        if not outer.any():
            return
        for a, b in _runs(outer.any(axis=0), first, end):
            rows = np.flatnonzero(outer[:, a:b].any(axis=1))
            high = int(rows[-1]) - int(rows[0]) + 1
            edge = int(rows[0]) == 0 if top == 0 else int(rows[-1]) == outer.shape[0] - 1
            if not edge and high > self._thin() and b - a > 2:
                yield self._box(outer, a, b, top)

    def _thin(self) -> int:
        """Pixels that a rule may be thick."""
        return max(2, round(_THIN * self._layers.zoom) + 1)

    def _is_rule(self, drawn: Mask, a: int, b: int) -> bool:
        """An upright rule: thin, and taller than the line."""
        return b - a <= self._thin() and bool(drawn[self._inner[0] : self._inner[1], a:b].any(axis=1).mean() > _FLAT)

    def _is_tint(self, core: Mask, zone: _Zone, a: int, b: int) -> bool:
        """A flat light area as tall as the letters: the edge of a tint under words."""
        part = core[:, a:b]
        colours = self._bare[zone.middle : zone.low, a:b][part]
        return bool(part.mean() > _FLAT and np.median(colours.min(axis=1)) >= _LIGHT)

    def _box(self, drawn: Mask, a: int, b: int, top: int) -> Box:
        """The box of what ``drawn``, whose first row is the band's ``top``, has in columns ``a`` to ``b``."""
        rows = np.flatnonzero(drawn[:, a:b].any(axis=1))
        y0, y1 = top + int(rows[0]), top + int(rows[-1]) + 1
        if self._sideways:
            return self._layers.box((self._rows.start + a, self._rows.start + b),
                                    (self._columns.start + y0, self._columns.start + y1))  # fmt: skip
        return self._layers.box((self._rows.start + y0, self._rows.start + y1),
                                (self._columns.start + a, self._columns.start + b))  # fmt: skip


def _is_sideways(page: Page, words: Sequence[int]) -> bool:
    tall = sum(len(page.words[i].text) for i in words if _taller(page.words[i].box))
    return 2 * tall > sum(len(page.words[i].text) for i in words) and any(len(page.words[i].text) > 2 for i in words)


def _taller(box: Box) -> bool:
    return 2 * (box.y1 - box.y0) > 3 * (box.x1 - box.x0)


def _ground(patch: NDArray[np.uint8]) -> tuple[int, int, int]:
    """The commonest colour."""
    packed = patch.astype(np.int32) @ np.array([65536, 256, 1], dtype=np.int32)
    values, counts = np.unique(packed, return_counts=True)
    found = int(values[counts.argmax()])
    return found >> 16, found >> 8 & 255, found & 255


def _runs(columns: Any, first: int, end: int, gap: int = 3) -> Iterable[tuple[int, int]]:
    """Half-open runs of columns that hold something, those less than ``gap`` apart as one."""
    held = np.flatnonzero(columns[first:end]) + first
    if not held.size:
        return []
    breaks = np.flatnonzero(np.diff(held) > gap)
    starts = [int(held[0]), *(int(held[i + 1]) for i in breaks)]
    ends = [*(int(held[i]) + 1 for i in breaks), int(held[-1]) + 1]
    return list(zip(starts, ends, strict=True))


def _without_rules(drawn: Mask, length: int) -> Mask:
    """Without level lines at least ``length`` pixels long, and upright ones that run from edge to edge beside them."""
    level = _long_runs(drawn, length)
    rest = drawn & ~level
    rows = ~level.any(axis=1)
    if rows.any():
        rest[:, rest[rows].mean(axis=0) > _FLAT] = False
    return rest


def _long_runs(mask: Mask, length: int) -> Mask:
    """Where at least ``length`` neighbouring pixels of a row are set."""
    if mask.shape[1] < length:
        return np.zeros_like(mask)
    total = np.cumsum(np.pad(mask, ((0, 0), (1, 0))), axis=1, dtype=np.int32)
    begins = total[:, length:] - total[:, :-length] == length
    marks = np.zeros((mask.shape[0], mask.shape[1] + 1), dtype=np.int32)
    marks[:, : begins.shape[1]] += begins
    marks[:, length:] -= begins
    return np.cumsum(marks, axis=1)[:, :-1] > 0
