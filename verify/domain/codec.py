"""A page as bytes and back. The bytes are canonical, so their hash binds text, geometry and structure together."""

import json
import zlib
from typing import Any

from verify.domain.canonical import canonical_json
from verify.domain.document import (
    Cell,
    Element,
    ElementKind,
    LabelOrigin,
    Line,
    Origin,
    Page,
    SourceWarning,
    Span,
    SpanKind,
    Statement,
    StatementKind,
    Table,
    TextSource,
    WarningCode,
    Word,
)
from verify.domain.geometry import Box
from verify.domain.ids import CellId, ElementId, TableId

_ORIGINS = tuple(Origin)
_NUMBER_OF = {origin: number for number, origin in enumerate(_ORIGINS)}


def encode_page(page: Page) -> bytes:
    """Compressed canonical JSON. Raises TypeError if a coordinate is not an integer."""
    return zlib.compress(page_json(page), 1)


def page_json(page: Page) -> bytes:
    """The canonical form that is hashed. Words are columns: a page has hundreds and a row of keys each costs time."""
    words = page.words
    hidden = [[i, w.text] for i, w in enumerate(words) if not w.visible]
    return canonical_json(
        {
            "index": page.index,
            "label": [page.label, page.label_origin, page.printed_label, page.bates],
            "frame": [page.width, page.height, page.rotation],
            "source": [page.text_source, page.ocr_confidence, page.garbled, page.language],
            "text": page.text,
            "start": [w.start for w in words],
            "end": [w.end for w in words],
            "box": [edge for w in words for edge in w.box],
            "line": [w.line for w in words],
            "confidence": _uniform([w.confidence for w in words]),
            "origin": _uniform([_NUMBER_OF[w.origin] for w in words]),
            "hidden": hidden,
            "lines": [[*n.box, n.first_word, n.end_word, n.number] for n in page.lines],
            "elements": [_element_row(e) for e in page.elements],
            "tables": [_table_row(t) for t in page.tables],
            "warnings": page.warnings,
        }
    )


def _uniform(column: list[int]) -> list[int] | int:
    """One number in place of a column that repeats it."""
    return column[0] if column and column.count(column[0]) == len(column) else column


def _spread(column: list[int] | int, count: int) -> list[int]:
    return [column] * count if isinstance(column, int) else column


def _element_row(e: Element) -> list[Any]:
    own = None if e.start is not None else e.text
    return [
        e.element_id, e.kind, e.bbox, own, e.start, e.end, e.first_word, e.end_word, e.first_line, e.end_line,
        e.text_source, e.ocr_confidence, e.heading_path, e.mark, e.warnings,
        e.spans,
    ]  # fmt: skip


def _table_row(t: Table) -> list[Any]:
    cells = [
        [c.cell_id, c.row, c.col, c.row_span, c.col_span, c.bbox, c.text, c.words, c.is_header, c.row_path,
         c.column_path, c.marks, c.address]
        for c in t.cells
    ]  # fmt: skip
    return [
        t.table_id, t.element_id, t.bbox, t.title, t.unit, t.scale, t.continued_from, t.row_count, t.col_count, cells,
        t.statements,
    ]  # fmt: skip


def decode_page(data: bytes) -> Page:
    """The page that ``encode_page`` was given. Raises ValueError or zlib.error for bytes that it did not make."""
    d = json.loads(zlib.decompress(data))
    text: str = d["text"]
    elements = tuple(_element(row, text) for row in d["elements"])
    label, origin, printed, bates = d["label"]
    width, height, rotation = d["frame"]
    source, confidence, garbled, language = d["source"]
    return Page(
        index=d["index"], label=label, label_origin=LabelOrigin(origin), printed_label=printed, bates=bates,
        width=width, height=height, rotation=rotation, text_source=TextSource(source), ocr_confidence=confidence,
        text=text, words=_words(d, elements, text),
        lines=tuple(Line(Box(*row[:4]), row[4], row[5], row[6]) for row in d["lines"]),
        elements=elements, tables=tuple(_table(row) for row in d["tables"]),
        warnings=_warnings(d["warnings"]), garbled=garbled, language=language,
    )  # fmt: skip


def _words(d: dict[str, Any], elements: tuple[Element, ...], text: str) -> tuple[Word, ...]:
    starts, ends = d["start"], d["end"]
    count = len(starts)
    texts = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    for element in elements:
        if element.start is None:
            for i in range(element.first_word, element.end_word):
                texts[i] = element.text[starts[i] : ends[i]]
    visible = [True] * count
    for i, hidden_text in d["hidden"]:
        texts[i] = hidden_text
        visible[i] = False
    flat = iter(d["box"])
    boxes = map(Box, flat, flat, flat, flat)
    origins = map(_ORIGINS.__getitem__, _spread(d["origin"], count))
    confidences = _spread(d["confidence"], count)
    return tuple(map(Word, texts, starts, ends, boxes, d["line"], confidences, origins, visible))


def _warnings(rows: list[list[Any]]) -> tuple[SourceWarning, ...]:
    return tuple(SourceWarning(WarningCode(code), index, detail) for code, index, detail in rows)


def _element(row: list[Any], page_text: str) -> Element:
    (element_id, kind, bbox, own, start, end, first_word, end_word, first_line, end_line,
     source, confidence, path, mark, warnings, spans) = row  # fmt: skip
    return Element(
        ElementId(element_id), ElementKind(kind), Box(*bbox), page_text[start:end] if own is None else own, start, end,
        first_word, end_word, first_line, end_line, TextSource(source), confidence, tuple(path), mark,
        _warnings(warnings), tuple(Span(first, last, SpanKind(kind)) for first, last, kind in spans),
    )  # fmt: skip


def _table(row: list[Any]) -> Table:
    table_id, element_id, bbox, title, unit, scale, continued_from, rows, cols, cells, statements = row
    return Table(
        TableId(table_id), ElementId(element_id), Box(*bbox), title, unit, scale,
        None if continued_from is None else TableId(continued_from), rows, cols, tuple(_cell(c) for c in cells),
        tuple(Statement(StatementKind(kind), text, Box(*box), mark) for kind, text, box, mark in statements),
    )  # fmt: skip


def _cell(row: list[Any]) -> Cell:
    (cell_id, r, c, row_span, col_span, bbox, text, words, header, row_path, column_path, marks, address) = row
    return Cell(
        CellId(cell_id), r, c, row_span, col_span, Box(*bbox), text, tuple(words), header, tuple(row_path),
        tuple(column_path), tuple(marks), address,
    )  # fmt: skip
