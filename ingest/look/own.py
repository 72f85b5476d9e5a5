"""Annotations and form fields: what their appearances draw, which is what a verdict on them is about."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from ingest.look.layers import Layers, NoteLayers
from ingest.look.words import LEGIBLE, PAINTED, STANDS_OUT
from ingest.mupdf import mupdf, pymupdf
from ingest.page.annotations import shown_annotations, shown_fields
from ingest.page.form_labels import TICKED
from verify.domain.document import OWN_TEXT, ElementKind, Page
from verify.domain.geometry import Box
from verify.domain.look import Drawn

_CARET = pymupdf.PDF_ANNOT_CARET
_SHOWN = 0.5
"""Share of the ink of what an appearance writes that has to stand out."""


def drawn_by(page: Page, shown: "pymupdf.Page", layers: Layers, notes: NoteLayers) -> Iterator[Drawn]:
    """For each annotation and field among the page's elements."""
    elements = [e for e in page.elements if e.kind in OWN_TEXT]
    found = list(_annotations(shown, page.width, page.height)) if elements else []
    for element in elements:
        place = next((n for n, f in enumerate(found) if (f.kind, f.box) == (element.kind, element.bbox)), None)
        if place is None:
            yield Drawn(element.element_id, None, False)
            continue
        of = found.pop(place)
        text = _written(of.annotation)
        visible = _stands_out(element.bbox, layers, notes, bool(text))
        yield Drawn(element.element_id, TICKED if of.text == TICKED else text or None, visible)


def carets(page: Page, shown: "pymupdf.Page") -> Iterator[Box]:
    """Marks of an insertion, which some viewers draw though the file gives them no appearance."""
    for annotation, _, box in shown_annotations(shown, page.width, page.height):
        if annotation.type[0] == _CARET:
            yield box


class _Found(NamedTuple):
    kind: ElementKind
    annotation: Any
    text: str
    box: Box


def _annotations(shown: "pymupdf.Page", width: int, height: int) -> Iterator[_Found]:
    """Those with a text, in the order in which they became elements."""
    for annotation, text, box in shown_annotations(shown, width, height):
        if text:
            yield _Found(ElementKind.ANNOTATION, annotation.this, text, box)
    with suppress(Exception):  # a damaged form: its fields before the damage are elements too
        for annotation, text, box in shown_fields(shown, width, height):
            if text:
                yield _Found(ElementKind.FORM_FIELD, annotation.this, text, box)


def _written(annotation: Any) -> str:
    """The text that an appearance draws, words parted by one space."""
    everywhere = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
    textpage = mupdf.FzStextPage(everywhere)
    device = mupdf.fz_new_stext_device(textpage, mupdf.FzStextOptions())
    mupdf.pdf_run_annot(annotation, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_close_device(device)
    return " ".join(word[4] for word in pymupdf.TextPage(textpage).extractWORDS())


def _stands_out(box: Box, layers: Layers, notes: NoteLayers, writes: bool) -> bool:
    area = layers.pixels(box)
    if not writes:
        return bool((notes.drawn[area] >= STANDS_OUT).any())
    glyphs = notes.glyphs[area].astype(np.int32)
    expected = np.where(glyphs >= PAINTED, glyphs, 0)
    seen = notes.ink[area].astype(np.int32) * 255 >= LEGIBLE * expected
    return bool(expected.any() and expected[seen].sum() >= _SHOWN * expected.sum())
