"""Pictures of pages as grey arrays: making them upright, straight and even, and telling ink from words.

Angles are in degrees; a positive skew means that lines fall towards the right. Coordinates are pixels, y down.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

Grey = NDArray[np.uint8]

SKEW_LIMIT = 10.0
_POINTS = 60_000
_SMALL_SIDE = 1000
_FEW_SPECKS, _SPECK_SHARE = 0.0005, 0.03
_STRIP = 320
_SOFT = 150
"""Rows that are looked at for blots, and the grey under which a pixel belongs to one: made larger, a speck is soft."""
_BAND, _MOST_BANDS = 8, 0.9


class Affine(NamedTuple):
    """Maps a changed image's point to the original's: ``x = a*u + b*v + c``, ``y = d*u + e*v + f``."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def at(self, u: float, v: float) -> tuple[float, float]:
        return self.a * u + self.b * v + self.c, self.d * u + self.e * v + self.f

    def after(self, first: "Affine") -> "Affine":
        """``self`` applied to what ``first`` gives."""
        c, f = self.at(first.c, first.f)
        return Affine(
            self.a * first.a + self.b * first.d, self.a * first.b + self.b * first.e, c,
            self.d * first.a + self.e * first.d, self.d * first.b + self.e * first.e, f,
        )  # fmt: skip

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """The upright box around the mapped box."""
        xs, ys = zip(*(self.at(x, y) for x in (x0, x1) for y in (y0, y1)), strict=True)
        return min(xs), min(ys), max(xs), max(ys)


IDENTITY = Affine(1, 0, 0, 0, 1, 0)


def turned(image: Grey, degrees: int) -> tuple[Grey, Affine]:
    """The image turned clockwise by 0, 90, 180 or 270 degrees, and the way back."""
    height, width = image.shape
    back = {
        0: IDENTITY,
        90: Affine(0, 1, 0, -1, 0, height),
        180: Affine(-1, 0, width, 0, -1, height),
        270: Affine(0, -1, width, 1, 0, 0),
    }[degrees]
    return np.ascontiguousarray(np.rot90(image, -degrees // 90)), back


def straightened(image: Grey, skew: float) -> tuple[Grey, Affine]:
    """The image turned against its skew about its centre, on a canvas that holds all of it, and the way back."""
    height, width = image.shape
    angle = math.radians(skew)
    cos, sin = math.cos(angle), math.sin(angle)
    wide = math.ceil(width * cos + height * abs(sin))
    high = math.ceil(height * cos + width * abs(sin))
    # Output to input: turn by +skew (clockwise on a y-down canvas) about the centres.
    back = Affine(
        cos, -sin, width / 2 - cos * wide / 2 + sin * high / 2,
        sin, cos, height / 2 - sin * wide / 2 - cos * high / 2,
    )  # fmt: skip
    picture = Image.fromarray(image).transform(
        (wide, high), Image.Transform.AFFINE, back, Image.Resampling.BICUBIC, fillcolor=255
    )
    return np.asarray(picture), back


def evened(image: Grey) -> Grey:
    """The image with its shadows divided out. The paper under the ink is found by closing (72 pixels wide), which
    keeps a shadow's hard edge where a blur would not."""
    picture = Image.fromarray(image)
    small = picture.resize((max(picture.width // 8, 1), max(picture.height // 8, 1)), Image.Resampling.BOX)
    paper = small.filter(ImageFilter.MaxFilter(9)).filter(ImageFilter.MinFilter(9))
    background = paper.resize(picture.size, Image.Resampling.BILINEAR)
    flat = image.astype(np.float32) / np.maximum(np.asarray(background, dtype=np.float32), 1) * 255
    return np.clip(flat, 0, 255).astype(np.uint8)


def without_specks(image: Grey) -> Grey:
    """The image without its specks if it is strewn with them, else as it is.

    Dark pixels that touch no other go with a 3x3 median. A speck of a scan with half this resolution is a blot of up to
    3x3 pixels here, which a median leaves: it is painted out first. A full stop of 8-point print is larger than that.
    """
    rows = image.shape[0]
    dark = image[rows // 4 : rows // 2] < 128
    if dark.shape[0] < 5 or dark.shape[1] < 5:
        return image
    inner = dark[1:-1, 1:-1]
    alone = inner & ~(dark[:-2, 1:-1] | dark[2:, 1:-1] | dark[1:-1, :-2] | dark[1:-1, 2:])
    if _is_strewn(alone, inner):
        return np.asarray(Image.fromarray(image).filter(ImageFilter.MedianFilter(3)))
    some = image[rows // 4 : rows // 4 + _STRIP] < _SOFT
    if not (_is_strewn(_blots(some), some) and _everywhere(_blots(some))):
        return image
    clean = image.copy()
    clean[_grown(_blots(image < _SOFT))] = np.median(image[::8, ::8])
    return np.asarray(Image.fromarray(clean).filter(ImageFilter.MedianFilter(3)))


def _is_strewn(specks: NDArray[np.bool_], dark: NDArray[np.bool_]) -> bool:
    return bool(specks.sum() > max(_FEW_SPECKS * dark.size, _SPECK_SHARE * dark.sum()))


def _everywhere(specks: NDArray[np.bool_]) -> bool:
    """True if nearly every band of the height of a dot holds some, which the dots that lead to a value do not."""
    bands = specks[: len(specks) // _BAND * _BAND].reshape(-1, _BAND, specks.shape[1])
    return bool(bands.any(axis=(1, 2)).mean() > _MOST_BANDS)


def _blots(dark: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Dark pixels of blots that fit into 3x3 pixels with a white rim around them."""
    within = _sums(dark, 3)[1:-1, 1:-1]
    found = (_sums(dark, 5) == within) & (within > 0)
    blots = np.zeros_like(dark)
    height, width = found.shape
    for down in range(1, 4):
        for right in range(1, 4):
            blots[down : down + height, right : right + width] |= found
    return blots & dark


def _sums(dark: NDArray[np.bool_], side: int) -> NDArray[np.int32]:
    """How many pixels are set in each square of ``side`` pixels, by its top left corner."""
    total = np.zeros((dark.shape[0] + 1, dark.shape[1] + 1), dtype=np.int32)
    np.cumsum(np.cumsum(dark, axis=0, dtype=np.int32), axis=1, out=total[1:, 1:])
    return total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side]


def _grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask and the soft rim of one pixel around it."""
    tall = mask.copy()
    tall[1:] |= mask[:-1]
    tall[:-1] |= mask[1:]
    wide = tall.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


def _background(picture: Image.Image, step: int) -> Image.Image:
    """The paper without its ink, at 1/step of the size: the lightest of each neighbourhood, blurred."""
    size = (max(picture.width // step, 1), max(picture.height // step, 1))
    small = picture.resize(size, Image.Resampling.BOX)
    return small.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.GaussianBlur(3))


def skew_of(image: Grey) -> float:
    """The skew of the lines of text, -10 to 10 in steps of 0.1; 0 where the page shows none clearly.

    The sheared row profile of straight lines is the most uneven (Postl 1986): its squared steps are the score.
    """
    ys, xs = np.nonzero(_small_ink(image))
    if len(xs) < 200:
        return 0.0
    if len(xs) > _POINTS:
        chosen = np.linspace(0, len(xs) - 1, _POINTS).astype(np.intp)
        ys, xs = ys[chosen], xs[chosen]
    xs = xs - xs.mean()
    flat = _unevenness(xs, ys, 0.0)
    best = max(np.arange(-SKEW_LIMIT, SKEW_LIMIT + 0.1, 0.5), key=lambda a: _unevenness(xs, ys, float(a)))
    best = max(np.arange(best - 0.4, best + 0.45, 0.1), key=lambda a: _unevenness(xs, ys, float(a)))
    clear = _unevenness(xs, ys, float(best)) > 1.15 * flat and abs(best) < SKEW_LIMIT
    return round(float(best), 1) if clear else 0.0


def _unevenness(xs: NDArray[np.floating], ys: NDArray[np.integer], skew: float) -> float:
    rows = ys - xs * math.tan(math.radians(skew))
    profile = np.bincount((rows - rows.min()).astype(np.intp))
    return float(np.square(np.diff(profile.astype(np.float64))).sum())


def _small_ink(image: Grey) -> NDArray[np.bool_]:
    """Where ink is, on the page made smaller: what is clearly darker than the paper around it."""
    picture = Image.fromarray(image)
    factor = max(1, math.ceil(max(picture.size) / _SMALL_SIDE))
    small = picture.reduce(factor) if factor > 1 else picture
    return _darker(small, 8)


def _darker(small: Image.Image, step: int) -> NDArray[np.bool_]:
    """Pixels darker than the paper around them, by 0.4 of what the darkest ink of the page is (faint print counts)."""
    background = _background(small, step).resize(small.size, Image.Resampling.BILINEAR)
    paper = np.maximum(np.asarray(background, dtype=np.float32), 1)
    depth = 1 - np.asarray(small, dtype=np.float32) / paper
    return depth > max(0.07, 0.4 * float(np.percentile(depth[::2, ::2], 99.5)))


class Ink(NamedTuple):
    """Counts of small fields (about 10 x 2.5 pt) that hold ink as lines of text do; ``bare`` lie under no word."""

    fields: int
    bare: int


def ink_without_words(image: Grey, boxes: Sequence[tuple[float, float, float, float]], dpi: int) -> Ink:
    """Confidence cannot see lost text (pdf-facts, section 7), so ink that no word covers is counted.

    A field counts as text if 5-70 % of it is ink and the column of inked fields through it is at most 14 pt high:
    pictures and rules are taller or emptier.
    """
    picture = Image.fromarray(image)
    factor = max(1, round(dpi / 75))
    small = picture.reduce(factor) if factor > 1 else picture
    ink = _darker(small, 6)
    high, wide = max(1, round(2.5 * 75 / 72)), 10
    rows, columns = ink.shape[0] // high, ink.shape[1] // wide
    if not rows or not columns:
        return Ink(0, 0)
    share = ink[: rows * high, : columns * wide].reshape(rows, high, columns, wide).mean(axis=(1, 3))
    fields = (share >= 0.05) & (share <= 0.7) & (_run_heights(share >= 0.05) <= 6)
    covered = np.zeros_like(fields)
    for x0, y0, x1, y1 in boxes:
        top, bottom = int(y0 / factor / high) - 1, int(y1 / factor / high) + 2
        left, right = int(x0 / factor / wide) - 1, int(x1 / factor / wide) + 2
        covered[max(top, 0) : bottom, max(left, 0) : right] = True
    return Ink(int(fields.sum()), int((fields & ~covered).sum()))


def _run_heights(mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    """For each set field the height of the unbroken column of set fields through it."""
    down = np.zeros(mask.shape, dtype=np.int32)
    up = np.zeros(mask.shape, dtype=np.int32)
    for row in range(mask.shape[0]):
        down[row] = np.where(mask[row], (down[row - 1] if row else 0) + 1, 0)
    for row in range(mask.shape[0] - 1, -1, -1):
        up[row] = np.where(mask[row], (up[row + 1] if row + 1 < mask.shape[0] else 0) + 1, 0)
    return down + up - 1
