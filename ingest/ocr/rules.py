"""Ruled lines in a picture: found for tables, and taken out before reading, where they pass for letters ("half}")."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ingest.ocr.image import Grey

_DPI = 150
_SHORTEST = 60  # pixels at 150 dpi: 29 pt, longer than a letter's stem
_THICKEST = 8
_BESIDE = 0.35

Edges = tuple[float, float, float, float]


class Rules(NamedTuple):
    """Edges in pixels of the picture: left, top, right, bottom."""

    across: tuple[Edges, ...]
    down: tuple[Edges, ...]


def find_rules(image: Grey, dpi: int) -> Rules:
    """Straight dark runs of 29 pt and more, at most 4 pt thick, with little ink beside them (else they are letters)."""
    factor = max(1, round(dpi / _DPI))
    picture = Image.fromarray(image)
    small = np.asarray(picture.reduce(factor) if factor > 1 else picture)
    paper = int(np.median(small[::8, ::8]))
    dark = small < 0.75 * paper
    across = [tuple(float(edge * factor) for edge in box) for box in _runs(dark)]
    down = [(box[1] * factor, box[0] * factor, box[3] * factor, box[2] * factor) for box in _runs(dark.T)]
    return Rules(tuple(across), tuple(down))  # type: ignore[arg-type]  # four edges each


def without_rules(image: Grey, rules: Rules) -> Grey:
    """The image with its rules painted in the colour of its paper."""
    if not rules.across and not rules.down:
        return image
    clean = image.copy()
    paper = int(np.median(image[::16, ::16]))
    for x0, y0, x1, y1 in (*rules.across, *rules.down):
        clean[max(int(y0) - 3, 0) : int(y1) + 3, max(int(x0) - 3, 0) : int(x1) + 3] = paper
    return clean


def _runs(dark: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Boxes (x0, y0, x1, y1) of long thin runs along the rows of ``dark``; a slant of one row is bridged."""
    bridged = dark.copy()
    bridged[1:] |= dark[:-1]
    padded = np.zeros((bridged.shape[0], bridged.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = bridged
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    long = ends - starts >= _SHORTEST
    boxes: list[list[int]] = []
    open_boxes: list[list[int]] = []
    for row, start, end in zip(rows[long].tolist(), starts[long].tolist(), ends[long].tolist(), strict=True):
        open_boxes = [box for box in open_boxes if box[3] >= row]
        same = next((box for box in open_boxes if min(end, box[2]) - max(start, box[0]) > 0), None)
        if same is None:
            same = [start, row, end, row + 1]
            boxes.append(same)
            open_boxes.append(same)
        else:
            same[0], same[2], same[3] = min(same[0], start), max(same[2], end), row + 1
    return [(b[0], b[1], b[2], b[3]) for b in boxes if _is_rule(dark, *b)]


def _is_rule(dark: NDArray[np.bool_], x0: int, y0: int, x1: int, y1: int) -> bool:
    if y1 - y0 > _THICKEST:
        return False
    above, below = dark[max(y0 - 4, 0) : max(y0 - 2, 0), x0:x1], dark[y1 + 1 : y1 + 3, x0:x1]
    return all(side.size == 0 or side.mean() < _BESIDE for side in (above, below))
