"""A page in layers: as it is displayed, the same without its text, and its glyphs alone.

MuPDF plays one display list to a drawing device three times, each time with some of the device's functions taken out.
What differs between the first two pictures is ink of text that is seen, whatever else the page draws before or after
it; the third says where the text's glyphs are, whatever covers, clips, masks or fades them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingest.mupdf import mupdf, pymupdf
from ingest.page.annotations import has_annotations
from verify.domain.geometry import UNITS_PER_POINT, Box

Grey = NDArray[np.uint8]

_DPI = 150
_MAX_SIDE = 3200
"""Pixels of the longer side; a larger page is looked at in less detail."""

_TEXT = ("fill_text", "stroke_text")
_ALL_ELSE = (
    "fill_path", "stroke_path", "fill_shade", "fill_image", "fill_image_mask", "clip_path", "clip_stroke_path",
    "clip_text", "clip_stroke_text", "clip_image_mask", "pop_clip", "begin_mask", "end_mask", "begin_group",
    "end_group", "begin_tile", "end_tile",
)  # fmt: skip
"""What draws or clips, without text. Each that opens a level stands here with the one that closes it."""


@dataclass(frozen=True)
class Layers:
    """Pictures of one page, all of one size: height x width (x 3 channels), ``zoom`` pixels a point.

    ``full``: as displayed. ``bare``: without the text of the page's contents. ``glyphs``: coverage (0-255) of that
    text.
    """

    zoom: float
    full: NDArray[np.uint8]
    bare: NDArray[np.uint8]
    glyphs: Grey

    @cached_property
    def ink(self) -> Grey:
        """How far the text stands out from what it stands on, 0-255: zero where it is covered."""
        return apart(self.full, self.bare)

    def pixels(self, box: Box) -> tuple[slice, slice]:
        """Rows and columns of a box, at least one of each."""
        x0, y0, x1, y1 = (edge * self.zoom / UNITS_PER_POINT for edge in box)
        return slice(int(y0), max(int(y1 + 0.5), int(y0) + 1)), slice(int(x0), max(int(x1 + 0.5), int(x0) + 1))

    def box(self, rows: tuple[int, int], columns: tuple[int, int]) -> Box:
        """The box of half-open ranges of rows and columns, on the page."""
        scale = UNITS_PER_POINT / self.zoom
        return Box(round(columns[0] * scale), round(rows[0] * scale), round(columns[1] * scale), round(rows[1] * scale))


@dataclass(frozen=True)
class NoteLayers:
    """What annotations and fields add to a page, 0-255: all that they draw, the ink of their text, its coverage."""

    drawn: Grey
    ink: Grey
    glyphs: Grey


_WEIGHTS = (77, 150, 29)  # luma of red, green and blue, of 256


def apart(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> Grey:
    """How different two pictures look, pixel by pixel, 0-255: in lightness, and a quarter as much in any one colour.

    On white, black is 255, yellow 91, #e0e0e0 38, #f0f0f0 18.
    """
    height, width = one.shape[:2]
    found = np.zeros((height, width), dtype=np.uint8)
    rows = np.flatnonzero((one.reshape(height, -1) != other.reshape(height, -1)).any(axis=1))
    if not rows.size:
        return found
    a, b = one[rows], other[rows]
    differs = np.maximum(a, b) - np.minimum(a, b)
    red, green, blue = (differs[:, :, channel] for channel in range(3))
    light = sum(weight * d.astype(np.uint16) for weight, d in zip(_WEIGHTS, (red, green, blue), strict=True)) >> 8
    colour = np.maximum(np.maximum(red, green), blue) >> 2
    found[rows] = np.minimum(light + colour, 255)
    return found


def draw_layers(page: "pymupdf.Page") -> tuple[Layers, NoteLayers | None]:
    """Without layers of notes for a page that has none. Raises what MuPDF raises for a page that it cannot draw."""
    longest = max(page.rect.width, page.rect.height, 1.0)
    zoom = min(_DPI / 72, _MAX_SIDE / longest)
    contents, notes = page.get_displaylist(annots=0).this, _notes(page)
    size = max(1, round(page.rect.width * zoom)), max(1, round(page.rect.height * zoom))
    over: list[tuple[Any, Sequence[str]]] = [] if notes is None else [(notes, ())]
    layers = Layers(
        zoom,
        played([(contents, ()), *over], size, zoom),
        played([(contents, _TEXT), *over], size, zoom),
        played([(contents, _ALL_ELSE)], size, zoom, coverage=True)[:, :, 0],
    )
    if notes is None:
        return layers, None
    unwritten = played([(contents, ()), (notes, _TEXT)], size, zoom)
    return layers, NoteLayers(
        apart(layers.full, played([(contents, ())], size, zoom)),
        apart(layers.full, unwritten),
        played([(notes, _ALL_ELSE)], size, zoom, coverage=True)[:, :, 0],
    )


def _notes(page: "pymupdf.Page") -> Any:
    """What annotations and fields draw, as a display list; None where the page has none."""
    if not has_annotations(page):
        return None
    drawn = mupdf.FzDisplayList(mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE))
    device = mupdf.fz_new_list_device(drawn)
    for run in (mupdf.fz_run_page_annots, mupdf.fz_run_page_widgets):
        run(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return drawn


def played(
    lists: Iterable[tuple[Any, Sequence[str]]], size: tuple[int, int], zoom: float, coverage: bool = False
) -> NDArray[np.uint8]:
    """Display lists drawn one over another, each without the named functions of the device: RGB on white, or with
    ``coverage`` how much of each pixel is painted at all."""
    colours = mupdf.FzColorspace() if coverage else mupdf.FzColorspace(mupdf.FzColorspace.Fixed_RGB)
    area = mupdf.fz_make_irect(0, 0, *size)
    picture = mupdf.FzPixmap(colours, area, mupdf.FzSeparations(), int(coverage))
    if coverage:
        mupdf.fz_clear_pixmap(picture)
    else:
        mupdf.fz_clear_pixmap_with_value(picture, 255)
    everywhere = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    for drawn, without in lists:
        device = mupdf.fz_new_draw_device(mupdf.FzMatrix(zoom, 0, 0, zoom, 0, 0), picture)
        for function in without:
            setattr(device.m_internal, function, None)
        mupdf.fz_run_display_list(drawn, device, mupdf.FzMatrix(), everywhere, mupdf.FzCookie())
        mupdf.fz_close_device(device)
    held = pymupdf.Pixmap("raw", picture)
    rows = np.frombuffer(held.samples, dtype=np.uint8).reshape(held.height, held.stride)
    return rows[:, : held.width * held.n].reshape(held.height, held.width, held.n)
