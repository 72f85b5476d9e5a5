"""Which words of a page can be seen: ink where glyphs are said to be, in a shape and size that can be read."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ingest.look.layers import Layers, apart
from verify.domain.document import OWN_TEXT, Origin, Page, Word

LEGIBLE = 36
"""Least difference (0-255, ``layers.apart``) of a glyph from what it stands on. #e0e0e0 on white has 38."""

PAINTED = 64
"""Coverage (0-255) from which a pixel counts as part of a glyph."""
_SEEN = 0.5
"""Share of a character's ink that has to be seen."""
_FULL, _EVEN = 0.85, 0.9
"""Share of a word's pixels that glyphs paint, above which they may hide one another; and share of one colour, above
which they do: a pale watermark behind letters does not."""
_LOWEST, _NARROWEST = 300, 50
"""1/100 pt: a line less tall than 3 pt, or characters narrower than half a point, cannot be read."""
STANDS_OUT = 48
"""Difference from which something drawn has ink; paler tints and watermarks are passed over."""


def native_words(page: Page) -> list[int]:
    """Indexes of the visible words of the page's own text that the file sets as text."""
    own = {i for e in page.elements if e.kind in OWN_TEXT for i in range(e.first_word, e.end_word)}
    return [i for i, w in enumerate(page.words) if w.visible and w.origin is Origin.NATIVE and i not in own]


def unseen_words(page: Page, layers: Layers) -> Iterator[int]:
    """Words that a reader cannot see or cannot read."""
    for i in native_words(page):
        word = page.words[i]
        if _is_tiny(word) or not _is_seen(word, layers):
            yield i


def without_glyphs(page: Page, layers: Layers) -> Iterator[int]:
    """Words that are shown by other means than plain glyphs (a pattern, say), so that only a reading can tell."""
    for i in native_words(page):
        word = page.words[i]
        if _has_letters(word) and not (layers.glyphs[layers.pixels(word.box)] >= PAINTED).any():
            yield i


def _has_letters(word: Word) -> bool:
    return any(c.isalnum() for c in word.text)


def _is_tiny(word: Word) -> bool:
    x0, y0, x1, y1 = word.box
    if not _has_letters(word):
        return False
    long, short = max(x1 - x0, y1 - y0), min(x1 - x0, y1 - y0)
    if len(word.text) < 4:  # may be taller than wide
        return 3 * long < 4 * _LOWEST
    return short < _LOWEST or long < _NARROWEST * len(word.text)


def _is_even(patch: NDArray[np.uint8]) -> bool:
    middle = np.median(patch.reshape(-1, 3), axis=0).astype(np.uint8)
    return bool((apart(patch, np.broadcast_to(middle, patch.shape)) < LEGIBLE).mean() > _EVEN)


def _is_seen(word: Word, layers: Layers) -> bool:
    area = layers.pixels(word.box)
    glyphs = layers.glyphs[area]
    painted = glyphs >= PAINTED
    if not painted.any():
        return not _has_letters(word) or bool(np.ptp(layers.full[area].reshape(-1, 3), axis=0).max() >= STANDS_OUT)
    if _has_letters(word) and len(word.text) > 1 and painted.mean() > _FULL and _is_even(layers.full[area]):
        return False
    expected = np.where(painted, glyphs, 0).astype(np.int32)
    seen = np.where(layers.ink[area].astype(np.int32) * 255 >= LEGIBLE * expected, expected, 0)
    along = 0 if expected.shape[1] >= expected.shape[0] or len(word.text) < 2 else 1
    said, shown = expected.sum(axis=along), seen.sum(axis=along)
    cells = np.linspace(0, len(said), min(len(word.text), len(said)) + 1).astype(int)[:-1]
    of_cell, shown_of_cell = np.add.reduceat(said, cells), np.add.reduceat(shown, cells)
    weighty = of_cell * 5 >= of_cell.max()
    return bool((shown_of_cell[weighty] >= _SEEN * of_cell[weighty]).all())
