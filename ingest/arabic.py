"""Lam-alef: one glyph for two letters, which MuPDF writes out in the order of left to right."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

_SWAPPED = re.compile("[اأإآٱ]ل")
_ALEFS = frozenset("اأإآٱ")
_WHITE = re.compile(r"[\s\xa0]+")


def mended(texts: Sequence[str], textpage: Any) -> Sequence[str]:
    """Words with alef and lam of one glyph in their logical order (lam first); other words are returned as they are.

    Of the two letters the one without width was added when the glyph was written out. Only a page that shows both
    letters side by side is looked at that closely: it costs as much as reading the page again.
    """
    if not any(not text.isascii() and _SWAPPED.search(text) for text in texts):
        return texts
    letters = _WHITE.sub("", "".join(_lines(textpage)))
    ends = list(accumulate(map(len, texts)))
    if ends[-1] != len(letters):
        return texts
    words = [letters[end - len(text) : end] for end, text in zip(ends, texts, strict=True)]
    return words if all(sorted(a) == sorted(b) for a, b in zip(words, texts, strict=True)) else texts


def _lines(textpage: Any) -> list[str]:
    return [
        _in_order([char for span in line["spans"] for char in span["chars"]])
        for block in textpage.extractRAWDICT()["blocks"]
        for line in block.get("lines", ())
    ]


def _in_order(chars: Sequence[dict[str, Any]]) -> str:
    out: list[str] = []
    held = ""
    for char in chars:
        width = char["bbox"][2] - char["bbox"][0]
        if char["c"] in _ALEFS and width < 0.01:
            held += char["c"]
            continue
        out.append(char["c"])
        if held:
            out.append(held)
            held = ""
    return "".join(out) + held
