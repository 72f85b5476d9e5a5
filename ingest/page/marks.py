"""Words of a line that is set in more than one style: bound by no-break spaces, or cut where a raised mark touches."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

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


def raised_marks(styles: list[Style]) -> list[bool]:
    """Which spans are small and stand above the line: MuPDF's own flag misses a mark that begins the line."""
    main = max(styles, key=lambda style: style.size)
    return [s.size < 0.85 * main.size and s.baseline < main.baseline - main.size // 10 for s in styles]


def split_at_marks(
    raw: list[tuple[Any, ...]],
    spans: list[dict[str, Any]],
    exact: Callable[[], list[dict[str, Any]]],
    styles: list[Style],
) -> Iterator[tuple[Any, ...]]:
    """Words with the style of the span that holds their centre; a raised mark that touches a word is its own word."""
    raised = raised_marks(styles)
    edges = [(span["bbox"][0], span["bbox"][2]) for span in spans]
    for x0, y0, x1, y1, text, *_ in raw:
        inside = [i for i, (left, right) in enumerate(edges) if left < x1 - 0.1 and right > x0 + 0.1]
        if len(inside) > 1 and any(raised[i] for i in inside) and not all(raised[i] for i in inside):
            yield from _parts(text, (x0, y0, x1, y1), inside, raised, exact(), styles)
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
    raised: list[bool],
    spans: list[dict[str, Any]],
    styles: list[Style],
) -> Iterator[tuple[Any, ...]]:
    """Cuts a word where a raised span begins or ends, by taking each span's own share of the word's characters. A mark
    that follows is joined to its word; the word that follows a mark (at the head of a footnote) stands apart."""
    rest = text
    for position, i in enumerate(inside):
        last = position == len(inside) - 1
        taken = rest if last else _common_start(rest, spans[i]["text"])
        rest = rest[len(taken) :]
        bbox = spans[i]["bbox"]
        if taken:
            yield (
                max(edges[0], bbox[0]),
                bbox[1],
                min(edges[2], bbox[2]),
                bbox[3],
                taken,
                styles[i],
                position > 0 and raised[i],
            )


def _common_start(rest: str, span_text: str) -> str:
    """The longest start of ``rest`` that stands at the end of the span's text (or is the whole of it)."""
    for length in range(min(len(rest), len(span_text)), 0, -1):
        if span_text.endswith(rest[:length]):
            return rest[:length]
    return ""
