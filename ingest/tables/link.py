"""A table that runs over a page break: its parts are linked, and headers, unit and scale carried on."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from verify.domain.document import FURNITURE, OWN_TEXT, Cell, Element, ElementKind, Page, StatementKind, Table
from verify.domain.geometry import Box

_CONTINUED = re.compile(r"\(?\b(?:continued|cont[’']?d\.?|cont\.|suite|fortsetzung)\)?", re.IGNORECASE)
_TOTAL = re.compile(r"(?:sub-?\s?)?totals?\b", re.IGNORECASE)
_INDENT = 300
_SAME_EDGE = 600
"""Columns of one table keep their left or right edges within 6 pt from page to page."""


def link(previous: Page | None, current: Page) -> Page:
    """The page with its first table linked to the last of the page before, if that table runs on.

    It does if nothing but notes and page furniture stands between them and the title is repeated ("continued"), or the
    columns stand where they did. Call page after page, each time with the linked page before.
    """
    if previous is None or not previous.tables or not current.tables:
        return current
    upper, lower = previous.tables[-1], current.tables[0]
    if upper.col_count != lower.col_count or not (_ends(previous, upper) and _begins(current, lower)):
        return current
    same_title = _bare_title(upper) is not None and _bare_title(upper) == _bare_title(lower)
    untitled = lower.title is None or _CONTINUED.sub("", lower.title).strip(" .:-–") == ""
    if not (same_title or (untitled and _same_columns(upper, lower))):
        return current
    lower = _under_sections(carried_on(upper, lower), _open_section(upper, previous), current)
    return replace(current, tables=(lower, *current.tables[1:]))


def _bare_title(table: Table) -> str | None:
    return _CONTINUED.sub("", table.title).strip(" .:-–").casefold() or None if table.title else None


def _ends(page: Page, table: Table) -> bool:
    """True if only furniture and the table's own notes follow it on the page."""
    at = next((n for n, e in enumerate(page.elements) if e.element_id == table.element_id), None)
    return at is not None and all(_belongs(e, table) for e in page.elements[at + 1 :])


def _begins(page: Page, table: Table) -> bool:
    at = next((n for n, e in enumerate(page.elements) if e.element_id == table.element_id), None)
    return at is not None and all(_belongs(e, table) for e in page.elements[:at])


def _belongs(element: Element, table: Table) -> bool:
    if element.kind in FURNITURE or element.kind in OWN_TEXT:
        return True
    own = [s.bbox for s in table.statements if s.kind is not StatementKind.HEADER]
    if any(_mostly_in(element.bbox, box) for box in own):
        return True
    return element.kind is ElementKind.CAPTION and element.bbox.y1 <= table.bbox.y0


def _mostly_in(inner: Box, outer: Box) -> bool:
    return inner.overlaps(outer) and outer.y0 - 200 <= (inner.y0 + inner.y1) // 2 <= outer.y1 + 200


def _same_columns(upper: Table, lower: Table) -> bool:
    ours, theirs = _edges(upper), _edges(lower)
    shared = [c for c in ours if c in theirs]
    return bool(shared) and all(
        min(abs(a - b) for a, b in zip(ours[c], theirs[c], strict=True)) <= _SAME_EDGE for c in shared
    )


def _edges(table: Table) -> dict[int, tuple[int, int]]:
    """For each column the edges of its widest one-column cell with text."""
    edges: dict[int, tuple[int, int]] = {}
    for cell in table.cells:
        if cell.col_span == 1 and cell.text:
            left, right = edges.get(cell.col, (cell.bbox.x0, cell.bbox.x1))
            edges[cell.col] = (min(left, cell.bbox.x0), max(right, cell.bbox.x1))
    return edges


def carried_on(upper: Table, lower: Table) -> Table:
    """The later part: linked, under the first part's headers unless it repeats them, with its unit and scale."""
    cells = lower.cells
    if not _repeats_head(upper, lower):
        cells = tuple(_under(cell, _columns(upper), lower) for cell in lower.cells)
    return replace(
        lower,
        continued_from=upper.table_id,
        cells=cells,
        unit=lower.unit if lower.unit is not None else upper.unit,
        scale=lower.scale if lower.scale is not None else upper.scale,
    )


class _Section(NamedTuple):
    """Sections that are open where a part ends; rows stand under them if their labels begin at ``indent`` or beyond."""

    path: tuple[str, ...]
    indent: int


def _label_start(cell: Cell, page: Page) -> int | None:
    """Where a label begins on the page."""
    return min((page.words[i].box.x0 for i in cell.words), default=None)


def _open_section(table: Table, page: Page) -> _Section | None:
    """The sections over the last row, if its label is set in from theirs; without an indent it cannot be told whether
    they go on."""
    last = next((c for c in reversed(table.cells) if c.row_path), None)
    if last is None or len(last.row_path) < 2 or _TOTAL.match(last.row_path[-1]):
        return None
    labels = [c for c in table.cells if c.col == 0 and c.is_header and c.row <= last.row and c.text]
    own = next((_label_start(c, page) for c in reversed(labels) if c.row == last.row), None)
    parent = next((c for c in reversed(labels) if c.text.rstrip(": ") == last.row_path[-2]), None)
    start = _label_start(parent, page) if parent else None
    if own is None or start is None or own - start < _INDENT:
        return None
    return _Section(last.row_path[:-1], own - table.bbox.x0)


def _under_sections(table: Table, section: _Section | None, page: Page) -> Table:
    """The rows before the first label that is set out again, under the sections that were open on the page before."""
    if section is None:
        return table
    carried: set[int] = set()
    valued = {c.row for c in table.cells if c.row_path}
    for label in (c for c in table.cells if c.col == 0 and c.text and c.row >= min(valued, default=0)):
        start = _label_start(label, page)
        if start is None or start - table.bbox.x0 < section.indent - _INDENT // 2:
            break
        carried.add(label.row)
    cells = tuple(
        replace(c, row_path=section.path + c.row_path) if c.row in carried and c.row_path else c for c in table.cells
    )
    return replace(table, cells=cells)


def _head(table: Table) -> list[tuple[int, str]]:
    """Column headers as (column, text): header cells that have no header path of their own and stand over others."""
    body = [c.row for c in table.cells if c.row_path or c.column_path]
    first = min(body, default=0)
    return [(c.col, c.text.casefold()) for c in table.cells if c.row < first and c.is_header and c.text]


def _repeats_head(upper: Table, lower: Table) -> bool:
    head = _head(upper)
    return bool(head) and head == _head(lower)


def _columns(table: Table) -> dict[int, tuple[str, ...]]:
    """The path over each column, taken from the table's last cells, which stand under the header in force."""
    return {c.col: c.column_path for c in table.cells if c.col_span == 1 and c.column_path}


def _under(cell: Cell, columns: dict[int, tuple[str, ...]], table: Table) -> Cell:
    """A cell of a part without headers of its own. What looked like its header is a row of values like the rest."""
    path = columns.get(cell.col, ()) if cell.col_span == 1 else ()
    looked_like_head = cell.is_header and cell.col > 0 and not cell.row_path and not cell.column_path
    if looked_like_head:
        return replace(cell, is_header=False, row_path=_row_label(cell.row, table.cells), column_path=path)
    return replace(cell, column_path=path)


def _row_label(row: int, cells: Sequence[Cell]) -> tuple[str, ...]:
    return next(((c.text,) for c in cells if c.row == row and c.col == 0 and c.text), ())
