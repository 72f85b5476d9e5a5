"""Visual lines: what the eye takes as one line of one column, in reading order."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ingest.page.raw import RawWord
from ingest.page.right_to_left import is_right_to_left, logical_order
from ingest.page.words import TypeLine
from verify.domain.geometry import Box

EM_GAP = 2.5
"""Pieces on one baseline nearer than this many font sizes belong together (MuPDF parts a line at gaps of 0.8)."""
MARKER_GAP = 9000  # 1/100 pt: the farthest a clause number stands from its text
MIN_COLUMN = 0.16  # of the page's width: less is a label beside text, not a column
MIN_ROWS = 4  # rows with the same gap before it is taken for a gutter
MIN_RUN = 6  # the same, where the gap is no gutter over all rows that share it
MOST_EDGES = 6  # so many places are tried
MIN_SIDE = 12  # lines on each side, where hardly any stand on one baseline
NARROWEST = 600  # 1/100 pt: no gutter is narrower
RAISED = 0.8  # of the line's size: what a raised mark has at most
FULL = 0.8  # of its column's width: what a line of running text fills


class TextLine(NamedTuple):
    """``words`` index into the raw words, in logical order. ``number`` is the one printed beside a pleading's line."""

    words: tuple[int, ...]
    box: Box
    baseline: int
    size: int
    bold: bool
    upright: bool
    block: int
    text: str
    number: int | None = None

    @property
    def x0(self) -> int:
        return self.box.x0


class Gutter(NamedTuple):
    """White space between two columns: ``x0`` to ``x1`` between heights ``y0`` and ``y1``."""

    x0: int
    x1: int
    y0: int
    y1: int


def visual_lines(words: Sequence[RawWord], lines: Sequence[TypeLine], width: int) -> tuple[list[TextLine], bool]:
    """Lines in reading order, and whether that order is uncertain (content order that had to be rearranged)."""
    gutters = find_gutters(lines, width)
    joined = _with_raised(words, _join(words, lines, gutters))
    if not gutters:
        return joined, False
    return _by_column(joined, gutters)


def text_line(words: Sequence[RawWord], pieces: Sequence[TypeLine]) -> TextLine:
    """One line of pieces that stand on one baseline, left to right (right to left in a right-to-left script)."""
    first = pieces[0]
    indexes: Sequence[int] = range(first.first, first.end)
    if len(pieces) > 1:
        indexes = [i for piece in pieces for i in range(piece.first, piece.end)]
    text = joined_text(words, indexes)
    if first.upright and not text.isascii() and is_right_to_left(text):
        indexes = logical_order(words, indexes)
        text = joined_text(words, indexes)
    main = first if len(pieces) == 1 else max(pieces, key=lambda piece: piece.box.x1 - piece.box.x0)
    box = first.box if len(pieces) == 1 else _union([piece.box for piece in pieces])
    bold = first.bold if len(pieces) == 1 else all(piece.bold for piece in pieces)
    return TextLine(tuple(indexes), box, main.baseline, main.size, bold, first.upright, first.block, text)


def joined_text(words: Sequence[RawWord], indexes: Sequence[int]) -> str:
    """Words parted by one space, except where the page has none."""
    run = [words[i] for i in indexes]
    if not any([word[8] for word in run]):  # noqa: C419 (a list is faster)
        return " ".join([word[0] for word in run])
    return "".join([("" if words[i].joined or not n else " ") + words[i].text for n, i in enumerate(indexes)])


def _union(boxes: Sequence[Box]) -> Box:
    x0s, y0s, x1s, y1s = zip(*boxes, strict=True)
    return Box(min(x0s), min(y0s), max(x1s), max(y1s))


def find_gutters(lines: Sequence[TypeLine], width: int) -> list[Gutter]:
    """Vertical white space that many rows share, with a real column on both sides of it."""
    rows = _rows([line for line in lines if line.upright])
    gaps = [
        (left.box.x1, right.box.x0, left.baseline)
        for row in rows
        for left, right in pairwise(row)
        if right.box.x0 - left.box.x1 >= max(700, left.size * 7 // 10)
    ]
    if len(gaps) < MIN_ROWS:
        return _by_edges(lines, width)
    gutters: list[Gutter] = []
    while True:
        gutter = _widest_shared(gaps, lines, width)
        if gutter is None:
            return sorted(gutters) or _by_edges(lines, width)
        gutters.append(gutter)
        gaps = [gap for gap in gaps if not _along(gap, gutter)]


def _by_edges(lines: Sequence[TypeLine], width: int) -> list[Gutter]:
    """The gutter of two columns whose lines stand on different heights: left of an edge at which many lines begin."""
    level = [line for line in lines if line.upright]
    starts = Counter(line.box.x0 // 100 for line in level if 0.25 * width < line.box.x0 < 0.8 * width)
    for start, count in starts.most_common(MOST_EDGES):
        if count < MIN_SIDE:
            break
        edge = 100 * start
        across = sorted(n.baseline for n in level if n.box.x0 < edge and n.box.x1 > edge - NARROWEST)
        runs: dict[int, list[TypeLine]] = {}
        for line in level:
            runs.setdefault(bisect_left(across, line.baseline), []).append(line)
        gutter = _beside_edge(max(runs.values(), key=len), edge)
        if gutter and _are_full(gutter, level, width):
            return [gutter]
    return []


def _beside_edge(run: Sequence[TypeLine], edge: int) -> Gutter | None:
    left = [line for line in run if line.box.x1 < edge]
    right = [line for line in run if line.box.x0 >= edge]
    if min(len(left), len(right)) < MIN_SIDE:
        return None
    top = max(min(n.baseline for n in side) for side in (left, right))
    foot = min(max(n.baseline for n in side) for side in (left, right))
    return Gutter(max(n.box.x1 for n in left), min(n.box.x0 for n in right), top, foot) if top < foot else None


def text_gutters(lines: Sequence[TypeLine], width: int) -> list[Gutter]:
    """Those between columns of running text: a table's own columns are not filled so evenly."""
    found = [gutter for gutter in find_gutters(lines, width) if _are_full(gutter, lines, width)]
    return found or _by_edges(lines, width)


def _along(gap: tuple[int, int, int], gutter: Gutter) -> bool:
    return gap[0] <= gutter.x0 and gutter.x1 <= gap[1] and gutter.y0 <= gap[2] <= gutter.y1


def _rows(lines: Sequence[TypeLine]) -> list[list[TypeLine]]:
    """Lines grouped by baseline (a quarter of their size apart at most), each group from left to right."""
    rows: list[list[TypeLine]] = []
    for line in sorted(lines, key=lambda piece: (piece.baseline, piece.box.x0)):
        if rows and line.baseline - rows[-1][0].baseline <= line.size // 4:
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda piece: piece.box.x0)
    return rows


def _widest_shared(gaps: Sequence[tuple[int, int, int]], lines: Sequence[TypeLine], width: int) -> Gutter | None:
    """The gutter that most rows share; where a table's columns share more, that of the text above or below it."""
    counts = Counter({edge: sum(gap[0] < edge <= gap[1] for gap in gaps) for edge in {gap[1] for gap in gaps}})
    for n, (edge, count) in enumerate(sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_EDGES]):
        if count < MIN_ROWS:
            return None
        shared = [gap for gap in gaps if gap[0] < edge <= gap[1]]
        gutter = _between(shared)
        if n == 0 and _parts_columns(gutter, lines, width):
            return gutter
        run = _longest_run(shared, edge, lines)
        gutter = _between(run)
        if len(run) >= MIN_RUN and _parts_columns(gutter, lines, width) and _are_full(gutter, lines, width):
            return gutter
    return None


def _between(shared: Sequence[tuple[int, int, int]]) -> Gutter:
    x0, x1 = max(gap[0] for gap in shared), min(gap[1] for gap in shared)
    return Gutter(x0, max(x1, x0 + 1), min(gap[2] for gap in shared), max(gap[2] for gap in shared))


def _longest_run(
    shared: Sequence[tuple[int, int, int]], edge: int, lines: Sequence[TypeLine]
) -> list[tuple[int, int, int]]:
    """The most of the gaps that no line across the edge parts: text in columns under a table that is wider."""
    across = sorted(line.baseline for line in lines if line.upright and line.box.x0 < edge - 100 < line.box.x1)
    runs: dict[int, list[tuple[int, int, int]]] = {}
    for gap in shared:
        runs.setdefault(bisect_left(across, gap[2]), []).append(gap)
    return max(runs.values(), key=len)


def _are_full(gutter: Gutter, lines: Sequence[TypeLine], width: int) -> bool:
    """Most of what stands on both sides fills its column, as running text does and the cells of a table do not."""
    beside = [line for line in lines if line.upright and gutter.y0 <= line.baseline <= gutter.y1]
    left = [line.box for line in beside if line.box.x1 <= gutter.x0 + 100]
    right = [line.box for line in beside if line.box.x0 >= gutter.x1 - 100]
    return all(_is_filled(side, MIN_COLUMN * width) for side in (left, right))


def _is_filled(side: Sequence[Box], narrowest: float) -> bool:
    if not side:
        return False
    extent = max(box.x1 for box in side) - min(box.x0 for box in side)
    widths = [box.x1 - box.x0 for box in side]
    return extent >= narrowest and 2 * sum(w for w in widths if w >= FULL * extent) >= sum(widths)


def _parts_columns(gutter: Gutter, lines: Sequence[TypeLine], width: int) -> bool:
    """Both sides are wide and mostly full of running text, and few lines cross."""
    beside = [line for line in lines if line.upright and gutter.y0 <= line.baseline <= gutter.y1]
    left = [line for line in beside if line.box.x1 <= gutter.x0 + 100]
    right = [line for line in beside if line.box.x0 >= gutter.x1 - 100]
    crossing = len(beside) - len(left) - len(right)
    if min(len(left), len(right)) < MIN_ROWS or crossing > 0.15 * len(beside):
        return False
    return all(_typical_width(side) >= MIN_COLUMN * width for side in (left, right))


def _typical_width(side: Sequence[TypeLine]) -> int:
    widths = sorted(line.box.x1 - line.box.x0 for line in side)
    return widths[len(widths) // 2]


def _join(words: Sequence[RawWord], lines: Sequence[TypeLine], gutters: Sequence[Gutter]) -> list[TextLine]:
    """Puts together neighbours in content order that stand on one baseline, unless a gutter parts them."""
    joined: list[TextLine] = []
    pieces: list[TypeLine] = []
    for line in lines:
        if pieces and not _continues(words, pieces, line, gutters):
            joined.append(text_line(words, pieces))
            pieces = []
        pieces.append(line)
    if pieces:
        joined.append(text_line(words, pieces))
    return joined


def _with_raised(words: Sequence[RawWord], lines: list[TextLine]) -> list[TextLine]:
    """Lines of nothing but raised marks put into the line beside which they stand: some files draw them apart."""
    out: list[TextLine] = []
    for line in lines:
        if out and _raised_over(words, line, out[-1]):
            out[-1] = _merged(words, out[-1], line)
        elif out and _raised_over(words, out[-1], line):
            out[-1] = _merged(words, line, out[-1])
        else:
            out.append(line)
    return out


def _raised_over(words: Sequence[RawWord], mark: TextLine, line: TextLine) -> bool:
    """Small, above the line's baseline but not above its letters, and where the line has room for each word."""
    rise = line.baseline - mark.baseline
    if mark.size > RAISED * line.size or not 0.1 * line.size <= rise <= 0.7 * line.size:
        return False
    if not (mark.upright and line.upright) or len(mark.words) >= len(line.words):
        return False
    if mark.box.x0 < line.box.x0 - line.size or mark.box.x1 > line.box.x1 + line.size:
        return False
    taken = [words[i].box for i in line.words]
    slack = line.size // 10
    return not any(
        box.x0 + slack < other.x1 and other.x0 + slack < box.x1
        for box in (words[i].box for i in mark.words)
        for other in taken
    )


def _merged(words: Sequence[RawWord], line: TextLine, mark: TextLine) -> TextLine:
    order = tuple(sorted((*line.words, *mark.words), key=lambda i: words[i].box.x0))
    return line._replace(words=order, box=_union([line.box, mark.box]), text=joined_text(words, order))


def _continues(words: Sequence[RawWord], pieces: Sequence[TypeLine], line: TypeLine, gutters: Sequence[Gutter]) -> bool:
    last = pieces[-1]
    if not (last.upright and line.upright) or not _same_baseline(last, line):
        return False
    if line.box.x1 <= last.box.x0 + last.size // 20:  # a right-to-left script goes on to the left
        return last.box.x0 - line.box.x1 <= EM_GAP * last.size and _any_right_to_left(words, (last, line))
    gap = line.box.x0 - last.box.x1
    if gap < -max(last.size, line.size) // 2:
        return False
    if any(gutter.x0 >= last.box.x1 - 100 and gutter.x1 <= line.box.x0 + 100 for gutter in gutters):
        return False
    return gap <= EM_GAP * max(last.size, line.size) or (gap <= MARKER_GAP and _is_short(words, pieces))


def _any_right_to_left(words: Sequence[RawWord], pieces: Sequence[TypeLine]) -> bool:
    return any(is_right_to_left(words[i].text) for piece in pieces for i in range(piece.first, piece.end))


def _same_baseline(last: TypeLine, line: TypeLine) -> bool:
    return abs(last.baseline - line.baseline) <= min(last.size, line.size) * 0.45


def _is_short(words: Sequence[RawWord], pieces: Sequence[TypeLine]) -> bool:
    """A clause number or a label: two words at most and few characters."""
    texts = [words[i].text for piece in pieces for i in range(piece.first, piece.end)]
    return len(texts) <= 2 and sum(map(len, texts)) <= 14


def _by_column(lines: list[TextLine], gutters: Sequence[Gutter]) -> tuple[list[TextLine], bool]:
    """Content order if it goes down one column after another, else column by column between lines that cross."""
    if not any(_interleaved(lines, gutter) for gutter in gutters):
        return lines, False
    top, bottom = min(g.y0 for g in gutters), max(g.y1 for g in gutters)
    level = [line for line in lines if line.upright]
    band = [line for line in level if top - line.size <= line.baseline <= bottom + line.size]
    above = [line for line in level if line.baseline < top - line.size]
    below = [line for line in level if line.baseline > bottom + line.size]
    aside = [line for line in lines if not line.upright]  # along a margin, in no column
    return above + _order_band(band, gutters) + below + aside, True


def _interleaved(lines: Sequence[TextLine], gutter: Gutter) -> bool:
    """True if content order changes sides more often than once between lines that cross the gutter."""
    changes, side = 0, 0
    for line in lines:
        here = _side(line, gutter)
        if not line.upright or not gutter.y0 <= line.baseline <= gutter.y1:
            continue
        if here and side and here < side:
            changes += 1
        side = here or side
    return changes > 1


def _side(line: TextLine, gutter: Gutter) -> int:
    """1 left of the gutter, 2 right of it, 0 across it."""
    middle = (gutter.x0 + gutter.x1) // 2
    return 1 if line.box.x1 <= middle else 2 if line.box.x0 >= middle else 0


def _order_band(band: Sequence[TextLine], gutters: Sequence[Gutter]) -> list[TextLine]:
    """Sections between crossing lines, from the top down; within one, column after column."""
    out: list[TextLine] = []
    section: list[TextLine] = []
    for line in sorted(band, key=lambda item: (item.baseline, item.box.x0)):
        if all(_side(line, gutter) == 0 for gutter in gutters):
            out.extend(_columns(section, gutters))
            section = []
            out.append(line)
        else:
            section.append(line)
    return out + _columns(section, gutters)


def _columns(section: Sequence[TextLine], gutters: Sequence[Gutter]) -> list[TextLine]:
    middles = [(gutter.x0 + gutter.x1) // 2 for gutter in gutters]
    return sorted(section, key=lambda line: (sum(line.box.x0 >= m for m in middles), line.baseline, line.box.x0))
