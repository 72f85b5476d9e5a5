"""Where the file itself gives cause to doubt that the page shows what its text says; OCR then reads the line again.

Words that the file states beside its glyphs (ActualText), fonts drawn by programs (Type 3), characters without width,
glyphs that look like another character, text that lies with a picture, and words that are shown by other means.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ingest.look.layers import Layers
from ingest.look.shapes import level_glyphs, misshapen
from ingest.look.words import native_words, without_glyphs
from ingest.mupdf import pymupdf
from ingest.page.words import TEXT_FLAGS
from verify.domain.document import Origin, Page
from verify.domain.geometry import UNITS_PER_POINT, Box

_TYPE_3 = "Type3"
"""How MuPDF begins the name of such a font."""


def doubtful_words(page: Page, shown: "pymupdf.Page", layers: Layers) -> set[int]:
    """Indexes of the words whose line is to be read again."""
    words = native_words(page)
    drawn = shown.get_displaylist(annots=0)
    stated = pymupdf.TextPage(drawn.get_textpage(TEXT_FLAGS))
    set_as = pymupdf.TextPage(drawn.get_textpage(TEXT_FLAGS | pymupdf.TEXT_IGNORE_ACTUALTEXT))
    doubtful = {i for i, w in enumerate(page.words) if w.visible and w.origin is Origin.EMBEDDED_OCR}
    doubtful.update(without_glyphs(page, layers))
    doubtful.update(i for i in words if _has_no_width(page.words[i].text))
    glyphs = list(level_glyphs(set_as))
    odd = [_centre(g.x0, g.x1, g.baseline - 0.3 * g.size) for g in misshapen(glyphs, layers.glyphs, layers.zoom)]
    doubtful.update(_holding(page, words, odd))
    doubtful.update(_holding(page, words, _restated(stated, set_as)))
    programmed = _programmed(stated)
    doubtful.update(i for i in words if any(box.holds_centre_of(page.words[i].box) for box in programmed))
    return doubtful


def _has_no_width(text: str) -> bool:
    """True if characters stand in the word that leave no ink. A soft hyphen is printed as a hyphen by many files."""
    return any(unicodedata.category(c) in ("Cf", "Cc") for c in text.replace("\u00ad", ""))


def _centre(x0: float, x1: float, y: float) -> Box:
    x, y = round((x0 + x1) / 2 * UNITS_PER_POINT), round(y * UNITS_PER_POINT)
    return Box(x - 1, y - 1, x + 1, y + 1)


def _holding(page: Page, words: Sequence[int], places: Iterable[Box]) -> Iterator[int]:
    places = list(places)
    if places:
        yield from (i for i in words if any(page.words[i].box.holds_centre_of(place) for place in places))


def _restated(stated: Any, set_as: Any) -> Iterator[Box]:
    """Words whose letters and digits are others without the file's own statement of what they say."""
    one, other = ([(w[:4], _letters(w[4])) for w in page.extractWORDS()] for page in (stated, set_as))
    if "".join(text for _, text in one) == "".join(text for _, text in other):
        return
    known = {(round(x0), round(y0), text) for (x0, y0, _, _), text in other}
    yield from (_box(edges) for edges, text in one if text and (round(edges[0]), round(edges[1]), text) not in known)


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if c.isalnum())


def _programmed(stated: Any) -> list[Box]:
    """Spans in fonts whose glyphs are drawn by programs."""
    blocks = stated.extractDICT()["blocks"]
    spans = (s for block in blocks for line in block.get("lines", ()) for s in line["spans"])
    return [_box(s["bbox"]) for s in spans if s["font"].startswith(_TYPE_3)]


def _box(edges: Sequence[float]) -> Box:
    x0, y0, x1, y1 = (round(edge * UNITS_PER_POINT) for edge in edges)
    return Box(x0, y0, x1, y1)
