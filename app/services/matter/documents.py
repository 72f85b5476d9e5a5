"""What was read of one source, as ``pincite inspect`` and other programs see it (contract, section 3)."""

from collections.abc import Iterator
from typing import Any

from app.errors import AccessDenied, InputMissing
from app.services.matter.matter import Matter
from app.store.records import record_to_json, warning_to_json
from verify.domain.document import Cell, Element, Page, SourceRecord, Table
from verify.domain.ids import SourceId


def readable_source(matter: Matter, source_id: SourceId) -> SourceRecord:
    """The record, if this reader may see the document. Raises InputMissing or AccessDenied."""
    record = matter.source(source_id)
    if not matter.view().may_read(record):
        raise AccessDenied(f"{source_id} lies in an access class that was not opened")
    return record


def pages_of(matter: Matter, record: SourceRecord, only: int | None = None) -> Iterator[Page]:
    """The pages that could be read, in order; a page that failed is left out. Raises InputMissing for a page beyond."""
    if only is not None and not 0 <= only < record.page_count:
        raise InputMissing(f"{record.source_id} has no page of index {only}; it has {record.page_count} pages")
    for index in range(record.page_count) if only is None else (only,):
        page = matter.pages.get(record, index)
        if page is not None:
            yield page


def sources_to_json(records: tuple[SourceRecord, ...], schema: str) -> dict[str, Any]:
    return {"schema": schema, "sources": [record_to_json(r) for r in records]}


def document_to_json(matter: Matter, source_id: SourceId, only: int | None = None) -> dict[str, Any]:
    record = readable_source(matter, source_id)
    pages = [page_to_json(page) for page in pages_of(matter, record, only)]
    return {"schema": "pincite.document/1", **record_to_json(record), "pages": pages}


def page_to_json(page: Page) -> dict[str, Any]:
    return {
        "page_index": page.index,
        "page_label": page.label,
        "printed_label": page.printed_label,
        "bates": page.bates,
        "width": page.width,
        "height": page.height,
        "rotation": page.rotation,
        "coordinate_origin": "top-left",
        "text_source": page.text_source.value,
        "ocr_confidence": page.ocr_confidence,
        "text": page.text,
        "elements": [_element(e, page) for e in page.elements],
        "tables": [_table(t) for t in page.tables],
        "warnings": [warning_to_json(w) for w in page.warnings],
    }


def _element(element: Element, page: Page) -> dict[str, Any]:
    lines = page.lines[element.first_line : element.end_line]
    return {
        "element_id": element.element_id,
        "kind": element.kind.value,
        "bbox": list(element.bbox),
        "line_boxes": [list(line.box) for line in lines],
        "line_numbers": [line.number for line in lines],
        "text": element.text,
        "text_source": element.text_source.value,
        "ocr_confidence": element.ocr_confidence,
        "heading_path": list(element.heading_path),
        "warnings": [warning_to_json(w) for w in element.warnings],
        "spans": [{"start": s.start, "end": s.end, "kind": s.kind.value} for s in element.spans],
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "table_id": table.table_id,
        "bbox": list(table.bbox),
        "title": table.title,
        "unit": table.unit,
        "scale": table.scale,
        "continued_from": table.continued_from,
        "cells": [_cell(c) for c in table.cells],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    return {
        "cell_id": cell.cell_id,
        "row": cell.row,
        "col": cell.col,
        "row_span": cell.row_span,
        "col_span": cell.col_span,
        "bbox": list(cell.bbox),
        "text": cell.text,
        "row_path": list(cell.row_path),
        "column_path": list(cell.column_path),
        "address": cell.address,
    }
