"""Words and typeset lines of a page in displayed coordinates.

The words come from the text page of a display list: there crop, /Rotate and UserUnit are already applied, which the
page's own rotation matrix gets wrong where UserUnit and rotation meet (MuPDF 1.28).
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import floor
from typing import Any, NamedTuple

from ingest.mupdf import pymupdf
from ingest.raw import RawWord
from verify.domain.document import NO_CONFIDENCE, Origin
from verify.domain.geometry import UNITS_PER_POINT, Box

TEXT_FLAGS: int = (
    pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
)  # fmt: skip

_BOLD = 16  # span flag
_SUPERSCRIPT = 1  # span flag
_PAINTED = 48  # char flags: filled or stroked; neither is render mode 3
_NO_MEANING = 384  # char flags: a CID or glyph index stands in for a character that the font does not map
_BLANK = " \t\r\n\f\v\xa0\u200b\u200c\u200d\u2060\ufeff\u00ad"
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


class _Style(NamedTuple):
    baseline: int
    size: int
    bold: bool
    visible: bool
    colour: int


def read_words(textpage: Any, width: int, height: int) -> PageWords:
    """Words in content order, each clipped to the page of ``width`` x ``height`` (1/100 pt)."""
    found = PageWords([], [], 0, [])
    blocks = {block["number"]: block["lines"] for block in textpage.extractDICT()["blocks"] if block["type"] == 0}
    unmapped = 0
    for (block, number), group in groupby(textpage.extractWORDS(), key=_line_key):
        line = _line_of(blocks.get(block, ()), number)
        unmapped += sum(len(s["text"]) for s in line["spans"] if s["char_flags"] & _NO_MEANING)
        _add_line(found, line, list(group), block, width, height)
    return found._replace(unmapped=unmapped)


def _bound(raw: list[tuple[Any, ...]], spans: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Puts words together that a no-break space binds ("EUR\xa04\xa0200"), so that the page's text keeps it. A line
    that uses no-break spaces throughout means plain ones."""
    text = "".join(span["text"] for span in spans)
    if text.count("\xa0") > text.count(" "):
        return raw
    out: list[tuple[Any, ...]] = []
    at = 0
    for word in raw:
        found = text.find(word[4], at)
        if out and found > at >= 1 and text[at:found] == "\xa0":
            last = out[-1]
            box = (min(last[0], word[0]), min(last[1], word[1]), max(last[2], word[2]), max(last[3], word[3]))
            out[-1] = (*box, last[4] + "\xa0" + word[4], *word[5:])
        else:
            out.append(word)
        at = found + len(word[4]) if found >= 0 else at
    return out


def _line_key(word: tuple[Any, ...]) -> tuple[int, int]:
    return word[5], word[6]


_NO_LINE: dict[str, Any] = {"spans": [], "dir": (1.0, 0.0), "wmode": 0}


def _line_of(lines: Sequence[dict[str, Any]], number: int) -> dict[str, Any]:
    return lines[number] if number < len(lines) else _NO_LINE


def _add_line(
    found: PageWords, line: dict[str, Any], raw: list[tuple[Any, ...]], block: int, width: int, height: int
) -> None:
    spans = line["spans"]
    styles = [_style(span) for span in spans]
    if any("\xa0" in span["text"] for span in spans):
        raw = _bound(raw, spans)
    upright = abs(line["dir"][1]) < 0.02 and line["dir"][0] > 0 and not line["wmode"]
    if len(spans) > 1:
        pieces: Iterator[tuple[Any, ...]] = _split_at_marks(raw, spans, styles)
    else:
        style = styles[0] if styles else _unknown_style(raw[0])
        pieces = ((*word[:5], style, False) for word in raw)
    first = len(found.words)
    for x0, y0, x1, y1, text, style, joined in pieces:
        box = _clipped(x0, y0, x1, y1, width, height)
        if box is None or not text.strip(_BLANK):
            continue
        found.words.append(
            RawWord(
                text, box, style.baseline, style.size, style.bold, Origin.NATIVE, NO_CONFIDENCE, style.visible, joined
            )
        )
        found.colours.append(style.colour)
    if len(found.words) > first:
        found.lines.append(_type_line(found.words, first, len(found.words), upright, block))


def _style(span: dict[str, Any]) -> _Style:
    return _Style(
        floor(span["origin"][1] * UNITS_PER_POINT + 0.5),
        floor(span["size"] * UNITS_PER_POINT + 0.5),
        bool(span["flags"] & _BOLD),
        span["alpha"] > 0 and span["char_flags"] & _PAINTED != 0,
        span["color"],
    )


def _unknown_style(word: tuple[Any, ...]) -> _Style:
    height = word[3] - word[1]
    return _Style(floor((word[3] - 0.2 * height) * 100), floor(height * 85), False, True, 0)


def _clipped(x0: float, y0: float, x1: float, y1: float, width: int, height: int) -> Box | None:
    """Half away from zero for what is never negative. A word wholly off the page is None, never moved onto it."""
    left, top = max(0, floor(x0 * 100 + 0.5)), max(0, floor(y0 * 100 + 0.5))
    right, bottom = min(width, floor(x1 * 100 + 0.5)), min(height, floor(y1 * 100 + 0.5))
    return Box(left, top, right, bottom) if left < right and top < bottom else None


def _split_at_marks(
    raw: list[tuple[Any, ...]], spans: list[dict[str, Any]], styles: list[_Style]
) -> Iterator[tuple[Any, ...]]:
    """Words with the style of the span that holds their centre; a raised mark that touches a word is its own word."""
    base = max(styles, key=lambda style: style.size).size
    raised = [
        bool(span["flags"] & _SUPERSCRIPT) and style.size < 0.85 * base
        for span, style in zip(spans, styles, strict=True)
    ]
    for x0, y0, x1, y1, text, *_ in raw:
        inside = [i for i, span in enumerate(spans) if span["bbox"][0] < x1 - 0.1 and span["bbox"][2] > x0 + 0.1]
        if len(inside) > 1 and any(raised[i] for i in inside) and not all(raised[i] for i in inside):
            yield from _parts(text, (x0, y0, x1, y1), inside, spans, styles)
            continue
        centre = (x0 + x1) / 2
        best = min(inside or range(len(spans)), key=lambda i: _distance(spans[i]["bbox"], centre))
        yield x0, y0, x1, y1, text, styles[best], False


def _distance(bbox: tuple[float, ...], x: float) -> float:
    return max(bbox[0] - x, x - bbox[2], 0.0)


def _parts(
    text: str, edges: tuple[float, ...], inside: list[int], spans: list[dict[str, Any]], styles: list[_Style]
) -> Iterator[tuple[Any, ...]]:
    """Cuts a word where a raised span begins or ends, by taking each span's own share of the word's characters."""
    rest = text
    for position, i in enumerate(inside):
        last = position == len(inside) - 1
        taken = rest if last else _common_start(rest, spans[i]["text"])
        rest = rest[len(taken) :]
        bbox = spans[i]["bbox"]
        if taken:
            yield max(edges[0], bbox[0]), bbox[1], min(edges[2], bbox[2]), bbox[3], taken, styles[i], position > 0


def _common_start(rest: str, span_text: str) -> str:
    """The longest start of ``rest`` that stands at the end of the span's text (or is the whole of it)."""
    for length in range(min(len(rest), len(span_text)), 0, -1):
        if span_text.endswith(rest[:length]):
            return rest[:length]
    return ""


def _type_line(words: list[RawWord], first: int, end: int, upright: bool, block: int) -> TypeLine:
    run = words[first:end]
    x0s, y0s, x1s, y1s = zip(*[word.box for word in run], strict=True)
    main = max(run, key=lambda word: len(word.text) * word.size) if len({w.size for w in run}) > 1 else run[0]
    bold = 2 * sum(len(word.text) for word in run if word.bold) > sum(len(word.text) for word in run)
    box = Box(min(x0s), min(y0s), max(x1s), max(y1s))
    return TypeLine(first, end, box, main.baseline, main.size, bold, upright, block)


def drop_doubles(page: PageWords) -> PageWords:
    """Takes out words drawn a second time in the same place (bold by overprinting)."""
    seen: dict[str, list[Box]] = {}
    doubled: set[int] = set()
    for i, word in enumerate(page.words):
        places = seen.setdefault(word.text, [])
        reach = _SAME * (word.box.y1 - word.box.y0)
        if any(abs(b.x0 - word.box.x0) < reach and abs(b.y0 - word.box.y0) < reach for b in places):
            doubled.add(i)
        else:
            places.append(word.box)
    return keep_words(page, [i not in doubled for i in range(len(page.words))]) if doubled else page


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
