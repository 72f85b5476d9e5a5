"""Words and typeset lines of a page in displayed coordinates.

The words come from the text page of a display list: there crop, /Rotate and UserUnit are already applied, which the
page's own rotation matrix gets wrong where UserUnit and rotation meet (MuPDF 1.28).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import repeat
from math import floor
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ingest.mupdf import pymupdf
from ingest.page.arabic import as_written
from ingest.page.drawn import DrawnText, FontHeights
from ingest.page.marks import Style, bound, is_tied, off_the_line, split_at_marks
from ingest.page.raw import RawWord
from ingest.rendition.inks import NO_KINDS, read_colour
from verify.domain.document import NO_CONFIDENCE, Origin
from verify.domain.geometry import UNITS_PER_POINT, Box

TEXT_FLAGS: int = (
    pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
)  # fmt: skip

_T = TypeVar("_T", bound=tuple[Any, ...])
_BOLD = 16  # span flag
_SUPERSCRIPT = 1  # span flag
_PAINTED = 48  # char flags: filled or stroked; neither is render mode 3
_NO_MEANING = 384  # char flags: a CID or glyph index stands in for a character that the font does not map
_BLANK = " \t\r\n\f\v\xa0\u200b\u200c\u200d\u2060\ufeff\u00ad"
_ROW = 500  # 1/100 pt
_SAME = 0.2
"""Two words of equal text whose origins lie closer than this share of their height are one, drawn twice."""


class TypeLine(NamedTuple):
    """A run of words that the file sets on one baseline: words ``first`` to ``end`` (half-open) of the page.

    ``block`` is MuPDF's block number. ``upright`` is False for text set sideways or at an angle.
    """

    first: int
    end: int
    box: Box
    baseline: int
    size: int
    bold: bool
    upright: bool
    block: int


class PageWords(NamedTuple):
    """``unmapped`` counts characters without a Unicode value; ``colours`` are the words' sRGB integers."""

    words: list[RawWord]
    lines: list[TypeLine]
    unmapped: int
    colours: list[int]


@dataclass(slots=True)
class _Columns:
    """Words on their way, one list a property: a page has hundreds, and a loop over them costs what MuPDF does."""

    texts: list[str]
    boxes: list[Box]
    styles: list[Style]
    joined: list[bool]
    late: list[tuple[int, tuple[float, ...]]] = field(default_factory=list)
    """Words whose boxes are still to be made, with their edges in points: all at once costs little more than one."""


class _Drawn(NamedTuple):
    """Words ``first`` to ``end`` are the line; ``uniform`` if they are alike in type and height, from left to right."""

    first: int
    end: int
    line: dict[str, Any]
    block: int
    uniform: bool


def read_words(
    textpage: Any, width: int, height: int, fonts: FontHeights | None = None, *, inked: bool = False
) -> PageWords:
    """Words in content order, each clipped to the page of ``width`` x ``height`` (1/100 pt). ``fonts``: what the pages
    before told of the document's. ``inked``: a rendition, whose colours say what its words are; a word in two of them
    is two, of which the second touches the first."""
    drawn = DrawnText(textpage, fonts or FontHeights())
    if not drawn.words.texts:
        return PageWords([], [], 0, [])
    boxes = clipped_boxes(drawn.words[:4], width, height)
    raw = drawn.words._replace(texts=as_written(drawn.words.texts, textpage))
    columns = _Columns([], [], [], [])
    lines: list[_Drawn] = []
    unmapped = 0
    for first, end, block, number, line in drawn.lines:
        spans = line["spans"]
        at = len(columns.texts)
        styles = [_style(span) for span in spans]
        special = any([span["flags"] & _SUPERSCRIPT or "\xa0" in span["text"] for span in spans])  # noqa: C419
        special = special or (inked and len({style.colour for style in styles}) > 1)
        of_words = None if special and is_tied(spans) else _simple_styles(line, styles, boxes[first:end], special)
        if of_words is not None:
            columns.texts += raw.texts[first:end]
            columns.boxes += boxes[first:end]
            columns.styles += of_words
            columns.joined += [False] * (end - first)
        else:
            exact = partial(drawn.exact_spans, block, number)
            _add_mixed(columns, line, exact, styles, raw.rows(first, end), boxes[first:end], inked)
        for span in spans:
            if span["char_flags"] & _NO_MEANING:
                unmapped += len(span["text"])
        alike = (
            bool(styles)
            and styles.count(styles[0]) == len(styles)
            and (len(spans) < 2 or len({s["font"] for s in spans}) == 1)
        )
        uniform = of_words is not None and not special and alike and _is_upright(line)
        lines.append(_Drawn(at, len(columns.texts), line, block, uniform))
    if columns.late:
        places, edges = zip(*columns.late, strict=True)
        for i, box in zip(places, clipped_boxes(tuple(zip(*edges, strict=True)), width, height), strict=True):
            columns.boxes[i] = box
    page = _page_words(columns, lines, unmapped)
    return _with_kinds(page) if inked else page


def _with_kinds(page: PageWords) -> PageWords:
    if not any(page.colours):
        return page
    said = map(read_colour, page.colours)
    words = [word._replace(kinds=kinds, cut=cut) for word, (kinds, cut) in zip(page.words, said, strict=True)]
    return page._replace(words=words)


def _simple_styles(
    line: dict[str, Any], styles: list[Style], boxes: Sequence[Box], special: bool
) -> list[Style] | None:
    """One style a word for a line of one style, or whose spans follow one another from left to right; None for one that
    needs a closer look: ``special`` (raised marks, no-break spaces), in another direction, or no line that is known."""
    spans = line["spans"]
    if not spans:
        return None
    if styles.count(styles[0]) == len(styles):
        return [styles[0]] * len(boxes)
    if special:
        return None
    if any(off_the_line(styles)):
        return None
    ends = [int(span["bbox"][2] * UNITS_PER_POINT) for span in spans]
    if not _is_upright(line) or ends != sorted(ends):
        return None
    last = len(ends) - 1
    return [styles[min(bisect_left(ends, (x0 + x1) // 2), last)] for x0, _, x1, _ in boxes]


def clipped_boxes(edges: Sequence[Sequence[float]], width: int, height: int) -> list[Box]:
    """Boxes on the page from columns of x0, y0, x1, y1 in points: half away from zero for what is never negative, what
    hangs over an edge cut off there. A word wholly off the page has no area."""
    scaled = np.floor(np.array(edges) * UNITS_PER_POINT + 0.5)
    scaled[::2].clip(0, width, out=scaled[::2])
    scaled[1::2].clip(0, height, out=scaled[1::2])
    return made(Box, zip(*scaled.astype(np.int64).tolist()))  # noqa: B905 (rows of one array)


def made(kind: type[_T], rows: Iterable[Sequence[Any]]) -> list[_T]:
    """Named tuples of whole rows, made in C: ``kind(*row)`` for each word would cost as much as MuPDF's own work."""
    return list(map(partial(tuple.__new__, kind), rows))


def _page_words(columns: _Columns, lines: list[_Drawn], unmapped: int) -> PageWords:
    """Puts the columns together, without words that are blank or off the page."""
    baselines, sizes, bolds, visibles, colours = zip(*columns.styles, strict=True)
    native, unsure, plain, whole = repeat(Origin.NATIVE), repeat(NO_CONFIDENCE), repeat(NO_KINDS), repeat(False)
    words = made(
        RawWord,
        zip(  # noqa: B905
            columns.texts,
            columns.boxes,
            baselines,
            sizes,
            bolds,
            native,
            unsure,
            visibles,
            columns.joined,
            plain,
            whole,
        ),
    )
    typed = [_typed(words, line) for line in lines if line.first < line.end]
    page = PageWords(words, typed, unmapped, list(colours))
    keep = [
        x0 < x1 and y0 < y1 and (text.isascii() or text.strip(_BLANK) != "")
        for text, (x0, y0, x1, y1) in zip(columns.texts, columns.boxes, strict=True)
    ]
    return page if all(keep) else keep_words(page, keep)


def _typed(words: list[RawWord], line: _Drawn) -> TypeLine:
    if not line.uniform:
        return _type_line(words, line.first, line.end, _is_upright(line.line), line.block)
    head, tail = words[line.first], words[line.end - 1]
    x0, y0, x1, y1 = head.box
    last_x0, _, last_x1, _ = tail.box
    if last_x0 < x0:  # set from right to left
        return _type_line(words, line.first, line.end, True, line.block)
    box = Box(x0, y0, max(last_x1, x1), y1)
    return TypeLine(line.first, line.end, box, head.baseline, head.size, head.bold, True, line.block)


def _is_upright(line: dict[str, Any]) -> bool:
    across, down = line["dir"]
    return abs(down) < 0.02 and across > 0 and not line["wmode"]


_NO_BOX = Box(0, 0, 0, 0)


def _add_mixed(
    columns: _Columns,
    line: dict[str, Any],
    exact: Callable[[], list[dict[str, Any]]],
    styles: list[Style],
    raw: list[tuple[Any, ...]],
    boxes: list[Box],
    inked: bool,
) -> None:
    """A line with raised marks or no-break spaces, in another direction, or of which nothing is known. Only words that
    are put together or cut need other boxes than those they came with. ``exact`` gives the spans with their heights."""
    spans = line["spans"]
    words = bound(raw, spans) if is_tied(spans) else raw
    if len(set(styles)) > 1:
        pieces: list[tuple[Any, ...]] = list(split_at_marks(words, spans, exact, styles, inked))
    else:
        style = styles[0] if styles else _unknown_style(words[0])
        pieces = [(*word[:5], style, False) for word in words]
    if [piece[:4] for piece in pieces] == [word[:4] for word in raw]:
        columns.boxes += boxes
    else:
        columns.late += [(len(columns.boxes) + i, piece[:4]) for i, piece in enumerate(pieces)]
        columns.boxes += [_NO_BOX] * len(pieces)
    *_, texts, of_words, joined = zip(*pieces, strict=True)
    columns.texts += texts
    columns.styles += of_words
    columns.joined += joined


def _style(span: dict[str, Any]) -> Style:
    return Style(
        floor(span["origin"][1] * UNITS_PER_POINT + 0.5),
        floor(span["size"] * UNITS_PER_POINT + 0.5),
        span["flags"] & _BOLD != 0,
        span["alpha"] > 0 and span["char_flags"] & _PAINTED != 0,
        span["color"],
    )


def _unknown_style(word: tuple[Any, ...]) -> Style:
    height = word[3] - word[1]
    return Style(floor((word[3] - 0.2 * height) * 100), floor(height * 85), False, True, 0)


def _type_line(words: list[RawWord], first: int, end: int, upright: bool, block: int) -> TypeLine:
    run = words[first:end]
    head = run[0]
    x0s, y0s, x1s, y1s = zip(*[word[1] for word in run])  # noqa: B905 (boxes are all of four)
    box = Box(min(x0s), min(y0s), max(x1s), max(y1s))
    if len({word[3:5] for word in run}) == 1:  # one size and weight
        return TypeLine(first, end, box, head.baseline, head.size, head.bold, upright, block)
    main = max(run, key=lambda word: len(word.text) * word.size)
    bold = 2 * sum(len(word.text) for word in run if word.bold) > sum(len(word.text) for word in run)
    return TypeLine(first, end, box, main.baseline, main.size, bold, upright, block)


def drop_doubles(page: PageWords) -> PageWords:
    """Takes out words drawn a second time in the same place (bold by overprinting); of a seen and an unseen one the
    seen stays."""
    if not _lines_overprint(page.lines):
        return page
    seen: dict[tuple[str, int], list[int]] = {}
    doubled: set[int] = set()
    for i, (text, box, *_) in enumerate(page.words):
        step = box.y0 // _ROW
        for row in (step, step - 1, step + 1):
            near = seen.get((text, row))
            if near:
                doubled.update(_the_double(page.words, i, near))
        seen.setdefault((text, step), []).append(i)
    return keep_words(page, [i not in doubled for i in range(len(page.words))]) if doubled else page


def _lines_overprint(lines: Sequence[TypeLine]) -> bool:
    """True if a line lies on another: what is drawn again begins a line of its own."""
    boxes = sorted([line.box[1::2] + line.box[::2] for line in lines])
    for i, (y0, y1, x0, x1) in enumerate(boxes):
        for other in boxes[i + 1 :]:
            if other[0] - y0 > (y1 - y0) * _SAME:
                break
            if other[2] < x1 and x0 < other[3]:
                return True
    return False


def _the_double(words: Sequence[RawWord], i: int, near: Sequence[int]) -> Iterator[int]:
    word = words[i]
    reach = _SAME * (word.box.y1 - word.box.y0)
    for other in near:
        box = words[other].box
        if abs(box.x0 - word.box.x0) < reach and abs(box.y0 - word.box.y0) < reach:
            yield i if words[other].visible or not word.visible else other
            return


def keep_words(page: PageWords, keep: Sequence[bool]) -> PageWords:
    """The page with only the words whose flag is True."""
    words: list[RawWord] = []
    lines: list[TypeLine] = []
    for line in page.lines:
        first = len(words)
        words.extend(page.words[i] for i in range(line.first, line.end) if keep[i])
        if len(words) > first:
            lines.append(_type_line(words, first, len(words), line.upright, line.block))
    colours = [colour for colour, kept in zip(page.colours, keep, strict=True) if kept]
    return PageWords(words, lines, page.unmapped, colours)


def recognised_lines(words: list[RawWord], first: int) -> list[TypeLine]:
    """Lines of recognised words from number ``first`` on: the engine gives the words of a line the same baseline."""
    lines: list[TypeLine] = []
    start = first
    for i in range(first + 1, len(words) + 1):
        if i < len(words) and _goes_on(words[i - 1], words[i]):
            continue
        lines.append(_type_line(words, start, i, True, -1))
        start = i
    return lines if first < len(words) else []


def _goes_on(last: RawWord, word: RawWord) -> bool:
    near = abs(word.baseline - last.baseline) <= max(last.size, word.size) * 0.35
    return near and word.box.x0 >= last.box.x0 and word.box.x0 - last.box.x1 <= 3 * max(last.size, word.size)
