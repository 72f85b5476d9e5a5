"""What one or more passes of the engine made of a picture, and how it is kept."""

import json
import zlib
from typing import NamedTuple

from ingest.ocr.engine import PixelWord
from ingest.ocr.image import Affine, Ink
from ingest.ocr.rules import Rules
from verify.domain.canonical import canonical_json

POOR = 700
"""Mean confidence (0-1000) under which a reading is poor: clean print has 950, poor typescript 740-880, handwriting
280-340 (pdf-facts, section 7)."""


_SURE = 500
_LOST_SHARE, _LOST_FIELDS = 0.2, 40


class Reading(NamedTuple):
    """Words on an image of ``wide`` x ``high`` pixels and the map from it back to the page's image. ``script`` is known
    only where the page came out so poor that the engine was asked for it."""

    words: tuple[PixelWord, ...]
    back: Affine
    wide: int
    high: int
    turn: int
    skew: float
    ink: Ink
    rules: Rules
    script: str = ""

    @property
    def text(self) -> str:
        return " ".join([word.text for word in self.words])

    @property
    def score(self) -> int:
        return sum(w.confidence * len(w.text) for w in self.words if w.confidence >= _SURE)

    @property
    def confidence(self) -> int | None:
        characters = sum(len(w.text) for w in self.words)
        return round(sum(w.confidence * len(w.text) for w in self.words) / characters) if characters else None

    @property
    def lost(self) -> bool:
        return self.ink.bare >= _LOST_FIELDS and self.ink.bare > _LOST_SHARE * self.ink.fields

    @property
    def poor(self) -> bool:
        return self.lost or (self.confidence is not None and self.confidence < POOR)


_FINE = 1000


def packed(reading: Reading) -> bytes:
    """Bytes that are the same for the same reading; ``unpacked`` gives it back, rounded to 1/1000 pixel."""
    words = [[w.text, *map(_fixed, w[1:7]), w.confidence] for w in reading.words]
    rules = [[list(map(_fixed, edges)) for edges in lines] for lines in reading.rules]
    back = [round(value * _FINE * _FINE) for value in reading.back]
    rest = [reading.wide, reading.high, reading.turn, round(reading.skew * 10), *reading.ink, reading.script]
    return zlib.compress(canonical_json({"words": words, "rules": rules, "back": back, "rest": rest}))


def _fixed(value: float) -> int:
    return round(value * _FINE)


def unpacked(data: bytes) -> Reading:
    """Raises ValueError or zlib.error for bytes that ``packed`` did not make."""
    kept = json.loads(zlib.decompress(data))
    words = tuple(PixelWord._make([row[0], *(v / _FINE for v in row[1:7]), row[7]]) for row in kept["words"])
    across, down = (tuple((a / _FINE, b / _FINE, c / _FINE, d / _FINE) for a, b, c, d in ls) for ls in kept["rules"])
    wide, high, turn, skew, fields, bare, script = kept["rest"]
    back = Affine(*(value / _FINE / _FINE for value in kept["back"]))
    return Reading(words, back, wide, high, turn, skew / 10, Ink(fields, bare), Rules(across, down), str(script))
