"""Letters of Arabic and Hebrew as they are written, not as they are drawn.

Lam-alef is one glyph for two letters, which MuPDF writes out in the order of left to right; and some files name the
shape of a letter in its place ("presentation forms"), which nobody types and no quotation holds.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any

_ALEFS = frozenset("اأإآٱ")
_SCRIPTS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_FORMS = re.compile("[\ufb1d-\ufc5d\ufc64-\ufd3d\ufd50-\ufdf9\ufe80-\ufefc]+")
"""Presentation forms; not those that stand for a space with a mark, for a whole phrase, or for a bracket."""


_CONCERNED = re.compile("[\u0590-\u08ff\ufb1d-\ufefc]")
"""Holds whatever one of the two above does."""


def as_written(texts: Sequence[str], textpage: Any) -> Sequence[str]:
    """The page's words with their letters as they are typed; the same object if nothing changes."""
    together = "\n".join(texts)  # one search of the page is far cheaper than one of each word
    if together.isascii() or not _CONCERNED.search(together):
        return texts
    if _SCRIPTS.search(together):
        texts = _as_spelt(texts, textpage)
    if not any(map(_FORMS.search, texts)):
        return texts
    return [_FORMS.sub(_written, text) for text in texts]


def _written(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found[0])


def _as_spelt(texts: Sequence[str], textpage: Any) -> Sequence[str]:
    """Words with alef and lam of one glyph in their logical order (lam first), and with the marks without width that
    MuPDF leaves out where they would begin a word; the texts as they are if they do not fit the page's characters.

    Only a page of such a script is looked at that closely: it costs as much as reading the page again.
    """
    letters = "\n".join(_lines(textpage)) + "\n"
    words: list[str] = []
    at = 0
    for text in texts:
        lead, at = _lost_marks(letters, at, text[0], words)
        end = at + len(text)
        if sorted(letters[at:end]) != sorted(text):
            return texts
        words.append(lead + letters[at:end])
        at = end
    _lost_marks(letters, at, "", words)
    return words


def _lost_marks(letters: str, at: int, first: str, words: list[str]) -> tuple[str, int]:
    """Marks before the next word, which begins with ``first``, and where it begins. Marks that end the last word are
    given to it."""
    while at < len(letters):
        marks = at
        while marks < len(letters) and unicodedata.combining(letters[marks]) and letters[marks] != first:
            marks += 1
        if marks > at and not letters[marks : marks + 1].isspace():
            return letters[at:marks], marks
        if marks > at and words:
            words[-1] += letters[at:marks]
        if not letters[marks : marks + 1].isspace():
            return "", marks
        at = marks + 1
    return "", at


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
