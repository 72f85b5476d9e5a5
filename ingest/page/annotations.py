"""Annotations and form fields: elements of their own, with the text that a reader sees or can open."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ingest.mupdf import mupdf, pymupdf
from ingest.page.form_labels import TICKED
from ingest.page.seen import OwnText
from verify.domain.document import ElementKind
from verify.domain.geometry import UNITS_PER_POINT, Box

_HIDDEN = 1 | 2 | 32  # annotation flags: invisible, hidden, no view
_SILENT = frozenset({pymupdf.PDF_ANNOT_LINK, pymupdf.PDF_ANNOT_POPUP, pymupdf.PDF_ANNOT_WIDGET})
_NEVER_COVER = frozenset({pymupdf.PDF_ANNOT_HIGHLIGHT, pymupdf.PDF_ANNOT_UNDERLINE, pymupdf.PDF_ANNOT_TEXT,
                          pymupdf.PDF_ANNOT_STRIKE_OUT, pymupdf.PDF_ANNOT_SQUIGGLY})  # fmt: skip


def has_annotations(page: "pymupdf.Page") -> bool:
    """True if the page's /Annots holds anything: far cheaper than to walk them."""
    annotations = mupdf.pdf_dict_gets(mupdf.pdf_page_from_fz_page(page.this).obj(), "Annots")
    return bool(mupdf.pdf_is_indirect(annotations) or mupdf.pdf_is_array(annotations))


class Own(NamedTuple):
    """Texts of shown annotations and filled-in fields in file order, the boxes of what may cover page text, those of
    all fields and typed answers, and whether all fields could be read: of a damaged form those before the damage
    are. ``strikes`` are the stretches of text that annotations strike out."""

    texts: list[OwnText]
    covers: list[Box]
    fields: list[Box]
    whole: bool
    strikes: list[Box]


def read_own(page: "pymupdf.Page", width: int, height: int) -> Own:
    found: list[tuple[ElementKind, str, Box, bool]] = []
    covers: list[Box] = []
    fields: list[Box] = []
    strikes: list[Box] = []
    for annotation, text, box in shown_annotations(page, width, height):
        kind = annotation.type[0]
        if kind == pymupdf.PDF_ANNOT_STRIKE_OUT:
            strikes += _stretches(page, annotation, width, height)
        if kind not in _NEVER_COVER:
            covers.append(box)
        typed = kind == pymupdf.PDF_ANNOT_FREE_TEXT
        if typed:
            fields.append(box)
        if text:
            found.append((ElementKind.ANNOTATION, text, box, typed))
    whole = False
    with suppress(Exception):  # fields that are their own parents, say: the page's text does not depend on them
        for _, value, box in shown_fields(page, width, height):
            fields.append(box)
            if value:
                found.append((ElementKind.FORM_FIELD, value, box, False))
        whole = True
    drawn = _drawn(page, width, height) if found else []
    return Own(
        [_own(kind, text, box, drawn, typed) for kind, text, box, typed in found], covers, fields, whole, strikes
    )


def _stretches(page: "pymupdf.Page", annotation: Any, width: int, height: int) -> Iterator[Box]:
    """The boxes of an annotation's quadrilaterals on the displayed page, one for each stretch of a line."""
    points = [pymupdf.Point(point) * page.rotation_matrix for point in annotation.vertices or ()]
    for n in range(0, len(points) - 3, 4):
        xs, ys = [p.x for p in points[n : n + 4]], [p.y for p in points[n : n + 4]]
        box = _box((min(xs), min(ys), max(xs), max(ys)), width, height)
        if box is not None:
            yield box


def shown_annotations(page: "pymupdf.Page", width: int, height: int) -> Iterator[tuple[Any, str, Box]]:
    """Annotations that are no links, pop-ups or fields and are not switched off: each with its /Contents and box."""
    for annotation in page.annots() or ():
        if annotation.type[0] in _SILENT or annotation.flags & _HIDDEN:
            continue
        box = _bounds(annotation.this, width, height)
        if box is not None:
            yield annotation, _clean(annotation.info.get("content", "")), box


def shown_fields(page: "pymupdf.Page", width: int, height: int) -> Iterator[tuple[Any, str, Box]]:
    """Fields, each as MuPDF's annotation, with its value ("" for none) and box. Raises what a damaged form raises."""
    for widget, value in _fields(page):
        box = _bounds(widget._annot.this, width, height)
        if box is not None:
            yield widget._annot, value, box


def _fields(page: "pymupdf.Page") -> Iterator[tuple[Any, str]]:
    for widget in page.widgets() or ():
        with suppress(Exception):  # a damaged field must not take the page with it
            if widget.field_display in (1, 3) or widget.field_flags & pymupdf.PDF_TX_FIELD_IS_PASSWORD:
                continue
            yield widget, _field_value(widget)


def _field_value(widget: Any) -> str:
    """What the field shows; "" where nothing is filled in. A button shows its state only when it is on."""
    if widget.field_type in (pymupdf.PDF_WIDGET_TYPE_CHECKBOX, pymupdf.PDF_WIDGET_TYPE_RADIOBUTTON):
        return TICKED if _is_on(widget) else ""
    if widget.field_type in (pymupdf.PDF_WIDGET_TYPE_BUTTON, pymupdf.PDF_WIDGET_TYPE_SIGNATURE):
        return ""
    return _clean(str(widget.field_value or ""))


def _is_on(widget: Any) -> bool:
    """By the appearance that is chosen (/AS), which is what a reader sees; by the value where none is."""
    state = mupdf.pdf_dict_gets(mupdf.pdf_annot_obj(widget._annot.this), "AS")
    if mupdf.pdf_is_name(state):
        return bool(mupdf.pdf_to_name(state) != "Off")
    return widget.field_value not in (None, "", "Off", False)


def _clean(text: str) -> str:
    """Control characters out, line ends as line feeds, no blank edges."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(c for c in text if c >= " " or c in "\n\t")
    return "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()


def _own(kind: ElementKind, text: str, box: Box, drawn: Sequence[tuple[str, Box]], typed: bool) -> OwnText:
    """Each word with the box where it is drawn; with that of the whole where the drawn words are not the text's."""
    inside = [(word, b) for word, b in drawn if box.holds_centre_of(b)]
    words = text.split()
    boxes = [b for _, b in inside] if [word for word, _ in inside] == words else [box] * len(words)
    placed, at = [], 0
    for word, where in zip(words, boxes, strict=True):
        start = text.index(word, at)
        at = start + len(word)
        placed.append((word, start, at, where))
    return OwnText(kind, text, box, tuple(placed), typed)


def _drawn(page: "pymupdf.Page", width: int, height: int) -> list[tuple[str, Box]]:
    """All words as displayed, annotations and fields included."""
    textpage = pymupdf.TextPage(page.get_displaylist(annots=1).get_textpage(pymupdf.TEXTFLAGS_WORDS))
    placed = ((word[4], _box(word[:4], width, height)) for word in textpage.extractWORDS())
    return [(text, box) for text, box in placed if box is not None]


def _bounds(annotation: Any, width: int, height: int) -> Box | None:
    """Asked of MuPDF itself: PyMuPDF's own rectangles lie on the page before it was turned."""
    rect = mupdf.pdf_bound_annot(annotation)
    return _box((rect.x0, rect.y0, rect.x1, rect.y1), width, height)


def _box(rect: Any, width: int, height: int) -> Box | None:
    """The part of a displayed rectangle that lies on the page; None if there is none."""
    values = [round(v * UNITS_PER_POINT) for v in rect]
    box = Box(max(0, values[0]), max(0, values[1]), min(width, values[2]), min(height, values[3]))
    return box if box.has_area else None
