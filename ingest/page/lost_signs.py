"""Signs that a page shows and its file gives no character: "<" of a mathematical font, the tick of a filled-in form.

Such fonts number their signs from 1, where Unicode has control characters. MuPDF takes those for spaces and drops them,
so that "P < 0.0001" would read "P 0.0001". They become the replacement character: nobody can quote what is not known,
and a quotation across one has to be looked at.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

SIGN = "\N{REPLACEMENT CHARACTER}"
_CONTROL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f]+")

_Edges = tuple[float, float, float, float]


class LostSign(NamedTuple):
    """Signs that touch. ``block`` and ``line`` number text blocks and their lines, as words do; ``before`` is how many
    words of the line come first. Edges in points."""

    block: int
    line: int
    before: int
    text: str
    edges: _Edges


def may_lose(text: str) -> bool:
    """A cheap look at the text of a span."""
    return not text.isprintable() and _CONTROL.search(text) is not None


def lost_signs(textpage: Any) -> Iterator[LostSign]:
    """In content order. Signs beside characters that are unknown already, as in leaders, are not told again."""
    blocks = [block for block in textpage.extractRAWDICT()["blocks"] if block["type"] == 0]
    for number, block in enumerate(blocks):
        for place, line in enumerate(block["lines"]):
            chars = [(char["c"], char["bbox"]) for span in line["spans"] for char in span["chars"]]
            text = "".join([char for char, _ in chars])
            for found in _CONTROL.finditer(text):
                start, end = found.span()
                if SIGN in text[max(start - 1, 0) : end + 1]:
                    continue
                x0s, y0s, x1s, y1s = zip(*[box for _, box in chars[start:end]], strict=True)
                edges = min(x0s), min(y0s), max(x1s), max(y1s)
                yield LostSign(number, place, len(_words(text[:start])), SIGN * (end - start), edges)


def _words(text: str) -> list[str]:
    """As MuPDF parts them: at every control character, space and no-break space."""
    return re.findall("[^\x00-\x20\xa0]+", text)
