"""Table cells: found by structure, compared by equality, unit and scale from the table's own words (rule 8)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from verify.bodies import PageView, regions_of, source_of
from verify.domain.document import Cell, Page, Table, TextSource, Word
from verify.guards import doubt, limitations_of_kinds, limitations_of_text, lowest_confidence
from verify.match import Quotation
from verify.meaning import Context, Part, context_of, covers, marks_of, parts_of, quantity_of, table_on
from verify.numbers import Quantity
from verify.quotes import match_of
from verify.reader import Reader
from verify.report import CheckResult, Evidence, Match, Reason, Region, Role
from verify.request import Check
from verify.results import Settings, failed, verified
from verify.sentences import Span
from verify.targets import Stop, page_of_id
from verify.values import off_by_power_of_ten, unit_difference, unit_fault, value_difference


def check_cell(check: Check, reader: Reader, view: PageView, settings: Settings) -> CheckResult:
    """Raises Stop if the table, the row, the column or the cell can't be told."""
    table = _table(check, reader, view)
    parts = parts_of(view.page, table, reader.page)
    cell = _cell(check, table)
    quantity = quantity_of(cell, parts, view)
    context = context_of(cell, quantity, parts)
    words = [(view.page, view.page.words[i]) for i in cell.words]
    if not any(word.visible for _, word in words) and words:
        raise Stop(Reason.TEXT_NOT_VISIBLE)
    evidence = _evidence(check, view.page, parts, cell, words, context)
    reason = doubt(words, settings.ocr_threshold)
    if reason is not None:
        return replace(failed(check, reason), evidence=evidence)
    match: Match | None = None
    if check.expected_text is not None:
        match = match_of(cell.text, Quotation(check.expected_text))
        if match is None:
            return failed(check, Reason.TEXT_MISMATCH)
    kinds = view.body.kinds_in(Span(w.start, w.end) for _, w in words)
    limitations = [*limitations_of_text(words, ()), *limitations_of_kinds(kinds)]
    return _typed(check, reader, quantity, context) or verified(check, evidence, match, 1, limitations)


def _table(check: Check, reader: Reader, view: PageView) -> Table:
    found = table_on(view.page, check.table_id)
    if found is not None:
        return found
    index = page_of_id(check.table_id or "")
    other = reader.view(index) if index is not None and index != check.page_index else None
    if other is not None and table_on(other.page, check.table_id) is not None:
        raise Stop(Reason.LOCATOR_CONFLICT)
    scanned = not view.page.tables and view.page.text_source is TextSource.OCR
    raise Stop(Reason.NO_TABLE_STRUCTURE if scanned else Reason.TABLE_NOT_FOUND)


def _cell(check: Check, table: Table) -> Cell:
    if check.cell_id is None:
        return _cell_at_paths(table, check.row_path or (), check.column_path or ())
    cell = next((c for c in table.cells if c.cell_id == check.cell_id), None)
    if cell is None:
        raise Stop(Reason.CELL_NOT_FOUND)
    rows = check.row_path is None or _ends_with(cell.row_path, check.row_path)
    columns = check.column_path is None or _ends_with(cell.column_path, check.column_path)
    if not rows or not columns:
        raise Stop(_path_fault(table, check))
    return cell


def _path_fault(table: Table, check: Check) -> Reason:
    """Paths that name another cell conflict; paths that name no header at all mismatch."""
    named = [
        c
        for c in table.cells
        if (check.row_path is None or _ends_with(c.row_path, check.row_path))
        and (check.column_path is None or _ends_with(c.column_path, check.column_path))
    ]
    return Reason.LOCATOR_CONFLICT if named else Reason.HEADER_MISMATCH


def _cell_at_paths(table: Table, row_path: Sequence[str], column_path: Sequence[str]) -> Cell:
    cells = [c for c in table.cells if not c.is_header]
    rows = {c.row for c in cells if _ends_with(c.row_path, row_path)}
    columns = {c.col for c in cells if _ends_with(c.column_path, column_path)}
    if not rows:
        raise Stop(Reason.ROW_NOT_FOUND)
    if not columns:
        raise Stop(Reason.COLUMN_NOT_FOUND)
    if len(rows) > 1 or len(columns) > 1:
        raise Stop(Reason.AMBIGUOUS_PATH)
    row, column = min(rows), min(columns)
    for cell in cells:
        if cell.row <= row < cell.row + cell.row_span and cell.col <= column < cell.col + cell.col_span:
            return cell
    raise Stop(Reason.CELL_NOT_FOUND)


def _ends_with(full: Sequence[str], suffix: Sequence[str]) -> bool:
    if len(suffix) > len(full):
        return False
    return all(map(_same_header, full[-len(suffix) :], suffix))


@lru_cache(4096)
def _same_header(shown: str, asked: str) -> bool:
    return match_of(shown, Quotation(asked)) is not None


def _typed(check: Check, reader: Reader, quantity: Quantity | None, context: Context) -> CheckResult | None:
    """The fault of unit, scale or value, in this order; None if there is none."""
    asked = check.expected_value is not None or check.unit is not None or check.scale is not None
    if asked and context.clash:
        return failed(check, Reason.UNIT_UNKNOWN)
    fault = unit_fault(check.unit, context.unit, context.words, reader)
    if check.unit is not None and check.unit == context.header:
        fault = None
    if fault is not None:
        shown = context.unit or next(iter(context.words), None)
        return replace(failed(check, fault), difference=unit_difference(check.unit, shown))
    if check.scale is not None and check.scale != context.scale * (quantity.scale if quantity else 1):
        return failed(check, Reason.SCALE_MISMATCH)
    if check.expected_value is None:
        return None
    if quantity is None:
        return failed(check, Reason.VALUE_MISMATCH)
    values = {v * s for v in quantity.readings for s in (context.scale, context.open_scale) if s}
    if check.expected_value in values and (len(values) > 1 or quantity.bounded):
        return failed(check, Reason.VALUE_AMBIGUOUS)
    value = quantity.value * context.scale
    if value == check.expected_value:
        return None
    shifted = off_by_power_of_ten(value, check.expected_value)
    reason = Reason.SCALE_MISMATCH if shifted else Reason.VALUE_MISMATCH
    found = quantity._replace(value=value, unit=context.unit)
    return replace(failed(check, reason), difference=value_difference(check.expected_value, found))


def _evidence(
    check: Check, page: Page, parts: Sequence[Part], cell: Cell, words: Sequence[tuple[Page, Word]], context: Context
) -> Evidence:
    """The cell with all that gives it its meaning: headers, unit statement and footnotes, each with its role."""
    own = regions_of(words, Role.CELL) or (Region(page.index, cell.bbox, Role.CELL),)
    regions = (
        *own,
        *_headers(parts, cell, cell.row_path, Role.ROW_HEADER),
        *_headers(parts, cell, cell.column_path, Role.COLUMN_HEADER),
        *context.regions,
        *_footnotes(parts, cell),
    )
    span = [(w.start, w.end) for _, w in words]
    table = parts[0].table
    return Evidence(
        check.source_id, check.fingerprint, page.index, page.label, (table.element_id,), cell.text, None,
        min(s for s, _ in span) if span else None, max(e for _, e in span) if span else None,
        tuple(dict.fromkeys(regions)), source_of(words) if words else page.text_source, lowest_confidence(words),
    )  # fmt: skip


def _headers(parts: Sequence[Part], cell: Cell, path: Sequence[str], role: Role) -> Iterator[Region]:
    """The nearest cell that reads as each part of the path, in the cell's row or column or before it."""
    by_row = role is Role.ROW_HEADER
    for text in path:
        for i, part in enumerate(parts):
            found = [c for c in part.table.cells if c.text == text and _leads_to(c, cell, by_row, i == 0)]
            if found:
                nearest = max(found, key=lambda c: (c.row, c.col))
                yield Region(part.page.index, nearest.bbox, role)
                break


def _leads_to(header: Cell, cell: Cell, by_row: bool, same_part: bool) -> bool:
    if by_row:
        return header.row <= cell.row and (header.row, header.col) != (cell.row, cell.col) and same_part
    return covers(header, cell) if same_part else header.col <= cell.col < header.col + header.col_span


def _footnotes(parts: Sequence[Part], cell: Cell) -> Iterator[Region]:
    marks = marks_of(cell, parts[0].table)
    for part in parts:
        for statement in part.table.statements:
            if statement.mark is not None and statement.mark in marks:
                yield Region(part.page.index, statement.bbox, Role.FOOTNOTE)
