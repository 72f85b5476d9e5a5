"""Words of a line that is set in more than one style: bound by no-break spaces, or cut where a raised mark touches."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

SMALL = 0.85
"""Of the size of the letters beside it: what a raised or lowered mark has at most."""
_TIED = re.compile("[^ \xa0]\xa0[^ \xa0]")


class Style(NamedTuple):
    """How a span is set: ``baseline`` and ``size`` in 1/100 pt, ``colour`` as an sRGB integer; ``visible`` False for
    what is not painted."""

    baseline: int
    size: int
    bold: bool
    visible: bool
    colour: int


def is_tied(spans: Sequence[dict[str, Any]]) -> bool:
    """True if a no-break space may bind two words of the line. A line that uses them throughout means plain ones."""
    text = "".join([span["text"] for span in spans])
    return text.count("\xa0") <= text.count(" ") and _TIED.search(text) is not None


def bound(raw: list[tuple[Any, ...]], spans: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Puts words together that a no-break space binds ("EUR\xa04\xa0200"), so that the page's text keeps it."""
    text = "".join([span["text"] for span in spans])
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


def off_the_line(styles: list[Style]) -> list[int]:
    """For each span 1 if it is small and stands above the line, -1 if below, else 0: MuPDF's own flag misses a mark
    that begins the line."""
    main = max(styles, key=lambda style: style.size)
    return [position(style.baseline, style.size, main.baseline, main.size) for style in styles]


def position(baseline: int, size: int, main_baseline: int, main_size: int) -> int:
    """1 for small type that stands above the line of larger type, -1 below it, 0 on it (all in 1/100 pt)."""
    if size >= SMALL * main_size:
        return 0
    if baseline < main_baseline - main_size // 10:
        return 1
    return -1 if baseline > main_baseline + main_size // 20 else 0


def split_at_marks(
    raw: list[tuple[Any, ...]],
    spans: list[dict[str, Any]],
    exact: Callable[[], list[dict[str, Any]]],
    styles: list[Style],
    by_colour: bool = False,
) -> Iterator[tuple[Any, ...]]:
    """Words with the style of the span that holds their centre; a raised or lowered mark that touches a word is its own
    word. ``by_colour``: so is what has another colour than the characters before."""
    places = off_the_line(styles)
    looks = list(zip(places, (s.colour if by_colour else 0 for s in styles), strict=True))
    edges = [(span["bbox"][0], span["bbox"][2]) for span in spans]
    for x0, y0, x1, y1, text, *_ in raw:
        inside = [i for i, (left, right) in enumerate(edges) if left < x1 - 0.1 and right > x0 + 0.1]
        if len(inside) > 1 and len({looks[i] for i in inside}) > 1:
            yield from _parts(text, (x0, y0, x1, y1), inside, places, exact(), styles)
            continue
        centre = (x0 + x1) / 2
        best = inside[0] if len(inside) == 1 else _nearest(edges, inside or range(len(edges)), centre)
        yield x0, y0, x1, y1, text, styles[best], False


def _nearest(edges: Sequence[tuple[float, float]], among: Sequence[int], x: float) -> int:
    return min(among, key=lambda i: max(edges[i][0] - x, x - edges[i][1], 0.0))


def _parts(
    text: str,
    edges: tuple[float, ...],
    inside: list[int],
    places: list[int],
    spans: list[dict[str, Any]],
    styles: list[Style],
) -> Iterator[tuple[Any, ...]]:
    """Cuts a word where spans of another look meet, by taking each span's own share of the word's characters. What
    follows is joined to what it touches; but a word that follows a raised mark stands apart (files that raise a mark by
    hand leave no space behind it), and so does a raised fraction from the whole number before it."""
    rest = text
    raised, joined, after_digit = False, False, False
    for n, i in enumerate(inside):
        taken = rest if n == len(inside) - 1 else _common_start(rest, spans[i]["text"])
        rest = rest[len(taken) :]
        if not taken:
            continue
        bbox = spans[i]["bbox"]
        fraction = after_digit and places[i] > 0 and rest.startswith(("/", "⁄"))
        apart = fraction or (raised and not places[i] and taken[0].isalnum())
        box = (max(edges[0], bbox[0]), bbox[1], min(edges[2], bbox[2]), bbox[3])
        yield *box, taken, styles[i], joined and not apart
        raised, joined, after_digit = places[i] > 0, True, taken[-1].isdigit()


def _common_start(rest: str, span_text: str) -> str:
    """The longest start of ``rest`` that stands at the end of the span's text (or is the whole of it)."""
    for length in range(min(len(rest), len(span_text)), 0, -1):
        if span_text.endswith(rest[:length]):
            return rest[:length]
    return ""
