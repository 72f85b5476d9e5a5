"""Glyphs that look like another character than the one that the file says they are.

Each character's ink is laid into a grid over its advance and its font's size, and compared with the grids of the
standard fonts' characters. A font of its own kind is like none of them; what counts is that a glyph is much more like
another character than like its own. That proves nothing: it is cause to read the line again.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingest.look.layers import Grey, draw_layers
from ingest.mupdf import pymupdf

_ACROSS, _DOWN = 6, 10
_RISE, _FALL = 0.78, 0.22
"""Of the font's size: how far the grid reaches above and below the baseline."""
_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_FONTS = ("helv", "hebo", "heit", "tiro", "tibo", "tiit", "cour", "cobo")
_ALIKE = (
    "0OoQDCGce", "1lIijtfrJLT7", "Ssz2Z5", "8B3", "6Gb", "9gqy", "Vvy", "Ww", "Xx", "Kk", "Uu", "Pp", "Mm", "nhu",
    "aeo", "Yy", "EF", "RKPB", "HNM",
)  # fmt: skip
"""Characters whose grids meet across fonts, so that one is no sign against the other. Digits stay apart."""
_LIKE, _MORE = 0.8, 0.08
"""Cosines: how like another character a glyph is, and by how much more than like its own. In 143,000 characters of
contracts 3 were so; of digits that were said to be other digits 99.8 % were, of letters 90 %."""
_SAME = 0.9
"""Cosine from which two glyphs of one character, advance and size are the same."""


class Glyph(NamedTuple):
    """A character of level text: its centre and advance in points, its baseline and its font's size."""

    character: str
    x0: float
    x1: float
    baseline: float
    size: float


def level_glyphs(textpage: Any) -> Iterator[Glyph]:
    for block in textpage.extractRAWDICT()["blocks"]:
        for line in block.get("lines", ()):
            if abs(line["dir"][1]) > 0.01 or line["dir"][0] < 0:
                continue
            for span in line["spans"]:
                size = span["size"]
                for char in span["chars"]:
                    x0, _, x1, _ = char["bbox"]
                    yield Glyph(char["c"], x0, x1, char["origin"][1], size)


def misshapen(glyphs: Sequence[Glyph], coverage: Grey, zoom: float) -> list[Glyph]:
    """Those that look like other characters. ``coverage``: ``Layers.glyphs``, ``zoom`` pixels a point."""
    known, names = _templates()
    asked = [g for g in glyphs if g.character in names and g.x1 - g.x0 > 1 and g.size >= 5]
    if not asked:
        return []
    asked.sort(key=_kind)
    grids, found, first = _grids(asked, coverage, zoom), [], 0
    for (character, *_), group in groupby(asked, key=_kind):
        same = list(group)
        own = grids[first : first + len(same)]
        first += len(same)
        other = own @ own[0] < _SAME  # a glyph that looks unlike the first of its kind is judged for itself
        judged = _is_another(own[[0]], character, known)[0]
        odd = np.flatnonzero(other | judged)
        found += [same[n] for n in odd if not other[n] or _is_another(own[[n]], character, known)[0]]
    return found


def _kind(glyph: Glyph) -> tuple[str, int, int]:
    return glyph.character, round(10 * (glyph.x1 - glyph.x0)), round(10 * glyph.size)


def _is_another(grids: NDArray[np.float32], character: str, known: NDArray[np.float32]) -> NDArray[np.bool_]:
    like = grids @ known.T
    own, others = _templates_of(character)
    mine, another = like[:, own].max(axis=1), like[:, others].max(axis=1)
    found: NDArray[np.bool_] = (another >= _LIKE) & (another - mine >= _MORE)
    return found


@cache
def _templates_of(character: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places of the templates of a character, and of those that it is told from."""
    names = _templates()[1]
    own = [n for n, name in enumerate(names) if name == character]
    others = [n for n, name in enumerate(names) if not _alike(name, character)]
    return np.array(own), np.array(others)


def _alike(one: str, other: str) -> bool:
    return one == other or (not (one.isdigit() and other.isdigit()) and any(one in g and other in g for g in _ALIKE))


def _grids(glyphs: Sequence[Glyph], coverage: Grey, zoom: float) -> NDArray[np.float32]:
    """A row of unit length for each glyph, without its mean."""
    total = np.zeros((coverage.shape[0] + 1, coverage.shape[1] + 1), dtype=np.int64)
    np.cumsum(coverage, axis=0, out=total[1:, 1:])
    np.cumsum(total, axis=1, out=total)
    x0, x1, base, size = np.array([g[1:] for g in glyphs]).T
    xs = (x0[:, None] + (x1 - x0)[:, None] * np.linspace(0, 1, _ACROSS + 1)) * zoom
    ys = (base[:, None] + size[:, None] * np.linspace(-_RISE, _FALL, _DOWN + 1)) * zoom
    corners = _between(total, ys[:, :, None], xs[:, None, :])
    cells = np.diff(np.diff(corners, axis=1), axis=2).reshape(len(glyphs), -1).astype(np.float32)
    cells -= cells.mean(axis=1, keepdims=True)
    cells /= np.maximum(np.linalg.norm(cells, axis=1, keepdims=True), 1e-9)
    rows: NDArray[np.float32] = cells
    return rows


def _between(total: NDArray[np.int64], ys: NDArray[np.float64], xs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of the summed coverage at places between pixels."""
    ys, xs = np.broadcast_arrays(ys.clip(0, total.shape[0] - 1.001), xs.clip(0, total.shape[1] - 1.001))
    row, column = ys.astype(int), xs.astype(int)
    down, right = ys - row, xs - column
    upper = total[row, column] * (1 - right) + total[row, column + 1] * right
    lower = total[row + 1, column] * (1 - right) + total[row + 1, column + 1] * right
    found: NDArray[np.float64] = upper * (1 - down) + lower * down
    return found


@cache
def _templates() -> tuple[NDArray[np.float32], tuple[str, ...]]:
    """Grids of the standard fonts' characters, and the character of each."""
    document = pymupdf.open()
    page = document.new_page(width=900, height=900)
    for row, font in enumerate(_FONTS):
        page.insert_text((20, 40 + 50 * row), " ".join(_CHARACTERS), fontname=font, fontsize=12)
    layers, _ = draw_layers(page)
    glyphs = [g for g in level_glyphs(page.get_textpage()) if g.character in _CHARACTERS]
    found = _grids(glyphs, layers.glyphs, layers.zoom)
    document.close()
    return found, tuple(g.character for g in glyphs)
