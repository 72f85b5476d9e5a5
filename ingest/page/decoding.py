"""Whether a page's characters are what the page shows, and whether it needs recognition.

Rules and figures from the design notes (PDF facts, section 7): 27 of 28 scanned pages found and none of 1,297 contract
pages taken for one; 5 of 6 pages with broken character maps found, none falsely.
"""

import re
from collections.abc import Sequence

from ingest.page.raw import RawWord
from verify.domain.document import Origin
from verify.domain.geometry import Box

_MEANINGLESS = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_BAD_SHARE = 0.1
_MIN_LETTERS = 300
_MIN_VOWELS = 0.2  # running text in a European language has 28-47 %
_FEW = 15
SOME_PICTURE = 0.05
_BIG_PICTURE = 0.5
_FEW_BESIDE_SCAN = 300
_MISFIT = 0.1  # share of a layer's words under which there is no ink


def is_garbled(words: Sequence[RawWord], unmapped: int) -> bool:
    """True if more than a tenth of the characters have no meaning, or a long Latin text has hardly a vowel."""
    text = "".join([word.text for word in words])
    if not text:
        return False
    bad = unmapped if text.isascii() and text.isprintable() else unmapped + len(_MEANINGLESS.findall(text))
    if bad > _BAD_SHARE * len(text):
        return True
    lower = text.lower()
    vowels = sum(map(lower.count, "aeiouy"))
    if vowels >= _MIN_VOWELS * len(text):
        return False
    letters = sum(map(lower.count, "abcdefghijklmnopqrstuvwxyz"))
    return letters >= _MIN_LETTERS and vowels < _MIN_VOWELS * letters


def needs_recognition(
    words: Sequence[RawWord], visible: Sequence[bool], origins: Sequence[Origin], pictures: Sequence[Box], area: int
) -> bool:
    """True for a page that is mainly a picture without a text layer, or with one that does not lie on its ink."""
    layer: list[bool] = []
    if Origin.EMBEDDED_OCR in origins:
        layer = [seen for origin, seen in zip(origins, visible, strict=True) if origin is Origin.EMBEDDED_OCR]
    if len(layer) - sum(layer) > _MISFIT * len(layer):
        return True
    if len(words) - len(layer) >= _FEW_BESIDE_SCAN:
        return False
    shown = sum(len(word.text) for word, seen in zip(words, visible, strict=True) if seen)
    covered = picture_share(pictures, area)
    if shown < _FEW:
        return covered >= SOME_PICTURE
    return covered >= _BIG_PICTURE and shown < _FEW_BESIDE_SCAN and not layer


def picture_share(pictures: Sequence[Box], area: int) -> float:
    """Share of the page under pictures, overlaps counted once only where one holds the other."""
    boxes = sorted(set(pictures), key=lambda b: -(b.x1 - b.x0) * (b.y1 - b.y0))
    alone: list[Box] = []
    for box in boxes:
        if not any(a.x0 <= box.x0 and a.y0 <= box.y0 and a.x1 >= box.x1 and a.y1 >= box.y1 for a in alone):
            alone.append(box)
    return sum((b.x1 - b.x0) * (b.y1 - b.y0) for b in alone) / max(area, 1)
